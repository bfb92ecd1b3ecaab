"""Local frames out to files in State Plane: one GeoPackage, four shapefiles, one raster."""

from __future__ import annotations

from pathlib import Path

import geopandas
import numpy as np
import pyogrio
import rasterio
import shapely
from place import CRS, EAST0_FT, NORTH0_FT, XMIN, YMAX
from rasterio.transform import Affine

from layers import Drawn

WRITTEN = "2026-11-20T12:00:00.000Z"  # stands in the files instead of the clock


def _state_plane(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """The frame in State Plane feet, coordinates to 0.01 ft; lines keep their direction."""
    shift = np.array([EAST0_FT, NORTH0_FT])
    moved = shapely.transform(frame.geometry.values, lambda xy: np.round(xy + shift, 2))
    moved = shapely.remove_repeated_points(moved, 0.05)
    sound = np.where(shapely.is_valid(moved), moved, shapely.buffer(moved, 0.0))
    if not shapely.is_valid(sound).all() or shapely.is_empty(sound).any():
        raise ValueError("a shape is broken after rounding to 0.01 ft")
    return frame.set_geometry(shapely.orient_polygons(sound), crs=CRS)


def write_all(drawn: Drawn, target: Path) -> None:
    """Write every layer; the order of layers and features is fixed."""
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": WRITTEN})
    for name, frame in drawn.design.items():
        pyogrio.write_dataframe(
            _state_plane(frame),
            target / "design.gpkg",
            layer=name,
            driver="GPKG",
            append=False,
            SPATIAL_INDEX="NO",
        )
    county = target / "county"
    county.mkdir()
    for name, frame in drawn.county.items():
        pyogrio.write_dataframe(
            _state_plane(frame),
            county / f"{name}.shp",
            driver="ESRI Shapefile",
            encoding="UTF-8",
            DBF_DATE_LAST_UPDATE="2026-11-20",
        )
    _write_elevation(drawn.elevation_ft, drawn.elevation_cell_ft, target / "existing_ground.tif")


def _write_elevation(heights: np.ndarray, cell_ft: float, path: Path) -> None:
    """Float32 heights, north row first, NAVD88 in US survey feet."""
    rows, columns = heights.shape
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=columns,
        height=rows,
        count=1,
        dtype="float32",
        crs=CRS,
        transform=Affine(cell_ft, 0, EAST0_FT + XMIN, 0, -cell_ft, NORTH0_FT + YMAX),
        compress="deflate",
        predictor=3,
        zlevel=9,
        nodata=-9999.0,
    ) as raster:
        raster.write(heights[::-1].round(2).astype("float32"), 1)
        raster.units = ("US survey foot",)
        raster.set_band_description(1, "Ground elevation before construction")
        raster.update_tags(
            VERTICAL_DATUM="NAVD88", VERTICAL_UNIT="US survey foot", SOURCE="Synthetic: terrain.py"
        )
