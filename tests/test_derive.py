"""sitemap derive: layers by role that check reads back, the account, inputs left alone."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyogrio
import pytest
import shapely

import sitemap
from sitemap.cli import app
from sitemap.derived import write_derived
from sitemap.errors import SurfaceError, UsageError
from sitemap.intake.assemble import open_site
from sitemap.measures.contours import contours_of
from sitemap.measures.sheets import sheet_layout
from sitemap.places import map_extent
from sitemap.plate.map_frame import map_frame
from sitemap.plate.site_grid import site_grid, submitted_grid
from sitemap.site import Site
from sitemap.terrain.contours import derive_contours
from sitemap.terrain.ground import ground_of
from tests.intake.makers import X0, Y0, frame, square, write
from tests.terrain.grounds import write_raster

NOW = dt.date(2026, 11, 30)


@pytest.fixture(scope="module")
def sample(root: Path) -> Site:
    return open_site(root / "sample_sites" / "kettle-ridge" / "site.toml")


def submission(folder: Path, *, unit: str | None = "US survey foot", rise: float = 0.08) -> Path:
    """A boundary of 600 ft and an elevation raster around it that falls to the south."""
    from affine import Affine

    write(frame([square(600.0)]), folder / "boundary.shp")
    write(frame([square(200.0, 200.0, 200.0)], id=["D-1"]), folder / "disturbance.shp")
    y = (np.arange(200)[::-1] + 0.5) * 5.0 - 200.0
    z = np.repeat((801.0 + rise * y)[:, None], 200, axis=1)
    grid = Affine(5.0, 0.0, X0 - 200.0, 0.0, -5.0, Y0 + 800.0)
    write_raster(folder / "elevation.tif", z, grid, dtype="float64", unit=unit)
    return folder


def layers(file: Path) -> dict[str, gpd.GeoDataFrame]:
    return {name: gpd.read_file(file, layer=name) for name, _ in pyogrio.list_layers(file)}


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    from typer.testing import CliRunner

    done = CliRunner().invoke(app, ["derive", str(folder), "--now", "2026-11-30", *arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_the_layers_are_read_back_by_role(tmp_path: Path) -> None:
    submission(tmp_path / "in")
    code, words = run(tmp_path / "in", "-o", str(tmp_path / "out" / "deep"), "--interval", "2")
    assert code == 0, words
    made = layers(tmp_path / "out" / "deep" / "derived.gpkg")
    levels = made["contours_existing"]["elevation_ft"]
    assert set(np.unique(levels % 2.0)) == {0.0}
    again = open_site(tmp_path / "out" / "deep" / "derived.gpkg")
    roles = {dataset.provenance.layer: dataset.role for dataset in again.datasets}
    for name in ("contours_existing", "drainage_areas", "flow_arrows", "grid"):
        assert roles[name] == name
    assert again.role("contours_existing").frame["elevation"].min() == levels.min()
    assert not [o for d in again.datasets for o in d.provenance.oddities if d.role]


def test_the_account_says_source_unit_operation_tolerance_and_voids(tmp_path: Path) -> None:
    submission(tmp_path / "in")
    run(tmp_path / "in", "-o", str(tmp_path / "out"))
    text = (tmp_path / "out" / "derived.txt").read_text()
    assert "elevation raster elevation.tif; heights in ftUS (band unit of the file)" in text
    assert "0.0 % void" in text
    assert "operation: none" in text
    assert "standard error not stated" in text
    assert "lines moved at most 0.5 ft" in text
    # the frame at 1 in = 40 ft and 20 ft on either side are 822 ft: 830 ft of cells, at 8 %
    assert "surface range 66.4 ft" in text
    assert "steep_slopes\n  existing ground: slopes of 20 % and more" in text
    assert "none, the steepest is 8.0 %" in text


def test_cells_that_are_large_for_the_site_are_said(tmp_path: Path) -> None:
    """600 ft of site on cells of 40 ft are 225 of them; on cells of 5 ft nothing is said."""
    from affine import Affine

    fine, coarse = submission(tmp_path / "fine"), submission(tmp_path / "coarse")
    y = (np.arange(25)[::-1] + 0.5) * 40.0 - 200.0
    z = np.repeat((801.0 + 0.08 * y)[:, None], 25, axis=1)
    grid = Affine(40.0, 0.0, X0 - 200.0, 0.0, -40.0, Y0 + 800.0)
    write_raster(coarse / "elevation.tif", z, grid, dtype="float64", unit="US survey foot")
    words = {}
    for folder in (fine, coarse):
        run(folder, "-o", str(folder / "out"), "--only", "contours")
        words[folder] = (folder / "out" / "derived.txt").read_text()
    assert "the site has only 225 cells of 40 ft" in words[coarse]
    assert "the error taken is that of lidar" in words[coarse]
    assert "the site has only" not in words[fine]
    assert "the error taken" not in words[fine]


def test_flat_ground_is_said_and_makes_no_layer(tmp_path: Path) -> None:
    submission(tmp_path / "in", rise=0.001)
    code, words = run(
        tmp_path / "in", "-o", str(tmp_path / "out"), "--only", "contours", "--interval", "5"
    )
    assert code == 0
    assert "interval 5 ft: 0 contours" in words
    assert "layers: none" in words
    assert not (tmp_path / "out" / "derived.gpkg").exists()


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    submission(tmp_path / "in")
    run(tmp_path / "in", "-o", str(tmp_path / "out"), "--only", "contours,grid")
    assert set(layers(tmp_path / "out" / "derived.gpkg")) == {"contours_existing", "grid"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "shade"], "--only shade: accepted are contours, slopes, drainage"),
        (["--interval", "10"], "over the 5 ft that the ordinance allows"),
        (["--interval", "-1"], "give a number of feet over 0"),
        (["--now", "soon"], "not a date"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, arguments: list[str], words: str) -> None:
    submission(tmp_path / "in")
    with pytest.raises((SurfaceError, UsageError), match=words):
        run(tmp_path / "in", "-o", str(tmp_path / "out"), *arguments)
    assert not (tmp_path / "out").exists()


def test_an_unstated_unit_is_asked_for(tmp_path: Path) -> None:
    submission(tmp_path / "in", unit=None)
    with pytest.raises(SurfaceError, match="cannot be told apart by the horizontal unit"):
        run(tmp_path / "in", "-o", str(tmp_path / "out"), "--only", "contours")
    run(tmp_path / "in", "-o", str(tmp_path / "out"), "--only", "grid")  # needs no heights


def test_inputs_are_never_written_to(tmp_path: Path) -> None:
    submission(tmp_path / "in")
    run(tmp_path / "in", "-o", str(tmp_path / "out"))
    before = (tmp_path / "out" / "derived.gpkg").read_bytes()
    with pytest.raises(UsageError, match="never written to"):
        run(tmp_path / "out" / "derived.gpkg", "-o", str(tmp_path / "out"), "--only", "grid")
    derived = sitemap.derive_layers(open_site(tmp_path / "out" / "derived.gpkg"), only=["grid"])
    with pytest.raises(UsageError, match="never written to"):
        write_derived(
            derived, tmp_path / "out", submission=tmp_path / "out" / "derived.gpkg", now=NOW
        )
    assert (tmp_path / "out" / "derived.gpkg").read_bytes() == before
    with pytest.raises(UsageError, match="this is a file"):
        run(tmp_path / "in", "-o", str(tmp_path / "out" / "derived.txt"))


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    submission(tmp_path / "in")
    for name in ("one", "two"):
        run(tmp_path / "in", "-o", str(tmp_path / name))
    for file in ("derived.gpkg", "derived.txt"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_derived_contours_pass_the_check_they_are_made_for(tmp_path: Path) -> None:
    """Derived layers put into the submission agree with its surface and keep the interval."""
    folder = submission(tmp_path / "in")
    run(folder, "-o", str(tmp_path / "out"), "--only", "contours", "--interval", "2")
    shutil.copy(tmp_path / "out" / "derived.gpkg", folder / "derived.gpkg")
    checked = sitemap.check_site(open_site(folder), now=NOW)
    status = {o.rule: o.status.value for o in checked.outcomes}
    for rule in ("CON001", "CON002", "CON004", "CON006"):
        assert status[rule] == "passed", rule


def test_the_grid_is_the_plates(sample: Site) -> None:
    pack = sitemap.load_ordinance(None, sample)
    derived = sitemap.derive_layers(sample, pack, only=["grid"])
    (layer,) = derived.layers
    plate = sample.project.plate
    shown = map_frame(sample, pack, sheet_layout(plate.sheet), plate.scale)
    expected = site_grid(shown, submitted=submitted_grid(sample))
    assert list(layer.frame["label"]) == list(expected.labels)
    assert tuple(layer.frame.total_bounds) == expected.bounds_ft


def test_kettle_ridge_contours_agree_with_its_own(sample: Site) -> None:
    """The sample's contours were drawn from the formula on a 2.5 ft grid; ours from 5 ft cells.

    Inside the mapped extent nine tenths of the length lie within 2.5 ft of each other, and the
    heights of all within half an interval.
    """
    surface = ground_of(sample).existing
    made = derive_contours(surface, 2.0, within=map_extent(sample))
    own = sample.role("contours_existing").frame
    theirs = contours_of(own.geometry.to_numpy(), own["elevation"].to_numpy(dtype=float))
    extent = shapely.box(*map_extent(sample))
    for level in (820.0, 830.0, 840.0):
        a = shapely.intersection(shapely.union_all(made.lines[made.levels_ft == level]), extent)
        b = shapely.intersection(shapely.union_all(theirs.lines[theirs.levels_ft == level]), extent)
        for one, other in ((a, b), (b, a)):
            near = shapely.intersection(one, shapely.buffer(other, 2.5)).length
            assert near > 0.9 * one.length, level
    xy = shapely.get_coordinates(theirs.lines)
    level = np.repeat(theirs.levels_ft, shapely.get_num_coordinates(theirs.lines))
    off = np.abs(surface.heights_at(xy) - level)
    assert np.nanpercentile(off, 99) < 1.0
    assert np.nanmedian(off) < 0.1


def test_kettle_ridge_drains_to_its_outfalls(sample: Site) -> None:
    derived = sitemap.derive_layers(sample, only=["drainage"])
    made = {layer.name: layer.frame for layer in derived.layers}
    areas = made["drainage_areas"]
    assert {"OF-1", "OF-2", "OF-3"} <= set(areas["outfall"])
    own = sample.role("drainage_areas").frame
    for outfall in ("OF-1", "OF-2", "OF-3"):
        mine = areas[areas["outfall"] == outfall].union_all()
        theirs = own[own["outfall"] == outfall].union_all()
        shared = mine.intersection(theirs).area / theirs.area
        # theirs are followed on the designer's own 2.5 ft grid and cut at the boundary; contours of
        # 2 ft show no swale between lots, and the street's gutters only where they cross them
        least = 0.95 if outfall == "OF-3" else 0.75  # OF-3 lies at the end of diversion DV-1
        assert shared > least, f"{outfall}: {shared:.0%} of the designer's area"
        on_site = mine.intersection(sample.boundary)
        strange = on_site.difference(theirs).area / on_site.area
        assert strange < 0.2, f"{outfall}: {strange:.0%} of ours is not the designer's"
    assert shapely.area(areas.geometry).sum() / 43_560.0 == pytest.approx(
        areas["acres"].sum(), abs=0.05
    )
    arrows = made["flow_arrows"]
    assert set(arrows["from_area"]) <= set(areas["id"])
    assert (arrows["slope_pct"] > 0).all()


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "unit", "lowest_ft", "highest_ft"),
    [
        ("1-midwest/lidar-dem-1m-mn/dem.tif", "m", 1200.0, 1400.0),
        ("1-midwest/pleasant-lake-wi/dem40m.tif", "m", 900.0, 1400.0),
        ("1-midwest/plainfield-lakes-wi/dem10m.tif", "m", 1000.0, 1300.0),
        ("1-midwest/nicolet-wi/dem.tif", "m", 1100.0, 1700.0),
        ("2-real-us/dem-alexandria-va/dtm.tif", "m", 0.0, 100.0),
        ("2-real-us/pysheds-dem/dem.tif", "m", 400.0, 1100.0),  # whole metres, degrees
        ("2-real-us/pysheds-dem/roi.tif", "ft", 900.0, 1400.0),  # feet, stated nowhere
    ],
)
def test_real_elevation(
    shared_data: Path, tmp_path: Path, file: str, unit: str, lowest_ft: float, highest_ft: float
) -> None:
    """Asked for its unit, then contoured: fills are voids, levels exact."""
    toml = tmp_path / "site.toml"
    table = f'[[layers.elevation]]\npath = "{shared_data / file}"\n'
    toml.write_text(table)
    assert "cannot be told apart" in ground_of(open_site(toml)).why_no_existing
    toml.write_text(f'{table}unit = "{unit}"\n')
    site = open_site(toml)
    surface = ground_of(site).existing
    assert surface is not None, ground_of(site).why_no_existing
    low, high = surface.range_ft
    assert lowest_ft < low < high < highest_ft
    assert 0.0 <= surface.void_pct < 10.0
    made = derive_contours(surface, 5.0)
    assert len(made) > 10
    assert set(np.unique(made.levels_ft % 5.0)) == {0.0}


@pytest.mark.real_data
def test_real_sink_where_zero_is_nodata(shared_data: Path, tmp_path: Path) -> None:
    """Zero is declared as nodata: cut out, in percent, and never a height of 0 ft."""
    toml = tmp_path / "site.toml"
    path = shared_data / "1-midwest" / "lidar-dem-1m-mn" / "sink.tif"
    toml.write_text(f'[[layers.elevation]]\npath = "{path}"\nunit = "m"\n')
    surface = ground_of(open_site(toml)).existing
    assert 30.0 < surface.void_pct < 60.0
    assert surface.range_ft[0] > 1000.0
