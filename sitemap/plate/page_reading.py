"""One page of anyone's plate: its size, frames, scale, words, grid letters and layers."""

from __future__ import annotations

import pikepdf

from sitemap.measured_plate import (
    INDEX_FRAME,
    INSET_FRAME,
    MAIN_FRAME,
    NO_MAP_FRAME,
    PHASE_MARK,
    MapFrame,
    PlatePage,
    main_frame,
)
from sitemap.measures.sheets import sheet_of_size
from sitemap.plate.bare_page import bar_against, bare_frame
from sitemap.plate.content import drawn_layers
from sitemap.plate.georeference import page_frames
from sitemap.plate.legend_reading import legend_lines, letter_sizes
from sitemap.plate.lettering import Lettering, grid_marks, stated_intervals, stated_scales
from sitemap.plate.page_view import PageView, viewport_names
from sitemap.units import plain_number

SCALES_DIFFER = 0.005  # calibration against georeference on one page


def plain_reason(error: Exception) -> str:
    """The last part of a library's message, which says what is wrong without our paths."""
    return str(error).strip().splitlines()[0].split(": ", 1)[-1]


def measured_page(
    number: int, page: pikepdf.Page, lettering: Lettering | None, notes: list[str]
) -> PlatePage | None:
    """What a page shows; None where not even its size can be read. What is wrong goes into notes.

    lettering is its text as PDFium read it, None where that was refused.
    """
    try:
        view = PageView.of(page)
    except (ValueError, TypeError, AttributeError, pikepdf.PdfError) as error:
        notes.append(f"its size cannot be read: {error}")
        return None
    frames, trouble = page_frames(page, view)
    notes += trouble
    names = set(viewport_names(page))
    is_map = MAIN_FRAME in names or not {INDEX_FRAME, INSET_FRAME, NO_MAP_FRAME} & names
    notes += _contradictions(frames)
    try:
        layers = drawn_layers(page)
    except (pikepdf.PdfError, ValueError, TypeError) as error:
        notes.append(f"its content cannot be read: {plain_reason(error)}")
        layers = ()
    text = lettering.text if lettering else ""
    width, height = view.size_in
    full, half = stated_scales(text, (width, height))
    if is_map and not frames:
        frame, doubts = _by_what_is_drawn(page, view, lettering, full)
        frames += [frame] if frame else []
        notes += doubts if frame or not trouble else []  # why is said once
    elif is_map and lettering and (main := main_frame(frames)):
        instead, doubts = _by_bar_too(page, view, lettering, full, main)
        frames = [instead] if instead else frames
        notes += doubts
    main = main_frame(frames)
    columns, rows = grid_marks(lettering.words, main.box_in) if lettering and main else ((), ())
    return PlatePage(
        number,
        width,
        height,
        tuple(frames),
        stated_feet_per_inch=full,
        stated_half_size=half,
        stated_interval_ft=stated_intervals(text),
        sheet=sheet_of_size(width, height),
        grid_columns=columns,
        grid_rows=rows,
        drawn_layers=layers,
        legend=legend_lines(lettering.words) if lettering else None,
        lettering=letter_sizes(lettering.words, (width, height)) if lettering else (),
        label=_label(page),
        phase=next((n.split(PHASE_MARK, 1)[1] for n in names if PHASE_MARK in n), ""),
        is_map=is_map,
        has_text=bool(text.strip()),
    )


def _by_what_is_drawn(
    page: pikepdf.Page, view: PageView, lettering: Lettering | None, stated: tuple[float, ...]
) -> tuple[MapFrame | None, list[str]]:
    """The map of a page whose file says nowhere what it shows."""
    try:
        return bare_frame(page, view, lettering or Lettering("", ()), stated)
    except (pikepdf.PdfError, ValueError, TypeError) as error:
        return None, [
            f"its scale is not measurable, its content cannot be read: {plain_reason(error)}"
        ]


def _by_bar_too(
    page: pikepdf.Page,
    view: PageView,
    lettering: Lettering,
    stated: tuple[float, ...],
    main: MapFrame,
) -> tuple[MapFrame | None, list[str]]:
    """What the graphic bar says against the main frame, and the frame that holds instead."""
    try:
        instead, doubt = bar_against(page, view, lettering, stated, main)
    except (pikepdf.PdfError, ValueError, TypeError):
        return None, []  # what cannot be read is told where the layers are looked for
    return instead, [doubt] if doubt else []


def _label(page: pikepdf.Page) -> str:
    try:
        return str(page.label)
    except (pikepdf.PdfError, ValueError, TypeError):
        return ""


def _contradictions(frames: list[MapFrame]) -> list[str]:
    """Where measuring tools of a viewer would say something else than the georeference."""
    found = []
    for ground in (f for f in frames if f.how == "georeference"):
        over = [f for f in frames if f.how == "calibration" and _holds(f, ground)]
        # the last one that holds a place rules it
        if over and abs(over[-1].feet_per_inch / ground.feet_per_inch - 1.0) > SCALES_DIFFER:
            found.append(
                f'"{ground.name}" is calibrated to 1 in = '
                f"{plain_number(over[-1].feet_per_inch)} ft, but its georeference says "
                f"{plain_number(ground.feet_per_inch)} ft"
            )
    return found


def _holds(outer: MapFrame, inner: MapFrame) -> bool:
    a, b = outer.box_in, inner.box_in
    return (
        a[0] <= b[0] + 0.01 and a[1] <= b[1] + 0.01 and a[2] >= b[2] - 0.01 and a[3] >= b[3] - 0.01
    )
