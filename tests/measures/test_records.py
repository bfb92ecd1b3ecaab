"""Records in words, and where features stand in the user's files."""

from __future__ import annotations

import geopandas as gpd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Point

from sitemap.finding import Source
from sitemap.measures.records import as_placed, record_words, sources
from tests.clean_site import add_member, clean_site, line


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([], "no record"),
        ([4], "record 4"),
        ([1, 2], "records 1, 2"),
        ([3, 1, 2, 7, 7], "records 1-3, 7"),
        (range(0, 60, 2), "records 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 18 more"),
    ],
)
def test_runs_are_joined_and_long_lists_are_counted(numbers: list[int], words: str) -> None:
    assert record_words(numbers) == words


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=300))
def test_no_record_is_lost(numbers: list[int]) -> None:
    """Named runs and the counted rest add up to the different records given."""
    words = record_words(numbers, most=5).removeprefix("records ").removeprefix("record ")
    named, _, rest = words.partition(" and ")
    count = int(rest.removesuffix(" more")) if rest else 0
    for run in named.split(", "):
        first, _, last = run.partition("-")
        count += int(last or first) - int(first) + 1
    assert count == len(set(numbers))


def test_sources_take_what_the_frame_says_and_leave_out_what_is_blank() -> None:
    frame = gpd.GeoDataFrame(
        {
            "_file": ["a/site.gpkg", "roads.shp"],
            "_layer": ["roads", "roads"],
            "_fid": [7, 0],
            "_user_id": ["R-1", None],
        },
        geometry=[Point(0, 0), Point(1, 1)],
    )
    assert sources(frame) == [
        Source("a/site.gpkg", "roads", 7, "R-1"),
        Source("roads.shp", None, 0, None),  # a shapefile's layer is its file
    ]


@pytest.mark.parametrize("members", [1, 2])
def test_a_dataset_has_its_own_shapes_in_the_order_in_which_it_was_read(members: int) -> None:
    site = clean_site()
    if members == 2:
        more = {"geometry": [line((0, 0), (9, 9))], "id": ["more"]}
        site = add_member(site, "streams", more, file="more.shp")
    merged = site.layers["streams"]
    assert len(merged.members) == members
    for member, shapes in merged.shapes_by_dataset:
        own = member.frame.geometry.to_numpy()
        assert len(own)
        assert member.shapes.tolist() == own.tolist()
        assert [s.wkt for s in shapes] == [s.wkt for s in own]  # in the site CRS already
        placed = as_placed(member, site)
        assert placed is not None
        assert placed.tolist() == shapes.tolist()
