"""The areas that soil loss is calculated for, with what site.toml, their features and soils say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Source
from sitemap.measures.cover import mended
from sitemap.measures.records import sources
from sitemap.measures.schedule import days_of
from sitemap.measures.soil_loss import us_erodibility
from sitemap.project import CoverFrom, SoilLossArea
from sitemap.site import RoleLayer, Site
from sitemap.soil_factors import SoilFactors


@dataclass(frozen=True, eq=False)
class CalculatedArea:
    """One area with everything that the equation needs of it, as far as it is known."""

    id: str
    length_ft: float | None
    slope_pct: float | None
    soil: str | None
    covers: tuple[CoverFrom, ...]
    end: dt.date | None
    practices: tuple[str, ...]
    geometry: BaseGeometry | None = None
    role: str | None = None
    source: Source = field(default_factory=Source)


def calculated_areas(
    site: Site, drainage_areas: RoleLayer | None, disturbance: RoleLayer | None
) -> list[CalculatedArea]:
    """The entries of site.toml, each with its feature; without entries the features."""
    said = site.project.soil_loss
    features = [
        feature
        for layer in (drainage_areas, disturbance)
        if layer is not None
        for feature in _features(layer)
    ]
    if said.areas:
        known = {feature.id.lower(): feature for feature in reversed(features)}
        pairs = [(entry, known.get(entry.id.lower())) for entry in said.areas]
    else:
        pairs = [(SoilLossArea(id=f.id), f) for f in _worked_on(features)]
    return [_complete(site, entry, feature) for entry, feature in pairs]


def _worked_on(features: list[CalculatedArea]) -> list[CalculatedArea]:
    """The drainage areas that hold disturbed ground; the disturbed areas where there is none."""
    disturbed = [f for f in features if f.role == "disturbance"]
    drained = [f for f in features if f.role == "drainage_areas"]
    if not disturbed:
        return drained
    ground = shapely.union_all(shapely.make_valid(np.array([f.geometry for f in disturbed])))
    held = [f for f in drained if shapely.area(shapely.intersection(_valid(f), ground)) > 0.0]
    return held or disturbed


def _valid(feature: CalculatedArea) -> BaseGeometry:
    assert feature.geometry is not None, "features have their place"
    return shapely.make_valid(feature.geometry)


def _complete(site: Site, entry: SoilLossArea, feature: CalculatedArea | None) -> CalculatedArea:
    said = site.project.soil_loss
    return CalculatedArea(
        id=entry.id,
        length_ft=entry.slope_length_ft or (feature.length_ft if feature else None),
        slope_pct=entry.slope_pct if entry.slope_pct is not None or not feature
        else feature.slope_pct,
        soil=entry.soil,
        covers=entry.covers or said.covers,
        end=entry.end or said.end or site.project.project.end,
        practices=entry.practices or said.practices,
        geometry=feature.geometry if feature else None,
        role=feature.role if feature else None,
        source=feature.source if feature else Source(),
    )  # fmt: skip


def _features(layer: RoleLayer) -> Iterator[CalculatedArea]:
    frame = layer.usable

    def numbers(name: str) -> list[float | None]:
        if name not in frame:
            return [None] * len(frame)
        values = frame[name].to_numpy(dtype=float, na_value=np.nan)
        return [float(v) if np.isfinite(v) else None for v in values]

    rows = zip(
        sources(frame),
        frame.geometry,
        numbers("slope_length_ft"),
        numbers("slope_pct"),
        strict=True,
    )
    for source, geometry, length, slope in rows:
        if shapely.get_dimensions(geometry) == 2:
            name = source.user_id or f"record {source.feature}"
            yield CalculatedArea(
                name, length, slope, None, (), None, (), geometry, layer.role, source
            )


def first_disturbed(area: CalculatedArea, disturbance: RoleLayer | None) -> dt.date | None:
    """The day on which ground of the area is first disturbed, as the layer dates it; else None."""
    if disturbance is None or area.geometry is None or disturbance.usable.empty:
        return None
    shapes = mended(disturbance.usable.geometry.to_numpy())
    torn = shapely.area(shapely.intersection(shapes, mended(np.array([area.geometry]))[0])) > 0.0
    days = days_of(disturbance, "start")
    return min((day for day, mine in zip(days, torn, strict=True) if day and mine), default=None)


def best_practice(area: CalculatedArea, factors: SoilFactors) -> tuple[str, float]:
    """The practice of highest efficiency, as a ratio; ("", 0) without one."""
    rows = [row for name in area.practices if (row := factors.find("practice", name))]
    best = max(rows, key=lambda row: row.share, default=None)
    return (best.key, best.share) if best else ("", 0.0)


def erodibility_of(
    area: CalculatedArea, factors: SoilFactors, soils: RoleLayer | None
) -> tuple[float, str] | None:
    """K in US units and where it is from; None when nobody says it."""
    unit, layer_k, how = area.soil, None, "as stated"
    if soils is not None and not soils.usable.empty:
        unit, layer_k, how = _drawn_soil(area, soils)
    if unit:
        row = factors.find("K", unit)
        if row is not None:
            return us_erodibility(row.value, row.unit), f"{unit}, {how}, by {factors.file}"
    if layer_k is not None:
        return layer_k, f"{unit or 'soil'}, {how}, by the soils layer"
    return None


def _drawn_soil(area: CalculatedArea, soils: RoleLayer) -> tuple[str | None, float | None, str]:
    """Map unit, its k_factor and how it was chosen: as stated, else the largest part."""
    frame = soils.usable
    units = np.array([str(u) if u is not None else "" for u in frame["map_unit"]], dtype=object)
    values = frame["k_factor"].to_numpy(dtype=float, na_value=np.nan)
    if area.soil:
        named = np.char.lower(units.astype(str)) == area.soil.lower()
        mine = values[named & np.isfinite(values)]
        return area.soil, float(mine[0]) if len(mine) else None, "as stated"
    if area.geometry is None:
        return None, None, ""
    ground = shapely.make_valid(frame.geometry.to_numpy())
    shared = shapely.area(shapely.intersection(ground, shapely.make_valid(area.geometry)))
    total = shared.sum()
    if total <= 0.0:
        return None, None, ""
    by_unit = {unit: shared[units == unit].sum() for unit in dict.fromkeys(units)}
    unit = max(by_unit, key=lambda u: by_unit[u])
    known = (units == unit) & np.isfinite(values) & (shared > 0.0)
    k = float(values[known][int(np.argmax(shared[known]))]) if known.any() else None
    return unit or None, k, f"{by_unit[unit] / total:.0%} of its ground"
