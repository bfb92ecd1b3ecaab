"""References on disk: recognised, read by window, known by hash or by size, verified again."""

from __future__ import annotations

import json
import shutil
import sqlite3
import warnings
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
from shapely.geometry import Point, box
from typer.testing import CliRunner

from sitemap import check_site, open_site
from sitemap.cli import app
from sitemap.crs import to_crs
from sitemap.errors import ConfigurationError, UsageError
from sitemap.finding import Status
from sitemap.intake import reference_store
from sitemap.intake.reference import with_reference
from sitemap.intake.reference_store import Wanted
from sitemap.reference import DOUBT
from sitemap.site import Site
from tests.clean_ground import CRS, EAST_FT, NORTH_FT, rectangle
from tests.clean_site import clean_site
from tests.repair.on_disk import sums, write_site

FORMS = {
    "FlatGeobuf": "wwi.fgb",
    "GPKG": "wwi.gpkg",
    "ESRI Shapefile": "wwi.shp",
    "GeoJSON": "wwi.geojson",
}


def inventory(count_side: int = 40) -> gpd.GeoDataFrame:
    """Wetlands of 100 by 100 ft, 400 ft apart, far around the clean site, in Wisconsin TM."""
    places = [(400.0 * i, 400.0 * j) for i in range(-20, count_side - 20) for j in range(-20, 20)]
    shapes = [rectangle(x + 60, y + 260, x + 160, y + 360) for x, y in places]
    table = {"WETCODE": ["E2K"] * len(shapes), "PLS": np.arange(len(shapes))}
    return gpd.GeoDataFrame(table, geometry=shapes, crs=CRS).to_crs("EPSG:3071")


def written(frame: gpd.GeoDataFrame, path: Path, **more: Any) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame.to_file(path, engine="pyogrio", **more)
    return path


def around(path: Path | str, **wanted: Any) -> Site:
    return with_reference(clean_site(), [Wanted(str(path), **wanted)])


# ------------------------------------------------------------------------------ the window


@pytest.mark.parametrize("driver", FORMS)
def test_only_what_lies_in_the_window_is_read_whatever_the_format(
    driver: str, tmp_path: Path
) -> None:
    """Window: the site, a quarter mile and 200 ft on every side, tested in the map's own CRS."""
    whole = inventory()
    more = {"SPATIAL_INDEX": "YES"} if driver == "ESRI Shapefile" else {}
    path = written(whole, tmp_path / FORMS[driver], driver=driver, **more)
    before = sums(tmp_path)
    (layer,) = around(path).reference.layers
    assert sums(tmp_path) == before
    window = box(EAST_FT - 1520, NORTH_FT - 1520, EAST_FT + 2320, NORTH_FT + 2120)
    expected = to_crs(whole, CRS)[0].geometry.intersection(window)
    expected = expected[expected.area > 0.01]
    assert layer.role == "wetlands"
    assert layer.frame.union_all().symmetric_difference(expected.union_all()).area < 1.0
    assert len(layer) == len(expected)
    assert layer.source.rows == len(whole)
    assert layer.reaches(clean_site().boundary)  # type: ignore[arg-type]
    assert set(layer.frame["class"]) == {"E2K"}


def test_a_shapefile_is_read_through_its_quadtree_record_by_record(tmp_path: Path) -> None:
    """With .qix and without it the same features come, under the numbers of the whole file."""
    whole = inventory()
    path = written(whole, tmp_path / "wwi.shp", SPATIAL_INDEX="YES")
    (indexed,) = around(path).reference.layers
    assert indexed.source.index == "spatial index (.qix or .sbn)"
    path.with_suffix(".qix").unlink()
    (plain,) = around(path).reference.layers
    assert plain.source.index == "no spatial index: all of it was read through"
    assert sorted(indexed.frame["_fid"]) == sorted(plain.frame["_fid"])
    numbers = dict(zip(whole.index, whole["PLS"], strict=True))
    assert [str(numbers[fid]) for fid in indexed.frame["_fid"]] == list(indexed.frame["id"])


@pytest.mark.parametrize("end", [".shp", ".dbf"])
def test_a_shapefile_whose_download_broke_off_is_told_and_not_half_read(
    end: str, tmp_path: Path
) -> None:
    """Without what lies past its end a reference would say that nothing is there."""
    path = written(inventory(), tmp_path / "wwi.shp", SPATIAL_INDEX="YES")
    whole = path.with_suffix(end).read_bytes()
    path.with_suffix(end).write_bytes(whole[: len(whole) // 3])
    found = around(path).reference
    assert not found.layers
    (lost,) = found.unread
    assert f"the {end} ends before record" in lost.reason


def test_a_geopackage_whose_download_broke_off_is_told_in_plain_words(tmp_path: Path) -> None:
    path = written(inventory(), tmp_path / "wwi.gpkg")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 6 // 10])
    found = around(path).reference
    assert not found.layers
    (lost,) = found.unread
    assert "sqlite3_prepare" not in lost.reason
    assert lost.reason.endswith("a download that broke off: get it anew)")


@pytest.mark.parametrize("form", ["{}/wwi.gpkg", "/vsizip/{}/wwi.gpkg"])
def test_a_member_of_an_archive_is_not_named_alone(form: str, tmp_path: Path) -> None:
    written(inventory(), tmp_path / "wwi.gpkg")
    packed = shutil.make_archive(str(tmp_path / "state"), "zip", tmp_path, "wwi.gpkg")
    with pytest.raises(UsageError, match=r"give state\.zip, of which every layer is looked at"):
        around(form.format(packed))
    assert len(around(f"/vsizip/{packed}").reference.layers) == 1


def test_a_reference_that_ends_elsewhere_says_nothing_of_the_site(tmp_path: Path) -> None:
    far = inventory().iloc[:3]
    (layer,) = around(written(far, tmp_path / "wwi.gpkg")).reference.layers
    assert len(layer) == 0
    assert not layer.touches(clean_site().boundary)  # type: ignore[arg-type]


def test_a_reference_of_one_point_on_the_site_reaches_that_point(tmp_path: Path) -> None:
    """A box without area is still a place: what lies there is known."""
    one = gpd.GeoDataFrame(
        {"WETCODE": ["E2K"]}, geometry=[rectangle(499, 299, 501, 301).centroid], crs=CRS
    )
    (layer,) = around(written(one, tmp_path / "wwi.gpkg")).reference.layers
    assert len(layer) == 1
    assert layer.touches(rectangle(490, 290, 510, 310))
    assert not layer.touches(rectangle(510, 290, 530, 310))


def test_features_beyond_the_extent_that_their_file_states_count_as_reached(tmp_path: Path) -> None:
    """A GeoPackage whose table of contents was not brought up to date as it grew."""
    path = written(inventory(), tmp_path / "wwi.gpkg")
    with sqlite3.connect(path) as tables:
        tables.execute("UPDATE gpkg_contents SET max_x = min_x + 10, max_y = min_y + 10")
    (layer,) = around(path).reference.layers
    assert len(layer) > 0
    assert layer.reaches(clean_site().boundary)  # type: ignore[arg-type]


def test_geometries_that_cannot_be_built_are_left_out_and_counted(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame(
        {"WETCODE": ["T3K", "E2K"]}, geometry=[rectangle(0, 0, 50, 50), None], crs=CRS
    )
    (layer,) = around(written(frame, tmp_path / "wwi.gpkg")).reference.layers
    assert len(layer) == 1


# ------------------------------------------------------------------------------ recognised


def test_a_folder_is_sorted_into_classes_without_asking(tmp_path: Path) -> None:
    ground = rectangle(-2000, -2000, 3000, 3000)
    for name, columns in {
        "S_Fld_Haz_Ar.shp": {"FLD_ZONE": ["AE"], "SFHA_TF": ["T"], "ZONE_SUBTY": ["FLOODWAY"]},
        "mupolygon.shp": {"MUSYM": ["HmB2"], "MUKEY": ["424242"]},
        "tax_parcels.shp": {"PARCELID": ["MSKC 1"], "OWNERNME1": ["Somebody"]},
        "cities.shp": {"MCD_NAME": ["Muskego"], "CTV": ["C"]},
        "zoning.shp": {"ZONE_CODE": ["RS-1"]},
    }.items():
        written(gpd.GeoDataFrame(columns, geometry=[ground], crs=CRS), tmp_path / name)
    found = around(tmp_path).reference
    assert {layer.source.name: layer.role for layer in found.layers} == {
        "S_Fld_Haz_Ar.shp": "floodplain",
        "mupolygon.shp": "soils",
        "tax_parcels.shp": "parcels",
        "cities.shp": "jurisdiction",
    }
    assert list(found.left_out) == ["zoning.shp"]
    assert "OWNERNME1" not in found.of("parcels")[0].frame  # no owner's name is kept
    assert found.of("floodplain")[0].frame["subtype"].tolist() == ["floodway"]


def test_a_copy_of_the_flood_map_with_other_names_is_read_and_says_what_it_lacks(
    tmp_path: Path,
) -> None:
    """The hazard flag under another name casts its doubts; a column of parts is not there."""
    shapes = [rectangle(0, 0, 50, 50), rectangle(60, 0, 90, 50)]
    columns = {"fld_zone": ["AE", "X"], "IN_SFHA": ["yes", "unknown"]}
    frame = gpd.GeoDataFrame(columns, geometry=shapes, crs=CRS)
    (layer,) = around(written(frame, tmp_path / "flood_zones.gpkg")).reference.layers
    assert layer.frame["zone"].tolist() == ["AE", "X"]
    assert layer.frame[DOUBT].tolist() == [
        None, "zone X, IN_SFHA U: whether it is a special flood hazard area is unknown",
    ]  # fmt: skip
    assert layer.states("zone")
    assert not layer.states("subtype")


def test_swamps_among_nhd_waterbodies_are_wetlands(tmp_path: Path) -> None:
    shapes = [rectangle(x, 0, x + 50, 50) for x in (0, 100, 200)]
    nhd = {
        "FTYPE": [390, 466, 343], "FCODE": [39004, 46600, 34300], "AREASQKM": [1.0] * 3,
        "REACHCODE": ["04"] * 3, "GNIS_NAME": ["Tess Lake", None, None],
        "FDATE": ["2019-03-01", "2020-05-06", "2018-01-01"],
    }  # fmt: skip
    path = written(gpd.GeoDataFrame(nhd, geometry=shapes, crs=CRS), tmp_path / "NHDWaterbody.gpkg")
    found = around(path).reference
    assert {layer.role: len(layer) for layer in found.layers} == {"waterbodies": 1, "wetlands": 1}
    assert found.of("waterbodies")[0].frame["name"].tolist() == ["Tess Lake"]
    assert found.of("wetlands")[0].frame["class"].tolist() == ["swamp or marsh"]
    source = found.layers[0].source
    assert (source.effective, source.dated_by) == ("2018-01-01 to 2020-05-06", "column FDATE")


def test_names_that_are_no_class_of_reference_are_left_out(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame({"id": ["1"]}, geometry=[Point(EAST_FT, NORTH_FT)], crs=CRS)
    found = around(written(frame, tmp_path / "outfalls.gpkg")).reference
    assert not found.layers
    assert found.left_out["outfalls.gpkg"].startswith("outfalls: no class of reference")


def test_drawings_among_references_are_named_as_not_read(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame({"id": ["1"]}, geometry=[rectangle(0, 0, 90, 90)], crs=CRS)
    written(frame, tmp_path / "wetlands.gpkg")
    (tmp_path / "parcels.dxf").write_text("  0\nSECTION\n", encoding="utf-8")
    found = around(tmp_path).reference
    assert [one.role for one in found.layers] == ["wetlands"]
    told = {one.file: one.reason for one in found.unread}
    assert set(told) == {"parcels.dxf"}
    assert all("is not read as a reference" in reason for reason in told.values())


def test_a_kml_is_a_reference_of_its_folders(tmp_path: Path) -> None:
    """The two areas near the site of four, with the label in one of them left out."""
    places = [(60, 260), (500, 260), (60, 90_000), (-90_000, 260)]
    shapes = [rectangle(x, y, x + 100, y + 100) for x, y in places]
    degrees = gpd.GeoSeries(shapes, crs=CRS).to_crs(4326)
    marks = []
    for shape in degrees:
        ring = " ".join(f"{x:.9f},{y:.9f}" for x, y in shape.exterior.coords)
        marks.append(
            "<Placemark><name>W</name><description>&lt;table>&lt;tr>&lt;td>FLD_ZONE&lt;/td>&lt;td>"
            "AE&lt;/td>&lt;/tr>&lt;/table></description><Polygon><outerBoundaryIs><LinearRing>"
            f"<coordinates>{ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>"
            "</Placemark>"
        )
    label = f"{degrees[0].centroid.x},{degrees[0].centroid.y}"
    marks.append(f"<Placemark><Point><coordinates>{label}</coordinates></Point></Placemark>")
    text = (
        f"<kml><Document><Folder><name>Flood zones</name>{''.join(marks)}</Folder></Document></kml>"
    )
    path = tmp_path / "county.kml"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "broken.kml").write_text("<kml><Document>", encoding="utf-8")
    found = around(tmp_path).reference
    (layer,) = found.layers
    assert (layer.role, len(layer.frame), layer.source.rows) == ("floodplain", 2, 4)
    assert (layer.source.driver, layer.source.crs) == ("KML", "WGS 84 (EPSG:4326)")
    assert layer.frame.geometry.area.to_numpy() == pytest.approx([10_000.0] * 2, rel=1e-3)
    assert layer.source.bytes == path.stat().st_size
    assert [one.file for one in found.unread] == ["broken.kml"]


def test_site_toml_names_what_the_files_do_not_say(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame({"CODE": ["E2K"]}, geometry=[rectangle(0, 0, 90, 90)])
    shape = tmp_path / "land" / "things.shp"
    shape.parent.mkdir()
    written(frame, shape)
    folder = write_site(tmp_path / "site", toml={"reference": {
        "path": "../land/things.shp", "role": "wetlands", "crs": "EPSG:6609", "edition": "2",
        "effective": "2025-01-01", "fields": {"class": "CODE"},
    }})  # fmt: skip
    (layer,) = open_site(folder).reference.layers
    assert layer.frame["class"].tolist() == ["E2K"]
    assert layer.source.date_words == "version 2, effective 2025-01-01 (site.toml)"
    text = (folder / "site.toml").read_text("utf-8").replace("wetlands", "marshes")
    (folder / "site.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match="marshes"):
        open_site(folder)


def test_a_dataset_without_crs_is_not_guessed(tmp_path: Path) -> None:
    frame = gpd.GeoDataFrame({"WETCODE": ["E2K"]}, geometry=[rectangle(0, 0, 90, 90)])
    (lost,) = around(written(frame, tmp_path / "wwi.shp")).reference.unread
    assert "states no usable CRS" in lost.reason


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nowhere/at/all", "there is no such file or folder"),
        ("https://example.org/wwi.gpkg", "addresses on the network are not read; download it"),
        ("/vsicurl/https://example.org/wwi.gpkg", "not read; download it"),
    ],
)
def test_a_reference_that_cannot_be_is_refused(given: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        around(given)


def test_gdal_names_and_archives_are_taken(tmp_path: Path) -> None:
    path = written(inventory(), tmp_path / "wwi.gpkg")
    shutil.make_archive(str(tmp_path / "wwi"), "zip", tmp_path, path.name)
    for name in (f"GPKG:{path}", f"/vsizip/{tmp_path / 'wwi.zip'}", tmp_path / "wwi.zip"):
        (layer,) = around(name).reference.layers
        assert len(layer) > 0


# ------------------------------------------------------------------------------ known again


def test_small_files_are_hashed_and_large_ones_known_by_size_and_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(inventory(), tmp_path / "wwi.fgb")
    (hashed,) = around(path).reference.layers
    assert hashed.source.sha256 == reference_store.identity_of_files([path]).sha256
    monkeypatch.setattr(reference_store, "HASHED_BYTES", 1000)
    (large,) = around(path).reference.layers
    size = path.stat().st_size
    assert large.source.sha256 is None
    assert large.source.identity.startswith(f"not hashed: known by {size:,} bytes, 1,600 rows, ")


@pytest.fixture
def submittal(tmp_path: Path) -> tuple[Path, Path]:
    written(inventory(), tmp_path / "land.fgb")
    return write_site(tmp_path / "site"), tmp_path / "land.fgb"


def test_the_check_names_its_reference_and_verifies_it(submittal: tuple[Path, Path]) -> None:
    folder, land = submittal
    land = land.rename(land.with_name("wwi.fgb"))
    report = folder.parent / "report.json"
    run = CliRunner().invoke(
        app, ["check", str(folder), "--reference", str(land), "-f", f"json:{report}", "--now",
              "2026-05-04", "--select", "WET001,CRS"],
    )  # fmt: skip
    assert run.exit_code == 1, run.output
    said = json.loads(report.read_text("utf-8"))
    (row,) = said["manifest"]["references"]
    assert row["role"] == "wetlands"
    assert row["sha256"] == reference_store.identity_of_files([land]).sha256
    assert said["manifest"]["config"]["reference"] == [str(land)]
    assert [f["rule"] for f in said["findings"]].count("WET001") >= 1
    again = CliRunner().invoke(app, ["check", "--verify", str(report)])
    assert again.exit_code == 0, again.output
    written(inventory().iloc[: len(inventory()) // 2], land)
    changed = CliRunner().invoke(app, ["check", "--verify", str(report)])
    assert changed.exit_code == 1
    assert "reference wwi.fgb as wetlands: sha256" in changed.output


def test_the_reports_print_it(submittal: tuple[Path, Path]) -> None:
    from sitemap.report import render

    folder, land = submittal
    land = land.rename(land.with_name("wwi.fgb"))
    checked = check_site(open_site(folder, reference=land), select=["WET001"])
    for form in ("text", "html"):
        page = " ".join(render(checked, form).split())
        assert "wwi.fgb as wetlands" in page
        assert "Wisconsin Wetland Inventory, old classification" in page
        assert "no version and no effective date stated" in page
    assert {o.rule: o.status for o in checked.outcomes}["WET001"] is Status.FOUND


def test_metadata_beside_a_file_dates_it(tmp_path: Path) -> None:
    path = written(inventory(), tmp_path / "wwi.fgb")
    (tmp_path / "wwi.fgb.xml").write_text(
        "<metadata><idinfo><citation><citeinfo><pubdate>20240215</pubdate>"
        "<edition>7</edition></citeinfo></citation></idinfo></metadata>",
        "utf-8",
    )
    (layer,) = around(path).reference.layers
    assert layer.source.date_words == "version 7, effective 2024-02-15 (metadata wwi.fgb.xml)"


def test_a_submission_does_not_choose_what_this_machine_connects_to(tmp_path: Path) -> None:
    """site.toml comes from a stranger: no database, and nothing beside an archive."""
    folder = write_site(tmp_path / "site", toml={"reference": {"path": "postgresql://far/away"}})
    with pytest.raises(ConfigurationError, match="by --reference only"):
        open_site(folder)
    folder = write_site(tmp_path / "other", toml={"reference": {"path": "../land"}})
    archive = shutil.make_archive(str(tmp_path / "sent"), "zip", folder)
    with pytest.raises(ConfigurationError, match="stands in an archive"):
        open_site(archive)
