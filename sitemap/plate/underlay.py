"""What lies under the map when wished: shaded relief and aerial images, screened.

The light of the relief falls from the upper left of the sheet, however the ground is turned.
Aerial images are read by window and, unlike heights, from overviews where those are fine enough.
"""

from __future__ import annotations

import io
import math
from typing import get_args

import numpy as np
from PIL import Image as Picture

from sitemap.errors import PlateError
from sitemap.layer import Raster
from sitemap.plate.aerial import sampled_colours
from sitemap.plate.marks import GroundFrame, Image
from sitemap.project import Underlay
from sitemap.site import Site
from sitemap.terrain.ground import ground_of
from sitemap.terrain.surface import Surface
from sitemap.units import LengthUnit

RELIEF_LAYER, AERIAL_LAYER = "Shaded relief", "Aerial image"
NO_AERIAL = "Aerial image: none that was submitted reaches this map"
RELIEF_PER_IN, AERIAL_PER_IN = 100, 150  # pixels on paper at most; never finer than the source
RELIEF_DARKEST, AERIAL_STRENGTH = 150, 0.55  # screened, so that the line work leads
EXAGGERATION = 2.0  # of heights, since most sites are flat
SUN_HEIGHT_DEG = 45.0
JPEG_QUALITY = 80


def underlay_marks(site: Site, frame: GroundFrame) -> tuple[list[Image], list[str]]:
    """The pictures that are wished for, cut to the frame; and in words what is not on this map.

    PlateError when one is wished for and nothing submitted can give it.
    """
    wished = site.project.plate.underlay
    assert wished in get_args(Underlay)
    marks: list[Image] = []
    missing: list[str] = []
    if wished in ("aerial", "both"):
        image = _aerial(site, frame)
        marks += [image] if image is not None else []
        missing += [NO_AERIAL] if image is None else []
    if wished in ("relief", "both"):
        marks.append(_relief(site, frame))
    return marks, missing


def _relief(site: Site, frame: GroundFrame) -> Image:
    ground = ground_of(site)
    if ground.existing is None:
        raise PlateError(
            f"shaded relief was asked for and no ground can be had: {ground.why_no_existing}. "
            "Supply an elevation raster, a TIN or contours, or draw without --underlay"
        )
    rows, columns = _pixels(frame, ground.existing.cell_ft, RELIEF_PER_IN)
    grey = shade(ground.existing, frame, rows, columns)
    return _image(RELIEF_LAYER, frame, grey)


def _aerial(site: Site, frame: GroundFrame) -> Image | None:
    """None where no image reaches the frame: the others of a set may still have one."""
    rasters = [r for r in site.rasters if r.role == "aerial" and r.crs is not None]
    if not rasters:
        raise PlateError(
            "an aerial image was asked for and none was submitted with its place on the ground; "
            "supply a georeferenced picture (GeoTIFF) named aerial or ortho, or name it in "
            "site.toml [layers] aerial"
        )
    cell = min(_cell_ft(raster, frame) for raster in rasters)
    rows, columns = _pixels(frame, cell, AERIAL_PER_IN)
    colours = np.full((rows, columns, 3), np.nan, dtype=np.float32)
    for raster in rasters:
        gaps = np.isnan(colours[..., 0])
        if gaps.any():
            found = sampled_colours(raster, frame, rows, columns)
            colours[gaps] = found[gaps]
    if np.isnan(colours).all():
        return None
    screened = 255.0 - AERIAL_STRENGTH * (255.0 - np.nan_to_num(colours, nan=255.0))
    return _image(AERIAL_LAYER, frame, screened)


def shade(surface: Surface, frame: GroundFrame, rows: int, columns: int) -> np.ndarray:
    """Grey of each pixel, (rows, columns) from 150 in shadow to 255; voids are white."""
    heights = surface.heights_at(pixel_places_ft(frame, rows, columns)).reshape(rows, columns)
    step = _height_ft(frame) / rows
    down, right = np.gradient(heights * EXAGGERATION, step)
    sun = math.radians(SUN_HEIGHT_DEG)
    east, north = math.cos(sun) * math.sqrt(0.5) * np.array([-1.0, 1.0])  # upper left of paper
    lit = (math.sin(sun) - right * east + down * north) / np.sqrt(1.0 + right**2 + down**2)
    level = math.sin(sun)
    # flat ground is nearly white: what turns away darkens, what turns to the light stays
    grey = 248.0 + (lit - level) / level * (248.0 - RELIEF_DARKEST)
    return np.where(np.isfinite(grey), np.clip(grey, RELIEF_DARKEST, 255.0), 255.0)


def pixel_places_ft(frame: GroundFrame, rows: int, columns: int) -> np.ndarray:
    """The ground under the middle of each pixel, (rows * columns, 2), rows from the top."""
    left, bottom, right, top = frame.box_in
    x = left + (np.arange(columns) + 0.5) * (right - left) / columns
    y = top - (np.arange(rows) + 0.5) * (top - bottom) / rows
    across, along = np.meshgrid(x, y)
    return frame.to_ground(np.column_stack([across.ravel(), along.ravel()]))


def _height_ft(frame: GroundFrame) -> float:
    return (frame.box_in[3] - frame.box_in[1]) * frame.feet_per_inch


def _pixels(frame: GroundFrame, cell_ft: float, per_in: int) -> tuple[int, int]:
    """Rows and columns: as fine as the source, at most so many to the inch."""
    left, bottom, right, top = frame.box_in
    each = max(cell_ft / frame.feet_per_inch, 1.0 / per_in)
    return max(2, round((top - bottom) / each)), max(2, round((right - left) / each))


def _cell_ft(raster: Raster, frame: GroundFrame) -> float:
    """The smaller side of a cell; degrees are taken as 364,000 ft, for which a picture may do."""
    from sitemap.crs import linear_unit

    unit = linear_unit(raster.crs) if raster.crs is not None else None
    foot = linear_unit(frame.crs) or LengthUnit.FOOT
    side = min(raster.cell_size)
    return side * (364_000.0 if unit is None else float(unit.metres / foot.metres))


def _image(layer: str, frame: GroundFrame, pixels: np.ndarray) -> Image:
    """A picture as JPEG; grey where it has one value a pixel."""
    grey = pixels.ndim == 2
    shown = np.clip(np.round(pixels), 0, 255).astype(np.uint8)
    memory = io.BytesIO()
    Picture.fromarray(shown).save(memory, "JPEG", quality=JPEG_QUALITY, optimize=True)
    rows, columns = shown.shape[:2]
    return Image(layer, frame.box_in, memory.getvalue(), columns, rows, grey)
