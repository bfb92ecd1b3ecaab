"""How far the lines of a map lie from those of a reference, along the stretch that both show."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

STEP_FT = 10.0
SHARE = 0.5  # of a line that has to run beside another one to be the same line elsewhere


def offsets_along(
    reference: np.ndarray, drawn: np.ndarray, accuracy_ft: float
) -> list[dict[str, Any]]:
    """One row for each line of the reference that is drawn over some of its length.

    hausdorff_ft is the greatest, offset_ft the mean distance of that stretch from the drawn lines,
    east_ft and north_ft the mean way from it to them; areas are 0.
    """
    lines = np.flatnonzero(shapely.get_dimensions(drawn) == 1)
    if not len(lines):
        return []
    tree = shapely.STRtree(drawn[lines])
    beside = shapely.buffer(shapely.union_all(drawn[lines]), accuracy_ft)
    rows = []
    for row in np.flatnonzero(shapely.get_dimensions(reference) == 1).tolist():
        stretch = shapely.intersection(reference[row], beside)
        if stretch.length <= accuracy_ft:
            continue
        near, ways = _ways(stretch, tree)
        # the stretch is cut at the accuracy, and rounding may carry its ends beyond
        distance = np.minimum(np.hypot(ways[:, 0], ways[:, 1]), accuracy_ft)
        drawn_rows = lines[near]
        rows.append(_row((row,), drawn_rows, stretch, drawn, ways, distance))
    return rows


def shifted_lines(missing: np.ndarray, extra: np.ndarray, within_ft: float) -> list[dict[str, Any]]:
    """The same of lines that are drawn beside their place: missing there, extra within so far.

    Half of the missing line at least runs beside extra ones of about its length (1/2 to 2 times),
    so that a line which only crosses or joins it is none.
    """
    lines = np.flatnonzero(shapely.get_dimensions(extra) == 1)
    if not len(lines):
        return []
    tree = shapely.STRtree(extra[lines])
    rows = []
    for row in np.flatnonzero(shapely.get_dimensions(missing) == 1).tolist():
        near = lines[np.sort(tree.query(missing[row], "dwithin", within_ft))]
        if not len(near):
            continue
        other = shapely.union_all(extra[near])
        stretch = shapely.intersection(missing[row], shapely.buffer(other, within_ft))
        beside = shapely.intersection(other, shapely.buffer(missing[row], within_ft))
        enough = stretch.length >= SHARE * missing[row].length
        if enough and SHARE <= beside.length / stretch.length <= 1.0 / SHARE:
            nearest, ways = _ways(stretch, shapely.STRtree(extra[near]))
            distance = np.hypot(ways[:, 0], ways[:, 1])
            rows.append(_row((row,), near[nearest], stretch, extra, ways, distance))
    return rows


def _ways(stretch: Any, tree: shapely.STRtree) -> tuple[np.ndarray, np.ndarray]:
    """Of points along a stretch: the nearest line, and the way to it (east, north)."""
    points = shapely.points(shapely.get_coordinates(shapely.segmentize(stretch, STEP_FT)))
    near = np.asarray(tree.nearest(points))
    ends = shapely.get_coordinates(shapely.shortest_line(points, tree.geometries[near]))
    return near, ends[1::2] - ends[::2]


def _row(
    reference_rows: tuple[int, ...],
    near: np.ndarray,
    stretch: Any,
    drawn: np.ndarray,
    ways: np.ndarray,
    distance: np.ndarray,
) -> dict[str, Any]:
    return {
        "reference_rows": reference_rows,
        "drawn_rows": tuple(sorted({int(k) for k in near})),
        "hausdorff_ft": float(distance.max()),
        "offset_ft": float(distance.mean()),
        "east_ft": float(ways[:, 0].mean()),
        "north_ft": float(ways[:, 1].mean()),
        "reference_sqft": 0.0,
        "drawn_sqft": 0.0,
        "difference_sqft": 0.0,
        "difference_acres": 0.0,
        "reference_geometry": stretch,
        "geometry": shapely.union_all(drawn[np.unique(near)]),
    }
