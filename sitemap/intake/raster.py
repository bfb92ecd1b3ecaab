"""The header of a raster, its placement and what is odd; cells are looked at only in a thumbnail.

A vertical unit is what the file states (CRS, band unit, tag), never what seems likely.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import rasterio
from rasterio.enums import ColorInterp
from rasterio.errors import RasterioError, RasterioIOError
from rasterio.windows import Window

from sitemap.crs import Bounds, Crs, linear_unit
from sitemap.intake.crs_detective import settle_crs, understood
from sitemap.intake.discover import Found
from sitemap.intake.files import sha256_of, stem_of, suffix_of
from sitemap.intake.oddities import odd
from sitemap.intake.vector import Given
from sitemap.layer import Oddity, Provenance, Raster, RoleChoice, Unreadable

DRIVERS = {
    ".tif": "GTiff",
    ".tiff": "GTiff",
    ".img": "HFA",
    ".asc": "AAIGrid",
    ".jp2": "JP2OpenJPEG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".png": "PNG",
}
_THUMBNAIL_CELLS = 256
_CHEAP_CELLS = 25_000_000
_WHOLE_CELLS = 4_000_000  # a larger one is looked at in blocks spread over it,
_SPREAD_CELLS = 1_000_000  # which have so many
_NEAR_MAX = 1e30  # no height; near-max floats are fill values
_FILLS = frozenset([-99999.0, -9999.0, -999.0, -32768.0, -32767.0, 9999.0, 32767.0, 65535.0])
_MANY_ZEROES = 0.3  # of the cells
_UNIT_TAGS = ("vertical_unit", "verticalunits", "unit", "units", "zunit", "zunits", "unittype")


@dataclass(frozen=True)
class _Heights:
    """Vertical unit and datum as stated, and where."""

    unit: str | None
    datum: str | None


def read_raster(found: Found, given: Given, *, hashed: bool = True) -> Raster | Unreadable:
    """The header of a raster; Unreadable with the plain reason when there is none.

    hashed=False leaves its sha256 empty: a state's elevation is not read through for it.
    """
    path = found.main.gdal_path
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "not georeferenced" becomes an oddity below
            with rasterio.open(path, driver=DRIVERS[suffix_of(found.name)]) as source:
                return _header(found, path, source, given, hashed)
    except (RasterioIOError, RasterioError, ValueError) as error:
        reason = str(error).replace(path, "the file").splitlines()[0]
        return Unreadable(found.name, "damaged", f"the raster cannot be opened ({reason})")


def _header(found: Found, path: str, source: Any, given: Given, hashed: bool) -> Raster:
    bounds = _bounds(source)
    notes: list[Oddity] = list(found.oddities)
    placed = not source.transform.is_identity
    notes.extend(_placement(source, placed))
    crs, how, words = settle_crs(
        _stated_crs(source),
        given.crs,
        given.fallback_crs,
        bounds if placed else None,
        None,
    )
    notes.extend(words)
    is_picture = _is_picture(source)
    heights = _heights(source, crs)
    if is_picture:
        notes.append(odd("raster_is_picture", f"{source.count} bands of colour, not heights"))
    else:
        notes.extend(_stated_oddities(source.nodata, heights))
    told, fill = _look_at_cells(source, is_picture)
    notes.extend(told)
    return Raster(
        path=path,
        provenance=Provenance(
            file=found.name,
            layer=stem_of(found.name),
            driver=source.driver,
            encoding=None,
            encoding_how="a raster has no text",
            crs_how=how,
            features_read=0,
            features_null=0,
            features_lost=0,
            sha256=sha256_of(found.entries) if hashed else "",
            oddities=tuple(notes),
        ),
        choice=RoleChoice(None, "not looked at yet"),
        crs=crs,
        width=source.width,
        height=source.height,
        bounds=bounds,
        cell_size=(float(source.res[0]), float(source.res[1])),
        dtype=source.dtypes[0],
        nodata=None if source.nodata is None else float(source.nodata),
        vertical_unit=heights.unit,
        vertical_datum=heights.datum,
        bands=source.count,
        fill=fill,
    )


def _bounds(source: Any) -> Bounds:
    """Around all four corners: rows may run north, columns west, and both aslant."""
    corners = [source.transform @ (c, r) for c in (0, source.width) for r in (0, source.height)]
    x, y = zip(*corners, strict=True)
    return float(min(x)), float(min(y)), float(max(x)), float(max(y))


def _stated_crs(source: Any) -> str | None:
    """The registered code when it means the same as the file's own text, else that text."""
    if not source.crs:
        return None
    try:
        wkt = str(source.crs.to_wkt())
        code = source.crs.to_epsg()
    except Exception:  # rasterio raises several private types for a CRS that PROJ refuses
        return str(source.crs)
    own, named = understood(wkt)[0], understood(f"EPSG:{code}" if code else None)[0]
    same_unit = own is not None and named is not None and linear_unit(own) is linear_unit(named)
    return f"EPSG:{code}" if same_unit else wkt


def _placement(source: Any, placed: bool) -> list[Oddity]:
    notes = []
    if source.gcps[0]:
        notes.append(
            odd(
                "raster_control_points",
                f"placed by {len(source.gcps[0])} control points only; warp it to a grid first",
            )
        )
    elif not placed:
        notes.append(odd("raster_not_placed", "no position on the ground; rows and columns only"))
    if placed and (source.transform.b or source.transform.d):
        notes.append(odd("raster_rotated", "the grid is rotated against north; warp it first"))
    return notes


def _is_picture(source: Any) -> bool:
    colours = {ColorInterp.red, ColorInterp.palette}
    if source.driver in ("JPEG", "PNG"):  # shades of grey, too
        return True
    if source.dtypes[0] != "uint8":
        return False
    try:
        return source.count >= 3 or bool(colours & set(source.colorinterp))
    except Exception:  # GDAL brings up an older complaint (a CRS it dislikes) at this call
        return False


def _heights(source: Any, crs: Crs | None) -> _Heights:
    """The unit of the cells: band unit, else a tag, else the vertical part of the CRS."""
    unit = source.units[0] or None
    tags = {**source.tags(), **source.tags(1)}
    lowered = {key.lower().replace("_", ""): value for key, value in tags.items()}
    if unit is None:
        names = [name.replace("_", "") for name in _UNIT_TAGS]
        unit = next((lowered[name] for name in names if lowered.get(name)), None)
    datum = None
    if crs is not None and crs.is_compound:
        vertical = crs.sub_crs_list[-1]
        datum = vertical.name
        if unit is None and vertical.axis_info:
            unit = vertical.axis_info[0].unit_name
    return _Heights(unit, datum)


def _stated_oddities(nodata: float | None, heights: _Heights) -> list[Oddity]:
    """What the header of a raster of heights leaves unsaid."""
    notes = []
    if heights.unit is None:
        notes.append(
            odd(
                "vertical_unit_unstated",
                "the file does not say in which unit its heights are; name it in site.toml "
                "(feet and metres cannot be told apart by the horizontal unit)",
            )
        )
    if heights.datum is None:
        notes.append(odd("vertical_datum_unstated", "the file does not say from which zero level"))
    if nodata == 0:
        notes.append(odd("nodata_zero", "zero is declared as nodata; a height of 0 would vanish"))
    elif nodata is not None and not np.isfinite(nodata):
        notes.append(odd("nodata_odd", f"the nodata value is {nodata}"))
    return notes


def _look_at_cells(source: Any, is_picture: bool) -> tuple[list[Oddity], float | None]:
    """What a thumbnail of the cells shows, where one is cheap; and the value that fills gaps."""
    if not _is_cheap(source):
        return [], None
    try:
        cells = _thumbnail(source)
    except (RasterioError, ValueError, MemoryError) as error:
        reason = str(error).splitlines()[0]
        words = f"the header can be read, the cells cannot ({reason})"
        return [odd("raster_cells_unreadable", words)], None
    if is_picture or cells.dtype.kind not in "fiu":
        return [], None
    numbers = cells.compressed().astype(float)
    finite = numbers[np.isfinite(numbers)]
    fill = _fill_value(finite, source.nodata)
    return _value_oddities(numbers, finite, source.nodata, fill), fill


def _is_cheap(source: Any) -> bool:
    """A thumbnail of a large raster without overviews would read every cell."""
    return source.width * source.height <= _CHEAP_CELLS or bool(source.overviews(1))


def _thumbnail(source: Any) -> np.ma.MaskedArray[Any, Any]:
    shape = (min(source.height, _THUMBNAIL_CELLS), min(source.width, _THUMBNAIL_CELLS))
    if source.overviews(1) or source.width * source.height <= _WHOLE_CELLS:
        cells: np.ma.MaskedArray[Any, Any] = source.read(1, out_shape=shape, masked=True)
        return cells
    parts = [source.read(1, window=w, masked=True).ravel() for w in _spread_blocks(source)]
    hidden = np.concatenate([np.ma.getmaskarray(part) for part in parts])
    return np.ma.MaskedArray(np.concatenate([part.data for part in parts]), hidden)


def _spread_blocks(source: Any) -> list[Window]:
    """Blocks of a raster spread evenly over it, the first and the last among them."""
    rows, columns = source.block_shapes[0]
    down, across = math.ceil(source.height / rows), math.ceil(source.width / columns)
    most = max(2, _SPREAD_CELLS // (rows * columns))
    wide = min(across, max(2, math.isqrt(most)))
    tall = min(down, max(2, most // wide))
    return [
        source.block_window(1, int(row), int(column))
        for row in np.linspace(0, down - 1, tall).round()
        for column in np.linspace(0, across - 1, wide).round()
    ]


def _value_oddities(
    numbers: np.ndarray, finite: np.ndarray, nodata: float | None, fill: float | None
) -> list[Oddity]:
    if not len(numbers):
        return [odd("raster_all_nodata", "every cell is nodata")]
    declared = "no nodata value is declared" if nodata is None else f"{nodata:g} is declared"
    if fill is not None:
        words = f"cells of {fill:.4g} fill the gaps, but {declared}"
        if fill == 0:
            words = f"{_zeroes(finite)}; 0 is taken for no data, and {declared}"
        return [odd("nodata_undeclared", words)]
    if len(finite) < len(numbers) and nodata is None:
        return [odd("nodata_undeclared", "cells without a number, and no nodata value declared")]
    if nodata is None and len(finite) and _may_fill_with_zero(finite):
        return [odd("nodata_undeclared", f"{_zeroes(finite)}; 0 may stand for no data")]
    return []


def _zeroes(finite: np.ndarray) -> str:
    zero = finite == 0
    rest = finite[~zero]
    return (
        f"{zero.mean() * 100.0:.0f} % of the cells are exactly 0 while all others lie from "
        f"{rest.min():.6g} to {rest.max():.6g}"
    )


def _fill_value(finite: np.ndarray, nodata: float | None) -> float | None:
    """A value that programs put where they know no height, far from all others; None for none."""
    wild = finite[np.abs(finite) > _NEAR_MAX]
    if len(wild):
        return float(wild[0])
    if not len(finite):
        return None
    lowest, highest = float(finite.min()), float(finite.max())
    fills = _FILLS if nodata is not None else _FILLS | {0.0}
    for value in dict.fromkeys((lowest, highest)):
        rest = finite[finite != value]
        far = len(rest) and min(abs(value - rest.min()), abs(value - rest.max())) > np.ptp(rest)
        if value in fills and far:
            return value
    return None


def _may_fill_with_zero(finite: np.ndarray) -> bool:
    """Zeroes that dominate beside values that all lie on one side."""
    zero = finite == 0
    rest = finite[~zero]
    if not len(rest) or zero.mean() <= _MANY_ZEROES:
        return False
    return bool(rest.min() > 0 or rest.max() < 0)
