"""The scale of a finished page of ours, measured on its control crosses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pikepdf

from sitemap.errors import PlateError
from sitemap.plate.content import strokes_of_layer
from sitemap.plate.marks import CONTROL_LAYER, CROSS_IN, SheetMarks
from sitemap.plate.page_view import PageView

CROSS_MEETS_IN = 0.002  # how near the middles of a cross's two strokes lie
CROSS_NEAR_IN = 0.25  # how far from its place a cross is still taken for the one that is meant


@dataclass(frozen=True)
class ControlMeasure:
    """What the control crosses of a finished page say of its scale.

    error_ppm is the larger difference of the scale across and up from what was meant, in parts
    per million; worst_offset_in how far a cross lies from its place, in inches.
    """

    crosses: int
    feet_per_inch: float
    error_ppm: float
    worst_offset_in: float


def measure_control(
    path: Path, sheet: SheetMarks, page: int = 1, *, flat: bool = False
) -> ControlMeasure:
    """Find a sheet's control crosses in the finished file and measure its scale by them.

    In a flat file, which has no layers, they are told from other strokes by their size.

    Raises PlateError when fewer than 3 crosses are known, one is missing, or all lie on a line.
    """
    return measure_controls(path, {page: sheet}, flat=flat)[page]


def measure_controls(
    path: Path, sheets: Mapping[int, SheetMarks], *, flat: bool = False
) -> dict[int, ControlMeasure]:
    """The same for the sheets of several pages, by the page's number."""
    with pikepdf.open(path) as pdf:
        return {page: _on_page(path, pdf, page, sheet, flat) for page, sheet in sheets.items()}


def _on_page(
    path: Path, pdf: pikepdf.Pdf, page: int, sheet: SheetMarks, flat: bool
) -> ControlMeasure:
    known_ft = np.array(sheet.control_ft, dtype=float).reshape(-1, 2)
    if len(known_ft) < 3:
        raise PlateError(f"sheet {sheet.number} has {len(known_ft)} control crosses, 3 are needed")
    if page > len(pdf.pages):
        raise PlateError(f"{path} has {len(pdf.pages)} pages, not {page}")
    found_page = pdf.pages[page - 1]
    strokes = strokes_of_layer(found_page, None if flat else CONTROL_LAYER)
    view = PageView.of(found_page)
    strokes_in = view.shown_in(strokes.reshape(-1, 2)).reshape(-1, 2, 2)
    sizes = np.hypot(*(strokes_in[:, 1] - strokes_in[:, 0]).T)
    crosses_in = _crosses(strokes_in[np.abs(sizes - CROSS_IN) < CROSS_MEETS_IN])
    meant_in = sheet.frames[0].to_paper(known_ft)
    places_in = []
    for ground, meant in zip(known_ft, meant_in, strict=True):
        away = np.hypot(*(crosses_in - meant).T) if len(crosses_in) else np.array([math.inf])
        if away.min() > CROSS_NEAR_IN:
            raise PlateError(
                f"the control cross at E {ground[0]:,.2f}, N {ground[1]:,.2f} is not on page "
                f"{page} of {path}: the plate is not what was composed"
            )
        places_in.append(crosses_in[int(away.argmin())])
    return _control(sheet, known_ft, np.array(places_in), meant_in)


def _crosses(strokes_in: np.ndarray) -> np.ndarray:
    """Middles that two strokes share, shape (n, 2) in inches."""
    middles = strokes_in.mean(axis=1)
    found = [
        middle
        for i, middle in enumerate(middles)
        if (np.hypot(*(middles[i + 1 :] - middle).T) < CROSS_MEETS_IN).any()
    ]
    return np.array(found).reshape(-1, 2)


def _control(
    sheet: SheetMarks, known_ft: np.ndarray, places_in: np.ndarray, meant_in: np.ndarray
) -> ControlMeasure:
    paper = places_in - places_in.mean(axis=0)
    ground = known_ft - known_ft.mean(axis=0)
    matrix, _, rank, _ = np.linalg.lstsq(paper, ground, rcond=None)
    if rank < 2:
        raise PlateError(f"the control crosses of sheet {sheet.number} lie on one line")
    across, up = np.hypot(*matrix[0]), np.hypot(*matrix[1])
    meant = sheet.frames[0].feet_per_inch
    return ControlMeasure(
        crosses=len(places_in),
        feet_per_inch=float(math.sqrt(across * up)),
        error_ppm=float(max(abs(across - meant), abs(up - meant)) / meant * 1e6),
        worst_offset_in=float(np.hypot(*(places_in - meant_in).T).max()),
    )
