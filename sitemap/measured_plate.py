"""MeasuredPlate: what was read off a finished PDF. plate/read.py fills it, rules judge it.

It stands below the rules because they may not import the plate package.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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
    feet_per_inch comes from `how`: "georeference", "calibration" or "control crosses".
    """

    name: str
    box_in: tuple[float, float, float, float]
    feet_per_inch: float
    how: str
    crs: str | None = None
    epsg: int | None = None
    ground_ft: tuple[tuple[float, float], ...] | None = None
    anisotropy_ppm: float = 0.0  # difference of the scale across and up


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


@dataclass(frozen=True)
class MeasuredPlate:
    """A finished plate, measured from its file alone."""

    path: str
    pages: tuple[PlatePage, ...]
    producer: str = ""
    layers: tuple[str, ...] = ()
    trouble: tuple[str, ...] = field(default=())  # why something could not be measured

    @property
    def main_frames(self) -> tuple[tuple[PlatePage, MapFrame], ...]:
        """The map frame of each page (named 'Map Layers', else the largest), insets left out."""
        chosen = []
        for page in self.pages:
            if not page.frames:
                continue
            named = [f for f in page.frames if f.name == "Map Layers"]
            area = [(f.box_in[2] - f.box_in[0]) * (f.box_in[3] - f.box_in[1]) for f in page.frames]
            frame = named[0] if named else page.frames[area.index(max(area))]
            chosen.append((page, frame))
        return tuple(chosen)
