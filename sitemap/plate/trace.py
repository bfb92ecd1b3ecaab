"""What each layer of a finished page draws on the ground: its lines, symbols and lettering.

Reads the content of the file back into ground coordinates, so that every feature can be looked
for on paper. Only pages whose main frame is georeferenced can be traced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pikepdf
import shapely

from sitemap.measured_plate import MapFrame, MeasuredPlate, TracedLayer
from sitemap.plate.content import DEEPEST_FORM, content_entry, group_names, layer_names
from sitemap.plate.page_view import PageView

OPERATORS = (
    "q Q cm BDC BMC EMC m l c v y h re n S s f F f* B B* b b* G g RG rg K k SC SCN sc scn Do"
)
STROKES = frozenset(["S", "s", "B", "B*", "b", "b*"])
FILLS = frozenset(["f", "F", "f*", "B", "B*", "b", "b*"])
CLOSING = frozenset(["s", "b", "b*"])
BESIDE_IN = 0.1  # of the frame
SYMBOL_IN = 0.6  # a closed outline or a stroke up to this size may be a point symbol
TIE_IN = 1.25  # how far a symbol may be moved aside, tied to its place by a stroke
BEND = np.linspace(0.0, 1.0, 7)[1:]  # of a curve
# where the place of a point symbol lies in its box: middle, foot of a half circle, and centre of
# a triangle that stands on its point
SYMBOL_ANCHORS = (0.5, 0.0, 4.0 / 7.0)


def trace_plate(measured: MeasuredPlate) -> tuple[TracedLayer, ...]:
    """The layers of every page whose main frame has its ground; empty when none has.

    Empty too when the file is gone since it was measured, or its content cannot be read.
    """
    found: list[TracedLayer] = []
    frames = {page.number: frame for page, frame in measured.main_frames}
    try:
        with pikepdf.open(measured.path) as pdf:
            for number, page in enumerate(pdf.pages, 1):
                frame = frames.get(number)
                if frame is not None and frame.ground_ft is not None:
                    found += traced_layers(page, frame, number)
    except (OSError, pikepdf.PdfError, ValueError, TypeError):
        return ()
    return tuple(found)


def traced_layers(page: pikepdf.Page, frame: MapFrame, number: int) -> list[TracedLayer]:
    """The layers of one page in the ground of its frame; marks of no layer are left out."""
    view, to_ground = PageView.of(page), _to_ground(frame)
    drawings: dict[str, _Drawing] = {}
    _Walk(drawings).stream(page.obj, page.obj.get("/Resources"), (), _State(), 0)
    layers = []
    for name, drawing in drawings.items():
        if not (drawing.lines or drawing.white):
            continue
        shown = [path for path in map(view.shown_in, drawing.lines) if _meets(path, frame)]
        letters = [_hull(view.shown_in(path)) for path in drawing.white]
        layers.append(
            TracedLayer(
                number,
                name,
                frame.feet_per_inch,
                tuple(to_ground(path) for path in shown if len(path) > 1),
                to_ground(_anchors(shown)),
                tuple(to_ground(hull) for hull in letters if len(hull) > 2),
            )
        )
    return layers


def drawn_paths(page: pikepdf.Page, view: PageView) -> list[np.ndarray]:
    """Everything that a page draws, of whatever layer: paths, shape (n, 2), in inches as shown."""
    drawings: dict[str, _Drawing] = {}
    _Walk(drawings).stream(page.obj, page.obj.get("/Resources"), ("",), _State(), 0)
    return [view.shown_in(path) for path in drawings.get("", _Drawing()).lines]


def _meets(path_in: np.ndarray, frame: MapFrame) -> bool:
    """Whether a path is on the map, or beside it as symbols are: an inset's are not."""
    left, bottom, right, top = frame.box_in
    (x0, y0), (x1, y1) = path_in.min(axis=0), path_in.max(axis=0)
    across = bool(x1 >= left - BESIDE_IN and x0 <= right + BESIDE_IN)
    return across and bool(y1 >= bottom - BESIDE_IN and y0 <= top + BESIDE_IN)


def _to_ground(frame: MapFrame) -> Any:
    """A function from inches on the page to feet on the ground."""
    assert frame.ground_ft is not None
    left, bottom, right, top = frame.box_in
    lower_left, upper_left, _, lower_right = (np.array(corner) for corner in frame.ground_ft)
    across = (lower_right - lower_left) / (right - left)
    up = (upper_left - lower_left) / (top - bottom)

    def convert(xy_in: np.ndarray) -> np.ndarray:
        away = np.asarray(xy_in, dtype=float).reshape(-1, 2) - (left, bottom)
        ground: np.ndarray = lower_left + away[:, :1] * across + away[:, 1:] * up
        return ground

    return convert


def _anchors(shown: list[np.ndarray]) -> np.ndarray:
    """Places that the symbols of a layer may stand for, shape (n, 2), inches.

    Of a small closed outline three places in its box; of a short stroke its middle (a cross) and
    its ends (what ties a symbol that was moved aside to its place); of a longer one its ends.
    """
    found = []
    for path in shown:
        low, high = path.min(axis=0), path.max(axis=0)
        size = high - low
        if len(path) == 2 and SYMBOL_IN < size.max() <= TIE_IN:
            found += [path[0], path[1]]
        if not 0.0 < size.max() <= SYMBOL_IN:
            continue
        if len(path) == 2:
            found += [path[0], path.mean(axis=0), path[1]]
        elif len(path) > 3 and np.abs(path[0] - path[-1]).max() < 1e-3:
            middle = (low[0] + high[0]) / 2.0
            found += [np.array([middle, low[1] + size[1] * share]) for share in SYMBOL_ANCHORS]
    return np.array(found, dtype=float).reshape(-1, 2)


def _hull(path: np.ndarray) -> np.ndarray:
    """The outline around the letters of one text."""
    hull = shapely.convex_hull(shapely.multipoints(path))
    if shapely.get_dimensions(hull) != 2:
        return np.empty((0, 2))
    return np.asarray(shapely.get_coordinates(hull))


@dataclass(frozen=True)
class _State:
    """What q keeps and Q brings back."""

    matrix: np.ndarray = field(default_factory=lambda: np.eye(3))
    white: bool = False  # the pen


@dataclass
class _Drawing:
    """Outlines of one layer in the page's units; white are pens of paper colour, under letters."""

    lines: list[np.ndarray] = field(default_factory=list)
    white: list[np.ndarray] = field(default_factory=list)


@dataclass
class _Walk:
    """Follows a content stream, and the forms that it draws, into the drawings of its layers."""

    drawings: dict[str, _Drawing]

    def stream(
        self, holder: Any, resources: Any, around: tuple[str, ...], state: _State, depth: int
    ) -> None:
        """Walk one stream; `around` are the layers that hold all of it."""
        marked: list[tuple[str, ...]] = []
        kept: list[_State] = []
        path = _Path()
        for operator, operands in _instructions(holder):
            if operator in ("BDC", "BMC"):
                marked.append(group_names(operands, resources))
            elif operator == "EMC":
                marked = marked[:-1]
            elif operator == "q":
                kept.append(state)
            elif operator == "Q":
                state = kept.pop() if kept else state
            elif operator == "cm":
                state = replace(state, matrix=_matrix(operands) @ state.matrix)
            elif operator in ("G", "RG", "K", "SC", "SCN"):
                state = replace(state, white=_is_white(operator, operands))
            elif operator == "Do":
                inner = around + tuple(name for names in marked for name in names)
                self._form(operands, resources, inner, state, depth)
            elif not path.build(operator, operands):
                layers = around + tuple(name for names in marked for name in names)
                self._paint(operator, path.taken(operator in CLOSING), layers, state)

    def _form(
        self, operands: Any, resources: Any, layers: tuple[str, ...], state: _State, depth: int
    ) -> None:
        drawn = content_entry(resources, "/XObject", operands[0]) if len(operands) else None
        if not isinstance(drawn, pikepdf.Stream) or drawn.get("/Subtype") != pikepdf.Name.Form:
            return
        if depth < DEEPEST_FORM:
            layers += layer_names(drawn.get("/OC"))
            moved = _matrix(drawn.get("/Matrix", (1, 0, 0, 1, 0, 0))) @ state.matrix
            inner = drawn.get("/Resources", resources)
            self.stream(drawn, inner, layers, replace(state, matrix=moved), depth + 1)

    def _paint(
        self, operator: str, paths: list[np.ndarray], layers: tuple[str, ...], state: _State
    ) -> None:
        if operator not in STROKES and operator not in FILLS:
            return
        placed = [
            np.column_stack([path, np.ones(len(path))]) @ state.matrix[:, :2] for path in paths
        ]
        for layer in dict.fromkeys(layers):
            drawing = self.drawings.setdefault(layer, _Drawing())
            if operator in STROKES and state.white:
                drawing.white += [np.concatenate(placed)] if placed else []
            else:
                drawing.lines += placed


class _Path:
    """The path under construction: straight pieces, curves as short ones."""

    def __init__(self) -> None:
        self._paths: list[list[tuple[float, float]]] = []

    def build(self, operator: str, operands: Any) -> bool:
        """Add to the path; False when the operator paints or ends it."""
        if operator == "m":
            self._paths.append([(float(operands[0]), float(operands[1]))])
        elif operator == "l" and self._paths:
            self._paths[-1].append((float(operands[0]), float(operands[1])))
        elif operator in ("c", "v", "y") and self._paths:
            self._curve(operator, np.array([float(v) for v in operands]).reshape(-1, 2))
        elif operator == "h" and self._paths:
            self._close()
        elif operator == "re":
            x, y, w, h = (float(v) for v in operands)
            self._paths.append([(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)])
        return operator in ("m", "l", "c", "v", "y", "h", "re")

    def _curve(self, operator: str, points: np.ndarray) -> None:
        start = np.array(self._paths[-1][-1])
        if operator == "v":
            points = np.vstack([start, points])
        elif operator == "y":
            points = np.vstack([points, points[-1]])
        a, b, c = points
        t = BEND[:, None]
        bow = (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t**2 * b + t**3 * c
        self._paths[-1].extend((float(x), float(y)) for x, y in bow)

    def _close(self) -> None:
        last = self._paths[-1]
        if last[0] != last[-1]:
            last.append(last[0])

    def taken(self, close: bool) -> list[np.ndarray]:
        """The finished paths; the next one starts empty."""
        if close and self._paths:
            self._close()
        paths, self._paths = self._paths, []
        return [np.array(path) for path in paths if len(path) > 1]


def _instructions(holder: Any) -> Iterator[tuple[str, Any]]:
    for instruction in pikepdf.parse_content_stream(holder, OPERATORS):
        yield str(instruction.operator), instruction.operands


def _matrix(operands: Any) -> np.ndarray:
    a, b, c, d, e, f = (float(v) for v in operands)
    return np.array([[a, b, 0.0], [c, d, 0.0], [e, f, 1.0]])


def _is_white(operator: str, operands: Any) -> bool:
    """True for a pen of the paper's colour; a pattern is none."""
    try:
        values = [float(v) for v in operands]
    except (TypeError, ValueError):
        return False
    wanted = 0.0 if operator == "K" or len(values) == 4 else 1.0
    return bool(values) and all(abs(v - wanted) < 1e-3 for v in values)
