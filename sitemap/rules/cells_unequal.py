"""GRD004: grid cells of unequal size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.grid_regularity import arrange, cells_from, unequal_cells, usual_size
from sitemap.measures.printed_grid import edges_of, spacing_in, unequal_in
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule("GRD004", clauses=("j",), uses=("grid",), after=("GRD001",))
def cells_unequal(
    site: Site, grid: RoleLayer | None, plate: MeasuredPlate | None, position_tolerance: Length
) -> Iterator[Said]:
    """The map has grid cells of unequal size.

    Why
        A grid is also read as a measure: four cells are four times the side of one.

    How it is measured
        Width and height of each cell along the grid's own sides, against the size that most
        cells have, to the position tolerance. A cell at the rim may be smaller, cut by the map's
        edge, never larger. On a plate the distances of the marks along each edge of the frame,
        to 0.05 in, which is what a letter's middle can be read to.

    When it does not apply
        Without any grid (GRD001).

    How to fix
        Draw the grid anew with one round size: 50, 100 or 200 ft.

    References
        § 162-11B(4)(j). No text found gives a cell size.
    """
    looked = False
    if grid is not None and len(grid.usable):
        looked = True
        yield from _layer(grid, position_tolerance.to(site.foot))
    for page, frame in plate.main_frames if plate is not None else ():
        edges = edges_of(page, frame)
        looked = looked or bool(edges)
        yield Checked(
            f"page {page.number}: distances of {sum(len(e.labels) for e in edges)} marks",
            len(edges),
        )
        for edge in edges:
            off = unequal_in(edge)
            if off is not None:
                usual = spacing_in(edge) or 0.0
                yield Fault(
                    f"page {page.number}: grid marks along the {edge.name} edge are unequally "
                    f"spaced, by up to {off:.2f} in from {usual:.2f} in",
                    "draw the grid anew with one size of cell",
                    measured=Quantity(round(off, 3), "in"),
                    limit=Limit(0.05, "in"),
                    role="grid",
                    distinct=f"page {page.number} {edge.name}",
                )
    if not looked:
        yield NotApplicable("there is no grid to judge: see GRD001")


def _layer(grid: RoleLayer, tolerance: float) -> Iterator[Said]:
    frame = grid.usable
    shapes = frame.geometry.to_numpy()
    cells = cells_from(shapes)
    if len(cells) == 0:
        yield Skip("the grid layer encloses no cells")
        return
    place = arrange(cells, tolerance)
    width, height = usual_size(place.width_ft, tolerance), usual_size(place.height_ft, tolerance)
    size = f"{width:,.4g} x {height:,.4g} ft"
    yield Checked(f"{len(cells)} cells of {size}", len(cells))
    odd = np.flatnonzero(unequal_cells(place, tolerance))
    if len(odd) == 0:
        return
    off = np.maximum(np.abs(place.width_ft[odd] - width), np.abs(place.height_ft[odd] - height))
    worst = int(odd[np.argmax(off)])
    drawn = shapely.get_dimensions(shapes) == 2
    where = sources(frame[drawn]) if drawn.any() else sources(frame)[:1] * len(cells)
    yield Fault(
        f"{len(odd)} of {len(cells)} grid cells are not {size}: one is "
        f"{place.width_ft[worst]:,.4g} x {place.height_ft[worst]:,.4g} ft",
        "draw the grid anew with one size of cell",
        geometry=shapely.union_all(cells[odd]),
        measured=Quantity(round(float(off.max()), 3), "ft"),
        limit=Limit(round(tolerance, 3), "ft"),
        role="grid",
        source=where[worst],
        related=tuple(where[i] for i in odd[:50].tolist() if i != worst) if drawn.any() else (),
        distinct="layer",
    )
