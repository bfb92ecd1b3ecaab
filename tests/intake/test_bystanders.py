"""Files that are read for no layer: what holds map data is named, the rest is left in peace."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from sitemap.intake.assemble import open_site
from tests.intake.makers import frame, points, write


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("lidar.laz", b"LASF", "point cloud"),
        ("track.gpx", b"<gpx/>", "GPX is not read"),
        ("wetlands.topojson", b"{}", "TopoJSON"),
        ("dem.hgt", b"\0\0\0\x0c", "export it as GeoTIFF"),
        ("ortho.sid", b"msid", "as GeoTIFF or JPEG 2000 (.jp2)"),
        ("site.tar.xz", b"\xfd7zXZ", "compressed archive"),
        ("site.z01", b"PK", "split archive"),
        ("dem/hdr.adf", b"GRID1.2", "Esri grid"),
        ("wetlands.shx", b"\0\0\x27\x0a", "whose .shp is missing"),
        ("spots.csv", b"id,Easting,Northing,elev\n1,2,3,4\n", "table with coordinates"),
        ("spots.txt", b"\xef\xbb\xbfid;X;Y\n", "table with coordinates"),
        ("wells.csv", b'id,"WKT"\n', "geometries as text in its column wkt"),
        ("wetlands.csv", b"the_geom;x;y\n", "geometries as text in its column the_geom"),
        ("submission", b"PK\x03\x04", "a zip archive under another name"),
        ("boundary.bak", b"\0\0\x27\x0a", "a shapefile under another name"),
        ("dem.gtiff", b"II*\0", "a TIFF raster under another name"),
        ("site.db", b"SQLite format 3\0".ljust(68, b"\0") + b"GPKG", "a GeoPackage under another"),
        ("Site.gdb", b"Standard Jet DB", "a file geodatabase is a folder"),
    ],
)
def test_map_data_that_is_not_read_is_named(
    name: str, content: bytes, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    (item,) = open_site(tmp_path).unreadable
    assert said in item.reason


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("report.docx", b"PK\x03\x04"),
        ("plan.pdf", b"%PDF-1.4"),
        ("view.jpg", b"\xff\xd8\xff"),
        ("map.qgz", b"PK\x03\x04"),
        ("soil_factors.csv", b"soil,k,source\nOzA,0.32,survey\n"),
        ("readme.txt", b"The latitude of the contractor\n"),
        ("cache.sqlite", b"SQLite format 3\0".ljust(200, b"\0")),
        ("dem/w001001.adf", b"\0"),
        ("boundary.prj", b"PROJCS"),
    ],
)
def test_what_is_no_map_data_is_left_aside(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    site = open_site(tmp_path)
    assert site.unreadable == ()
    assert site.ignored == (name,)


def test_a_link_to_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "boundary.shp").symlink_to(tmp_path / "gone.shp")
    (item,) = open_site(tmp_path).unreadable
    assert (item.file, item.kind) == ("deep/boundary.shp", "locked")
    assert "a file that is not there" in item.reason


def test_companions_of_a_shapefile_are_no_bystanders(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "boundary.shp")
    shutil.copyfile(path.with_suffix(".shx"), path.with_suffix(".sbx"))
    site = open_site(tmp_path)
    assert (site.unreadable, site.ignored) == ((), ("boundary.sbx",))


def test_a_file_that_the_system_keeps_closed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(frame(), tmp_path / "boundary.gpkg")
    (tmp_path / "spots.csv").write_text("x,y\n")
    usual = Path.open

    def closed(self: Path, *how: Any, **more: Any) -> Any:
        if self.parent == tmp_path:
            raise PermissionError(13, "Permission denied")
        return usual(self, *how, **more)

    monkeypatch.setattr(Path, "open", closed)
    (item,) = open_site(tmp_path).unreadable
    assert (item.file, item.kind) == ("boundary.gpkg", "locked")
    assert "Permission denied" in item.reason


def test_a_link_to_a_folder_of_the_submission_gives_no_layer_twice(tmp_path: Path) -> None:
    home = tmp_path / "submission"
    write(frame(points(3)), home / "data" / "outfalls.shp")
    (home / "latest").symlink_to(home / "data", target_is_directory=True)
    site = open_site(home)
    assert [layer.provenance.file for layer in site.datasets] == ["data/outfalls.shp"]
    assert site.unreadable == ()  # where a link leads out of the submission: tests/test_robust.py


@pytest.mark.parametrize(
    ("headings", "named"), [(["ID", "Easting", "Northing"], True), (["ID", "Remark"], False)]
)
def test_a_workbook_of_coordinates_is_named(
    headings: list[str], named: bool, tmp_path: Path
) -> None:
    """As a table in text is: the outfalls are in it, and nobody would look at them."""
    write(frame(), tmp_path / "boundary.gpkg")
    book = openpyxl.Workbook()
    book.active.append(headings)
    book.active.append(["OF-1", 2469500.0, 335700.0][: len(headings)])
    book.save(tmp_path / "outfalls.xlsx")
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    site = open_site(tmp_path)
    assert [item.file for item in site.unreadable] == ["outfalls.xlsx"] * named
    assert all("a workbook with coordinates" in item.reason for item in site.unreadable)
