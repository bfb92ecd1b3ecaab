"""Each kind of elevation source, from files to derived contours: the same plane comes out of all.

The ground falls 8 ft in 100 to the south, so every contour is a straight line east and west whose
place is known.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import shapely
from affine import Affine

import sitemap
from sitemap.derived import Derived
from sitemap.errors import SurfaceError
from tests.intake.makers import X0, Y0, frame, square, write

RISE, FOOT_FT = 0.08, 801.0
SIDE_FT, AROUND_FT = 600.0, 250.0
LOW, HIGH = -AROUND_FT, SIDE_FT + AROUND_FT


def height_ft(y: np.ndarray) -> np.ndarray:
    return FOOT_FT + RISE * (np.asarray(y) - Y0)


def places(step_ft: float) -> np.ndarray:
    """Places around the site, (n, 2), not in rows, so that no triangle lies along a contour."""
    x, y = np.meshgrid(np.arange(LOW, HIGH + 1, step_ft), np.arange(LOW, HIGH + 1, step_ft))
    shift = np.where(np.arange(len(y)) % 2, step_ft / 3.0, 0.0)[:, None]
    return np.column_stack([(x + shift).ravel() + X0, y.ravel() + Y0])


def spots(folder: Path) -> None:
    xy = places(40.0)
    shapes = [shapely.Point(p) for p in xy]
    write(frame(shapes, elevation=height_ft(xy[:, 1])), folder / "spot_elevations.shp")


def points_with_z(folder: Path) -> None:
    xy = places(40.0)
    shapes = [shapely.Point(x, y, z) for (x, y), z in zip(xy, height_ft(xy[:, 1]), strict=True)]
    write(frame(shapes, name=["shot"] * len(shapes)), folder / "surface_points.gpkg")


def breaklines(folder: Path) -> None:
    """Lines up the fall, with heights in their coordinates."""
    shapes = [
        shapely.LineString([(X0 + x, Y0 + y, height_ft(np.array(Y0 + y))) for y in (LOW, HIGH)])
        for x in np.arange(LOW, HIGH + 1, 60.0)
    ]
    write(frame(shapes, name=["edge"] * len(shapes)), folder / "breaklines.gpkg")


def contours(folder: Path) -> None:
    levels = np.arange(782.0, 870.0, 2.0)
    y = Y0 + (levels - FOOT_FT) / RISE
    shapes = [shapely.LineString([(X0 + LOW, v), (X0 + HIGH, v)]) for v in y]
    write(frame(shapes, elevation=levels), folder / "contours_existing.shp")


def raster(name: str, driver: str, tiles: int = 1) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        cell, side = 5.0, int((HIGH - LOW) / 5.0)
        y = Y0 + HIGH - (np.arange(side) + 0.5) * cell
        z = np.repeat(height_ft(y)[:, None], side, axis=1).astype("float32")
        width = side // tiles
        for part in range(tiles):
            here = z[:, part * width : (part + 1) * width]
            grid = Affine(cell, 0, X0 + LOW + part * width * cell, 0, -cell, Y0 + HIGH)
            path = folder / name.format(part)
            with rasterio.open(
                path, "w", driver=driver, width=here.shape[1], height=here.shape[0], count=1,
                dtype="float32", crs="EPSG:6609", transform=grid, nodata=-9999.0,
            ) as target:  # fmt: skip
                target.write(here, 1)

    return make


def landxml(folder: Path) -> None:
    step = np.arange(LOW, HIGH + 1, 50.0)
    number = {(i, j): i * len(step) + j + 1 for i in range(len(step)) for j in range(len(step))}
    said = [
        f'<P id="{n}">{Y0 + step[i]} {X0 + step[j]} {height_ft(np.array(Y0 + step[i]))}</P>'
        for (i, j), n in number.items()
    ]
    last = len(step) - 1
    faces = [
        f"<F>{number[i, j]} {number[i + 1, j]} {number[i, j + 1]}</F>"
        f"<F>{number[i + 1, j]} {number[i + 1, j + 1]} {number[i, j + 1]}</F>"
        for i in range(last)
        for j in range(last)
    ]
    (folder / "existing_surface.xml").write_text(
        '<?xml version="1.0"?><LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2" '
        'version="1.2"><Units><Imperial linearUnit="USSurveyFoot" elevationUnit="USSurveyFoot" '
        'areaUnit="squareFoot" volumeUnit="cubicFeet" temperatureUnit="fahrenheit" '
        'pressureUnit="inHG"/></Units><CoordinateSystem epsgCode="6609"/><Surfaces>'
        '<Surface name="EG"><Definition surfType="TIN"><Pnts>' + "".join(said) + "</Pnts><Faces>"
        + "".join(faces) + "</Faces></Definition></Surface></Surfaces></LandXML>",
        encoding="utf-8",
    )  # fmt: skip


SOURCES: dict[str, tuple[Callable[[Path], None], str]] = {
    "GeoTIFF": (raster("dem.tif", "GTiff"), 'elevation = { path = "dem.tif", unit = "ft" }'),
    "IMG": (raster("dem.img", "HFA"), 'elevation = { path = "dem.img", unit = "ft" }'),
    "ASCII grid in tiles": (
        raster("dem{0}.asc", "AAIGrid", 2),
        'elevation = [{ path = "dem0.asc", unit = "ft" }, { path = "dem1.asc", unit = "ft" }]',
    ),
    "LandXML": (landxml, 'elevation = { path = "existing_surface.xml" }'),
    "points with Z": (
        points_with_z, 'elevation = { path = "surface_points.gpkg", unit = "ft" }',
    ),
    "breaklines": (breaklines, 'elevation = { path = "breaklines.gpkg", unit = "ft" }'),
    "spot elevations": (spots, 'spot_elevations = "spot_elevations.shp"'),
    "contours": (contours, 'contours_existing = "contours_existing.shp"'),
}  # fmt: skip


def derived(folder: Path, source: str, only: str, **options: float) -> Derived:
    make, named = SOURCES[source]
    folder.mkdir(exist_ok=True)
    write(frame([square(SIDE_FT)]), folder / "boundary.shp")
    write(frame([square(200.0, 200.0, 200.0)], id=["D-1"]), folder / "disturbance.shp")
    make(folder)
    (folder / "site.toml").write_text(
        f'[map]\ncrs = "EPSG:6609"\nvertical_datum = "NAVD88"\n[layers]\n'
        f'boundary = "boundary.shp"\ndisturbance = "disturbance.shp"\n{named}\n',
        encoding="utf-8",
    )
    site = sitemap.open_site(folder / "site.toml")
    return sitemap.derive_layers(site, only=[only], **options)


def layer(made: Derived, name: str) -> gpd.GeoDataFrame:
    return next(one.frame for one in made.layers if one.name == name)


@pytest.mark.parametrize("source", [name for name in SOURCES if name != "contours"])
def test_contours_lie_where_the_plane_has_their_level(tmp_path: Path, source: str) -> None:
    made = layer(derived(tmp_path / "in", source, "contours", interval_ft=2.0), "contours_existing")
    inside = made[made.intersects(square(SIDE_FT))]
    assert set(inside["elevation_ft"]) == set(np.arange(802.0, 850.0, 2.0))
    for level, shape in zip(inside["elevation_ft"], inside.geometry, strict=True):
        y = shapely.get_coordinates(shapely.intersection(shape, square(SIDE_FT)))[:, 1]
        assert np.abs(height_ft(y) - level).max() < 0.08  # a foot on the ground


@pytest.mark.parametrize("source", list(SOURCES))
def test_flow_arrows_run_south_at_eight_percent(tmp_path: Path, source: str) -> None:
    arrows = layer(derived(tmp_path / "in", source, "drainage"), "flow_arrows")
    assert len(arrows)
    for slope, shape in zip(arrows["slope_pct"], arrows.geometry, strict=True):
        (x0, y0), (x1, y1) = shape.coords[0][:2], shape.coords[-1][:2]
        assert slope == pytest.approx(8.0, abs=0.3)
        assert y0 > y1
        assert abs(x1 - x0) < 0.1 * (y0 - y1)


def test_each_source_is_named_in_the_account(tmp_path: Path) -> None:
    import datetime as dt

    for number, source in enumerate(SOURCES):
        text = derived(tmp_path / str(number), source, "slopes").text(dt.date(2026, 11, 30))
        said = text.split("existing ground\n")[1].splitlines()[0]
        assert "heights in ft" in said, source
        assert "% void" in said, source


@pytest.mark.parametrize(
    ("count", "rows", "words"),
    [
        (11, 11, "11 spot elevations lie on the map and around it"),
        (12, 1, "lie on one line, or far apart"),
    ],
)
def test_spot_elevations_that_make_no_surface(
    tmp_path: Path, count: int, rows: int, words: str
) -> None:
    folder = tmp_path / "in"
    at = [(50.0 * (i // rows), 40.0 * (i % rows)) for i in range(count)]
    shapes = [shapely.Point(X0 + x, Y0 + y) for x, y in at]
    levels = [801.0 + i for i in range(count)]
    write(frame(shapes, elevation=levels), folder / "spot_elevations.shp")
    write(frame([square(SIDE_FT)]), folder / "boundary.shp")
    with pytest.raises(SurfaceError, match=words):
        sitemap.derive_layers(sitemap.open_site(folder), only=["contours"])
