"""Pictures under the map: in the right place, screened, multiplied; what is said without."""

from __future__ import annotations

import datetime as dt
import io
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import rasterio
import rasterio.shutil
from affine import Affine
from PIL import Image as Picture

from sitemap.crs import Crs, parse_crs, transform_points
from sitemap.errors import PlateError, UsageError
from sitemap.intake.assemble import open_site
from sitemap.layer import RoleChoice
from sitemap.ordinance import load_ordinance
from sitemap.plate.aerial import sampled_colours
from sitemap.plate.draw import draw_plates
from sitemap.plate.marks import GroundFrame
from sitemap.plate.underlay import (
    AERIAL_LAYER,
    AERIAL_STRENGTH,
    NO_AERIAL,
    RELIEF_LAYER,
    pixel_places_ft,
    shade,
    underlay_marks,
)
from sitemap.site import Site
from sitemap.terrain.surface import Surface
from tests.clean_site import clean_site, with_plate_wishes

WISCONSIN_FT = parse_crs("EPSG:6609")
NOW = dt.date(2026, 5, 1)
COLOURS = {"nw": (200, 40, 40), "ne": (40, 200, 40), "sw": (40, 40, 200), "se": (200, 200, 40)}


def frame_over(origin: tuple[float, float], turn_deg: float = 0.0) -> GroundFrame:
    return GroundFrame("Map Layers", (2.0, 3.0, 12.0, 9.0), origin, 50.0, WISCONSIN_FT, turn_deg)


def sloping(east: float, north: float) -> Surface:
    """A plane about 0, 0 that rises so many feet per foot to the east and to the north."""
    y, x = np.mgrid[2000:-2000:-10, -2000:2000:10].astype(float)
    z = 800.0 + x * east + y * north
    grid = Affine(10.0, 0.0, -2005.0, 0.0, -10.0, 2005.0)
    return Surface(z, grid, WISCONSIN_FT, "a plane", "ft", "stated", None, 0.1, "stated")


def quadrants(path: Path, middle_ft: tuple[float, float], crs: Crs, *, half: float) -> Path:
    """A picture with another colour in each quarter around a place; half its side in CRS units."""
    x, y = (float(v[0]) for v in transform_points(
        np.array([middle_ft[0]]), np.array([middle_ft[1]]), WISCONSIN_FT, crs))  # fmt: skip
    cells = np.zeros((3, 200, 200), dtype=np.uint8)
    for name, colour in COLOURS.items():
        rows = slice(0, 100) if "n" in name[0] else slice(100, 200)
        columns = slice(0, 100) if name[1] == "w" else slice(100, 200)
        cells[:, rows, columns] = np.array(colour)[:, None, None]
    step = half / 100.0
    with rasterio.open(
        path, "w", driver="GTiff", width=200, height=200, count=3, dtype="uint8", crs=crs.to_wkt(),
        transform=Affine(step, 0.0, x - half, 0.0, -step, y + half), photometric="RGB",
    ) as target:  # fmt: skip
        target.write(cells)
    return path


def with_aerial(site: Site, path: Path) -> Site:
    opened = open_site(path.parent)
    raster = replace(opened.rasters[0], choice=RoleChoice("aerial", "named"))
    return replace(site, rasters=(*site.rasters, raster))


def middle_of(site: Site) -> tuple[float, float]:
    assert site.boundary is not None
    point = site.boundary.centroid
    return float(point.x), float(point.y)


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 33.0])
def test_light_falls_from_the_upper_left_of_the_sheet(turn_deg: float) -> None:
    """The same hillside on paper is as dark, however the ground is turned under it."""
    turn = np.deg2rad(turn_deg)
    frame = frame_over((0.0, 0.0), turn_deg)
    middle = frame.to_ground(np.array([[7.0, 6.0]]))[0]
    frame = replace(frame, origin_ft=tuple((-middle).tolist()))

    def grey(right: float, up: float) -> float:
        """Of a slope that rises so to the right and up the sheet."""
        east = right * np.cos(turn) + up * np.sin(turn)
        north = -right * np.sin(turn) + up * np.cos(turn)
        return float(np.median(shade(sloping(east, north), frame, 60, 100)))

    flat, lit, dark = grey(0.0, 0.0), grey(0.1, -0.1), grey(-0.1, 0.1)
    assert lit >= flat > dark
    # across the light: both sides alike
    assert grey(0.1, 0.1) == pytest.approx(grey(-0.1, -0.1), abs=0.5)


def test_voids_are_white() -> None:
    surface = sloping(0.0, 0.0)
    surface.z_ft[:] = np.nan
    assert (shade(surface, frame_over((0.0, 0.0)), 20, 30) == 255.0).all()


@pytest.mark.parametrize(
    ("crs", "half"), [("EPSG:6609", 400.0), ("EPSG:26916", 120.0), ("EPSG:4326", 0.0012)]
)
@pytest.mark.parametrize("turn_deg", [0.0, 90.0, -25.0])
def test_each_colour_lies_where_it_belongs(
    tmp_path: Path, crs: str, half: float, turn_deg: float
) -> None:
    site = clean_site()
    x, y = middle_of(site)
    path = quadrants(tmp_path / "ortho.tif", (x, y), parse_crs(crs), half=half)
    raster = open_site(tmp_path).rasters[0]
    frame = frame_over((x, y), turn_deg)
    middle = frame.to_ground(np.array([[7.0, 6.0]]))[0]
    frame = replace(frame, origin_ft=(2 * x - middle[0], 2 * y - middle[1]))
    assert raster.path == str(path)

    found = sampled_colours(raster, frame, 120, 200).reshape(-1, 3)
    ground = pixel_places_ft(frame, 120, 200) - (x, y)
    clear = (np.abs(ground) > 15.0).all(axis=1) & (np.abs(ground) < 200.0).all(axis=1)
    # a CRS whose axes are turned against the map's bends the quarters a little: stay off the seams
    clear &= np.abs(ground).min(axis=1) > 0.08 * np.abs(ground).max(axis=1)
    assert clear.sum() > 1000
    for name, colour in COLOURS.items():
        north = ground[:, 1] > 0 if name[0] == "n" else ground[:, 1] < 0
        west = ground[:, 0] < 0 if name[1] == "w" else ground[:, 0] > 0
        assert (found[clear & north & west] == colour).all(), name


def test_nothing_beyond_the_picture(tmp_path: Path) -> None:
    site = clean_site()
    x, y = middle_of(site)
    quadrants(tmp_path / "ortho.tif", (x, y), WISCONSIN_FT, half=100.0)
    raster = open_site(tmp_path).rasters[0]
    found = sampled_colours(raster, frame_over((x - 250.0, y - 150.0)), 60, 100)
    ground = pixel_places_ft(frame_over((x - 250.0, y - 150.0)), 60, 100).reshape(60, 100, 2)
    outside = (np.abs(ground - (x, y)) > 101.0).any(axis=2)
    assert np.isnan(found[outside]).all()
    assert np.isfinite(found[(np.abs(ground - (x, y)) < 99.0).all(axis=2)]).all()


def test_jpeg_2000_serves_as_aerial_image_and_mrsid_is_told_what_to_do(tmp_path: Path) -> None:
    place = middle_of(clean_site())
    made = quadrants(tmp_path / "made.tif", place, WISCONSIN_FT, half=400.0)
    folder = tmp_path / "site"
    folder.mkdir()
    rasterio.shutil.copy(
        made, folder / "ortho.jp2", driver="JP2OpenJPEG", QUALITY=100, REVERSIBLE="YES"
    )
    (folder / "naip.sid").write_bytes(b"msid" + bytes(60))
    site = open_site(folder)
    (raster,) = site.rasters
    assert raster.role == "aerial"
    found = sampled_colours(raster, frame_over((place[0] - 250.0, place[1] - 150.0)), 60, 100)
    seen = {tuple(colour) for colour in found.reshape(-1, 3).tolist()}
    assert seen >= {tuple(map(float, colour)) for colour in COLOURS.values()}
    (refused,) = site.unreadable
    assert "MrSID" in refused.reason
    assert "as GeoTIFF or JPEG 2000 (.jp2)" in refused.reason


@pytest.mark.parametrize(("driver", "ending"), [("JPEG", ".jpg"), ("PNG", ".png")])
def test_a_picture_with_a_world_file_serves_as_aerial_image_and_a_photograph_does_not(
    tmp_path: Path, driver: str, ending: str
) -> None:
    place = middle_of(clean_site())
    made = quadrants(tmp_path / "made.tif", place, WISCONSIN_FT, half=400.0)
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("ortho", "Photo of the gate"):
        # full size and colour: what is compared are single pixels
        more = {"QUALITY": 100} if driver == "JPEG" else {}
        target = folder / f"{name}{ending}"
        rasterio.shutil.copy(made, target, driver=driver, WORLDFILE="YES", **more)
        target.with_name(target.name + ".aux.xml").unlink(missing_ok=True)
    (folder / "Photo of the gate.wld").unlink()
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", folder)
    assert [r.role for r in open_site(Path(packed), crs="EPSG:6609").rasters] == ["aerial"]
    site = open_site(folder, crs="EPSG:6609")
    (raster,) = site.rasters
    assert (raster.provenance.file, raster.role) == (f"ortho{ending}", "aerial")
    assert site.ignored == (f"Photo of the gate{ending}",)
    found = sampled_colours(raster, frame_over((place[0] - 250.0, place[1] - 150.0)), 60, 100)
    seen = found.reshape(-1, 3)
    for colour in COLOURS.values():
        assert (np.abs(seen - colour) < 10.0).all(axis=1).sum() > 500  # JPEG rounds colours


def test_a_picture_named_ortho_serves_as_aerial_image_and_a_scan_serves_nothing(
    tmp_path: Path,
) -> None:
    place = middle_of(clean_site())
    for name in ("ortho_2024.tif", "scan.tif"):
        quadrants(tmp_path / name, place, WISCONSIN_FT, half=400.0)
    roles = {r.provenance.file: r.role for r in open_site(tmp_path).rasters}
    assert roles == {"ortho_2024.tif": "aerial", "scan.tif": None}


def test_plate_holds_the_pictures_as_jpeg_multiplied_on_their_own_layers(tmp_path: Path) -> None:
    site = clean_site()
    folder = tmp_path / "in"
    folder.mkdir()
    quadrants(folder / "ortho.tif", middle_of(site), WISCONSIN_FT, half=3000.0)
    site = with_aerial(site, folder / "ortho.tif")
    drawn = draw_plates(
        site, load_ordinance("muskego"), tmp_path / "p.pdf", scale="auto", underlay="both", now=NOW
    )
    assert {RELIEF_LAYER, AERIAL_LAYER} <= set(drawn.measured.pages[0].drawn_layers)
    with pikepdf.open(tmp_path / "p.pdf") as pdf:
        resources = pdf.pages[0].obj.Resources
        pictures = [x for x in resources.XObject.values() if x.get("/Subtype") == "/Image"]
        assert {str(x.ColorSpace) for x in pictures} == {"/DeviceGray", "/DeviceRGB"}
        assert all(x.Filter[0] == "/DCTDecode" for x in pictures)
        assert [g.BM for g in resources.ExtGState.values() if "/BM" in g] == ["/Multiply"]
        aerial = next(x for x in pictures if x.ColorSpace == "/DeviceRGB")
        colours = np.asarray(Picture.open(io.BytesIO(aerial.read_raw_bytes())))
    left_upper = colours[len(colours) // 4, len(colours[0]) // 4].astype(float)
    screened = [255 - AERIAL_STRENGTH * (255 - value) for value in COLOURS["nw"]]
    assert left_upper == pytest.approx(screened, abs=12)  # of JPEG; colours lie 80 apart
    wished = with_plate_wishes(site, underlay="both")
    pictures, missing = underlay_marks(wished, frame_over(middle_of(site)))
    assert [picture.box_in for picture in pictures] == [(2.0, 3.0, 12.0, 9.0)] * 2
    assert missing == []


def test_a_map_that_the_image_does_not_reach_is_drawn_and_says_so(tmp_path: Path) -> None:
    """One sheet of a set may lie beyond the picture; the others have it."""
    site, folder = clean_site(), tmp_path / "in"
    folder.mkdir()
    x, y = middle_of(site)
    quadrants(folder / "ortho.tif", (x + 50_000.0, y), WISCONSIN_FT, half=3000.0)
    site = with_aerial(site, folder / "ortho.tif")
    drawn = draw_plates(
        site, load_ordinance("muskego"), tmp_path / "p.pdf", scale="auto", underlay="aerial",
        now=NOW,
    )  # fmt: skip
    assert NO_AERIAL in drawn.unplaced
    assert AERIAL_LAYER not in drawn.measured.pages[0].drawn_layers


def test_wishes_that_cannot_be_met_say_what_is_missing(tmp_path: Path) -> None:
    pack, out = load_ordinance("muskego"), tmp_path / "p.pdf"
    with pytest.raises(PlateError, match="an aerial image was asked for and none was submitted"):
        draw_plates(clean_site(), pack, out, underlay="aerial", now=NOW)
    with pytest.raises(UsageError, match="accepted are none, relief, aerial, both"):
        draw_plates(clean_site(), pack, out, underlay="photo", now=NOW)
    assert not out.exists()
