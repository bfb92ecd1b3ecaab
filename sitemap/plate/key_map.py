"""The key map of a set: all sheets in small with this one shaded, and the neighbours in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.turn import turned
from sitemap.plate.blocks import (
    HEAD_CAP_IN,
    TABLE_CAP_IN,
    Block,
    heading,
    pitch_in,
    wrap,
)
from sitemap.plate.clip import paths_of
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, Lines, Link, Mark, Text
from sitemap.plate.plan import SetPlan
from sitemap.site import Site

SHADE, GROUND_INK = "#c4c4c4", "#555555"
SIDES = (("top", "Above"), ("right", "Right"), ("bottom", "Below"), ("left", "Left"))
WORDS_IN = 1.75  # of the block, for the neighbours
LEAST_IN = 2.6


@dataclass(frozen=True, eq=False)
class KeyMap:
    """The block, and the places in it (from its upper left corner) that lead to other sheets."""

    block: Block
    links: tuple[Link, ...]

    def links_at(self, left_in: float, top_in: float) -> list[Link]:
        """The links where the block stands."""
        return [
            Link((x0 + left_in, y0 + top_in, x1 + left_in, y1 + top_in), link.to)
            for link in self.links
            for x0, y0, x1, y1 in [link.box_in]
        ]


def key_map(
    site: Site,
    plan: SetPlan,
    numbers: Sequence[str],
    here: int,
    width_in: float,
    height_in: float,
) -> KeyMap:
    """Sheets and boundary of the site, north as on the sheets; this sheet is shaded."""
    marks, y = heading("Key map", "this sheet is shaded", width_in)
    y += 0.05
    low_x, low_y, high_x, high_y = plan.tiling.bounds_ft
    room = width_in - WORDS_IN, height_in - y - 0.02
    scale = max((high_x - low_x) / room[0], (high_y - low_y) / room[1])
    lift = -y - room[1] + (room[1] - (high_y - low_y) / scale) / 2.0
    zero = np.array([low_x, low_y]) - np.array([0.01, lift]) * scale

    def small(xy: np.ndarray) -> np.ndarray:
        return np.asarray((np.asarray(xy) - zero) / scale)

    links = []
    for number, tile in zip(numbers, plan.tiling.tiles, strict=True):
        (x0, y0), (x1, y1) = small(np.array(tile.own_ft).reshape(2, 2)).tolist()
        links.append(Link((x0, y0, x1, y1), number))
    shaded = _ring(links[here].box_in)
    marks.append(Areas("", ((shaded,),), SHADE))
    boundary = site.boundary
    if boundary is not None:
        outline = shapely.transform(
            shapely.boundary(boundary), lambda xy: small(turned(xy, plan.rotation_deg))
        )
        lines = paths_of(shapely.simplify(np.array([outline]), 0.01))
        marks.append(Lines("", lines, 0.7, GROUND_INK))
    marks.append(Lines("", tuple(_ring(link.box_in) for link in links), 0.5, join="miter"))
    for place, link in enumerate(links):
        marks += _number(link, place == here)
    marks += _neighbours(plan, numbers, here, width_in - WORDS_IN + 0.15, y)
    return KeyMap(Block("key map", width_in, height_in, tuple(marks)), tuple(links))


def _ring(box: tuple[float, float, float, float]) -> np.ndarray:
    left, bottom, right, top = box
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])


def _number(link: Link, bold: bool) -> list[Mark]:
    """The sheet's number amid its box; the part after the dash where the box is small."""
    left, bottom, right, top = link.box_in
    if top - bottom < TABLE_CAP_IN + 0.02:
        return []
    for words in (link.to, link.to.rpartition("-")[2]):
        if text_width_in(words, TABLE_CAP_IN, bold=bold) <= right - left - 0.04:
            middle = (left + right) / 2.0, (bottom + top - TABLE_CAP_IN) / 2.0
            return [Text("", *middle, words, TABLE_CAP_IN, bold=bold, ha="center", halo_pt=1.2)]
    return []


def _neighbours(
    plan: SetPlan, numbers: Sequence[str], here: int, left: float, y: float
) -> list[Mark]:
    """What lies beyond each side of this sheet."""
    marks: list[Mark] = []
    found = plan.tiling.neighbours(here)
    pitch = pitch_in(TABLE_CAP_IN)
    y += HEAD_CAP_IN
    for side, title in SIDES:
        said = ", ".join(numbers[other] for other in found[side]) or "no sheet"
        for row, line in enumerate(wrap(said, WORDS_IN - 0.65, TABLE_CAP_IN)):
            if row == 0:
                marks.append(Text("", left, -y, title, TABLE_CAP_IN))
            marks.append(Text("", left + 0.5, -y, line, TABLE_CAP_IN, bold=bool(found[side])))
            y += pitch
    return marks
