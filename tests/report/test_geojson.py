"""GeoJSON by RFC 7946, in degrees, with the site's own feet beside them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import shapely
from shapely.geometry import shape

from sitemap.crs import parse_crs, transform_points
from sitemap.report import render
from tests.report import faulty
from tests.tiny_site import CRS, X0, Y0


@pytest.fixture(scope="module")
def features() -> list[dict[str, Any]]:
    collection = json.loads(render(faulty.every_kind(), "geojson"))
    assert collection["type"] == "FeatureCollection"
    assert collection["site_crs"] == "EPSG:6609"
    assert "crs" not in collection  # RFC 7946 section 4 took it out
    found: list[dict[str, Any]] = collection["features"]
    return found


def test_every_finding_is_a_feature(features: list[dict[str, Any]]) -> None:
    checked = faulty.every_kind()
    assert [f["id"] for f in features] == [f.fingerprint for f in checked.findings]
    assert [f["properties"]["message"] for f in features] == [f.message for f in checked.findings]


def test_degrees_come_back_to_the_feet_they_were_made_of(features: list[dict[str, Any]]) -> None:
    area = next(f for f in features if f["properties"]["message"] == "It is too big.")
    xy = shapely.get_coordinates(shape(area["geometry"]))
    x, y = transform_points(xy[:, 0], xy[:, 1], parse_crs("EPSG:6318"), CRS)
    wanted = {
        (X0 + 150, Y0 + 150),
        (X0 + 250, Y0 + 150),
        (X0 + 250, Y0 + 250),
        (X0 + 150, Y0 + 250),
    }
    found = np.unique(np.column_stack([x, y]).round(1), axis=0)
    assert {tuple(row) for row in found.tolist()} == wanted
    assert shape(area["properties"]["site_geometry"]).area == pytest.approx(10_000)


def test_rings_follow_the_right_hand_rule(features: list[dict[str, Any]]) -> None:
    for feature in features:
        geometry = feature["geometry"] and shape(feature["geometry"])
        for part in shapely.get_parts([geometry]) if geometry else []:
            if part.geom_type == "Polygon":
                assert part.exterior.is_ccw


def test_positions_are_longitude_latitude_and_flat(features: list[dict[str, Any]]) -> None:
    for feature in features:
        if feature["geometry"]:
            xy = shapely.get_coordinates(shape(feature["geometry"]), include_z=True)
            assert ((xy[:, 0] > -89) & (xy[:, 0] < -87)).all()
            assert ((xy[:, 1] > 42) & (xy[:, 1] < 44)).all()
            assert np.isnan(xy[:, 2]).all()


def test_a_wild_geometry_is_shown_by_its_place_and_none_by_null(
    features: list[dict[str, Any]],
) -> None:
    by_message = {f["properties"]["message"]: f["geometry"] for f in features}
    assert by_message["far out"]["type"] == "Point"
    assert by_message["owner is not stated"] is None
    assert by_message["a bit of all"]["type"] == "GeometryCollection"
