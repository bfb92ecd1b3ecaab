"""Layer and Raster: one dataset, as read, with where it came from. Frozen; computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sitemap.crs import Crs

if TYPE_CHECKING:
    import geopandas
    import numpy as np

    from sitemap.catalogue import LayerSpec

# Columns that intake adds to every frame; canonical field columns stand beside the user's own.
SOURCE_FILE = "_file"  # path of the file inside the submission, as the user knows it
SOURCE_LAYER = "_layer"
SOURCE_FID = "_fid"  # 0-based number of the record in its file
USER_ID = "_user_id"  # the user's own id as text, or None
CONDITION, GONE = "condition", "gone"  # the field of what a city keeps on file after it is removed


@dataclass(frozen=True)
class Oddity:
    """One odd thing noticed while reading: stable kind, plain words, where.

    kind is one of the words in intake/oddities.py; rules turn kinds into findings and
    the inventory prints the words.
    """

    kind: str
    message: str
    feature: int | None = None
    xy: tuple[float, float] | None = None  # in the dataset's own coordinates


@dataclass(frozen=True)
class Provenance:
    """Where a dataset came from and what reading it cost.

    crs_how is one of "file", "option", "site.toml", "none"; features_lost counts records that
    no reader could give.
    """

    file: str
    layer: str
    driver: str
    encoding: str | None
    encoding_how: str
    crs_how: str
    features_read: int
    features_null: int
    features_lost: int
    sha256: str
    companions: tuple[str, ...] = ()  # sidecar files found: .shx, .dbf, .prj, .cpg
    oddities: tuple[Oddity, ...] = ()


@dataclass(frozen=True)
class RoleChoice:
    """Which role a dataset serves, why, and the user's fields behind the canonical names."""

    role: str | None
    reason: str
    named: bool = False  # True when site.toml names it, False when inferred
    field_map: dict[str, str] = field(default_factory=dict)  # canonical -> user's column


@dataclass(frozen=True, eq=False)
class Layer:
    """A vector dataset: features in its own CRS, its spec (None while it serves no role)."""

    spec: LayerSpec | None
    frame: geopandas.GeoDataFrame
    provenance: Provenance
    choice: RoleChoice
    units: Mapping[str, str] = field(default_factory=dict)  # canonical field -> unit and how known
    unbuilt: Mapping[int, bytes] = field(default_factory=dict)  # record -> WKB that GEOS refused

    @property
    def role(self) -> str | None:
        """The role this dataset serves, or None."""
        return self.choice.role

    @cached_property
    def crs(self) -> Crs | None:
        """The CRS as declared by the file, the option or site.toml."""
        crs: Crs | None = self.frame.crs
        return crs

    @cached_property
    def shapes(self) -> np.ndarray:
        """The geometries (N) as read, in its own CRS, null and empty ones too."""
        shapes: np.ndarray = self.frame.geometry.to_numpy()
        return shapes


@dataclass(frozen=True)
class Raster:
    """A raster's header: nothing of its cells is read here. Sizes in cells, CRS units."""

    path: str
    provenance: Provenance
    choice: RoleChoice
    crs: Crs | None
    width: int
    height: int
    bounds: tuple[float, float, float, float]
    cell_size: tuple[float, float]
    dtype: str
    nodata: float | None
    vertical_unit: str | None  # as the file states it: tag, else band unit; never assumed
    vertical_datum: str | None
    bands: int = 1
    fill: float | None = None  # of cells without a height, undeclared and far from all heights

    @property
    def role(self) -> str | None:
        """The role this dataset serves, or None."""
        return self.choice.role


@dataclass(frozen=True)
class Unreadable:
    """A file that looked like data and could not be read, with the plain reason."""

    file: str
    kind: str
    reason: str
    layer: str = ""
