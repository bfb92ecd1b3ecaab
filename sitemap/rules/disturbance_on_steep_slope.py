"""DST003: soil disturbed on slopes of 20 percent and more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity, Severity
from sitemap.measures.cover import (
    acres,
    acres_tolerance_of,
    dissolved,
    polygons_of,
    shared,
    uncovered,
)
from sitemap.measures.steepness import CELL_FT, cells_over, slopes_pct, steep_ground
from sitemap.places import Places
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.shown import shown_ground
from sitemap.units import Area, Length

MOST_PLACES = 25


@rule(
    "DST003",
    clauses=("9c3c",),
    needs=("disturbance",),
    uses=("steep_slopes", "contours_existing", "elevation"),
    severity=Severity.WARNING,
)
def disturbance_on_steep_slope(
    site: Site,
    disturbance: RoleLayer,
    steep_slopes: RoleLayer | None,
    steep_slope: float,
    sliver_width: Length,
    acres_tolerance: Area,
    acres_tolerance_pct: float,
) -> Iterator[Said]:
    """The map has soil disturbed on slopes of twenty percent or more.

    Why
        Soil loss grows faster than the slope. Work on steep ground is to be kept to the minimum.

    How it is measured
        On existing ground (reading 5). Where steep slopes are drawn, their areas of the limit and
        more (or without a slope) that the disturbance covers. And the ground is measured: the
        elevation raster, or a triangulation of the existing contours, in cells of 10 ft, the
        slope of each over 20 ft in both directions; measured parts under the acre tolerance are
        left out, as single cells say little, and so is what lies beside a drawn slope by less
        than those 20 ft. Exactly 20 % counts. One finding per part, in acres,
        with the acres in each cell of the map's grid; a warning, since the law asks for the
        minimum and not for none.

    When it does not apply
        Where neither steep slopes nor raster nor contours show the ground: it is skipped. Where
        they show only some of it, and the rest is more than the acre tolerance, a person decides.

    How to fix
        Move the limits of disturbance off the slope, or say in the plan why less is not possible.

    References
        § 162-9C(3)(c), "Minimization of land disturbing construction activity on slopes of 20
        percent or more."
    """
    ground = dissolved(disturbance.shapes)
    if ground.area <= 0:
        yield Skip("the disturbance layer encloses no area")
        return
    drawn = None
    if steep_slopes is not None and len(steep_slopes.usable):
        drawn = _drawn(steep_slopes, ground, steep_slope, sliver_width.to(site.foot))
    measured = _measured(site, ground, steep_slope)
    if drawn is None and measured is None:
        yield Skip("no steep slopes, elevation raster or existing contours show the ground")
        return
    count = len(disturbance.usable)
    beside = ""
    if drawn is not None:
        size = _acres(site, drawn.parts)
        yield Checked(
            f"disturbance on slopes of {steep_slope:g} % and more, by {drawn.words}: "
            f"{size.sum():,.2f} acres",
            count,
        )
        yield from _faults(site, drawn.parts, size, steep_slope)
        beside = " that are not drawn as steep"
    if measured is None:
        return
    parts = measured.parts if drawn is None else _beside(measured, drawn)
    size = _acres(site, parts)
    large = size >= acres_tolerance.acres
    small = f" ({size[~large].sum():,.3f} acres in specks left out)" if (~large).any() else ""
    yield Checked(
        f"disturbance on slopes of {steep_slope:g} % and more{beside}, by {measured.words}: "
        f"{size[large].sum():,.2f} acres{small}",
        count,
    )
    yield from _faults(site, parts[large], size[large], steep_slope, beside)
    if drawn is None:
        yield from _hidden(
            site,
            ground,
            measured.unknown,
            steep_slope,
            (acres_tolerance_pct, acres_tolerance.acres),
        )


@dataclass(frozen=True, eq=False)
class _Steep:
    """The disturbed parts of steep ground, by what in words; and what is not shown of the ground.

    whole is all that is steep, also beside the disturbance.
    """

    parts: np.ndarray
    words: str
    whole: BaseGeometry
    unknown: np.ndarray


def _acres(site: Site, parts: np.ndarray) -> np.ndarray:
    return np.array([acres(float(area), site.foot) for area in shapely.area(parts)])


def _beside(measured: _Steep, drawn: _Steep) -> np.ndarray:
    """What is measured as steep and not drawn so.

    Edges may lie off by the length that a slope is taken over.
    """
    return uncovered(measured.whole, drawn.whole, 2.0 * CELL_FT).parts


def _hidden(
    site: Site,
    ground: BaseGeometry,
    unknown: np.ndarray,
    limit: float,
    allowed: tuple[float, float],
) -> Iterator[Ask]:
    """The question about disturbed ground that nothing shows; allowed in percent and acres."""
    total = acres(float(ground.area), site.foot)
    hidden = acres(float(shapely.area(unknown).sum()), site.foot)
    if hidden > acres_tolerance_of(total, *allowed):
        yield Ask(
            f"{hidden:,.2f} of {total:,.2f} disturbed acres lie where neither contours nor "
            f"elevation data show the ground: is it flatter than {limit:g} % there?",
            "9c3c",
            shapely.union_all(unknown),
        )


def _drawn(layer: RoleLayer, ground: BaseGeometry, limit: float, width: float) -> _Steep:
    """The disturbed parts of the steep slopes that are drawn."""
    slope = layer.usable["slope_pct"].to_numpy(dtype=float, na_value=np.nan)
    steep = ~(slope < limit)  # one that is not stated counts: it is drawn as steep
    torn = polygons_of(shapely.union_all(shared(layer.shapes[steep], ground, width)))
    words = f"{int(steep.sum())} steep slopes drawn"
    return _Steep(torn, words, dissolved(layer.shapes[steep]), torn[:0])


def _measured(site: Site, ground: BaseGeometry, limit: float) -> _Steep | None:
    """The steep parts of the disturbed ground as a surface shows them.

    None without a surface, and where it shows none of the ground.
    """
    surface = shown_ground(site)
    if surface is None:
        return None
    centres, side = cells_over(ground)
    slope = slopes_pct(surface.gradient(centres, CELL_FT))
    found = steep_ground(ground, centres, side, slope, limit)
    if not np.isfinite(found.steepest_pct):
        return None
    share = float(shapely.area(found.unknown).sum()) / ground.area
    unknown = f", {share:.0%} not shown" if share > 0.005 else ""
    words = f"{surface.source} (steepest {found.steepest_pct:.1f} %{unknown})"
    return _Steep(found.parts, words, shapely.union_all(found.parts), found.unknown)


def _faults(
    site: Site, parts: np.ndarray, size: np.ndarray, limit: float, beside: str = ""
) -> Iterator[Fault]:
    places = Places(site)
    order = np.argsort(-size, kind="stable")
    for index in order[:MOST_PLACES].tolist():
        at = parts[index].centroid
        yield _fault(
            f"{size[index]:,.3f} acres are disturbed on slopes of {limit:g} % and more{beside}"
            f"{_by_cell(site, places, parts[index])}",
            parts[index],
            float(size[index]),
            f"at {at.x:.0f},{at.y:.0f}",
        )
    if len(order) > MOST_PLACES:
        rest = order[MOST_PLACES:]
        total, whole = float(size[rest].sum()), shapely.union_all(parts[rest])
        words = (
            f"{len(rest)} more parts on slopes of {limit:g} % and more{beside} ({total:,.3f} acres)"
        )
        yield _fault(f"{words}{_by_cell(site, places, whole)}", whole, total, f"more parts{beside}")


def _by_cell(site: Site, places: Places, part: BaseGeometry) -> str:
    """The acres of a part in each grid cell, in words; what rounds to nothing is left out."""
    areas = places.areas_by_cell(part)
    said = {cell: f"{acres(area, site.foot):,.3f}" for cell, area in areas.items()}
    cells = [f"{cell} {words}" for cell, words in said.items() if words != "0.000"]
    return f"; by grid cell: {', '.join(cells)}" if cells else ""


def _fault(words: str, geometry: BaseGeometry, size: float, distinct: str) -> Fault:
    return Fault(
        words,
        "draw the limits of disturbance back from the slope, or give the reason in the plan",
        geometry=geometry,
        measured=Quantity(round(size, 4), "acres"),
        limit=Limit(0.0, "acres"),
        role="disturbance",
        distinct=distinct,
    )
