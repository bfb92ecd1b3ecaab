"""Point symbols: outlines about a place, and the letters inside. Sizes in inches on paper."""

from __future__ import annotations

import numpy as np

from sitemap.plate.marks import Path

_TURN = np.linspace(0.0, 2.0 * np.pi, 33)


def marker_outline(marker: str, width: float, height: float) -> list[Path]:
    """The strokes of a marker about the origin; an empty list for bare letters."""
    w, h = width / 2.0, height / 2.0
    arc = np.linspace(0.0, np.pi, 17)
    bow = np.column_stack([w * np.cos(arc), h * np.sin(arc)])
    strokes: dict[str, list[list[tuple[float, float]]]] = {
        "square": [[(-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)]],
        "letters": [[(-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)]],
        "circle": [[(w * np.cos(t), h * np.sin(t)) for t in _TURN]],
        "half circle": [[*map(tuple, bow), (w, 0.0)]],
        "triangle": [[(-w, h * 0.75), (w, h * 0.75), (0.0, -h), (-w, h * 0.75)]],
        "diamond": [[(-w, 0.0), (0.0, -h), (w, 0.0), (0.0, h), (-w, 0.0)]],
        "bar": [[(-w, 0.0), (w, 0.0)], [(-w, -h), (-w, h)], [(w, -h), (w, h)]],
        "cross": [[(-w, 0.0), (w, 0.0)], [(0.0, -h), (0.0, h)]],
    }
    return [np.array(stroke) for stroke in strokes.get(marker, [])]


def is_closed(marker: str) -> bool:
    """True for markers that hide what lies under them."""
    return marker in ("square", "letters", "circle", "half circle", "triangle", "diamond")


def marker_size(marker: str, size_in: float, letters_width_in: float) -> tuple[float, float]:
    """Width and height that leave 0.03 in clear around the letters inside."""
    if not letters_width_in:
        return size_in, size_in
    if marker in ("diamond", "triangle"):
        grown = max(size_in, letters_width_in + 0.16)
        return grown, grown
    if marker == "circle":
        grown = max(size_in, letters_width_in + 0.08)
        return grown, grown
    return max(size_in, letters_width_in + 0.06), size_in
