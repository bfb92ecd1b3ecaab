"""The legend: what is drawn on this sheet and only that, each with the symbol as drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from sitemap.plate.area_symbols import area_marks
from sitemap.plate.blocks import (
    TABLE_CAP_IN,
    Block,
    heading,
    moved,
    pitch_in,
    wrap,
)
from sitemap.plate.drawing import MAP_CAP_IN, Drawn
from sitemap.plate.fonts import text_width_in
from sitemap.plate.line_symbols import arrow_heads
from sitemap.plate.lines import Chain, even_stations, scallops, teeth, ticks
from sitemap.plate.marks import Lines, Mark, Path, Text
from sitemap.plate.point_symbols import marker_marks

SAMPLE_WIDTH_IN, SAMPLE_HEIGHT_IN = 0.72, 0.20
TUFT_LIFT_IN = 0.06
ROW_GAP_IN = 0.05
COLUMN_GAP_IN = 0.2


def legend_block(
    drawn: Sequence[Drawn], width_in: float, columns: int, title: str = "Legend"
) -> Block:
    """All symbols in columns, read down; the order is that of the drawing, top first."""
    marks, top = heading(title, "", width_in)
    top += 0.08
    column_width = (width_in - COLUMN_GAP_IN * (columns - 1)) / columns
    entries = [_entry(one, column_width) for one in drawn]
    total = sum(height for _, height in entries)
    x, y, lowest, column = 0.0, top, top, 0
    for number, (entry, height) in enumerate(entries):
        rest = len(entries) - number
        full = y - top + height / 2.0 > total / columns and column < columns - 1
        if full and rest > 0:
            column, x, y = column + 1, x + column_width + COLUMN_GAP_IN, top
        marks += [moved(m, x, -y) for m in entry]
        y += height
        lowest = max(lowest, y)
    return Block("legend", width_in, lowest, tuple(marks))


def legend_columns(width_in: float) -> int:
    """How many columns of about 2 in stand in the width."""
    return max(1, math.floor((width_in + COLUMN_GAP_IN) / (2.0 + COLUMN_GAP_IN)))


def _entry(drawn: Drawn, width_in: float) -> tuple[list[Mark], float]:
    """One sample and its words; and the height that they take with the gap under them."""
    pitch = pitch_in(TABLE_CAP_IN)
    left = SAMPLE_WIDTH_IN + 0.1
    lines = wrap(drawn.style.legend, width_in - left, TABLE_CAP_IN)
    height = max(SAMPLE_HEIGHT_IN, TABLE_CAP_IN + pitch * (len(lines) - 1) + 0.04)
    marks = [moved(m, 0.0, -height / 2.0) for m in sample_marks(drawn)]
    first = -height / 2.0 + (pitch * (len(lines) - 1) - TABLE_CAP_IN) / 2.0
    marks += [Text("", left, first - pitch * i, line, TABLE_CAP_IN) for i, line in enumerate(lines)]
    return [_always_shown(m) for m in marks], height + ROW_GAP_IN


def _always_shown(mark: Mark) -> Mark:
    """Out of the map's layers: a legend stays when a layer is switched off."""
    from dataclasses import replace

    return replace(mark, layer="")


def sample_marks(drawn: Drawn) -> list[Mark]:
    """The symbol about the middle line: x from 0 to the sample's width, y from -h/2 to h/2."""
    if drawn.dimension == 2:
        return _area_sample(drawn)
    if drawn.dimension == 1:
        return _line_sample(drawn)
    return marker_marks(drawn.style, np.array([[SAMPLE_WIDTH_IN / 2.0, 0.0]]))


def _area_sample(drawn: Drawn) -> list[Mark]:
    style, symbol = drawn.style, drawn.style.symbol
    h = SAMPLE_HEIGHT_IN / 2.0
    box = shapely.box(0.04, -h, SAMPLE_WIDTH_IN - 0.04, h)
    hatch = symbol.hatch
    if hatch is not None:  # a sample is small: the pattern a little denser, so that it shows
        hatch = hatch.model_copy(update={"spacing_in": min(hatch.spacing_in, 0.13)})
    # patterns hang on the sheet: the small box is laid where a whole row of tufts lies in it
    lift = TUFT_LIFT_IN if hatch is not None and hatch.kind == "tufts" else 0.0
    lifted = shapely.box(0.04, lift - h, SAMPLE_WIDTH_IN - 0.04, lift + h)
    marks = [moved(m, 0.0, -lift) for m in area_marks(style, np.array([lifted]), hatch)]
    ring = shapely.get_coordinates(box.exterior)
    if symbol.weight_pt <= 0:
        return marks
    if drawn.scalloped:
        path = scallops(Chain.of(ring), 0.08, -1.0 if box.exterior.is_ccw else 1.0)
        return [*marks, Lines("", (path,), symbol.weight_pt, symbol.ink)]
    if symbol.text and hatch is None and not symbol.fill:
        return _line_sample(drawn)
    dash = tuple(d * min(1.0, 12.0 / max(symbol.dash_pt)) for d in symbol.dash_pt)
    marks.append(Lines("", (ring,), symbol.weight_pt, symbol.ink, dash_pt=dash))
    letters = symbol.text or (symbol.letters if hatch is None else "")
    if letters:
        marks += _letters_in_box(drawn, letters)
    return marks


def _letters_in_box(drawn: Drawn, letters: str) -> list[Mark]:
    symbol = drawn.style.symbol
    return [
        Text(
            "",
            SAMPLE_WIDTH_IN / 2.0,
            -MAP_CAP_IN / 2.0,
            letters,
            MAP_CAP_IN,
            bold=True,
            ink=symbol.ink,
            ha="center",
            halo_pt=2.0,
        )
    ]


def _line_sample(drawn: Drawn) -> list[Mark]:
    style, symbol = drawn.style, drawn.style.symbol
    chain = Chain.of(np.array([[0.0, 0.0], [SAMPLE_WIDTH_IN, 0.0]]))
    words = drawn.sample_text or symbol.text
    gap: list[tuple[float, float]] = []
    marks: list[Mark] = []
    if words:
        bold = not drawn.sample_text
        half = text_width_in(words, MAP_CAP_IN, bold) / 2.0 + 0.04
        gap = [(chain.length / 2.0 - half, chain.length / 2.0 + half)]
        marks.append(
            Text("", chain.length / 2.0, -MAP_CAP_IN / 2.0, words, MAP_CAP_IN, bold=bold,
                 ink=symbol.ink, ha="center")
        )  # fmt: skip
    pieces = chain.without(gap)
    marks.append(Lines("", tuple(pieces), symbol.weight_pt, symbol.ink, dash_pt=symbol.dash_pt))
    extras: list[Path] = []
    if symbol.arrows:
        at_end = Chain.of(np.array([[chain.length * 0.7, 0.0], [chain.length * 1.1, 0.0]]))
        extras += arrow_heads(style, [at_end if words else chain])
    if style.role == "drainage_areas":
        extras += teeth(chain, 0.3, 0.06, 1.0)
    elif symbol.ticks:
        s = even_stations(chain.length, 0.24)
        side = 0.0 if symbol.ticks == "both" else -1.0
        extras += ticks(chain, chain.length / max(3, len(s)), 0.07, side, gap)
    if extras:
        marks.append(Lines("", tuple(extras), max(0.5, symbol.weight_pt * 0.7), symbol.ink))
    return marks
