"""The grid references printed along the edges of a plate's map frame, in inches on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sitemap.measured_plate import GridMark, MapFrame, PlatePage
from sitemap.measures.grid_regularity import series_trouble

LETTERING_IN = 0.05  # the middle of a letter is read to about this
SAME_PLACE_IN = 0.2


@dataclass(frozen=True)
class Edge:
    """The marks along one edge of the frame in reading order, places along it in inches."""

    name: str  # "top", "bottom", "left", "right"
    labels: tuple[str, ...]
    at_in: tuple[float, ...]
    low_in: float  # the frame's own extent along the edge
    high_in: float


def edges_of(page: PlatePage, frame: MapFrame) -> tuple[Edge, ...]:
    """The edges of the frame that carry marks: columns left to right, rows top to bottom."""
    left, bottom, right, top = frame.box_in
    across, up = (left + right) / 2.0, (bottom + top) / 2.0
    sides = (
        ("top", [m for m in page.grid_columns if m.y_in > up], left, right),
        ("bottom", [m for m in page.grid_columns if m.y_in <= up], left, right),
        ("left", [m for m in page.grid_rows if m.x_in <= across], -top, -bottom),
        ("right", [m for m in page.grid_rows if m.x_in > across], -top, -bottom),
    )
    return tuple(_edge(name, marks, low, high) for name, marks, low, high in sides if marks)


def _edge(name: str, marks: Sequence[GridMark], low: float, high: float) -> Edge:
    along = [(m.x_in if name in ("top", "bottom") else -m.y_in, m.label) for m in marks]
    along.sort()
    once = [
        item
        for i, item in enumerate(along)
        if i == 0 or item[1] != along[i - 1][1] or item[0] - along[i - 1][0] > SAME_PLACE_IN
    ]
    labels = tuple(label.strip().upper() for _, label in once)
    return Edge(name, labels, tuple(at for at, _ in once), low, high)


def spacing_in(edge: Edge) -> float | None:
    """The usual distance of the marks, cells cut at both ends left out; None for one mark."""
    step = np.diff(edge.at_in)
    if len(step) == 0:
        return None
    return float(np.median(step[1:-1] if len(step) > 2 else [step.max()]))


def unequal_in(edge: Edge) -> float | None:
    """The largest difference between inner steps of the marks, where lettering cannot explain it.

    A cut cell at either end has its mark nearer to the next one, never farther.
    """
    usual = spacing_in(edge)
    if usual is None:
        return None
    step = np.diff(edge.at_in)
    off = np.abs(step - usual)
    for end in (0, -1):
        if usual / 2.0 - LETTERING_IN <= step[end] <= usual:
            off[end] = 0.0
    worst = float(off.max())
    return worst if worst > LETTERING_IN else None


def bare_in(edge: Edge) -> float:
    """Inches of the frame's edge at either end that belong to no marked cell."""
    usual = spacing_in(edge)
    if usual is None:
        return 0.0  # one cell may be as long as the frame
    reach = usual / 2.0 + LETTERING_IN
    before = edge.at_in[0] - edge.low_in - reach
    after = edge.high_in - edge.at_in[-1] - reach
    return max(before, 0.0) + max(after, 0.0)


def edge_trouble(edge: Edge) -> str:
    """Why the marks of one edge are no series; empty when they are."""
    trouble = series_trouble(edge.labels)
    return f"{edge.name} edge: {trouble}" if trouble else ""


def opposite_trouble(edges: Sequence[Edge]) -> list[str]:
    """Opposite edges that say different things of one cell, and marks that are all of one kind."""
    by_name = {edge.name: edge for edge in edges}
    troubles = []
    for one, other in (("top", "bottom"), ("left", "right")):
        a, b = by_name.get(one), by_name.get(other)
        if a and b and a.labels != b.labels:
            troubles.append(f"{one} and {other} edges are lettered differently")
    columns = by_name.get("top") or by_name.get("bottom")
    rows = by_name.get("left") or by_name.get("right")
    if columns and rows:
        kinds = {all(mark.isalpha() for mark in edge.labels) for edge in (columns, rows)}
        if len(kinds) == 1:
            troubles.append("columns and rows are both letters, or both numbers")
    return troubles
