"""What State, FEMA and county would know of the place: `python known.py [FOLDER]`.

Made up from the sample's own layers, in the public schemas and coordinate systems, drawn as
coarsely as public maps are. Nobody's data: the place does not exist. The folder stands beside the
sample, since a reference is no part of a submission.
"""

from __future__ import annotations

import sys
from pathlib import Path

import geopandas
import numpy as np
import pyogrio
import shapely
from shapely.geometry import LineString, Point, box

HERE = Path(__file__).parent
WTM, DEGREES = "EPSG:3071", "EPSG:4269"  # Wisconsin's own maps; FEMA and the USGS
WRITTEN = "2026-11-20T12:00:00.000Z"
AROUND_FT = 4000.0
FILES = ("wisconsin_wetlands.gpkg", "nfhl.gpkg", "nhd.gpkg", "parcels.fgb", "municipalities.fgb")
Frame = geopandas.GeoDataFrame


def build(folder: Path) -> None:
    """Write all datasets into the folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": WRITTEN})
    for name in FILES:
        (folder / name).unlink(missing_ok=True)
    site = _design("boundary").union_all()
    land = box(*site.buffer(AROUND_FT).bounds)
    _write(_wetland_areas(land), folder / "wisconsin_wetlands.gpkg", "wetland_class_areas", WTM)
    _write(_wetland_points(site), folder / "wisconsin_wetlands.gpkg", "wetland_class_points", WTM)
    _write(_flood(land), folder / "nfhl.gpkg", "S_FLD_HAZ_AR", DEGREES)
    _write(_panels(land), folder / "nfhl.gpkg", "S_FIRM_PAN", DEGREES)
    _write(_flowlines(), folder / "nhd.gpkg", "NHDFlowline", DEGREES)
    _write(_waterbodies(land), folder / "nhd.gpkg", "NHDWaterbody", DEGREES)
    _write(_parcels(site, land), folder / "parcels.fgb", None, WTM)
    _write(_towns(land), folder / "municipalities.fgb", None, WTM)


def _design(layer: str) -> Frame:
    return geopandas.read_file(HERE / "layers" / "design.gpkg", layer=layer)


def _coarse(shape: shapely.Geometry, east: float, north: float, by: float) -> shapely.Geometry:
    """A shape as a map at 1:24,000 would have it: simpler, and some feet off."""
    simple = shapely.simplify(shape, by)
    return shapely.transform(simple, lambda xy: xy + np.array([east, north]))


def _far(land: shapely.Geometry) -> list[shapely.Geometry]:
    """Two places in the corners of the land: a public dataset does not end at the site."""
    xmin, ymin, xmax, ymax = land.bounds
    return [Point(xmin, ymin).buffer(90.0), Point(xmax, ymax).buffer(90.0)]


def _wetland_areas(land: shapely.Geometry) -> Frame:
    """The inventory's classes; it takes in a little more than the delineation found."""
    drawn = _design("wetlands")
    shapes = [_coarse(shape.buffer(6.0), 7.0, -5.0, 6.0) for shape in drawn.geometry]
    codes = {"WETCODE": ["E2K", "E1H", "T3K", "S3K"], "PLS": ["40520"] * 4}
    return Frame(codes, geometry=[*shapes, *_far(land)], crs=drawn.crs)


def _wetland_points(site: shapely.Geometry) -> Frame:
    """A wetland too small to draw, off the site."""
    xmin, _, _, ymax = site.bounds
    point = Point(xmin + 300.0, ymax + 400.0)
    return Frame({"WETCODE": ["T3K"], "PLS": ["40520"]}, geometry=[point], crs="EPSG:6609")


def _flood(land: shapely.Geometry) -> Frame:
    flood = geopandas.read_file(HERE / "layers" / "county" / "flood_hazard.shp")
    way = flood[flood["ZONE_SUBTY"] == "FLOODWAY"].union_all()
    fringe = flood[flood["ZONE_SUBTY"] == "FLOODFRINGE"].union_all()
    rest = land.difference(way.union(fringe))
    rows = [
        ("AE", "FLOODWAY", "T", 811.2, way),
        ("AE", None, "T", 811.2, fringe),
        ("X", "AREA OF MINIMAL FLOOD HAZARD", "F", -9999.0, rest),
    ]
    return Frame(
        {
            "DFIRM_ID": "55133C",
            "VERSION_ID": "2.3.2.1",
            "FLD_AR_ID": [f"55133C_{number}" for number in (1, 2, 3)],
            "FLD_ZONE": [zone for zone, *_ in rows],
            "ZONE_SUBTY": [part for _, part, *_ in rows],
            "SFHA_TF": [flag for _, _, flag, *_ in rows],
            "STATIC_BFE": [height for *_, height, _ in rows],
            "V_DATUM": "NAVD88",
            "LEN_UNIT": "FEET",
        },
        geometry=[row[-1] for row in rows],
        crs=flood.crs,
    )


def _panels(land: shapely.Geometry) -> Frame:
    panel = {"FIRM_PAN": ["55133C0999Z"], "EFF_DATE": ["2021-10-21"], "PANEL_TYP": ["PRINTED"]}
    return Frame(panel, geometry=[land], crs="EPSG:6609")


def _flowlines() -> Frame:
    """The creek, on beyond the map at both ends, and the road ditches."""
    drawn = _design("watercourses")
    shapes = [_coarse(shape, 4.0, 3.0, 3.0) for shape in drawn.geometry]
    xy = shapely.get_coordinates(shapes[0])
    on = [xy[0] + (xy[0] - xy[20]) * 8.0, *xy, xy[-1] + (xy[-1] - xy[-20]) * 8.0]
    shapes[0] = LineString(on)
    is_creek = (drawn["kind"] == "stream").to_numpy()
    return Frame(
        {
            "Permanent_Identifier": [f"1530{number:05d}" for number in range(len(drawn))],
            "FDate": "2019-08-14",
            "GNIS_Name": np.where(is_creek, "Marl Creek", None),
            "ReachCode": [f"0712000600{number:04d}" for number in range(len(drawn))],
            "FlowDir": 1,
            "FType": np.where(is_creek, 460, 336),
            "FCode": np.where(is_creek, 46006, 33600),
        },
        geometry=shapes,
        crs=drawn.crs,
    )


def _waterbodies(land: shapely.Geometry) -> Frame:
    drawn = _design("ponds")
    shapes = [*(_coarse(shape, -3.0, 5.0, 3.0) for shape in drawn.geometry), *_far(land)]
    return Frame(
        {
            "FDate": "2019-08-14",
            "GNIS_Name": [None] * len(shapes),
            "AreaSqKm": [round(shape.area * 9.29e-8, 4) for shape in shapes],
            "ReachCode": [f"0712000601{number:04d}" for number in range(len(shapes))],
            "FType": 390,
            "FCode": 39004,
        },
        geometry=shapes,
        crs=drawn.crs,
    )


def _parcels(site: shapely.Geometry, land: shapely.Geometry) -> Frame:
    """The site's own parcel, and four neighbours that share the rest of the land."""
    xmin, ymin, xmax, ymax = land.bounds
    x, y = site.centroid.x, site.centroid.y
    quarters = [
        box(xmin, ymin, x, y), box(x, ymin, xmax, y), box(xmin, y, x, ymax), box(x, y, xmax, ymax),
    ]  # fmt: skip
    shapes = [site, *(quarter.difference(site) for quarter in quarters)]
    ids = [f"MSKC 2199.{number:03d}" for number in range(1, len(shapes) + 1)]
    return Frame(
        {
            "STATEID": [f"133{name.replace(' ', '')}" for name in ids],
            "PARCELID": ids,
            "TAXPARCELID": ids,
            "PARCELDATE": "2026-01-01",
            "GISACRES": [round(shape.area / 43560.0, 2) for shape in shapes],
        },
        geometry=shapes,
        crs="EPSG:6609",
    )


def _towns(land: shapely.Geometry) -> Frame:
    names = {"MCD_NAME": ["Muskego"], "CTV": ["C"], "CNTY_NAME": ["Waukesha"]}
    return Frame(names, geometry=[land.buffer(20_000.0)], crs="EPSG:6609")


def _write(frame: Frame, path: Path, layer: str | None, crs: str) -> None:
    moved = frame.to_crs(crs)
    digits = 1e-8 if crs == DEGREES else 0.01
    moved = moved.set_geometry(shapely.set_precision(moved.geometry.to_numpy(), digits), crs=crs)
    more = {} if layer is None else {"layer": layer}
    pyogrio.write_dataframe(moved, path, append=path.exists(), **more)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "kettle-ridge-reference")
