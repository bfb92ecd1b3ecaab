"""Contours on the map: index and other lines, depression ticks. Labels are in labels.py."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sitemap.catalogue import LayerSpec
from sitemap.freed_memory import return_freed
from sitemap.plate.clip import GeometryArray, lines_by_block
from sitemap.plate.drawing import ContourWork, LineWork, MapDrawing
from sitemap.plate.lines import Chain, Chains, ticks
from sitemap.plate.marks import Path
from sitemap.plate.paths import Paths
from sitemap.plate.styles import Style, role_style
from sitemap.units import plain_number

if TYPE_CHECKING:
    import geopandas

INDEX_EVERY = 5  # intervals
TICK_EVERY_IN, TICK_IN = 0.35, 0.05


def contour_interval(elevation_ft: np.ndarray) -> float | None:
    """The commonest step between neighbouring levels in feet; None with fewer than two levels."""
    levels = np.unique(np.round(elevation_ft[np.isfinite(elevation_ft)], 3))
    if len(levels) < 2:
        return None
    steps, counts = np.unique(np.round(np.diff(levels), 2), return_counts=True)
    return float(steps[np.argmax(counts)])


def is_index(elevation_ft: np.ndarray, interval_ft: float | None) -> np.ndarray:
    """True for every fifth level of the interval in force, counted from zero."""
    if not interval_ft:
        return np.zeros(len(elevation_ft), dtype=bool)
    steps = elevation_ft / (interval_ft * INDEX_EVERY)
    return np.abs(steps - np.round(steps)) < 1e-3


def contour_styles(spec: LayerSpec, interval_ft: float | None) -> tuple[Style, Style]:
    """The style of the contours of a role, and the heavier one of its index contours."""
    style = role_style(spec)
    symbol = style.symbol
    weight = symbol.index_weight_pt or symbol.weight_pt * 1.8
    heavy = symbol.model_copy(update={"weight_pt": weight})
    name = style.legend.split(",")[0]
    every = "" if interval_ft is None else f", every {plain_number(interval_ft)} ft"
    fifth = "" if interval_ft is None else f", every {plain_number(interval_ft * INDEX_EVERY)} ft"
    index = replace(style, key="index", legend=f"{name}, index{fifth}", symbol=heavy)
    return replace(style, legend=f"{name}{every}"), index


def draw_contours(drawing: MapDrawing, spec: LayerSpec, frame: geopandas.GeoDataFrame) -> None:
    """Put the contours of one role on the map; they are remembered for their labels."""
    elevation = frame["elevation"].to_numpy(dtype=float)
    index = is_index(elevation, drawing.interval_ft)
    kind = np.full(len(frame), "")
    if "kind" in frame.columns:
        kind = frame["kind"].astype(str).str.lower().to_numpy()
    styles = contour_styles(spec, drawing.interval_ft)
    parted = _by_weight(drawing, frame.geometry.to_numpy(), index)
    for style, (paths, owner) in zip(styles, parted, strict=True):
        if not len(paths):
            continue
        level = elevation[owner]
        drawing.note(style, 1, sample_text=_middle_level(level))
        symbol = style.symbol
        chains = Chains(paths)
        work = LineWork(style.title, chains, symbol.weight_pt, symbol.ink, symbol.dash_pt)
        work.extra_weight_pt = 0.5
        for number in np.flatnonzero(kind[owner] == "depression").tolist():
            work.extras.extend(_depression_ticks(chains[number]))
        drawing.add_lines(work)
        heavy = bool(index[owner[0]])
        drawing.contours.append(ContourWork(work, style, level, heavy))


def _by_weight(
    drawing: MapDrawing, shapes: GeometryArray, index: np.ndarray
) -> list[tuple[Paths, np.ndarray]]:
    """The lines on the map with the number of the contour of each: thin ones, then those of index
    levels. Their places are kept and not the lines, which take as much again for each.
    """
    found: list[list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = [[], []]
    for lines, owner in lines_by_block(shapes, drawing.frame):
        counts = shapely.get_num_coordinates(lines)
        for weight, some in enumerate((~index[owner], index[owner])):
            xy = shapely.get_coordinates(lines[some])
            found[weight].append((xy, counts[some], owner[some]))
    return_freed()  # what clipping block after block has left behind
    parted = []
    for blocks in found:
        if not blocks:
            parted.append((Paths.of(()), np.empty(0, dtype=int)))
            continue
        xy, counts, owner = (np.concatenate(part) for part in zip(*blocks, strict=True))
        blocks.clear()
        parted.append((Paths(xy, counts), owner))
    return parted


def _middle_level(elevation_ft: np.ndarray) -> str:
    """The level in the middle of those drawn, for the legend; "" where none is known."""
    known = np.sort(elevation_ft[np.isfinite(elevation_ft)])
    return f"{known[len(known) // 2]:g}" if len(known) else ""


def _depression_ticks(chain: Chain) -> list[Path]:
    """Ticks on the inside of a closed contour, which is its lower side."""
    if not chain.closed:
        return []
    inside = 1.0 if shapely.is_ccw(shapely.linearrings(chain.path)) else -1.0
    return ticks(chain, TICK_EVERY_IN, TICK_IN, inside)
