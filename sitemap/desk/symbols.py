"""The plate's symbols as a canvas draws them: pens, dashes, tiles and markers in CSS pixels.

What a symbol is stands in layers/*.toml and its shapes come from the plate; only the unit differs.
"""

from __future__ import annotations

import numpy as np

from sitemap.catalogue import Hatch
from sitemap.finding import JsonDict
from sitemap.plate.area_symbols import HATCH_ALPHA, TREE_WORDS
from sitemap.plate.hatches import pattern_tile
from sitemap.plate.point_symbols import marker_extent, marker_of
from sitemap.plate.points import is_closed, marker_outline
from sitemap.plate.styles import Style

PX_PER_IN, PX_PER_PT = 96.0, 96.0 / 72.0
THINNEST_PX, THINNEST_HATCH_PX = 0.8, 0.6  # a finer pen is grey mist on a screen
ARROWS = {"flow_arrows": "end", "storm_sewers": "mid", "culverts": "mid"}


def symbol_dict(style: Style) -> JsonDict:
    """One style: pen, fill, tile, letters along, ticks, arrows, marker; sizes in CSS pixels."""
    symbol = style.symbol
    hatch = symbol.hatch
    return {
        "ink": symbol.ink,
        "width": _pen(symbol.weight_pt),
        "dash": [round(d * PX_PER_PT, 1) for d in symbol.dash_pt],
        "fill": [symbol.fill, symbol.fill_alpha] if symbol.fill else None,
        "tile": _tile(hatch, symbol.ink) if hatch is not None and hatch.kind != "waves" else None,
        "sample": _sample(hatch, symbol.ink)
        if hatch is not None and hatch.kind != "waves"
        else None,
        "waves": hatch is not None and hatch.kind == "waves",
        "text": symbol.text,
        "every": round(symbol.text_every_in * PX_PER_IN),
        "ticks": _ticks(style),
        "tickEvery": round((symbol.ticks_every_in or 0.5) * PX_PER_IN),
        "arrows": ARROWS.get(style.role, "along") if symbol.arrows else "",
        "scallops": style.role == "vegetation" and _is_wooded(style),
        "marker": _marker(style),
    }


def _pen(weight_pt: float) -> float:
    return round(max(weight_pt * PX_PER_PT, THINNEST_PX), 2) if weight_pt > 0 else 0.0


def _ticks(style: Style) -> str:
    """Side of the ticks; lines whose ticks point downhill are turned so that this is the left."""
    if style.role == "drainage_areas":
        return "teeth"
    return {"downhill": "left"}.get(style.symbol.ticks, style.symbol.ticks)


def _is_wooded(style: Style) -> bool:
    return any(word in f"{style.key} {style.legend}".lower() for word in TREE_WORDS)


def _tile(hatch: Hatch, ink: str) -> JsonDict:
    """The piece that the pattern repeats; y runs down."""
    wide, high, turn, strokes = pattern_tile(hatch)
    weight = max(hatch.weight_pt, 0.9) if hatch.kind == "dots" else hatch.weight_pt
    return {
        "size": [round(wide * PX_PER_IN, 2), round(high * PX_PER_IN, 2)],
        "turn": -turn,
        "strokes": [_screen(path) for path in strokes],
        "width": round(max(weight * PX_PER_PT, THINNEST_HATCH_PX), 2),
        "ink": hatch.ink or ink,
        "alpha": HATCH_ALPHA,
        "round": hatch.kind == "dots",
    }


def _sample(hatch: Hatch, ink: str) -> JsonDict:
    """The tile of a legend's small box: the pattern denser, as in the plate's legend."""
    return _tile(hatch.model_copy(update={"spacing_in": min(hatch.spacing_in, 0.11)}), ink)


def _marker(style: Style) -> JsonDict:
    """The marker that a point of this style wears, about the origin; y runs down."""
    name, letters = marker_of(style)
    wide, high = marker_extent(style)
    symbol = style.symbol
    return {
        "size": [round(wide * PX_PER_IN, 1), round(high * PX_PER_IN, 1)],
        "strokes": [_screen(path) for path in marker_outline(name, wide, high)],
        "fill": [symbol.fill or "#ffffff", symbol.fill_alpha] if is_closed(name) else None,
        "letters": letters,
        "lift": 2 if name == "triangle" else 0,
    }


def _screen(path: np.ndarray) -> list[float]:
    """x, y, x, y ... in pixels from inches, y turned down."""
    flat: list[float] = np.round(path * [PX_PER_IN, -PX_PER_IN], 2).ravel().tolist()
    return flat
