"""What is said of a CRS and the numbers under it."""

from __future__ import annotations

import pytest

from sitemap.crs import Bounds, parse_crs
from sitemap.intake.crs_detective import contradicts, crs_oddities, datum_oddities, settle_crs

MUSKEGO: Bounds = (2_469_500.0, 335_400.0, 2_470_300.0, 336_000.0)
DEGREES: Bounds = (-88.13, 42.89, -88.12, 42.90)


@pytest.mark.parametrize(
    ("crs", "bounds", "word"),
    [
        ("EPSG:6609", MUSKEGO, None),
        ("EPSG:4326", DEGREES, None),
        ("EPSG:4326", MUSKEGO, "projected numbers under a geographic CRS"),
        ("EPSG:6609", DEGREES, "degrees under a projected CRS"),
        ("EPSG:4326", (42.89, -108.13, 42.90, -108.12), "swapped"),
        ("EPSG:4326", (0.0, -10.0, 359.9, 10.0), None),  # longitudes from 0 to 360
        ("EPSG:6609", (0.0, 0.0, 0.5, 0.5), "around zero"),
        ("EPSG:6609", (1e11, 1e11, 2e11, 2e11), "off the earth"),
        ("EPSG:4526", (38_500_000.0, 4e6, 38_500_100.0, 4.1e6), None),  # zone number in eastings
    ],
)
def test_contradictions(crs: str, bounds: Bounds, word: str | None) -> None:
    said = contradicts(parse_crs(crs), bounds)
    assert said is None if word is None else word in (said or "")


def kinds(crs: str, bounds: Bounds | None = None) -> set[str]:
    return {oddity.kind for oddity in crs_oddities(parse_crs(crs), bounds)}


def test_custom_local_and_unknown_datums() -> None:
    local = 'LOCAL_CS["site grid",UNIT["foot",0.3048]]'
    assert kinds(local) == {"crs_local"}
    assert kinds("EPSG:4978") == {"crs_local"}  # X, Y, Z from the centre of the earth
    assert kinds("EPSG:6609+6360") == set()  # plan and heights have a code each
    assert "crs_custom" in kinds("+proj=tmerc +lat_0=43 +lon_0=-88 +ellps=GRS80 +units=us-ft")
    unknown = 'GEOGCS["GRS 1980",DATUM["unknown",SPHEROID["GRS80",6378137,298.257222101]],' + (
        'PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'
    )
    assert "crs_datum_unknown" in kinds(unknown)
    assert kinds("EPSG:6609", MUSKEGO) == set()


def test_far_outside_the_area_of_use() -> None:
    assert "crs_outside_area" in kinds("EPSG:26912", (500_000.0, 1e5, 501_000.0, 1.01e5))


def test_the_unit_of_the_text_wins_over_the_matched_code() -> None:
    feet = parse_crs("EPSG:32154").to_wkt("WKT1_ESRI")
    assert 'UNIT["Meter",1.0]' in feet
    feet = feet.replace('UNIT["Meter",1.0]', 'UNIT["Foot",0.3048]')
    crs, how, notes = settle_crs("EPSG:32154", None, None, None, feet)
    assert how == "file"
    assert crs is not None
    assert crs.axis_info[0].unit_conversion_factor == 0.3048
    assert [n.kind for n in notes if n.kind == "crs_unit_disagrees"]


def test_who_wins() -> None:
    crs, how, notes = settle_crs("EPSG:3071", "EPSG:3070", "EPSG:6609", None, None)
    assert (crs.to_epsg(), how) == (3070, "site.toml")  # type: ignore[union-attr]
    assert "crs_overridden" in {n.kind for n in notes}
    crs, how, _ = settle_crs("EPSG:3071", None, "EPSG:6609", None, None)
    assert (crs.to_epsg(), how) == (3071, "file")  # type: ignore[union-attr]
    crs, how, _ = settle_crs(None, None, "EPSG:6609", None, None)
    assert (crs.to_epsg(), how) == (6609, "option")  # type: ignore[union-attr]
    crs, how, notes = settle_crs(None, None, None, DEGREES, None)
    assert (crs, how) == (None, "none")
    assert "could be degrees" in notes[0].message
    crs, how, notes = settle_crs("NONSENSE[1]", None, None, None, None)
    assert (crs, how) == (None, "none")
    assert {"crs_unreadable", "crs_missing"} == {n.kind for n in notes}


def test_datums_side_by_side() -> None:
    one = [("a.shp", parse_crs("EPSG:3070")), ("b.shp", parse_crs("EPSG:4269")), ("c", None)]
    assert datum_oddities(one) == {}
    two = [("a.shp", parse_crs("EPSG:3070")), ("b.shp", parse_crs("EPSG:3069"))]
    notes = datum_oddities(two)
    assert set(notes) == {0, 1}
    assert "b.shp on 'North American Datum 1927'" in notes[0].message
