"""Paper: sheet sizes, how a sheet is divided, engineer's scales, what fits where.

Arithmetic only; nothing is drawn here. Sizes are inches, sheets lie landscape, boxes are
(left, bottom, right, top) from the lower left corner of the sheet.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from sitemap.errors import UsageError
from sitemap.units import MapScale

Box = tuple[float, float, float, float]

# ANSI/ASME Y14.1 and the architectural series, width first
PAPER_IN: dict[str, tuple[float, float]] = {
    "ANSI A": (11.0, 8.5),
    "ANSI B": (17.0, 11.0),
    "ANSI C": (22.0, 17.0),
    "ANSI D": (34.0, 22.0),
    "ANSI E": (44.0, 34.0),
    "ARCH A": (12.0, 9.0),
    "ARCH B": (18.0, 12.0),
    "ARCH C": (24.0, 18.0),
    "ARCH D": (36.0, 24.0),
    "ARCH E1": (42.0, 30.0),
    "ARCH E": (48.0, 36.0),
}

ENGINEERS_SCALES: tuple[int, ...] = (10, 20, 30, 40, 50, 60, 100)  # ft per inch

_NICKNAMES = {"letter": "ANSI A", "tabloid": "ANSI B", "ledger": "ANSI B"}


@dataclass(frozen=True)
class SheetLayout:
    """A sheet divided: where the border, the map and the furniture are.

    border is the outer line. frame is the map's neatline; lettering_in of clear paper lies
    around it for the grid's letters. The right column stands above the title block, both of one
    width; bottom_strip runs under the map. Neighbours are gap_in apart, and from the border.
    """

    name: str
    width_in: float
    height_in: float
    border: Box
    frame: Box
    right_column: Box
    bottom_strip: Box
    title_block: Box
    gap_in: float
    lettering_in: float


@dataclass(frozen=True)
class _Proportions:
    """What a class of sheets has in common, in inches."""

    margin: float
    binding: float
    gap: float
    lettering: float
    column: float
    strip: float
    title: float


# by the shorter side of the sheet: the first whose limit is not below it
_PROPORTIONS: tuple[tuple[float, _Proportions], ...] = (
    (9.0, _Proportions(0.25, 0.25, 0.10, 0.25, 2.6, 1.0, 2.6)),
    (12.0, _Proportions(0.35, 0.35, 0.10, 0.30, 3.6, 1.3, 3.4)),
    (18.0, _Proportions(0.50, 1.00, 0.15, 0.35, 5.0, 1.8, 5.4)),
    (24.0, _Proportions(0.50, 1.00, 0.15, 0.40, 6.5, 2.2, 6.8)),
    (99.0, _Proportions(0.50, 1.00, 0.15, 0.40, 6.5, 2.4, 7.6)),
)


def parse_sheet(text: str) -> str:
    """The name in PAPER_IN for "arch d", "ANSI_D", "24x36", '36" x 24"', "letter".

    UsageError names the sheets that are accepted.
    """
    words = re.sub(r"[\s_\-]+", " ", text.strip().lower())
    size = re.fullmatch(r'(\d+(?:\.\d+)?) ?(?:in|")? ?[x×] ?(\d+(?:\.\d+)?) ?(?:in|")?', words)
    if size:
        name = sheet_of_size(float(size[1]), float(size[2]))
    else:
        joined = re.sub(r"^(ansi|arch) ?", r"\1 ", words).upper()
        name = joined if joined in PAPER_IN else _NICKNAMES.get(words)
    if name is None:
        known = ", ".join(f"{n} ({h:g}x{w:g})" for n, (w, h) in PAPER_IN.items())
        raise UsageError(
            f"no sheet is called {text!r}; accepted, by name or size in inches: {known}"
        )
    return name


def sheet_of_size(width_in: float, height_in: float, tolerance_in: float = 0.02) -> str | None:
    """The sheet of this size, upright or lying; None when it is none of ours."""
    lying = max(width_in, height_in), min(width_in, height_in)
    for name, size in PAPER_IN.items():
        if all(abs(a - b) <= tolerance_in for a, b in zip(lying, size, strict=True)):
            return name
    return None


def sheets_between(
    least_in: tuple[float, float] | None, most_in: tuple[float, float] | None
) -> tuple[str, ...]:
    """The sheets whose width and height lie within two sizes in inches; None: no limit."""
    low, high = least_in or (0.0, 0.0), most_in or (math.inf, math.inf)
    return tuple(
        name
        for name, (width, height) in PAPER_IN.items()
        if low[0] <= width <= high[0] and low[1] <= height <= high[1]
    )


def half_size_of(sheet: str) -> str | None:
    """The sheet of half the length and width: ARCH B for ARCH D; None where there is none."""
    width, height = PAPER_IN[parse_sheet(sheet)]
    return sheet_of_size(width / 2.0, height / 2.0)


def sheet_layout(sheet: str) -> SheetLayout:
    """How a sheet is divided; UsageError for an unknown name."""
    return _layout(parse_sheet(sheet))


@lru_cache(maxsize=32)
def _layout(name: str) -> SheetLayout:
    width, height = PAPER_IN[name]
    p = next(found for limit, found in _PROPORTIONS if height <= limit)
    border = (p.binding, p.margin, width - p.margin, height - p.margin)
    inner = (border[0] + p.gap, border[1] + p.gap, border[2] - p.gap, border[3] - p.gap)
    column_left = inner[2] - p.column
    map_right = column_left - p.gap
    strip = (inner[0], inner[1], map_right, inner[1] + p.strip)
    frame = (
        inner[0] + p.lettering,
        strip[3] + p.gap + p.lettering,
        map_right - p.lettering,
        inner[3] - p.lettering,
    )
    title = (column_left, inner[1], inner[2], inner[1] + p.title)
    column = (column_left, title[3] + p.gap, inner[2], inner[3])
    return SheetLayout(
        name,
        width,
        height,
        border=_rounded(border),
        frame=_rounded(frame),
        right_column=_rounded(column),
        bottom_strip=_rounded(strip),
        title_block=_rounded(title),
        gap_in=p.gap,
        lettering_in=p.lettering,
    )


def _rounded(box: Box) -> Box:
    """To a ten-thousandth of an inch, so that sums of decimals print as they were meant."""
    left, bottom, right, top = (round(v, 4) for v in box)
    return left, bottom, right, top


def frame_box(sheet: str) -> Box:
    """The map frame of a sheet: left, bottom, right, top in inches."""
    return sheet_layout(sheet).frame


def fits(
    width_ft: float, height_ft: float, sheet: str, scale: MapScale, margin_in: float = 0.0
) -> bool:
    """True when ground of this size, with a margin on paper all round, lies inside the frame."""
    left, bottom, right, top = frame_box(sheet)
    room = right - left - 2.0 * margin_in, top - bottom - 2.0 * margin_in
    need = scale.paper_in(width_ft), scale.paper_in(height_ft)
    return all(n <= r + 1e-9 for n, r in zip(need, room, strict=True))


def fit_scale(
    width_ft: float,
    height_ft: float,
    sheet: str,
    margin_in: float = 0.0,
    max_scale: MapScale | None = None,
) -> MapScale | None:
    """The engineer's scale that draws the ground largest on a sheet; None when none holds it.

    width_ft and height_ft are the ground to show; margin_in is kept free all round on paper;
    max_scale is the most feet per inch allowed.
    """
    for feet_per_inch in ENGINEERS_SCALES:
        scale = MapScale(float(feet_per_inch))
        if max_scale is not None and scale > max_scale:
            return None
        if fits(width_ft, height_ft, sheet, scale, margin_in):
            return scale
    return None


def sheets_that_fit(
    width_ft: float, height_ft: float, max_scale: MapScale, margin_in: float = 0.0
) -> tuple[str, ...]:
    """Sheets that hold the ground at some engineer's scale up to max_scale, smallest first."""
    by_area = sorted(PAPER_IN, key=lambda name: PAPER_IN[name][0] * PAPER_IN[name][1])
    return tuple(
        name for name in by_area if fit_scale(width_ft, height_ft, name, margin_in, max_scale)
    )
