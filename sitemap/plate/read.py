"""Measure a finished plate from its file alone, ours or anyone's: PDF here, pictures next door.

What cannot be measured comes back in words, as the plate's trouble; only a file that is no PDF
at all is an error.
"""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2

from sitemap.errors import PlateError
from sitemap.freed_memory import return_freed
from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.plate.lettering import Lettering, read_lettering
from sitemap.plate.page_reading import measured_page, plain_reason
from sitemap.plate.page_view import PageView
from sitemap.plate.trace import trace_plate

# of a PNG, JPEG or TIFF file
PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")


def measure_plate(path: Path, *, password: str = "", dpi: float | None = None) -> MeasuredPlate:
    """Read size, frames, scale, words, grid letters and layers of every page of a plate.

    A PDF, or a picture (GeoTIFF, TIFF, PNG, JPEG) whose dots per inch dpi may say. Raises
    PlateError when the file is missing or neither; everything else that is wrong with it stands
    in the trouble of what is returned.
    """
    path = Path(path)
    head = _head(path)
    if head.startswith(PICTURES):
        from sitemap.plate.read_image import measure_image  # loads what opens pictures

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
            str(path),
            (),
            trouble=(f"the file is broken and cannot be opened: {plain_reason(error)}",),
        )
    with pdf:
        return _measured(path, pdf, password)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(1024)
    except OSError as error:
        raise PlateError(f"{path} cannot be read: {error.strerror or error}") from error


def _measured(path: Path, pdf: pikepdf.Pdf, password: str) -> MeasuredPlate:
    trouble: list[str] = []
    if pdf.is_encrypted:
        trouble.append("the file is encrypted, which portals of agencies refuse; submit it without")
    pages: list[PlatePage] = []
    letterings = _letterings(path, pdf, trouble, password)
    try:
        for number, page in enumerate(pdf.pages, 1):
            notes: list[str] = []
            measured = measured_page(number, page, letterings.get(number), notes)
            pages += [measured] if measured else []
            trouble += [f"page {number}: {note}" for note in notes]
    except pikepdf.PdfError as error:
        trouble.append(f"the pages cannot be read further: {plain_reason(error)}")
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
        return_freed()  # PDFium had all lines of a page to find its text
    return found
