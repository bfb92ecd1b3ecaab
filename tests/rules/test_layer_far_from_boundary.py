"""CRS003: far layers, and the mistake of datum, unit or zone that brings each home."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import pytest
import shapely

from sitemap.crs import Crs, parse_crs, to_crs
from sitemap.intake.assemble import open_site
from sitemap.rules.layer_far_from_boundary import layer_far_from_boundary as rule
from sitemap.rules.rule import Checked, NotApplicable, Skip
from sitemap.site import RoleLayer, Site
from tests.clean_site import (
    CRS,
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    moved,
    passes,
    rectangle,
    run,
    set_geometry,
    with_layer,
    without,
)

NO_CASE: dict[str, str] = {}


def mislabelled(site: Site, role: str, true: str, says: str) -> Site:
    """The site when a role's numbers are of one system and its file says another."""
    return reread(site, role, lambda frame: to_crs(frame, parse_crs(true))[0], parse_crs(says))


def reread(
    site: Site, role: str, change: Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame], says: Crs
) -> Site:
    frame = layer_frame(role, clean_features()[role])
    own = change(frame)
    own = gpd.GeoDataFrame(own.drop(columns="geometry"), geometry=own.geometry.to_numpy(), crs=says)
    member = dataset(own, file=f"{role}.shp", role=role, spec=site.catalogue[role])
    merged = RoleLayer(role, to_crs(own, CRS)[0], (member,))
    bare = without(site, role)
    return replace(bare, layers={**bare.layers, role: merged}, datasets=(*bare.datasets, member))


def test_passes_when_all_layers_meet_the_site() -> None:
    assert passes(rule, clean_site())


def test_found_nad27_read_as_nad83() -> None:
    """The two Wisconsin South zones lie 31,523 ft apart here (by PROJ's Helmert, within 12 m).

    The westernmost control stands 138 ft inside the boundary's west edge and the boundary is
    800 ft wide: 31,523 + 138 - 800 = 30,861 ft lie between them.
    """
    (fault,) = faults_of(rule, mislabelled(clean_site(), "controls", "EPSG:32054", "EPSG:6609"))
    assert fault.message.startswith("controls.shp lies 30,861 ft (5.8 mi) east")
    assert "east of the boundary; it says NAD83(2011) / Wisconsin South" in fault.message
    assert "Read as NAD27 / Wisconsin South (EPSG:32054) it would meet the boundary" in (
        fault.message
    )
    assert "the datum is North American Datum 1927" in fault.message
    assert 'crs = "EPSG:32054"' in fault.how_to_fix
    assert fault.measured.value == pytest.approx(30_861, abs=1)
    assert fault.limit.value == 50  # controls are built on the site
    assert fault.geometry.distance(clean_site().boundary) == pytest.approx(
        fault.measured.value, abs=1
    )


def test_found_metres_read_as_feet() -> None:
    (fault,) = faults_of(rule, mislabelled(clean_site(), "streams", "EPSG:6608", "EPSG:6609"))
    assert "the unit is m, not ftUS" in fault.message
    assert fault.limit.value == 1320  # a stream may be off the site, up to a quarter mile


def test_found_the_neighbouring_zone() -> None:
    (fault,) = faults_of(rule, mislabelled(clean_site(), "roads", "EPSG:6605", "EPSG:6609"))
    assert "the zone or system is Wisconsin Central" in fault.message


def test_found_the_neighbouring_utm_zone() -> None:
    (fault,) = faults_of(rule, mislabelled(clean_site(), "roads", "EPSG:26916", "EPSG:26915"))
    assert "the zone or system is UTM zone 16N" in fault.message


def test_found_numbers_divided_in_a_system_without_a_code() -> None:
    """A custom system has no twin in metres; the factor 3.2808 alone explains it."""
    custom = "+proj=tmerc +lat_0=42 +lon_0=-88.5 +x_0=500000 +units=us-ft +ellps=GRS80 +type=crs"

    def in_metres(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
        placed = to_crs(frame, parse_crs(custom))[0]
        shapes = shapely.transform(placed.geometry.to_numpy(), lambda xy: xy * 1200 / 3937)
        return placed.set_geometry(gpd.GeoSeries(shapes, index=placed.index))

    (fault,) = faults_of(rule, reread(clean_site(), "controls", in_metres, parse_crs(custom)))
    assert "multiplied by 3.2808 it would meet the boundary" in fault.message
    assert "the numbers are in metres" in fault.message


def test_found_the_wrong_foot_by_fitting_corners() -> None:
    """2 parts in a million of 2,469,500 ft are 4.9 ft: no distance shows it, corners do."""
    site = with_layer(
        clean_site(),
        "disturbance",
        {"geometry": [rectangle(0, 0, 800, 600)], "id": ["D-1"]},
    )
    assert passes(rule, site)
    off = moved(rectangle(0, 0, 800, 600), 0, 0)
    off = shapely.transform(off, lambda xy: xy * 1.000002)  # international numbers, said survey
    (fault,) = faults_of(rule, set_geometry(site, "disturbance", 0, off))
    assert fault.measured.value == pytest.approx(5.0, abs=0.1)
    assert "4 corners of the boundary fit" in fault.message
    assert "international foot" in fault.message


def test_found_with_the_offset_that_each_reading_implies() -> None:
    (fault,) = faults_of(rule, mislabelled(clean_site(), "controls", "EPSG:32054", "EPSG:6609"))
    assert "it would meet the boundary (moved 31,5" in fault.message
    assert " ft west and " in fault.message


def test_found_a_datum_slip_that_stays_on_the_site() -> None:
    """UTM on NAD27 read as NAD83 lies 708 ft south-south-east, within a quarter mile.

    Four corners of the drainage areas are corners of the disturbance, on one datum only.
    """
    wrong = mislabelled(clean_site(), "drainage_areas", "EPSG:26716", "EPSG:26916")
    (fault,) = faults_of(rule, wrong)
    assert fault.message.startswith(
        "drainage_areas.shp says NAD83 / UTM zone 16N (EPSG:26916), but it fits the site read as "
        "NAD27 / UTM zone 16N (EPSG:26716): moved 26 ft west and 707 ft north, 4 corners"
    )
    assert 'crs = "EPSG:26716"' in fault.how_to_fix
    assert fault.measured.value == pytest.approx(708, abs=1)


def test_passes_utm_on_the_datum_that_it_states() -> None:
    assert passes(rule, mislabelled(clean_site(), "drainage_areas", "EPSG:26916", "EPSG:26916"))


def test_says_so_where_nothing_tells_the_datum() -> None:
    """A road alone in UTM touches nothing: either datum may be right."""
    for true in ("EPSG:26716", "EPSG:26916"):
        said = run(rule, mislabelled(clean_site(), "roads", true, "EPSG:26916"))
        words = " ".join(s.words for s in said if isinstance(s, Checked))
        assert "roads.shp would lie 708 ft off if it were NAD27 / UTM zone 16N" in words
        assert "nothing here tells which it is" in words


@pytest.mark.real_data
def test_found_the_bluff_crest_on_nad27_read_as_nad83(shared_data: Path, tmp_path: Path) -> None:
    """EPSG:3069 read as 3070 lies 19,993 m west and 20,216 m south: 65,593 and 66,325 ft."""
    folder = shared_data / "1-midwest" / "ozaukee-bluff-wi"
    crest = gpd.read_file(folder / "oz-crest.zip")
    crest.set_crs(3070, allow_override=True).to_file(tmp_path / "roads.gpkg")
    town = gpd.read_file(folder / "Grafton_Boundary.geojson").to_crs(6609)
    town[["geometry"]].assign(name="site").to_file(tmp_path / "site_boundary.gpkg")
    faults = faults_of(rule, open_site(tmp_path))
    (fault,) = [f for f in faults if "NAD27 / Wisconsin Transverse Mercator" in f.message]
    assert "(EPSG:3069) it would meet the boundary (moved 65,59" in fault.message
    east, north = (
        float(n.replace(",", ""))
        for n in re.findall(r"([\d,]+) ft (?:east|north)\b", fault.message)[-2:]
    )
    assert (east, north) == pytest.approx((65_593, 66_325), abs=60)  # 12 m by PROJ's Helmert


def test_found_far_without_an_explanation() -> None:
    """Three miles north in the right system: a wrong file, not a wrong CRS."""
    far = moved(clean_features()["outfalls"]["geometry"][0], 0, 15_840 + 450)
    (fault,) = faults_of(rule, set_geometry(clean_site(), "outfalls", 0, far))
    assert "(3.0 mi) north of the boundary" in fault.message
    assert "No other datum, unit or neighbouring zone" in fault.message


def test_found_on_the_boundary_when_all_others_lie_together() -> None:
    """One finding on the boundary, not one on each of the others."""
    (fault,) = faults_of(rule, mislabelled(clean_site(), "boundary", "EPSG:32054", "EPSG:6609"))
    assert fault.role == "boundary"
    others = len(clean_site().layers) - 1
    assert f"from the {others} other datasets, which lie together" in fault.message
    assert "NAD27 / Wisconsin South (EPSG:32054)" in fault.message
    assert len(fault.related) == others


def test_at_the_limit_a_control_fifty_feet_off_passes() -> None:
    site = clean_site()
    for record in range(len(site.layers["controls"])):
        site = set_geometry(site, "controls", record, rectangle(850, 0, 900, 50))
    assert passes(rule, site)


def test_just_over_the_limit_is_found() -> None:
    site = clean_site()
    for record in range(len(site.layers["controls"])):
        site = set_geometry(site, "controls", record, rectangle(850.2, 0, 900, 50))
    (fault,) = faults_of(rule, site)
    assert fault.role == "controls"


def test_numbers_that_contradict_their_crs_are_left_to_crs002() -> None:
    assert passes(rule, mislabelled(clean_site(), "roads", "EPSG:4326", "EPSG:6609"))


def test_not_applicable_when_the_boundary_is_alone() -> None:
    site = clean_site()
    alone = without(site, *(role for role in site.layers if role != "boundary"))
    assert isinstance(run(rule, alone)[0], NotApplicable)


def test_skipped_without_a_boundary() -> None:
    assert isinstance(run(rule, without(clean_site(), "boundary"))[0], Skip)


@pytest.mark.parametrize("closed", [True, False])
def test_what_lies_inside_a_boundary_sent_as_a_line_is_on_the_site(closed: bool) -> None:
    """CAD sends outlines as lines; 100 ft inside is not 100 ft off, gap or no gap."""
    ring = clean_site().boundary.exterior.coords[:]
    line = shapely.LineString(ring if closed else ring[:-1])
    assert passes(rule, set_geometry(clean_site(), "boundary", 0, line))
