"""Measured plates in code: one page, its main frame over the clean site, grid marks all round."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import numpy as np
import shapely

from sitemap.measured_plate import (
    GridMark,
    LetterSize,
    MapFrame,
    MeasuredPlate,
    PlatePage,
    TracedLayer,
)
from sitemap.measures.grid import column_letters
from sitemap.measures.legend_words import symbol_words, symbols_shown
from tests.clean_site import EAST_FT, NORTH_FT, clean_site

BOX_IN = (2.0, 2.0, 24.0, 20.0)  # 22 x 18 in: 1,100 x 900 ft at 1 in = 50 ft
CORNER_FT = (-150.0, -150.0)  # lower left of the frame, from the boundary's corner


def frame_of(
    feet_per_inch: float = 50.0,
    *,
    how: str = "georeference",
    corner_ft: tuple[float, float] = CORNER_FT,
    epsg: int | None = 6609,
    anisotropy_ppm: float = 0.0,
    with_ground: bool = True,
) -> MapFrame:
    left, bottom, right, top = BOX_IN
    x0, y0 = EAST_FT + corner_ft[0], NORTH_FT + corner_ft[1]
    x1, y1 = x0 + (right - left) * feet_per_inch, y0 + (top - bottom) * feet_per_inch
    ground = ((x0, y0), (x0, y1), (x1, y1), (x1, y0)) if with_ground else None
    return MapFrame("Map Layers", BOX_IN, feet_per_inch, how, None, epsg, ground, anisotropy_ppm)


def marks_across(labels: list[str], step_in: float = 2.0) -> tuple[GridMark, ...]:
    """Labels at the middle of cells of step_in, along the top and the bottom of the frame."""
    left, bottom, _, top = BOX_IN
    at = [left + step_in * (i + 0.5) for i in range(len(labels))]
    return tuple(
        GridMark(label, x, y)
        for y in (bottom - 0.2, top + 0.2)
        for label, x in zip(labels, at, strict=True)
    )


def marks_down(labels: list[str], step_in: float = 2.0) -> tuple[GridMark, ...]:
    """Labels from the top down, at the left and the right of the frame."""
    left, _, right, top = BOX_IN
    at = [top - step_in * (i + 0.5) for i in range(len(labels))]
    return tuple(
        GridMark(label, x, y)
        for x in (left - 0.2, right + 0.2)
        for label, y in zip(labels, at, strict=True)
    )


LETTERS = [column_letters(i) for i in range(11)]
NUMBERS = [str(i + 1) for i in range(9)]


def plate_of(
    *frames: MapFrame,
    stated: tuple[float, ...] = (50.0,),
    columns: tuple[GridMark, ...] | None = None,
    rows: tuple[GridMark, ...] | None = None,
    trouble: tuple[str, ...] = (),
) -> MeasuredPlate:
    """A plate of one page with these frames (none given: none found)."""
    page = PlatePage(
        1,
        36.0,
        24.0,
        frames,
        stated_feet_per_inch=stated,
        grid_columns=marks_across(LETTERS) if columns is None else columns,
        grid_rows=marks_down(NUMBERS) if rows is None else rows,
    )
    return MeasuredPlate("plates.pdf", (page,), trouble=trouble)


def clean_legend() -> tuple[str, ...]:
    """The legend of the clean site's plate, line by line as it is printed: 24 letters wide."""
    site = clean_site()
    frame = shapely.Polygon(frame_of().ground_ft)
    lines: list[str] = []
    for role, layer in site.layers.items():
        spec = site.catalogue[role]
        for symbol in sorted(symbols_shown(spec, layer, [frame])) if role != "grid" else ():
            words = symbol_words(spec, symbol.type)
            if role.startswith("contours"):
                words = f"{words.split(',')[0]}, every 2 ft"
            lines += textwrap.wrap(words, 24)
    return tuple(lines)


def clean_plate() -> MeasuredPlate:
    """The finished plate of the clean site: all its layers drawn, explained and lettered."""
    site = clean_site()
    titles = tuple(site.catalogue[role].title for role in site.layers)
    plate = plate_of(frame_of())
    page = replace(
        plate.pages[0],
        sheet="ARCH D",
        drawn_layers=titles,
        legend=clean_legend(),
        lettering=(
            LetterSize(0.06, 40, "run 2026-05-04", 33.0, 0.4, in_margin=True),
            LetterSize(0.08, 4000, "Silt fence (1056)", 30.0, 12.0),
        ),
    )
    return replace(plate, pages=(page,), layers=titles, tracer=lambda _: clean_traces())


def clean_traces() -> tuple[TracedLayer, ...]:
    """What the layers of that plate draw: every line, outline and point of the clean site."""
    site = clean_site()
    return tuple(
        traced(site.catalogue[role].title, list(layer.usable.geometry))
        for role, layer in site.layers.items()
    )


def traced(title: str, shapes: list[shapely.Geometry], scale: float = 50.0) -> TracedLayer:
    """A layer that draws these shapes as they are, points as the anchors of symbols."""
    points = [s for s in shapes if shapely.get_dimensions(s) == 0]
    lines = [shapely.boundary(s) if shapely.get_dimensions(s) == 2 else s for s in shapes]
    paths = [shapely.get_coordinates(s) for s in lines if shapely.get_dimensions(s) == 1]
    anchors = shapely.get_coordinates(points).reshape(-1, 2)
    return TracedLayer(1, title, scale, tuple(np.asarray(path) for path in paths), anchors)
