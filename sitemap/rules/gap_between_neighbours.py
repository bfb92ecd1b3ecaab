"""TOP002: ground between areas that should share it out, and that none of them covers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Quantity, Severity, Source
from sitemap.measures.cover import acres
from sitemap.measures.neighbours import Gap, gaps, near_box
from sitemap.measures.records import areas_in, sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length

NAMED = 4


@rule("TOP002", clauses=("map",), uses=("drainage_areas", "soils"))
def gap_between_neighbours(
    site: Site,
    drainage_areas: RoleLayer | None,
    soils: RoleLayer | None,
    gap_width: Length,
    sliver_width: Length,
    discharge_distance: Length,
    acres_tolerance: Area,
) -> Iterator[Said]:
    """The map has a gap between areas that should share out the ground.

    Why
        Ground in no drainage area sends its runoff nowhere; ground in no soil has no erodibility.
        The acres of the areas no longer sum to those of the site.

    How it is measured
        Drainage areas and soils within a quarter mile of the boundary, in the site CRS: holes in
        their union, and open slits between two of them up to the pack's gap width. What holds no
        strip as wide as the sliver width is digitizing and left out. One finding per gap: an
        error when more acres of it than the acre tolerance lie on the site, else a warning (also
        where no boundary tells what is on the site).

    When it does not apply
        Where areas simply end; whether they cover the whole site is another question.

    How to fix
        Snap the edges together, or draw the area that is missing.

    References
        § 162-11B(4)(c), (3)(f).
    """
    boundary = site.boundary
    looked_at = 0
    for layer in (drainage_areas, soils):
        if layer is None:
            continue
        frame = areas_in(layer)
        shapes = frame.geometry.to_numpy()
        near = np.arange(len(frame))
        if boundary is not None:
            around = boundary.buffer(discharge_distance.to(site.foot)).bounds
            near = near_box(shapes, shapely.box(*around))
        looked_at += len(near)
        for gap in gaps(shapes, gap_width.to(site.foot), sliver_width.to(site.foot), near):
            where = sources(frame.iloc[near[list(gap.neighbours)]])
            yield _fault(site, layer, where, gap, acres_tolerance.acres)
    if not looked_at:
        yield NotApplicable("no drainage areas or soils are drawn at the site")
        return
    yield Checked(f"{looked_at} drainage areas and soils", looked_at)


def _fault(
    site: Site,
    layer: RoleLayer,
    where: list[Source],
    gap: Gap,
    tolerance_acres: float,
) -> Fault:
    size = acres(float(gap.ground.area), site.foot)
    boundary, on_site = site.boundary, 0.0
    if boundary is not None:
        on_site = acres(float(shapely.intersection(gap.ground, boundary).area), site.foot)
    between = "; ".join(str(source) for source in where[:NAMED])
    more = f" and {len(where) - NAMED} more" if len(where) > NAMED else ""
    what = "a hole" if gap.enclosed else "a slit"
    x, y = (round(v) for v in gap.ground.representative_point().coords[0])
    return Fault(
        f"{site.catalogue[layer.role].title}: {what} of {size:,.3f} acres is left out between "
        f"{between}{more}",
        "snap the edges together, or draw the area that is missing",
        geometry=gap.ground,
        measured=Quantity(round(size, 4), "acres"),
        role=layer.role,
        source=where[0],
        related=tuple(where[1:]),
        severity=Severity.ERROR if on_site > tolerance_acres else Severity.WARNING,
        distinct=f"{what} {x} {y}",
    )
