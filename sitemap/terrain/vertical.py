"""In which unit and over which zero the heights of a raster are, and who says so.

Order: tag of the file, band unit, vertical part of its CRS, site.toml; else the user is asked.
The horizontal unit is never taken for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from sitemap.errors import SurfaceError
from sitemap.layer import Raster
from sitemap.project import Project
from sitemap.units import LengthUnit

UNSTATED_ERROR_FT = 0.33  # 10 cm, the vertical RMSE of USGS quality level 2 lidar
ERROR_OF_LIDAR = (
    f"standard error not stated, {UNSTATED_ERROR_FT:g} ft taken (10 cm, USGS lidar of quality "
    "level 2)"
)
_UNIT_TAGS = ("verticalunit", "verticalunits", "elevationunit", "elevationunits", "zunit", "zunits")
_BAND_TAGS = (*_UNIT_TAGS, "unit", "units", "unittype")
_DATUM_TAGS = ("verticaldatum", "vertdatum", "heightdatum", "elevationdatum")
_ERROR_TAGS = ("verticalerror", "verticalaccuracy", "rmsez", "verticalrmse")


@dataclass(frozen=True)
class Vertical:
    """Unit of the heights with its source, datum, and standard error in feet with its source."""

    unit: LengthUnit
    how: str
    datum: str | None
    error_ft: float
    error_how: str
    notes: tuple[str, ...] = ()


def feet_per(unit: LengthUnit) -> float:
    """Feet in one unit of height; 1 for either foot."""
    return 1.0 if unit.is_foot else float(unit.metres / LengthUnit.FOOT.metres)


def vertical_of(source: Any, raster: Raster, project: Project) -> Vertical:
    """What an opened raster and site.toml say of the heights; SurfaceError asks for the unit."""
    own = _lowered(source.tags())
    band = _lowered(source.tags(1))
    found = next(_stated(own, band, source.units[0], raster), None)
    told = _from_site_toml(raster, project)
    notes: tuple[str, ...] = ()
    if found is None:
        if told is None:
            raise SurfaceError(
                f"{raster.provenance.file}: the unit of its heights is stated neither in the file "
                "nor in site.toml, and feet and metres cannot be told apart by the horizontal "
                'unit. Say unit = "ft" or "m" for the layer, or vertical_unit under [map]'
            )
        found = told
    elif told is not None and feet_per(told[0]) != feet_per(found[0]):
        notes = (
            f"{raster.provenance.file}: {told[1]} says {told[0].symbol}, the {found[1]} says "
            f"{found[0].symbol}; the file's word is taken",
        )
    datum = _first(own, _DATUM_TAGS) or _first(band, _DATUM_TAGS) or raster.vertical_datum
    error_ft, error_how = _error(own, band, found[0], project, _step_ft(source, found[0]))
    return Vertical(
        found[0], found[1], datum or project.map.vertical_datum, error_ft, error_how, notes
    )


def _stated(
    own: Mapping[str, str], band: Mapping[str, str], band_unit: str | None, raster: Raster
) -> Iterator[tuple[LengthUnit, str]]:
    """Units that the file states, the weightiest first; words that are no unit are passed over."""
    vertical = raster.crs.sub_crs_list[-1] if raster.crs and raster.crs.is_compound else None
    axis = vertical.axis_info[0].unit_name if vertical is not None and vertical.axis_info else None
    for text, how in (
        (_first(own, _UNIT_TAGS), "tag of the file"),
        (_first(band, _BAND_TAGS), "tag of the band"),
        (band_unit, "band unit of the file"),
        (axis, "vertical part of the file's CRS"),
    ):
        with suppress(ValueError):
            if text:
                yield LengthUnit.parse(text), how


def _from_site_toml(raster: Raster, project: Project) -> tuple[LengthUnit, str] | None:
    """The unit of the layer, which intake puts in place of the file's, else that of the map."""
    entries = project.layers.get("elevation", ())
    mine = [e for e in entries if e.path.replace("\\", "/").endswith(raster.provenance.file)]
    if raster.choice.named and len(entries) == 1:
        mine = list(entries)
    said = next((entry.unit for entry in mine if entry.unit), None)
    if said is not None:
        return LengthUnit.parse(said), "layer's unit in site.toml"
    if project.map.vertical_unit is not None:
        return LengthUnit.parse(project.map.vertical_unit), "[map] vertical_unit of site.toml"
    return None


def _step_ft(source: Any, unit: LengthUnit) -> float:
    """The least difference of two heights of whole numbers, in feet; 0 for fractions."""
    whole = np.issubdtype(np.dtype(source.dtypes[0]), np.integer)
    return abs(float(source.scales[0])) * feet_per(unit) if whole else 0.0


def _error(
    own: Mapping[str, str],
    band: Mapping[str, str],
    unit: LengthUnit,
    project: Project,
    step_ft: float,
) -> tuple[float, str]:
    text = _first(own, _ERROR_TAGS) or _first(band, _ERROR_TAGS)
    with suppress(ValueError):
        if text is not None and float(text) > 0:
            value = float(text) * feet_per(unit)
            return value, f"standard error {value:.2g} ft, from a tag of the file"
    if project.map.vertical_error_ft is not None:
        value = project.map.vertical_error_ft
        return value, f"standard error {value:g} ft, from site.toml"
    rounded_ft = step_ft / math.sqrt(12.0)  # of evenly spread values, rounded
    if rounded_ft > UNSTATED_ERROR_FT:
        return rounded_ft, (
            f"standard error not stated, {rounded_ft:.2g} ft taken (heights rounded to "
            f"{step_ft:.3g} ft)"
        )
    return UNSTATED_ERROR_FT, ERROR_OF_LIDAR


def _lowered(tags: Mapping[str, str]) -> dict[str, str]:
    return {key.lower().replace("_", "").replace(" ", ""): text for key, text in tags.items()}


def _first(tags: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((tags[name].strip() for name in names if tags.get(name, "").strip()), None)
