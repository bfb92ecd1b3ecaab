"""Shapes of KML out of their lists of coordinates: degrees of WGS 84, longitude first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

_BLANK_AT_COMMA = re.compile(" ?, ?")


@dataclass(eq=False)
class OpenShape:
    """A shape that is open: its own vertices, rings or parts."""

    kind: str
    vertices: list[np.ndarray] = field(default_factory=list)
    rings: list[tuple[bool, np.ndarray]] = field(default_factory=list)  # inner?, vertices
    inner: bool = False
    mode: str = ""


def read_coordinates(text: str) -> np.ndarray | None:
    """Rows of longitude, latitude and altitude (0 where none); None for what is no such list."""
    tuples = text.split()
    if any(one[0] == "," or one[-1] == "," for one in tuples):  # "-88.1, 42.9 ,250"
        tuples = [one.strip(",") for one in _BLANK_AT_COMMA.sub(",", " ".join(tuples)).split()]
    sizes = {one.count(",") + 1 for one in tuples}
    if not tuples or not sizes <= {2, 3} or "_" in text:  # Python takes 1_000 for a number
        return None
    if len(sizes) == 2:
        tuples = [one if one.count(",") == 2 else f"{one},0" for one in tuples]
    try:
        numbers = np.array(list(map(float, ",".join(tuples).split(","))))
    except ValueError:
        return None
    made = numbers.reshape(len(tuples), -1)
    if made.shape[1] == 2:
        made = np.column_stack([made, np.zeros(len(made))])
    return made if np.isfinite(made).all() else None


def is_open(ring: np.ndarray) -> bool:
    """True for a ring whose last corner is not its first."""
    return len(ring) >= 3 and bool((ring[0, :2] != ring[-1, :2]).any())


def built(shape: OpenShape) -> tuple[BaseGeometry | None, np.ndarray]:
    """The flat shape and its altitudes; None where its vertices are too few for it."""
    if shape.kind == "Polygon":
        outer = [ring for inner, ring in shape.rings if not inner and len(ring) >= 3]
        if not outer:
            return None, np.empty(0)
        holes = [ring[:, :2] for inner, ring in shape.rings if inner and len(ring) >= 3]
        return shapely.Polygon(outer[0][:, :2], holes), outer[0][:, 2]
    rows = np.concatenate(shape.vertices) if shape.vertices else np.empty((0, 3))
    if shape.kind == "Point":
        return (shapely.Point(rows[0, :2]) if len(rows) == 1 else None), rows[:, 2]
    if shape.kind == "LinearRing" and len(rows) >= 3:
        rows = rows if (rows[0, :2] == rows[-1, :2]).all() else np.concatenate([rows, rows[:1]])
    return (shapely.LineString(rows[:, :2]) if len(rows) >= 2 else None), rows[:, 2]
