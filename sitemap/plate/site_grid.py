"""Which alphanumeric grid the sheets carry: the one that was handed in, else one of our own.

Grid lines lie along the edges of the paper, so that letters and numbers are read off the frame:
on sheets turned by anything but quarters the grid is turned with them. All sheets of a set are
turned alike, so a place keeps its cell from sheet to sheet.
"""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.measures.grid import RegularGrid, grid_over
from sitemap.measures.grid_regularity import grid_turn_rad
from sitemap.measures.turn import QUARTER_DEG, Bounds, by_quarters, turned, turned_bounds
from sitemap.plate.marks import GroundFrame
from sitemap.site import Site
from sitemap.units import MapScale

TOLERANCE_FT = 0.5
NOISE_DEG = 1e-4  # of a turn that is found from coordinates: 0.02 ft on 10,000 ft


def grid_axes_turn(rotation_deg: float) -> float:
    """The turn of a grid of our own: along the CRS where the paper is, else along the paper."""
    return 0.0 if by_quarters(rotation_deg) else rotation_deg


def site_grid(*frames: GroundFrame, submitted: RegularGrid | None = None) -> RegularGrid:
    """The alphanumeric grid over all frames: the submitted one if it covers them and lies along
    their edges.

    Else one of our own, its lines on round coordinates along its axes.
    """
    corners = np.concatenate([frame.corners_ft for frame in frames])
    rotation = frames[0].rotation_deg
    if (
        submitted is not None
        and by_quarters(submitted.turn_deg, rotation)
        and _covers(submitted.bounds_ft, turned_bounds(corners, submitted.turn_deg))
    ):
        return submitted
    turn = grid_axes_turn(rotation)
    left, bottom, right, top = turned_bounds(corners, turn)
    bounds = (left + 1e-6, bottom + 1e-6, right - 1e-6, top - 1e-6)  # no cell for rounding
    return grid_over(bounds, scale=MapScale(frames[0].feet_per_inch), turn_deg=turn)


def _covers(outer: Bounds, inner: Bounds) -> bool:
    return (
        outer[0] <= inner[0] + TOLERANCE_FT
        and outer[1] <= inner[1] + TOLERANCE_FT
        and outer[2] >= inner[2] - TOLERANCE_FT
        and outer[3] >= inner[3] - TOLERANCE_FT
    )


def submitted_grid(site: Site) -> RegularGrid | None:
    """The submission's own grid, if its cells are equal squares lettered as ours are; else None.

    It may be turned against the axes of the CRS.
    """
    layer = site.role("grid")
    if layer is None or layer.usable.empty or "label" not in layer.usable.columns:
        return None
    cells = layer.shapes
    if (shapely.get_dimensions(cells) != 2).any():
        return None
    lies = -float(np.rad2deg(grid_turn_rad(cells)))
    first = 0.0 if abs(lies) < NOISE_DEG else round(lies, 4)
    labels = [str(v) for v in layer.usable["label"]]
    for quarter in range(4):  # letters run with the grid's own x: which way that is, they tell
        turn = (first + quarter * QUARTER_DEG + 180.0) % 360.0 - 180.0
        grid = _regular(cells, labels, turn)
        if grid is not None:
            return grid
    return None


def _regular(cells: np.ndarray, labels: list[str], turn_deg: float) -> RegularGrid | None:
    boxes = shapely.bounds(shapely.transform(cells, lambda xy: turned(xy, turn_deg)))
    sizes = boxes[:, 2:] - boxes[:, :2]
    cell = round(float(np.median(sizes)), 2)
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    if np.abs(sizes - cell).max() > TOLERANCE_FT or cell <= 0.0:
        return None
    columns, rows = (round(float(v)) for v in (high - low) / cell)
    if columns * rows != len(cells):
        return None
    grid = RegularGrid(float(low[0]), float(low[1]), cell, columns, rows, turn_deg)
    middle = shapely.get_coordinates(shapely.centroid(cells))
    here = grid.cells_of(middle[:, 0], middle[:, 1])
    return grid if labels == here else None
