"""Where a picture lies on the ground: by GeoTIFF tags, or by a world file and a .prj beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from affine import Affine

from sitemap import crs as crs_door
from sitemap.crs import Crs
from sitemap.errors import CrsError
from sitemap.units import LengthUnit

LEAST_FT_PER_DOT = 1e-4  # finer than any map; a step of degrees is about 1e-6


@dataclass(frozen=True)
class Place:
    """Where a picture lies: from dots (column, row from the upper left corner) to the ground."""

    affine: Affine
    crs: Crs | None
    source: str  # "GeoTIFF tags", "world file C-501.pgw"


def place_of(path: Path, trouble: list[str]) -> Place | None:
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
        if not math.isfinite(a + b + c + d + e + f) or a * e - b * d == 0.0:
            trouble.append(f"its world file {world.name} gives its dots no size on the ground")
            continue
        crs = _beside(path, trouble)
        # a world file speaks of the middle of the first dot, the matrix of its corner
        affine = Affine(a, b, c, d, e, f) @ Affine.translation(-0.5, -0.5)
        return Place(affine, crs, f"world file {world.name}")
    return tags


def _geotiff(path: Path) -> Place | None:
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
    if affine.is_identity or affine.determinant == 0.0:
        return None
    crs = None
    if known:
        try:
            crs = crs_door.parse_crs(known.to_wkt())
        except CrsError:
            crs = None
    return Place(affine, crs, "GeoTIFF tags")


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


def feet_per_dot(place: Place) -> tuple[tuple[float, float], Crs | None]:
    """Feet that one dot covers across and up; ValueError for a CRS, or numbers, in degrees."""
    affine, crs = place.affine, place.crs
    across, up = math.hypot(affine.a, affine.d), math.hypot(affine.b, affine.e)
    if crs is None:
        if _is_in_degrees(affine, max(across, up)):
            raise ValueError(
                f"its {place.source} places it at {affine.c:.4f}, {affine.f:.4f}, which are "
                "degrees and have no feet of their own: its scale is not measurable. Export the "
                "plate in State Plane coordinates"
            )
        return (across, up), None
    unit = crs_door.linear_unit(crs)
    if unit is None or crs_door.is_web_mercator(crs):
        raise ValueError(
            f"its CRS is {crs.name}, which has no feet of its own: its scale is not measurable. "
            "Export the plate in State Plane coordinates"
        )
    factor = 1.0 if unit.is_foot else float(unit.metres / LengthUnit.FOOT.metres)
    return (across * factor, up * factor), crs


def _is_in_degrees(affine: Affine, step: float) -> bool:
    """Whether numbers without a CRS are longitude and latitude: too fine for feet, and on earth."""
    return step < LEAST_FT_PER_DOT and abs(affine.c) <= 180.0 and abs(affine.f) <= 90.0
