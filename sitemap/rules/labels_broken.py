"""GRD003: grid labels that do not name each cell once, in order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Source
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.grid_regularity import arrange, cells_from, label_troubles
from sitemap.measures.printed_grid import edge_trouble, edges_of, opposite_trouble
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule("GRD003", clauses=("j",), uses=("grid",), after=("GRD001",))
def labels_broken(
    site: Site, grid: RoleLayer | None, plate: MeasuredPlate | None, position_tolerance: Length
) -> Iterator[Said]:
    """The map has grid labels that are missing, repeated, or out of order.

    Why
        A label that two cells carry, or that is not where the reader looks for it, sends people
        to the wrong place.

    How it is measured
        Each cell's label must be letters with a number (C4, 4C, C-4), be carried by no other
        cell, and share its letters with its column and its number with its row, or the other way
        round. Along the edge they must follow one another, rising or falling; I and O may be
        left out. Cells are put in columns and rows by their own sides, whatever the grid's turn.
        On a plate the marks along each edge of the frame are read in the same way, and opposite
        edges must agree.

    When it does not apply
        Without any grid (GRD001). A grid of lines without cells' labels needs a person.

    How to fix
        Label the cells anew, from the upper left: A1, B1 ... A2, B2.

    References
        § 162-11B(4)(j), "alphanumeric or equivalent grid". No text found says how to letter it.
    """
    looked = False
    if grid is not None and len(grid.usable):
        looked = True
        yield from _layer(site, grid, position_tolerance.to(site.foot))
    for page, frame in plate.main_frames if plate is not None else ():
        edges = edges_of(page, frame)
        looked = looked or bool(edges)
        count = sum(len(edge.labels) for edge in edges)
        yield Checked(f"page {page.number}: {count} grid marks read", count)
        found = [words for edge in edges if (words := edge_trouble(edge))]
        for words in (*found, *opposite_trouble(edges)):
            yield Fault(
                f"page {page.number}: {words}",
                "letter the frame anew, from the upper left: A, B, C across and 1, 2, 3 down",
                role="grid",
                distinct=f"page {page.number} {words}",
            )
    if not looked:
        yield NotApplicable("there is no grid to judge: see GRD001")


def _layer(site: Site, grid: RoleLayer, tolerance: float) -> Iterator[Said]:
    frame = grid.usable
    shapes = frame.geometry.to_numpy()
    areal = shapely.get_dimensions(shapes) == 2
    if not areal.any():
        cells = cells_from(shapes)
        yield Ask(
            f"the grid is drawn as lines ({len(cells)} cells): are its labels unique and in order?",
            "j",
            geometry=shapely.union_all(shapes),
        )
        return
    labels = frame["label"][areal]
    names = [str(v) if known else None for v, known in zip(labels, labels.notna(), strict=True)]
    cells = shapes[areal]
    where = [w for w, a in zip(sources(frame), areal, strict=True) if a]
    yield Checked(f"{len(names)} grid cells by their labels", len(names))
    for trouble in label_troubles(names, arrange(cells, tolerance)):
        these = list(trouble.cells)
        yield Fault(
            trouble.words,
            "label the cells anew, from the upper left: A1, B1 ... A2, B2",
            geometry=shapely.union_all(cells[np.array(these)] if these else cells),
            role="grid",
            source=where[these[0]] if these else Source(),
            related=tuple(where[i] for i in these[1:50]),
            field_name="label",
            distinct=trouble.words,
        )
