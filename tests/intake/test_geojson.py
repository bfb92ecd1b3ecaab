"""GeoJSON: what its text says and drivers keep to themselves, and what is only named like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sitemap.intake.assemble import open_site
from sitemap.intake.reference import with_reference
from sitemap.intake.reference_store import Wanted
from sitemap.rules.file_unreadable import file_unreadable
from tests.clean_site import clean_site, faults_of
from tests.intake.makers import words

RING = [[-88.1, 42.9], [-88.09, 42.9], [-88.09, 42.91], [-88.1, 42.9]]
FEATURE = {
    "type": "Feature",
    "properties": {"name": "W-1"},
    "geometry": {"type": "Polygon", "coordinates": [RING]},
}


def saved(folder: Path, content: Any, name: str = "wetlands.geojson") -> Path:
    """A file of a text, of bytes, or of what becomes JSON."""
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def collection(**members: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", **members, "features": [FEATURE]}


def named(name: Any) -> dict[str, Any]:
    return {"type": "name", "properties": {"name": name}}


@pytest.mark.parametrize(
    ("crs", "code"),
    [
        (named("urn:ogc:def:crs:EPSG::6609"), 6609),
        (named("EPSG:3071"), 3071),
        (named("urn:ogc:def:crs:OGC:1.3:CRS84"), 4326),
        (None, 4326),
    ],
)
def test_the_crs_that_a_file_names(crs: Any, code: int, tmp_path: Path) -> None:
    (layer,) = open_site(saved(tmp_path, collection(crs=crs))).datasets
    assert layer.crs is not None
    assert layer.crs.to_epsg() == code


@pytest.mark.parametrize(
    "crs",
    [
        named("EPSG:999999"),
        named("County grid, feet"),
        {"type": "link", "properties": {"href": "http://example.com/crs/42", "type": "proj4"}},
    ],
)
@pytest.mark.parametrize("behind", [False, True])
def test_a_crs_that_nobody_knows_is_not_taken_for_degrees(
    crs: Any, behind: bool, tmp_path: Path
) -> None:
    """The driver takes WGS 84 without a word; the coordinates may be anything."""
    content = {**collection(), "crs": crs} if behind else collection(crs=crs)
    site = open_site(saved(tmp_path, content))
    assert site.datasets[0].crs is None
    assert "is not understood" in words(site, "crs_unreadable")
    assert "no CRS that is understood is stated" in words(site, "crs_missing")


def test_a_property_named_crs_is_no_crs(tmp_path: Path) -> None:
    feature = {**FEATURE, "properties": {"crs": named("EPSG:999999"), "name": "x"}}
    (layer,) = open_site(saved(tmp_path, {**collection(), "features": [feature]})).datasets
    assert layer.crs is not None
    assert layer.crs.to_epsg() == 4326


@pytest.mark.parametrize(
    "content",
    [
        collection(properties={"exceededTransferLimit": True}),
        {**collection(), "exceededTransferLimit": True},
        {
            "geometryType": "esriGeometryPoint",
            "spatialReference": {"wkid": 4326},
            "features": [{"attributes": {"id": 1}, "geometry": {"x": -88.1, "y": 42.9}}],
            "exceededTransferLimit": True,
        },
    ],
)
def test_a_service_that_sent_a_part_says_so(content: Any, tmp_path: Path) -> None:
    """Map services cut a download at a thousand or two thousand features."""
    site = open_site(saved(tmp_path, content))
    assert len(site.datasets[0].frame) == 1
    assert "sent only a part" in words(site, "download_incomplete")
    (fault,) = faults_of(file_unreadable, site)
    assert "wetlands.geojson could be read only in part" in fault.message


def test_a_whole_download_says_nothing(tmp_path: Path) -> None:
    site = open_site(saved(tmp_path, collection(properties={"exceededTransferLimit": False})))
    assert words(site, "download_incomplete") == ""


@pytest.mark.parametrize("name", ["wetlands.geojson", "wetlands.json"])
def test_the_error_of_a_service_is_no_data(name: str, tmp_path: Path) -> None:
    answer = {"error": {"code": 499, "message": "Token Required", "details": []}}
    (item,) = open_site(saved(tmp_path, answer, name).parent).unreadable
    assert item.kind == "service_error"
    assert "error message of a map service (Token Required)" in item.reason


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"type": "FeatureCollection"}, "the JSON is valid, but holds no GeoJSON features"),
        ({"type": "FeatureCollection", "features": None}, "the JSON is valid"),
        ('{"type":"FeatureCollection","features":[{"type":"Feature" "a"}]}', "not valid JSON"),
    ],
)
def test_text_without_features_is_told_for_what_it_is(
    content: Any, said: str, tmp_path: Path
) -> None:
    (item,) = open_site(saved(tmp_path, content)).unreadable
    assert said in item.reason


@pytest.mark.parametrize("name", ["wetlands.geojsonl", "wetlands.ndjson", "wetlands.geojson"])
@pytest.mark.parametrize("mark", ["", "\x1e", "\ufeff"])
def test_a_feature_in_each_line_is_read(name: str, mark: str, tmp_path: Path) -> None:
    second = {**FEATURE, "properties": {"name": "W-2"}}
    lines = [json.dumps(FEATURE), json.dumps(second), "", '{"type": "Feat', json.dumps({"a": 1})]
    bare = json.dumps(FEATURE["geometry"])
    text = mark + ("\n\x1e" if mark == "\x1e" else "\r\n").join([*lines, bare])
    path = saved(tmp_path, text.encode(), name)
    site = open_site(path)
    (only,) = site.datasets
    assert (only.role, list(only.frame["name"])) == ("wetlands", ["W-1", "W-2", None])
    assert (only.crs and only.crs.to_epsg()) == 4326
    assert "2 lines without a feature" in words(site, "features_lost")
    assert path.read_bytes() == text.encode()  # the user's own stays as it was
    layers = with_reference(clean_site(), [Wanted(str(path))]).reference
    assert [one.source.rows for one in layers.layers] == [3]


def test_a_line_alone_and_lines_of_other_things(tmp_path: Path) -> None:
    site = open_site(saved(tmp_path, json.dumps(FEATURE), "wetlands.geojsonl"))
    assert [len(one.frame) for one in site.datasets] == [1]
    none = open_site(saved(tmp_path, '{"a": 1}\n{"b": 2}', "log.ndjson"))
    assert [len(one.frame) for one in none.datasets] == [0]
    assert "2 lines without a feature" in words(none, "features_lost")


@pytest.mark.parametrize("codec", ["utf-16", "utf-8-sig"])
def test_text_of_windows_programs_is_read(codec: str, tmp_path: Path) -> None:
    content = json.dumps(collection(), ensure_ascii=False).replace("W-1", "Kröte")
    site = open_site(saved(tmp_path, content.encode(codec)))
    assert list(site.datasets[0].frame["name"]) == ["Kröte"]
    assert ("UTF-16" in words(site, "encoding_doubtful")) is (codec == "utf-16")
