"""The map while it is drawn: line work with its gaps, labels that want a place, what is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from shapely.geometry.base import BaseGeometry

from sitemap.plate.boxes import Box
from sitemap.plate.downhill import Fall
from sitemap.plate.fonts import text_width_in
from sitemap.plate.lines import Chains, Gap
from sitemap.plate.marks import GroundFrame, Lines, Mark, Path, Text
from sitemap.plate.occupancy import Occupancy
from sitemap.plate.styles import Style

MAP_CAP_IN = 0.08  # lettering on the map; never smaller
HALO_PT = 1.2
PITCH_CAPS = 1.65  # from line to line of a label, in cap heights
FLAG_PAD_IN = 0.035
LabelKind = Literal["point", "area", "along", "beside"]


@dataclass(eq=False)
class LineWork:
    """Lines with one pen that may still be cut for letters and labels; extras are never cut."""

    layer: str
    chains: Chains
    weight_pt: float
    ink: str
    dash_pt: tuple[float, ...] = ()
    extras: list[Path] = field(default_factory=list)
    extra_weight_pt: float | None = None
    gaps: dict[int, list[Gap]] = field(default_factory=dict)  # by number of the chain

    def cut(self, chain: int, gap: Gap) -> None:
        """Leave the line out between two stations."""
        self.gaps.setdefault(chain, []).append(gap)

    def marks(self) -> list[Lines]:
        """The finished lines; they are what is left of it, so that large layers are there once."""
        pieces = {number: self.chains[number].without(cut) for number, cut in self.gaps.items()}
        self.chains, self.gaps = Chains(self.chains.paths.with_pieces(pieces)), {}
        found = []
        if len(paths := self.chains.paths):
            found.append(Lines(self.layer, paths, self.weight_pt, self.ink, dash_pt=self.dash_pt))
        if self.extras:
            weight = self.extra_weight_pt or self.weight_pt
            found.append(Lines(self.layer, tuple(self.extras), weight, self.ink))
        return found


@dataclass(eq=False)
class Label:
    """Words that want a place.

    kind: "point" beside a symbol, "area" inside, "along" in a gap of its line, "beside" over its
    line. reach_in is the half size of the symbol to keep clear of; flag draws a box around.
    """

    role: str
    layer: str
    lines: tuple[str, ...]
    priority: int
    kind: LabelKind
    shape: BaseGeometry  # point, polygon or line in inches
    ink: str = "#000000"
    bold: bool = False
    italic: bool = False
    cap_in: float = MAP_CAP_IN
    reach_in: float = 0.05
    flag: bool = False
    work: LineWork | None = None
    chain: int = 0

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of the lettering; a flag has its border in it."""
        width = max(text_width_in(t, self.cap_in, self.bold, self.italic) for t in self.lines)
        height = self.cap_in * (1.0 + PITCH_CAPS * (len(self.lines) - 1))
        pad = FLAG_PAD_IN if self.flag else 0.0
        return width + 2 * pad, height + 2 * pad


@dataclass(frozen=True)
class Drawn:
    """A style that is on the map, as the legend has to show it."""

    style: Style
    dimension: int  # 0 point, 1 line, 2 area
    scalloped: bool = False
    sample_text: str = ""  # stands in the gap of the sample: a contour's elevation
    order: int = 0  # of drawing


@dataclass(eq=False)
class LetterMarkers:
    """Lettered point symbols of one style that are set when all plain symbols stand.

    lines are the label of each; slot is their place in the order of drawing.
    """

    style: Style
    places: Path
    lines: list[tuple[str, ...]]
    slot: list[Mark]


@dataclass(eq=False)
class LineLetters:
    """Letters that a line carries at even distances, and ticks between them, still to be set."""

    work: LineWork
    style: Style


@dataclass(eq=False)
class ContourWork:
    """Contours of one weight with the elevation of each chain, to be labelled on the line."""

    work: LineWork
    style: Style
    elevation_ft: np.ndarray
    index: bool


@dataclass(eq=False)
class MapDrawing:
    """Everything that has been put on one map frame so far."""

    frame: GroundFrame
    occupancy: Occupancy
    fall: Fall | None
    interval_ft: float | None
    cleared: BaseGeometry | None = None  # the disturbed ground on paper
    items: list[LineWork | list[Mark] | Mark] = field(default_factory=list)
    texts: list[Mark] = field(default_factory=list)  # over everything else
    labels: list[Label] = field(default_factory=list)
    markers: list[LetterMarkers] = field(default_factory=list)
    letters: list[LineLetters] = field(default_factory=list)
    contours: list[ContourWork] = field(default_factory=list)
    drawn: dict[tuple[str, str], Drawn] = field(default_factory=dict)  # by style
    boxes: list[Box] = field(default_factory=list)  # of all lettering, for proof
    box_layers: list[str] = field(default_factory=list)  # of each of these
    unplaced: list[str] = field(default_factory=list)
    edges: dict[str, BaseGeometry] = field(default_factory=dict)  # outlines so far, by role
    said: dict[tuple[str, ...], list[np.ndarray]] = field(default_factory=dict)  # words, places
    feature_marks: int = 0  # how many of its marks come before the lettering

    def note(
        self, style: Style, dimension: int, *, scalloped: bool = False, sample_text: str = ""
    ) -> None:
        """Remember for the legend that a style is on the map; areas before lines before points."""
        known = self.drawn.get(style.order)
        if known is None or known.dimension < dimension:
            self.drawn[style.order] = Drawn(
                style, dimension, scalloped, sample_text, len(self.drawn)
            )

    def add_lines(self, work: LineWork) -> LineWork:
        """Put line work on the map and its ink in the way of labels."""
        self.items.append(work)
        self.occupancy.add_ink(work.chains.paths, 0.5 + 2.0 * work.weight_pt)
        return work

    def add_text(self, text: Text, box: Box) -> None:
        """Put lettering on the map and take its paper."""
        self.texts.append(text)
        self.boxes.append(box)
        self.box_layers.append(text.layer)
        self.occupancy.take(box)

    def marks(self) -> list[Mark]:
        """All marks: line work, areas and symbols in order, then lettering."""
        found: list[Mark] = []
        for item in self.items:
            if isinstance(item, LineWork):
                found.extend(item.marks())
            elif isinstance(item, list):
                found.extend(item)
            else:
                found.append(item)
        self.feature_marks = len(found)
        return found + self.texts

    def span(self, start: int) -> tuple[int, int, int]:
        """Where marks() put features, lettering and its end in a list that has them at `start`."""
        lettered = start + self.feature_marks
        return start, lettered, lettered + len(self.texts)


def turned_text(
    layer: str,
    box: Box,
    text: str,
    *,
    cap_in: float = MAP_CAP_IN,
    ink: str = "#000000",
    bold: bool = False,
    italic: bool = False,
    halo_pt: float = HALO_PT,
) -> Text:
    """A text with its capitals in the middle of a box, turned as the box is."""
    turn = np.deg2rad(box.turn_deg)
    return Text(
        layer,
        float(box.x_in + np.sin(turn) * cap_in / 2.0),
        float(box.y_in - np.cos(turn) * cap_in / 2.0),
        text,
        cap_in,
        bold=bold,
        italic=italic,
        ink=ink,
        rotation_deg=box.turn_deg,
        ha="center",
        halo_pt=halo_pt,
    )
