"""What runs along a line: stations, gaps, letters, ticks, arrow heads, scallops. In inches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from sitemap.plate.marks import Path
from sitemap.plate.paths import Paths

Gap = tuple[float, float]  # from, to along the line
MEASURED_TOGETHER = 20_000  # lines


@dataclass(frozen=True, eq=False)
class Chain:
    """A polyline with the distance of each vertex from its start."""

    path: Path
    at: np.ndarray

    @classmethod
    def of(cls, path: Path) -> Chain:
        """Measure a path once."""
        steps = np.hypot(*np.diff(path, axis=0).T)
        return cls(path, np.concatenate([[0.0], np.cumsum(steps)]))

    @property
    def length(self) -> float:
        """Inches from start to end."""
        return float(self.at[-1])

    @property
    def middle(self) -> np.ndarray:
        """The place half way along."""
        return np.asarray(self.point(self.length / 2.0)[0])

    @property
    def closed(self) -> bool:
        """True for a ring."""
        return len(self.path) > 3 and bool(np.allclose(self.path[0], self.path[-1], atol=1e-9))

    def point(self, station: np.ndarray | float) -> np.ndarray:
        """Places at the stations, shape (n, 2)."""
        s = np.atleast_1d(np.asarray(station, dtype=float))
        return np.column_stack(
            [np.interp(s, self.at, self.path[:, 0]), np.interp(s, self.at, self.path[:, 1])]
        )

    def direction(self, station: np.ndarray | float, half_in: float = 0.03) -> np.ndarray:
        """Unit vectors of the chord around the stations, shape (n, 2)."""
        s = np.atleast_1d(np.asarray(station, dtype=float))
        ahead = self.point(np.minimum(s + half_in, self.length))
        chord = ahead - self.point(np.maximum(s - half_in, 0.0))
        size = np.hypot(chord[:, 0], chord[:, 1])
        size[size == 0.0] = 1.0
        return np.asarray(chord / size[:, None])

    def bend(self, station: np.ndarray, width_in: float) -> np.ndarray:
        """How far the line strays from the chord of `width_in` at the stations, in inches."""
        half = width_in / 2.0
        a, b = self.point(station - half), self.point(station + half)
        chord = b - a
        size = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-9)
        worst = np.maximum(0.0, width_in - size)  # a line that doubles back has a short chord
        for share in (-0.25, 0.0, 0.25):
            off = self.point(station + share * width_in) - a
            worst = np.maximum(
                worst, np.abs(off[:, 0] * chord[:, 1] - off[:, 1] * chord[:, 0]) / size
            )
        return np.asarray(worst)

    def piece(self, start: float, end: float) -> Path:
        """The part between two stations."""
        inner = self.path[(self.at > start) & (self.at < end)]
        return np.vstack([self.point(start), inner, self.point(end)])

    def without(self, gaps: Sequence[Gap]) -> list[Path]:
        """The pieces that are left when the gaps are cut out."""
        pieces, start = [], 0.0
        for a, b in sorted(gaps):
            if a > start + 1e-6:
                pieces.append(self.piece(start, a))
            start = max(start, b)
        if start < self.length - 1e-6:
            pieces.append(self.piece(start, self.length))
        return pieces


class Chains(Sequence[Chain]):
    """Many polylines, each measured when it is asked for: most contours of a map never are."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = Paths.of(paths)

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, at: int) -> Chain: ...
    @overload
    def __getitem__(self, at: slice) -> Chains: ...
    def __getitem__(self, at: int | slice) -> Chain | Chains:
        return Chains(self.paths[at]) if isinstance(at, slice) else Chain.of(self.paths[at])

    @cached_property
    def lengths(self) -> np.ndarray:
        """Inches from start to end of each."""
        found = [np.zeros(0)]
        for some in self.paths.runs(MEASURED_TOGETHER):
            steps = np.hypot(*np.diff(some.xy, axis=0, prepend=some.xy[:1]).T)
            steps[some.first[:-1]] = 0.0  # from the end of one to the start of the next
            found.append(np.add.reduceat(steps, some.first[:-1]))
        return np.concatenate(found)


def upright_deg(direction: np.ndarray) -> float:
    """The angle of a text along a direction, turned so that it reads from the bottom or right."""
    angle = float(np.degrees(np.arctan2(direction[1], direction[0])))
    if angle > 90.0 + 1e-6:
        angle -= 180.0
    elif angle <= -90.0 + 1e-6:
        angle += 180.0
    return angle


def even_stations(length: float, every: float, edge: float = 0.0) -> np.ndarray:
    """Stations at equal steps near `every`, half a step from both ends; at least one."""
    usable = length - 2 * edge
    if usable <= 0.0:
        return np.empty(0)
    count = max(1, round(usable / every))
    return edge + (np.arange(count) + 0.5) * usable / count


def ticks(
    chain: Chain, every: float, size: float, side: float, gaps: Sequence[Gap] = ()
) -> list[Path]:
    """Short strokes square to the line; side +1 is left of its direction, -1 right, 0 both."""
    s = even_stations(chain.length, every)
    for a, b in gaps:
        s = s[(s < a) | (s > b)]
    if not len(s):
        return []
    base, along = chain.point(s), chain.direction(s)
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    if side == 0.0:
        return list(np.stack([base - normal * size / 2, base + normal * size / 2], axis=1))
    return list(np.stack([base, base + normal * size * side], axis=1))


def teeth(chain: Chain, every: float, size: float, side: float) -> list[Path]:
    """Small open triangles on one side of the line."""
    s = even_stations(chain.length, every)
    s = s[(s > size) & (s < chain.length - size)]
    if not len(s):
        return []
    along = chain.direction(s)
    normal = np.column_stack([-along[:, 1], along[:, 0]]) * side
    left, right = chain.point(s - size * 0.6), chain.point(s + size * 0.6)
    return list(np.stack([left, chain.point(s) + normal * size, right], axis=1))


def heads(tip: np.ndarray, along: np.ndarray, size: float, spread_deg: float = 22.0) -> list[Path]:
    """Open arrow heads with their tips at the places, pointing along the directions."""
    turn = np.deg2rad(180.0 - spread_deg)
    sides = []
    for angle in (turn, -turn):
        cos, sin = np.cos(angle), np.sin(angle)
        turned = np.column_stack(
            [along[:, 0] * cos - along[:, 1] * sin, along[:, 0] * sin + along[:, 1] * cos]
        )
        sides.append(tip + turned * size)
    return list(np.stack([sides[0], tip, sides[1]], axis=1))


def scallops(chain: Chain, width: float, side: float) -> Path:
    """A row of small bows along the line, as a tree line is drawn; side +1 bulges to the left."""
    count = max(1, round(chain.length / width))
    ends = np.linspace(0.0, chain.length, count + 1)
    points = chain.point(ends)
    a, b = points[:-1], points[1:]
    t = np.linspace(0.0, np.pi, 7)[:-1]
    middle, half = (a + b) / 2, (b - a) / 2
    normal = np.column_stack([-half[:, 1], half[:, 0]]) * side
    bow = (
        middle[:, None, :]
        - half[:, None, :] * np.cos(t)[None, :, None]
        + normal[:, None, :] * 0.75 * np.sin(t)[None, :, None]
    )
    return np.vstack([bow.reshape(-1, 2), points[-1:]])
