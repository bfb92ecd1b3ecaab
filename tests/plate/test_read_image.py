"""Plates that are pictures: GeoTIFF, and PNG, JPEG, TIFF with a world file and dots per inch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import Affine

from sitemap.crs import parse_crs
from sitemap.errors import PlateError
from sitemap.plate.given_points import parse_distance, with_given
from sitemap.plate.read import measure_plate
from sitemap.report.measured import to_text
from sitemap.rules.feet_per_inch_too_many import feet_per_inch_too_many
from sitemap.rules.grid_does_not_cover_map import grid_does_not_cover_map
from sitemap.rules.grid_missing import grid_missing
from sitemap.rules.lettering_too_small import lettering_too_small
from sitemap.rules.page_is_not_the_sheet import page_is_not_the_sheet
from sitemap.rules.plate_not_measurable import plate_not_measurable
from sitemap.rules.rule import Ask, Fault, NotApplicable, Skip
from tests.clean_site import EAST_FT, NORTH_FT, clean_site, run, with_plate_wishes

DPI = 10  # few dots; 360 x 240 of them are ARCH D
DOT_FT = 5.0  # 50 ft to the inch
DOTS = (360, 240)


def picture(path: Path, dpi: float | None = DPI, dots: tuple[int, int] = DOTS) -> Path:
    image = Image.new("L", dots, 255)
    image.save(path, **({"dpi": (dpi, dpi)} if dpi else {}))
    return path


def world(path: Path, suffix: str, dot_ft: float = DOT_FT, up_ft: float | None = None) -> None:
    """The middle of the upper left dot lies half a dot inside the corner."""
    up = dot_ft if up_ft is None else up_ft
    numbers = (dot_ft, 0.0, 0.0, -up, EAST_FT + dot_ft / 2, NORTH_FT + 1200.0 - up / 2)
    path.with_suffix(suffix).write_text("\n".join(map(str, numbers)) + "\n")


def prj(path: Path, crs: str = "EPSG:6609") -> None:
    path.with_suffix(".prj").write_text(parse_crs(crs).to_wkt("WKT1_ESRI"))


def geotiff(path: Path, crs: str | None = "EPSG:6609", dot: float = DOT_FT, **options) -> Path:
    affine = Affine(dot, 0.0, EAST_FT, 0.0, -dot, NORTH_FT + DOTS[1] * dot)
    with rasterio.open(
        path, "w", driver="GTiff", width=DOTS[0], height=DOTS[1], count=1, dtype="uint8",
        crs=crs, transform=affine,
    ) as data:  # fmt: skip
        data.write(np.full((1, *reversed(DOTS)), 255, dtype="uint8"))
        data.update_tags(
            TIFFTAG_XRESOLUTION=str(DPI), TIFFTAG_YRESOLUTION=str(DPI), TIFFTAG_RESOLUTIONUNIT="2"
        )
    return path


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("p.png", ".pgw"),
        ("p.png", ".pngw"),
        ("p.jpg", ".jgw"),
        ("p.jpeg", ".wld"),
        ("p.tif", ".tfw"),
    ],
)
def test_a_picture_with_world_file_and_dots_per_inch(
    tmp_path: Path, name: str, suffix: str
) -> None:
    path = picture(tmp_path / name)
    world(path, suffix)
    prj(path)
    plate = measure_plate(path)
    ((page, frame),) = plate.main_frames
    assert (page.width_in, page.height_in, page.sheet) == (36.0, 24.0, "ARCH D")
    assert frame.feet_per_inch == pytest.approx(50.0, rel=1e-6)
    assert frame.epsg == 6609
    assert "10 dots per inch" in frame.rests_on
    assert frame.ground_ft is not None
    assert frame.ground_ft[1] == pytest.approx((EAST_FT, NORTH_FT + 1200.0))  # upper left
    assert frame.ground_ft[3] == pytest.approx((EAST_FT + 1800.0, NORTH_FT))  # lower right
    assert not page.has_text
    assert plate.trouble == ()


def test_a_geotiff(tmp_path: Path) -> None:
    plate = measure_plate(geotiff(tmp_path / "p.tif"))
    ((page, frame),) = plate.main_frames
    assert (page.sheet, frame.feet_per_inch, frame.epsg) == ("ARCH D", 50.0, 6609)
    assert "GeoTIFF tags and 10 dots per inch" in frame.rests_on
    assert frame.ground_ft is not None
    assert frame.ground_ft[0] == pytest.approx((EAST_FT, NORTH_FT))


def test_a_geotiff_in_metres_is_measured_in_feet(tmp_path: Path) -> None:
    plate = measure_plate(geotiff(tmp_path / "p.tif", "EPSG:32616", dot=1.524))
    ((_, frame),) = plate.main_frames
    assert frame.feet_per_inch == pytest.approx(50.0)  # 15.24 m
    assert frame.ground_ft is None  # its own coordinates are no feet


def test_the_scales_across_and_up_are_told_apart(tmp_path: Path) -> None:
    path = picture(tmp_path / "p.png")
    world(path, ".pgw", DOT_FT, up_ft=5.2)
    prj(path)
    ((_, frame),) = measure_plate(path).main_frames
    assert frame.axes_ft_per_in == pytest.approx((50.0, 52.0), rel=1e-6)
    assert "1 in = 50.000 ft across and 52.000 ft up" in to_text(measure_plate(path))


@pytest.mark.parametrize("name", ["p.png", "p.jpg", "p.tif"])
def test_a_picture_without_dots_per_inch_says_what_is_missing(tmp_path: Path, name: str) -> None:
    path = picture(tmp_path / name, dpi=None)
    world(path, ".wld")
    plate = measure_plate(path)
    assert plate.pages == ()
    assert "states no dots per inch" in plate.trouble[0]
    assert "--dpi" in plate.trouble[0]
    assert "one dot is 5 ft" in plate.trouble[0]
    ((_, frame),) = measure_plate(path, dpi=20.0).main_frames
    assert frame.feet_per_inch == pytest.approx(100.0, rel=1e-6)


def test_a_picture_without_a_place_can_be_given_a_distance(tmp_path: Path) -> None:
    plate = measure_plate(picture(tmp_path / "p.png"))
    assert plate.main_frames == ()
    assert "neither GeoTIFF tags nor a world file" in plate.trouble[0]
    ((_, frame),) = with_given(plate, distance=parse_distance("3,4 9,4=300")).main_frames
    assert frame.feet_per_inch == 50.0


def test_a_world_file_without_a_crs_is_taken_in_feet_and_says_so(tmp_path: Path) -> None:
    path = picture(tmp_path / "p.png")
    world(path, ".pgw")
    plate = measure_plate(path)
    assert "feet are taken (were it in metres, 1 in would be 164.042 ft)" in plate.trouble[0]
    ((_, frame),) = plate.main_frames
    assert frame.feet_per_inch == pytest.approx(50.0, rel=1e-6)
    assert ", taken to be in feet, and" in frame.rests_on  # the verdict says it too
    assert frame.unit_taken


def test_a_world_file_in_degrees_is_not_measured_in_feet(tmp_path: Path) -> None:
    """3 millionths of a degree to a dot: taken for feet, an inch would be 0.0003 ft."""
    path = picture(tmp_path / "p.png")
    path.with_suffix(".pgw").write_text("3e-6\n0\n0\n-3e-6\n-88.13\n42.905\n")
    plate = measure_plate(path)
    assert plate.main_frames == ()
    assert "-88.1300, 42.9050, which are degrees" in plate.trouble[0]


@pytest.mark.parametrize("numbers", ["0 0 0 0 1 2", "1 0 0 nan 5 5", "1 1 1 1 5 5"])
def test_a_world_file_that_gives_dots_no_size_is_told(tmp_path: Path, numbers: str) -> None:
    path = picture(tmp_path / "p.png")
    path.with_suffix(".pgw").write_text(numbers.replace(" ", "\n"))
    plate = measure_plate(path)
    assert plate.main_frames == ()
    assert plate.trouble[0] == "its world file p.pgw gives its dots no size on the ground"


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857"])
def test_a_picture_in_degrees_or_web_mercator_is_not_measured(tmp_path: Path, crs: str) -> None:
    plate = measure_plate(geotiff(tmp_path / "p.tif", crs))
    assert plate.main_frames == ()
    assert "has no feet of its own" in plate.trouble[0]


def test_files_with_a_fault(tmp_path: Path) -> None:
    path = picture(tmp_path / "p.png")
    path.with_suffix(".pgw").write_text("5\n0\nzero\n")
    plate = measure_plate(path)
    assert "p.pgw does not hold six numbers" in plate.trouble[0]
    stump = tmp_path / "s.png"
    stump.write_bytes(path.read_bytes()[:20])
    assert "broken" in measure_plate(stump).trouble[0]
    other = tmp_path / "s.docx"
    other.write_bytes(b"PK\x03\x04")
    with pytest.raises(PlateError, match="GeoTIFF, TIFF, PNG or JPEG"):
        measure_plate(other)


def test_every_page_of_a_scanned_set(tmp_path: Path) -> None:
    pages = [Image.new("1", DOTS, 1) for _ in range(3)]
    path = tmp_path / "set.tif"
    pages[0].save(path, save_all=True, append_images=pages[1:], dpi=(DPI, DPI))
    plate = measure_plate(path)
    assert [(page.number, page.sheet) for page in plate.pages] == [(n, "ARCH D") for n in (1, 2, 3)]


def test_the_rules_judge_scale_and_sheet_and_ask_for_what_no_letters_tell(tmp_path: Path) -> None:
    site = with_plate_wishes(clean_site(), scale="auto", sheet="ARCH D")
    plate = measure_plate(geotiff(tmp_path / "p.tif"))
    assert not [s for s in run(feet_per_inch_too_many, site, plate) if isinstance(s, Ask | Fault)]
    assert not [s for s in run(page_is_not_the_sheet, site, plate) if isinstance(s, Fault)]
    assert not [s for s in run(plate_not_measurable, site, plate) if isinstance(s, Fault)]
    asked = [s for s in run(grid_missing, site, plate) if isinstance(s, Ask)]
    assert "It is a picture" in asked[0].question
    assert not [s for s in run(grid_does_not_cover_map, site, plate) if isinstance(s, Fault)]
    (said,) = run(lettering_too_small, site, plate)
    assert isinstance(said, Skip | NotApplicable)
    coarse = measure_plate(geotiff(tmp_path / "q.tif", dot=12.0))
    (fault,) = [s for s in run(feet_per_inch_too_many, site, coarse) if isinstance(s, Fault)]
    assert "1 in = 120 ft" in fault.message
