"""Layers of millions of vertices: looked at in blocks, nothing of them kept twice."""

from __future__ import annotations

from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely

from sitemap.intake.assemble import open_site
from sitemap.intake.geometry_detective import geometry_oddities, geometry_types
from sitemap.layer import SOURCE_FILE, SOURCE_LAYER
from sitemap.measures import vertices

COUNT = vertices.BLOCK_VERTICES // 2 + 10_000  # lines of two vertices: more than one block


def lines() -> np.ndarray:
    """Short lines side by side, about a Wisconsin coordinate."""
    start = np.column_stack([2_469_000.0 + np.arange(COUNT) * 0.1, np.full(COUNT, 335_000.0)])
    ends = np.stack([start, start + np.array([0.0, 5.0])], axis=1)
    return np.asarray(shapely.linestrings(ends), dtype=object)


def put(shapes: np.ndarray, number: int, place: tuple[float, float]) -> np.ndarray:
    """The same lines, one of them beginning at another place."""
    with np.errstate(invalid="ignore"):
        shapes[number] = shapely.LineString([place, (2_469_000.0, 335_000.0)])
    return shapes


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ((float("nan"), 335_000.0), "coordinate_not_finite"),
        ((2.469e12, 335_000.0), "coordinate_wild"),
    ],
)
def test_one_odd_place_in_the_last_block_is_told(place: tuple[float, float], kind: str) -> None:
    found = geometry_oddities(put(lines(), COUNT - 3, place), np.arange(COUNT), None, None)
    assert [(one.kind, one.feature) for one in found] == [(kind, COUNT - 3)]


def test_vertices_of_a_large_layer_are_not_kept_by_reading_it() -> None:
    """Rules lay them out when they ask; what only draws the layer has no use for them."""
    shapes = lines()
    assert geometry_oddities(shapes, np.arange(COUNT), None, None) == []
    assert not any(vertices.same_objects(one.shapes, shapes) for one in vertices._KEPT)


def test_the_name_of_the_file_is_one_text_for_all_its_features(tmp_path: Path) -> None:
    """A text of its own for each row took ten megabytes for 144,000 contours, twice."""
    box = shapely.box(2_469_000.0, 335_000.0, 2_469_900.0, 335_900.0)
    frame = geopandas.GeoDataFrame({"name": ["a", "b"]}, geometry=[box, box], crs="EPSG:6609")
    frame.to_file(tmp_path / "boundary.gpkg", layer="boundary")
    layer = open_site(tmp_path).layers["boundary"].frame
    for column in (SOURCE_FILE, SOURCE_LAYER):
        first, second = layer[column].to_numpy()
        assert first is second


def test_geometry_types_are_counted_by_kind_and_height() -> None:
    """Mixed kinds, nulls and empty shapes, each worded once and not once a feature."""
    flat = [shapely.Point(0, 0)] * 3 + [shapely.LineString(), shapely.MultiPoint([(0, 0)])]
    shapes = [*flat, None, shapely.Point(0, 0, 1)]
    counted = geometry_types(np.array(shapes, dtype=object))
    assert list(counted.items()) == [
        ("LineString", 1), ("MultiPoint", 1), ("Point", 3), ("Point Z", 1),
    ]  # fmt: skip
    assert geometry_types(np.array([], dtype=object)) == {}
