"""PLT004: features of the site that the finished plate does not draw."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import crs_code
from sitemap.finding import Limit, Quantity
from sitemap.measured_plate import MapFrame, MeasuredPlate, TracedLayer
from sitemap.measures.drawn_features import POSITION_IN, SHORT_IN, Found, found_on_paper
from sitemap.measures.legend_words import LegendWords
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site

NOT_DRAWN = ("grid", "elevation")  # the plate rules its own grid; a raster has no symbol
MOSTLY = 0.9  # of a feature without ink: it is not there at all


@rule("PLT004", clauses=("map",))
def feature_not_drawn(site: Site, plate: MeasuredPlate | None) -> Iterator[Said]:
    """The map has features in its data that its plate does not draw.

    Why
        A layer that was switched off, a stale export or a lost record makes a plate that looks
        complete and is not; the reviewer sees only the plate.

    How it is measured
        Round trip: the marks of each layer of the PDF that bears the title of a role are read
        back into ground coordinates by the page's georeference. Each line and each outline of the
        role's features inside the map frames must have marks within 0.01 in on paper (and the
        0.1 pt by which lines may be thinned) all along; a stretch of more than 0.15 in without
        ink is a fault, unless lettering stands there. Each point must have within 0.01 in the
        place of a symbol: the middle of an outline or a cross, or the end of the stroke that ties
        a symbol moved aside to its place. Sheets are taken together: what one draws, another need
        not. Features outside the frames are counted apart. The grid is not looked for: the plate
        rules its own (GRD).

    When it does not apply
        Without a plate; on a plate without layers that bear the catalogue's titles, as most made
        by other programs are: its marks cannot be told apart, and ink of no matter what beside a
        feature does not show that this feature is drawn (contours, hatches and parcel lines lie
        beside nearly everything). A person compares the two. Skipped where no frame has its
        ground in the map's CRS.

    How to fix
        Draw the plate again from the data that are submitted, with all layers switched on.

    References
        § 162-11B(4): the site map shall include the items (a) to (j).
    """
    if plate is None:
        yield NotApplicable("no plate was handed in (--plate FILE.pdf)")
        return
    words = LegendWords(site.catalogue)
    if not any(words.role_of_layer(layer) for layer in plate.layers):
        yield NotApplicable(
            "the plate has no layers that bear the catalogue's titles, so its marks cannot be told "
            "apart"
        )
        return
    frames = [frame for _, frame in plate.main_frames if _on_the_ground(frame, site)]
    if not frames or not plate.traced:
        yield Skip(
            f"no frame of the plate has its ground in {site.crs_name}: see PLT001"
            if not frames
            else "the marks of the plate could not be read from its file"
        )
        return
    grounds = [shapely.Polygon(frame.ground_ft) for frame in frames]
    traced: dict[str, list[TracedLayer]] = {}
    for drawn in plate.traced:
        traced.setdefault(words.role_of_layer(drawn.layer) or "", []).append(drawn)
    scale = max(frame.feet_per_inch for frame in frames)
    looked = outside = 0
    for role, layer in site.layers.items():
        if role in NOT_DRAWN or layer.usable.empty:
            continue
        marks = traced.get(role, [])
        found = found_on_paper(layer.shapes, marks, grounds)
        least = np.where(found.is_point, 0.5, SHORT_IN * scale)
        shown = np.flatnonzero(found.shown > least)
        looked, outside = looked + len(shown), outside + len(found.shown) - len(shown)
        if len(shown):
            yield from _faults(site, layer, bool(marks), found, shown, scale)
    apart = f"; {outside} more lie outside the map frame" if outside else ""
    yield Checked(f"{looked} features of the site looked for on the plate{apart}", looked)


def _on_the_ground(frame: MapFrame, site: Site) -> bool:
    if frame.ground_ft is None or site.crs is None:
        return False
    return frame.epsg is None or crs_code(site.crs) == f"EPSG:{frame.epsg}"


def _faults(
    site: Site, layer: RoleLayer, has_marks: bool, found: Found, shown: np.ndarray, scale: float
) -> Iterator[Fault]:
    shapes = layer.shapes
    title = site.catalogue[layer.role].title
    if not has_marks:
        yield Fault(
            f'none of the {len(shown)} features of "{title}" is on the plate: no layer of this '
            "name has marks",
            "draw the plate again with this layer switched on",
            geometry=shapely.union_all(shapely.make_valid(shapely.force_2d(shapes[shown]))),
            measured=Quantity(0, "features drawn"),
            limit=Limit(len(shown), "features drawn", ">="),
            role=layer.role,
            distinct="layer",
        )
        return
    where = sources(layer.usable)
    for i in (int(i) for i in shown if found.bare[i] > 0.0):
        source = where[i]
        name = source.user_id or f"record {source.feature}"
        geometry, words = _missing(found, i, shapes[i], scale)
        yield Fault(
            f'{name} of "{title}" is not drawn: {words}',
            "draw the plate again from the data that are submitted",
            geometry=geometry,
            measured=_drawn(found, i),
            limit=Limit(round(float(found.shown[i]), 2), _unit(found, i), ">="),
            role=layer.role,
            source=source,
        )


def _unit(found: Found, number: int) -> str:
    return "points drawn" if found.is_point[number] else "ft drawn"


def _drawn(found: Found, number: int) -> Quantity:
    return Quantity(round(float(found.shown[number] - found.bare[number]), 2), _unit(found, number))


def _missing(
    found: Found, number: int, shape: BaseGeometry, scale: float
) -> tuple[BaseGeometry, str]:
    """Where a feature has no ink, and how much of it, in words."""
    shown, bare = float(found.shown[number]), float(found.bare[number])
    within = f"within {POSITION_IN:g} in ({POSITION_IN * scale:.2g} ft)"
    if found.is_point[number]:
        return shapely.Point(found.at[number]), f"the plate has no mark {within} of its place"
    if bare >= MOSTLY * shown:
        return shapely.force_2d(shape), f"the plate has no mark {within} of it"
    return (
        shapely.Point(found.at[number]),
        f"{bare:,.0f} of its {shown:,.0f} ft in the map frame have no mark {within}",
    )
