"""The CRS of the map, and all datasets of each role brought into it and merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import geopandas
import numpy as np
import pandas
import shapely

from sitemap.catalogue import Catalogue
from sitemap.crs import (
    Bounds,
    Crs,
    Transformation,
    choose_site_crs,
    crs_label,
    is_in_feet,
    moved_to,
    parse_crs,
)
from sitemap.errors import ConfigurationError, CrsError
from sitemap.intake.canonical import texts
from sitemap.intake.columns import geo_frame
from sitemap.intake.crs_detective import contradicts
from sitemap.intake.geometry_detective import finite_bounds
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID, Layer, Raster
from sitemap.project import Project
from sitemap.site import RoleLayer


@dataclass(frozen=True, eq=False)
class Member:
    """A dataset with its canonical columns; None where it serves no role."""

    layer: Layer
    columns: Mapping[str, np.ndarray] | None


@dataclass(frozen=True)
class ChosenCrs:
    """The CRS of the map and why; None when nothing had a usable one."""

    crs: Crs | None
    reason: str


def usable_crs(layer: Layer) -> Crs | None:
    """The CRS of a dataset when its coordinates can be brought from it into another."""
    crs = layer.crs
    if crs is None or not (crs.is_geographic or crs.is_projected):
        return None
    bounds = finite_bounds(layer.frame.geometry.to_numpy())
    return None if bounds is not None and contradicts(crs, bounds) else crs


def choose_crs(
    members: Sequence[Member], rasters: Sequence[Raster], project: Project, option: str | None
) -> ChosenCrs:
    """--crs, else site.toml's map CRS, else the boundary's, else the largest dataset's.

    ConfigurationError when site.toml names a CRS that is not projected in feet.
    """
    if option is not None and is_in_feet(parse_crs(option)):
        return ChosenCrs(parse_crs(option), f"named by --crs {option}")
    if project.map.crs is not None:
        return ChosenCrs(_map_crs(project), "named in site.toml [map]")
    reasons = []
    for words, crs, bounds in _candidates(members, rasters):
        try:
            chosen, why = choose_site_crs(crs, bounds)
        except CrsError as error:
            reasons.append(str(error))
            continue
        if option is not None:
            why += f"; {_no_map_crs(option)}"
        return ChosenCrs(chosen, f"from {words}: {why}")
    why = reasons[0] if reasons else "no dataset with features has a usable CRS"
    return ChosenCrs(None, why)


def _no_map_crs(option: str) -> str:
    """Why what --crs names is not the system of the map."""
    label = crs_label(parse_crs(option))
    return f"--crs {label} is not in feet, so it is only that of layers that state none"


def _map_crs(project: Project) -> Crs:
    try:
        crs = parse_crs(project.map.crs or "")
    except CrsError as error:
        raise ConfigurationError(project.path or "site.toml", "map.crs", str(error)) from None
    if not is_in_feet(crs):
        raise ConfigurationError(
            project.path or "site.toml",
            "map.crs",
            f"{crs_label(crs)} is not projected in feet, and the map is measured in feet; "
            "accepted are such as EPSG:6609 (Wisconsin South) or a county system in feet",
        )
    return crs


def _candidates(
    members: Sequence[Member], rasters: Sequence[Raster]
) -> list[tuple[str, Crs, Bounds]]:
    """Datasets to take the CRS from: boundary, then those with a role, the largest first."""
    ranked: list[tuple[tuple[bool, bool, int], str, Crs, Bounds]] = []
    for member in members:
        crs = usable_crs(member.layer)
        if crs is None:
            continue
        bounds = finite_bounds(member.layer.frame.geometry.to_numpy())
        if bounds is None:
            continue
        role = member.layer.role
        rank = (role != "boundary", role is None, -len(member.layer.frame))
        name = f"{role or 'the largest dataset'} {member.layer.provenance.file}"
        ranked.append((rank, name, crs, bounds))
    for raster in rasters:
        crs = raster.crs
        if crs is not None and (crs.is_geographic or crs.is_projected):
            rank = (True, raster.role is None, 0)
            ranked.append((rank, f"raster {raster.provenance.file}", crs, raster.bounds))
    ranked.sort(key=lambda item: item[0])
    return [item[1:] for item in ranked]


def merge(
    members: Sequence[Member], target: Crs | None, catalogue: Catalogue
) -> tuple[dict[str, RoleLayer], dict[str, Transformation]]:
    """RoleLayers in catalogue order, and how each file came into the CRS of the map.

    A dataset without a usable CRS stays out.
    """
    if target is None:
        return {}, {}
    layers_of_file: dict[str, set[str]] = {}
    for member in members:
        provenance = member.layer.provenance
        layers_of_file.setdefault(provenance.file, set()).add(provenance.layer)
    parts: dict[str, list[tuple[Layer, geopandas.GeoDataFrame]]] = {}
    transformations: dict[str, Transformation] = {}
    for member in members:
        layer = member.layer
        if layer.role is None or member.columns is None or usable_crs(layer) is None:
            continue
        moved, account = moved_to(target, layer.frame.geometry.to_numpy(), layer.frame.crs)
        part = geo_frame(_part(layer, member.columns), _single_points(moved), target)
        parts.setdefault(layer.role, []).append((layer, part))
        file, name = layer.provenance.file, layer.provenance.layer
        key = f"{file}:{name}" if len(layers_of_file[file]) > 1 else file
        transformations[key] = account
    merged = {
        role: RoleLayer(role, _stacked([frame for _, frame in found]), tuple(x for x, _ in found))
        for role, found in parts.items()
    }
    order = {role: place for place, role in enumerate(catalogue.by_role)}
    return dict(sorted(merged.items(), key=lambda item: order[item[0]])), transformations


def _single_points(shapes: np.ndarray) -> np.ndarray:
    """MultiPoints of one, as GeoPackages often keep points, as the points that they are."""
    one = (shapely.get_type_id(shapes) == 4) & (shapely.get_num_geometries(shapes) == 1)
    if not one.any():
        return shapes
    single = shapes.copy()
    single[one] = shapely.get_geometry(shapes[one], 0)
    return single


def _part(layer: Layer, columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """One dataset's share of a role: canonical columns, and where each came from."""
    count = len(layer.frame)
    id_field = layer.spec.id_field if layer.spec is not None else None
    ids = columns.get(id_field) if id_field else None
    user_ids = np.full(count, None, dtype=object) if ids is None else texts(pandas.Series(ids))
    return {
        **columns,
        SOURCE_FILE: _all_of_one(layer.provenance.file, count),
        SOURCE_LAYER: _all_of_one(layer.provenance.layer, count),
        SOURCE_FID: layer.frame[SOURCE_FID].to_numpy(),
        USER_ID: user_ids,
    }


def _all_of_one(text: str, count: int) -> np.ndarray:
    """The same text so many times; numpy's own full() makes a text of its own for each row."""
    found = np.empty(count, dtype=object)
    found.fill(text)
    return found


def _stacked(frames: list[geopandas.GeoDataFrame]) -> geopandas.GeoDataFrame:
    """The frames one below the other; all have the same columns and CRS."""
    if len(frames) == 1:
        return frames[0]
    # Column by column: pandas would change the type of columns that are empty in one frame.
    table = {
        name: np.concatenate([frame[name].to_numpy() for frame in frames])
        for name in frames[0].columns
        if name != "geometry"
    }
    geometry = np.concatenate([frame.geometry.to_numpy() for frame in frames])
    return geo_frame(table, geometry, frames[0].crs)
