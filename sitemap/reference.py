"""Reference layers: what is known of the land apart from the submission. Frozen; computes nothing.

Each was read by window around the site (intake/reference.py) and lies in the CRS of the map. A
reference says nothing about ground that it does not reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.crs import Transformation
from sitemap.layer import Raster, Unreadable

if TYPE_CHECKING:
    import geopandas
    from shapely.geometry.base import BaseGeometry

ROLES = (
    "wetlands", "floodplain", "streams", "waterbodies", "parcels", "jurisdiction", "soils",
    "contours_existing", "elevation",
)  # fmt: skip
DOUBT = "_doubt"  # column: why a feature may not be what its role says; None where it is


@dataclass(frozen=True)
class ReferenceSource:
    """Which dataset it is, in which state, and how its role is known.

    name is printed; secrets of a connection are not in it. sha256 is None for large files and
    for databases, which are known by bytes, modified and rows. rows counts the whole dataset.
    """

    name: str
    given: str  # the --reference or the entry of site.toml it was found under
    layer: str
    driver: str
    role: str
    reason: str
    schema: str = ""  # the public schema that its columns follow
    crs: str = ""
    edition: str = ""
    effective: str = ""  # a date as 2024-11-05, or a span of them
    dated_by: str = ""  # where edition and effective date stand
    sha256: str | None = None
    bytes: int | None = None
    modified: str | None = None  # UTC, to the second
    rows: int | None = None
    index: str = ""  # how its window was found

    @property
    def identity(self) -> str:
        """By what another person tells whether he has the same dataset."""
        if self.sha256:
            return f"sha256 {self.sha256}"
        parts = [
            f"{self.bytes:,} bytes" if self.bytes is not None else "",
            f"{self.rows:,} rows" if self.rows is not None else "",
            f"changed {self.modified}" if self.modified else "",
        ]
        known = ", ".join(part for part in parts if part)
        return f"not hashed: known by {known}" if known else "not hashed, of unknown size"

    @property
    def date_words(self) -> str:
        """'version 1.1.1.0, effective 2014-11-05 (column EFF_DATE)', or that none is stated."""
        said = [f"version {self.edition}" if self.edition else ""]
        said.append(f"effective {self.effective}" if self.effective else "")
        words = ", ".join(part for part in said if part)
        by = f" ({self.dated_by})" if self.dated_by else ""
        return f"{words}{by}" if words else "no version and no effective date stated"


@dataclass(frozen=True, eq=False)
class ReferenceLayer:
    """The part of one dataset that lies in the window, for one role.

    frame has the canonical columns of the role, the source columns of layer.py and DOUBT;
    geometries are cut at the window. reach says how far the dataset itself goes: the part of the
    window inside its extent, None where its extent is not known. stated are the fields for which
    the dataset has a column; None where that is not known.
    """

    role: str
    frame: geopandas.GeoDataFrame
    source: ReferenceSource
    window: BaseGeometry
    reach: BaseGeometry | None
    transformation: Transformation
    notes: tuple[str, ...] = ()
    stated: frozenset[str] | None = None

    @property
    def name(self) -> str:
        """As printed: the public dataset where it is one, with the file."""
        return f"{self.source.schema} ({self.source.name})" if self.source.schema else self.title

    @property
    def title(self) -> str:
        """The file or table, with its layer."""
        return self.source.name

    def reaches(self, ground: BaseGeometry) -> bool:
        """Whether the dataset's extent holds all of this ground; True where it is not known."""
        return self.reach is None or bool(shapely.covers(self.reach, ground))

    def touches(self, ground: BaseGeometry) -> bool:
        """Whether the dataset's extent holds some of this ground; True where it is not known."""
        return self.reach is None or bool(shapely.intersects(self.reach, ground))

    def states(self, name: str) -> bool:
        """Whether the dataset has a column for a field; True where that is not known."""
        return self.stated is None or name in self.stated

    def __len__(self) -> int:
        return len(self.frame)


@dataclass(frozen=True, eq=False)
class ReferenceRaster:
    """An elevation raster as reference; its cells are read where a surface is built."""

    raster: Raster
    source: ReferenceSource


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """All reference layers of a run, by role. given: the folders and connections asked for.

    unread are datasets that could not serve, with the reason; window is None, and nothing is read,
    where the site has no place on earth (why_not says so).
    """

    layers: tuple[ReferenceLayer, ...] = ()
    rasters: tuple[ReferenceRaster, ...] = ()
    given: tuple[str, ...] = ()
    by_option: bool = False  # given on the command line, in place of site.toml's
    unread: tuple[Unreadable, ...] = ()
    window: BaseGeometry | None = None
    why_not: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)  # dataset -> why it serves no role

    def of(self, role: str) -> tuple[ReferenceLayer, ...]:
        """The layers of a role, in the order given."""
        return tuple(layer for layer in self.layers if layer.role == role)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that some layer or raster serves, in the order of ROLES."""
        held = {layer.role for layer in self.layers} | ({"elevation"} if self.rasters else set())
        return tuple(role for role in ROLES if role in held)

    @property
    def sources(self) -> Iterator[ReferenceSource]:
        """The source of each layer, then of each raster."""
        yield from (layer.source for layer in self.layers)
        yield from (one.source for one in self.rasters)

    def frame(self, role: str) -> geopandas.GeoDataFrame | None:
        """The features of all layers of a role, one below the other; None without a layer.

        Kept, since many rules ask for it; nobody writes to it.
        """
        if role not in self._frames:
            self._frames[role] = self._stacked(role)
        return self._frames[role]

    @cached_property
    def _frames(self) -> dict[str, geopandas.GeoDataFrame | None]:
        return {}

    def _stacked(self, role: str) -> geopandas.GeoDataFrame | None:
        import geopandas
        import pandas

        frames = [layer.frame for layer in self.of(role)]
        if len(frames) < 2:
            return frames[0] if frames else None
        table = {
            name: pandas.Series(np.concatenate([f[name].to_numpy() for f in frames]))
            for name in frames[0].columns
            if name != frames[0].geometry.name
        }
        geometry = np.concatenate([f.geometry.to_numpy() for f in frames])
        return geopandas.GeoDataFrame(table, geometry=geometry, crs=frames[0].crs)

    def why_none(self, role: str) -> str:
        """Why no layer of a role is there, for a rule that is skipped for want of it."""
        words = role.replace("_", " ")
        if not self.given:
            return f"no reference was given: --reference with a layer of {words} would let it judge"
        if self.why_not:
            return f"the references were not read: {self.why_not}"
        return f"none of the references given holds a layer of {words}"

    def __bool__(self) -> bool:
        return bool(self.layers or self.rasters)


NO_REFERENCE = ReferenceSet()
