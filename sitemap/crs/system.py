"""A coordinate reference system: read, named, compared, its unit and datum, as files state it."""

from __future__ import annotations

import re
import warnings
import zlib
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

import pyproj

from sitemap.column_names import plain_name
from sitemap.errors import CrsError
from sitemap.units import LengthUnit

Crs = pyproj.CRS
Bounds = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax
_Asked = TypeVarTuple("_Asked")
_Told = TypeVar("_Told")

WGS84 = pyproj.CRS.from_epsg(4326)
_SHOWN_CHARACTERS = 60  # of a text that is no CRS


def once_each(function: Callable[[*_Asked], _Told]) -> Callable[[*_Asked], _Told]:
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


@once_each
def crs_label(crs: Crs | None) -> str:
    """The name with its code: 'NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609)'."""
    if crs is None:
        return "no CRS"
    code = crs_code(crs)
    return f"{crs.name} ({code})" if code else f"{crs.name} (no code)"


@once_each
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


@once_each  # the geodetic CRS is built anew each time it is asked for
def datum_name(crs: Crs) -> str:
    """The geodetic datum in words: 'NAD83 (National Spatial Reference System 2011)'."""
    return crs.geodetic_crs.datum.name if crs.geodetic_crs and crs.geodetic_crs.datum else "unknown"


def area_of_use(crs: Crs) -> Bounds | None:
    """West, south, east, north in degrees, as registered; None where unknown."""
    area = crs.area_of_use
    return None if area is None else (area.west, area.south, area.east, area.north)


def square_degrees(area: object) -> float:
    """Of an area of use, to prefer the narrower one where two overlap."""
    west, south, east, north = (getattr(area, side) for side in ("west", "south", "east", "north"))
    return float((east - west) * (north - south))


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
