"""Measure a finished plate from its file alone, ours or anyone's: PDF here, pictures next door.

What cannot be measured comes back in words, as the plate's trouble; only a file that is no PDF
at all is an error.
"""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2

from sitemap.errors import PlateError
from sitemap.measured_plate import (
    INDEX_FRAME,
    INSET_FRAME,
    MAIN_FRAME,
    NO_MAP_FRAME,
    PHASE_MARK,
    MapFrame,
    MeasuredPlate,
    PlatePage,
    main_frame,
)
from sitemap.measures.sheets import sheet_of_size
from sitemap.plate.bare_page import bar_against, bare_frame
from sitemap.plate.content import drawn_layers
from sitemap.plate.georeference import page_frames
from sitemap.plate.legend_reading import legend_lines, letter_sizes
from sitemap.plate.lettering import (
    Lettering,
    grid_marks,
    read_lettering,
    stated_intervals,
    stated_scales,
)
from sitemap.plate.page_view import PageView, viewport_names
from sitemap.plate.read_image import is_image, measure_image
from sitemap.plate.trace import trace_plate
from sitemap.units import plain_number

SCALES_DIFFER = 0.005  # calibration against georeference on one page


def measure_plate(path: Path, *, password: str = "", dpi: float | None = None) -> MeasuredPlate:
    """Read size, frames, scale, words, grid letters and layers of every page of a plate.

    A PDF, or a picture (GeoTIFF, TIFF, PNG, JPEG) whose dots per inch dpi may say. Raises
    PlateError when the file is missing or neither; everything else that is wrong with it stands
    in the trouble of what is returned.
    """
    path = Path(path)
    head = _head(path)
    if is_image(head):
        return measure_image(path, dpi)
    if b"%PDF-" not in head:
        raise PlateError(
            f"{path} is no PDF: it begins with {head[:12]!r}. Give the finished plate as PDF, or "
            "as a picture: GeoTIFF, TIFF, PNG or JPEG"
        )
    try:
        pdf = pikepdf.open(path, password=password)
    except pikepdf.PasswordError:
        how = "" if password else " (sitemap measure --password TEXT opens it)"
        tried = "; the one that was given does not open it" if password else ""
        return MeasuredPlate(
            str(path),
            (),
            trouble=(f"the file is locked by a password; submit it without one{tried}{how}",),
        )
    except pikepdf.PdfError as error:
        return MeasuredPlate(
            str(path), (), trouble=(f"the file is broken and cannot be opened: {_plain(error)}",)
        )
    with pdf:
        return _measured(path, pdf, password)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(1024)
    except OSError as error:
        raise PlateError(f"{path} cannot be read: {error.strerror or error}") from error


def _plain(error: Exception) -> str:
    """The last part of a library's message, which says what is wrong without our paths."""
    return str(error).strip().splitlines()[0].split(": ", 1)[-1]


def _measured(path: Path, pdf: pikepdf.Pdf, password: str) -> MeasuredPlate:
    trouble: list[str] = []
    if pdf.is_encrypted:
        trouble.append("the file is encrypted, which portals of agencies refuse; submit it without")
    pages: list[PlatePage] = []
    letterings = _letterings(path, pdf, trouble, password)
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


def _letterings(
    path: Path, pdf: pikepdf.Pdf, trouble: list[str], password: str
) -> dict[int, Lettering]:
    """The text of every page by its number from 1; a page that PDFium refuses is left out."""
    found: dict[int, Lettering] = {}
    try:
        document = pypdfium2.PdfDocument(path, password=password or None)
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
    notes += _contradictions(frames)
    try:
        layers = drawn_layers(page)
    except (pikepdf.PdfError, ValueError, TypeError) as error:
        notes.append(f"its content cannot be read: {_plain(error)}")
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
        return None, [f"its scale is not measurable, its content cannot be read: {_plain(error)}"]


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
