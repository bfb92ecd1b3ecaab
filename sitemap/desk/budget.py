"""What is left out so that the page stays small enough for an e-mail, and the words that say so."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.desk.drawn_layers import DrawnLayer
from sitemap.desk.shapes import Origin, packed_all, simplified
from sitemap.finding import JsonDict
from sitemap.measures.map_extent import grown

NEAR_FT = 5280.0
LEAST_VERTEX_BYTES = 6
UNSEEN_FT = (0.0, 0.05, 0.1)
SEEN_FT = (0.25, 0.5, 1.0, 2.0, 5.0)
SHARES = (0.5, 0.25, 0.1, 0.02)


@dataclass(frozen=True)
class Cut:
    """How much of a layer is left out: simplified by, near the map alone, no values, a share."""

    tolerance_ft: float = 0.0
    near: bool = False
    bare: bool = False
    share: float = 1.0


def _cuts() -> tuple[Cut, ...]:
    """From nothing to the coarsest: what no eye sees, what is far, detail, words, features."""
    fine = [Cut(t) for t in UNSEEN_FT]
    near = [Cut(t, near=True) for t in (UNSEEN_FT[-1], *SEEN_FT)]
    bare = replace(near[-1], bare=True)
    return (*fine, *near, bare, *(replace(bare, share=s) for s in SHARES))


CUTS = _cuts()


def packed_layers(
    layers: Sequence[DrawnLayer], origin: Origin, extent: Bounds, most_bytes: int
) -> list[JsonDict]:
    """All layers as the page holds them, the largest cut further until they fit together.

    Each says in `cut` what it lost. ValueError when nothing more can be left out.
    """
    window = grown(extent, NEAR_FT)
    words = [size_of(layer.rows) for layer in layers]
    level = [0] * len(layers)
    guess = [_guess(layer, words[n], CUTS[0], window) for n, layer in enumerate(layers)]
    while sum(guess) > most_bytes and (largest := _largest_open(guess, level)) is not None:
        level[largest] += 1
        cut = CUTS[level[largest]]
        guess[largest] = _guess(layers[largest], words[largest], cut, window)
    done = [_packed(layer, CUTS[n], origin, window) for layer, n in zip(layers, level, strict=True)]
    size = [size_of(one) for one in done]
    while sum(size) > most_bytes:
        largest = _largest_open(size, level)
        if largest is None:
            raise ValueError("no layer can be cut any further")
        level[largest] += 1
        done[largest] = _packed(layers[largest], CUTS[level[largest]], origin, window)
        size[largest] = size_of(done[largest])
    return done


def _largest_open(size: Sequence[int], level: Sequence[int]) -> int | None:
    """Which layer takes the most room of those that can still be cut."""
    open_ones = [n for n in range(len(size)) if level[n] + 1 < len(CUTS)]
    return max(open_ones, key=size.__getitem__, default=None)


def _guess(layer: DrawnLayer, words_bytes: int, cut: Cut, window: Bounds) -> int:
    """About how many bytes a cut leaves, a little less than it does; packing alone tells."""
    kept = _kept(layer, cut, window)
    vertices = int(
        shapely.get_num_coordinates(simplified(layer.shapes[kept], cut.tolerance_ft)).sum()
    )
    share = kept.sum() / max(len(kept), 1)
    return int(vertices * LEAST_VERTEX_BYTES + share * words_bytes * (0.3 if cut.bare else 0.95))


def size_of(content: object) -> int:
    """Bytes of something as the page's JSON."""
    return len(
        json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    )


def _packed(layer: DrawnLayer, cut: Cut, origin: Origin, window: Bounds) -> JsonDict:
    kept = _kept(layer, cut, window)
    shapes = simplified(layer.shapes[kept], cut.tolerance_ft)
    before = int(shapely.get_num_coordinates(layer.shapes[kept]).sum())
    after = int(shapely.get_num_coordinates(shapes).sum())
    shown, row = np.unique(layer.row[kept], return_inverse=True)
    rows = [[*r[:5], [] if cut.bare else r[5]] for r in (layer.rows[n] for n in shown.tolist())]
    return {
        "role": layer.role,
        "title": layer.title,
        "order": layer.order,
        "group": layer.group,
        "styles": list(layer.styles),
        "fields": [] if cut.bare else [list(pair) for pair in layer.fields],
        "files": list(layer.files),
        "rows": rows,
        "shapes": [
            [r, s, shape] if math.isnan(turn) else [r, s, shape, round(turn)]
            for r, s, shape, turn in zip(
                row.tolist(),
                layer.style[kept].tolist(),
                packed_all(shapes, origin),
                layer.turn[kept].tolist(),
                strict=True,
            )
        ],
        "notes": list(layer.notes),
        "cut": list(_words(cut, before, after, len(layer) - len(shown), len(layer))),
        "numbers": shown.tolist(),
    }


def _kept(layer: DrawnLayer, cut: Cut, window: Bounds) -> np.ndarray:
    """Which shapes a cut leaves."""
    kept = np.ones(len(layer.shapes), dtype=bool)
    if cut.near:
        kept &= shapely.intersects(layer.shapes, shapely.box(*window))
    if cut.share < 1.0:
        kept &= _largest(layer.shapes, kept, cut.share)
    return kept


def _largest(shapes: np.ndarray, among: np.ndarray, share: float) -> np.ndarray:
    """The share of shapes that takes the most room; of points, evenly spread ones."""
    size = shapely.area(shapes) + shapely.length(shapes)
    size = np.where(size > 0, size, np.linspace(1e-3, 1e-4, len(size)))
    order = np.argsort(-np.where(among, size, -1.0), kind="stable")
    chosen = np.zeros(len(shapes), dtype=bool)
    chosen[order[: max(1, int(among.sum() * share))]] = True
    return chosen


def _words(cut: Cut, before: int, after: int, lost: int, total: int) -> list[str]:
    said: list[str] = []
    if after < before:
        said.append(
            f"simplified by at most {cut.tolerance_ft:g} ft: {before - after:,} of {before:,} "
            "vertices left out"
        )
    if lost and cut.share < 1.0:
        said.append(f"{lost:,} of {total:,} features left out: the smallest, and those far away")
    elif lost:
        said.append(f"{lost:,} of {total:,} features left out, more than 1 mile from the map")
    if cut.bare:
        said.append("attributes left out, but for ids")
    return said
