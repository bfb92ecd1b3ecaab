"""Two submissions compared, as one offline HTML page: a map in three colours, tables, no script.

Red is what was, blue what is, amber what changed; line styles tell them apart without colour.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
import shapely
from jinja2 import Environment
from markupsafe import Markup
from shapely.geometry.base import BaseGeometry

from sitemap.checked import count_words
from sitemap.comparison import STATES, Comparison, FeatureChange, FindingChange
from sitemap.crs import Bounds
from sitemap.report.compared_words import (
    STATE_HEADS,
    asked_words,
    change_words,
    feature_words,
    finding_words,
    layer_words,
    left_words,
)
from sitemap.report.map_window import Window, fitted
from sitemap.report.page_templates import page_templates
from sitemap.report.words import SEVERITY_WORDS
from sitemap.version import VERSION

WIDTH, LOW, HIGH = 960, 320, 700  # CSS pixels
SMALL = (300, 200)
HEAD_PX = 11.0  # of the arrow on a line that was turned
MOST_SMALL = 60  # small maps; the large one has all
MOST_MARKS = 300
MOST_ROWS = 500  # of one table; the JSON has all
LEAST_FT = 120.0
GROUND = ("contours_existing", "roads", "streams", "waterbodies", "wetlands", "disturbance",
          "controls", "boundary")  # fmt: skip
LOOKS = {
    "added": "is",
    "removed": "was",
    "moved": "changed",
    "reshaped": "changed",
    "reversed": "changed",
    "attributes": "changed",
}
FINDING_LOOKS: dict[str, str] = {
    "new": "was",  # red: it asks for an answer
    "came back": "was",
    "still there": "changed",
    "moved": "changed",
    "waived": "is",
    "cured": "is",
}


@dataclass(frozen=True)
class Drawn:
    """An SVG path: look is ground, was, is or changed; kind area, line or point."""

    d: Markup
    kind: str
    look: str


@dataclass(frozen=True)
class Mark:
    """A change's number on the large map."""

    number: int
    x: float
    y: float


@dataclass(frozen=True)
class Picture:
    """A map: sizes in pixels, shapes from back to front."""

    width: int
    height: int
    shapes: tuple[Drawn, ...]
    marks: tuple[Mark, ...] = ()
    bar_px: float = 0.0
    bar_words: str = ""


@dataclass(frozen=True)
class Row:
    """One change as the page shows it."""

    number: int
    kind: str
    look: str
    feature: str
    words: str
    asked: str
    unasked: bool
    picture: Picture | None


def to_html(comparison: Comparison) -> str:
    """The whole comparison as one HTML page."""
    style = _asset("compared.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = _environment().get_template("compared.html")
    rows = tuple(_rows(comparison))
    return (
        page.render(
            comparison=comparison,
            style=Markup(style),
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
            "form-action 'none'",
            sites=(("Old", comparison.old), ("New", comparison.new)),
            counts=count_words,
            states=[(STATE_HEADS[s], comparison.with_state(s)) for s in STATES],
            overview=_overview(comparison),
            faults=_faults(comparison),
            layers=[
                (
                    layer,
                    layer_words(layer),
                    [r for r in rows if r[0] is layer],
                    left_words(layer, MOST_ROWS),
                )
                for layer in comparison.layers
                if layer.is_changed
            ],
            same=[x.role.replace("_", " ") for x in comparison.layers if not x.is_changed],
            most=MOST_ROWS,
            version=VERSION,
        )
        + "\n"
    )


def _rows(comparison: Comparison) -> Iterator[tuple[object, Row]]:
    number = left = 0
    for layer in comparison.layers:
        listed, along = 0, layer.went_along
        for place, change in enumerate(layer.changes):
            number += 1
            if listed >= MOST_ROWS or place in along:
                continue
            listed += 1
            picture = _small(comparison, change) if left < MOST_SMALL else None
            left += picture is not None
            kind = "attributes changed" if change.kind == "attributes" else change.kind
            words, asked = change_words(change), asked_words(change)
            feature, unasked = feature_words(change), not change.asked
            look = LOOKS[change.kind]
            yield layer, Row(number, kind, look, feature, words, asked, unasked, picture)


def _overview(comparison: Comparison) -> Picture | None:
    """The whole ground with every change; None where there is nothing to show."""
    window = _whole(comparison, [g for c in comparison.changes for g in (c.old, c.new) if g])
    if window is None or not comparison.changes:
        return None
    shapes = [*_ground(comparison, window)]
    for change in comparison.changes:
        shapes += _drawn(window, change)
    spots = ((n, c.new or c.old) for n, c in enumerate(comparison.changes, start=1))
    return _picture(window, shapes, tuple(_marks(window, spots)))


def _faults(comparison: Comparison) -> Picture | None:
    """The whole ground with every finding that has a place; None where there is none."""
    placed = [c for c in comparison.findings if c.place is not None and c.state in FINDING_LOOKS]
    window = _whole(comparison, [c.place for c in placed if c.place is not None])
    if window is None or not placed:
        return None
    shapes = [*_ground(comparison, window)]
    for change in reversed(placed):  # those of the new check on top
        look = f"fault {FINDING_LOOKS[change.state]}"
        paths = () if change.place is None else window.path(shapely.force_2d(change.place))
        shapes += [Drawn(Markup(d), kind, look) for kind, d in paths]
    spots = ((c.new_number, c.place) for c in placed if c.new_number is not None)
    return _picture(window, shapes, tuple(_marks(window, spots)))


def _whole(comparison: Comparison, shapes: list[BaseGeometry]) -> Window | None:
    """The ground that holds the boundary and all of these."""
    boxes = [shape.bounds for shape in shapes]
    boundary = comparison.new.site.boundary
    if boundary is not None and bool(np.isfinite(boundary.bounds).all()):
        boxes.append(boundary.bounds)
    if not boxes:
        return None
    all_boxes = np.array(boxes)
    low, high = all_boxes[:, :2].min(axis=0), all_boxes[:, 2:].max(axis=0)
    pad = max(0.03 * float((high - low).max()), LEAST_FT / 2)
    bounds = (low[0] - pad, low[1] - pad, high[0] + pad, high[1] + pad)
    height = round(WIDTH * (bounds[3] - bounds[1]) / (bounds[2] - bounds[0]))
    return fitted(bounds, WIDTH, min(max(height, LOW), HIGH))


def _small(comparison: Comparison, change: FeatureChange) -> Picture | None:
    """The window about one change."""
    boxes = np.array([g.bounds for g in (change.old, change.new) if g is not None])
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    pad = max(0.2 * float((high - low).max()), LEAST_FT / 2)
    bounds: Bounds = (low[0] - pad, low[1] - pad, high[0] + pad, high[1] + pad)
    window = fitted(bounds, *SMALL)
    return _picture(window, [*_ground(comparison, window), *_drawn(window, change)])


def _picture(window: Window, shapes: list[Drawn], marks: tuple[Mark, ...] = ()) -> Picture:
    most_ft = window.width * 0.25 / window.px_per_ft
    power = 10.0 ** np.floor(np.log10(most_ft))
    length = max(d * power for d in (1, 2, 5) if d * power <= most_ft)
    bar = round(float(length) * window.px_per_ft, 1)
    return Picture(window.width, window.height, tuple(shapes), marks, bar, f"{length:,.6g} ft")


def _ground(comparison: Comparison, window: Window) -> Iterator[Drawn]:
    """What the new submission shows there, in grey; one path for each role."""
    box = shapely.box(*window.bounds)
    for role in GROUND:
        layer = comparison.new.site.role(role)
        if layer is None:
            continue
        shapes = layer.shapes
        near = shapes[shapely.intersects(shapes, box)]
        paths: dict[str, list[str]] = {}
        for shape in near:
            for kind, d in window.path(shapely.force_2d(shape)):
                paths.setdefault(kind, []).append(d)
        for kind, parts in paths.items():
            yield Drawn(
                Markup("".join(parts)), kind, "boundary" if role == "boundary" else "ground"
            )


def _drawn(window: Window, change: FeatureChange) -> Iterator[Drawn]:
    """The old shape dashed under the new one; one shape where only words changed."""
    look = LOOKS[change.kind]
    parts: list[tuple[BaseGeometry | None, str]] = [(change.new, look)]
    if change.kind in ("moved", "reshaped", "removed"):
        parts.insert(0, (change.old, "was"))
    if change.reversed_ft and change.new is not None:
        parts.append((_heads(change.new, HEAD_PX / window.px_per_ft), look))
    for shape, shown in parts:
        if shape is not None:
            for kind, d in window.path(shape):
                yield Drawn(Markup(d), kind, shown)


def _heads(lines: BaseGeometry, size_ft: float) -> BaseGeometry:
    """An open arrow head at the middle of each line, in the direction in which it is drawn."""
    heads = []
    for part in shapely.get_parts(lines):
        at = part.length / 2.0 + np.array([-size_ft, 0.0])
        tail, tip = shapely.get_coordinates(shapely.line_interpolate_point([part, part], at))
        back = tail - tip
        turned = [back * 0.8 + side * np.array([-back[1], back[0]]) for side in (0.6, -0.6)]
        heads.append([tip + turned[0], tip, tip + turned[1]])
    found: BaseGeometry = shapely.multilinestrings(shapely.linestrings(heads))
    return found


def _marks(window: Window, spots: Iterable[tuple[int, BaseGeometry | None]]) -> Iterator[Mark]:
    """Numbers at their places, beside each other where two would hide one another."""
    taken: set[tuple[int, int]] = set()
    for number, shape in islice(spots, MOST_MARKS):
        if shape is None:
            continue
        spot = shape.representative_point()
        x, y = window.x(spot.x), window.y(spot.y)
        while (round(x / 18), round(y / 14)) in taken:
            x += 18
        taken.add((round(x / 18), round(y / 14)))
        yield Mark(number, round(x, 1), y)


def _finding_row(change: FindingChange) -> tuple[str, str, str]:
    finding = change.finding
    return SEVERITY_WORDS[finding.severity], finding.rule, finding_words(change)


@cache
def _environment() -> Environment:
    environment = page_templates("sitemap.report", "templates")
    environment.filters["finding_row"] = _finding_row
    return environment


@cache
def _asset(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]
