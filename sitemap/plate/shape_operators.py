"""Lines and areas to the operators of a page: whole numbers of small units, in few paths.

Layers of many vertices are written in coarser units, so that a plate of lidar stays small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from sitemap.errors import PlateError
from sitemap.plate.images import image_operators
from sitemap.plate.ink import Ink
from sitemap.plate.marks import Areas, Image, Lines, Path
from sitemap.plate.paths import Paths

POINTS = 72.0  # per inch
UNITS = 10_000  # to the point: shapes are written in whole numbers
# of these units so many at a time, for marks of so many vertices at most: lines of the map in
# 0.01 pt (a thousandth of a foot at 1 in = 10 ft), dense ones in 0.05 pt, which is half of what
# lines are simplified by, contours of raw lidar and the like in 0.1 pt
STEPS = ((300, 1), (20_000, 100), (100_000, 500))
COARSEST = 1000
TILE_PT = 10  # sides of the tiles in which those are written: most places have two digits
MOST_VERTICES = 5000  # in one path; viewers choke on endless ones
NOTHING: Mapping[int, str] = {}
CAPS = {"butt": 0, "round": 1, "projecting": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}


class Shapes:
    """Lines, areas and pictures; a pen is only written where it changes."""

    def __init__(self, ink: Ink) -> None:
        self._ink = ink
        self._pen: dict[str, str] = {}

    def write(self, marks: Iterable[Lines | Areas | Image]) -> Iterator[str]:
        """The operators of marks in their order."""
        for mark in marks:
            if isinstance(mark, Lines):
                yield from self._lines(mark)
            elif isinstance(mark, Areas):
                yield from self._areas(mark)
            else:
                yield image_operators(mark, UNITS)

    def _lines(self, mark: Lines) -> Iterator[str]:
        if mark.weight_pt <= 0:
            return  # PDF would draw it as thin as the device can, which is not "nothing"
        paths = Paths.of(mark.paths)
        if (paths.counts < 2).any():
            paths = paths.taken(np.flatnonzero(paths.counts > 1))
        count = len(paths.xy)
        step = next((step for most, step in STEPS if count <= most), COARSEST)
        pen = self._pen_of(mark, UNITS / step)
        if step > 1:  # in units of its own: half the digits
            yield f"q {step} 0 0 {step} 0 0 cm"
            yield from (f"{operands} {operator}" for operator, operands in pen.items())
        else:
            yield from self._set(pen)
        if step == COARSEST:
            yield from _by_tile(mark.layer, paths, UNITS / step)
        elif len(paths):
            yield _outline(mark.layer, paths, UNITS / step, ends=_stroked(paths.counts))
        if step > 1:
            yield "Q"

    def _pen_of(self, mark: Lines, per_point: float) -> dict[str, str]:
        """The pen of a mark, by operator, in so many units to the point."""
        dashes = " ".join(f"{v * per_point:g}" for v in mark.dash_pt)
        return {
            "RG": colour(mark.ink),
            "w": f"{mark.weight_pt * per_point:g}",
            "d": f"[{dashes}] 0",
            "J": str(CAPS[mark.cap]),
            "j": str(JOINS[mark.join]),
            "gs": f"/{self._ink.alpha(mark.alpha)}",
        }

    def _areas(self, mark: Areas) -> Iterator[str]:
        rings = [_turned(r, i > 0) for p in mark.polygons for i, r in enumerate(p) if len(r) > 2]
        if not rings:
            return
        yield from self._set({"rg": colour(mark.fill), "gs": f"/{self._ink.alpha(mark.alpha)}"})
        # one compound path: areas of one fill that touch show no seam and darken nothing
        yield _outline(mark.layer, Paths.of(rings), UNITS, closed=True) + "f"

    def _set(self, wanted: dict[str, str]) -> Iterator[str]:
        for operator, operands in wanted.items():
            if self._pen.get(operator) != operands:
                self._pen[operator] = operands
                yield f"{operands} {operator}"


def colour(ink: str) -> str:
    """Red, green and blue of "#rrggbb", each from 0 to 1."""
    return " ".join(f"{int(ink[i : i + 2], 16) / 255.0:.4g}" for i in (1, 3, 5))


def _turned(ring: Path, hole: bool) -> Path:
    """The ring counter-clockwise, a hole clockwise: so the nonzero rule leaves holes open."""
    x, y = ring[:, 0] - ring[0, 0], ring[:, 1] - ring[0, 1]
    doubled = float(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1]))
    return ring if (doubled < 0) == hole else ring[::-1]


def _by_tile(layer: str, paths: Paths, per_point: float) -> Iterator[str]:
    """Paths by the tile of paper where each begins, from whose corner its places are counted:
    fewer digits, and neighbours that are alike, take a quarter less of a file.

    Each column of tiles is moved to from the page's corner, and each tile from the one below, so
    that what viewers round in such a step adds up over one column at most.
    """
    begins = paths.xy[paths.first[:-1]]
    if not np.isfinite(begins).all():
        yield _outline(layer, paths, per_point)  # which says what is wrong
    tiles = np.floor(begins * POINTS / TILE_PT).astype(np.int64)
    order = np.lexsort((tiles[:, 1], tiles[:, 0]))
    edges = np.flatnonzero(np.diff(tiles[order, 0]) != 0) + 1
    for some in np.split(order, edges):
        column = paths.taken(some)
        corners = tiles[some] * TILE_PT
        x = round(int(corners[0, 0]) * per_point)
        y = np.rint(corners[:, 1] * per_point).astype(np.int64)
        new = np.append(True, y[1:] != y[:-1])
        starts = {0: f"q 1 0 0 1 {x} {y[0]} cm\n"}
        starts |= {i: f"1 0 0 1 0 {y[i] - y[i - 1]} cm\n" for i in np.flatnonzero(new)[1:].tolist()}
        column.xy -= np.repeat(corners / POINTS, column.counts, axis=0)
        ends = _stroked(column.counts, new)
        yield _outline(layer, column, per_point, starts=starts, ends=ends)
        yield "Q"


def _stroked(counts: np.ndarray, new: np.ndarray | None = None) -> dict[int, str]:
    """After which paths the pen draws what it has: before `new` ones, and when that is enough."""
    strokes: dict[int, str] = {}
    gathered = 0
    breaks = np.zeros(len(counts), dtype=bool) if new is None else np.append(new[1:], True)
    for number, (count, last) in enumerate(zip(counts.tolist(), breaks.tolist(), strict=True)):
        gathered += count
        if last or gathered >= MOST_VERTICES:
            strokes[number] = "S\n"
            gathered = 0
    strokes[len(counts) - 1] = "S"
    return strokes


def _outline(
    layer: str,
    paths: Paths,
    per_point: float,
    *,
    closed: bool = False,
    starts: Mapping[int, str] = NOTHING,
    ends: Mapping[int, str] = NOTHING,
) -> str:
    """The operators of paths in inches, a line each; one that returns to its start has a join
    there, also one that only goes out and back, as rings do that are simplified to a speck.

    Places are whole numbers, so many to the point; a place that repeats the one before is left
    out. starts and ends are what stands before and after some of the paths, by their numbers.
    """
    vertices = paths.xy
    if not np.isfinite(vertices).all():
        raise PlateError(
            f'a mark of the layer "{layer}" has a place that is not a number; '
            "the plate is not written. Check that layer for damaged coordinates"
        )
    whole = np.rint(vertices * (POINTS * per_point)).astype(np.int64)
    first, last = paths.first[:-1], paths.first[1:] - 1
    back = (vertices[first] == vertices[last]).all(axis=1) & (paths.counts > 2)
    kept = np.ones(len(whole), dtype=bool)
    kept[1:] = (whole[1:] != whole[:-1]).any(axis=1)
    kept[first] = kept[last] = True
    kept[last[back]] = False  # "h" goes there
    counts = np.add.reduceat(kept, first)
    shut = (back | closed).tolist()
    templates = [_template(n, h) for n, h in zip(counts.tolist(), shut, strict=True)]
    for number, words in starts.items():
        templates[number] = words + templates[number]
    for number, words in ends.items():
        templates[number] += words
    return "".join(templates) % tuple(whole[kept].ravel().tolist())


@lru_cache(maxsize=512)
def _template(count: int, closed: bool) -> str:
    return "%d %d m\n" + "%d %d l\n" * (count - 1) + ("h\n" if closed else "")
