"""Measure a finished plate from its file alone, ours or anyone's.

What cannot be measured comes back in words, as the plate's trouble; only a file that is no PDF
at all is an error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2

from sitemap.errors import PlateError
from sitemap.measured_plate import (
    INDEX_FRAME,
    INSET_FRAME,
    MAIN_FRAME,
    NO_MAP_FRAME,
    MapFrame,
    MeasuredPlate,
    PlatePage,
)
from sitemap.measures.sheets import sheet_of_size
from sitemap.plate.content import drawn_layers, strokes_of_layer
from sitemap.plate.georeference import page_frames
from sitemap.plate.legend_reading import legend_lines, letter_sizes
from sitemap.plate.lettering import (
    Lettering,
    grid_marks,
    read_lettering,
    stated_intervals,
    stated_scales,
)
from sitemap.plate.marks import CONTROL_LAYER, CROSS_IN, SheetMarks
from sitemap.plate.page_view import PageView, viewport_names
from sitemap.plate.trace import trace_plate
from sitemap.units import plain_number

SCALES_DIFFER = 0.005  # calibration against georeference on one page
CROSS_MEETS_IN = 0.002  # how near the middles of a cross's two strokes lie
CROSS_NEAR_IN = 0.25  # how far from its place a cross is still taken for the one that is meant


def measure_plate(path: Path) -> MeasuredPlate:
    """Read size, frames, scale, words, grid letters and layers of every page of a PDF.

    Raises PlateError when the file is missing or no PDF; everything else that is wrong with it
    stands in the trouble of what is returned.
    """
    path = Path(path)
    head = _head(path)
    if b"%PDF-" not in head:
        raise PlateError(
            f"{path} is no PDF: it begins with {head[:12]!r}. Give the finished plate as PDF"
        )
    try:
        pdf = pikepdf.open(path)
    except pikepdf.PasswordError:
        return MeasuredPlate(
            str(path), (), trouble=("the file is locked by a password; submit it without one",)
        )
    except pikepdf.PdfError as error:
        return MeasuredPlate(
            str(path), (), trouble=(f"the file is broken and cannot be opened: {_plain(error)}",)
        )
    with pdf:
        return _measured(path, pdf)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(1024)
    except OSError as error:
        raise PlateError(f"{path} cannot be read: {error.strerror or error}") from error


def _plain(error: Exception) -> str:
    """The last part of a library's message, which says what is wrong without our paths."""
    return str(error).strip().splitlines()[0].split(": ", 1)[-1]


def _measured(path: Path, pdf: pikepdf.Pdf) -> MeasuredPlate:
    trouble: list[str] = []
    pages: list[PlatePage] = []
    letterings = _letterings(path, pdf, trouble)
    try:
        for number, page in enumerate(pdf.pages, 1):
            notes: list[str] = []
            measured = _page(number, page, letterings.get(number), notes)
            pages += [measured] if measured else []
            trouble += [f"page {number}: {note}" for note in notes]
    except pikepdf.PdfError as error:
        trouble.append(f"the pages cannot be read further: {_plain(error)}")
    if not pages:
        trouble.append("the file has no page that can be measured")
    damage = [str(w).split(": ", 1)[-1] for w in pdf.get_warnings()]
    if damage:
        trouble.append(f"the file has faults that were mended while reading: {damage[0]}")
    return MeasuredPlate(
        str(path),
        tuple(pages),
        producer=_producer(pdf),
        layers=_layers(pdf),
        trouble=tuple(dict.fromkeys(trouble)),
        tracer=trace_plate,
    )


def _producer(pdf: pikepdf.Pdf) -> str:
    try:
        return str(pdf.docinfo.get("/Producer", ""))
    except (pikepdf.PdfError, ValueError, TypeError):
        return ""


def _layers(pdf: pikepdf.Pdf) -> tuple[str, ...]:
    properties = pdf.Root.get("/OCProperties")
    groups = properties.get("/OCGs") if isinstance(properties, pikepdf.Dictionary) else None
    if not isinstance(groups, pikepdf.Array):
        return ()
    named = (g for g in groups if isinstance(g, pikepdf.Dictionary) and "/Name" in g)
    return tuple(dict.fromkeys(str(g["/Name"]) for g in named))


def _letterings(path: Path, pdf: pikepdf.Pdf, trouble: list[str]) -> dict[int, Lettering]:
    """The text of every page by its number from 1; a page that PDFium refuses is left out."""
    found: dict[int, Lettering] = {}
    try:
        document = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        trouble.append(f"its text cannot be read: {error}")
        return found
    try:
        for number, page in enumerate(pdf.pages, 1):
            try:
                shown = document[number - 1]
                found[number] = read_lettering(shown, PageView.of(page))
                shown.close()
            except (pypdfium2.PdfiumError, pikepdf.PdfError, ValueError) as error:
                trouble.append(f"page {number}: its text cannot be read: {error}")
    finally:
        document.close()
    return found


def _page(
    number: int, page: pikepdf.Page, lettering: Lettering | None, notes: list[str]
) -> PlatePage | None:
    try:
        view = PageView.of(page)
    except (ValueError, TypeError, AttributeError, pikepdf.PdfError) as error:
        notes.append(f"its size cannot be read: {error}")
        return None
    frames, trouble = page_frames(page, view)
    notes += trouble
    names = set(viewport_names(page))
    is_map = MAIN_FRAME in names or not {INDEX_FRAME, INSET_FRAME, NO_MAP_FRAME} & names
    if is_map and not frames and not trouble:
        notes.append("it has neither georeference nor calibration, so its scale is not measurable")
    notes += _contradictions(frames)
    try:
        layers = drawn_layers(page)
    except (pikepdf.PdfError, ValueError, TypeError) as error:
        notes.append(f"its content cannot be read: {_plain(error)}")
        layers = ()
    text = lettering.text if lettering else ""
    width, height = view.size_in
    full, half = stated_scales(text, (width, height))
    bare = PlatePage(number, width, height, tuple(frames))
    main = MeasuredPlate("", (bare,)).main_frames
    columns, rows = (
        grid_marks(lettering.words, main[0][1].box_in) if lettering and main else ((), ())
    )
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
        is_map=is_map,
    )


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
    known_ft = np.array(sheet.control_ft, dtype=float).reshape(-1, 2)
    if len(known_ft) < 3:
        raise PlateError(f"sheet {sheet.number} has {len(known_ft)} control crosses, 3 are needed")
    with pikepdf.open(path) as pdf:
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
