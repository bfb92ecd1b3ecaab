"""Surface: heights between centres, voids that stay voids, places and cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.terrain.grounds import of_cells, plane, surface

inside = st.floats(3.0, 397.0)


@given(inside, inside)
def test_a_plane_is_met_exactly_between_the_centres(x: float, y: float) -> None:
    found = surface(plane).heights_at(np.array([[x, y]]))
    assert found[0] == pytest.approx(plane(np.array(x), np.array(y)), abs=1e-9)


@given(st.integers(0, 3), inside, inside)
def test_turning_ground_and_place_by_right_angles_changes_no_height(
    turns: int, x: float, y: float
) -> None:
    ground = surface(lambda a, b: plane(a, b) + 0.0002 * a * b)
    turned = of_cells(np.rot90(ground.z_ft, turns))
    moved = np.array([x, y]) - 200.0
    for _ in range(turns):
        moved = np.array([-moved[1], moved[0]])
    there = turned.heights_at((moved + 200.0)[None])[0]
    assert there == pytest.approx(ground.heights_at(np.array([[x, y]]))[0], abs=1e-9)


def test_outside_and_beside_a_void_nothing_is_known() -> None:
    z = np.full((4, 4), 800.0)
    z[1, 1] = np.nan
    ground = of_cells(z)
    at_void, beside, on_a_centre, outside = ground.heights_at(
        np.array([[7.5, 12.5], [9.0, 12.5], [12.5, 12.5], [0.5, 10.0]])
    )
    assert np.isnan(at_void)
    assert np.isnan(beside), "a void is never filled by its neighbours"
    assert on_a_centre == 800.0, "the void next to it has no weight there"
    assert np.isnan(outside)
    assert ground.void_pct == pytest.approx(100 / 16)


def test_gradient_of_a_plane() -> None:
    (east, north), *_ = surface(plane).gradient(np.array([[200.0, 100.0]]), 15.0)
    assert (east, north) == (pytest.approx(0.10), pytest.approx(0.05))


def test_cells_and_their_centres_agree() -> None:
    ground = surface(plane)
    rows, columns = np.array([0, 7, 79]), np.array([0, 31, 79])
    again = ground.cells(ground.xy(rows, columns))
    assert (again[0] == rows).all()
    assert (again[1] == columns).all()
    assert ground.bounds == (0.0, 0.0, 400.0, 400.0)


def test_a_surface_of_voids_has_no_range() -> None:
    assert np.isnan(of_cells(np.full((2, 2), np.nan)).range_ft).all()
