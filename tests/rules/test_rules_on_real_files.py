"""What the rules say of real files whose faults are known from outside this program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sitemap.check import check_site
from sitemap.finding import Finding
from sitemap.intake.assemble import open_site
from sitemap.ordinance import load_ordinance

pytestmark = pytest.mark.real_data


def findings(folder: Path, code: str) -> list[Finding]:
    """The findings of one rule on a folder; none of all rules may crash on it."""
    checked = check_site(open_site(folder), load_ordinance("muskego"))
    assert [o.trace for o in checked.outcomes if o.trace] == []
    return [f for f in checked.findings if f.rule == code]


def test_the_wells_of_pleasant_lake_are_told_by_their_place(shared_data: Path) -> None:
    """Their text field holds lon/lat, by which EPSG:3070 is right and 3069 is 28.4 km off."""
    (wells,) = findings(shared_data / "1-midwest/pleasant-lake-wi", "CRS001")
    first, _, rest = wells.message.partition("2. ")
    assert "1. NAD83 / Wisconsin Transverse Mercator (EPSG:3070), meets" in first
    assert "(EPSG:3071)" in first  # 1 m off: extent cannot tell
    nad27 = rest.partition("3. ")[0]
    assert nad27.startswith("NAD27 / Wisconsin Transverse Mercator (EPSG:3069)")
    # 28.4 km; the way from NAD27 is known to 12 m (39 ft), so the feet are not the point
    apart = re.search(r"which is ([\d,]+) ft \(17\.7 mi\)", nad27)
    assert apart is not None
    assert abs(float(apart[1].replace(",", "")) - 93_313) < 40


def test_county_roads_without_geometry_and_without_prj(shared_data: Path) -> None:
    folder = shared_data / "1-midwest/csah-roads-mn-noprj"
    (null,) = findings(folder, "GEO002")
    assert "24 of 124 records have no geometry (24 null)" in null.message
    (bare,) = findings(folder, "CRS001")
    assert bare.message.startswith("csah.shp has no CRS; its numbers run x 257,104")


def test_six_lakes_of_plainfield_are_faulty_each_with_its_points(shared_data: Path) -> None:
    found = findings(shared_data / "1-midwest/plainfield-lakes-wi", "GEO001")
    assert len({f.source.feature for f in found}) == 6
    assert len(found) > 6
    assert all(f.place is not None for f in found)
    assert {f.message.split(": ")[1].split(" at x")[0] for f in found} == {
        "the outline meets itself at a vertex"
    }


def test_degenerate_flood_zones_are_named_and_the_rest_is_read(shared_data: Path) -> None:
    """58 degenerate rings and 9 nulls of 250, on which a bulk reader gives up entirely."""
    folder = shared_data / "2-real-us/harris-nfhl-tx"
    (null,) = findings(folder, "GEO002")
    assert "9 of 250 records" in null.message
    found = findings(folder, "GEO001")
    assert len({f.source.feature for f in found}) == 58
    assert any("fewer distinct points" in f.message for f in found)


@pytest.mark.parametrize(
    ("folder", "file", "words"),
    [
        ("3-broken/gdal-geojson", "srs_name.geojson", "degrees of longitude and latitude"),
        ("3-broken/mapshaper", "gauss_kruger.shp", "degrees of longitude and latitude"),
        ("3-broken/gdal-gpkg", "huge_feature_count.gpkg", "feet or metres of a projected system"),
    ],
)
def test_numbers_that_contradict_their_crs(
    shared_data: Path, folder: str, file: str, words: str
) -> None:
    found = [f for f in findings(shared_data / folder, "CRS002") if file in f.message]
    assert len(found) == 1
    assert words in found[0].message


def test_a_web_page_is_not_a_map(shared_data: Path) -> None:
    (fault,) = findings(shared_data / "1-midwest/outagamie-landuse-wi", "SUB002")
    assert "web page" in fault.message


def test_the_same_buildings_twice(shared_data: Path) -> None:
    (fault,) = findings(shared_data / "2-real-us/dem-alexandria-va", "SUB005")
    assert "the same 84 features" in fault.message
