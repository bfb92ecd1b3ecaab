"""Controls by what they do: which are permanent, which take the water, which stand beside what."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.finding import Quantity
from sitemap.measures.cover import mended
from sitemap.site import RoleLayer, Site

if TYPE_CHECKING:
    import geopandas

# types of layers/controls.toml
FENCES = ("SF",)
BARRIERS = ("SF", "SBB", "MPC")  # stand across sheet flow and hold it
CHANNELS = ("DV", "GW", "LW")  # lead water away
BASINS = ("SB", "ST", "WD")
STRIPS = ("VB", "FS")
TAKES_WATER = (*BARRIERS, *CHANNELS, *BASINS, *STRIPS)
DISSIPATES = ("OP", "VD", "LW")
IN_WATER = ("TB", "SC")  # made to stand in water


def of_types(layer: RoleLayer | None, types: Collection[str]) -> geopandas.GeoDataFrame | None:
    """The usable features of these types; None without the layer."""
    if layer is None:
        return None
    frame = layer.usable
    return frame[frame["type"].isin(list(types))]


def shapes_of(layer: RoleLayer | None, types: Collection[str] | None = None) -> np.ndarray:
    """The geometries of a layer, flat and mended; of these types only when given."""
    if layer is None:
        return np.empty(0, dtype=object)
    if types is None:
        return mended(layer.shapes)
    return mended(layer.shapes[layer.usable["type"].isin(list(types)).to_numpy(dtype=bool)])


def is_permanent(site: Site, layer: RoleLayer) -> np.ndarray:
    """True for each usable feature whose type the catalogue calls permanent."""
    types = site.catalogue[layer.role].types
    permanent = [name for name, spec in types.items() if spec.permanent]
    return np.asarray(layer.usable["type"].isin(permanent), dtype=bool)


def beside(shapes: np.ndarray, others: np.ndarray, distance: float) -> np.ndarray:
    """True for each shape that has one of the others within the distance."""
    near = np.zeros(len(shapes), dtype=bool)
    if len(shapes) and len(others):
        tree = shapely.STRtree(others)
        near[np.unique(tree.query(shapes, predicate="dwithin", distance=distance)[0])] = True
    return near


def distances_ft(shapes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Feet from each shape to the nearest of the others; not a number without any."""
    if len(others) == 0:
        return np.full(len(shapes), np.nan)
    tree = shapely.STRtree(others)
    return np.asarray(shapely.distance(shapes, tree.geometries[tree.nearest(shapes)]))


def nearest(away_ft: float) -> Quantity | None:
    """The distance to the nearest as measured; None where none is drawn."""
    return Quantity(round(float(away_ft), 2), "ft") if np.isfinite(away_ft) else None


def nearest_words(away_ft: float) -> str:
    """'; the nearest is 94.30 ft away', or that none is on the map; for the end of a message."""
    if not np.isfinite(away_ft):
        return "; none is drawn"
    return f"; the nearest is {away_ft:,.2f} ft away"


def silent_roles(site: Site, roles: Collection[str]) -> list[str]:
    """Those roles that are neither drawn, with a feature that can be used, nor declared none."""
    return [
        role
        for role in roles
        if site.declared_none(role) is None
        and ((layer := site.role(role)) is None or layer.usable.empty)
    ]
