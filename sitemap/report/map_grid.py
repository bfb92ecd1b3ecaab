"""The alphanumeric grid as the maps of the HTML page draw it: the cells that places.py names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.finding import Place
from sitemap.measures.grid import RegularGrid, grid_over
from sitemap.places import map_extent

MOST_CELLS = 900  # beyond this the labels of an overview are left out


@dataclass(frozen=True)
class Cell:
    """One cell: its label and its ground."""

    label: str
    ground: BaseGeometry


class MapGrid:
    """The submission's own grid, else the one that the plate would draw; none under a plate.

    Under a measured plate cells are named by the plate's printed marks, whose lines on the
    ground are not known.
    """

    def __init__(self, checked: CheckedSite) -> None:
        self._checked = checked

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in the order of the layer or from the top left."""
        layer = self._checked.site.role("grid")
        if layer is not None and "label" in layer.frame:
            frame = layer.usable
            frame = frame[frame["label"].notna()]
            if len(frame):
                pairs = zip(frame["label"], frame.geometry.to_numpy(), strict=True)
                return tuple(
                    Cell(str(label), shapely.force_2d(ground))
                    for label, ground in pairs
                    if shapely.get_dimensions(ground) == 2
                )
        grid = self._computed
        if grid is None or len(grid.labels) > MOST_CELLS * 10:
            return ()
        return tuple(Cell(label, shapely.box(*grid.bounds_of(label))) for label in grid.labels)

    @cached_property
    def _computed(self) -> RegularGrid | None:
        bounds = map_extent(self._checked.site)
        if bounds is None or self._checked.plate is not None:
            return None
        return grid_over(bounds)

    @cached_property
    def _by_label(self) -> dict[str, list[Cell]]:
        known: dict[str, list[Cell]] = {}
        for cell in self.cells:
            known.setdefault(cell.label, []).append(cell)
        return known

    def cell_at(self, place: Place | None) -> Cell | None:
        """The cell that a place names, where its ground is known."""
        if place is None or place.cell is None:
            return None
        point = shapely.Point(place.x_ft, place.y_ft)
        found = (c for c in self._by_label.get(place.cell, ()) if c.ground.intersects(point))
        return next(found, None)
