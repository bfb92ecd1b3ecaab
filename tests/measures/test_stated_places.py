"""Places in attributes: found in columns of numbers and of text, in either order."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.crs import WGS84, parse_crs, transform_points
from sitemap.measures.stated_places import residual_ft, stated_places

UTM = parse_crs("EPSG:26916")
XY = np.array([[426_000.0 + 100 * i, 4_745_000.0 + 70 * i] for i in range(6)])
LON, LAT = transform_points(XY[:, 0], XY[:, 1], UTM, WGS84)


def points(**columns: object) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(columns, geometry=shapely.points(XY))


@pytest.mark.parametrize(
    "columns",
    [
        {"Longitude": LON, "Latitude": LAT},
        {"LAT": LAT, "LONG": LON},
        {"cords": [f"({x}, {y})" for x, y in zip(LON, LAT, strict=True)]},
        {"where": [f"{y:.8f} {x:.8f}" for x, y in zip(LON, LAT, strict=True)]},
        {"lon": [str(v) for v in LON], "lat": [str(v) for v in LAT]},
    ],
)
def test_they_are_found_and_fit_the_true_system(columns: dict[str, object]) -> None:
    found = stated_places(points(**columns))
    assert found is not None
    assert residual_ft(found, UTM) == pytest.approx(0, abs=0.01)
    nad27 = residual_ft(found, parse_crs("EPSG:26716"))
    assert nad27 is not None
    assert 600 < nad27 < 800


@pytest.mark.parametrize(
    "columns",
    [
        {"name": ["a"] * 6},
        {"lon": [np.nan] * 6, "lat": [np.nan] * 6},
        {"lon": [0.0] * 6, "lat": [0.0] * 6},
        {"size": ["12, 15"] * 2 + [None] * 4},
        {"lon": [500.0] * 6, "lat": [43.0] * 6},
    ],
)
def test_what_states_no_place_is_none(columns: dict[str, object]) -> None:
    assert stated_places(points(**columns)) is None


def test_lines_state_none() -> None:
    line = gpd.GeoDataFrame({"lon": [1.0], "lat": [2.0]}, geometry=[shapely.LineString(XY)])
    assert stated_places(line) is None


@settings(max_examples=30)
@given(st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_the_residual_is_the_distance_in_feet(east_m: float, north_m: float) -> None:
    """Numbers moved by metres lie that far from what the attributes say, to 1 %."""
    found = stated_places(points(lon=LON, lat=LAT))
    assert found is not None
    moved = type(found)(found.columns, found.xy + np.array([east_m, north_m]), found.degrees)
    true = float(np.hypot(east_m, north_m)) / 0.3048
    assert residual_ft(moved, UTM) == pytest.approx(true, rel=0.01, abs=0.5)
