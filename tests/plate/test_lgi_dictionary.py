"""Frames of OGC 08-139: 1 ft of ground to 0.01 in of paper unless a case says otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from sitemap.crs import parse_crs, transform_points
from sitemap.measured_plate import MeasuredPlate
from sitemap.plate.read import measure_plate

PER_POINT = 100.0 / 72.0  # ground units to a point: 100 to an inch
WKT = "WKT1_GDAL"


def plate(folder: Path, east: float, north: float, **projection: Any) -> MeasuredPlate:
    """A page of 10 x 8 in whose whole face is the map."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(720, 576))
    numbers = (PER_POINT, 0, 0, PER_POINT, east, north)
    page.obj.LGIDict = Dictionary(
        Type=Name.LGIDict,
        Version=String("2.1"),
        CTM=Array([String(f"{value:.12f}") for value in numbers]),
        Neatline=Array([0, 576, 0, 0, 720, 0, 720, 576]),
        Projection=Dictionary(Type=Name.Projection, **projection),
    )
    pdf.save(folder / "plate.pdf")
    return measure_plate(folder / "plate.pdf")


def text_of(code: str) -> String:
    return String(parse_crs(code).to_wkt(WKT))


@pytest.mark.parametrize("units", [{}, {"Units": String("FT")}])
def test_survey_feet_of_well_known_text_are_feet(units: dict[str, Any], tmp_path: Path) -> None:
    """GDAL states no unit for them; metres taken instead would make 328 ft of each 100."""
    measured = plate(tmp_path, 2_469_000.0, 334_200.0, WKT=text_of("EPSG:6609"), **units)
    ((_, frame),) = measured.main_frames
    assert frame.axes_ft_per_in == pytest.approx((100.0, 100.0), abs=1e-4)
    assert frame.epsg == 6609
    assert frame.ground_ft is not None
    assert frame.ground_ft[2] == pytest.approx((2_470_000.0, 335_000.0), abs=0.001)
    assert frame.rests_on == "its georeference (OGC 08-139)"
    assert measured.trouble == ()


def test_metres_of_well_known_text_are_metres(tmp_path: Path) -> None:
    text = text_of("EPSG:26916")
    measured = plate(tmp_path, 400_000.0, 4_749_000.0, WKT=text, Units=String("M"))
    ((_, frame),) = measured.main_frames
    assert frame.feet_per_inch == pytest.approx(100.0 / 0.3048, rel=1e-6)


def test_web_mercator_is_measured_on_the_ground(tmp_path: Path) -> None:
    """At 42.9 degrees north its metre is 0.732 m: 328 ft of the CRS are 240 ft on the ground."""
    east, north = transform_points(-88.13, 42.905, parse_crs("EPSG:4326"), parse_crs("EPSG:3857"))
    measured = plate(tmp_path, float(east), float(north), WKT=text_of("EPSG:3857"))
    ((_, frame),) = measured.main_frames
    assert frame.feet_per_inch == pytest.approx(240.2, abs=0.8)


def test_mercator_without_text_is_refused_with_the_reason(tmp_path: Path) -> None:
    kind = {"ProjectionType": String("MC"), "Datum": String("WGE"), "Units": String("M")}
    measured = plate(tmp_path, -9_810_000.0, 5_297_000.0, **kind)
    assert measured.main_frames == ()
    assert any("Mercator, whose lengths are not those on the" in w for w in measured.trouble)


def test_a_zone_of_utm_in_feet(tmp_path: Path) -> None:
    kind = {"ProjectionType": String("UT"), "Datum": String("NAR"), "Zone": 16}
    feet = plate(tmp_path, 1_312_336.0, 15_580_709.0, Units=String("FT"), **kind)
    ((_, frame),) = feet.main_frames
    assert frame.feet_per_inch == pytest.approx(100.0, abs=1e-3)
    assert frame.epsg == 26916


def test_a_projection_without_a_unit_is_taken_for_metres_and_says_so(tmp_path: Path) -> None:
    measured = plate(tmp_path, 600_000.0, 300_000.0, ProjectionType=String("LE"))
    ((_, frame),) = measured.main_frames
    assert frame.feet_per_inch == pytest.approx(100.0 / 0.3048, rel=1e-6)
    assert any("it names no unit; metres are taken" in words for words in measured.trouble)


def test_a_unit_against_the_text_is_told(tmp_path: Path) -> None:
    text = text_of("EPSG:6609")
    measured = plate(tmp_path, 2_469_000.0, 334_200.0, WKT=text, Units=String("M"))
    ((_, frame),) = measured.main_frames
    assert frame.feet_per_inch == pytest.approx(100.0, abs=1e-4)
    assert any("the text is taken" in words for words in measured.trouble)
