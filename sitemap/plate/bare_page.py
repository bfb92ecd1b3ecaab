"""A page that says nowhere in its file what it shows: its map and scale by what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pikepdf

from sitemap.measured_plate import MapFrame
from sitemap.plate.bar_scale import GraphicBar, agree, graphic_bars, label_scales
from sitemap.plate.lettering import Lettering, Word, grid_marks
from sitemap.plate.page_view import Box, PageView
from sitemap.plate.trace import drawn_paths
from sitemap.units import plain_number

LEAST_SHARE = 0.2  # of the page, that a map's neatline holds
STATED_AGREES = 0.05  # of a stated scale with a bar that is not shrunk by much
BAR_AGREES = 0.005  # of a bar with the scale that the file declares
OFF_PAPER_IN = 0.1
SQUARE_IN = 0.01  # of a rectangle's corners from its box


def bare_frame(
    page: pikepdf.Page, view: PageView, lettering: Lettering, stated: Sequence[float]
) -> tuple[MapFrame | None, list[str]]:
    """The map of a page without viewports, measured by its graphic bar; and words of doubt.

    stated are the scales in its words, which tell the map's bar from those of insets.
    """
    paths = drawn_paths(page, view)
    bars = _bars_any_way_up(lettering.words, paths)
    known = [bar for bar in bars if bar.unit or _is_stated(bar, stated)]
    if not known:
        doubt = "; a bar is drawn whose unit is said nowhere" if bars else ""
        return None, [
            "it has neither georeference nor calibration, and no graphic bar whose labels could "
            f"be read{doubt}: its scale is not measurable. Give two points that you know, or a "
            "distance: sitemap measure --point or --distance"
        ]
    bar, notes = _of_the_map(known, stated)
    return _by_bar(bar, neatline(paths, view.size_in, lettering)), notes


def bar_against(
    page: pikepdf.Page,
    view: PageView,
    lettering: Lettering,
    stated: Sequence[float],
    frame: MapFrame,
) -> tuple[MapFrame | None, str]:
    """What the graphic bar says against the frame that the file declares.

    A print made smaller may keep the viewports of the full sheet. Words where every bar of a
    known unit draws another scale; and the map by its bar, where the declared frame is not even
    on the paper. What is drawn is read only where the labels of the bar already disagree.
    """
    by_labels = label_scales(lettering.words)
    if not by_labels or _one_is(by_labels, frame.feet_per_inch):
        return None, ""
    paths = drawn_paths(page, view)
    bars = [bar for bar in _bars_any_way_up(lettering.words, paths) if bar.unit]
    if not bars or _one_is([bar.feet_per_inch for bar in bars], frame.feet_per_inch):
        return None, ""
    bar, _ = _of_the_map(bars, stated)
    words = (
        f'"{frame.name}" is declared to show 1 in = {plain_number(frame.feet_per_inch)} ft, but '
        f"its graphic bar has {bar.words}, 1 in = {plain_number(round(bar.feet_per_inch, 3))} ft"
    )
    if _on_paper(frame.box_in, view):
        return None, f"{words}: it was printed at another size, or the bar is another map's"
    return (
        _by_bar(bar, neatline(paths, view.size_in, lettering)),
        f"{words}; the frame runs off the paper, so that the bar is taken: it was printed smaller",
    )


def _one_is(scales: Sequence[float], wanted: float) -> bool:
    return any(abs(scale / wanted - 1.0) <= BAR_AGREES for scale in scales)


def _on_paper(box_in: Box, view: PageView) -> bool:
    """Whether a frame lies on the sheet, as it was before a viewer was told to show less of it."""
    media = view.shown_box(np.array(view.media).reshape(2, 2))
    low = min(box_in[0] - media[0], box_in[1] - media[1])
    high = min(media[2] - box_in[2], media[3] - box_in[3])
    return min(low, high) >= -OFF_PAPER_IN


def _by_bar(bar: GraphicBar, box_in: Box) -> MapFrame:
    return MapFrame(
        "map",
        box_in,
        round(bar.feet_per_inch, 4),
        "graphic bar",
        rests_on=f"its graphic bar: {bar.words}",
    )


def _bars_any_way_up(
    words: Sequence[Word], paths_in: Sequence[np.ndarray]
) -> tuple[GraphicBar, ...]:
    """The bars of a page that may lie on its side: read as shown first, then turned."""
    for quarter in (0, 1, 3, 2):
        turn = np.linalg.matrix_power(np.array([[0.0, 1.0], [-1.0, 0.0]]), quarter)
        turned = [
            replace(word, box_in=_box_around(np.array(word.box_in).reshape(2, 2) @ turn))
            for word in words
        ]
        bars = graphic_bars(turned, [path @ turn for path in paths_in])
        if bars:
            return bars
    return ()


def _box_around(corners: np.ndarray) -> Box:
    left, bottom = (float(v) for v in corners.min(axis=0))
    right, top = (float(v) for v in corners.max(axis=0))
    return left, bottom, right, top


def _is_stated(bar: GraphicBar, stated: Sequence[float]) -> bool:
    return any(abs(bar.feet_per_inch / number - 1.0) <= STATED_AGREES for number in stated)


def _of_the_map(
    bars: Sequence[GraphicBar], stated: Sequence[float]
) -> tuple[GraphicBar, list[str]]:
    """The bar that belongs to the map: the stated one, else the one that draws largest."""
    agreed = [bar for bar in bars if _is_stated(bar, stated)]
    if agreed:
        return max(agreed, key=lambda bar: bar.length_in), []
    chosen = max(bars, key=lambda bar: (bar.length_in, -bar.feet_per_inch))
    if agree(bars):
        return chosen, []
    others = ", ".join(plain_number(round(bar.feet_per_inch, 3)) for bar in bars)
    return chosen, [
        f"it has bars of several scales ({others} feet per inch) and its words tell none apart; "
        "the longest one is taken"
    ]


def neatline(
    paths: Sequence[np.ndarray], size_in: tuple[float, float], lettering: Lettering
) -> Box:
    """The box of the map: the rectangle with a grid's letters around it, else the largest one.

    The whole page where none is drawn.
    """
    page = (0.0, 0.0, *size_in)
    least = LEAST_SHARE * size_in[0] * size_in[1]
    boxes = {box for path in paths if (box := _rectangle(path)) and _area(box) >= least}
    ordered = sorted(boxes, key=_area)
    lettered = [box for box in ordered if all(grid_marks(lettering.words, box))]
    return lettered[0] if lettered else (ordered or [page])[-1]


def _rectangle(path: np.ndarray) -> Box | None:
    """The box of a closed outline of four sides along the page's own."""
    if len(path) not in (4, 5):
        return None
    low, high = path.min(axis=0), path.max(axis=0)
    at_corner = np.minimum(np.abs(path - low), np.abs(path - high)).max() <= SQUARE_IN
    if not at_corner or (high - low).min() <= 0.0:
        return None
    left, bottom, right, top = (round(float(v), 4) for v in (*low, *high))
    return left, bottom, right, top


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
