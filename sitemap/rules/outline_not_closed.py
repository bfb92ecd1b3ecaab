"""GEO005: the outline of an area came as a line whose ends do not meet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import MultiPoint
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import LayerSpec
from sitemap.finding import Limit, Quantity, Source
from sitemap.measures.outlines import end_gap, joined, lines_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length

JUDGED_ELSEWHERE = {"boundary"}  # BND001


@rule("GEO005", clauses=("map",))
def outline_not_closed(site: Site, position_tolerance: Length) -> Iterator[Said]:
    """The map has an outline that does not close.

    Why
        In CAD an area is often a polyline. If its ends do not meet it has no inside: no acres, no
        fill, and nothing can lie in it.

    How it is measured
        Lines of roles that take areas and no lines, per dataset, in the site CRS: pieces are joined
        end to end (ends within the position tolerance are one), and the ends of what results must
        lie within the position tolerance. One finding per open outline, with the gap in feet.

    When it does not apply
        To roles that take lines, and to the boundary (BND001). That the line should have been an
        area is SUB007.

    How to fix
        Close the polyline at the place named and hand it in as an area.

    References
        § 162-11B(4); CAD polylines without the closed flag.
    """
    tolerance = position_tolerance.to(site.foot)
    outlines = layers = 0
    for layer in site.layers.values():
        spec = site.catalogue[layer.role]
        takes_lines = "line" in spec.geometry or "polygon" not in spec.geometry
        if takes_lines or layer.role in JUDGED_ELSEWHERE:
            continue
        layers += 1
        for (_, frame), (_, shapes) in zip(layer.by_dataset, layer.shapes_by_dataset, strict=True):
            lines = lines_of(shapes)
            if not len(lines):
                continue
            where, of_lines = sources(frame), shapely.get_dimensions(shapes) == 1
            for outline in joined(lines, tolerance):
                outlines += 1
                if end_gap(outline) > tolerance:
                    yield _open(spec, outline, shapes, of_lines, where, tolerance)
    if not layers:
        yield NotApplicable("no layer of areas was handed in")
        return
    yield Checked(f"{layers} layers of areas hold {outlines} outlines drawn as lines", layers)


def _open(
    spec: LayerSpec,
    outline: BaseGeometry,
    shapes: np.ndarray,
    of_lines: np.ndarray,
    where: list[Source],
    tolerance: float,
) -> Fault:
    ends = shapely.get_coordinates(outline)[[0, -1]]
    first = shapely.Point(ends[0])
    gap = end_gap(outline)
    rows = np.flatnonzero(of_lines)
    owner = where[int(rows[int(np.argmin(shapely.distance(shapes[rows], first)))])]
    return Fault(
        f"{owner} ({spec.title.lower()}): the outline does not close, its ends are "
        f"{gap:,.1f} ft apart",
        "close the line there and hand it in as an area",
        geometry=MultiPoint(ends),
        measured=Quantity(gap, "ft"),
        limit=Limit(tolerance, "ft"),
        role=spec.role,
        source=owner,
        distinct=f"{owner} {first.x:.0f} {first.y:.0f}",
    )
