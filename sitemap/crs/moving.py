"""From one coordinate reference system to another: the operation, its accuracy, the move.

A ballpark operation is taken only where there is no other, and its account says so.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyproj
import shapely
from pyproj.aoi import AreaOfInterest
from pyproj.transformer import TransformerGroup

from sitemap.crs.degrees import to_own_degrees
from sitemap.crs.system import Bounds, Crs, area_of_use, crs_label, once_each, same_crs
from sitemap.errors import CrsError

if TYPE_CHECKING:
    import geopandas


@dataclass(frozen=True)
class Transformation:
    """How coordinates went from one CRS to another.

    accuracy_m is PROJ's stated accuracy in metres; None where PROJ states none.
    ballpark is True when a datum shift was left out for want of data.
    """

    source: str
    target: str
    operation: str
    accuracy_m: float | None
    ballpark: bool
    missing_grids: tuple[str, ...] = ()

    @property
    def accuracy_ft(self) -> float | None:
        """Stated accuracy in international feet, or None."""
        return None if self.accuracy_m is None else self.accuracy_m / 0.3048

    def __str__(self) -> str:
        if self.source == self.target:
            return f"{self.source}: no transformation needed"
        stated = (
            "accuracy not stated"
            if self.accuracy_m is None
            else (f"stated accuracy {self.accuracy_m:g} m ({self.accuracy_m / 0.3048:.2f} ft)")
        )
        rough = ", BALLPARK: the datum shift is left out" if self.ballpark else ""
        grids = (
            f"; grid not installed: {', '.join(self.missing_grids)}" if self.missing_grids else ""
        )
        return f"{self.source} -> {self.target} by {self.operation} ({stated}{rough}{grids})"


@once_each
def _transformer(
    source: Crs, target: Crs, aoi: Bounds | None
) -> tuple[pyproj.Transformer, Transformation]:
    """The best available operation over an area, with its account."""
    names = (crs_label(source), crs_label(target))
    if same_crs(source, target):
        identity = pyproj.Transformer.from_crs(source, source, always_xy=True)
        return identity, Transformation(names[1], names[1], "none", 0.0, False)
    area = AreaOfInterest(*aoi) if aoi else None
    with warnings.catch_warnings():  # missing grids are told in the account instead
        warnings.simplefilter("ignore", UserWarning)
        group = TransformerGroup(
            source,
            target,
            always_xy=True,
            area_of_interest=area,  # type: ignore[arg-type]
        )
    if not group.transformers:
        raise CrsError(f"PROJ knows no way from {names[0]} to {names[1]}")
    best = next((op for op in group.transformers if not _is_ballpark(op)), None)
    best = best or _by_way_of_wgs84(source, target, aoi) or group.transformers[0]
    missing = tuple(
        sorted(
            {
                grid.short_name
                for op in group.unavailable_operations
                for grid in op.grids
                if not grid.available
            }
        )
    )
    description = best.description or "unnamed operation"
    accuracy = None if best.accuracy is None or best.accuracy < 0 else float(best.accuracy)
    return best, Transformation(*names, description, accuracy, _is_ballpark(best), missing[:4])


def _by_way_of_wgs84(source: Crs, target: Crs, aoi: Bounds | None) -> pyproj.Transformer | None:
    """The operation PROJ takes over WGS 84 when it knows no direct one; None if that is ballpark.

    TransformerGroup leaves these out (NAD27 to NAD83(2011) without grids: 12 m, not a null
    shift). Between realisations on one ellipsoid (NAD83, HARN, 2011) the hop is coarser than
    no shift at all, so it is taken only where the ellipsoid changes.
    """
    area = aoi or area_of_use(source)
    if area is None or source.ellipsoid == target.ellipsoid:
        return None
    way = pyproj.Transformer.from_crs(source, target, always_xy=True)
    middle = [(area[0] + area[2]) / 2.0], [(area[1] + area[3]) / 2.0]
    start = (
        middle
        if source.is_geographic
        else to_own_degrees(source).transform(
            *middle, direction=pyproj.enums.TransformDirection.INVERSE
        )
    )
    way.transform(*start)
    used = way.get_last_used_operation()
    return None if _is_ballpark(used) or used.accuracy < 0 else used


def _is_ballpark(operation: pyproj.Transformer) -> bool:
    return "ballpark" in (operation.description or "").lower()


def _lonlat_area(source: Crs, bounds: Bounds) -> Bounds | None:
    """The bounds in degrees, a little padded, to choose the operation by; None if impossible."""
    if not all(math.isfinite(v) for v in bounds):
        return None
    if source.is_geographic:
        west, south, east, north = bounds
    else:
        try:
            geodetic = pyproj.Transformer.from_crs(source, source.geodetic_crs, always_xy=True)
            west, south, east, north = geodetic.transform_bounds(*bounds)
        except (pyproj.exceptions.ProjError, TypeError):
            return None
    box = (west - 0.01, south - 0.01, east + 0.01, north + 0.01)
    inside = -180 <= box[0] < box[2] <= 180 and -90 <= box[1] < box[3] <= 90
    return tuple(round(v, 2) for v in box) if inside else None  # type: ignore[return-value]


def plan_transformation(source: Crs, target: Crs, bounds: Bounds) -> Transformation:
    """What operation would be used for data within `bounds` (source units)."""
    return _transformer(source, target, _lonlat_area(source, bounds))[1]


def to_crs(
    frame: geopandas.GeoDataFrame, target: Crs
) -> tuple[geopandas.GeoDataFrame, Transformation]:
    """The frame in `target`, with the account of the operation; heights untouched.

    A copy, or the frame itself where its CRS is the very object `target`. Raises CrsError when
    the frame has no CRS. Coordinates that cannot be transformed become infinite, which the
    geometry rules report.
    """
    if frame.crs is None:
        raise CrsError("a layer without a CRS cannot be transformed; give it one first")
    if frame.crs is target:
        return frame, _transformer(target, target, None)[1]
    name = frame.geometry.name
    shapes, account = moved_to(target, frame.geometry.to_numpy(), frame.crs)
    if account.operation == "none":
        return frame.set_crs(target, allow_override=True), account
    moved = frame.copy()
    moved[name] = shapes
    return moved.set_geometry(name).set_crs(target, allow_override=True), account


def moved_to(target: Crs, shapes: np.ndarray, source: Crs) -> tuple[np.ndarray, Transformation]:
    """Geometries (N) of `source` in `target`, with the account of the operation; heights untouched.

    The very array where nothing needs to move. Coordinates that cannot be transformed become
    infinite.
    """
    if source is target:
        return shapes, _transformer(target, target, None)[1]
    if not len(shapes):  # an empty layer has no bounds, and says by what it would be moved
        return shapes, _transformer(source, target, None)[1]
    left, bottom, right, top = shapely.total_bounds(shapes).tolist()
    area = _lonlat_area(source, (left, bottom, right, top))
    transformer, account = _transformer(source, target, area)
    if account.operation == "none":
        return shapes, account

    def move(xy: np.ndarray) -> np.ndarray:
        return np.column_stack(transformer.transform(xy[:, 0], xy[:, 1]))

    def move_flat(xyz: np.ndarray) -> np.ndarray:
        return np.column_stack([move(xyz[:, :2]), xyz[:, 2]])

    if shapely.has_z(shapes).any():
        return shapely.transform(shapes, move_flat, include_z=True), account
    return shapely.transform(shapes, move), account


def transform_points(
    x: np.ndarray | float,
    y: np.ndarray | float,
    source: Crs,
    target: Crs,
    area: Bounds | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Arrays of x and y from source to target by the best available operation.

    area in degrees says for where it should be the best; None: wherever the source is used.
    """
    if source is target and np.isfinite(x).all() and np.isfinite(y).all():
        return np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    transformer = _transformer(source, target, area)[0]
    out = transformer.transform(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    return np.asarray(out[0]), np.asarray(out[1])


def transform_back(
    x: np.ndarray, y: np.ndarray, source: Crs, target: Crs, bounds: Bounds
) -> tuple[np.ndarray, np.ndarray, Transformation]:
    """Where places of `target` lie in `source`: to_crs undone, for data within bounds (source).

    With the account of that operation. Infinite where a place cannot be transformed.
    """
    transformer, account = _transformer(source, target, _lonlat_area(source, bounds))
    way = pyproj.enums.TransformDirection.INVERSE
    out = transformer.transform(
        np.asarray(x, dtype=float), np.asarray(y, dtype=float), direction=way
    )
    return np.asarray(out[0]), np.asarray(out[1]), account
