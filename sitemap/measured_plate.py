"""MeasuredPlate: what was read off a finished PDF. plate/read.py fills it, rules judge it.

It stands below the rules because they may not import the plate package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


INDEX_FRAME = "Index"  # the frame of a sheet index, which is not the map that the law asks for
INSET_FRAME = "Downstream inset"  # a frame of the quarter mile downstream, beside the map or alone
MAIN_FRAME = "Map Layers"
PHASE_MARK = " in phase: "  # in the name of a viewport: what follows is all that the page shows
NO_MAP_FRAME = "No map"  # a viewport over a sheet of notes and tables, measured in inches
GIVEN = "given by a person"  # points or a distance that were handed in with the plate


@dataclass(frozen=True)
class GridMark:
    """A grid reference found on the page: text and its place in inches from lower left."""

    label: str
    x_in: float
    y_in: float


@dataclass(frozen=True)
class MapFrame:
    """One georeferenced or calibrated frame of a page.

    box_in is (left, bottom, right, top) in inches on the page; ground_ft the four corners
    (lower left, upper left, upper right, lower right) in the CRS's feet, or None.
    feet_per_inch comes from `how`: "georeference", "calibration", "graphic bar" or what a person
    gave (GIVEN); rests_on says in words what exactly. across_up are the feet per inch along the
    two edges of the frame, where they were measured apart. unit_taken: nothing names the unit of
    the ground, and feet were taken.
    """

    name: str
    box_in: tuple[float, float, float, float]
    feet_per_inch: float
    how: str
    crs: str | None = None
    epsg: int | None = None
    ground_ft: tuple[tuple[float, float], ...] | None = None
    anisotropy_ppm: float = 0.0  # difference of the scale across and up
    across_up: tuple[float, float] | None = None
    rests_on: str = ""
    unit_taken: bool = False

    @property
    def axes_ft_per_in(self) -> tuple[float, float]:
        """Feet per inch across and up."""
        return self.across_up or (self.feet_per_inch, self.feet_per_inch)


@dataclass(frozen=True)
class LetterSize:
    """Lettering of one height on a page: an example, where it stands, how many letters.

    cap_in is the height of a capital in inches. in_margin is True for lettering outside the
    border, within half an inch of the paper's edge.
    """

    cap_in: float
    letters: int
    words: str
    x_in: float
    y_in: float
    in_margin: bool = False


@dataclass(frozen=True, eq=False)
class TracedLayer:
    """What one layer draws on one page, in the ground feet of the page's main frame.

    lines are polylines, shape (n, 2); anchors the places that small symbols may stand for;
    lettering the outlines around texts, which may interrupt lines.
    """

    page: int
    layer: str
    feet_per_inch: float
    lines: tuple[np.ndarray, ...]
    anchors: np.ndarray
    lettering: tuple[np.ndarray, ...] = ()


@dataclass(frozen=True)
class PlatePage:
    """One page: size in inches as shown, its frames, what it says and what is on it."""

    number: int
    width_in: float
    height_in: float
    frames: tuple[MapFrame, ...] = ()
    stated_feet_per_inch: tuple[float, ...] = ()  # "1 in = 50 ft", '1" = 50\'' in the text
    stated_half_size: tuple[float, ...] = ()  # scales stated for a half-size print
    stated_interval_ft: tuple[float, ...] = ()
    sheet: str | None = None  # the name of the paper size when it is one of ours
    grid_columns: tuple[GridMark, ...] = ()
    grid_rows: tuple[GridMark, ...] = ()
    drawn_layers: tuple[str, ...] = ()  # optional-content groups with marks on this page
    legend: tuple[str, ...] | None = None  # lines of the legend from the top; None without one
    lettering: tuple[LetterSize, ...] = ()  # smallest first
    label: str = ""  # as viewers show it: "C-503"
    phase: str = ""  # of construction, where the page says that it shows the controls of one alone
    is_map: bool = True  # False for a page that declares itself an index, or notes without a map
    has_text: bool = True  # False for a picture or a scan, of which no words can be read


@dataclass(frozen=True)
class MeasuredPlate:
    """A finished plate, measured from its file alone."""

    path: str
    pages: tuple[PlatePage, ...]
    producer: str = ""
    layers: tuple[str, ...] = ()
    trouble: tuple[str, ...] = field(default=())  # why something could not be measured
    tracer: Callable[[MeasuredPlate], tuple[TracedLayer, ...]] | None = field(
        default=None, compare=False, repr=False
    )

    @cached_property
    def traced(self) -> tuple[TracedLayer, ...]:
        """What each layer draws, read from the file when first asked for."""
        return self.tracer(self) if self.tracer is not None else ()

    @property
    def main_frames(self) -> tuple[tuple[PlatePage, MapFrame], ...]:
        """The map frame of each page; pages without a frame, insets and sheet indexes left out.

        It is the one named 'Map Layers', else the largest georeferenced, else the largest
        calibrated one; before all what a person gave.
        """
        shown = [(page, main_frame(page.frames)) for page in self.pages if page.is_map]
        return tuple((page, frame) for page, frame in shown if frame is not None)


def main_frame(frames: Sequence[MapFrame]) -> MapFrame | None:
    """The frame of the map among those of one page, as main_frames chooses it; None of none."""
    return max(frames, key=_rank, default=None)


def _rank(frame: MapFrame) -> tuple[bool, bool, bool, float]:
    left, bottom, right, top = frame.box_in
    grounded = frame.how != "calibration"
    area = (right - left) * (top - bottom)
    return frame.how == GIVEN, frame.name == MAIN_FRAME, grounded, area
