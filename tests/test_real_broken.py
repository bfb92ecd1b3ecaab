"""Real broken and exotic files: the word for each odd thing that the notes on the data name."""

from __future__ import annotations

import pytest

from sitemap.intake.assemble import open_site
from tests.conftest import SHARED_DATA
from tests.test_real_data import inventory, layer, opened, refused, said

pytestmark = pytest.mark.real_data


# ----------------------------------------------------------------- 1c. broken and exotic


@pytest.mark.usefixtures("shared_data")
class TestBroken:
    def test_prj_oddities(self) -> None:
        site = opened("3-broken/shapefile-js")
        assert "saved web page" in said(site, "htmlprj.shp", "companion_web_page")
        assert "saved web page" in said(site, "htmlcpg.shp", "companion_web_page")
        site = opened("3-broken/gdal-shp")
        assert layer(site, "prjwithutf8bom.shp").crs is not None
        assert "another case" in said(site, "testshp/poly.shp", "companion_case")
        site = opened("3-broken/mapshaper")
        assert "degrees under a projected CRS" in said(
            site, "issue-193/three_points.shp", "crs_contradicts_coordinates"
        )

    @pytest.mark.parametrize(
        "name",
        [
            "iso-8859-1",
            "iso-8859-1_ldid",
            "latin1",
            "system_encoding",
            "utf8",
            "windows-1252",
            "windows-1252_ldid",
        ],
    )
    def test_umlauts_in_every_encoding(self, name: str) -> None:
        site = opened("3-broken/qgis-encoding")
        assert list(layer(site, f"{name}.shp").frame["text"]) == ["äöü"]

    def test_umlauts_in_an_archive(self) -> None:
        site = opened("3-broken/qgis-encoding")
        files = [d.provenance.file for d in site.datasets if ".zip/" in d.provenance.file]
        assert files
        assert all("äöü" in list(layer(site, file).frame["text"]) for file in files)

    @pytest.mark.parametrize(
        ("folder", "file", "encoding", "text"),
        [
            ("mapshaper", "dbf/cpg/big5.shp", None, "國語"),
            ("mapshaper", "dbf/ldid/chinese.shp", None, "简体"),
            ("shapefile-rs", "file_cp936.shp", None, "测试中文"),
            ("geotools-shp", "chinese_poly.shp", "GBK", "黑龙江省"),
            ("shapefile-js", "codepage.shp", None, "Hněvošický háj"),
            ("pyshp", "latin1.shp", None, "Ñandú"),
        ],
    )
    def test_other_scripts(self, folder: str, file: str, encoding: str | None, text: str) -> None:
        root = SHARED_DATA / "3-broken" / folder
        path = next(root.rglob(file.rsplit("/", 1)[-1])) if encoding is None else root / file
        (found,) = open_site(path, encoding=encoding).datasets
        cells = {
            str(value)
            for column in found.frame.columns
            if found.frame[column].dtype == object and column != "geometry"
            for value in found.frame[column]
        }
        assert any(text in cell for cell in cells), sorted(cells)[:5]

    def test_chinese_without_declaration_is_doubted_with_the_likely_reading(self) -> None:
        site = opened("3-broken/geotools-shp")
        assert "黑龙江省" in said(site, "chinese_poly.shp", "encoding_doubtful")

    def test_every_missing_shx_is_rebuilt(self) -> None:
        site = opened("3-broken/nts-shapefile")
        rebuilt = [
            d.provenance.file
            for d in site.datasets
            if any(o.kind == "shx_rebuilt" for o in d.provenance.oddities)
        ]
        assert len(rebuilt) >= 17
        assert len(layer(site, "Issue167.shp").frame) == 201
        assert "not a shapefile" in refused(site)["christchurch-canterbury-h.shp"]
        assert not list((SHARED_DATA / "3-broken" / "nts-shapefile").glob("Issue167.shx"))

    def test_archives_without_parts(self) -> None:
        site = opened("3-broken/shapefile-js")
        assert said(site, "no-dbf.zip/no-dbf.shp", "dbf_missing")
        assert "without geometry" in said(site, "noshp.zip/counties.dbf", "shp_missing")
        assert "not a zip archive" in refused(site)["badzip.zip"]
        assert refused(site)["bad.shp"]

    def test_corrupt_records_are_null_and_said(self) -> None:
        site = opened("3-broken/gdal-shp")
        for file in ("buggymultipoint.shp", "buggymultiline.shp", "buggymultipoly.shp"):
            assert "broken geometry" in said(site, file, "geometry_undecodable")
        assert "does not fit" in said(site, "buggypoint.shp", "shx_rebuilt")
        assert layer(site, "buggypoint.shp").frame.geometry.iloc[0].x == 500_000

    def test_nan_inf_and_empties(self) -> None:
        site = opened("3-broken/geopackage-validator")
        assert "45 features with an empty geometry" in said(
            site, "test_geometry_empty.gpkg", "geometry_empty"
        )
        assert said(site, "test_geometry_null.gpkg", "geometry_null")
        assert "gpkg_contents" in refused(site)["test_broken_geopackage.gpkg"]
        site = opened("3-broken/gdal-shp")
        assert said(site, "bigoffset.shp", "coordinate_wild")
        assert "0 features" in said(site, "empty.shp", "no_features")
        assert "not a number" in said(site, "pointnan.shp", "declared_extent_wrong")
        site = opened("3-broken/mapshaper")
        assert said(site, "issue-invalid_coords/invalid_coordinates.shp", "coordinate_wild")

    def test_invalid_rings(self) -> None:
        text = inventory(opened("3-broken/geofileops"))
        assert "70 of 70 features are invalid" in text

    def test_multipatch_tin_and_curves(self) -> None:
        assert said(opened("3-broken/shapelib"), "multipatch.shp", "multipatch_converted")
        assert said(opened("3-broken/fiona"), "test_tin.shp", "multipatch_converted")
        site = opened("3-broken/gdal-filegdb")
        assert "MULTISURFACE" in said(site, "curves.gdb", "curves_linearised")
        assert "MULTICURVE" in said(site, "curve_circle_by_center.gdb", "curves_linearised")
        assert said(site, "geometry_testdata.gdb.zip/Geometrietest.gdb", "curves_linearised")
        assert "COMPOUNDCURVE" in said(
            opened("3-broken/pyogrio"), "curve.gpkg", "curves_linearised"
        )

    def test_mixed_types(self) -> None:
        site = opened("3-broken/gdal-shp")
        file = "mixed_shape_type_non_conformant.shp"
        assert "PolyLine" in said(site, file, "type_differs_from_header")
        assert said(site, file, "mixed_types")
        assert said(opened("3-broken/fiona"), "trio.geojson", "mixed_types")

    def test_an_exclamation_mark_is_no_archive(self) -> None:
        assert len(layer(opened("3-broken/fiona"), "!test.geojson").frame) > 0

    def test_geopackage_crs(self) -> None:
        site = opened("3-broken/mapshaper")
        assert said(site, "gpkg/null_crs_gdal.gpkg", "crs_missing")
        assert said(site, "gpkg/missing_crs_mixed_ranges.gpkg", "crs_missing")
        assert "(-180, -90) to (180, 90)" in said(
            site, "gpkg/Oregon_customCRS.gpkg", "declared_extent_wrong"
        )
        assert "no registered code" in said(site, "gpkg/Oregon_customCRS.gpkg", "crs_custom")
        site = opened("3-broken/geotools-gpkg")
        assert "tiles" in refused(site)["giantPoly.gpkg"]

    def test_geodatabases(self) -> None:
        site = opened("3-broken/gdal-filegdb")
        by_file: dict[str, int] = {}
        for d in site.datasets:
            by_file[d.provenance.file] = by_file.get(d.provenance.file, 0) + 1
        assert by_file["testopenfilegdb.gdb.zip/testopenfilegdb.gdb"] == 37
        assert by_file["testopenfilegdb92.gdb.zip/testopenfilegdb92.gdb"] == 22
        assert by_file["featuredataset.gdb"] == 4

    def test_archives_nested_and_several(self) -> None:
        site = opened("3-broken/mapshaper")
        assert any(
            "zip inside a zip" in reason
            for file, reason in refused(site).items()
            if "in-zip" in file
        )
        assert len(layer(site, "features-zip/points.zip/points/points.shp").frame) > 0
        site = opened("3-broken/pyshp")
        several = [d for d in site.datasets if "multishapefile" in d.provenance.file]
        assert len(several) == 2
        site = opened("3-broken/qgis-zip")
        assert "testzip.zip/folder/folder2/landsat_b2.tif" in {
            r.provenance.file for r in site.rasters
        }

    def test_rasters(self) -> None:
        site = opened("3-broken/geotools-geotiff")
        undeclared = [
            r.provenance.file
            for r in site.rasters
            if any(o.kind == "nodata_undeclared" for o in r.provenance.oddities)
        ]
        assert undeclared  # esri_pe_string: near-max floats that nobody declared
        site = opened("3-broken/gdal-geotiff")
        kinds = {o.kind for r in site.rasters for o in r.provenance.oddities}
        assert {"raster_control_points", "nodata_odd"} <= kinds
        site = opened("3-broken/rasterio")
        kinds = {o.kind for r in site.rasters for o in r.provenance.oddities}
        assert {"raster_rotated", "raster_all_nodata"} <= kinds
        assert "cells cannot" in said(
            opened("3-broken/node-gdal"), "truncated.tiff", "raster_cells_unreadable"
        )
