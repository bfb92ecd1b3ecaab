"""The open side of a heap, whichever way ground and drawing are turned."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import rotate, translate
from shapely.geometry import LineString, box

from sitemap.measures.barriers import open_side
from sitemap.measures.texture import texture_class

HEAP = box(-20.0, -15.0, 20.0, 15.0)
BELOW = LineString([(-40, -25), (40, -25)])
NOTHING = np.empty(0, dtype=object)


@settings(max_examples=40)
@given(st.floats(0.0, 360.0), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.booleans())
def test_turn_shift_and_direction_change_nothing(
    turn: float, x: float, y: float, backwards: bool
) -> None:
    def placed(shape):
        return translate(rotate(shape, turn, origin=(0, 0)), x, y)

    angle = np.radians(turn)
    uphill = 0.05 * np.array([-np.sin(angle), np.cos(angle)])
    heap, fence = placed(HEAP), placed(BELOW)
    if backwards:
        heap, fence = shapely.reverse(heap), shapely.reverse(fence)
    bare = open_side(heap, uphill, NOTHING, 25.0)
    assert (bare.lower_ft, bare.open_ft) == pytest.approx((40.0, 40.0), abs=1e-3)
    assert open_side(heap, uphill, np.array([fence]), 25.0).open_ft == 0.0


def test_a_fence_above_or_too_far_holds_nothing() -> None:
    uphill = np.array([0.0, 0.05])
    above = np.array([LineString([(-40, 25), (40, 25)])])
    assert open_side(HEAP, uphill, above, 25.0).open_ft == pytest.approx(40.0)
    assert open_side(HEAP, uphill, np.array([BELOW]), 9.0).open_ft == pytest.approx(40.0)


def test_on_flat_or_unknown_ground_every_side_is_open() -> None:
    for uphill in (None, np.array([0.0, 0.005])):
        assert open_side(HEAP, uphill, NOTHING, 25.0).open_ft == pytest.approx(140.0)
        ring = np.array([HEAP.buffer(8.0).exterior])
        assert open_side(HEAP, uphill, ring, 25.0).open_ft == 0.0


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Hochheim loam, 2 to 6 percent slopes", "medium"),
        ("Theresa silt loam", "medium"),
        ("Boyer loamy fine sand", "coarse"),
        ("Casco gravelly sandy loam, sandy clay substratum", "coarse"),
        ("Pella silty clay loam", "fine"),
        ("Ozaukee clay loam", "fine"),
        ("Sebewa sandy clay loam", None),
        ("Houghton muck", None),
        ("Water", None),
        (None, None),
    ],
)
def test_the_texture_stands_in_the_name(name: str | None, kind: str | None) -> None:
    assert texture_class(name) == kind
