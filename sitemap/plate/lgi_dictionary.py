"""The map frames of OGC 08-139, which GDAL and older programs write as /LGIDict.

A matrix takes the file's units to the ground, a dictionary names the projection.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pikepdf

from sitemap import crs as crs_door
from sitemap.crs import Crs
from sitemap.errors import CrsError
from sitemap.measured_plate import MapFrame
from sitemap.plate.fitted_frame import (
    affine_of,
    along_edges,
    frame_on_ground,
    known_crs,
    own_degrees,
    scale_of,
)
from sitemap.plate.page_view import PageView
from sitemap.units import LengthUnit

RESTS_ON = "its georeference (OGC 08-139)"
_UNITS = {"m": LengthUnit.METRE, "ft": LengthUnit.FOOT, "ftus": LengthUnit.US_SURVEY_FOOT,
          "us ft": LengthUnit.US_SURVEY_FOOT}  # fmt: skip


def older_frames(page: pikepdf.Page, view: PageView) -> tuple[list[MapFrame], list[str]]:
    """The frames of a page's dictionaries, and in words what is wrong with those of no good."""
    frames: list[MapFrame] = []
    trouble: list[str] = []
    for dictionary in _dictionaries(page):
        name = str(dictionary.get("/Description", "map"))
        try:
            frame, note = _frame(dictionary, name, view)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, CrsError) as error:
            trouble.append(f'"{name}" (OGC 08-139) cannot be measured: {error}')
            continue
        frames.append(frame)
        trouble += [f'"{name}" (OGC 08-139): {note}'] if note else []
    return frames, trouble


def _dictionaries(page: pikepdf.Page) -> Iterator[Any]:
    found = page.obj.get("/LGIDict")
    listed = list(found) if isinstance(found, pikepdf.Array) else [found]
    yield from (d for d in listed if isinstance(d, pikepdf.Dictionary))


def _frame(dictionary: Any, name: str, view: PageView) -> tuple[MapFrame, str]:
    """The frame, and a word of doubt about its unit."""
    a, b, c, d, e, f = _numbers(dictionary["/CTM"])
    if "/Neatline" in dictionary:
        corners = np.array(_numbers(dictionary["/Neatline"])).reshape(-1, 2)
    else:
        left, bottom, right, top = view.box
        corners = np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
    ground = corners @ np.array([[a, b], [c, d]]) + (e, f)
    projection = dictionary.get("/Projection", dictionary.get("/Display"))
    if projection is None:
        raise ValueError("it has no projection")
    places = view.shown_in(corners)
    crs = _crs(projection)
    unit, note = _unit(projection, crs)
    if crs is None:
        return _of_unknown_projection(projection, name, corners, places, ground, unit, view), note
    if not crs.is_geographic:
        own = crs_door.linear_unit(crs)
        if own is not None and own != unit:
            ground = ground * float(unit.metres / own.metres)
        degrees = crs_door.transform_points(ground[:, 0], ground[:, 1], crs, own_degrees(crs))
        ground = np.column_stack(degrees)
    code = crs_door.crs_code(crs) or ""
    epsg = int(code.removeprefix("EPSG:")) if code.startswith("EPSG:") else None
    return frame_on_ground(name, corners, places, ground, crs, epsg, view, RESTS_ON), note


def _numbers(array: Any) -> list[float]:
    return [float(v) if not isinstance(v, pikepdf.String) else float(str(v)) for v in array]


def _unit(projection: Any, crs: Crs | None) -> tuple[LengthUnit, str]:
    """The unit of the matrix: that of well-known text, else the one stated, else metres.

    GDAL states metres and international feet, and nothing for US survey feet.
    """
    word = str(projection.get("/Units", "")).strip().lower()
    stated = _UNITS.get(word)
    own = crs_door.linear_unit(crs) if crs is not None and "/WKT" in projection else None
    if own is not None:
        same = stated is None or stated.is_foot == own.is_foot
        note = (
            ""
            if same
            else f"its units say {word}, its well-known text {own.symbol}; the text is taken"
        )
        return own, note
    if stated is not None:
        return stated, ""
    if crs is not None and crs.is_geographic:
        return LengthUnit.METRE, ""
    return (
        LengthUnit.METRE,
        f"{'it names no unit' if not word else f'its unit {word} is not known'}; metres are taken",
    )


def _of_unknown_projection(
    projection: Any,
    name: str,
    corners: np.ndarray,
    places: np.ndarray,
    ground: np.ndarray,
    unit: LengthUnit,
    view: PageView,
) -> MapFrame:
    """By the matrix alone; ValueError for Mercator, whose feet are not feet on the ground."""
    kind = str(projection.get("/ProjectionType", "unknown")).strip("/ ")
    if kind.upper() == "MC":
        raise ValueError("its projection is Mercator, whose lengths are not those on the ground")
    feet = ground if unit.is_foot else ground * float(unit.metres / LengthUnit.FOOT.metres)
    affine = affine_of(places, feet)
    most, least = np.linalg.svd(affine[:2], compute_uv=False)
    return MapFrame(
        name,
        view.shown_box(corners),
        scale_of(most, least),
        "georeference",
        crs=f"projection {kind} in {unit.symbol}",
        anisotropy_ppm=float((most - least) / math.sqrt(most * least) * 1e6),
        across_up=along_edges(affine),
        rests_on=RESTS_ON,
    )


def _crs(projection: Any) -> Crs | None:
    """The CRS where it is one of the plain kinds: well-known text, geographic, UTM."""
    if "/WKT" in projection:
        return known_crs(str(projection["/WKT"]))
    kind = str(projection.get("/ProjectionType", "")).strip("/ ").upper()
    datum = projection.get("/Datum")
    name = str(datum) if isinstance(datum, pikepdf.String) else ""
    geographic = {"WGE": "EPSG:4326", "NAR": "EPSG:4269", "NAS": "EPSG:4267"}.get(name[:3])
    if kind == "GEOGRAPHIC":
        return known_crs(geographic or "EPSG:4326")
    zone = re.sub(r"\D", "", str(projection.get("/Zone", "")))
    north = str(projection.get("/Hemisphere", "N")).strip("/ ").upper() != "S"
    if kind == "UT" and zone and geographic in ("EPSG:4326", "EPSG:4269", "EPSG:4267"):
        base = {"EPSG:4326": 32600 if north else 32700, "EPSG:4269": 26900, "EPSG:4267": 26700}
        return known_crs(f"EPSG:{base[geographic] + int(zone)}")
    return None
