"""Letters that a line carries (SF, LOD, FP, FW), each in a gap of the line, and its ticks."""

from __future__ import annotations

import numpy as np

from sitemap.plate.boxes import Box
from sitemap.plate.drawing import MAP_CAP_IN, LineLetters, LineWork, MapDrawing, turned_text
from sitemap.plate.fonts import text_width_in
from sitemap.plate.lines import Chain, even_stations, ticks, upright_deg

CLEAR_IN = 0.04
TICK_IN = 0.07
TRIES_IN = (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.8, -0.8, 1.2, -1.2)


def set_letters(drawing: MapDrawing) -> None:
    """Set the letters of all lines, then their ticks; after all point symbols stand."""
    for waiting in drawing.letters:
        for number, chain in enumerate(waiting.work.chains):
            if waiting.style.symbol.text:
                _letters_on(drawing, waiting, number, chain)
            if waiting.style.symbol.ticks:
                waiting.work.extras.extend(_ticks_on(drawing, waiting, number, chain))
                waiting.work.extra_weight_pt = waiting.work.weight_pt * 0.7


def _letters_on(drawing: MapDrawing, waiting: LineLetters, number: int, chain: Chain) -> None:
    symbol = waiting.style.symbol
    width = text_width_in(symbol.text, MAP_CAP_IN, bold=True)
    if chain.length < 2.5 * width:
        return
    for station in even_stations(chain.length, symbol.text_every_in):
        for shift in TRIES_IN:
            at = float(station + shift)
            if not width * 0.75 < at < chain.length - width * 0.75:
                continue
            if chain.bend(np.array([at]), width)[0] > 0.25 * MAP_CAP_IN:
                continue
            box = box_on(chain, at, width, MAP_CAP_IN)
            if drawing.occupancy.free(box):
                set_on_line(drawing, waiting.work, number, at, box, symbol.text, symbol.ink)
                break


def box_on(chain: Chain, station: float, width: float, height: float) -> Box:
    """The box of a text whose middle line is the chord of the line at a station."""
    a, b = chain.point(station - width / 2.0)[0], chain.point(station + width / 2.0)[0]
    middle = (a + b) / 2.0
    return Box(float(middle[0]), float(middle[1]), width, height, upright_deg(b - a))


def set_on_line(
    drawing: MapDrawing,
    work: LineWork,
    number: int,
    station: float,
    box: Box,
    text: str,
    ink: str,
    *,
    bold: bool = True,
    italic: bool = False,
) -> None:
    """Cut the line and set a text in the gap."""
    half = box.width_in / 2.0 + CLEAR_IN
    work.cut(number, (station - half, station + half))
    mark = turned_text(work.layer, box, text, ink=ink, bold=bold, italic=italic)
    drawing.add_text(mark, box)


def _ticks_on(
    drawing: MapDrawing, waiting: LineLetters, number: int, chain: Chain
) -> list[np.ndarray]:
    symbol = waiting.style.symbol
    if symbol.ticks == "downhill":
        side = drawing.fall.side_of(chain) if drawing.fall is not None else 1.0
    else:
        side = {"both": 0.0, "left": 1.0, "right": -1.0}[symbol.ticks]
    every = symbol.ticks_every_in or 0.5
    return ticks(chain, every, TICK_IN, side, waiting.work.gaps.get(number, ()))
