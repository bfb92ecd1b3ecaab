"""The frame of a map from places on the page and where they lie on the ground.

Sizes are inches as shown; ground is feet of the CRS.
"""

from __future__ import annotations

import math

import numpy as np

from sitemap import crs as crs_door
from sitemap.crs import Crs
from sitemap.errors import CrsError
from sitemap.measured_plate import MapFrame
from sitemap.plate.page_view import PageView
from sitemap.units import LengthUnit, plain_number

WORST_RESIDUAL = 0.005  # of the frame's ground, before its corners count as not a plane map


def own_degrees(crs: Crs) -> Crs:
    """The geographic CRS that a CRS is built on."""
    return crs.geodetic_crs or crs_door.WGS84


def known_crs(text: str) -> Crs | None:
    """The CRS of a code or of well-known text; None for one that PROJ does not know."""
    try:
        return crs_door.parse_crs(text)
    except CrsError:
        return None


def frame_on_ground(
    name: str,
    corners: np.ndarray,
    places_in: np.ndarray,
    degrees: np.ndarray,
    crs: Crs | None,
    epsg: int | None,
    view: PageView,
    rests_on: str,
) -> MapFrame:
    """Scale and corners of a frame from places in inches and their longitude and latitude.

    A geographic CRS and Web Mercator have no feet of their own: those frames are measured in
    the State Plane or UTM zone around them.
    """
    own = crs if crs is not None else crs_door.WGS84
    measuring = own
    if not own.is_projected or crs_door.is_web_mercator(own):
        west, south = degrees.min(axis=0)
        east, north = degrees.max(axis=0)
        measuring, _ = crs_door.choose_site_crs(own_degrees(own), (west, south, east, north))
    beyond = np.abs(degrees) > (361.0, 91.0)
    if beyond.any() and own.is_projected:  # some programs write eastings and northings here
        ground = degrees
    else:
        ground = np.column_stack(
            crs_door.transform_points(degrees[:, 0], degrees[:, 1], own_degrees(own), measuring)
        )
    unit = crs_door.linear_unit(measuring)
    if unit is None:
        raise ValueError(f"the unit of {measuring.name} is neither feet nor metres")
    if not unit.is_foot:
        ground = ground * float(unit.metres / LengthUnit.FOOT.metres)
    affine = affine_of(places_in, ground)
    left, bottom, right, top = box = view.shown_box(corners)
    shown = np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
    at_corners = np.column_stack([shown, np.ones(4)]) @ affine
    most, least = np.linalg.svd(affine[:2], compute_uv=False)
    return MapFrame(
        name,
        box,
        scale_of(most, least),
        "georeference",
        crs=crs_door.crs_label(crs) if crs is not None else None,
        epsg=epsg,
        ground_ft=(
            tuple((float(x), float(y)) for x, y in at_corners)
            if crs is not None and measuring is own and unit.is_foot
            else None
        ),
        anisotropy_ppm=float((most - least) / math.sqrt(most * least) * 1e6),
        across_up=along_edges(affine),
        rests_on=rests_on,
    )


def along_edges(affine: np.ndarray) -> tuple[float, float]:
    """Feet per inch to the right and up on the page."""
    across, up = np.hypot(*affine[0]), np.hypot(*affine[1])
    return round(float(across), 5), round(float(up), 5)


def scale_of(across: float, up: float) -> float:
    """Feet per inch, to what 10 decimals of a degree can tell: 100 is then 100, not 100.0000002."""
    return round(math.sqrt(across * up), 5)


def affine_of(places_in: np.ndarray, ground_ft: np.ndarray) -> np.ndarray:
    """The matrix (3, 2) that takes x, y, 1 in inches to feet; ValueError when there is none."""
    if not np.isfinite(ground_ft).all():
        raise ValueError("its corners lie outside of what its CRS can show")
    middle = ground_ft.mean(axis=0)
    known = np.column_stack([places_in, np.ones(len(places_in))])
    # squares of a side of inches stay far from the square of a State Plane coordinate
    matrix, _, rank, _ = np.linalg.lstsq(known, ground_ft - middle, rcond=None)
    if rank < 3:
        raise ValueError("its places on the page lie on one line")
    extent = float(np.ptp(ground_ft, axis=0).max())
    if extent == 0 or abs(np.linalg.det(matrix[:2])) < (1e-9 * extent) ** 2:
        raise ValueError("its corners lie on one line on the ground")
    worst = float(np.abs(known @ matrix - (ground_ft - middle)).max())
    if worst > WORST_RESIDUAL * extent:
        raise ValueError(
            f"its corners do not lie on a plane map: they miss it by {plain_number(worst)} ft"
        )
    matrix[2] += middle
    return np.asarray(matrix)
