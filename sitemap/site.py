"""Site: all layers by role in one projected CRS in feet. Frozen; it computes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import GeometryType

from sitemap.crs import Crs, Transformation, crs_label, linear_unit
from sitemap.layer import CONDITION, GONE, SOURCE_FILE, SOURCE_LAYER, Layer, Raster, Unreadable
from sitemap.project import DeclaredNone, Project
from sitemap.reference import NO_REFERENCE, ReferenceSet
from sitemap.units import Length, LengthUnit

if TYPE_CHECKING:
    import geopandas
    from shapely.geometry.base import BaseGeometry

    from sitemap.catalogue import Catalogue

WITH_LENGTH = (
    GeometryType.LINESTRING,
    GeometryType.LINEARRING,
    GeometryType.POLYGON,
    GeometryType.MULTILINESTRING,
    GeometryType.MULTIPOLYGON,
)


def of_dataset(frame: geopandas.GeoDataFrame, member: Layer) -> geopandas.GeoDataFrame:
    """The rows of a merged frame that came from one dataset; the frame itself, where all did."""
    at = member.provenance
    files, layers = frame[SOURCE_FILE].to_numpy(), frame[SOURCE_LAYER].to_numpy()
    own = (files == at.file) & (layers == at.layer)
    return frame if own.all() else frame[own]


@dataclass(frozen=True, eq=False)
class RoleLayer:
    """Everything that serves one role, merged, in the site CRS.

    frame has the canonical field columns of the role (missing ones filled with None) and the
    source columns of layer.py; null and empty geometries stay in it, for the rules to name.
    """

    role: str
    frame: geopandas.GeoDataFrame
    members: tuple[Layer, ...]

    @cached_property
    def usable(self) -> geopandas.GeoDataFrame:
        """The features with a geometry that is not empty and has finite coordinates only.

        GEOS refuses to measure what is not finite; GEO001, GEO002 and GEO007 name what is left
        out here, SUB002 what its own data call abandoned or removed. Several points of one feature
        are as many rows, since each is an inlet, an outfall or a trap by itself. Kept, since every
        rule asks for it; nobody writes to it.
        """
        there = self._usable()
        return _each_point(self.frame if there.all() else self.frame[there])

    @cached_property
    def shapes(self) -> np.ndarray:
        """The geometries (N) of what is usable, in the site CRS. Kept, as usable."""
        shapes: np.ndarray = self.usable.geometry.to_numpy()
        return shapes

    @cached_property
    def by_dataset(self) -> tuple[tuple[Layer, geopandas.GeoDataFrame], ...]:
        """The usable features apart by the dataset that they came from. Kept, as usable."""
        if len(self.members) == 1:
            return ((self.members[0], self.usable),)
        return tuple((member, of_dataset(self.usable, member)) for member in self.members)

    @cached_property
    def shapes_by_dataset(self) -> tuple[tuple[Layer, np.ndarray], ...]:
        """The geometries of what is usable, apart by their dataset. Kept, as usable."""
        return tuple(
            (member, self.shapes if frame is self.usable else frame.geometry.to_numpy())
            for member, frame in self.by_dataset
        )

    @cached_property
    def bounds_ft(self) -> tuple[float, float, float, float] | None:
        """Left, bottom, right, top of what is usable; None where nothing is. Kept, as usable."""
        if not len(self.usable):
            return None
        left, bottom, right, top = shapely.total_bounds(self.shapes).tolist()
        return left, bottom, right, top

    @property
    def is_gone(self) -> np.ndarray:
        """(N,) where the data themselves call a feature of the frame abandoned or removed."""
        if CONDITION not in self.frame.columns:
            return np.zeros(len(self.frame), dtype=bool)
        gone: np.ndarray = self.frame[CONDITION].to_numpy() == GONE
        return gone

    def _usable(self) -> np.ndarray:
        geometry = self.frame.geometry.to_numpy()
        there: np.ndarray = ~(shapely.is_missing(geometry) | shapely.is_empty(geometry))
        there &= ~self.is_gone
        if not all(map(np.isfinite, _sums(geometry))):  # told in one look, mostly
            xy, owner = shapely.get_coordinates(geometry, return_index=True)
            there[owner[~np.isfinite(xy).all(axis=1)]] = False
        return there

    def __len__(self) -> int:
        return len(self.frame)


def _each_point(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """The frame with each multipoint as points, the fields and the index repeated."""
    shapes = frame.geometry.to_numpy()
    several = shapely.get_type_id(shapes) == GeometryType.MULTIPOINT
    if not several.any():
        return frame
    times = np.where(several, shapely.get_num_geometries(shapes), 1)
    points = frame.iloc[np.repeat(np.arange(len(frame)), times)]
    each = np.empty(len(points), dtype=object)
    each[np.repeat(several, times)] = shapely.get_parts(shapes[several])
    each[~np.repeat(several, times)] = shapes[~several]
    return points.set_geometry(each, crs=frame.crs)


def _sums(geometry: np.ndarray) -> Iterator[float]:
    """Numbers that are not finite where a coordinate is not, without a copy of all coordinates.

    A line or an outline with such a coordinate has no finite length. GEOS gives it in a third of
    the time of taking the coordinates out.
    """
    long = np.isin(shapely.get_type_id(geometry), WITH_LENGTH)
    yield float(shapely.length(geometry[long]).sum())
    yield float(shapely.get_coordinates(geometry[~long]).sum())


@dataclass(frozen=True, eq=False)
class Site:
    """A submission, opened.

    layers holds only roles with a dataset that could be brought into the site CRS. datasets
    and rasters hold every dataset as read, also those without role or CRS. crs is None (and
    layers is empty) when nothing had a usable CRS.
    """

    name: str
    submission: str
    crs: Crs | None
    crs_reason: str
    project: Project
    catalogue: Catalogue
    layers: Mapping[str, RoleLayer]
    datasets: tuple[Layer, ...]
    rasters: tuple[Raster, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    transformations: Mapping[str, Transformation] = field(default_factory=dict)  # by file[:layer]
    ignored: tuple[str, ...] = ()  # files that carry no layer: reports, pictures, archive dust
    input_files: tuple[Path, ...] = ()  # everything that was opened on disk; never written to
    # areas of waivers that are given as files, in the site CRS, by their number in site.toml
    waiver_areas: Mapping[int, BaseGeometry] = field(default_factory=dict)
    reference: ReferenceSet = NO_REFERENCE  # what is known apart from the submission

    @property
    def foot(self) -> LengthUnit:
        """The foot of the site CRS."""
        unit = linear_unit(self.crs) if self.crs is not None else None
        return unit if unit is not None and unit.is_foot else LengthUnit.FOOT

    def length(self, value_ft: float) -> Length:
        """A distance measured in site coordinates, as a Length."""
        return Length(value_ft, self.foot)

    def role(self, name: str) -> RoleLayer | None:
        """The merged layer of a role, or None where the site has none."""
        return self.layers.get(name)

    def declared_none(self, name: str) -> DeclaredNone | None:
        """Who declared that this role does not exist here, or None."""
        return self.project.declared_none.get(name)

    @cached_property
    def boundary(self) -> BaseGeometry | None:
        """The boundary polygon(s), dissolved as read; None when missing or empty."""
        layer = self.layers.get("boundary")
        if layer is None or layer.usable.empty:
            return None
        merged: BaseGeometry = layer.usable.geometry.make_valid().union_all()
        return merged

    @property
    def crs_name(self) -> str:
        """Name and code of the site CRS."""
        return crs_label(self.crs)
