"""The frames of a finished page: where they are, what ground they show, at what scale.

Reads the viewports of ISO 32000 (geospatial and rectilinear measures) and the older dictionaries
of OGC 08-139. Sizes are inches as shown; ground is feet of the CRS.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pikepdf

from sitemap import crs as crs_door
from sitemap.crs import Crs
from sitemap.errors import CrsError
from sitemap.measured_plate import MapFrame
from sitemap.plate.fitted_frame import frame_on_ground, known_crs, own_degrees, scale_of
from sitemap.plate.lgi_dictionary import older_frames
from sitemap.plate.page_view import PageView
from sitemap.units import LengthUnit, plain_number

LARGEST_EPSG = 32767
SAME_PLACE_FT = 0.1
PAPER_ONLY = 0.02  # a viewport within 2 % of one inch per inch measures paper, not ground


def page_frames(page: pikepdf.Page, view: PageView) -> tuple[list[MapFrame], list[str]]:
    """The frames that a page declares, and in words what is wrong with those that are no good."""
    frames: list[MapFrame] = []
    trouble: list[str] = []
    for number, viewport in enumerate(_viewports(page), 1):
        name = str(viewport.get("/Name", f"viewport {number}"))
        try:
            frame, note = _viewport_frame(viewport, name, view)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, CrsError) as error:
            frame, note = None, f'"{name}" cannot be measured: {error}'
        frames += [frame] if frame else []
        trouble += [note] if note else []
    older, more = older_frames(page, view)
    return [*frames, *older], [*trouble, *more]


def _viewports(page: pikepdf.Page) -> Iterator[Any]:
    listed = page.obj.get("/VP")
    if isinstance(listed, pikepdf.Array):
        yield from (v for v in listed if isinstance(v, pikepdf.Dictionary) and "/Measure" in v)


def _viewport_frame(viewport: Any, name: str, view: PageView) -> tuple[MapFrame | None, str | None]:
    measure = viewport["/Measure"]
    box = _numbers(viewport["/BBox"])
    if len(box) != 4:
        raise ValueError(f"its box has {len(box)} numbers instead of 4")
    left, right = sorted(box[::2])
    bottom, top = sorted(box[1::2])
    corners = np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
    if measure.get("/Subtype") == pikepdf.Name.GEO:
        return _ground_frame(measure, name, corners, view)
    return _calibrated_frame(measure, name, corners, view)


def _numbers(array: Any) -> list[float]:
    return [float(v) if not isinstance(v, pikepdf.String) else float(str(v)) for v in array]


def _calibrated_frame(
    measure: Any, name: str, corners: np.ndarray, view: PageView
) -> tuple[MapFrame | None, str | None]:
    """A rectilinear measure: units of ground per unit of the file, often without saying which."""
    across, distance = measure["/X"][0], measure.get("/D")
    first = distance[0] if isinstance(distance, pikepdf.Array) and len(distance) else None
    factor = float(across["/C"]) * (float(first["/C"]) if first is not None else 1.0)
    label = str((first if first is not None else across).get("/U", "")).strip()
    per_inch = factor * view.units_per_inch
    if not (math.isfinite(per_inch) and per_inch > 0):
        raise ValueError(f"it says that one inch is {per_inch:g} units")
    unit, note = LengthUnit.parse(label) if label else LengthUnit.FOOT, None
    if abs(per_inch * float(unit.metres / LengthUnit.INCH.metres) - 1.0) < PAPER_ONLY or (
        not label and abs(per_inch - 1.0) < PAPER_ONLY
    ):
        return None, None  # calibrated to the paper itself
    if not label:
        note = (
            f'the calibration of "{name}" names no unit; feet are taken: '
            f"1 in = {plain_number(per_inch)} ft"
        )
    feet = per_inch if unit.is_foot else per_inch * float(unit.metres / LengthUnit.FOOT.metres)
    words = str(measure["/R"]).strip() if "/R" in measure else ""
    said = f' ("{words}")' if words else ""
    frame = MapFrame(
        name,
        view.shown_box(corners),
        scale_of(feet, feet),
        "calibration",
        rests_on=f"the calibration of measuring tools{said}; nothing says which ground it shows",
        unit_taken=not label,
    )
    return frame, note


def _ground_frame(
    measure: Any, name: str, corners: np.ndarray, view: PageView
) -> tuple[MapFrame | None, str | None]:
    """A geospatial measure: the affine map through its points, in the CRS it names."""
    degrees = np.array(_numbers(measure["/GPTS"])).reshape(-1, 2)[:, ::-1]
    unit = measure.get("/LPTS", [0, 0, 0, 1, 1, 1, 1, 0])
    square = np.array(_numbers(unit)).reshape(-1, 2)
    if len(square) != len(degrees) or len(square) < 3:
        raise ValueError(
            f"it pairs {len(square)} places on the page with {len(degrees)} on the ground; "
            "at least 3 of both are needed"
        )
    low, high = corners.min(axis=0), corners.max(axis=0)
    places = view.shown_in(low + square * (high - low))
    crs, epsg, note = _named_crs(measure.get("/GCS"), degrees.mean(axis=0))
    rests_on = f"its georeference, {len(degrees)} corners with longitude and latitude"
    frame = frame_on_ground(name, corners, places, degrees, crs, epsg, view, rests_on)
    return frame, f'"{name}": {note}' if note else None


def _named_crs(system: Any, middle: np.ndarray) -> tuple[Crs | None, int | None, str | None]:
    """The CRS of a frame, its code, and a word of doubt. The code is believed before the text."""
    code = int(system["/EPSG"]) if system is not None and "/EPSG" in system else None
    text = str(system["/WKT"]) if system is not None and "/WKT" in system else ""
    by_code = by_text = None
    if code is not None:
        authority = "EPSG" if code <= LARGEST_EPSG else "ESRI"
        by_code = known_crs(f"{authority}:{code}")
    if text:
        by_text = known_crs(text)
    chosen = by_code or by_text
    if chosen is None:
        what = f"code {code}" if code is not None else "text" if text else "nothing"
        return None, None, f"it names no CRS that PROJ knows ({what}); degrees are taken as WGS 84"
    note = None
    if by_code is not None and by_text is not None and not _same_place(by_code, by_text, middle):
        note = f"its code says {by_code.name}, its text {by_text.name}; the code is taken"
    elif code is not None and by_code is None:
        note = f"its code {code} is unknown to PROJ; its text is taken: {chosen.name}"
    elif text and by_text is None:
        note = f"its well-known text cannot be read; its code is taken: {chosen.name}"
    return chosen, code if by_code is not None and code is not None else None, note


def _same_place(a: Crs, b: Crs, middle: np.ndarray) -> bool:
    """True when both put a longitude and latitude of their own on the same numbers."""
    if a.is_projected != b.is_projected:
        return False
    if not a.is_projected:
        return crs_door.datum_name(a) == crs_door.datum_name(b) or crs_door.same_crs(a, b)
    places = [crs_door.transform_points(middle[:1], middle[1:], own_degrees(c), c) for c in (a, b)]
    return bool(np.allclose(places[0], places[1], rtol=0, atol=SAME_PLACE_FT))
