"""Coordinate systems against known points and published factors (regulation.md section 6)."""

from __future__ import annotations

from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely

from sitemap.crs import (
    Crs,
    choose_site_crs,
    convergence_deg,
    crs_code,
    crs_label,
    datum_name,
    for_files,
    grid_scale_factor,
    is_in_feet,
    is_plain,
    is_web_mercator,
    linear_unit,
    lonlat,
    parse_crs,
    plan_transformation,
    proj_text,
    same_crs,
    state_plane_in_feet,
    to_crs,
    transform_points,
)
from sitemap.errors import CrsError
from sitemap.units import LengthUnit

# Point -88.130, 42.905 in each system, from regulation.md section 6.3.
E_6609, N_6609 = 2469479.66, 335463.34


def _point(x: float, y: float, code: int) -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame(geometry=[shapely.Point(x, y)], crs=code)


@pytest.mark.parametrize(
    ("x", "y", "code", "within_ft"),
    [
        (-88.130, 42.905, 6318, 0.02),
        (672657.26, 271961.57, 3071, 0.05),  # HARN to 2011 is a ballpark without grids: no shift
        (710454.62, 122315.18, 7642, 0.02),
        (E_6609, N_6609, 6609, 0.0),
    ],
)
def test_known_points_land_where_they_should(
    x: float, y: float, code: int, within_ft: float
) -> None:
    moved, _ = to_crs(_point(x, y, code), parse_crs(6609))
    assert moved.geometry.x[0] == pytest.approx(E_6609, abs=within_ft)
    assert moved.geometry.y[0] == pytest.approx(N_6609, abs=within_ft)


def test_heights_are_left_alone_when_the_plan_moves() -> None:
    frame = gpd.GeoDataFrame(
        geometry=[shapely.LineString([(-88.13, 42.905, 842.5), (-88.12, 42.905, 838.0)])], crs=6318
    )
    moved, _ = to_crs(frame, parse_crs(6609))
    assert shapely.get_coordinates(moved.geometry, include_z=True)[:, 2].tolist() == [842.5, 838.0]


def test_a_transformation_says_operation_and_accuracy() -> None:
    account = plan_transformation(
        parse_crs(6609), parse_crs(7642), (2447777, 311309, 2488781, 348644)
    )
    assert account.accuracy_m == 0.0
    assert not account.ballpark
    assert "WISCRS Waukesha" in account.operation


def test_a_ballpark_transformation_is_called_one_and_names_the_missing_grid() -> None:
    account = plan_transformation(
        parse_crs(3071), parse_crs(6609), (666044, 264601, 678538, 275978)
    )
    assert account.ballpark
    assert account.accuracy_m is None
    assert any("nadcon5" in grid for grid in account.missing_grids)
    assert "BALLPARK" in str(account)


def test_nad27_takes_a_real_operation_before_a_ballpark_one() -> None:
    box = (2479290, 311305, 2520295, 348640)
    account = plan_transformation(parse_crs(32054), parse_crs(6609), box)
    assert not account.ballpark
    assert account.accuracy_m is not None
    assert account.accuracy_m > 1.0  # no grid here: metres, and it must be said


def test_no_crs_is_refused_not_guessed() -> None:
    with pytest.raises(CrsError, match="without a CRS"):
        to_crs(gpd.GeoDataFrame(geometry=[shapely.Point(0, 0)]), parse_crs(6609))


def test_convergence_and_scale_factor_at_muskego() -> None:
    assert convergence_deg(parse_crs(6609), E_6609, N_6609) == pytest.approx(1.285, abs=0.001)
    assert grid_scale_factor(parse_crs(6609), E_6609, N_6609) == pytest.approx(
        0.999969817, abs=1e-8
    )
    assert convergence_deg(parse_crs(7642), 710454.62, 122315.18) == pytest.approx(0.065, abs=0.001)


def test_units_of_axes_tell_the_feet_apart() -> None:
    assert linear_unit(parse_crs(6609)) is LengthUnit.US_SURVEY_FOOT
    assert linear_unit(parse_crs(2256)) is LengthUnit.FOOT  # Montana, international foot
    assert linear_unit(parse_crs(6608)) is LengthUnit.METRE
    assert linear_unit(parse_crs(4269)) is None
    assert is_in_feet(parse_crs(6609))
    assert not is_in_feet(parse_crs(3071))
    assert not is_in_feet(None)


def test_web_mercator_is_known_in_all_its_spellings() -> None:
    assert is_web_mercator(parse_crs(3857))
    assert is_web_mercator(parse_crs("ESRI:102100"))
    assert not is_web_mercator(parse_crs(3395))  # World Mercator on the ellipsoid
    assert not is_web_mercator(parse_crs(6609))


@pytest.mark.parametrize(
    ("lon", "lat", "code"),
    [(-88.13, 42.905, "EPSG:6609"), (-95.37, 29.76, "EPSG:6588"), (-75.16, 39.95, "EPSG:6565")],
)
def test_state_plane_zone_around_a_point(lon: float, lat: float, code: str) -> None:
    zone = state_plane_in_feet(lon, lat)
    assert zone is not None
    assert is_in_feet(zone)
    assert code in crs_label(zone) or lon == -75.16  # Philadelphia: Pennsylvania South, any feet


def test_there_is_no_state_plane_at_sea() -> None:
    assert state_plane_in_feet(-40.0, 30.0) is None


def test_site_crs_is_the_data_s_own_when_in_feet_else_state_plane() -> None:
    own, reason = choose_site_crs(parse_crs(7642), (710000, 122000, 711000, 123000))
    assert same_crs(own, parse_crs(7642))
    assert "already" in reason
    chosen, reason = choose_site_crs(parse_crs(3071), (672000, 271000, 673000, 272000))
    assert same_crs(chosen, parse_crs(6609))
    assert "State Plane" in reason


def test_outside_the_united_states_the_site_is_in_utm_feet() -> None:
    chosen, reason = choose_site_crs(parse_crs(4326), (38.7, 9.0, 38.8, 9.1))
    assert linear_unit(chosen) is LengthUnit.FOOT
    assert "UTM zone 37" in reason


def test_utm_in_feet_stays_on_the_datum_of_the_data() -> None:
    """A hop to WGS 84 would move the data of Alaska by metres that nobody knows."""
    data = parse_crs(26934)  # NAD83 / Alaska zone 4, in metres
    chosen, reason = choose_site_crs(data, (515000, 798000, 516000, 799000))
    assert chosen.name == "NAD83 / UTM zone 6N (ft)"
    assert "no State Plane zone in feet is registered at 61." in reason  # there is one in metres
    assert "+units=ft" in (proj_text(chosen) or "")
    assert is_plain(chosen)
    assert linear_unit(chosen) is LengthUnit.FOOT
    account = plan_transformation(data, chosen, (515000, 798000, 516000, 799000))
    assert (account.accuracy_m, account.ballpark) == (0.0, False)
    x, y = transform_points(515500.0, 798500.0, data, chosen)
    metres = transform_points(515500.0, 798500.0, data, parse_crs(26906))
    assert [float(x) * 0.3048, float(y) * 0.3048] == pytest.approx(
        [float(v) for v in metres], abs=1e-6
    )


def test_the_zone_of_the_data_goes_before_a_neighbour_whose_rectangle_reaches_here() -> None:
    """Philadelphia lies in the rectangle of New Jersey too, which is the smaller one."""
    metres = parse_crs(32129)  # NAD83 / Pennsylvania South
    chosen, reason = choose_site_crs(metres, (820000, 70000, 821000, 71000))
    assert chosen.name == "NAD83(2011) / Pennsylvania South (ftUS)"
    assert "--crs" not in reason
    chosen, reason = choose_site_crs(parse_crs(4269), (-75.2, 39.94, -75.19, 39.95))
    assert "it may lie in" in reason
    assert "Pennsylvania South" in reason + chosen.name
    assert "--crs" in reason


def test_numbers_outside_the_earth_are_refused_with_what_to_do() -> None:
    with pytest.raises(CrsError, match=r"outside the earth.*--crs"):
        choose_site_crs(parse_crs(4326), (2469000, 335000, 2470000, 336000))


def test_an_unknown_crs_says_what_is_accepted() -> None:
    with pytest.raises(CrsError, match="EPSG:6609"):
        parse_crs("Wisconsin, the southern part")


def test_lon_lat_keeps_the_datum() -> None:
    lon, lat = lonlat(np.array([E_6609]), np.array([N_6609]), parse_crs(6609))
    assert (lon[0], lat[0]) == pytest.approx((-88.130, 42.905), abs=1e-7)


@pytest.mark.parametrize("geometries", [[], [None]])
def test_a_layer_without_geometries_is_brought_into_any_crs(geometries: list[None]) -> None:
    empty = gpd.GeoDataFrame(geometry=gpd.GeoSeries(geometries, crs=4326))
    moved, account = to_crs(empty, parse_crs(6609))
    assert moved.crs.to_epsg() == 6609
    assert len(moved) == len(geometries)
    assert account.operation != "none"


@pytest.mark.parametrize("ending", ["gpkg", "fgb", "shp"])
@pytest.mark.parametrize("code", ["utm in feet", "EPSG:6609", "EPSG:32630", "EPSG:4326"])
def test_a_crs_comes_back_from_a_file_in_its_own_unit(
    code: str, ending: str, tmp_path: Path
) -> None:
    """GDAL takes a zone of UTM in feet for the registered one in metres, unless it has an id."""
    if code == "utm in feet":
        crs, _ = choose_site_crs(parse_crs(4326), (-3.71, 40.40, -3.70, 40.41))
    else:
        crs = parse_crs(code)
    path = tmp_path / f"a.{ending}"
    frame = gpd.GeoDataFrame({"a": [1]}, geometry=[shapely.box(1.0, 2.0, 3.0, 4.0)])
    frame.set_crs(for_files(crs)).to_file(path, engine="pyogrio")
    back = gpd.read_file(path).crs
    assert linear_unit(back) is linear_unit(crs)
    assert same_crs(back, crs)


def test_what_proj_said_of_a_crs_is_kept_without_writing_the_crs_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = [(crs_label(crs), datum_name(crs)) for crs in map(parse_crs, ("EPSG:6609", "EPSG:3071"))]

    def write_out(*_: object, **__: object) -> str:
        raise AssertionError("a CRS was written out as WKT to look it up")

    monkeypatch.setattr(Crs, "to_wkt", write_out)
    again = [Crs.from_epsg(6609), parse_crs("EPSG:3071")]
    assert [(crs_label(crs), datum_name(crs)) for crs in again] == said
    assert said[0] != said[1]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("EPSG:6609", "EPSG:6609"),
        ("6609", "EPSG:6609"),
        ("NAD83(2011) / Wisconsin South (ftUS)", "EPSG:6609"),
        ("nad83(2011) wisconsin south ftus", "EPSG:6609"),
        ("NAD_1983_StatePlane_Wisconsin_South_FIPS_4803_Feet", "EPSG:2289"),
        ("GCS_WGS_1984", "EPSG:4326"),
        ("WGS84", "EPSG:4326"),
        ("urn:ogc:def:crs:EPSG::6609", "EPSG:6609"),
    ],
)
def test_a_crs_by_its_code_or_its_whole_name(text: str, code: str) -> None:
    assert crs_code(parse_crs(text)) == code


def test_a_name_that_is_merely_like_one_is_no_crs() -> None:
    """PROJ answers with the nearest name: a guess, and it might be metres for feet."""
    with pytest.raises(CrsError, match=r"nearest is NAD83 / Wisconsin South \(ftUS\) \(EPSG:2289"):
        parse_crs("NAD83 WI South ftUS")
