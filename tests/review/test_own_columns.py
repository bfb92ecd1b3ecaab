"""An edit of what no rule reads is a change all the same; a layer that went whole is one line."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import geopandas as gpd
import pandas as pd
import pytest
from shapely.geometry import Point

import sitemap
from sitemap.comparison import Comparison
from sitemap.report.compared import render_comparison
from sitemap.review.compare import compare
from sitemap.review.records import word_of
from tests.review.test_compare import validator
from tests.tiny_site import CRS, NOW, X0, Y0, square

PLACES = [Point(X0 + 90 * i, Y0 + 40 * i) for i in range(1, 8)]


def submitted(folder: Path, suffix: str, outfalls: dict[str, list[object]] | None) -> Path:
    folder.mkdir()
    named = gpd.GeoDataFrame({"name": ["Tiny"]}, geometry=[square(0, 0, 900)], crs=CRS)
    named.to_file(folder / f"boundary.{suffix}")
    if outfalls is not None:
        shapes = PLACES[: len(outfalls["id"])]
        frame = gpd.GeoDataFrame(outfalls, geometry=shapes, crs=CRS)
        frame.to_file(folder / f"outfalls.{suffix}")
    return folder


def compared(old: Path, new: Path) -> Comparison:
    before, after = (
        sitemap.check_site(sitemap.open_site(folder), now=NOW, select=["BND001"])
        for folder in (old, new)
    )
    return compare(before, after)


def test_an_edited_column_that_no_rule_reads_is_told(tmp_path: Path) -> None:
    """The shapefile cuts maintenance_by to ten letters, and keeps the flag as a number."""
    ids: list[object] = ["OF-1", "OF-2"]
    old = submitted(tmp_path / "old", "gpkg", {
        "id": ids, "maintenance_by": ["HOA", "HOA"], "gated": [True, False],
        "last_edit": [dt.datetime(2026, 5, 1)] * 2, "OBJECTID_1": [7, 8], "permit": ["p", "p"],
    })  # fmt: skip
    new = submitted(tmp_path / "new", "shp", {
        "id": ids, "maintenanc": ["HOA", "City"], "gated": [1, 0],
        "last_edit": ["2026-05-01"] * 2, "OBJECTID_1": [1, 2], "remark": ["", "see C-3"],
    })  # fmt: skip
    found = compared(old, new)
    assert [(c.kind, c.identity) for c in found.changes] == [("attributes", "OF-2")]
    assert [(f.name, f.old, f.new) for f in found.changes[0].fields] == [
        ("maintenanc", "HOA", "City")
    ]
    (layer,) = [la for la in found.layers if la.is_changed]
    assert layer.columns == ("column remark is new", "column permit is gone")
    for form in ("text", "html", "json"):
        text = " ".join(render_comparison(found, form).split())
        assert "column remark is new" in text
    validator().validate(json.loads(text))


def test_a_layer_with_no_change_but_a_new_column_is_not_unchanged(tmp_path: Path) -> None:
    ids: list[object] = ["OF-1"]
    old = submitted(tmp_path / "old", "gpkg", {"id": ids})
    new = submitted(tmp_path / "new", "gpkg", {"id": ids, "remark": ["hello"]})
    text = " ".join(render_comparison(compared(old, new), "text").split())
    assert "outfalls: no feature changed; 1 -> 1 features; column remark is new" in text
    assert "unchanged: boundary" in text


def test_a_column_that_site_toml_passes_over_for_a_field_is_compared(tmp_path: Path) -> None:
    """The areas are in AREA by site.toml; drainage_area holds what the surveyor wrote."""
    for name, wrote in (("old", ["a", "b"]), ("new", ["a", "c"])):
        columns: dict[str, list[object]] = {"id": ["OF-1", "OF-2"], "AREA": ["DA-1"] * 2}
        folder = submitted(tmp_path / name, "gpkg", {**columns, "drainage_area": [*wrote]})
        (folder / "site.toml").write_text(
            '[layers]\nboundary = "boundary.gpkg"\n[layers.outfalls]\npath = "outfalls.gpkg"\n'
            'fields = { id = "id", drainage_area = "AREA" }\n'
        )
    (change,) = compared(tmp_path / "old", tmp_path / "new").changes
    assert change.identity == "OF-2"
    assert [(f.name, f.old, f.new) for f in change.fields] == [("drainage_area", "b", "c")]


@pytest.mark.parametrize("back", [False, True])
def test_a_layer_that_came_or_went_whole_is_one_line(tmp_path: Path, back: bool) -> None:
    some = submitted(tmp_path / "some", "gpkg", {"id": [f"OF-{n}" for n in range(7)]})
    none = submitted(tmp_path / "none", "gpkg", None)
    found = compared(none, some) if back else compared(some, none)
    assert len(found.changes) == 7
    text = " ".join(render_comparison(found, "text").split())
    word = "new" if back else "gone"
    names = "OF-0, OF-1, OF-2, OF-3, OF-4, OF-5, OF-6"
    assert f"1 to 7 all 7 are {word}: {names}; " in text
    assert "record 3" not in text
    assert len(json.loads(render_comparison(found, "json"))["layers"][1]["changes"]) == 7


def test_values_as_words() -> None:
    assert [word_of(v) for v in (12, 12.0, True, None, pd.NaT, " a ")] == [
        "12", "12", "true", "", "", "a",
    ]  # fmt: skip
    assert word_of(pd.Timestamp("2026-05-01")) == "2026-05-01"
    assert {word_of(v) for v in ("2026/05/01", "2026-05-01T00:00:00", "2026-05-01 00:00:00Z")} == {
        "2026-05-01"
    }
    assert word_of("2026-05-01T10:30:00") == "2026-05-01T10:30:00"
    assert word_of(pd.Timestamp("2026-05-01 10:30")) == "2026-05-01 10:30:00"
