"""PLT006: features that cross a match line and are not on both sheets at the same reference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.crs import crs_code
from sitemap.finding import Limit, Quantity
from sitemap.measured_plate import MapFrame, MeasuredPlate, PlatePage, TracedLayer
from sitemap.measures.drawn_features import POSITION_IN, SHORT_IN, Found, found_on_paper
from sitemap.measures.legend_words import LegendWords
from sitemap.measures.printed_grid import LETTERING_IN, reference_at
from sitemap.measures.records import sources
from sitemap.measures.shared_ground import SharedGround, on_page, shared_grounds
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site

MOST_PARTS = 5  # of a feature, that are looked at for its reference
NOT_DRAWN = ("grid", "elevation")  # the plate rules its own grid; a raster has no symbol


@rule("PLT006", clauses=("map",))
def match_line_broken(site: Site, plate: MeasuredPlate | None) -> Iterator[Said]:
    """The map has features that break off at a match line between its sheets.

    Why
        Who follows a silt fence over a match line must find it on the next sheet, at the place
        and under the reference where he left it.

    How it is measured
        Wherever two map sheets show the same ground, every feature of the site in that ground is
        looked for on each of the two sheets alone, as PLT004 does on all of them together: ink
        within 0.01 in on paper all along. And a place of it must have one grid reference on both,
        by the marks printed along the frames; places within 0.05 in of a line between cells are
        left out, since letters are read no finer. Sheets that show the controls of one phase of
        construction are compared with those of the same phase, and what both leave out stands in
        another.

    When it does not apply
        Without a plate, on a plate of one map sheet, or where no two sheets share ground; on a
        plate without layers that bear the catalogue's titles. Skipped where no two frames have
        their ground in the map's CRS.

    How to fix
        Draw all sheets of the set again from the same data, with the same grid.

    References
        § 162-11B(4): the site map shall include the items (a) to (j), and (j), the grid.
    """
    if plate is None:
        yield NotApplicable("no plate was handed in (--plate FILE.pdf)")
        return
    if len(plate.main_frames) < 2:
        yield NotApplicable("the plate has one map sheet, and no match line")
        return
    words = LegendWords(site.catalogue)
    if not any(words.role_of_layer(layer) for layer in plate.layers):
        yield NotApplicable(
            "the plate has no layers that bear the catalogue's titles, so its marks cannot be told "
            "apart"
        )
        return
    sheets = [(page, frame) for page, frame in plate.main_frames if _on_the_ground(frame, site)]
    if len(sheets) < 2 or not plate.traced:
        yield Skip(
            f"no two frames of the plate have their ground in {site.crs_name}: see PLT001"
            if len(sheets) < 2
            else "the marks of the plate could not be read from its file"
        )
        return
    pairs = shared_grounds(sheets)
    if not pairs:
        yield NotApplicable("no two map sheets show the same ground")
        return
    yield from _over_match_lines(site, pairs, _marks(plate, words))


def _over_match_lines(
    site: Site, pairs: list[SharedGround], marks: dict[tuple[int, str], list[TracedLayer]]
) -> Iterator[Said]:
    looked = 0
    for role, layer in site.layers.items():
        if role in NOT_DRAWN or layer.usable.empty:
            continue
        shapes = shapely.force_2d(layer.shapes)
        for pair in pairs:
            near = np.flatnonzero(shapely.intersects(shapes, pair.ground))
            if not len(near):
                continue
            scale = max(frame.feet_per_inch for frame in pair.frames)
            both = [
                found_on_paper(shapes[near], marks.get((page.number, role), []), [pair.ground])
                for page, _ in pair.sheets
            ]
            least = np.where(both[0].is_point, 0.5, SHORT_IN * scale)
            shown = (both[0].shown > least) | (both[1].shown > least)
            shown &= ~_of_another_phase(pair, both, least)
            for (page, frame), found in zip(pair.sheets, both, strict=True):
                yield from _missing(layer, near, found, shown, page, frame)
            looked += int(shown.sum())
            yield from _misnamed(layer, near[shown], shapes, pair)
    yield Checked(
        f"{plural(looked, 'feature')} over {plural(len(pairs), 'strip')} that two sheets share",
        looked,
    )


def _of_another_phase(pair: SharedGround, both: list[Found], least: np.ndarray) -> np.ndarray:
    """Features that sheets of one phase both leave out: they stand in another."""
    if not pair.one.phase:
        return np.zeros(len(least), dtype=bool)
    drawn = [found.shown - found.bare > least for found in both]
    return np.asarray(~(drawn[0] | drawn[1]))


def _marks(plate: MeasuredPlate, words: LegendWords) -> dict[tuple[int, str], list[TracedLayer]]:
    """What each page draws of each role."""
    found: dict[tuple[int, str], list[TracedLayer]] = {}
    for drawn in plate.traced:
        role = words.role_of_layer(drawn.layer)
        if role is not None:
            found.setdefault((drawn.page, role), []).append(drawn)
    return found


def _on_the_ground(frame: MapFrame, site: Site) -> bool:
    if frame.ground_ft is None or site.crs is None:
        return False
    return frame.epsg is None or crs_code(site.crs) == f"EPSG:{frame.epsg}"


def _sheet(page: PlatePage) -> str:
    return f"sheet {page.label}" if page.label else f"page {page.number}"


def _missing(
    layer: RoleLayer,
    near: np.ndarray,
    found: Found,
    shown: np.ndarray,
    page: PlatePage,
    frame: MapFrame,
) -> Iterator[Fault]:
    """Features that one of the two sheets does not draw where both show the ground."""
    where = sources(layer.usable)
    for i in np.flatnonzero((found.bare > 0.0) & shown).tolist():
        source = where[int(near[i])]
        name = source.user_id or f"record {source.feature}"
        length, bare = float(found.shown[i]), float(found.bare[i])
        unit = "points drawn" if found.is_point[i] else "ft drawn"
        within = f"within {POSITION_IN:g} in ({POSITION_IN * frame.feet_per_inch:.2g} ft)"
        part = "its place has" if found.is_point[i] else f"{bare:,.0f} of {length:,.0f} ft have"
        yield Fault(
            f"{name} of {layer.role} breaks off at a match line: on {_sheet(page)} {part} no mark "
            f"{within}",
            "draw all sheets of the set again from the same data",
            geometry=shapely.Point(found.at[i]),
            measured=Quantity(round(length - bare, 2), unit),
            limit=Limit(round(length, 2), unit, ">="),
            role=layer.role,
            source=source,
            distinct=f"page {page.number}",
        )


def _misnamed(
    layer: RoleLayer, rows: np.ndarray, shapes: np.ndarray, pair: SharedGround
) -> Iterator[Fault]:
    """Features with another grid reference on the one sheet than on the other."""
    where = sources(layer.usable)
    for row in rows.tolist():
        named = _named_twice(_places(shapes[row], pair.ground), pair)
        if named is None or named[1] == named[2]:
            continue
        place, one, other = named
        source = where[row]
        name = source.user_id or f"record {source.feature}"
        yield Fault(
            f"{name} of {layer.role} is in cell {one} on {_sheet(pair.one)} and in cell {other} on "
            f"{_sheet(pair.other)}",
            "rule one grid over the whole site, so that a place has one name on every sheet",
            geometry=place,
            role=layer.role,
            source=source,
            distinct=f"pages {pair.one.number} and {pair.other.number}",
        )


def _named_twice(
    places: list[shapely.Point], pair: SharedGround
) -> tuple[shapely.Point, str, str] | None:
    """The first place that lies clear of the lines between cells, with its cell on each sheet."""
    for place in places:
        one, other = (
            reference_at(page, frame, *on_page(frame, place.x, place.y))
            for page, frame in pair.sheets
        )
        if one is None or other is None:
            return None
        if min(one.to_edge_in, other.to_edge_in) > LETTERING_IN:
            return place, one.cell, other.cell
    return None


def _places(shape: BaseGeometry, ground: shapely.Polygon) -> list[shapely.Point]:
    """Places of the feature amid the ground that both sheets show."""
    parts = shapely.get_parts(shapely.intersection(shapely.make_valid(shape), ground))
    found: list[shapely.Point] = []
    for part in parts[:MOST_PARTS]:
        if part.geom_type == "LineString":
            found += [part.interpolate(share, normalized=True) for share in (0.5, 0.3, 0.7)]
        elif not part.is_empty:
            found.append(part.representative_point())
    return [place for place in found if ground.contains(place)]
