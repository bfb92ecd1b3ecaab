"""Every container that engineers send is opened, and nothing else is taken for data."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from sitemap.errors import SubmissionError
from sitemap.intake.assemble import open_site
from sitemap.intake.discover import Discovery, discover
from sitemap.intake.files import workspace
from sitemap.intake.sniff import sniff
from tests.intake.makers import frame, kinds, listing, square, words, write, zipped


def found_in(path: Path) -> Discovery:
    with workspace() as work:
        return discover(path, work)


def names(path: Path) -> list[str]:
    return [dataset.name for dataset in found_in(path).found]


def test_shapefiles_at_any_depth_of_a_zip_and_no_apple_twins(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(frame(), source / "boundary.shp")
    write(frame(), source / "Final" / "wetlands.shp")
    for dust in ("__MACOSX/._boundary.shp", "._boundary.shp", ".DS_Store"):
        path = source / dust
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\0\5\x16\7 twin")
    archive = zipped(source, tmp_path / "submittal.zip", "GIS/")
    site = open_site(archive)
    assert [d.provenance.file for d in site.datasets] == [
        "GIS/Final/wetlands.shp",
        "GIS/boundary.shp",
    ]
    assert site.unreadable == ()
    assert set(site.layers) == {"boundary", "wetlands"}
    assert any("__MACOSX" in name for name in site.ignored)


def test_odd_names_of_files_folders_and_members(tmp_path: Path) -> None:
    home = tmp_path / "Lot 5 & 6! (final) v2|new – Chiên"
    write(frame(), home / "!site boundary.shp")
    write(frame(), home / "a|b [1].gpkg", layer="öffentlich")
    write(frame(crs=6609).to_crs(4326), home / "100% done#.geojson")
    inner = tmp_path / "inner"
    write(frame(), inner / "Lot 5 & 6.shp")
    zipped(inner, home / "Study area (final) v2!.zip", "bad|folder/")
    site = open_site(home)
    assert site.unreadable == ()
    assert {(d.provenance.file, d.provenance.layer) for d in site.datasets} == {
        ("!site boundary.shp", "!site boundary"),
        ("a|b [1].gpkg", "öffentlich"),
        ("100% done#.geojson", "100% done#"),
        ("Study area (final) v2!.zip/bad|folder/Lot 5 & 6.shp", "Lot 5 & 6"),
    }
    assert all(len(d.frame) == 1 for d in site.datasets)


def test_companions_in_any_case(tmp_path: Path) -> None:
    write(frame(name=["Lot"]), tmp_path / "site.shp")
    for old, new in (("shp", "Site.SHP"), ("dbf", "site.dbf"), ("prj", "SITE.Prj")):
        (tmp_path / f"site.{old}").rename(tmp_path / f"~{new}")
        (tmp_path / f"~{new}").rename(tmp_path / new)
    (tmp_path / "site.shx").rename(tmp_path / "SITE.SHX")
    site = open_site(tmp_path)
    (layer,) = site.datasets
    assert list(layer.frame["name"]) == ["Lot"]
    assert layer.crs is not None
    assert "companion_case" in kinds(layer)


def test_two_companions_that_differ_only_in_case_are_told(tmp_path: Path) -> None:
    write(frame(), tmp_path / "site.shp")
    if (tmp_path / "SITE.shp").exists():
        pytest.skip("this file system does not tell cases apart")
    shutil.copy(tmp_path / "site.dbf", tmp_path / "SITE.DBF")
    assert "SITE.DBF is not" in words(open_site(tmp_path), "companion_twins")


@pytest.mark.parametrize(
    ("name", "content", "kind", "word"),
    [
        ("boundary.shp", b"<!DOCTYPE html><html>404</html>", "web_page", "web page"),
        ("use.geojson", b"\n <html lang='en'>", "web_page", "web page"),
        ("dem.tif", b"", "empty", "0 bytes"),
        ("plan.dwg", b"AC1032\0\0", "dwg", "or export shapefiles"),
        ("plan.shp", b"AC1032\0\0", "dwg", "DWG"),
        ("map.gpkg", b"%PDF-1.7", "pdf", "PDF"),
        ("a.shp", b"\0" * 400, "zeroes", "never completely written"),
        ("a.shp", b"  '\n    ", "damaged", "not a shapefile"),
        ("a.dxf", b"%PDF-1.7", "pdf", "this is a PDF"),
        ("a.tar.gz", b"\x1f\x8b", "format_not_read", "zip"),
        ("a.gpkg", b"version https://git-lfs.github.com/spec/v1", "lfs", "pointer"),
    ],
)
def test_impostors_are_named(
    tmp_path: Path, name: str, content: bytes, kind: str, word: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (item,) = open_site(tmp_path).unreadable
    assert (item.file, item.kind) == (name, kind)
    assert word in item.reason


def test_zips_that_name_what_is_in_them_are_read(tmp_path: Path) -> None:
    """.shz, as GDAL writes it, and .gpkg.zip; an archive in an archive stays closed."""
    write(frame(), tmp_path / "in" / "boundary.shp")
    (tmp_path / "all").mkdir()
    shz = zipped(tmp_path / "in", tmp_path / "all" / "boundary.shz")
    write(frame(), tmp_path / "more" / "wetlands.gpkg")
    zipped(tmp_path / "more", tmp_path / "all" / "wetlands.gpkg.zip")
    assert set(open_site(tmp_path / "all").layers) == {"boundary", "wetlands"}
    alone = open_site(shz)
    assert [(one.provenance.file, one.role) for one in alone.datasets] == [
        ("boundary.shp", "boundary")
    ]
    outer = zipped(tmp_path / "all", tmp_path / "outer.zip")
    assert [one.kind for one in open_site(outer).unreadable] == ["zip_in_zip", "zip_in_zip"]


def test_a_zip_in_a_zip_is_refused_with_words(tmp_path: Path) -> None:
    write(frame(), tmp_path / "in" / "a.shp")
    inner = zipped(tmp_path / "in", tmp_path / "inner.zip")
    outer = tmp_path / "outer.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "inner.zip")
    (item,) = open_site(outer).unreadable
    assert (item.file, item.kind) == ("inner.zip", "zip_in_zip")
    assert "unpack it" in item.reason


def test_broken_empty_and_locked_archives(tmp_path: Path) -> None:
    write(frame(), tmp_path / "in" / "a.shp")
    whole = zipped(tmp_path / "in", tmp_path / "whole.zip").read_bytes()
    home = tmp_path / "home"
    home.mkdir()
    (home / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (home / "none.zip").write_bytes(b"")
    with zipfile.ZipFile(home / "text.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    locked = bytearray(whole)
    at = whole.index(b"PK\x01\x02")
    while at >= 0:  # the bit that says "encrypted", in every entry of the directory
        locked[at + 8] |= 1
        at = whole.find(b"PK\x01\x02", at + 4)
    (home / "locked.zip").write_bytes(bytes(locked))
    found = {item.file: item.kind for item in open_site(home).unreadable}
    assert found["cut.zip"] == "archive_damaged"
    assert found["none.zip"] == "empty"
    assert found["text.zip"] == "archive_without_data"
    assert found["locked.zip/a.shp"] == "encrypted"


def test_a_member_with_a_path_upwards_is_refused_by_name(
    tmp_path: Path,
) -> None:
    write(frame(), tmp_path / "in" / "a.geojson")
    archive = tmp_path / "deep" / "evil.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as out:
        out.write(tmp_path / "in" / "a.geojson", "../../evil.geojson")
    site = open_site(archive)
    assert site.datasets == ()
    (item,) = site.unreadable
    assert (item.file, item.kind) == ("../../evil.geojson", "unsafe_member")
    assert not list(tmp_path.rglob("evil.geojson"))


def test_reports_pictures_and_plain_json_are_left_aside(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.gpkg")
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "package.json").write_text('{"name": "x", "type": "module"}')
    site = open_site(tmp_path)
    assert site.unreadable == ()
    assert site.ignored == ("package.json", "photo.jpg", "report.pdf")


def test_a_single_file_brings_its_companions_but_not_its_neighbours(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.shp")
    write(frame(), tmp_path / "other.shp")
    site = open_site(tmp_path / "boundary.shp")
    assert [d.provenance.companions for d in site.datasets] == [(".cpg", ".dbf", ".prj", ".shx")]


@pytest.mark.parametrize("name", ["nothing.zip", "nothing.toml", "nothing"])
def test_what_does_not_exist(tmp_path: Path, name: str) -> None:
    with pytest.raises(SubmissionError, match="does not exist"):
        open_site(tmp_path / name)


def test_what_is_no_container(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(SubmissionError, match="Accepted: a folder"):
        open_site(tmp_path / "notes.txt")
    (tmp_path / "plan.dwg").write_bytes(b"AC1032")
    with pytest.raises(SubmissionError, match="save as DXF \\(2013\\) or export shapefiles"):
        open_site(tmp_path / "plan.dwg")


def test_an_empty_folder_is_a_site_without_layers(tmp_path: Path) -> None:
    site = open_site(tmp_path)
    assert (site.layers, site.datasets, site.crs) == ({}, (), None)


def test_nothing_is_written_beside_the_users_files(tmp_path: Path) -> None:
    write(frame(), tmp_path / "a.shp")
    (tmp_path / "a.shx").unlink()  # GDAL would restore it here
    write(frame(), tmp_path / "b.gpkg")
    write(frame([square(), square(x=200)], name=["a", "b"]), tmp_path / "c.gdb")
    zipped(tmp_path / "c.gdb", tmp_path / "d.zip", "d.gdb/")
    before = listing(tmp_path)
    site = open_site(tmp_path)
    assert len(site.datasets) == 4
    assert listing(tmp_path) == before


def test_a_geopackage_with_a_write_ahead_log_is_not_touched(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    path = write(frame(), tmp_path / "a.gpkg")
    with closing(sqlite3.connect(path)) as tables:
        tables.execute("PRAGMA journal_mode=WAL")
        tables.commit()
    before = listing(tmp_path)
    assert len(open_site(tmp_path).datasets[0].frame) == 1
    assert listing(tmp_path) == before


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b'\xef\xbb\xbf{ "type": "FeatureCollection"', "geojson"),
        (b'{"features": [', "geojson"),
        (b'{"type":"Topology"', "topojson"),
        (b'{"a": 1}', "json"),
        (b"<?xml version='1.0'?><html>", "web page"),
        (b"<?xml version='1.0'?><gml>", "xml"),
        (b"\x03\x71\x09\x0a", "table"),
        (b"just text", "text"),
        (b"\x01\x02\x00", "binary"),
    ],
)
def test_first_bytes(head: bytes, kind: str) -> None:
    assert sniff(head) == kind


@pytest.mark.parametrize("name", ["Site.gdb", "Site_gdb", "Site.gdb/Site.gdb", "delivery"])
def test_a_geodatabase_is_known_by_its_tables_not_by_its_name(name: str, tmp_path: Path) -> None:
    made = write(frame(), tmp_path / "made.gdb", layer="wetlands")
    home = tmp_path / "home"
    shutil.copytree(made, home / name)
    (layer,) = open_site(home).datasets
    assert (layer.provenance.file, layer.provenance.layer) == (name, "wetlands")
    (layer,) = open_site(home / name).datasets
    assert layer.provenance.driver == "OpenFileGDB"


@pytest.mark.parametrize("prefix", ["", "Site.gdb/", "GIS/Site.gdb/", "GIS/"])
def test_a_geodatabase_at_any_depth_of_a_zip(prefix: str, tmp_path: Path) -> None:
    """Its tables often lie at the root of an archive that is itself named .gdb.zip."""
    made = write(frame(), tmp_path / "made.gdb", layer="wetlands")
    home = tmp_path / "home"
    home.mkdir()
    path = zipped(made, home / "Site.gdb.zip", prefix)
    for submission in (path, home):
        site = open_site(submission)
        assert [d.provenance.layer for d in site.datasets] == ["wetlands"]
        assert (site.unreadable, site.ignored) == ((), ())


def in_a_log(path: Path) -> dict[str, bytes]:
    """Ending -> bytes of a GeoPackage, and of the log that holds its second feature."""
    write(frame(name=["old"]), path, layer="wetlands")
    with closing(sqlite3.connect(path)) as tables:
        tables.execute("PRAGMA journal_mode=WAL")
        for (name,) in tables.execute("SELECT name FROM sqlite_master WHERE type='trigger'"):
            tables.execute(f'DROP TRIGGER "{name}"')
        tables.execute("INSERT INTO wetlands (geom, name) SELECT geom, 'new' FROM wetlands")
        tables.commit()
        return {end: path.with_name(path.name + end).read_bytes() for end in ("", "-wal")}


@pytest.mark.parametrize("packed", [False, True])
def test_a_geopackage_that_was_sent_while_open_is_read_with_its_log(
    packed: bool, tmp_path: Path
) -> None:
    files = in_a_log(tmp_path / "made.gpkg")
    home = tmp_path / "home"
    home.mkdir()
    for end, content in files.items():
        (home / f"site.gpkg{end}").write_bytes(content)
    path = zipped(home, tmp_path / "site.zip") if packed else home
    before = listing(tmp_path)
    site = open_site(path)
    assert list(site.datasets[0].frame["name"]) == ["old", "new"]
    assert site.ignored == ()
    assert listing(tmp_path) == before


def test_a_journal_beside_a_geopackage_is_rolled_back_on_a_copy(tmp_path: Path) -> None:
    write(frame(name=["old"]), tmp_path / "site.gpkg")
    (tmp_path / "site.gpkg-journal").write_bytes(
        b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7".ljust(512, b"\0")
    )
    before = listing(tmp_path)
    (layer,) = open_site(tmp_path).datasets
    assert list(layer.frame["name"]) == ["old"]
    assert listing(tmp_path) == before


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "boundary.zip")
    with pytest.raises(SubmissionError, match="neither a file nor a folder"):
        open_site(tmp_path / "boundary.zip")
    assert open_site(tmp_path).datasets == ()


def test_a_method_of_packing_that_is_not_read_is_named(tmp_path: Path) -> None:
    """Windows packs large files by Deflate64, which is method 9."""
    write(frame(), tmp_path / "in" / "a.gpkg")
    path = zipped(tmp_path / "in", tmp_path / "a.zip")
    raw = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = raw.index(mark)
        raw[start + at] = 9
    path.write_bytes(bytes(raw))
    (item,) = open_site(path).unreadable
    assert "packed by a method (9) that is not read" in item.reason
