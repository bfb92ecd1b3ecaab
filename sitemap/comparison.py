"""Two submissions of one site compared: what became of the findings, and what changed on the map.

review/compare.py makes it, report/compared_*.py write it. All geometry is in the new site's CRS.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.finding import Finding, Source

State = Literal["new", "came back", "still there", "moved", "waived", "cured", "not judged"]
STATES: tuple[State, ...] = (
    "new", "came back", "still there", "moved", "waived", "cured", "not judged",
)  # fmt: skip
Kind = Literal["added", "removed", "moved", "reshaped", "reversed", "attributes"]
KINDS: tuple[Kind, ...] = ("added", "removed", "moved", "reshaped", "reversed", "attributes")


@dataclass(frozen=True, eq=False)
class FindingChange:
    """What became of one finding. Numbers are those of the two checks; distance in feet.

    place is where it is, else where it was, in the new site's CRS; None without a place.

    waived: it does not count any more. not judged: gone only because its rule could not judge.
    """

    state: State
    old: Finding | None
    new: Finding | None
    old_number: int | None
    new_number: int | None
    distance_ft: float | None = None
    note: str = ""
    place: BaseGeometry | None = None

    @property
    def finding(self) -> Finding:
        """As it is now, else as it was."""
        found = self.new or self.old
        assert found is not None
        return found


@dataclass(frozen=True)
class Measure:
    """The size of a feature: sq ft of an area, ft of a line; a point has none."""

    value: float
    unit: Literal["sq ft", "ft", ""]


@dataclass(frozen=True)
class FieldChange:
    """One attribute, before and after, as words; empty for no value."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, eq=False)
class FeatureChange:
    """One feature that is not as it was.

    distance_ft is the Hausdorff distance of the two shapes, shift_ft the way east and north of a
    feature that kept its shape. gained and lost are in the unit of the measures. asked are the
    numbers of the old findings that the change may answer; empty where nobody asked for it.
    together says how many features became how many that cover the same; (0, 0) where none did.
    reversed_ft are feet drawn the other way, of roles whose direction of drawing says something.
    """

    kind: Kind
    role: str
    identity: str
    old_source: Source | None
    new_source: Source | None
    old: BaseGeometry | None
    new: BaseGeometry | None
    old_measure: Measure | None = None
    new_measure: Measure | None = None
    distance_ft: float = 0.0
    shift_ft: tuple[float, float] | None = None
    gained: float = 0.0
    lost: float = 0.0
    fields: tuple[FieldChange, ...] = ()
    asked: tuple[int, ...] = ()
    together: tuple[int, int] = (0, 0)
    reversed_ft: float = 0.0

    @property
    def source(self) -> Source:
        """Where it is now, else where it was."""
        return self.new_source or self.old_source or Source()


@dataclass(frozen=True, eq=False)
class LayerComparison:
    """One role: how many features were and are, and each that changed.

    shift_ft is the way that all moved features went together, where they did. columns says which
    of the user's own columns came or went.
    """

    role: str
    old_count: int
    new_count: int
    unchanged: int
    old_total: Measure
    new_total: Measure
    changes: tuple[FeatureChange, ...]
    shift_ft: tuple[float, float] | None = None
    columns: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether a feature, or the user's own columns, are not as they were."""
        return bool(self.changes or self.columns)

    @property
    def came_or_went_whole(self) -> bool:
        """Whether there was nothing of it before, or is nothing now."""
        return (self.old_count == 0) != (self.new_count == 0)

    @property
    def words(self) -> str:
        """'2 added, 1 moved'; 'no feature changed' where none did."""
        if not self.changes:
            return "no feature changed"
        words = _counted(change.kind for change in self.changes)
        return words.replace("attributes", "with other attributes")

    @property
    def went_along(self) -> frozenset[int]:
        """Places in changes of features that did no more than go the way of the whole layer."""
        return frozenset(
            place
            for place, change in enumerate(self.changes)
            if self.shift_ft is not None
            and change.kind == "moved"
            and not change.fields
            and not change.reversed_ft
        )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two checks and what lies between them.

    crs_words says how the old submission came into the CRS of the new one. files are datasets
    without features of a role, and rasters, that are not the same file. facts are those of
    site.toml.
    """

    old: CheckedSite
    new: CheckedSite
    tolerance_ft: float
    crs_words: str
    findings: tuple[FindingChange, ...]
    layers: tuple[LayerComparison, ...]
    files: tuple[str, ...] = ()
    facts: tuple[FieldChange, ...] = ()

    @property
    def changes(self) -> tuple[FeatureChange, ...]:
        """All features that changed; the place in this order, from 1, is a change's number."""
        return tuple(change for layer in self.layers for change in layer.changes)

    @property
    def unasked(self) -> tuple[FeatureChange, ...]:
        """What changed that no finding had asked for."""
        return tuple(change for change in self.changes if not change.asked)

    def with_state(self, state: State) -> tuple[FindingChange, ...]:
        """The findings of one state, in the order of the new check."""
        return tuple(change for change in self.findings if change.state == state)

    @property
    def finding_words(self) -> str:
        """'1 new, 3 cured'."""
        return _counted(change.state for change in self.findings) or "no findings"

    @property
    def is_worse(self) -> bool:
        """Whether a fault is new or came back."""
        return any(c.state in ("new", "came back") for c in self.findings)


def _counted(words: Iterable[str]) -> str:
    counts = Counter(words)
    order = [name for name in (*STATES, *KINDS) if name in counts]
    return ", ".join(f"{counts[name]:,} {name}" for name in dict.fromkeys(order))
