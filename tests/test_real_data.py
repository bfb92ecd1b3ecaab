"""Every real file: inventory and check without a crash, and the word for each odd thing.

The walk opens each folder, archive, GeoPackage and geodatabase; the words are those that the
notes on the data name, section by section.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

import jsonschema
import pytest

from sitemap.check import check_site
from sitemap.errors import SitemapError
from sitemap.finding import Status
from sitemap.intake.assemble import open_site
from sitemap.intake.propose import propose_site_toml
from sitemap.layer import Layer
from sitemap.ordinance import load_ordinance
from sitemap.report.inventory import json_schema, to_dict, to_text
from sitemap.site import Site
from tests.conftest import SHARED_DATA

pytestmark = pytest.mark.real_data

TOPS = ("1-midwest", "2-real-us", "2-real-other", "3-broken")


def folders() -> list[str]:
    """The folders below the tops: each one is a submission."""
    return [
        f"{top}/{folder.name}"
        for top in TOPS
        if (SHARED_DATA / top).is_dir()
        for folder in sorted((SHARED_DATA / top).iterdir())
    ]


def containers() -> list[str]:
    """Every archive, GeoPackage and geodatabase, as a submission of its own."""
    return [
        path.relative_to(SHARED_DATA).as_posix()
        for top in TOPS
        if (SHARED_DATA / top).is_dir()
        for path in sorted((SHARED_DATA / top).rglob("*"))
        if path.suffix.lower() in (".zip", ".gpkg", ".gdb")
    ]


@lru_cache(maxsize=4)
def opened(name: str, crs: str | None = None) -> Site:
    return open_site(SHARED_DATA / name, crs=crs)


def layer(site: Site, file: str, name: str | None = None) -> Layer:
    return next(
        d for d in site.datasets if d.provenance.file == file and name in (None, d.provenance.layer)
    )


def said(site: Site, file: str, kind: str) -> str:
    """The messages of a kind about one file; an error names the kinds that there are."""
    found = [
        o
        for item in (*site.datasets, *site.rasters)
        if item.provenance.file == file
        for o in item.provenance.oddities
    ]
    hits = [o.message for o in found if o.kind == kind]
    assert hits, (kind, sorted({o.kind for o in found}))
    return " | ".join(hits)


def refused(site: Site) -> dict[str, str]:
    return {item.file: item.reason for item in site.unreadable}


def inventory(site: Site) -> str:
    text = to_text(site)
    for line in text.splitlines():  # only a name that cannot be broken may be longer
        assert len(line) <= 100 or max(map(len, line.split())) > 60, line
    return text


@pytest.mark.usefixtures("shared_data")
@pytest.mark.parametrize("name", folders())
def test_every_folder_has_an_inventory_and_can_be_checked(name: str) -> None:
    site = opened(name)
    text = inventory(site)
    for item in (*site.datasets, *site.rasters, *site.unreadable):
        file = item.file if hasattr(item, "file") else item.provenance.file
        assert file[:40] in text
    jsonschema.validate(to_dict(site), json_schema(), jsonschema.Draft202012Validator)
    assert propose_site_toml(site)
    for role, merged in site.layers.items():
        assert merged.frame.crs == site.crs, role
    checked = check_site(site, load_ordinance("muskego"), now=dt.date(2026, 11, 30))
    assert not [o.trace for o in checked.outcomes if o.status is Status.FAILED]


@pytest.mark.usefixtures("shared_data")
@pytest.mark.parametrize("name", containers())
def test_every_container_has_an_inventory(name: str) -> None:
    try:
        site = open_site(SHARED_DATA / name)
    except SitemapError as error:
        pytest.fail(f"{name} is a container and must open, whatever is in it: {error}")
    assert site.datasets or site.rasters or site.unreadable
    inventory(site)


# ----------------------------------------------------------------- 1a. Wisconsin and the Midwest


@pytest.mark.usefixtures("shared_data")
class TestMidwest:
    def test_madison(self) -> None:
        site = opened("1-midwest/madison-nhdplus-wi")
        counts = {d.provenance.layer: len(d.frame) for d in site.datasets}
        assert counts["NHDFlowline_Network"] == 267
        assert counts["NHDFlowline_NonNetwork"] == 49
        assert (counts["CatchmentSP"], counts["Gage"], counts["Sink"]) == (266, 46, 10)
        file = "sample_natseamless.gpkg"
        assert "no registered code" in said(site, file, "crs_custom")
        assert "does not say its datum" in said(site, file, "crs_datum_unknown")
        assert said(site, file, "m_dropped")
        assert said(site, file, "has_z")

    def test_tyler_forks_has_tables_without_geometry(self) -> None:
        site = opened("1-midwest/tyler-forks-wi")
        tables = [d for d in site.datasets if d.provenance.file.endswith(".dbf")]
        assert len(tables) >= 3
        assert all(table.role is None for table in tables)
        streams = layer(site, "NHDPlus/NHDSnapshot/Hydrography/NHDFlowline.shp")
        assert (len(streams.frame), streams.role) == (101, "streams")

    def test_nicolet_mixes_datums(self) -> None:
        site = opened("1-midwest/nicolet-wi")
        words = said(site, "flowlines_clipped.shp", "datum_differs")
        assert "'North American Datum 1927'" in words
        assert "dem.tif" in words
        odd_one = layer(site, ".shp/.shp.shp")
        assert odd_one.provenance.layer == ".shp"
        assert said(site, ".shp/.shp.shp", "dbf_missing")

    def test_pleasant_lake(self) -> None:
        site = opened("1-midwest/pleasant-lake-wi")
        assert "none was guessed" in said(site, "csls_sources_wu_pts.shp", "crs_missing")
        assert layer(site, "csls_sources_wu_pts.shp").crs is None
        assert len(layer(site, "csls_sources_wu_pts.shp").frame) == 41
        assert layer(site, "all_lakes.shp").crs.to_epsg() == 3070  # type: ignore[union-attr]

    def test_plainfield(self) -> None:
        site = opened("1-midwest/plainfield-lakes-wi")
        text = inventory(site)
        assert "6 of 18 features are invalid: Ring Self-intersection 6" in text
        assert "no registered code" in said(site, "dem10m.tif", "crs_custom")
        assert "does not say its datum" in said(site, "dem10m.tif", "crs_datum_unknown")
        assert "0 may stand for no data" in said(site, "pfl_bathymetry.tif", "nodata_undeclared")

    def test_ozaukee_datum_twins(self) -> None:
        site = opened("1-midwest/ozaukee-bluff-wi")
        zipped = layer(site, "oz-crest.zip/Oz_BluffCrest_WTM.shp")
        assert zipped.crs.to_epsg() == 3069  # type: ignore[union-attr]
        assert len(zipped.frame) == 175
        words = said(site, zipped.provenance.file, "datum_differs")
        assert "'North American Datum 1927'" in words
        assert "'World Geodetic System 1984" in words
        assert "0 features" in said(site, "bluff_area.geojson", "no_features")
        assert "datums      2 of them" in inventory(site)
        counts = sorted(len(d.frame) for d in site.datasets if "kenosha" in d.provenance.file)
        assert counts == [23, 26]

    def test_minnesota_dem(self) -> None:
        site = opened("1-midwest/lidar-dem-1m-mn")
        assert said(site, "dem.tif", "vertical_unit_unstated")
        assert "zero is declared as nodata" in said(site, "sink.tif", "nodata_zero")

    def test_county_roads_without_prj(self) -> None:
        site = opened("1-midwest/csah-roads-mn-noprj")
        roads = layer(site, "csah.shp")
        assert (len(roads.frame), roads.provenance.features_null) == (124, 24)
        assert "24 features without geometry" in said(site, "csah.shp", "geometry_null")
        assert said(site, "csah.shp", "crs_missing")
        assert "Too few points in geometry component 1" in inventory(site)
        given = opened("1-midwest/csah-roads-mn-noprj", "EPSG:26915")
        assert given.layers["roads"].usable.shape[0] == 100

    def test_a_web_page_named_geojson(self) -> None:
        site = opened("1-midwest/outagamie-landuse-wi")
        (reason,) = refused(site).values()
        assert "this is a web page" in reason
        assert "download" in reason


# ----------------------------------------------------------------- 1b. other real layers


@pytest.mark.usefixtures("shared_data")
class TestElsewhere:
    def test_kentucky_storm_sewers(self) -> None:
        site = opened("2-real-us/uk-campus-storm-sewer-ky")
        counts = sorted(len(d.frame) for d in site.datasets)
        assert counts == [15, 67, 3189, 5192]
        assert said(site, "STM_Subwatersheds_py.geojson", "has_z")

    def test_mecklenburg_grid(self) -> None:
        site = opened("2-real-us/mecklenburg-nc")
        grid = site.layers["grid"]
        assert len(grid.frame) == 716
        assert {"A34", "Z30"} <= set(grid.frame["label"])
        assert len(layer(site, "wetlands.geojson").frame) == 2015

    def test_harris_degenerate_rings_do_not_kill_the_layer(self) -> None:
        site = opened("2-real-us/harris-nfhl-tx")
        zones = layer(site, "fema_flood_zones.geojson")
        assert (len(zones.frame), zones.provenance.features_null) == (250, 9)
        assert "9 features with a broken geometry" in said(
            site, "fema_flood_zones.geojson", "geometry_undecodable"
        )
        assert "58 of 250 features are invalid" in inventory(site)
        assert site.layers["floodplain"].frame["zone"].value_counts()["AE"] == 173

    def test_dallas(self) -> None:
        site = opened("2-real-us/dallas-floodplain-tx")
        assert len(layer(site, "floodplain.geojson").frame) == 4576
        assert "416 features with an empty" in said(site, "floodplain.geojson", "geometry_empty")
        assert "Self-intersection" in inventory(site)

    def test_mesa_verde_epoch_dates(self) -> None:
        site = opened("2-real-us/mesa-verde-ssurgo-nhd-co")
        assert "milliseconds" in said(site, "Flowline_layer.fgb", "date_as_number")
        counts = sorted(len(d.frame) for d in site.datasets)
        assert counts == [10, 11, 423, 445]
        assert any("." in column for d in site.datasets for column in d.frame.columns)

    def test_delmarva_invalid(self) -> None:
        assert "51 of 441 features are invalid" in inventory(
            opened("2-real-us/delmarva-wetlands-md")
        )

    def test_geodatabase_with_tables(self) -> None:
        site = opened("2-real-us/neversink-nhdplus-hr-ny")
        file = "NHDPlus_HR_1.gdb"
        assert len(layer(site, file, "NHDFlowline").frame) == 489
        tables = [
            d for d in site.datasets if any(o.kind == "no_geometry" for o in d.provenance.oddities)
        ]
        assert len(tables) == 2

    def test_survey_without_prj(self) -> None:
        site = opened("2-real-us/shapelib-survey-noprj")
        assert site.crs is None
        assert {len(d.frame) for d in site.datasets} == {122, 815, 460, 474}
        for file in ("brklinz.shp", "masspntz.shp"):
            assert said(site, file, "crs_missing")
            assert said(site, file, "has_z")

    def test_philadelphia_nulls(self) -> None:
        site = opened("2-real-us/philadelphia-contours-pa")
        assert "5 features without geometry" in said(
            site, "reprojected_contours.shp", "geometry_null"
        )
        # 22 records with dead space between them, 4 of them deleted, 5 of the rest null
        found = layer(site, "contours.shp")
        assert (len(found.frame), found.provenance.features_null) == (18, 5)
        assert "4 records of 22" in said(site, "contours.shp", "records_deleted")

    def test_local_and_foot_rasters(self) -> None:
        site = opened("2-real-us/dem-localcs")
        assert "tied to no place on earth" in said(site, "DEM.tif", "crs_local")
        site = opened("2-real-us/pysheds-dem")
        roi = next(r for r in site.rasters if r.provenance.file == "roi.tif")
        assert roi.vertical_unit is None  # 30 ft cells say nothing about heights
        assert said(site, "roi.tif", "vertical_unit_unstated")

    def test_logan(self) -> None:
        site = opened("2-real-us/logan-ut")
        assert "0 bytes" in refused(site)["raster_tif_invalid.tif"]
        assert "no dataset" in refused(site)["bad-folder.zip"]
        assert said(site, "watersheds.shp", "crs_missing")
        assert "rebuilt from the 51" in said(site, "states_invalid.zip/states.shp", "shx_rebuilt")

    def test_methow_without_prj(self) -> None:
        site = opened("2-real-us/methow-streams-wa-noprj")
        assert len(layer(site, "Methow_Network.shp").frame) == 720
        assert said(site, "Methow_Network.shp", "crs_missing")

    def test_ethiopian_contours(self) -> None:
        site = opened("2-real-other/contours-15m-et")
        assert sorted(len(d.frame) for d in site.datasets) == [103, 606]
