"""Slips of datum within a mile, told by corners or by the boundary."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.crs import Crs, crs_code, parse_crs, transform_points
from sitemap.measures.datum_slips import datum_slip, sibling

SOUTH = parse_crs("EPSG:6609")
NAD27, NAD83 = parse_crs("EPSG:26716"), parse_crs("EPSG:26916")
CORNER = np.array([2_469_500.0, 335_400.0])


def in_system(xy: np.ndarray, crs: Crs) -> np.ndarray:
    return np.array(
        [shapely.LineString(np.column_stack(transform_points(xy[:, 0], xy[:, 1], SOUTH, crs)))]
    )


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(5, 20), st.integers(0, 300))
def test_a_slip_is_found_when_corners_are_shared_and_not_invented(
    seed: int, shared: int, strangers: int
) -> None:
    """Random corners: the layer shares some with its neighbours, or none of them."""
    random = np.random.default_rng(seed)
    own = CORNER + random.uniform(0, 800, (shared, 2))
    others = CORNER + random.uniform(-1500, 2300, (strangers + 5, 2))
    true = in_system(own, NAD27)
    found = datum_slip(true, NAD83, SOUTH, np.vstack([own, others]), None)
    assert found is not None
    assert f"{shared} corners" in found.evidence
    assert crs_code(found.crs) == "EPSG:26716"
    assert found.size_ft == pytest.approx(708, abs=5)
    apart = datum_slip(true, NAD83, SOUTH, others, None)
    assert apart is not None
    assert apart.evidence == ""
    assert datum_slip(in_system(own, NAD83), NAD83, SOUTH, np.vstack([own, others]), None) is None


def test_work_outside_the_site_that_a_slip_brings_inside() -> None:
    site = shapely.box(*CORNER, *(CORNER + 600))
    own = CORNER + np.array([[100, 100], [500, 100], [500, 500]])
    found = datum_slip(in_system(own, NAD27), NAD83, SOUTH, np.zeros((1, 2)), site)
    assert found is not None
    assert "100% of its vertices lie on the site then" in found.evidence


@pytest.mark.parametrize(
    ("code", "other"),
    [(26916, 26716), (26716, 26916), (4269, 4267), (4267, 4269), (3070, 3069), (2289, 32054)],
)
def test_siblings_differ_by_the_datum_only(code: int, other: int) -> None:
    crs = parse_crs(code)
    x, y = transform_points(CORNER[0], CORNER[1], SOUTH, crs)
    found = sibling(crs, float(x), float(y))
    assert found is not None
    assert crs_code(found) == f"EPSG:{other}"


def test_a_slip_of_miles_is_left_to_the_distance() -> None:
    own = CORNER + np.array([[0, 0], [100, 0], [100, 100], [0, 100]])
    lines = in_system(own, parse_crs("EPSG:2289"))
    assert datum_slip(lines, parse_crs("EPSG:2289"), SOUTH, own + 3000, None) is None
    assert sibling(parse_crs("EPSG:27700"), 4e5, 2e5) is None  # no North American datum
