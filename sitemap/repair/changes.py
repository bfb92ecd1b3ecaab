"""The nouns of a repair: what changed where, what was refused, layers to be written, proposals.

Safe changes keep the shape and the meaning of the data. Unsafe ones move or rebuild geometry and
are made on request only. Proposals are never merged into the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs
from sitemap.finding import Source

if TYPE_CHECKING:
    import geopandas

Safety = Literal["safe", "unsafe"]

# kind -> (safety, what it does); the order is that of the report
KINDS: dict[str, tuple[Safety, str]] = {
    "file rebuilt": ("safe", "a missing or unfit companion file is not needed any more"),
    "text recoded": ("safe", "text is written as UTF-8"),
    "field renamed": ("safe", "a column carries the canonical name of its field"),
    "number parsed": ("safe", "numbers kept as text are numbers, in the unit of the field"),
    "unit converted": ("safe", "numbers are in the unit of the field"),
    "date parsed": ("safe", "dates kept as a number are dates"),
    "field written": ("safe", "what was only implied stands in a field"),
    "reprojected": ("safe", "coordinates are in the CRS of the map"),
    "touch divided": ("safe", "an outline that reprojection made cross itself is cut at the touch"),
    "ring closed": ("safe", "the ring ends where it began"),
    "vertex dropped": ("safe", "a vertex that repeats the one before it is left out"),
    "ring turned": ("safe", "outer rings run one way, holes the other"),
    "record dropped": ("safe", "a record without a geometry is left out"),
    "outline rebuilt": ("unsafe", "an invalid outline is rebuilt by its structure"),
    "clipped": ("unsafe", "a sliver beyond the boundary is cut off"),
    "snapped": ("unsafe", "an outfall is moved onto its stream"),
}


@dataclass(frozen=True)
class Change:
    """One thing changed, or refused with the reason, on one feature or (record None) a dataset.

    source is in terms of the user's own files. Areas in acres, for changes that touch an area.
    values are the attributes of a record that is left out; renamed a column's name before and now.
    """

    kind: str
    source: Source
    role: str | None
    words: str
    refused: str = ""
    acres_before: float | None = None
    acres_after: float | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    renamed: tuple[str, str] | None = None

    @property
    def safety(self) -> Safety:
        """Whether it needs --unsafe."""
        return KINDS[self.kind][0]

    @property
    def made(self) -> bool:
        """False for what was refused."""
        return not self.refused

    @property
    def key(self) -> tuple[str, Source]:
        """What is withdrawn when the change turns out to do harm."""
        return self.kind, replace(self.source, user_id=None)


@dataclass(frozen=True, eq=False)
class RepairedLayer:
    """A dataset as it will be written, one for each role that it serves.

    origins: the user's own file, layer and record of every row; dataset the same of the whole,
    which an empty one has too. crs_held is True where the
    coordinates stay as they came, because no way into the CRS of the map may be taken.
    """

    name: str
    role: str | None
    frame: geopandas.GeoDataFrame
    origins: tuple[Source, ...]
    fields: Mapping[str, str] = field(default_factory=dict)  # canonical -> column
    unit: str | None = None
    source_words: str | None = None
    date_words: str | None = None
    crs_held: bool = False
    is_table: bool = False
    dataset: Source | None = None


@dataclass(frozen=True)
class Proposal:
    """Geometry that would mend a fault, for a person to accept: site CRS, with its reason."""

    rule: str
    role: str
    geometry: BaseGeometry
    reason: str
    values: Mapping[str, str] = field(default_factory=dict)  # canonical field -> proposed value


@dataclass(frozen=True, eq=False)
class Repairs:
    """Everything that one plan says; nothing has been written yet."""

    crs: Crs | None
    layers: tuple[RepairedLayer, ...]
    changes: tuple[Change, ...]
    proposals: tuple[Proposal, ...] = ()
    left_out: tuple[str, ...] = ()  # what the copy does not hold, in words

    @property
    def made(self) -> tuple[Change, ...]:
        """The changes that are made."""
        return tuple(change for change in self.changes if change.made)

    @property
    def refused(self) -> tuple[Change, ...]:
        """The changes that were wanted and refused, each with its reason."""
        return tuple(change for change in self.changes if not change.made)
