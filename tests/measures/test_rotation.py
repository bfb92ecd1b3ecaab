"""Which way the ground lies on the sheets, in words and in degrees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.errors import UsageError
from sitemap.measures.rotation import parse_rotation, rotation_words, turns_for_one, turns_for_set
from sitemap.measures.turn import (
    by_quarters,
    half_turn,
    turn_to_longest_side,
    turned,
    turned_bounds,
    unturned,
)

OBLONG = np.array([[0.0, 0.0], [400.0, 0.0], [400.0, 90.0], [0.0, 90.0]])


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        (None, "auto"), ("auto", "auto"), ("up", 0.0), ("LEFT", 90.0), ("90", 90.0), ("-0", 0.0),
        ("longest", "longest"), ("30", 30.0), ("-12.5°", -12.5), ("right", -90.0), (45.0, 45.0),
        ("down", 180.0), ("-180", 180.0),
    ],
)  # fmt: skip
def test_rotation_in_words(said: str | float | None, wish: float | str) -> None:
    assert parse_rotation(said) == wish


@pytest.mark.parametrize("said", ["askew", "181", "nan", "", "30 45", "inf"])
def test_other_turns_are_refused_with_what_is_accepted(said: str) -> None:
    with pytest.raises(UsageError, match=r"up or left .* longest .* \(-180 to 180"):
        parse_rotation(said)


@given(
    st.floats(-1e7, 1e7), st.floats(-1e7, 1e7), st.floats(-720.0, 720.0)
)  # fmt: skip
def test_turning_back_comes_home(x: float, y: float, turn: float) -> None:
    there = turned(np.array([[x, y]]), turn)
    assert np.hypot(*there[0]) == pytest.approx(np.hypot(x, y), abs=1e-6)
    assert unturned(there, turn)[0] == pytest.approx([x, y], abs=1e-6)


def test_a_quarter_turn_brings_north_to_the_left_without_rounding() -> None:
    assert turned(np.array([[0.0, 1.0], [1.0, 0.0]]), 90.0).tolist() == [[-1.0, 0.0], [0.0, 1.0]]
    assert by_quarters(-90.0, 180.0)
    assert not by_quarters(89.0)


@given(st.floats(-89.0, 89.0).map(lambda v: round(v, 1)))
def test_the_longest_side_is_laid_level(slant: float) -> None:
    """Found again to a tenth of a degree; what is within a degree of an axis lies on it."""
    turn = turn_to_longest_side(turned(OBLONG, slant))
    left, bottom, right, top = turned_bounds(turned(OBLONG, slant), turn)
    assert right - left == pytest.approx(400.0, abs=400.0 * np.sin(np.deg2rad(1.1)))
    assert top - bottom < 98.0
    to_axis = min(abs(slant), 90.0 - abs(slant))
    if to_axis > 1.0:
        assert turn == pytest.approx(-slant, abs=0.051)
    elif to_axis < 1.0:
        assert turn in (0.0, 90.0)


def test_a_line_and_a_point_have_a_longest_side_too() -> None:
    assert turn_to_longest_side(np.array([[0.0, 0.0], [100.0, 100.0]])) == -45.0
    assert turn_to_longest_side(np.array([[5.0, 5.0]])) == 0.0


def test_half_turn_keeps_north_from_pointing_down() -> None:
    assert [half_turn(t) for t in (0.0, 90.0, -90.0, 91.0, 180.0, -135.0)] == [
        0.0, 90.0, 90.0, -89.0, 0.0, 45.0,
    ]  # fmt: skip


def test_auto_tries_north_up_first_then_left_then_the_longest_side() -> None:
    ones = turns_for_one("auto", turned(OBLONG, 20.0))
    assert ones == (0.0, 90.0, -20.0)
    many = turns_for_set("auto", turned(OBLONG, 20.0))
    assert many[:4] == (0.0, 90.0, -20.0, 70.0)
    assert len(many) == len(set(many)) == 14
    assert turns_for_set(12.0, OBLONG) == (12.0,)


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (0.0, ""), (90.0, "north lies to the left"), (-90.0, "north lies to the right"),
        (180.0, "north lies down"), (30.5, "north lies 30.5° to the left of up"),
        (-7.0, "north lies 7° to the right of up"),
    ],
)  # fmt: skip
def test_where_north_lies_is_told(turn: float, words: str) -> None:
    assert rotation_words(turn) == words
