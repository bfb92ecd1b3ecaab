"""Names along lines: in a gap of the line where it is clean and straight, else parallel to it."""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.plate.boxes import Box
from sitemap.plate.drawing import Label, MapDrawing, turned_text
from sitemap.plate.labels import ink_beside
from sitemap.plate.letters import box_on, set_on_line
from sitemap.plate.lines import Chain, upright_deg
from sitemap.plate.occupancy import INK_COST

CROWDED = 6.0  # cost above which a name leaves its line for the space beside it


def _stations(
    drawing: MapDrawing, label: Label, chain: Chain, own: float, most_bend: float
) -> list[tuple[float, float]]:
    """Stations with their cost: clean, straight and central ones are cheap."""
    width = label.size_in[0]
    s = np.arange(width / 2.0 + 0.06, chain.length - width / 2.0 - 0.06, 0.12)
    if not len(s):
        return []
    bend = chain.bend(s, width)
    keep = bend < most_bend
    s, bend = s[keep], bend[keep]
    away = np.abs(s / chain.length - 0.5)
    cost = ink_beside(drawing, chain, s, width, own) * INK_COST + bend * 30.0 + away * 3.0
    order = np.argsort(cost, kind="stable")[:60]
    return [(float(s[i]), float(cost[i])) for i in order]


def place_along(drawing: MapDrawing, label: Label) -> bool:
    """In a gap of its line, where no other line runs with it."""
    if label.work is None or len(label.lines) > 1:
        return False
    chain = label.work.chains[label.chain]
    width = label.size_in[0]
    own = 0.5 + 2.0 * label.work.weight_pt
    gaps = label.work.gaps.get(label.chain, [])
    for station, cost in _stations(drawing, label, chain, own, 0.5 * label.cap_in):
        half = width / 2.0
        if cost > CROWDED or any(a - half < station < b + half for a, b in gaps):
            continue
        box = box_on(chain, station, width, label.cap_in)
        if drawing.occupancy.free(box.grown(0.01)):
            set_on_line(
                drawing,
                label.work,
                label.chain,
                station,
                box,
                label.lines[0],
                label.ink,
                bold=label.bold,
                italic=label.italic,
            )
            return True
    return False


def place_beside(drawing: MapDrawing, label: Label) -> bool:
    """Parallel to its line and a little above it, else below; further off a bent line."""
    if label.shape.geom_type != "LineString" or len(label.lines) > 1:
        return False
    chain = Chain.of(shapely.get_coordinates(label.shape))
    stations = [s for s, _ in _stations(drawing, label, chain, 0.0, label.cap_in)][:30]
    if not stations and chain.length > 0.15:
        stations = [chain.length * share for share in (0.5, 0.35, 0.65, 0.2, 0.8)]
    box = _cheapest(drawing, label, chain, np.array(stations)) if stations else None
    if box is None:
        return False
    text = turned_text(
        label.layer,
        box,
        label.lines[0],
        cap_in=label.cap_in,
        ink=label.ink,
        bold=label.bold,
        italic=label.italic,
    )
    drawing.add_text(text, box)
    return True


def _cheapest(drawing: MapDrawing, label: Label, chain: Chain, stations: np.ndarray) -> Box | None:
    """Of the boxes parallel to the line, above it or below, the one on the least ink."""
    width, height = label.size_in[0], label.cap_in
    bend = chain.bend(stations, min(width, chain.length * 0.9))
    off = height / 2.0 + 0.045 + np.minimum(bend, 0.1)
    along = chain.direction(stations, width / 2.0)
    turn = np.deg2rad([upright_deg(one) for one in along])
    above = np.column_stack([-np.sin(turn), np.cos(turn)]) * off[:, None]
    place = chain.point(stations)
    middles = np.stack([place + above, place - above], axis=1).reshape(-1, 2)
    free, ink = drawing.occupancy.judge_turned(middles, (width, height), np.repeat(turn, 2))
    if not free.any():
        return None
    rank, below = np.divmod(np.arange(len(middles)), 2)
    cost = np.where(free, INK_COST * ink + 0.05 * rank + 0.3 * below, np.inf)
    best = int(np.argmin(cost))
    x, y = middles[best].tolist()
    return Box(x, y, width, height, float(np.rad2deg(turn[best // 2])))
