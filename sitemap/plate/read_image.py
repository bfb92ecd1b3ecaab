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

from affine import Affine
from PIL import Image, UnidentifiedImageError

from sitemap import crs as crs_door
from sitemap.crs import Crs
from sitemap.errors import CrsError
from sitemap.measured_plate import MapFrame, MeasuredPlate, PlatePage
from sitemap.measures.sheets import sheet_of_size
from sitemap.units import LengthUnit, plain_number

HEADS = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
MOST_PAGES = 200
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


@dataclass(frozen=True)
class _Place:
    """Where a picture lies: from dots (column, row from the upper left corner) to the ground."""

    affine: Affine
    crs: Crs | None
    source: str  # "GeoTIFF tags", "world file C-501.pgw"


def is_image(head: bytes) -> bool:
    """True for the first bytes of a PNG, JPEG or TIFF file."""
    return head.startswith(HEADS)


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
    place = _place(path, trouble)
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


def _place(path: Path, trouble: list[str]) -> _Place | None:
    """From GeoTIFF tags, else from a world file beside it."""
    tags = _geotiff(path) if path.suffix.lower() in (".tif", ".tiff", ".gtiff") else None
    if tags is not None and tags.crs is not None:
        return tags
    for world in _world_files(path):
        try:
            a, d, b, e, c, f = (float(v) for v in world.read_text("latin-1").split()[:6])
        except (OSError, ValueError):
            trouble.append(f"its world file {world.name} does not hold six numbers")
            continue
        crs = _beside(path, trouble)
        # a world file speaks of the middle of the first dot, the matrix of its corner
        affine = Affine(a, b, c, d, e, f) @ Affine.translation(-0.5, -0.5)
        return _Place(affine, crs, f"world file {world.name}")
    return tags


def _geotiff(path: Path) -> _Place | None:
    import warnings

    import rasterio
    from rasterio.errors import NotGeoreferencedWarning, RasterioError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotGeoreferencedWarning)
            with rasterio.open(path, driver="GTiff") as data:
                affine, known = data.transform, data.crs
                ground = data.gcps[0] if affine.is_identity else ()
                if ground:
                    affine = rasterio.transform.from_gcps(ground)
                    known = data.gcps[1]
    except RasterioError:
        return None
    if affine.is_identity:
        return None
    crs = None
    if known:
        try:
            crs = crs_door.parse_crs(known.to_wkt())
        except CrsError:
            crs = None
    return _Place(affine, crs, "GeoTIFF tags")


def _world_files(path: Path) -> Iterator[Path]:
    suffix = path.suffix.lower().lstrip(".")
    short = f".{suffix[0]}{suffix[-1]}w" if suffix else ".wld"
    wanted = {short, f".{suffix}w", ".wld", ".tfw" if suffix in ("tif", "tiff") else short}
    for other in sorted(path.parent.glob(f"{_literal(path.stem)}.*")):
        if other.suffix.lower() in wanted and other.is_file():
            yield other


def _literal(stem: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in stem)


def _beside(path: Path, trouble: list[str]) -> Crs | None:
    """The CRS of a .prj file beside the picture."""
    for other in sorted(path.parent.glob(f"{_literal(path.stem)}.*")):
        if other.suffix.lower() == ".prj" and other.is_file():
            try:
                return crs_door.parse_crs(other.read_text("utf-8", errors="replace"))
            except CrsError:
                trouble.append(f"{other.name} names no CRS that PROJ knows")
    return None


def _page(picture: _Picture, place: _Place | None, notes: list[str]) -> PlatePage | None:
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


def _per_dot_words(place: _Place | None) -> str:
    if place is None:
        return ""
    try:
        (one, _), _ = _feet_per_dot(place)
    except ValueError:
        return ""
    return f" (one dot is {plain_number(round(one, 4))} ft)"


def _feet_per_dot(place: _Place) -> tuple[tuple[float, float], Crs | None]:
    """Feet that one dot covers across and up; ValueError for a CRS in degrees."""
    affine, crs = place.affine, place.crs
    across, up = math.hypot(affine.a, affine.d), math.hypot(affine.b, affine.e)
    if crs is None:
        return (across, up), None
    unit = crs_door.linear_unit(crs)
    if unit is None or crs_door.is_web_mercator(crs):
        raise ValueError(
            f"its CRS is {crs.name}, which has no feet of its own: its scale is not measurable. "
            "Export the plate in State Plane coordinates"
        )
    factor = 1.0 if unit.is_foot else float(unit.metres / LengthUnit.FOOT.metres)
    return (across * factor, up * factor), crs


def _frame(picture: _Picture, place: _Place | None, notes: list[str]) -> MapFrame | None:
    if place is None or picture.dpi is None:
        return None
    try:
        (dot_across, dot_up), crs = _feet_per_dot(place)
    except ValueError as error:
        notes.append(str(error))
        return None
    across, up = dot_across * picture.dpi[0], dot_up * picture.dpi[1]
    if crs is None:
        notes.append(f"its {place.source} does not say in which CRS and unit; feet are taken")
    mean = math.sqrt(across * up)
    width, height = picture.width_px, picture.height_px
    size_in = width / picture.dpi[0], height / picture.dpi[1]
    unit = crs_door.linear_unit(crs) if crs is not None else None
    code = crs_door.crs_code(crs) if crs is not None else None
    corners = tuple(place.affine @ xy for xy in ((0, height), (0, 0), (width, 0), (width, height)))
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
        rests_on=f"its {place.source} and {dots} dots per inch",
    )
