"""A change of a feature or of a finding in words, the same in every form of a comparison."""

from __future__ import annotations

import math
from dataclasses import replace

import shapely

from sitemap.comparison import FeatureChange, FindingChange, LayerComparison, Measure
from sitemap.report.page import clean

MOST_NAMED = 12  # features of a layer that came or went as a whole
SQFT_PER_ACRE = 43_560.0
LEAST_ACRES_SQFT = 4_356.0  # a tenth of an acre; smaller areas are told in square feet alone
COMPASS = (
    "east", "northeast", "north", "northwest", "west", "southwest", "south", "southeast",
)  # fmt: skip
NO_ID = "without an id"
STATE_HEADS = {
    "new": "NEW",
    "came back": "CAME BACK",
    "still there": "STILL THERE",
    "moved": "STILL THERE, MOVED",
    "waived": "DO NOT COUNT: WAIVED OR DECIDED",
    "cured": "CURED",
    "not judged": "NOT JUDGED ANY MORE: not known whether cured",
}


def size_words(measure: Measure) -> str:
    """'0.230 acres (10,019 sq ft)', '120.0 ft'; empty for a point."""
    return "" if not measure.unit else _size(measure.value, measure.unit)


def _size(value: float, unit: str) -> str:
    if unit == "sq ft" and abs(value) >= LEAST_ACRES_SQFT:
        return f"{value / SQFT_PER_ACRE:,.3f} acres ({value:,.0f} sq ft)"
    return f"{value:,.1f} {unit}"


def feature_words(change: FeatureChange) -> str:
    """'id SF-4 (design.gpkg, record 3)'."""
    source = change.source
    parts = [source.file or "", source.layer or ""]
    parts.append("" if source.feature is None else f"record {source.feature}")
    where = ", ".join(part for part in parts if part)
    name = f"id {change.identity}" if change.identity else NO_ID
    return f"{name} ({where})" if where else name


def change_words(change: FeatureChange) -> str:
    """What happened to it: sizes, the way it went, attributes."""
    parts = [_what(change), redrawn_words(change), reversed_words(change)]
    parts += [f"{f.name}: {f.old or 'nothing'} -> {f.new or 'nothing'}" for f in change.fields]
    return "; ".join(part for part in parts if part)


def _what(change: FeatureChange) -> str:
    old, new = change.old_measure, change.new_measure
    if change.kind in ("added", "removed"):
        size = new or old
        return size_words(size) if size else ""
    if change.kind == "moved" and change.shift_ft is not None:
        return f"moved {way_words(change.shift_ft)}"
    if change.kind != "reshaped" or old is None or new is None:
        return ""
    words = f"up to {change.distance_ft:,.1f} ft off"
    if old.unit != new.unit:
        return f"{words}; {size_words(old) or 'a point'} -> {size_words(new) or 'a point'}"
    sizes = f"{size_words(old)} -> {size_words(new)}"
    if any(change.together):  # what it lost, another one has
        return sizes
    gained, lost = _size(change.gained, old.unit), _size(change.lost, old.unit)
    return f"{words}; {sizes}; {gained} gained, {lost} lost"


def redrawn_words(change: FeatureChange) -> str:
    """'split: 1 became 2, together the same ground'; empty where nothing was split or joined."""
    old, new = change.together
    if old == new:
        return ""
    what = "split" if new > old else "joined"
    return f"{what}: {old} became {new}, together the same ground"


def reversed_words(change: FeatureChange) -> str:
    """'240.0 ft drawn the other way, now to the southwest'; empty for what was not turned."""
    if not change.reversed_ft or change.new is None:
        return ""
    words = f"{change.reversed_ft:,.1f} ft drawn the other way"
    ends = shapely.get_coordinates(change.new)[[0, -1]]
    east, north = (ends[1] - ends[0]).tolist()
    if len(shapely.get_parts(change.new)) > 1 or math.hypot(east, north) < 1.0:
        return words
    return f"{words}, now to the {COMPASS[round(math.atan2(north, east) / (math.pi / 4)) % 8]}"


def way_words(shift_ft: tuple[float, float]) -> str:
    """'12.0 ft (10.0 ft east, 6.6 ft south)'."""
    east, north = shift_ft
    total = (east**2 + north**2) ** 0.5
    sideways = f"{abs(east):,.1f} ft {'east' if east >= 0 else 'west'}"
    upward = f"{abs(north):,.1f} ft {'north' if north >= 0 else 'south'}"
    return f"{total:,.1f} ft ({sideways}, {upward})"


def asked_words(change: FeatureChange) -> str:
    """Which findings of the old check it may answer."""
    if not change.asked:
        return "nobody asked for it"
    some = ", ".join(str(number) for number in change.asked[:8])
    more = f" and {len(change.asked) - 8} more" if len(change.asked) > 8 else ""
    return f"may answer old finding{'s' if len(change.asked) > 1 else ''} {some}{more}"


def layer_words(layer: LayerComparison) -> str:
    """'4 -> 5 features; 2.100 acres (91,476 sq ft) -> 2.300 acres (...)'."""
    words = f"{layer.old_count:,} -> {layer.new_count:,} features"
    old, new = size_words(layer.old_total), size_words(layer.new_total)
    if old != new:
        words += f"; {old or 'nothing'} -> {new or 'nothing'}"
    if layer.shift_ft is not None:
        words += f"; all that moved went the same way, {way_words(layer.shift_ft)}: datum or foot?"
    if layer.columns and not layer.came_or_went_whole:
        words += f"; {', '.join(clean(column) for column in layer.columns)}"
    return words


def finding_words(change: FindingChange) -> str:
    """'error SUB001: ... (old 3, new 5)'."""
    numbers = [
        f"{name} {number}"
        for name, number in (("old", change.old_number), ("new", change.new_number))
        if number is not None
    ]
    finding = change.finding
    moved = ""
    if change.state == "moved" and change.distance_ft is not None:
        moved = f"; moved by up to {change.distance_ft:,.1f} ft"
    note = f"; {change.note}" if change.note else ""
    return f"{finding.message} ({', '.join(numbers)}){moved}{note}"


def whole_words(layer: LayerComparison) -> str:
    """'all 44 are gone: IP-1, IP-2 and 42 more'; empty where only some came or went."""
    if not layer.came_or_went_whole:
        return ""
    count = len(layer.changes)
    named = [change.identity for change in layer.changes if change.identity][:MOST_NAMED]
    more = f" and {count - len(named):,} more" if 0 < len(named) < count else ""
    what = "new" if layer.old_count == 0 else "gone"
    names = f": {', '.join(map(clean, named))}{more}" if named else ""
    return f"all {count:,} are {what}{names}; {asked_words(_together(layer))}"


def _together(layer: LayerComparison) -> FeatureChange:
    """A change that answers all that those of the layer may answer."""
    asked = sorted({number for change in layer.changes for number in change.asked})
    return replace(layer.changes[0], asked=tuple(asked))


def left_words(layer: LayerComparison, most: int) -> str:
    """'76 that went that way', '46 more': changes not listed one by one; empty where all are."""
    along = len(layer.went_along)
    more = max(len(layer.changes) - along - most, 0)
    said = [f"{more:,} more"] if more else []
    return " and ".join([*said, *([f"{along:,} that only went that way"] if along else [])])
