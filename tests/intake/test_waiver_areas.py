"""The polygon file of a waiver: read beside site.toml, brought into the map's CRS, no layer."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

import geopandas as gpd
import pytest
from shapely.geometry import LineString, Polygon, box

import sitemap
from sitemap.errors import ConfigurationError
from sitemap.finding import Finding
from sitemap.site import Site

X0, Y0 = 2_469_500.0, 335_400.0
DRAWN = box(X0, Y0, X0 + 800, Y0 + 600)
WAIVER = """
[project]
site_acres = 99

[layers]
boundary = "boundary.gpkg"

[[waivers]]
rule = "BND002"
area = "{area}"
reason = "parcel map is being corrected"
authority = "City Engineer"
date = 2026-05-01
"""


def submittal(folder: Path, area: str = "zone.gpkg") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    frame = gpd.GeoDataFrame({"name": ["site"]}, geometry=[DRAWN], crs="EPSG:6609")
    frame.to_file(folder / "boundary.gpkg")
    (folder / "site.toml").write_text(WAIVER.format(area=area), encoding="utf-8")
    return folder


def zone(path: Path, shape: Polygon | LineString, crs: str | None = "EPSG:6609") -> None:
    frame = gpd.GeoDataFrame({"why": ["w"]}, geometry=[shape], crs="EPSG:6609")
    frame.to_crs(crs or "EPSG:6609").to_file(path)
    if crs is None:
        path.with_suffix(".prj").unlink()


def acres(site: Site) -> Finding:
    checked = sitemap.check_site(site, "muskego", now=dt.date(2026, 6, 1))
    (finding,) = [f for f in checked.findings if f.rule == "BND002"]
    return finding


def waived(folder: Path) -> bool:
    return acres(sitemap.open_site(folder)).waiver is not None


@pytest.mark.parametrize("crs", ["EPSG:6609", "EPSG:4326", "EPSG:3071"])
def test_a_file_in_any_crs_lies_where_it_lies(tmp_path: Path, crs: str) -> None:
    folder = submittal(tmp_path / "s")
    zone(folder / "zone.gpkg", DRAWN.buffer(20), crs)
    assert waived(folder)


def test_an_area_that_holds_the_fault_only_in_part_waives_nothing(tmp_path: Path) -> None:
    folder = submittal(tmp_path / "s")
    zone(folder / "zone.gpkg", box(X0, Y0, X0 + 100, Y0 + 100))
    assert not waived(folder)


def test_the_file_of_an_area_is_no_layer_of_the_map(tmp_path: Path) -> None:
    folder = submittal(tmp_path / "s", "areas/zone.gpkg")
    (folder / "areas").mkdir()
    zone(folder / "areas" / "zone.gpkg", DRAWN.buffer(20))
    for opened in (sitemap.open_site(folder), sitemap.open_site(folder / "site.toml")):
        assert [d.provenance.file for d in opened.datasets] == ["boundary.gpkg"]
        assert acres(opened).waiver is not None


def test_an_area_in_an_archive_is_found_there(tmp_path: Path) -> None:
    folder = submittal(tmp_path / "s")
    zone(folder / "zone.gpkg", DRAWN.buffer(20))
    archive = shutil.make_archive(str(tmp_path / "sub"), "zip", folder)
    shutil.rmtree(folder)
    assert waived(Path(archive))


@pytest.mark.parametrize(
    ("file", "shape", "crs", "words"),
    [
        (None, None, None, "zone.shp, which is not there"),
        ("zone.shp", DRAWN, None, "file without a CRS"),
        (
            "zone.shp",
            LineString([(X0, Y0), (X0 + 9, Y0)]),
            "EPSG:6609",
            "no polygon but LineString",
        ),
    ],
)
def test_a_file_that_cannot_serve_is_refused_by_name(
    tmp_path: Path, file: str | None, shape: Polygon | None, crs: str | None, words: str
) -> None:
    folder = submittal(tmp_path / "s", "zone.shp")
    if file is not None and shape is not None:
        zone(folder / file, shape, crs)
    with pytest.raises(ConfigurationError, match=r"waivers\.area") as caught:
        sitemap.open_site(folder)
    assert words in str(caught.value)
