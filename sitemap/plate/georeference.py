"""The frames of a finished page: where they are, what ground they show, at what scale.

Reads the viewports of ISO 32000 (geospatial and rectilinear measures) and the older dictionaries
of OGC 08-139. Sizes are inches as shown; ground is feet of the CRS.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pikepdf

from sitemap import crs as crs_door
from sitemap.crs import Crs
from sitemap.errors import CrsError
from sitemap.measured_plate import MapFrame
from sitemap.plate.page_view import PageView
from sitemap.units import LengthUnit, plain_number

LARGEST_EPSG = 32767
WORST_RESIDUAL = 0.005  # of the frame's ground, before its corners count as not a plane map
SAME_PLACE_FT = 0.1
PAPER_ONLY = 0.02  # a viewport within 2 % of one inch per inch measures paper, not ground


def page_frames(page: pikepdf.Page, view: PageView) -> tuple[list[MapFrame], list[str]]:
    """The frames that a page declares, and in words what is wrong with those that are no good."""
    frames: list[MapFrame] = []
    trouble: list[str] = []
    for number, viewport in enumerate(_viewports(page), 1):
        name = str(viewport.get("/Name", f"viewport {number}"))
        try:
            frame, note = _viewport_frame(viewport, name, view)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, CrsError) as error:
            frame, note = None, f'"{name}" cannot be measured: {error}'
        frames += [frame] if frame else []
        trouble += [note] if note else []
    for dictionary in _older(page):
        name = str(dictionary.get("/Description", "map"))
        try:
            frames.append(_older_frame(dictionary, name, view))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, CrsError) as error:
            trouble.append(f'"{name}" (OGC 08-139) cannot be measured: {error}')
    return frames, trouble


def _viewports(page: pikepdf.Page) -> Iterator[Any]:
    listed = page.obj.get("/VP")
    if isinstance(listed, pikepdf.Array):
        yield from (v for v in listed if isinstance(v, pikepdf.Dictionary) and "/Measure" in v)


def _older(page: pikepdf.Page) -> Iterator[Any]:
    found = page.obj.get("/LGIDict")
    listed = list(found) if isinstance(found, pikepdf.Array) else [found]
    yield from (d for d in listed if isinstance(d, pikepdf.Dictionary))


def _viewport_frame(viewport: Any, name: str, view: PageView) -> tuple[MapFrame | None, str | None]:
    measure = viewport["/Measure"]
    box = _numbers(viewport["/BBox"])
    if len(box) != 4:
        raise ValueError(f"its box has {len(box)} numbers instead of 4")
    left, right = sorted(box[::2])
    bottom, top = sorted(box[1::2])
    corners = np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
    if measure.get("/Subtype") == pikepdf.Name.GEO:
        return _ground_frame(measure, name, corners, view)
    return _calibrated_frame(measure, name, corners, view)


def _numbers(array: Any) -> list[float]:
    return [float(v) if not isinstance(v, pikepdf.String) else float(str(v)) for v in array]


def _calibrated_frame(
    measure: Any, name: str, corners: np.ndarray, view: PageView
) -> tuple[MapFrame | None, str | None]:
    """A rectilinear measure: units of ground per unit of the file, often without saying which."""
    across, distance = measure["/X"][0], measure.get("/D")
    first = distance[0] if isinstance(distance, pikepdf.Array) and len(distance) else None
    factor = float(across["/C"]) * (float(first["/C"]) if first is not None else 1.0)
    label = str((first if first is not None else across).get("/U", "")).strip()
    per_inch = factor * view.units_per_inch
    if not (math.isfinite(per_inch) and per_inch > 0):
        raise ValueError(f"it says that one inch is {per_inch:g} units")
    unit, note = LengthUnit.parse(label) if label else LengthUnit.FOOT, None
    if abs(per_inch * float(unit.metres / LengthUnit.INCH.metres) - 1.0) < PAPER_ONLY or (
        not label and abs(per_inch - 1.0) < PAPER_ONLY
    ):
        return None, None  # calibrated to the paper itself
    if not label:
        note = (
            f'the calibration of "{name}" names no unit; feet are taken: '
            f"1 in = {plain_number(per_inch)} ft"
        )
    feet = per_inch if unit.is_foot else per_inch * float(unit.metres / LengthUnit.FOOT.metres)
    words = str(measure["/R"]).strip() if "/R" in measure else ""
    said = f' ("{words}")' if words else ""
    frame = MapFrame(
        name,
        view.shown_box(corners),
        _scale(feet, feet),
        "calibration",
        rests_on=f"the calibration of measuring tools{said}; nothing says which ground it shows",
    )
    return frame, note


def _ground_frame(
    measure: Any, name: str, corners: np.ndarray, view: PageView
) -> tuple[MapFrame | None, str | None]:
    """A geospatial measure: the affine map through its points, in the CRS it names."""
    degrees = np.array(_numbers(measure["/GPTS"])).reshape(-1, 2)[:, ::-1]
    unit = measure.get("/LPTS", [0, 0, 0, 1, 1, 1, 1, 0])
    square = np.array(_numbers(unit)).reshape(-1, 2)
    if len(square) != len(degrees) or len(square) < 3:
        raise ValueError(
            f"it pairs {len(square)} places on the page with {len(degrees)} on the ground; "
            "at least 3 of both are needed"
        )
    low, high = corners.min(axis=0), corners.max(axis=0)
    places = view.shown_in(low + square * (high - low))
    crs, epsg, note = _named_crs(measure.get("/GCS"), degrees.mean(axis=0))
    frame = _fit(name, corners, places, degrees, crs, epsg, view)
    return frame, f'"{name}": {note}' if note else None


def _named_crs(system: Any, middle: np.ndarray) -> tuple[Crs | None, int | None, str | None]:
    """The CRS of a frame, its code, and a word of doubt. The code is believed before the text."""
    code = int(system["/EPSG"]) if system is not None and "/EPSG" in system else None
    text = str(system["/WKT"]) if system is not None and "/WKT" in system else ""
    by_code = by_text = None
    if code is not None:
        authority = "EPSG" if code <= LARGEST_EPSG else "ESRI"
        by_code = _known(f"{authority}:{code}")
    if text:
        by_text = _known(text)
    chosen = by_code or by_text
    if chosen is None:
        what = f"code {code}" if code is not None else "text" if text else "nothing"
        return None, None, f"it names no CRS that PROJ knows ({what}); degrees are taken as WGS 84"
    note = None
    if by_code is not None and by_text is not None and not _same_place(by_code, by_text, middle):
        note = f"its code says {by_code.name}, its text {by_text.name}; the code is taken"
    elif code is not None and by_code is None:
        note = f"its code {code} is unknown to PROJ; its text is taken: {chosen.name}"
    elif text and by_text is None:
        note = f"its well-known text cannot be read; its code is taken: {chosen.name}"
    return chosen, code if by_code is not None and code is not None else None, note


def _own_degrees(crs: Crs) -> Crs:
    """The geographic CRS that a CRS is built on."""
    return crs.geodetic_crs or crs_door.WGS84


def _known(text: str) -> Crs | None:
    try:
        return crs_door.parse_crs(text)
    except CrsError:
        return None


def _same_place(a: Crs, b: Crs, middle: np.ndarray) -> bool:
    """True when both put a longitude and latitude of their own on the same numbers."""
    if a.is_projected != b.is_projected:
        return False
    if not a.is_projected:
        return crs_door.datum_name(a) == crs_door.datum_name(b) or crs_door.same_crs(a, b)
    places = [crs_door.transform_points(middle[:1], middle[1:], _own_degrees(c), c) for c in (a, b)]
    return bool(np.allclose(places[0], places[1], rtol=0, atol=SAME_PLACE_FT))


def _fit(
    name: str,
    corners: np.ndarray,
    places_in: np.ndarray,
    degrees: np.ndarray,
    crs: Crs | None,
    epsg: int | None,
    view: PageView,
) -> MapFrame:
    """Scale and corners of a frame from places in inches and their longitude and latitude.

    A geographic CRS and Web Mercator have no feet of their own: those frames are measured in
    the State Plane or UTM zone around them.
    """
    own = crs if crs is not None else crs_door.WGS84
    measuring = own
    if not own.is_projected or crs_door.is_web_mercator(own):
        west, south = degrees.min(axis=0)
        east, north = degrees.max(axis=0)
        measuring, _ = crs_door.choose_site_crs(_own_degrees(own), (west, south, east, north))
    beyond = np.abs(degrees) > (361.0, 91.0)
    if beyond.any() and own.is_projected:  # some programs write eastings and northings here
        ground = degrees
    else:
        ground = np.column_stack(
            crs_door.transform_points(degrees[:, 0], degrees[:, 1], _own_degrees(own), measuring)
        )
    unit = crs_door.linear_unit(measuring)
    if unit is None:
        raise ValueError(f"the unit of {measuring.name} is neither feet nor metres")
    if not unit.is_foot:
        ground = ground * float(unit.metres / LengthUnit.FOOT.metres)
    affine = _affine(places_in, ground)
    left, bottom, right, top = box = view.shown_box(corners)
    shown = np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
    at_corners = np.column_stack([shown, np.ones(4)]) @ affine
    most, least = np.linalg.svd(affine[:2], compute_uv=False)
    return MapFrame(
        name,
        box,
        _scale(most, least),
        "georeference",
        crs=crs_door.crs_label(crs) if crs is not None else None,
        epsg=epsg,
        ground_ft=(
            tuple((float(x), float(y)) for x, y in at_corners)
            if crs is not None and measuring is own and unit.is_foot
            else None
        ),
        anisotropy_ppm=float((most - least) / math.sqrt(most * least) * 1e6),
        across_up=_along_edges(affine),
        rests_on=f"its georeference, {len(degrees)} corners with longitude and latitude",
    )


def _along_edges(affine: np.ndarray) -> tuple[float, float]:
    """Feet per inch to the right and up on the page."""
    across, up = np.hypot(*affine[0]), np.hypot(*affine[1])
    return round(float(across), 5), round(float(up), 5)


def _scale(across: float, up: float) -> float:
    """Feet per inch, to what 10 decimals of a degree can tell: 100 is then 100, not 100.0000002."""
    return round(math.sqrt(across * up), 5)


def _affine(places_in: np.ndarray, ground_ft: np.ndarray) -> np.ndarray:
    """The matrix (3, 2) that takes x, y, 1 in inches to feet; ValueError when there is none."""
    if not np.isfinite(ground_ft).all():
        raise ValueError("its corners lie outside of what its CRS can show")
    middle = ground_ft.mean(axis=0)
    known = np.column_stack([places_in, np.ones(len(places_in))])
    # squares of a side of inches stay far from the square of a State Plane coordinate
    matrix, _, rank, _ = np.linalg.lstsq(known, ground_ft - middle, rcond=None)
    if rank < 3:
        raise ValueError("its places on the page lie on one line")
    extent = float(np.ptp(ground_ft, axis=0).max())
    if extent == 0 or abs(np.linalg.det(matrix[:2])) < (1e-9 * extent) ** 2:
        raise ValueError("its corners lie on one line on the ground")
    worst = float(np.abs(known @ matrix - (ground_ft - middle)).max())
    if worst > WORST_RESIDUAL * extent:
        raise ValueError(
            f"its corners do not lie on a plane map: they miss it by {plain_number(worst)} ft"
        )
    matrix[2] += middle
    return np.asarray(matrix)


def _older_frame(dictionary: Any, name: str, view: PageView) -> MapFrame:
    """OGC 08-139: a matrix from the file's units to the ground, and a projection dictionary."""
    a, b, c, d, e, f = _numbers(dictionary["/CTM"])
    if "/Neatline" in dictionary:
        corners = np.array(_numbers(dictionary["/Neatline"])).reshape(-1, 2)
    else:
        left, bottom, right, top = view.box
        corners = np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
    ground = corners @ np.array([[a, b], [c, d]]) + (e, f)
    projection = dictionary.get("/Projection", dictionary.get("/Display"))
    if projection is None:
        raise ValueError("it has no projection")
    places = view.shown_in(corners)
    crs = _older_crs(projection)
    if crs is not None and crs.is_geographic:
        code = crs_door.crs_code(crs) or ""
        epsg = int(code.removeprefix("EPSG:")) if code.startswith("EPSG:") else None
        return _fit(name, corners, places, ground, crs, epsg, view)
    unit_name = str(projection.get("/Units", "M")).strip().lower()
    unit = LengthUnit.US_SURVEY_FOOT if unit_name in ("ft", "ftus", "us ft") else LengthUnit.METRE
    feet = ground if unit.is_foot else ground * float(unit.metres / LengthUnit.FOOT.metres)
    affine = _affine(places, feet)
    most, least = np.linalg.svd(affine[:2], compute_uv=False)
    kind = str(projection.get("/ProjectionType", "unknown")).strip("/ ")
    return MapFrame(
        name,
        view.shown_box(corners),
        _scale(most, least),
        "georeference",
        crs=crs_door.crs_label(crs) if crs is not None else f"projection {kind} in {unit.symbol}",
        anisotropy_ppm=float((most - least) / math.sqrt(most * least) * 1e6),
        across_up=_along_edges(affine),
        rests_on="its georeference (OGC 08-139)",
    )


def _older_crs(projection: Any) -> Crs | None:
    """The CRS where it is one of the plain kinds: well-known text, geographic, UTM."""
    if "/WKT" in projection:
        return _known(str(projection["/WKT"]))
    kind = str(projection.get("/ProjectionType", "")).strip("/ ").upper()
    datum = projection.get("/Datum")
    name = str(datum) if isinstance(datum, pikepdf.String) else ""
    geographic = {"WGE": "EPSG:4326", "NAR": "EPSG:4269", "NAS": "EPSG:4267"}.get(name[:3])
    if kind == "GEOGRAPHIC":
        return _known(geographic or "EPSG:4326")
    zone = re.sub(r"\D", "", str(projection.get("/Zone", "")))
    north = str(projection.get("/Hemisphere", "N")).strip("/ ").upper() != "S"
    if kind == "UT" and zone and geographic in ("EPSG:4326", "EPSG:4269", "EPSG:4267"):
        base = {"EPSG:4326": 32600 if north else 32700, "EPSG:4269": 26900, "EPSG:4267": 26700}
        return _known(f"EPSG:{base[geographic] + int(zone)}")
    return None
