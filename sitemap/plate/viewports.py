"""What makes a PDF a map: viewports with a georeference and a scale, and the layer panel.

Written with pikepdf after the page is painted (ISO 32000-1 section 8.8, 12.9; ISO 32000-2 12.10).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from sitemap.crs import Crs, crs_code, lonlat, parse_crs, same_crs
from sitemap.errors import PlateError
from sitemap.measured_plate import NO_MAP_FRAME, PHASE_MARK
from sitemap.plate.marks import GroundFrame

POINTS = 72.0  # per inch
DEGREE_DECIMALS = 10  # 0.00002 ft; with 5 a frame is off by 0.7 ft and seems turned
UNIT_SQUARE = (0, 0, 0, 1, 1, 1, 1, 0)  # lower left, upper left, upper right, lower right


def page_viewports(
    pdf: pikepdf.Pdf,
    frames: Sequence[GroundFrame],
    size_in: tuple[float, float],
    phase: str = "",
) -> Array:
    """The /VP array of a page; frames have the main one first.

    The last viewport that holds a point rules it: so the scale of the whole page comes first,
    then the scale of each further frame, then the georeferences, inset over main. A page without
    frames declares itself to be no map, and is measured in inches of paper. The phase of
    construction that a page shows alone stands in the name of its scale.
    """
    page_box = (0.0, 0.0, *size_in)
    found = [
        _scale_viewport(frame, page_box if i == 0 else frame.box_in, phase)
        for i, frame in enumerate(frames)
    ]
    found += [_ground_viewport(pdf, frame) for frame in frames]
    if not frames:
        found.append(_paper_viewport(page_box))
    return Array([pdf.make_indirect(viewport) for viewport in found])


def _number(value: float) -> Decimal:
    """A float as the shortest decimal that PDF may hold, which has no exponent."""
    return Decimal(f"{value:.12f}").normalize() + Decimal(0)


def _box_pt(box_in: Iterable[float]) -> Array:
    return Array([_number(round(v * POINTS, 9)) for v in box_in])


def _scale_viewport(frame: GroundFrame, box_in: tuple[float, ...], phase: str) -> Dictionary:
    """A rectilinear measure: "1 in = 50 ft", what measuring tools of viewers take up."""
    words = f"1 in = {frame.feet_per_inch:g} ft"
    name = f"Scale of {frame.name}{PHASE_MARK}{phase}" if phase else f"Scale of {frame.name}"
    return _rectilinear(name, box_in, words, "ft", frame.feet_per_inch)


def _paper_viewport(box_in: tuple[float, ...]) -> Dictionary:
    """Inches of paper: what a sheet of notes and tables is measured in."""
    return _rectilinear(NO_MAP_FRAME, box_in, "1 in = 1 in", "in", 1.0)


def _rectilinear(
    name: str, box_in: tuple[float, ...], words: str, symbol: str, per_inch: float
) -> Dictionary:
    def unit(label: str, factor: float) -> Array:
        return Array(
            [
                Dictionary(
                    Type=Name.NumberFormat, U=String(label), C=_number(factor), F=Name.D, D=100
                )
            ]
        )

    measure = Dictionary(
        Type=Name.Measure,
        Subtype=Name.RL,
        R=String(words),
        X=unit(symbol, per_inch / POINTS),
        D=unit(symbol, 1.0),
        A=unit(f"sq {symbol}", 1.0),
    )
    return Dictionary(Type=Name.Viewport, Name=String(name), BBox=_box_pt(box_in), Measure=measure)


def _ground_viewport(pdf: pikepdf.Pdf, frame: GroundFrame) -> Dictionary:
    """A geospatial measure: the corners of the frame in degrees of the CRS's own datum."""
    corners = frame.corners_ft
    lon, lat = lonlat(corners[:, 0], corners[:, 1], frame.crs)
    degrees = [value for pair in zip(lat.tolist(), lon.tolist(), strict=True) for value in pair]
    if not all(abs(value) <= 360.0 for value in degrees):  # inf where PROJ cannot go
        raise PlateError(
            f'the corners of the frame "{frame.name}" have no longitude and latitude in '
            f"{frame.crs.name}; check that the site lies in that CRS"
        )
    measure = Dictionary(
        Type=Name.Measure,
        Subtype=Name.GEO,
        Bounds=Array(UNIT_SQUARE),
        LPTS=Array(UNIT_SQUARE),
        GPTS=Array([_number(round(value, DEGREE_DECIMALS)) for value in degrees]),
        GCS=pdf.make_indirect(_coordinate_system(frame.crs)),
        PDU=Array([Name.FT, Name.SQFT, Name.DEG]),
    )
    return Dictionary(
        Type=Name.Viewport,
        Name=String(frame.name),
        BBox=_box_pt(frame.box_in),
        Measure=pdf.make_indirect(measure),
    )


def _coordinate_system(crs: Crs) -> Dictionary:
    system = Dictionary(Type=Name.PROJCS, WKT=String(_well_known_text(crs)))
    code = crs_code(crs)
    # readers believe the code before the text, so it is written only when both say the same
    if code and code.startswith("EPSG:") and same_crs(parse_crs(code), crs):
        system.EPSG = int(code.removeprefix("EPSG:"))
    return system


def _well_known_text(crs: Crs) -> str:
    for dialect in ("WKT1_ESRI", "WKT1_GDAL", "WKT2_2019"):
        try:
            text: str | None = crs.to_wkt(dialect)
        except Exception:  # PROJ raises its own kinds where a dialect cannot say it
            text = None
        if text:
            return text
    raise PlateError(f"PROJ cannot write {crs.name} as well-known text")


def layer_groups(
    pdf: pikepdf.Pdf, layers: Sequence[str], off: Iterable[str]
) -> dict[str, Dictionary]:
    """Make one optional-content group per layer, and the panel that lists them, top first."""
    groups = {
        name: pdf.make_indirect(
            Dictionary(
                Type=Name.OCG,
                Name=String(name),
                Intent=Name.View,
                Usage=Dictionary(
                    CreatorInfo=Dictionary(Creator=String("sitemap"), Subtype=Name.Artwork)
                ),
            )
        )
        for name in layers
    }
    hidden = [groups[name] for name in layers if name in set(off)]
    shown = [groups[name] for name in layers if name not in set(off)]
    pdf.Root.OCProperties = Dictionary(
        OCGs=Array(list(groups.values())),
        D=Dictionary(
            Name=String("Default"),
            Creator=String("sitemap"),
            BaseState=Name.ON,  # some viewers show an empty panel without it
            ON=Array(shown),
            OFF=Array(hidden),
            Order=Array(list(reversed(groups.values()))),
            ListMode=Name.AllPages,
        ),
    )
    return groups
