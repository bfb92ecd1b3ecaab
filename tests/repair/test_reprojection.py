"""Reprojection: an outline that touches itself stays sound, or the dataset stays where it is."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import geopandas as gpd
import pyproj
import pytest
import shapely
from pyproj import Transformer
from shapely.geometry import Polygon

from sitemap.fix import fix_site
from sitemap.intake.assemble import open_site
from sitemap.ordinance import load_ordinance
from sitemap.repair.geometry import ROUNDING_FT, divided_at_touch
from tests.clean_ground import CRS, EAST_FT, NORTH_FT, NOW
from tests.conftest import SHARED_DATA
from tests.repair.on_disk import DATA_RULES, copy_of, fixed, kinds, one, rules, write_site

HAIR_DEG = 1e-11  # 4e-6 ft: a notch ends this far above the edge below it


def notched(width_ft: float, floor: float = 0.0) -> Polygon:
    """In degrees: a south edge along a parallel, and a notch from the north down onto its middle.

    floor is the share of the width that the foot of the notch takes.

    The parallel is an arc in a conic projection. Its middle lies w^2 sin(lat) / (8 R cos(lat))
    south of the straight edge between its ends: 5e-5 ft for 100 ft, 0.02 ft for 2,000 ft.
    """
    to_degrees = Transformer.from_crs(CRS, "EPSG:4326", always_xy=True)
    lon, lat = to_degrees.transform(EAST_FT + 100.0, NORTH_FT + 100.0)
    east = to_degrees.transform(EAST_FT + 100.0 + width_ft, NORTH_FT + 100.0)[0]
    north = to_degrees.transform(EAST_FT + 100.0, NORTH_FT + 200.0)[1]
    middle, off, foot = (lon + east) / 2, (east - lon) / 10, (east - lon) * floor / 2
    tip = [(middle + foot, lat + HAIR_DEG), (middle - foot, lat + HAIR_DEG)]
    off += foot
    return Polygon(
        [(lon, lat), (east, lat), (east, north), (middle + off, north),
         *tip[: 2 if floor else 1], (middle - off, north), (lon, north)]
    )  # fmt: skip


def submission(folder: Path, shape: Polygon) -> Path:
    """The clean site with that one wetland, in degrees."""
    written = write_site(folder, crs={"wetlands": "EPSG:4326"}, toml=DATA_RULES)
    frame = gpd.read_file(written / "wetlands.shp").iloc[:1]
    frame.geometry = [shape]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame.to_file(written / "wetlands.shp", engine="pyogrio")
    return written


def test_an_outline_that_reprojection_lets_cross_itself_by_rounding_is_cut_at_the_touch(
    tmp_path: Path,
) -> None:
    drawn = notched(100.0)
    assert drawn.is_valid
    account = fixed(submission(tmp_path / "in", drawn), tmp_path / "out")  # no new finding
    change = one(account, "touch divided", "wetlands")
    assert change.made
    assert change.acres_after == pytest.approx(change.acres_before, abs=1e-6)
    mended = copy_of(tmp_path / "out").layers["wetlands"].frame.geometry.iloc[0]
    assert mended.is_valid
    # 100 by 100 ft without a triangle of 20 by 100 ft; meridians lean by a degree here
    assert mended.area == pytest.approx(100 * 100 - 20 * 100 / 2, rel=1e-3)


def test_a_dataset_with_an_outline_that_would_really_cross_itself_stays_in_its_own_crs(
    tmp_path: Path,
) -> None:
    """1,000 ft of the notch would come to lie up to 0.02 ft south of the edge."""
    drawn = notched(2000.0, floor=0.5)
    assert drawn.is_valid
    account = fixed(submission(tmp_path / "in", drawn), tmp_path / "out")
    change = one(account, "reprojected", "wetlands")
    assert "record 0 is valid as drawn and would cross itself" in change.refused
    assert "touch divided" not in kinds(account)
    kept = copy_of(tmp_path / "out").layers["wetlands"].members[0].frame
    assert kept.crs.to_epsg() == 4326
    assert shapely.equals_exact(kept.geometry.iloc[0].normalize(), drawn.normalize(), 1e-12)


@pytest.mark.parametrize(("past_ft", "divided"), [(ROUNDING_FT / 4, True), (0.04, False)])
def test_only_what_rounding_did_is_divided(past_ft: float, divided: bool) -> None:
    """A notch with a foot of 20 ft past the far edge: 0.005 or 0.8 sq ft, of 700 ft round."""
    notch = [(65, 100), (60, -past_ft), (40, -past_ft), (35, 100)]
    shape = Polygon([(0, 0), (100, 0), (100, 100), *notch, (0, 100)])
    assert not shape.is_valid
    made = divided_at_touch(shape)
    assert (made is not None) is divided
    if made is not None:
        assert made.is_valid
        assert made.area == pytest.approx(100 * 100 - (20 + 30) * 100 / 2, abs=0.02)


def test_a_bow_tie_is_no_matter_of_rounding() -> None:
    """No point of its outline would move, and yet its area, nothing as drawn, would be 5,000."""
    assert divided_at_touch(Polygon([(0, 0), (100, 100), (100, 0), (0, 100)])) is None


def test_a_dataset_whose_crs_is_found_wrong_is_never_reprojected_by_it(tmp_path: Path) -> None:
    """Feet of the State Plane that say they are metres: 23 acres would become 250, far away, and
    the error that tells it (CRS008) would be gone with the .prj."""
    written = write_site(
        tmp_path / "in", toml={"check": {"select": ["CRS002", "CRS003", "CRS008", "DST002"]}}
    )
    prj = written / "disturbance.prj"
    text = prj.read_text()
    assert text.count('UNIT["US survey foot",0.304800609601219]') == 1
    prj.write_text(text.replace('UNIT["US survey foot",0.304800609601219]', 'UNIT["Meter",1.0]'))
    account = fixed(written, tmp_path / "out")
    change = one(account, "reprojected", "disturbance")
    assert "finds that its CRS is wrong" in change.refused
    assert account.further_unsafe == 0
    assert account.comparison is not None
    assert "CRS008" in rules(tuple(after for _, after in account.comparison.stayed))
    kept = copy_of(tmp_path / "out").layers["disturbance"].members[0].frame
    assert kept.total_bounds == pytest.approx(
        gpd.read_file(written / "disturbance.shp").total_bounds
    )


def test_a_rough_transformation_is_not_mended_by_making_it(tmp_path: Path) -> None:
    """WGS 84 to NAD83(2011) is known to 2 m: CRS005 says so, and the copy is no better."""
    written = write_site(
        tmp_path / "in", crs={"roads": "EPSG:4326"}, toml={"check": {"select": ["CRS005"]}}
    )
    account = fixed(written, tmp_path / "out")
    assert one(account, "reprojected", "roads").made
    assert account.comparison is not None
    assert rules(account.comparison.left_out) == ["CRS005"]
    assert account.comparison.gone == ()


def test_the_scale_that_the_copys_site_toml_brings_is_no_harm_done(tmp_path: Path) -> None:
    """A folder states no sheet and SCL005 asks; its copy is judged on the default sheet."""
    written = write_site(tmp_path / "in", {"disturbance": far}, toml={})
    (written / "site.toml").unlink()
    account = fixed(written, tmp_path / "out")  # nothing new
    assert account.comparison is not None
    assert "SCL005" in rules(account.comparison.revealed)


def far(columns: dict[str, Any]) -> None:
    """An area five miles off, which makes the map too large for a sheet."""
    columns["geometry"] = [
        shapely.union(columns["geometry"][0], shapely.box(EAST_FT, NORTH_FT + 26400.0,
                                                          EAST_FT + 500.0, NORTH_FT + 26900.0))
    ]  # fmt: skip


def test_a_site_outside_state_plane_keeps_its_feet(tmp_path: Path) -> None:
    """The map of a site in Madrid is in feet of UTM, which no register holds."""
    home = tmp_path / "in"
    home.mkdir()
    drawn = shapely.box(-3.7000, 40.4000, -3.6980, 40.4020)
    frame = gpd.GeoDataFrame({"name": ["a"]}, geometry=[drawn], crs=4326)
    frame.to_file(home / "boundary.geojson", engine="pyogrio")
    account = fixed(home, tmp_path / "out")
    assert account.rounds == 1
    copy = copy_of(tmp_path / "out")
    assert copy.boundary is not None
    geod = pyproj.Geod(ellps="WGS84")
    square_metres = abs(geod.geometry_area_perimeter(drawn)[0])
    # the scale of UTM is 0.9996 on its central meridian and 3 W lies 0.7 degrees east of it
    assert copy.boundary.area * 0.3048**2 == pytest.approx(square_metres, rel=1e-3)


@pytest.mark.real_data
def test_real_flood_zones_are_reprojected_and_stay_sound(tmp_path: Path) -> None:
    """Three outlines of 4,576 touch themselves within rounding, and crossed themselves once."""
    home = SHARED_DATA / "2-real-us/dallas-floodplain-tx"
    site = open_site(home)
    drawn = site.datasets[0].frame.geometry.to_numpy()
    packs = [load_ordinance("muskego")]
    account = fix_site(site, packs, tmp_path / "out", submission=home, now=NOW)
    assert account.comparison is not None
    assert account.comparison.new == ()
    divided = [c for c in account.repairs.made if c.kind == "touch divided"]
    assert {c.source.feature for c in divided} == {918, 1308, 2048}
    copied = copy_of(tmp_path / "out").datasets[0].frame.geometry.to_numpy()
    assert shapely.is_valid(copied).sum() >= shapely.is_valid(drawn[~shapely.is_empty(drawn)]).sum()
