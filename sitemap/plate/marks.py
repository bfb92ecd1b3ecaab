"""What can be on paper: lines, areas, texts; and the sheet that holds them.

All places and sizes are in inches on the sheet, origin at its lower left, y up; weights and
dashes in points (1/72 in). Marks are drawn in the order of the list; each belongs to a named
layer, which becomes an optional-content group of the PDF ("" = always shown).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sitemap.crs import Crs
from sitemap.measures.turn import cos_sin

Path = np.ndarray  # float64, shape (n, 2), inches


class PhasedLayer(str):
    """The name of a layer whose marks stand in some phases of construction only.

    It is the same layer as one of that name without phases; `phases` are their names, `among`
    those of all phases in their order.
    """

    phases: tuple[str, ...]
    among: tuple[str, ...]

    def __new__(cls, name: str, phases: tuple[str, ...], among: tuple[str, ...]) -> PhasedLayer:
        """The name with its phases."""
        made = super().__new__(cls, name)
        made.phases, made.among = phases, among
        return made


def phases_of(layer: str) -> tuple[str, ...]:
    """The phases that marks on a layer are limited to; none when they always stand."""
    return layer.phases if isinstance(layer, PhasedLayer) else ()


@dataclass(frozen=True, eq=False)
class Lines:
    """Open or closed polylines with one pen."""

    layer: str
    paths: Sequence[Path]
    weight_pt: float
    ink: str = "#000000"
    dash_pt: tuple[float, ...] = ()
    alpha: float = 1.0
    cap: Literal["butt", "round", "projecting"] = "butt"
    join: Literal["miter", "round", "bevel"] = "round"


@dataclass(frozen=True, eq=False)
class Areas:
    """Filled polygons without outline: each is (exterior, hole, hole ...)."""

    layer: str
    polygons: tuple[tuple[Path, ...], ...]
    fill: str
    alpha: float = 1.0


@dataclass(frozen=True)
class Text:
    """One line of text. cap_in is the height of a capital letter, in inches.

    halo_pt > 0 draws a white outline of that width under the letters.
    """

    layer: str
    x_in: float
    y_in: float
    text: str
    cap_in: float
    bold: bool = False
    italic: bool = False
    ink: str = "#000000"
    rotation_deg: float = 0.0
    ha: Literal["left", "center", "right"] = "left"
    va: Literal["baseline", "center", "top", "bottom"] = "baseline"
    halo_pt: float = 0.0


@dataclass(frozen=True, eq=False)
class Image:
    """A picture in JPEG that fills a box (left, bottom, right, top in inches).

    It darkens what lies under it (blend mode multiply), so that nothing below is lost.
    """

    layer: str
    box_in: tuple[float, float, float, float]
    jpeg: bytes
    width_px: int
    height_px: int
    grey: bool = False


Mark = Lines | Areas | Text | Image


@dataclass(frozen=True)
class GroundFrame:
    """The map frame: its box on the sheet and the ground it shows.

    box_in is left, bottom, right, top in inches. origin_ft is the ground point at the box's
    lower left corner, in the CRS's feet; rotation_deg turns the ground counter-clockwise on the
    paper (0: grid north up). name is "Map Layers" for the main frame.
    """

    name: str
    box_in: tuple[float, float, float, float]
    origin_ft: tuple[float, float]
    feet_per_inch: float
    crs: Crs
    rotation_deg: float = 0.0

    def to_paper(self, xy_ft: np.ndarray) -> np.ndarray:
        """Ground feet, shape (n, 2), to inches on the sheet."""
        cos, sin = cos_sin(self.rotation_deg)
        d = (np.asarray(xy_ft, dtype=float) - self.origin_ft) / self.feet_per_inch
        x = self.box_in[0] + d[:, 0] * cos - d[:, 1] * sin
        y = self.box_in[1] + d[:, 0] * sin + d[:, 1] * cos
        return np.column_stack([x, y])

    def to_ground(self, xy_in: np.ndarray) -> np.ndarray:
        """Inches on the sheet, shape (n, 2), to ground feet."""
        cos, sin = cos_sin(self.rotation_deg)
        d = (np.asarray(xy_in, dtype=float) - self.box_in[:2]) * self.feet_per_inch
        x = self.origin_ft[0] + d[:, 0] * cos + d[:, 1] * sin
        y = self.origin_ft[1] - d[:, 0] * sin + d[:, 1] * cos
        return np.column_stack([x, y])

    @property
    def corners_ft(self) -> np.ndarray:
        """Ground of the corners, shape (4, 2): lower left, upper left, upper right, lower right."""
        left, bottom, right, top = self.box_in
        return self.to_ground(
            np.array([[left, bottom], [left, top], [right, top], [right, bottom]])
        )

    @property
    def ground_box_ft(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the ground shown, along the axes of the CRS."""
        (left, bottom), (right, top) = self.corners_ft.min(axis=0), self.corners_ft.max(axis=0)
        return float(left), float(bottom), float(right), float(top)


@dataclass(frozen=True)
class Link:
    """A place on a sheet (left, bottom, right, top in inches) that leads to another sheet."""

    box_in: tuple[float, float, float, float]
    to: str  # the other sheet's number


SheetKind = Literal["map", "index", "downstream", "notes"]


@dataclass(frozen=True, eq=False)
class SheetMarks:
    """One sheet, composed: size, frames (main first), layers in drawing order, marks.

    control_ft is the ground of the control crosses on the main frame: what is measured again
    after writing. Only a sheet of kind "map" is judged as the map; "notes" have no frame.
    """

    number: str  # "C-501"
    title: str
    width_in: float
    height_in: float
    frames: tuple[GroundFrame, ...]
    layers: tuple[str, ...]
    marks: tuple[Mark, ...]
    layers_off: tuple[str, ...] = ()
    control_ft: tuple[tuple[float, float], ...] = ()
    unplaced: tuple[str, ...] = field(default=())  # labels that found no place, in words
    kind: SheetKind = "map"
    links: tuple[Link, ...] = ()
    phase: str = ""  # of construction, whose controls alone it shows
    # where in marks the main map's features begin, where its lettering begins, and where it ends
    map_span: tuple[int, int, int] = (0, 0, 0)


CONTROL_LAYER = "Control"
CROSS_IN = 0.10  # from end to end of a control cross


def control_crosses(
    frame: GroundFrame, control_ft: tuple[tuple[float, float], ...], size_in: float = CROSS_IN
) -> Lines:
    """Upright crosses at known ground, by which the finished file is measured again."""
    half = size_in / 2.0
    paths: list[Path] = []
    for x, y in frame.to_paper(np.array(control_ft, dtype=float).reshape(-1, 2)):
        paths.append(np.array([[x - half, y], [x + half, y]]))
        paths.append(np.array([[x, y - half], [x, y + half]]))
    return Lines(CONTROL_LAYER, tuple(paths), weight_pt=0.35)
