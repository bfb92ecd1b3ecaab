"""A finished plate as pictures, one PNG per page."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pypdfium2

from sitemap.errors import PlateError


def write_png(pdf: Path, folder: Path, dpi: float = 150.0) -> list[Path]:
    """Draw each page of a PDF into `folder` as PNG of `dpi` dots per inch; returns the files.

    A page is named for the file and its label ("plates-C-501.png"), else its number. Raises
    PlateError when the PDF cannot be opened or the folder not written.
    """
    pdf, folder = Path(pdf), Path(folder)
    try:
        document = pypdfium2.PdfDocument(pdf)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise PlateError(f"{pdf} cannot be drawn as a picture: {error}") from error
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for index in range(len(document)):
            name = _page_name(document, index, {p.stem for p in written}, pdf.stem)
            written.append(_write_page(document, index, folder / f"{name}.png", dpi))
    except OSError as error:
        raise PlateError(f"{folder} cannot be written: {error.strerror or error}") from error
    finally:
        document.close()
    return written


def _page_name(document: pypdfium2.PdfDocument, index: int, taken: set[str], stem: str) -> str:
    label = re.sub(r"[^\w.\-]+", "_", document.get_page_label(index)).strip("_")
    name = f"{stem}-{label or index + 1}"
    return name if name not in taken else f"{stem}-page{index + 1}"


def _write_page(document: pypdfium2.PdfDocument, index: int, path: Path, dpi: float) -> Path:
    page = document[index]
    try:
        bitmap = page.render(scale=dpi / 72.0)
        partial = path.with_name(path.name + ".part")
        bitmap.to_pil().save(partial, format="PNG", dpi=(dpi, dpi))
        bitmap.close()
        os.replace(partial, path)
    finally:
        page.close()
    return path
