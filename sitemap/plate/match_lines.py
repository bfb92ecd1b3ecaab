"""Where a sheet ends and the next begins: the line, both sheet numbers along it, and the way there.

On paper, for one sheet of a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sitemap.measures.tiling import Tiling
from sitemap.plate.boxes import Box
from sitemap.plate.drawing import turned_text
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import GroundFrame, Lines, Link, Mark

MATCH_LAYER = "Match lines"
WEIGHT_PT, DASH_PT = 2.0, (22.0, 7.0)
CAP_IN = 0.11
CLEAR_IN = 0.10  # that labels keep from the line
OFF_IN = 0.17  # from the line to the middle of its lettering
AGAIN_EVERY_IN = 11.0  # along a line the words come again
HALO_PT = 2.5

Side = Literal["left", "right", "top", "bottom"]


@dataclass(frozen=True)
class Seam:
    """A match line on one sheet: its ends in inches, the frame's side that it runs along, the
    sheet beyond it and this sheet.
    """

    start_in: tuple[float, float]
    end_in: tuple[float, float]
    side: Side
    here: str
    beyond: str

    @property
    def length_in(self) -> float:
        """From end to end."""
        return float(np.hypot(*np.subtract(self.end_in, self.start_in)))


def seams_of(
    tiling: Tiling, tile: int, frame: GroundFrame, numbers: Sequence[str]
) -> tuple[Seam, ...]:
    """The match lines of one tile on its sheet."""
    corner = np.array(tiling.tiles[tile].frame_ft[:2])
    zero = np.array(frame.box_in[:2])
    seams = []
    for line in tiling.match_lines:
        if tile not in (line.one, line.other):
            continue
        ends = (np.array([line.start_ft, line.end_ft]) - corner) / frame.feet_per_inch + zero
        ahead = line.one == tile
        sides: tuple[Side, Side] = ("left", "right") if line.upright else ("bottom", "top")
        side = sides[int(ahead)]
        (x0, y0), (x1, y1) = ends.tolist()
        beyond = numbers[line.other if ahead else line.one]
        seams.append(Seam((x0, y0), (x1, y1), side, numbers[tile], beyond))
    return tuple(seams)


def _places(seam: Seam) -> list[np.ndarray]:
    """Where along the line its words stand."""
    count = max(1, round(seam.length_in / AGAIN_EVERY_IN))
    shares = (np.arange(count) + 0.5) / count
    start, end = np.array(seam.start_in), np.array(seam.end_in)
    return [start + (end - start) * share for share in shares]


def _wordings(seam: Seam) -> list[tuple[str, Box, bool]]:
    """The words on both sides of the line with their places; True for those of the sheet beyond."""
    upright = seam.side in ("left", "right")
    turn = 90.0 if upright else 0.0
    out = 1.0 if seam.side in ("right", "top") else -1.0
    across = np.array([out, 0.0]) if upright else np.array([0.0, out])
    beyond, here = f"MATCH LINE – SEE SHEET {seam.beyond}", f"SHEET {seam.here}"
    if text_width_in(beyond, CAP_IN, bold=True) > seam.length_in - 0.1:
        beyond = seam.beyond
    found = []
    for place in _places(seam):
        for words, side, is_beyond in ((beyond, 1.0, True), (here, -1.0, False)):
            x, y = place + across * side * OFF_IN
            width = text_width_in(words, CAP_IN, bold=True)
            if width <= seam.length_in:
                found.append((words, Box(float(x), float(y), width, CAP_IN, turn), is_beyond))
    return found


def taken_by(seams: Sequence[Seam]) -> list[Box]:
    """Paper that labels of the map keep off: beside each line, and its lettering."""
    boxes = []
    for seam in seams:
        x, y = (np.array(seam.start_in) + np.array(seam.end_in)) / 2.0
        upright = seam.side in ("left", "right")
        turn = 90.0 if upright else 0.0
        boxes.append(Box(float(x), float(y), seam.length_in, 2.0 * CLEAR_IN, turn))
        boxes += [box.grown(0.03) for _, box, _ in _wordings(seam)]
    return boxes


def match_marks(seams: Sequence[Seam]) -> tuple[list[Mark], list[Link]]:
    """The lines with their words, and a link over the words that name the sheet beyond."""
    marks: list[Mark] = []
    links: list[Link] = []
    paths = tuple(np.array([seam.start_in, seam.end_in]) for seam in seams)
    if paths:
        marks.append(Lines(MATCH_LAYER, paths, WEIGHT_PT, dash_pt=DASH_PT))
    for seam in seams:
        for words, box, is_beyond in _wordings(seam):
            marks.append(
                turned_text(MATCH_LAYER, box, words, cap_in=CAP_IN, bold=True, halo_pt=HALO_PT)
            )
            if is_beyond:
                corners = box.grown(0.06).corners
                (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
                place = (float(left), float(bottom), float(right), float(top))
                links.append(Link(place, seam.beyond))
    return marks, links
