"""BND001: a boundary that is not one closed area."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Quantity, Severity, Source
from sitemap.measures.cover import acres, close_gaps, dissolved, overlaps, polygons_of
from sitemap.measures.outlines import end_gap, joined, lines_of, ring_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule("BND001", clauses=("b",), needs=("boundary",))
def boundary_not_one_closed_area(
    site: Site, boundary: RoleLayer, position_tolerance: Length, sliver_width: Length
) -> Iterator[Said]:
    """The map has a site boundary that is not one closed area.

    Why
        Every acre, and every question whether something lies on the site, is judged by the
        boundary.

    How it is measured
        Lines are joined at their ends within the position tolerance and must close. Outlines must
        not cross themselves. Features that overlap by more than a sliver claim ground twice.
        Parcels that touch (or stand no farther apart than a sliver) are dissolved into one, and
        that is said. Separate parts, and holes, need a person.

    When it does not apply
        Never: a map has a boundary.

    How to fix
        Close the line, take out the crossing, and hand in the outline of the whole site as one
        polygon.

    References
        § 162-11B(4)(b), boundaries of the construction site.
    """
    tolerance, width = position_tolerance.to(site.foot), sliver_width.to(site.foot)
    shapes = shapely.force_2d(boundary.shapes)
    where = sources(boundary.usable)
    areal = shapely.get_dimensions(shapes) == 2
    broken = False
    for fault in (*_open_lines(shapes, areal, where, tolerance), *_crossings(shapes, areal, where)):
        broken = True
        yield fault
    solid, solid_where = shapes[areal], [w for w, a in zip(where, areal, strict=True) if a]
    for shared in overlaps(solid, width):
        size = acres(shared.ground.area, site.foot)
        yield Fault(
            f"two parts of the boundary overlap by {size:.3f} acres",
            "hand in the outline of the whole site as one polygon",
            geometry=shared.ground,
            measured=Quantity(size, "acres"),
            role="boundary",
            source=solid_where[shared.first],
            related=(solid_where[shared.second],),
        )
    if broken:
        return
    whole = _whole(shapes, areal, tolerance)
    yield from _parts(site, whole, len(shapes), width)


def _open_lines(
    shapes: np.ndarray, areal: np.ndarray, where: list[Source], tolerance: float
) -> Iterator[Fault]:
    lines = lines_of(shapes)
    if len(lines) == 0:
        return
    first = next(w for w, a in zip(where, areal, strict=True) if not a)
    for line in joined(lines, tolerance):
        gap = end_gap(line)
        if gap > tolerance:
            yield Fault(
                f"the boundary is a line that does not close: its ends are {gap:,.1f} ft apart",
                "close the line, or hand the boundary in as a polygon",
                geometry=shapely.multipoints(
                    [shapely.get_point(line, 0), shapely.get_point(line, -1)]
                ),
                measured=Quantity(gap, "ft"),
                role="boundary",
                source=first,
                distinct="open",
            )


def _crossings(shapes: np.ndarray, areal: np.ndarray, where: list[Source]) -> Iterator[Fault]:
    for index in np.flatnonzero(areal & ~shapely.is_valid(shapes)).tolist():
        reason, _, place = shapely.is_valid_reason(shapes[index]).partition("[")
        xy = [float(v) for v in place.rstrip("]").split()[:2]]
        yield Fault(
            f"the boundary's outline crosses or touches itself ({reason.lower()})",
            "redraw the outline there as a simple line",
            geometry=shapely.Point(xy) if len(xy) == 2 else shapes[index],
            role="boundary",
            source=where[index],
            distinct="self-crossing",
        )


def _whole(shapes: np.ndarray, areal: np.ndarray, tolerance: float) -> BaseGeometry:
    lines = lines_of(shapes)
    rings = [] if len(lines) == 0 else [ring_of(line) for line in joined(lines, tolerance)]
    return dissolved(np.array([*shapes[areal], *rings], dtype=object))


def _parts(site: Site, whole: BaseGeometry, features: int, width: float) -> Iterator[Said]:
    closed = close_gaps(whole, width + 1e-3)  # a gap of just the width is closed too
    parts = polygons_of(closed)
    parts = parts[shapely.area(parts) > width**2]
    parts = parts[np.argsort(-shapely.area(parts), kind="stable")]
    size = acres(float(whole.area), site.foot)
    if len(parts) == 0:
        yield Fault(
            "the boundary encloses no area",
            "hand in the outline of the site as a polygon",
            geometry=whole if not whole.is_empty else None,
            role="boundary",
        )
        return
    yield Checked(
        f"boundary: {plural(features, 'feature')}, one area of {size:,.2f} acres", features
    )
    if len(parts) > 1:
        each = ", ".join(f"{acres(float(p.area), site.foot):,.2f}" for p in parts[:6])
        yield Ask(
            f"the boundary has {len(parts)} separate parts ({each} acres): is this one site?",
            "b",
            geometry=closed,
        )
    elif features > 1:
        yield Fault(
            f"{features} touching parts of the boundary are taken together as one area of "
            f"{size:,.2f} acres",
            "nothing must be done; one outline of the whole site would be plainer",
            geometry=closed,
            measured=Quantity(size, "acres"),
            role="boundary",
            severity=Severity.INFO,
            distinct="dissolved",
        )
    holes = shapely.get_num_interior_rings(parts)
    if holes.sum():
        rings = [r for p in parts for r in p.interiors]
        inner = sum(acres(float(shapely.Polygon(ring).area), site.foot) for ring in rings)
        yield Ask(
            f"the boundary leaves out {plural(len(rings), 'area')} inside it "
            f"({inner:,.2f} acres): are they not part of the site?",
            "b",
            geometry=shapely.multipolygons([shapely.Polygon(ring) for ring in rings]),
        )
