"""Raster headers: placement, nodata and vertical unit as stated, never as assumed."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
from rasterio.control import GroundControlPoint
from rasterio.transform import Affine

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.layer import Raster
from sitemap.rules.file_unreadable import file_unreadable
from tests.clean_site import faults_of
from tests.intake.makers import X0, Y0, frame, words, write, zipped

GRID = Affine(10, 0, X0, 0, -10, Y0 + 1000)


def heights() -> np.ndarray:
    """A slope from 800 to 900."""
    return np.linspace(800, 900, 2500, dtype="float32").reshape(50, 50)


def tif(path: Path, cells: np.ndarray, unit: str = "", **options: Any) -> Path:
    profile = {"crs": "EPSG:6609", "transform": GRID, **options}
    bands = cells if cells.ndim == 3 else cells[np.newaxis]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(
            path,
            "w",
            driver="GTiff",
            width=bands.shape[2],
            height=bands.shape[1],
            count=bands.shape[0],
            dtype=bands.dtype,
            **profile,
        ) as out:
            out.write(bands)
            if unit:
                out.units = (unit,)
    return path


def opened(path: Path) -> Raster:
    (raster,) = open_site(path).rasters
    return raster


def kinds(raster: Raster) -> set[str]:
    return {oddity.kind for oddity in raster.provenance.oddities}


def test_header_role_and_unit_of_the_band(tmp_path: Path) -> None:
    raster = opened(tif(tmp_path / "dem.tif", heights(), "US survey foot", nodata=-9999))
    assert raster.role == "elevation"
    assert (raster.width, raster.height, raster.cell_size) == (50, 50, (10.0, 10.0))
    assert raster.bounds == (X0, Y0 + 500, X0 + 500, Y0 + 1000)
    assert (raster.vertical_unit, raster.nodata) == ("US survey foot", -9999.0)
    assert kinds(raster) == {"vertical_datum_unstated"}


def test_a_unit_is_never_taken_from_the_plan(tmp_path: Path) -> None:
    site = open_site(tif(tmp_path / "dem.tif", heights()))
    assert site.rasters[0].vertical_unit is None
    assert "cannot be told apart" in words(site, "vertical_unit_unstated")


def test_a_compound_crs_states_unit_and_datum(tmp_path: Path) -> None:
    raster = opened(tif(tmp_path / "dem.tif", heights(), crs="EPSG:6609+6360"))
    assert raster.vertical_datum == "NAVD88 height (ftUS)"
    assert raster.vertical_unit == "US survey foot"


def test_site_toml_states_the_unit(tmp_path: Path) -> None:
    tif(tmp_path / "ground.tif", heights())
    (tmp_path / "site.toml").write_text(
        '[layers]\nelevation = { path = "ground.tif", unit = "ft" }', encoding="utf-8"
    )
    (raster,) = open_site(tmp_path).rasters
    assert (raster.role, raster.vertical_unit, raster.choice.named) == ("elevation", "ft", True)
    assert "vertical_unit_unstated" not in kinds(raster)


@pytest.mark.parametrize(
    ("fill", "options", "kind"),
    [
        (-3.4028235e38, {}, "nodata_undeclared"),
        (np.nan, {}, "nodata_undeclared"),
        (0.0, {}, "nodata_undeclared"),
        (-9999.0, {"nodata": -9999.0}, None),
        (0.0, {"nodata": 0.0}, "nodata_zero"),
        (float("-inf"), {"nodata": float("-inf")}, "nodata_odd"),
        (-9999.0, {}, "nodata_undeclared"),
        (-9999.0, {"nodata": -32768.0}, "nodata_undeclared"),
        (-3.4028235e38, {"nodata": -9999.0}, "nodata_undeclared"),
        (65535.0, {}, "nodata_undeclared"),
    ],
)
def test_fill_values(
    tmp_path: Path, fill: float, options: dict[str, float], kind: str | None
) -> None:
    cells = heights()
    cells[:10] = fill
    raster = opened(tif(tmp_path / "dem.tif", cells, "ft", **options))
    assert kinds(raster) - {"vertical_datum_unstated"} == ({kind} if kind else set())


@pytest.mark.parametrize("fill", [0.0, -999.0, 9999.0, -9999.0])
def test_a_fill_far_from_all_heights_is_kept_beside_them(tmp_path: Path, fill: float) -> None:
    """heights() lie within a few feet of each other: no ground joins them to the fill."""
    cells = heights()
    cells[:10] = fill
    assert opened(tif(tmp_path / "dem.tif", cells, "ft")).fill == fill
    assert opened(tif(tmp_path / "own.tif", cells, "ft", nodata=fill)).fill is None
    assert opened(tif(tmp_path / "all.tif", heights(), "ft")).fill is None


def test_ground_that_reaches_zero_is_not_called_empty(tmp_path: Path) -> None:
    cells = np.linspace(0, 100, 2500, dtype="float32").reshape(50, 50)
    assert "nodata_undeclared" not in kinds(opened(tif(tmp_path / "dem.tif", cells)))
    assert opened(tif(tmp_path / "dem.tif", cells)).fill is None


def test_a_height_that_some_program_takes_for_a_gap_is_a_height_among_its_like(
    tmp_path: Path,
) -> None:
    cells = np.linspace(9000, 10_000, 2501, dtype="float32")[:2500].reshape(50, 50)
    cells[7, 7] = 9999.0
    assert "nodata_undeclared" not in kinds(opened(tif(tmp_path / "dem.tif", cells)))


def test_gaps_that_are_not_declared_are_a_finding(tmp_path: Path) -> None:
    cells = heights()
    cells[:10] = -9999.0
    tif(tmp_path / "dem.tif", cells, "ft")
    (fault,) = faults_of(file_unreadable, open_site(tmp_path))
    assert "dem.tif does not declare the value of its gaps: cells of -9999" in fault.message
    assert fault.severity is Severity.ERROR


@pytest.mark.parametrize(
    "grid",
    [
        Affine(1, 0, X0, 0, 1, Y0),  # rows run north
        Affine(-1, 0, X0 + 50, 0, -1, Y0 + 50),  # columns run west
        Affine(-1, 0, X0 + 50, 0, 1, Y0),
        Affine(0, 1, X0, 1, 0, Y0),  # a quarter turn
    ],
)
def test_the_extent_of_a_raster_that_does_not_begin_in_the_north_west(
    grid: Affine, tmp_path: Path
) -> None:
    raster = opened(tif(tmp_path / "dem.tif", heights(), transform=grid))
    assert raster.bounds == (X0, Y0, X0 + 50, Y0 + 50)


def test_the_extent_of_a_rotated_raster_holds_its_corners(tmp_path: Path) -> None:
    grid = Affine.translation(X0, Y0) @ Affine.rotation(30)
    bounds = opened(tif(tmp_path / "dem.tif", heights(), transform=grid)).bounds
    far = 50 * np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])
    assert bounds == pytest.approx((X0 - far[1], Y0, X0 + far[0], Y0 + far.sum()))


def test_a_raster_packed_with_backslashes_is_read(tmp_path: Path) -> None:
    content = tif(tmp_path / "dem.tif", heights(), "ft").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        info = zipfile.ZipInfo()
        info.filename = "GIS\\dem.tif"
        archive.writestr(info, content)
    raster = opened(tmp_path / "a.zip")
    assert (raster.provenance.file, raster.width) == ("GIS/dem.tif", 50)


def test_rasters_without_a_place(tmp_path: Path) -> None:
    tif(tmp_path / "a.tif", heights(), crs=None, transform=Affine.identity())
    tif(tmp_path / "b.tif", heights(), crs=None)
    tif(tmp_path / "c.tif", heights(), transform=GRID @ Affine.rotation(20))
    corners = [
        GroundControlPoint(row, col, X0 + col, Y0 - row) for row in (0, 50) for col in (0, 50)
    ]
    tif(tmp_path / "d.tif", heights(), transform=None, crs="EPSG:6609", gcps=corners)
    found = {r.provenance.file: kinds(r) for r in open_site(tmp_path).rasters}
    assert found["a.tif"] >= {"raster_not_placed", "crs_missing"}
    assert "crs_missing" in found["b.tif"]
    assert "raster_rotated" in found["c.tif"]
    assert "raster_control_points" in found["d.tif"]


def test_pictures_are_no_heights(tmp_path: Path) -> None:
    cells = np.zeros((3, 20, 20), dtype="uint8")
    raster = opened(tif(tmp_path / "ortho_dem.tif", cells, photometric="RGB"))
    assert raster.role == "aerial"  # an orthophoto, whatever "dem" in its name says
    assert "raster_is_picture" in kinds(raster)
    (tmp_path / "other").mkdir()
    scan = opened(tif(tmp_path / "other" / "dem.tif", cells, photometric="RGB"))
    assert scan.role is None


def test_a_cut_off_raster_keeps_its_header(tmp_path: Path) -> None:
    path = tif(tmp_path / "dem.tif", heights())
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    raster = opened(path)
    assert "raster_cells_unreadable" in kinds(raster)
    assert raster.width == 50


@pytest.mark.parametrize("tiles", [{"tiled": True, "blockxsize": 256, "blockysize": 256}, {}])
def test_of_a_large_raster_the_far_corners_are_looked_at(tmp_path: Path, tiles: Any) -> None:
    """2,100 by 2,100 cells without overviews: void in its last rows, then cut off in them."""
    cells = np.full((2100, 2100), 800.0, dtype="float32")
    cells[2048:] = np.nan
    path = tif(tmp_path / "dem.tif", cells, **tiles)
    assert "nodata_undeclared" in kinds(opened(path))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - 200_000])
    assert "raster_cells_unreadable" in kinds(opened(path))


def test_a_raster_in_an_archive_can_be_read_after_opening(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    tif(tmp_path / "in" / "dem.tif", heights())
    raster = opened(zipped(tmp_path / "in", tmp_path / "a b!.zip", "deep/er/"))
    with rasterio.open(raster.path) as source:
        assert source.read(1).max() == 900


def test_the_boundary_not_the_raster_gives_the_crs(tmp_path: Path) -> None:
    tif(tmp_path / "dem.tif", heights(), crs="EPSG:26916")
    write(frame(), tmp_path / "boundary.shp")
    assert "boundary" in open_site(tmp_path).crs_reason


def test_an_ascii_grid_and_a_text_named_asc(tmp_path: Path) -> None:
    head = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
    (tmp_path / "dem.asc").write_text(head + "1 2\n3 4\n")
    (tmp_path / "letter.asc").write_text("-----BEGIN PGP MESSAGE-----")
    site = open_site(tmp_path)
    assert [r.provenance.file for r in site.rasters] == ["dem.asc"]
    assert site.ignored == ("letter.asc",)
