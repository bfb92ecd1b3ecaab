"""The only module that knows pyproj: parse, compare, choose, transform, refuse ballpark.

Axis order is always x (east, longitude), y (north, latitude). Nothing here guesses:
a choice comes back with the reason for it.
"""

from __future__ import annotations

import math
import re
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

import numpy as np
import pyproj
import pyproj.database
import shapely
from pyproj.aoi import AreaOfInterest
from pyproj.database import query_crs_info
from pyproj.datadir import get_data_dir, get_user_data_dir  # type: ignore[attr-defined]
from pyproj.enums import PJType
from pyproj.network import is_network_enabled  # type: ignore[attr-defined]
from pyproj.transformer import TransformerGroup

from sitemap.column_names import plain_name
from sitemap.errors import CrsError
from sitemap.units import LengthUnit

if TYPE_CHECKING:
    import geopandas

Crs = pyproj.CRS
Bounds = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax
_Asked = TypeVarTuple("_Asked")
_Told = TypeVar("_Told")

WGS84 = pyproj.CRS.from_epsg(4326)
_SHOWN_CHARACTERS = 60  # of a text that is no CRS


@dataclass(frozen=True)
class Transformation:
    """How coordinates went from one CRS to another.

    accuracy_m is PROJ's stated accuracy in metres; None where PROJ states none.
    ballpark is True when a datum shift was left out for want of data.
    """

    source: str
    target: str
    operation: str
    accuracy_m: float | None
    ballpark: bool
    missing_grids: tuple[str, ...] = ()

    @property
    def accuracy_ft(self) -> float | None:
        """Stated accuracy in international feet, or None."""
        return None if self.accuracy_m is None else self.accuracy_m / 0.3048

    def __str__(self) -> str:
        if self.source == self.target:
            return f"{self.source}: no transformation needed"
        stated = (
            "accuracy not stated"
            if self.accuracy_m is None
            else (f"stated accuracy {self.accuracy_m:g} m ({self.accuracy_m / 0.3048:.2f} ft)")
        )
        rough = ", BALLPARK: the datum shift is left out" if self.ballpark else ""
        grids = (
            f"; grid not installed: {', '.join(self.missing_grids)}" if self.missing_grids else ""
        )
        return f"{self.source} -> {self.target} by {self.operation} ({stated}{rough}{grids})"


def _once_each(function: Callable[[*_Asked], _Told]) -> Callable[[*_Asked], _Told]:
    """Ask PROJ once of each CRS, kept by the text that defines it.

    functools.lru_cache has every CRS written out as WKT at each call, to keep it by that.
    """
    kept: dict[object, _Told] = {}

    @wraps(function)
    def told(*asked: *_Asked) -> _Told:
        key = tuple(one.srs if isinstance(one, pyproj.CRS) else one for one in asked)
        if key not in kept:
            kept[key] = function(*asked)
        return kept[key]

    return told


@lru_cache(maxsize=256)  # dozens of layers state the same one
def parse_crs(text: str | int) -> Crs:
    """Read a CRS from an EPSG code, name, WKT or PROJ string; CrsError says what is accepted.

    A name is taken as a whole: PROJ also answers with one that is merely like it.
    """
    try:
        crs = pyproj.CRS.from_user_input(text)
        if _is_name(text) and not _is_named(crs, str(text)):
            raise CrsError(
                f"{str(text)!r} is not the name of a coordinate reference system; the nearest is "
                f"{crs_label(crs)}. Give its code if it is meant"
            )
        return crs
    except pyproj.exceptions.CRSError:  # its words only repeat the text
        given = str(text)
        shown = given if len(given) <= _SHOWN_CHARACTERS else f"{given[:_SHOWN_CHARACTERS]}..."
        raise CrsError(
            f"{shown!r} is not a coordinate reference system that PROJ knows; give a code such as "
            "EPSG:6609, or WKT"
        ) from None


def _is_name(text: str | int) -> bool:
    """Whether a text is neither code, WKT, PROJ string nor JSON."""
    return isinstance(text, str) and not text.strip().isdigit() and not set(text) & set("[{+:=")


def _is_named(crs: Crs, text: str) -> bool:
    """Whether a CRS has this name, in EPSG's words or in Esri's; case and signs are set aside."""
    names = [crs.name, *_esri_name(crs)]
    return plain_name(text) in {plain_name(name) for name in names}


def _esri_name(crs: Crs) -> list[str]:
    try:
        return re.findall(r'^\w+\["([^"]*)"', str(crs.to_wkt("WKT1_ESRI")))
    except pyproj.exceptions.CRSError:  # nothing that Esri's form can hold
        return []


@_once_each
def crs_label(crs: Crs | None) -> str:
    """The name with its code: 'NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609)'."""
    if crs is None:
        return "no CRS"
    code = crs_code(crs)
    return f"{crs.name} ({code})" if code else f"{crs.name} (no code)"


@_once_each
def crs_code(crs: Crs) -> str | None:
    """'EPSG:6609' when the definition matches a registered one (confidence 70 %), else None."""
    found = crs.to_authority(min_confidence=70)
    return f"{found[0]}:{found[1]}" if found else None


def same_crs(a: Crs, b: Crs) -> bool:
    """True when both put the same numbers on the same place, axis order set aside."""
    return bool(a == b or a.equals(b, ignore_axis_order=True))


def same_ellipsoid(a: Crs | None, b: Crs | None) -> bool:
    """True when both stand on one ellipsoid, so that leaving out a datum shift moves feet only."""
    return a is not None and b is not None and bool(a.ellipsoid == b.ellipsoid)


def linear_unit(crs: Crs) -> LengthUnit | None:
    """The unit of the axes of a projected CRS; None for geographic or unknown units."""
    if not crs.is_projected or not crs.axis_info:
        return None
    return LengthUnit.from_metres(crs.axis_info[0].unit_conversion_factor)


def is_in_feet(crs: Crs | None) -> bool:
    """True for a projected CRS whose axes are in either foot."""
    unit = linear_unit(crs) if crs is not None else None
    return unit is not None and unit.is_foot


def is_web_mercator(crs: Crs | None) -> bool:
    """True for spherical Mercator of web maps, whose lengths are wrong by 1/cos(latitude)."""
    if crs is None or not crs.is_projected:
        return False
    operation = crs.coordinate_operation
    method = operation.method_name if operation else ""
    return "Pseudo Mercator" in method or "Mercator_Auxiliary_Sphere" in crs.to_wkt()


@_once_each  # the geodetic CRS is built anew each time it is asked for
def datum_name(crs: Crs) -> str:
    """The geodetic datum in words: 'NAD83 (National Spatial Reference System 2011)'."""
    return crs.geodetic_crs.datum.name if crs.geodetic_crs and crs.geodetic_crs.datum else "unknown"


def area_of_use(crs: Crs) -> Bounds | None:
    """West, south, east, north in degrees, as registered; None where unknown."""
    area = crs.area_of_use
    return None if area is None else (area.west, area.south, area.east, area.north)


@_once_each
def _transformer(
    source: Crs, target: Crs, aoi: Bounds | None
) -> tuple[pyproj.Transformer, Transformation]:
    """The best available operation over an area, with its account."""
    names = (crs_label(source), crs_label(target))
    if same_crs(source, target):
        identity = pyproj.Transformer.from_crs(source, source, always_xy=True)
        return identity, Transformation(names[1], names[1], "none", 0.0, False)
    area = AreaOfInterest(*aoi) if aoi else None
    with warnings.catch_warnings():  # missing grids are told in the account instead
        warnings.simplefilter("ignore", UserWarning)
        group = TransformerGroup(
            source,
            target,
            always_xy=True,
            area_of_interest=area,  # type: ignore[arg-type]
        )
    if not group.transformers:
        raise CrsError(f"PROJ knows no way from {names[0]} to {names[1]}")
    best = next((op for op in group.transformers if not _is_ballpark(op)), None)
    best = best or _by_way_of_wgs84(source, target, aoi) or group.transformers[0]
    missing = tuple(
        sorted(
            {
                grid.short_name
                for op in group.unavailable_operations
                for grid in op.grids
                if not grid.available
            }
        )
    )
    description = best.description or "unnamed operation"
    accuracy = None if best.accuracy is None or best.accuracy < 0 else float(best.accuracy)
    return best, Transformation(*names, description, accuracy, _is_ballpark(best), missing[:4])


def _by_way_of_wgs84(source: Crs, target: Crs, aoi: Bounds | None) -> pyproj.Transformer | None:
    """The operation PROJ takes over WGS 84 when it knows no direct one; None if that is ballpark.

    TransformerGroup leaves these out (NAD27 to NAD83(2011) without grids: 12 m, not a null
    shift). Between realisations on one ellipsoid (NAD83, HARN, 2011) the hop is coarser than
    no shift at all, so it is taken only where the ellipsoid changes.
    """
    area = aoi or area_of_use(source)
    if area is None or source.ellipsoid == target.ellipsoid:
        return None
    way = pyproj.Transformer.from_crs(source, target, always_xy=True)
    middle = [(area[0] + area[2]) / 2.0], [(area[1] + area[3]) / 2.0]
    start = (
        middle
        if source.is_geographic
        else _own_geographic(source).transform(
            *middle, direction=pyproj.enums.TransformDirection.INVERSE
        )
    )
    way.transform(*start)
    used = way.get_last_used_operation()
    return None if _is_ballpark(used) or used.accuracy < 0 else used


def _is_ballpark(operation: pyproj.Transformer) -> bool:
    return "ballpark" in (operation.description or "").lower()


def _lonlat_area(source: Crs, bounds: Bounds) -> Bounds | None:
    """The bounds in degrees, a little padded, to choose the operation by; None if impossible."""
    if not all(math.isfinite(v) for v in bounds):
        return None
    if source.is_geographic:
        west, south, east, north = bounds
    else:
        try:
            geodetic = pyproj.Transformer.from_crs(source, source.geodetic_crs, always_xy=True)
            west, south, east, north = geodetic.transform_bounds(*bounds)
        except (pyproj.exceptions.ProjError, TypeError):
            return None
    box = (west - 0.01, south - 0.01, east + 0.01, north + 0.01)
    inside = -180 <= box[0] < box[2] <= 180 and -90 <= box[1] < box[3] <= 90
    return tuple(round(v, 2) for v in box) if inside else None  # type: ignore[return-value]


def plan_transformation(source: Crs, target: Crs, bounds: Bounds) -> Transformation:
    """What operation would be used for data within `bounds` (source units)."""
    return _transformer(source, target, _lonlat_area(source, bounds))[1]


def to_crs(
    frame: geopandas.GeoDataFrame, target: Crs
) -> tuple[geopandas.GeoDataFrame, Transformation]:
    """The frame in `target`, with the account of the operation; heights untouched.

    A copy, or the frame itself where its CRS is the very object `target`. Raises CrsError when
    the frame has no CRS. Coordinates that cannot be transformed become infinite, which the
    geometry rules report.
    """
    if frame.crs is None:
        raise CrsError("a layer without a CRS cannot be transformed; give it one first")
    if frame.crs is target:
        return frame, _transformer(target, target, None)[1]
    name = frame.geometry.name
    shapes, account = moved_to(target, frame.geometry.to_numpy(), frame.crs)
    if account.operation == "none":
        return frame.set_crs(target, allow_override=True), account
    moved = frame.copy()
    moved[name] = shapes
    return moved.set_geometry(name).set_crs(target, allow_override=True), account


def moved_to(target: Crs, shapes: np.ndarray, source: Crs) -> tuple[np.ndarray, Transformation]:
    """Geometries (N) of `source` in `target`, with the account of the operation; heights untouched.

    The very array where nothing needs to move. Coordinates that cannot be transformed become
    infinite.
    """
    if source is target:
        return shapes, _transformer(target, target, None)[1]
    if not len(shapes):  # an empty layer has no bounds, and says by what it would be moved
        return shapes, _transformer(source, target, None)[1]
    left, bottom, right, top = shapely.total_bounds(shapes).tolist()
    area = _lonlat_area(source, (left, bottom, right, top))
    transformer, account = _transformer(source, target, area)
    if account.operation == "none":
        return shapes, account

    def move(xy: np.ndarray) -> np.ndarray:
        return np.column_stack(transformer.transform(xy[:, 0], xy[:, 1]))

    def move_flat(xyz: np.ndarray) -> np.ndarray:
        return np.column_stack([move(xyz[:, :2]), xyz[:, 2]])

    if shapely.has_z(shapes).any():
        return shapely.transform(shapes, move_flat, include_z=True), account
    return shapely.transform(shapes, move), account


def transform_points(
    x: np.ndarray | float,
    y: np.ndarray | float,
    source: Crs,
    target: Crs,
    area: Bounds | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Arrays of x and y from source to target by the best available operation.

    area in degrees says for where it should be the best; None: wherever the source is used.
    """
    if source is target and np.isfinite(x).all() and np.isfinite(y).all():
        return np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    transformer = _transformer(source, target, area)[0]
    out = transformer.transform(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    return np.asarray(out[0]), np.asarray(out[1])


def transform_back(
    x: np.ndarray, y: np.ndarray, source: Crs, target: Crs, bounds: Bounds
) -> tuple[np.ndarray, np.ndarray, Transformation]:
    """Where places of `target` lie in `source`: to_crs undone, for data within bounds (source).

    With the account of that operation. Infinite where a place cannot be transformed.
    """
    transformer, account = _transformer(source, target, _lonlat_area(source, bounds))
    way = pyproj.enums.TransformDirection.INVERSE
    out = transformer.transform(
        np.asarray(x, dtype=float), np.asarray(y, dtype=float), direction=way
    )
    return np.asarray(out[0]), np.asarray(out[1]), account


def lonlat(x: np.ndarray | float, y: np.ndarray | float, crs: Crs) -> tuple[np.ndarray, np.ndarray]:
    """Longitude and latitude in degrees in the CRS's own datum (no datum shift).

    NaN where PROJ can make nothing of the definition.
    """
    try:
        transformer = _own_geographic(crs)
    except pyproj.exceptions.ProjError:
        nowhere = np.full(np.shape(x), np.nan)
        return nowhere, nowhere.copy()
    out = transformer.transform(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    return np.asarray(out[0]), np.asarray(out[1])


def proj_text(crs: Crs) -> str | None:
    """The definition as a PROJ string for programs without the register; None for what has none.

    Datum shifts are not in it: it leads to degrees in the CRS's own datum, as lonlat does.
    """
    flat = crs.to_2d() if not crs.is_compound else crs.sub_crs_list[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it says less than WKT is known here
        try:
            text: str = flat.to_proj4()
        except pyproj.exceptions.CRSError:
            return None
    return text if "+proj=" in text else None


def is_plain(crs: Crs) -> bool:
    """Whether every file format can state it: not so a derived system such as a rotated pole."""
    try:
        return bool(crs.to_epsg() or crs.to_wkt("WKT1_GDAL"))
    except pyproj.exceptions.CRSError:
        return False


def for_files(crs: Crs | None) -> Crs | None:
    """The same CRS with an id of its own where no register holds it, so that files keep its unit.

    GDAL takes a Transverse Mercator without an id for the UTM zone in metres that it resembles,
    and writes that: feet would be read as metres.
    """
    if crs is None or crs.to_epsg() is not None:
        return crs
    definition = crs.to_json_dict()
    if "id" in definition:
        return crs
    number = 10_000_000 + zlib.crc32(crs.to_wkt().encode()) % 1_000_000_000
    definition["id"] = {"authority": "SITEMAP", "code": number}
    try:
        return pyproj.CRS.from_json_dict(definition)
    except pyproj.exceptions.CRSError:
        return crs


def rough_lonlat(x: float, y: float, crs: Crs) -> tuple[float, float]:
    """Longitude and latitude of a point of a projected CRS, to some metres; infinite where none.

    For sifting hundreds of systems: a bare projection is made in a fraction of a millisecond.
    """
    try:
        lon, lat = _bare_projection(crs)(x, y, inverse=True)
    except pyproj.exceptions.ProjError:
        return math.inf, math.inf
    return float(lon), float(lat)


@_once_each  # ranking candidates asks hundreds of systems, per dataset
def _bare_projection(crs: Crs) -> pyproj.Proj:
    return pyproj.Proj(crs)


@_once_each
def _own_geographic(crs: Crs) -> pyproj.Transformer:
    return pyproj.Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)


def convergence_deg(crs: Crs, x: float, y: float) -> float:
    """Degrees by which grid north lies east (+) of true north at a point of the CRS."""
    lon, lat = lonlat(x, y, crs)
    return float(pyproj.Proj(crs).get_factors(float(lon), float(lat)).meridian_convergence)


def grid_scale_factor(crs: Crs, x: float, y: float) -> float:
    """Grid length over ellipsoid length at a point of the CRS."""
    lon, lat = lonlat(x, y, crs)
    return float(pyproj.Proj(crs).get_factors(float(lon), float(lat)).meridional_scale)


def choose_site_crs(crs: Crs, bounds: Bounds) -> tuple[Crs, str]:
    """A projected CRS in feet for data within `bounds` of `crs`, and why this one.

    The data's own CRS if it is already in feet; else the State Plane zone of NAD83(2011)
    in feet around the middle of the data; else UTM in feet. CrsError without usable bounds.
    """
    if is_in_feet(crs):
        return crs, f"the data are already in it: {crs_label(crs)}"
    middle = np.array([(bounds[0] + bounds[2]) / 2.0]), np.array([(bounds[1] + bounds[3]) / 2.0])
    lon_, lat_ = lonlat(*middle, crs) if crs.is_projected else middle
    lon, lat = float(lon_[0]), float(lat_[0])
    if not (math.isfinite(lon) and math.isfinite(lat) and abs(lon) <= 180 and abs(lat) <= 90):
        raise CrsError(
            f"the data say {crs_label(crs)}, but their numbers ({bounds[0]:.6g}, {bounds[1]:.6g}) "
            "lie outside the earth in it; correct the CRS or give the right one with --crs"
        )
    zones = _zones_in_feet(lon, lat)
    if zones:
        own = next((zone for zone in zones if _zone_name(zone) == _zone_name(crs)), zones[0])
        others = sorted({_zone_name(zone) for zone in zones} - {_zone_name(own)})
        doubt = f"; it may lie in {' or '.join(others)} too, then give --crs" if others else ""
        doubt = doubt if own is zones[0] and _zone_name(own) != _zone_name(crs) else ""
        return own, f"State Plane zone around the data ({lat:.4f} N, {-lon:.4f} W){doubt}"
    number = int((lon + 180) // 6) + 1
    utm = _utm_in_feet(crs, number, "S" if lat < 0 else "N")
    where = f"{lat:.4f}, {lon:.4f}"  # Alaska has zones, in metres alone
    return utm, f"no State Plane zone in feet is registered at {where}; UTM zone {number} in feet"


def _utm_in_feet(crs: Crs, number: int, half: str) -> Crs:
    """A UTM zone in feet on the datum of `crs`, so that nothing needs to be shifted."""
    base = crs.geodetic_crs.to_2d() if crs.geodetic_crs else WGS84
    made = pyproj.crs.ProjectedCRS(
        conversion=pyproj.crs.coordinate_operation.UTMConversion(str(number), half),
        name=f"{base.name} / UTM zone {number}{half} (ft)",
        cartesian_cs=pyproj.crs.coordinate_system.Cartesian2DCS(
            axis=pyproj.crs.enums.Cartesian2DCSAxis.EASTING_NORTHING_FT
        ),
        geodetic_crs=base,
    )
    return pyproj.CRS.from_wkt(made.to_wkt())  # a plain CRS: the class above has no 2D form


def _zone_name(crs: Crs) -> str:
    """'Wisconsin South' of every realisation and unit of it."""
    return re.sub(r"\s*\((ft|ftUS|m)\)$", "", crs.name.rsplit(" / ", 1)[-1])


def state_plane_in_feet(lon: float, lat: float) -> Crs | None:
    """The NAD83(2011) State Plane CRS in feet that holds a point (ftUS first), or None."""
    zones = _zones_in_feet(lon, lat)
    return zones[0] if zones else None


@lru_cache(maxsize=64)
def _zones_in_feet(lon: float, lat: float) -> tuple[Crs, ...]:
    """Every such zone: they are registered by rectangles, which overlap at the borders."""
    area = AreaOfInterest(lon - 1e-4, lat - 1e-4, lon + 1e-4, lat + 1e-4)
    infos = query_crs_info("EPSG", PJType.PROJECTED_CRS, area, contains=True)
    zones = [i for i in infos if i.name.startswith("NAD83(2011) / ") and "(ft" in i.name]
    zones.sort(key=lambda i: ("(ftUS)" not in i.name, _extent(i.area_of_use), i.code))
    made = (pyproj.CRS.from_epsg(int(info.code)) for info in zones)
    return tuple(crs for crs in made if _is_state_plane(crs))


def _is_state_plane(crs: Crs) -> bool:
    operation = crs.coordinate_operation
    return operation is not None and operation.name.startswith("SPCS83")


def _extent(area: object) -> float:
    """Square degrees, to prefer the narrower zone where two overlap."""
    west, south, east, north = (getattr(area, side) for side in ("west", "south", "east", "north"))
    return float((east - west) * (north - south))


# Grids that turn a guess into a transformation in Wisconsin: datum and height shifts.
WANTED_GRIDS = (
    ("us_noaa_nadcon5_nad27_nad83_1986_conus.tif", "NAD27 to NAD83"),
    ("us_noaa_nadcon5_nad83_harn_nad83_fbn_conus.tif", "NAD83(HARN) to NAD83(2011)"),
    ("us_noaa_vertcone.tif", "NGVD29 to NAVD88 heights"),
)


def proj_state() -> list[tuple[str, str, bool]]:
    """Rows of (what, found, in order) on PROJ, its database and the datum grids, for `doctor`."""
    from pathlib import Path

    folders = [Path(get_data_dir()), Path(get_user_data_dir())]
    rows = [
        ("PROJ", pyproj.proj_version_str, True),
        ("EPSG database", str(pyproj.database.get_database_metadata("EPSG.VERSION")), True),
        ("PROJ network", "on" if is_network_enabled() else "off", True),
    ]
    for grid, use in WANTED_GRIDS:
        there = any((folder / grid).exists() for folder in folders)
        rows.append((f"grid {grid}", "present" if there else f"missing ({use} is rough)", there))
    return rows


DEGREE_SYSTEMS = ("EPSG:4269", "EPSG:4326", "EPSG:6318", "EPSG:4267")  # NAD83, WGS 84, 2011, NAD27

NORTH_AMERICAN = ("NAD_1983", "NAD_1927", "USA_Contiguous", "North_America_")
COUNTIES = 4  # that share one county system; zones of State Plane have dozens
COUNTY_DEG = 3.0  # no county is larger, and two of one name are farther apart

_NEVER_SUBMITTED = (
    "WGS 72", "(CSRS)", "BLM", "UTM grid", "EASE-Grid", "Statistics Canada", "Equi7", "GLANCE",
    "Equal Earth", "Equidistant Cylindrical", "World Mercator", "PDC Mercator", "North Pole",
    "CORS96", "WISCRS_",
)  # fmt: skip  # of ESRI's WISCRS all are in EPSG's


@lru_cache(maxsize=32)
def systems_around(lon: float, lat: float, margin_deg: float = 0.0) -> tuple[Crs, ...]:
    """The registered projected CRS whose area of use holds a point, or comes within a margin.

    State Plane, county and state systems and UTM on every datum and in every unit come with it,
    from EPSG's register and, for the North American datums, from ESRI's (the county systems of
    Minnesota, state systems in feet); deprecated entries and systems that nobody submits here do
    not. Degrees.
    """
    reach = max(margin_deg, 1e-4)
    area = AreaOfInterest(lon - reach, lat - reach, lon + reach, lat + reach)
    found = []
    for authority in ("EPSG", "ESRI"):
        infos = query_crs_info(authority, PJType.PROJECTED_CRS, area, contains=margin_deg == 0.0)
        codes = sorted(
            int(info.code)
            for info in infos
            if not info.deprecated
            and not any(word in info.name for word in _NEVER_SUBMITTED)
            and (authority == "EPSG" or info.name.startswith(NORTH_AMERICAN))
        )
        found += [pyproj.CRS.from_authority(authority, code) for code in codes]
    return tuple(found)


@lru_cache(maxsize=64)
def registered_nad27(zone: str, lon: float, lat: float) -> Crs | None:
    """The system on NAD27 of a State Plane or UTM zone ("Wisconsin South") that holds a point.

    None where the register has none of that name: ask systems_around then. A look-up by name
    takes a tenth of the time of asking for all systems around a place. Degrees.
    """
    try:
        found = pyproj.CRS.from_user_input(f"NAD27 / {zone}")
    except pyproj.exceptions.CRSError:
        return None
    area = area_of_use(found)
    if found.name != f"NAD27 / {zone}" or area is None or found.is_deprecated:
        return None
    west, south, east, north = area
    return found if west <= lon <= east and south <= lat <= north else None


@lru_cache(maxsize=32)
def area_named(county: str, state: str = "") -> Bounds | None:
    """The box in degrees of the registered area of use that names a county of the United States.

    Counties with a system of their own are known: 'Waushara', 'Dane'. None where there is none,
    or where several states have one of that name and none of them is named.
    """
    words = [
        re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE) for word in (county, state) if word
    ]
    infos = query_crs_info("EPSG", PJType.PROJECTED_CRS)
    known = {info.area_of_use for info in infos if info.area_of_use is not None}
    areas = [
        area
        for area in known
        if (name := area.name or "").startswith("United States")
        and "count" in name.lower()  # "... - Wisconsin - Dane county.", "... counties of Rock; ..."
        and name.count(";") < COUNTIES
        and all(word.search(name.split(" - ", 1)[1]) for word in words)
    ]
    if not areas:
        return None
    west, east = min(a.west for a in areas), max(a.east for a in areas)
    south, north = min(a.south for a in areas), max(a.north for a in areas)
    if max(east - west, north - south) > COUNTY_DEG:
        return None
    smallest = min(areas, key=_extent)
    return smallest.west, smallest.south, smallest.east, smallest.north
