"""The grid references printed along the edges of a plate's map frame, in inches on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sitemap.measured_plate import GridMark, MapFrame, PlatePage
from sitemap.measures.grid_regularity import series_trouble

LETTERING_IN = 0.05  # the middle of a letter is read to about this
SAME_PLACE_IN = 0.2
ALONG_AXES = 0.01  # of a direction that is taken for one of the axes of the ground


@dataclass(frozen=True)
class Edge:
    """The marks along one edge of the frame in reading order, places along it in inches."""

    name: str  # "top", "bottom", "left", "right"
    labels: tuple[str, ...]
    at_in: tuple[float, ...]
    low_in: float  # the frame's own extent along the edge
    high_in: float
    backward: bool = False  # the ground is turned so that the series runs the other way


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
    numbers_across = rows_across(page, frame)
    return tuple(
        _edge(name, marks, low, high, _runs_back(frame, name, numbers_across))
        for name, marks, low, high in sides
        if marks
    )


def rows_across(page: PlatePage, frame: MapFrame) -> bool:
    """True when rows are lettered across the frame, as where north lies to the left or right.

    The marks tell it themselves, letters for columns; where they are all of one kind the lie of
    the frame on the ground does.
    """
    across = {mark.label.strip().isalpha() for mark in page.grid_columns}
    up = {mark.label.strip().isalpha() for mark in page.grid_rows}
    if len(across) == len(up) == 1 and across != up:
        return up == {True}
    if frame.ground_ft is None:
        return False
    x, y = _to_the_right(frame)
    return abs(y) > abs(x)


def _to_the_right(frame: MapFrame) -> tuple[float, float]:
    """East and north of the way along the lower edge of the frame."""
    assert frame.ground_ft is not None
    lower_left, _, _, lower_right = frame.ground_ft
    return lower_right[0] - lower_left[0], lower_right[1] - lower_left[1]


def _runs_back(frame: MapFrame, name: str, numbers_across: bool) -> bool:
    """Of a grid along the axes of the ground letters run with east, numbers with south.

    One that is turned with the paper is lettered as it lies, to the right and down.
    """
    if frame.ground_ft is None:
        return False
    x, y = _to_the_right(frame)
    if min(abs(x), abs(y)) > ALONG_AXES * max(abs(x), abs(y)):
        return False
    level = name in ("top", "bottom")
    if numbers_across:
        return y > 0 if level else -y > 0
    return x < 0


def _edge(name: str, marks: Sequence[GridMark], low: float, high: float, backward: bool) -> Edge:
    along = [(m.x_in if name in ("top", "bottom") else -m.y_in, m.label) for m in marks]
    along.sort()
    once = [
        item
        for i, item in enumerate(along)
        if i == 0 or item[1] != along[i - 1][1] or item[0] - along[i - 1][0] > SAME_PLACE_IN
    ]
    labels = tuple(label.strip().upper() for _, label in once)
    return Edge(name, labels, tuple(at for at, _ in once), low, high, backward)


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
    trouble = series_trouble(edge.labels[::-1] if edge.backward else edge.labels)
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


@dataclass(frozen=True)
class Reference:
    """The cell of a place by the marks along the frame: "C4", and how near its edge is."""

    cell: str
    to_edge_in: float


def reference_at(page: PlatePage, frame: MapFrame, x_in: float, y_in: float) -> Reference | None:
    """The printed reference of a place on the page; None where no marks stand across or up."""
    by_name = {edge.name: edge for edge in edges_of(page, frame)}
    across = by_name.get("top") or by_name.get("bottom")
    up = by_name.get("left") or by_name.get("right")
    if across is None or up is None:
        return None
    (first, near), (second, beside) = _label_at(across, x_in), _label_at(up, -y_in)
    words = second + first if rows_across(page, frame) else first + second
    return Reference(words, min(near, beside))


def _label_at(edge: Edge, at_in: float) -> tuple[str, float]:
    """The label of the cell at a place along an edge, and the distance to the cell's end.

    Cells that the frame cuts have their mark amid what is left of them, so the lines between
    cells are reckoned from the inner marks.
    """
    step, count = spacing_in(edge), len(edge.at_in)
    if step is None or count < 4:
        off = [abs(place - at_in) for place in edge.at_in]
        return edge.labels[int(np.argmin(off))], 0.0 if step is None else step / 4.0
    inner = np.array(edge.at_in[1:-1]) - step * np.arange(count - 2)
    line = float(inner.mean()) - step / 2.0  # between the first cell and the second
    cells = (at_in - line) / step
    number = min(max(int(np.floor(cells)) + 1, 0), count - 1)
    rest = cells - np.floor(cells)
    return edge.labels[number], float(min(rest, 1.0 - rest)) * step
