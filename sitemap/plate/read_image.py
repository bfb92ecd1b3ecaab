"""A plate that is a picture: GeoTIFF, or PNG, JPEG, TIFF with a world file and dots per inch.

Nothing of its words can be read. Its place comes from the GeoTIFF tags or the world file, its size
on paper from the dots per inch that it states; feet per inch are feet per dot times dots per inch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from sitemap import crs as crs_door
from sitemap.measured_plate import MapFrame, MeasuredPlate, PlatePage
from sitemap.measures.sheets import sheet_of_size
from sitemap.plate.picture_place import Place, feet_per_dot, place_of
from sitemap.units import LengthUnit, plain_number

MOST_PAGES = 200
FEET_PER_METRE = float(LengthUnit.METRE.metres / LengthUnit.FOOT.metres)
WHOLE = "whole picture"  # the name of its frame
SHEET_IN = 0.1  # scans are cut by hand
X_RESOLUTION, RESOLUTION_UNIT = 282, 296  # tags of TIFF and EXIF; units 2 inch, 3 centimetre


@dataclass(frozen=True)
class _Picture:
    """One page of an image file: its dots, and dots per inch across and up where it says so."""

    number: int
    width_px: int
    height_px: int
    dpi: tuple[float, float] | None


def measure_image(path: Path, dpi: float | None = None) -> MeasuredPlate:
    """Size, dots and place of every page of a picture.

    dpi takes the place of what the file states. What is missing stands in the trouble.
    """
    trouble: list[str] = []
    try:
        pictures, producer = _pictures(path, dpi)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        return MeasuredPlate(
            str(path), (), trouble=(f"the picture is broken and cannot be opened: {error}",)
        )
    place = place_of(path, trouble)
    pages = []
    for picture in pictures:
        notes: list[str] = []
        page = _page(picture, place if picture.number == 1 else None, notes)
        pages += [page] if page else []
        trouble += [f"page {picture.number}: {note}" for note in notes]
    return MeasuredPlate(str(path), tuple(pages), producer=producer, trouble=tuple(trouble))


@contextmanager
def _of_any_size() -> Iterator[None]:
    """Sheets are scanned at more dots than Pillow expects; only heads are read here."""
    before, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS = before


def _pictures(path: Path, dpi: float | None) -> tuple[list[_Picture], str]:
    found = []
    with _of_any_size(), Image.open(path) as image:
        kind = image.format or ""
        producer = str(image.info.get("software") or image.info.get("Software") or kind)
        for number in range(min(getattr(image, "n_frames", 1), MOST_PAGES)):
            if number:
                image.seek(number)
            stated = (dpi, dpi) if dpi else _dots_per_inch(image)
            found.append(_Picture(number + 1, *image.size, stated))
    return found, producer


def _dots_per_inch(image: Image.Image) -> tuple[float, float] | None:
    """As the file states them; a file that only states the shape of a dot says no size."""
    bare_jpeg = image.format == "JPEG" and image.info.get("jfif_unit") not in (1, 2)
    if bare_jpeg and X_RESOLUTION not in image.getexif():
        return None
    if image.format == "TIFF":
        tags = image.tag_v2  # type: ignore[attr-defined]
        if X_RESOLUTION not in tags or tags.get(RESOLUTION_UNIT, 2) not in (2, 3):
            return None
    stated = image.info.get("dpi")
    if stated is None:
        return None
    across, up = (float(value) for value in stated)
    return (_whole(across), _whole(up)) if across > 1.0 and up > 1.0 else None


def _whole(dpi: float) -> float:
    """PNG keeps dots per metre as a whole number: 300 dpi come back as 299.9994."""
    return float(round(dpi)) if abs(dpi - round(dpi)) < 0.013 else dpi


def _page(picture: _Picture, place: Place | None, notes: list[str]) -> PlatePage | None:
    if picture.dpi is None:
        each = _per_dot_words(place)
        notes.append(
            f"it has {picture.width_px} x {picture.height_px} dots and states no dots per inch, "
            f"so its size on paper is not known{each}: its scale is not measurable. Say them: "
            "sitemap measure --dpi 300"
        )
        return None
    across, up = picture.dpi
    width, height = picture.width_px / across, picture.height_px / up
    frame = _frame(picture, place, notes)
    if frame is None:
        notes.append(
            "it has neither GeoTIFF tags nor a world file: its scale is not measurable. Give two "
            "points that you know, or a distance: sitemap measure --point or --distance"
        )
    return PlatePage(
        picture.number,
        round(width, 4),
        round(height, 4),
        (frame,) if frame else (),
        sheet=sheet_of_size(width, height, SHEET_IN),
        has_text=False,
    )


def _per_dot_words(place: Place | None) -> str:
    if place is None:
        return ""
    try:
        (one, _), _ = feet_per_dot(place)
    except ValueError:
        return ""
    return f" (one dot is {plain_number(round(one, 4))} ft)"


def _frame(picture: _Picture, place: Place | None, notes: list[str]) -> MapFrame | None:
    if place is None or picture.dpi is None:
        return None
    try:
        (dot_across, dot_up), crs = feet_per_dot(place)
    except ValueError as error:
        notes.append(str(error))
        return None
    across, up = dot_across * picture.dpi[0], dot_up * picture.dpi[1]
    if crs is None:
        metres = plain_number(round(math.sqrt(across * up) * FEET_PER_METRE, 3))
        notes.append(
            f"its {place.source} does not say in which CRS and unit; feet are taken (were it in "
            f"metres, 1 in would be {metres} ft)"
        )
    mean = math.sqrt(across * up)
    width, height = picture.width_px, picture.height_px
    size_in = width / picture.dpi[0], height / picture.dpi[1]
    unit = crs_door.linear_unit(crs) if crs is not None else None
    code = crs_door.crs_code(crs) if crs is not None else None
    corners = tuple(place.affine @ xy for xy in ((0, height), (0, 0), (width, 0), (width, height)))
    taken = ", taken to be in feet," if crs is None else ""
    dots = " x ".join(plain_number(v) for v in dict.fromkeys(picture.dpi))
    return MapFrame(
        WHOLE,
        (0.0, 0.0, round(size_in[0], 4), round(size_in[1], 4)),
        round(mean, 5),
        "georeference",
        crs=crs_door.crs_label(crs) if crs is not None else None,
        epsg=int(code.removeprefix("EPSG:")) if code and code.startswith("EPSG:") else None,
        ground_ft=corners if unit is not None and unit.is_foot else None,
        anisotropy_ppm=abs(across - up) / mean * 1e6,
        across_up=(across, up),
        rests_on=f"its {place.source}{taken} and {dots} dots per inch",
        unit_taken=crs is None,
    )
