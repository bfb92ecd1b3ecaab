"""Lines as operators of a page: dense layers in coarse units, read back where they were meant."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sitemap.errors import PlateError
from sitemap.plate.marks import Lines
from sitemap.plate.shape_operators import MOST_VERTICES, UNITS, Shapes

INK: Any = SimpleNamespace(alpha=lambda value: "G0")
ROUNDED_PT = 0.05  # half of the coarsest unit


def contours(count: int, vertices: int) -> list[np.ndarray]:
    """Wavy lines across a sheet, one under the other, in inches."""
    x = np.linspace(1.0, 30.0, vertices)
    return [np.column_stack([x, 1.0 + 0.1 * n + 0.02 * np.sin(40.0 * x)]) for n in range(count)]


def operators(paths: list[np.ndarray]) -> list[str]:
    mark = Lines("Contours", tuple(paths), weight_pt=0.5, ink="#000000")
    return "\n".join(Shapes(INK).write([mark])).splitlines()


def painted(lines: list[str]) -> list[np.ndarray]:
    """The vertices in points of each path that is stroked, by the matrices around it."""
    matrix, kept = np.array([1.0 / UNITS, 0.0, 0.0]), []
    found: list[np.ndarray] = []
    path: list[tuple[float, float]] = []
    for words in (line.split() for line in lines if line):
        if words[0] == "q":
            kept.append(matrix)
        if words[-1] == "cm":
            scale, _, _, _, x, y = (float(word) for word in words[-7:-1])
            matrix = np.array([matrix[0] * scale, *(matrix[1:] + matrix[0] * np.array([x, y]))])
        elif words == ["Q"]:
            matrix = kept.pop()
        elif words[-1] in ("m", "l"):
            path.append((float(words[0]), float(words[1])))
        elif words == ["S"]:
            found.append(np.array(path) * matrix[0] + matrix[1:])
            path = []
    assert not kept
    assert not path
    return found


@pytest.mark.parametrize(("count", "vertices"), [(10, 1_000), (40, 1_000), (120, 1_000)])
def test_lines_are_painted_where_they_were_meant(count: int, vertices: int) -> None:
    """Ten, forty and a hundred and twenty thousand vertices: fine, coarse, coarse by tiles."""
    wanted = contours(count, vertices)
    got = np.concatenate(painted(operators(wanted)))
    meant = np.concatenate(wanted) * 72.0
    assert len(got) == len(meant)
    assert got.mean(axis=0) == pytest.approx(meant.mean(axis=0), abs=ROUNDED_PT)
    near = [np.abs(meant - place).max(axis=1).min() for place in got[:: len(got) // 50]]
    assert max(near) <= ROUNDED_PT + 1e-6


def test_no_path_is_endless_though_all_begin_in_one_tile() -> None:
    """All lines begin within a tenth of an inch: one tile, and still many paths."""
    x = np.linspace(1.0, 30.0, 1_000)
    paths = [np.column_stack([x, 1.0 + 1e-4 * n + x / 10.0]) for n in range(150)]
    sizes = [len(path) for path in painted(operators(paths))]
    assert max(sizes) < MOST_VERTICES + len(x)
    assert len(sizes) > 20


def test_tiles_are_reached_from_the_corner_of_the_page_in_every_column() -> None:
    """Four columns of short lines up the sheet: a matrix of its own for each, kept nowhere else."""
    y = np.linspace(1.0, 20.0, 9_000)
    paths = [np.array([[x, v], [x + 0.01, v]]) for x in (1.0, 9.0, 17.0, 30.0) for v in y]
    paths += [path + np.array([0.02, 0.0]) for path in paths]
    lines = operators(paths)
    assert sum(line.startswith("q ") for line in lines) == 1 + 4
    got = np.concatenate(painted(lines))
    assert np.abs(got.max(axis=0) - np.array([30.03, 20.0]) * 72.0).max() <= ROUNDED_PT + 1e-6


def test_a_ring_that_became_a_speck_is_closed_and_not_drawn_back() -> None:
    """Out and back is a ring of two places: "h" says so in less of a file than a third place."""
    speck = np.array([[1.0, 1.0], [1.02, 1.0], [1.0, 1.0]])
    drawn = [line for line in operators([speck]) if line.split()[-1] in ("m", "l", "h")]
    assert [line.split()[-1] for line in drawn] == ["m", "l", "h"]


def test_a_place_that_is_no_number_is_told_by_its_layer() -> None:
    paths = contours(120, 1_000)
    paths[7][0, 0] = np.nan
    with pytest.raises(PlateError, match='layer "Contours"'):
        operators(paths)
