"""How far the lines of a map lie from those of a reference, along the stretch that both show."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

STEP_FT = 10.0


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
        points = shapely.points(shapely.get_coordinates(shapely.segmentize(stretch, STEP_FT)))
        near = lines[tree.nearest(points)]
        ways = shapely.get_coordinates(shapely.shortest_line(points, drawn[near])).reshape(-1, 4)
        distance = np.hypot(ways[:, 2] - ways[:, 0], ways[:, 3] - ways[:, 1])
        rows.append(
            {
                "reference_rows": (row,),
                "drawn_rows": tuple(sorted({int(k) for k in near})),
                "hausdorff_ft": float(distance.max()),
                "offset_ft": float(distance.mean()),
                "east_ft": float((ways[:, 2] - ways[:, 0]).mean()),
                "north_ft": float((ways[:, 3] - ways[:, 1]).mean()),
                "reference_sqft": 0.0,
                "drawn_sqft": 0.0,
                "difference_sqft": 0.0,
                "difference_acres": 0.0,
                "reference_geometry": stretch,
                "geometry": shapely.union_all(drawn[np.unique(near)]),
            }
        )
    return rows
