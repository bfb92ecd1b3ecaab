"""How far apart lies what a reference and a map both show, and how much larger it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import acres
from sitemap.measures.reference_cut import Cut, likes
from sitemap.measures.reference_lines import offsets_along
from sitemap.units import LengthUnit

LEAST_COMMON = 0.1  # of the smaller of two areas: less common ground is a touch, no match
HAUSDORFF_STEP_FT = 10.0


def moved(
    theirs: Cut, ours: Cut, our_wide: Cut, accuracy_ft: float, foot: LengthUnit
) -> list[dict[str, Any]]:
    """One row for all areas that overlap each other, and one for each line drawn beside another.

    our_wide reaches beyond the ground by the accuracy; PAIR_COLUMNS of the comparison and geometry.
    """
    a, b, c = theirs.shapes, ours.shapes, our_wide.shapes
    rows: list[dict[str, Any]] = []
    for i, j in likes(theirs, ours):
        rows += [
            _pair(a, b, tuple(i[list(one)].tolist()), tuple(j[list(other)].tolist()), foot)
            for one, other in _groups(a[i], b[j])
        ]
    place = {row: n for n, row in enumerate(ours.rows.tolist())}
    on_ground = np.array([place.get(row, -1) for row in our_wide.rows.tolist()], dtype=int)
    for i, j in likes(theirs, our_wide):
        for row in offsets_along(a[i], c[j], accuracy_ft):
            drawn = on_ground[j[list(row["drawn_rows"])]]
            row["reference_rows"] = tuple(i[list(row["reference_rows"])].tolist())
            row["drawn_rows"] = tuple(drawn[drawn >= 0].tolist())
            rows.append(row)
    return rows


def _groups(
    reference: np.ndarray, drawn: np.ndarray
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Areas of both that overlap each other, directly or through a third, by their rows."""
    a = np.flatnonzero(shapely.get_dimensions(reference) == 2)
    b = np.flatnonzero(shapely.get_dimensions(drawn) == 2)
    if not len(a) or not len(b):
        return []
    i, j = shapely.STRtree(drawn[b]).query(reference[a], predicate="intersects")
    one, other = reference[a[i]], drawn[b[j]]
    common = shapely.area(shapely.intersection(one, other))
    real = common >= LEAST_COMMON * np.minimum(shapely.area(one), shapely.area(other))
    i, j = a[i[real]], b[j[real]]
    group = {("a", int(k)): n for n, k in enumerate(np.unique(i))}
    for x, y in zip(i.tolist(), j.tolist(), strict=True):
        mine, other_one = group[("a", x)], group.get(("b", y))
        if other_one is None:
            group[("b", y)] = mine
        elif other_one != mine:
            group = {k: mine if n == other_one else n for k, n in group.items()}
    return [
        (
            tuple(sorted(k for (side, k), n in group.items() if n == number and side == "a")),
            tuple(sorted(k for (side, k), n in group.items() if n == number and side == "b")),
        )
        for number in dict.fromkeys(group.values())
    ]


def _pair(
    reference: np.ndarray,
    drawn: np.ndarray,
    a: tuple[int, ...],
    b: tuple[int, ...],
    foot: LengthUnit,
) -> dict[str, Any]:
    theirs = shapely.union_all(reference[list(a)])
    ours = shapely.union_all(drawn[list(b)])
    east, north = (
        shapely.get_coordinates(shapely.centroid(ours))[0]
        - shapely.get_coordinates(shapely.centroid(theirs))[0]
    )
    larger = float(shapely.area(ours) - shapely.area(theirs))
    return {
        "reference_rows": a,
        "drawn_rows": b,
        "hausdorff_ft": hausdorff_ft(theirs, ours),
        "offset_ft": float(np.hypot(east, north)),
        "east_ft": float(east),
        "north_ft": float(north),
        "reference_sqft": float(shapely.area(theirs)),
        "drawn_sqft": float(shapely.area(ours)),
        "difference_sqft": larger,
        "difference_acres": acres(larger, foot),
        "reference_geometry": theirs,
        "geometry": ours,
    }


def hausdorff_ft(one: BaseGeometry, other: BaseGeometry) -> float:
    """How far the outlines of two areas lie from each other at most, in feet.

    Outlines are sampled every 10 ft at most; GEOS's own is without index, and slow on long ones.
    """
    a, b = shapely.boundary(one), shapely.boundary(other)
    far = 0.0
    for outline, target in ((a, b), (b, a)):
        step = max(HAUSDORFF_STEP_FT, float(shapely.length(outline)) / 2000.0)
        points = shapely.points(shapely.get_coordinates(shapely.segmentize(outline, step)))
        _, apart = shapely.STRtree(_edges(target)).query_nearest(
            points, return_distance=True, all_matches=False
        )
        far = max(far, float(apart.max()))
    return far


def _edges(outline: BaseGeometry) -> np.ndarray:
    """The single edges of an outline."""
    xy, ring = shapely.get_coordinates(shapely.get_parts(outline), return_index=True)
    same = ring[1:] == ring[:-1]
    edges: np.ndarray = shapely.linestrings(np.stack([xy[:-1], xy[1:]], axis=1)[same])
    return edges
