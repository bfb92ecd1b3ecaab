"""GRD002: a grid that does not cover the whole map."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.cover import acres, close_gaps, dissolved, uncovered
from sitemap.measures.grid_regularity import cells_from
from sitemap.measures.printed_grid import bare_in, edges_of
from sitemap.places import map_extent
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule(
    "GRD002",
    clauses=("j",),
    uses=("grid", "boundary", "disturbance", "controls", "discharges"),
    after=("GRD001",),
)
def grid_does_not_cover_map(
    site: Site,
    grid: RoleLayer | None,
    plate: MeasuredPlate | None,
    position_tolerance: Length,
    sliver_width: Length,
) -> Iterator[Said]:
    """The map has a grid that does not cover all of it.

    Why
        A place outside the grid has no name.

    How it is measured
        The grid layer's cells (or what its lines enclose), gaps within the position tolerance
        closed, must cover the rectangle around boundary, disturbance, controls and discharges;
        strips thinner than the sliver width are left out. On a plate the marks along each edge
        of the map frame must reach both its ends, allowing for cells that the edge cuts.

    When it does not apply
        Without any grid (GRD001).

    How to fix
        Extend the grid by whole cells until it covers the whole map.

    References
        § 162-11B(4)(j), "overlying the entire construction site map"; reading 8.
    """
    pages = plate.main_frames if plate is not None else ()
    looked = False
    if grid is not None and len(grid.usable):
        for said in _layer(
            site, grid, position_tolerance.to(site.foot), sliver_width.to(site.foot)
        ):
            looked = looked or isinstance(said, Checked | Skip)
            yield said
    for page, frame in pages:
        edges = edges_of(page, frame)
        looked = looked or bool(edges)
        yield Checked(f"page {page.number}: grid marks along {len(edges)} edges", len(edges))
        for edge in edges:
            bare = bare_in(edge)
            if bare > 0:
                yield Fault(
                    f"page {page.number}: {bare:.1f} in of the map frame's {edge.name} edge "
                    "belong to no marked cell",
                    "letter the grid along the whole frame",
                    measured=Quantity(round(bare, 2), "in"),
                    limit=Limit(0.0, "in"),
                    role="grid",
                    distinct=f"page {page.number} {edge.name}",
                )
    if not looked:
        yield NotApplicable("there is no grid to judge: see GRD001")


def _layer(site: Site, grid: RoleLayer, tolerance: float, width: float) -> Iterator[Said]:
    bounds = map_extent(site)
    cells = cells_from(grid.shapes)
    if bounds is None or len(cells) == 0:
        yield Skip("the grid layer encloses no cells" if bounds else "nothing is on the map")
        return
    must = shapely.box(*bounds)
    bare = uncovered(must, close_gaps(dissolved(cells), tolerance), width)
    size = acres(bare.area, site.foot)
    whole = acres(float(must.area), site.foot)
    yield Checked(f"{len(cells)} cells over {whole:,.1f} acres of map", len(cells))
    if len(bare.parts):
        yield Fault(
            f"the grid leaves {size:,.2f} of {whole:,.1f} acres of the map uncovered, in "
            f"{plural(len(bare.parts), 'part')}",
            "extend the grid by whole cells until it covers the whole map",
            geometry=shapely.union_all(bare.parts),
            measured=Quantity(round(size, 4), "acres"),
            limit=Limit(0.0, "acres"),
            role="grid",
            distinct="layer",
        )
