"""Rasters as surfaces: windows, tiles, units, fills, other coordinate systems."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rasterio
from affine import Affine

from sitemap.crs import parse_crs, transform_points
from sitemap.errors import SurfaceError
from sitemap.project import LayerPath, MapWishes, Project
from sitemap.terrain.mosaic import surface_from_rasters
from tests.terrain.grounds import CRS, EAST, NORTH, plane, raster, write_raster

GRID = Affine(5.0, 0.0, EAST, 0.0, -5.0, NORTH + 400.0)
ALL = (EAST, NORTH, EAST + 400.0, NORTH + 400.0)


def cells(count: int = 80) -> np.ndarray:
    centre = (np.arange(count) + 0.5) * 5.0
    return plane(*np.meshgrid(centre, centre[::-1]))


def in_feet(tmp_path: Path, **more: object) -> Path:
    return write_raster(tmp_path / "dem.tif", cells(), GRID, unit="US survey foot", **more)


def test_only_the_asked_window_and_cell_by_cell(tmp_path: Path) -> None:
    window = (EAST + 100.0, NORTH + 50.0, EAST + 202.0, NORTH + 120.0)
    found = surface_from_rasters([raster(in_feet(tmp_path))], CRS, window)
    assert found.bounds == (EAST + 100.0, NORTH + 50.0, EAST + 205.0, NORTH + 120.0)
    assert found.z_ft == pytest.approx(cells().astype("float32")[56:70, 20:41], abs=0)
    assert found.operation == "none"
    assert found.covered_pct == 100.0


def test_the_window_of_a_larger_map_says_how_much_is_covered(tmp_path: Path) -> None:
    window = (EAST - 400.0, NORTH, EAST + 400.0, NORTH + 400.0)
    found = surface_from_rasters([raster(in_feet(tmp_path))], CRS, window)
    assert found.covered_pct == pytest.approx(50.0)
    assert found.void_pct == 0.0, "the surface ends where the raster ends"


@pytest.mark.parametrize("size", [20, 27])
def test_tiling_changes_nothing(tmp_path: Path, size: int) -> None:
    whole = surface_from_rasters([raster(in_feet(tmp_path))], CRS, ALL)
    tiles = []
    for row in range(0, 80, size):
        for column in range(0, 80, size):
            part = cells()[row : row + size, column : column + size]
            place = GRID @ Affine.translation(column, row)
            name = tmp_path / f"tile_{row}_{column}.tif"
            tiles.append(raster(write_raster(name, part, place, unit="foot")))
    joined = surface_from_rasters(tiles, CRS, ALL)
    assert (joined.z_ft == whole.z_ft).all()
    assert joined.transform == whole.transform


def test_tiling_changes_nothing_where_the_tiles_are_sampled(tmp_path: Path) -> None:
    """Heights between the centres of two tiles come from both."""
    metres = Affine(2.0, 0.0, 687_000.0, 0.0, -2.0, 4_750_160.0)
    ground = 250.0 + 0.01 * np.arange(6400.0).reshape(80, 80)
    same = {"crs": "EPSG:26916", "unit": "metre"}
    one = raster(write_raster(tmp_path / "one.tif", ground, metres, **same))
    left = write_raster(tmp_path / "left.tif", ground[:, :33], metres, **same)
    place = metres @ Affine.translation(33, 0)
    right = write_raster(tmp_path / "right.tif", ground[:, 33:], place, **same)
    x, y = transform_points(
        np.array([687_020.0, 687_140.0]), np.array([4_750_020.0, 4_750_140.0]), one.crs, CRS
    )
    window = (float(x.min()), float(y.min()), float(x.max()), float(y.max()))
    whole = surface_from_rasters([one], CRS, window)
    joined = surface_from_rasters([raster(left), raster(right)], CRS, window)
    assert np.array_equal(joined.z_ft, whole.z_ft, equal_nan=True)
    assert joined.void_pct == 0.0


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("metre", 1 / 0.3048), ("foot", 1.0), ("US survey foot", 1.0)],
)
def test_the_unit_of_heights_changes_nothing_but_the_numbers(
    tmp_path: Path, unit: str, factor: float
) -> None:
    stated = cells() / factor
    path = write_raster(tmp_path / "dem.tif", stated, GRID, dtype="float64", unit=unit)
    found = surface_from_rasters([raster(path)], CRS, ALL)
    assert found.z_ft == pytest.approx(cells(), abs=1e-9)
    assert found.vertical_unit_how == "band unit of the file"


def test_tag_before_band_unit_before_site_toml(tmp_path: Path) -> None:
    both = raster(in_feet(tmp_path, tags={"VERTICAL_UNIT": "metre", "VERTICAL_DATUM": "NAVD88"}))
    said = Project(map=MapWishes(vertical_unit="ft"))
    found = surface_from_rasters([both], CRS, ALL, said)
    assert (found.vertical_unit, found.vertical_unit_how) == ("m", "tag of the file")
    assert found.datum == "NAVD88"
    assert any("the file's word is taken" in note for note in found.notes)


def test_band_tag_and_site_toml(tmp_path: Path) -> None:
    band = write_raster(tmp_path / "band.tif", cells(), GRID, band_tags={"units": "feet"})
    assert surface_from_rasters([raster(band)], CRS, ALL).vertical_unit_how == "tag of the band"
    bare = raster(write_raster(tmp_path / "bare.tif", cells(), GRID))
    layer = Project(layers={"elevation": (LayerPath(path="gis/bare.tif", unit="m"),)})
    found = surface_from_rasters([bare], CRS, ALL, layer)
    assert found.vertical_unit_how == "layer's unit in site.toml"
    assert found.range_ft[1] == pytest.approx(cells().max() / 0.3048, rel=1e-6)


def test_a_unit_stated_nowhere_is_asked_for(tmp_path: Path) -> None:
    """Also where a tag of the whole file could be about its coordinates."""
    bare = raster(write_raster(tmp_path / "bare.tif", cells(), GRID, tags={"units": "feet"}))
    with pytest.raises(SurfaceError, match="cannot be told apart by the horizontal unit"):
        surface_from_rasters([bare], CRS, ALL)


def test_the_stated_error(tmp_path: Path) -> None:
    tagged = raster(in_feet(tmp_path, tags={"VERTICAL_RMSE": "0.2"}))
    assert surface_from_rasters([tagged], CRS, ALL).stated_error_ft == pytest.approx(0.2)
    plain = raster(in_feet(tmp_path))
    said = Project(map=MapWishes(vertical_error_ft=0.5))
    assert surface_from_rasters([plain], CRS, ALL, said).stated_error_ft == 0.5
    unsaid = surface_from_rasters([plain], CRS, ALL)
    assert unsaid.stated_error_ft == pytest.approx(0.1 / 0.3048, abs=0.01)
    assert "not stated" in unsaid.error_how


@pytest.mark.parametrize("nodata", [-9999.0, 0.0, -3.4028230607370965e38, float("nan"), None])
def test_voids_by_declaration_and_by_fill(tmp_path: Path, nodata: float | None) -> None:
    """Declared nodata and near-max fill are both voids, alone and together."""
    z = cells()
    z[10:20, 10:30] = -3.4028234663852886e38 if nodata is None else nodata
    z[40:50, 0:5] = 3.4e38
    path = write_raster(tmp_path / "dem.tif", z, GRID, nodata=nodata, unit="foot")
    found = surface_from_rasters([raster(path)], CRS, ALL)
    assert np.isnan(found.z_ft).sum() == 10 * 20 + 10 * 5
    assert found.range_ft[0] > 800.0


@pytest.mark.parametrize("unit", ["foot", "m"])
@pytest.mark.parametrize("fill", [-9999.0, -32768.0, 65535.0])
def test_a_fill_value_that_nobody_declared_is_no_height(
    tmp_path: Path, fill: float, unit: str
) -> None:
    """No land on earth lies at any of them; Death Valley (-282 ft) does."""
    z = cells()
    z[10:20, 10:30] = fill
    z[0, 0] = -86.0 if unit == "m" else -282.0
    found = surface_from_rasters(
        [raster(write_raster(tmp_path / "dem.tif", z, GRID, unit=unit))], CRS, ALL
    )
    assert np.isnan(found.z_ft).sum() == 10 * 20
    assert found.range_ft[0] == pytest.approx(-282.0, abs=0.2)


def test_whole_numbers_scale_and_offset(tmp_path: Path) -> None:
    stored = np.arange(100).reshape(10, 10)
    path = write_raster(tmp_path / "dem.tif", stored, GRID, dtype="int16", nodata=-32768, unit="m")
    with rasterio.open(path, "r+") as file:
        file.scales, file.offsets = (0.1,), (200.0,)
    found = surface_from_rasters([raster(path)], CRS, ALL)
    assert found.range_ft == pytest.approx((200.0 / 0.3048, 209.9 / 0.3048))


@pytest.mark.parametrize(
    ("dtype", "unit", "scale", "error_ft"),
    [
        ("int16", "metre", 1.0, 0.947),  # 3.2808 ft over the square root of 12
        ("int16", "US survey foot", 1.0, 0.33),  # 0.289 ft: lidar is not better
        ("int16", "metre", 0.01, 0.33),
        ("float32", "metre", 1.0, 0.33),
    ],
)
def test_whole_numbers_are_no_better_known_than_they_are_rounded(
    tmp_path: Path, dtype: str, unit: str, scale: float, error_ft: float
) -> None:
    z = np.round(cells() / 100.0 / scale) + 100.0
    source = write_raster(tmp_path / "dem.tif", z, GRID, unit=unit, dtype=dtype)
    with rasterio.open(source, "r+") as file:
        file.scales = (scale,)
    found = surface_from_rasters([raster(source)], CRS, ALL)
    assert found.stated_error_ft == pytest.approx(error_ft, abs=0.001)
    assert ("rounded to 3.28 ft" in found.error_how) is (error_ft > 0.9)


@pytest.mark.parametrize("fill", [0.0, -999.0, 9999.0])
@pytest.mark.parametrize("oblong", [False, True])
def test_a_fill_within_the_heights_of_land_is_no_height_and_is_told(
    tmp_path: Path, fill: float, oblong: bool
) -> None:
    """No cliff to it, also where cells are sampled between others (their cells being oblong)."""
    z = cells()
    z[10:20, 10:30] = fill
    grid = GRID @ Affine.scale(1.0, 0.8) if oblong else GRID  # no square cells: they are sampled
    source = write_raster(tmp_path / "dem.tif", z, grid, unit="US survey foot")
    found = surface_from_rasters([replace(raster(source), fill=fill)], CRS, ALL)
    known = found.z_ft[np.isfinite(found.z_ft)]
    assert cells().min() - 0.01 <= known.min()
    assert known.max() <= cells().max() + 0.01
    assert 2.9 < found.void_pct < 5.0, "200 of 6,400 cells, and those beside them"
    (note,) = found.notes
    assert note.startswith(f"dem.tif: cells of {fill:.4g} are taken for voids")


def test_the_finer_raster_counts_and_the_coarser_fills(tmp_path: Path) -> None:
    fine = write_raster(tmp_path / "fine.tif", np.full((40, 40), 900.0), GRID, unit="foot")
    wide = Affine(20.0, 0.0, EAST, 0.0, -20.0, NORTH + 400.0)
    coarse = write_raster(tmp_path / "coarse.tif", np.full((20, 20), 800.0), wide, unit="foot")
    found = surface_from_rasters([raster(coarse), raster(fine)], CRS, ALL)
    assert found.cell_ft == 5.0
    assert (found.z_ft[:40, :40] == 900.0).all()
    assert np.nanmin(found.z_ft) == pytest.approx(800.0)


def test_overviews_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = in_feet(tmp_path)
    with rasterio.open(path, "r+") as file:
        file.build_overviews([2, 4], rasterio.enums.Resampling.nearest)
    monkeypatch.setattr("sitemap.terrain.mosaic.MOST_CELLS", 400)
    found = surface_from_rasters([raster(path)], CRS, ALL)
    assert found.cell_ft == 20.0
    means = cells().astype("float32").astype(float).reshape(20, 4, 20, 4).mean(axis=(1, 3))
    assert found.z_ft == pytest.approx(means, abs=1e-9)
    assert "4 by 4 cells are averaged" in found.notes[0]


def test_another_system_is_sampled_through_the_operation_of_the_vectors(tmp_path: Path) -> None:
    """A plane in UTM metres: its heights at State Plane places, and the operation in words."""
    utm = parse_crs("EPSG:26916")
    grid = Affine(1.0, 0.0, 687_000.0, 0.0, -1.0, 4_750_200.0)
    x, y = np.meshgrid(687_000.5 + np.arange(200), 4_750_199.5 - np.arange(200))
    z = 250.0 + 0.02 * (x - 687_000.0) + 0.01 * (y - 4_750_000.0)
    path = write_raster(
        tmp_path / "utm.tif", z, grid, crs="EPSG:26916", unit="metre", dtype="float64"
    )
    px, py = np.array([687_040.0, 687_150.0]), np.array([4_750_050.0, 4_750_150.0])
    sx, sy = transform_points(px, py, utm, CRS)
    window = (sx.min() - 20.0, sy.min() - 20.0, sx.max() + 20.0, sy.max() + 20.0)
    found = surface_from_rasters([raster(path)], CRS, window)
    assert found.cell_ft == pytest.approx(3937 / 1200)
    expected = (250.0 + 0.02 * (px - 687_000.0) + 0.01 * (py - 4_750_000.0)) / 0.3048
    assert found.heights_at(np.column_stack([sx, sy])) == pytest.approx(expected, abs=1e-3)
    assert "EPSG:26916" in found.operation
    assert "EPSG:6609" in found.operation


def test_a_rotated_raster_is_sampled(tmp_path: Path) -> None:
    turned = Affine.translation(EAST + 200.0, NORTH) @ Affine.rotation(45.0) @ Affine.scale(5.0)
    column, row = np.meshgrid(np.arange(60) + 0.5, np.arange(60) + 0.5)
    x, y = (
        turned.a * column + turned.b * row + turned.c - EAST,
        turned.d * column + turned.e * row + turned.f - NORTH,
    )
    path = write_raster(tmp_path / "t.tif", plane(x, y), turned, unit="foot", dtype="float64")
    found = surface_from_rasters([raster(path)], CRS, ALL)
    at = np.array([[EAST + 200.0, NORTH + 200.0]])
    assert found.heights_at(at)[0] == pytest.approx(plane(np.array(200.0), np.array(200.0)))


def test_a_raster_that_lies_elsewhere_is_said(tmp_path: Path) -> None:
    away = (EAST + 10_000.0, NORTH, EAST + 10_400.0, NORTH + 400.0)
    with pytest.raises(SurfaceError, match=r"no cell with a height lies on the map"):
        surface_from_rasters([raster(in_feet(tmp_path))], CRS, away)


def test_a_billion_cells_cost_only_their_window(tmp_path: Path) -> None:
    """A sparse raster of 40,000 by 30,000 cells: neither its size nor its place is felt."""
    path = tmp_path / "huge.tif"
    options = {"tiled": True, "blockxsize": 512, "blockysize": 512, "sparse_ok": True}
    grid = Affine(1.0, 0.0, EAST, 0.0, -1.0, NORTH + 30_000.0)
    with rasterio.open(
        path, "w", driver="GTiff", height=30_000, width=40_000, count=1, dtype="float32",
        crs="EPSG:6609", transform=grid, nodata=-9999.0, **options,
    ) as file:  # fmt: skip
        block = np.full((512, 512), 812.5, dtype="float32")
        file.write(block, 1, window=rasterio.windows.Window(20_480, 15_360, 512, 512))
        file.set_band_unit(1, "foot")
    x, y = EAST + 20_500.0, NORTH + 30_000.0 - 15_380.0
    tracemalloc.start()
    start = time.perf_counter()
    found = surface_from_rasters([raster(path)], CRS, (x, y - 200.0, x + 300.0, y))
    seconds = time.perf_counter() - start
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.z_ft.shape == (200, 300)
    assert (found.z_ft == 812.5).all()
    assert peak < 20e6, "1.2e9 cells of 4 bytes would be 4.8 GB"
    assert seconds < 10


@pytest.mark.parametrize("shift", [(0.0, 0.0), (13.7, -4.2), (100.0, 55.5)])
def test_a_place_has_one_height_whatever_the_window(
    tmp_path: Path, shift: tuple[float, float]
) -> None:
    """Sampled from metres: the cells lie on round multiples of their side, not on the window."""
    rng = np.random.default_rng(3)
    grid = Affine(1.0, 0.0, 687_000.0, 0.0, -1.0, 4_750_200.0)
    ground = rng.normal(250.0, 2.0, (200, 200))
    one = raster(write_raster(tmp_path / "m.tif", ground, grid, crs="EPSG:26916", unit="metre"))
    x, y = transform_points(np.array([687_060.0]), np.array([4_750_060.0]), one.crs, CRS)
    first = (x[0], y[0], x[0] + 200.0, y[0] + 200.0)
    east, north = shift
    moved = (first[0] + east, first[1] + north, first[2] + east, first[3] + north)
    at = np.column_stack([rng.uniform(x[0] + 120, x[0] + 190, 50), np.full(50, y[0] + 120.0)])
    heights = [surface_from_rasters([one], CRS, w).heights_at(at) for w in (first, moved)]
    assert np.isfinite(heights[0]).all()
    assert heights[1] == pytest.approx(heights[0], abs=1e-4)
