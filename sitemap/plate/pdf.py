"""Marks to a layered geospatial PDF 1.7: exact paper, searchable text, the same bytes each time.

painting.py writes what the pages draw; pikepdf makes the file of it, with fonts, layers,
georeference, scale, bookmarks and labels. Nothing here knows what a mark means.
"""

from __future__ import annotations

import datetime as dt
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from sitemap.errors import PlateError
from sitemap.plate.images import add_images
from sitemap.plate.ink import Ink
from sitemap.plate.marks import SheetMarks
from sitemap.plate.painting import page_content
from sitemap.plate.phase_groups import PropertyNames, phase_groups, phased_layers
from sitemap.plate.viewports import layer_groups, page_viewports
from sitemap.plate.xmp import xmp_packet

CREATOR = "sitemap"
POINTS = 72.0  # per inch


def write_pdf(
    sheets: Sequence[SheetMarks],
    path: Path,
    *,
    title: str,
    author: str,
    subject: str,
    created: dt.datetime,
    attachments: Mapping[str, bytes] | None = None,
    flat: bool = False,
) -> None:
    """Write sheets as one PDF, a page each; the same input gives the same bytes.

    created is the only date in the file; without a time zone it is taken as UTC. attachments are
    CSV files by name. flat is for agencies that take neither layers nor annotations: one layer,
    no links, nothing attached. Raises PlateError for a mark outside the sheet's layers, a link
    that leads nowhere, or a place that is not a number.
    """
    if not sheets:
        raise PlateError("a plate has at least one sheet, and none was given")
    if flat:
        _layers_with_marks(sheets)  # judged before they are given up
        sheets, attachments = [_flattened(sheet) for sheet in sheets], None
    title, author, subject = (_printable(text) for text in (title, author, subject))
    moment = created if created.tzinfo else created.replace(tzinfo=dt.UTC)
    layers = _layers_with_marks(sheets)
    names: PropertyNames = {layer: f"OC{i}" for i, layer in enumerate(layers)}
    phased = phased_layers(sheets)
    names |= {layer.phases: f"PH{i}" for i, layer in enumerate(phased)}
    with pikepdf.new() as pdf:
        _add_pages(pdf, sheets, names)
        for page, sheet in zip(pdf.pages, sheets, strict=True):
            size_in = sheet.width_in, sheet.height_in
            page.obj.VP = page_viewports(pdf, sheet.frames, size_in, sheet.phase)
        add_images(pdf, sheets)
        _describe(pdf, sheets, title, author, subject, moment)
        off = {layer for sheet in sheets for layer in sheet.layers_off}
        groups: dict[str | tuple[str, ...], Dictionary] = {}
        if layers:
            groups.update(layer_groups(pdf, layers, off).items())
        groups.update(phase_groups(pdf, phased).items())
        for page in pdf.pages if groups else ():
            page.obj.Resources.Properties = Dictionary(
                {f"/{names[key]}": group for key, group in groups.items()}
            )
        _link(pdf, sheets)
        for name, content in (attachments or {}).items():
            _attach(pdf, name, content, moment)
        _save(pdf, Path(path))


def _flattened(sheet: SheetMarks) -> SheetMarks:
    """The sheet with its marks on no layer, and no links; what is off would be seen and goes."""
    shown = (mark for mark in sheet.marks if mark.layer not in sheet.layers_off)
    marks = tuple(replace(mark, layer="") for mark in shown)
    return replace(sheet, marks=marks, layers=(), layers_off=(), links=())


def _link(pdf: pikepdf.Pdf, sheets: Sequence[SheetMarks]) -> None:
    """Places that lead to other sheets, as link annotations without a border."""
    pages = {sheet.number: page for sheet, page in zip(sheets, pdf.pages, strict=True)}
    for sheet, page in zip(sheets, pdf.pages, strict=True):
        found = []
        for link in sheet.links:
            if link.to not in pages:
                raise PlateError(f"sheet {sheet.number} leads to {link.to}, which is not there")
            found.append(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Link,
                    Rect=Array([round(value * POINTS, 3) for value in link.box_in]),
                    Border=Array([0, 0, 0]),
                    F=4,
                    Contents=String(f"Sheet {link.to}"),
                    Dest=Array([pages[link.to].obj, Name.Fit]),
                )
            )
        if found:
            page.obj.Annots = Array([pdf.make_indirect(one) for one in found])


def _attach(pdf: pikepdf.Pdf, name: str, content: bytes, moment: dt.datetime) -> None:
    """A file within the file, dated as the plate is."""
    stamp = moment.strftime("D:%Y%m%d%H%M%S") + _pdf_zone(moment)
    pdf.attachments[name] = pikepdf.AttachedFileSpec(
        pdf, content, filename=name, mime_type="text/csv", creation_date=stamp, mod_date=stamp
    )


def _printable(text: str) -> str:
    """Without line breaks and control characters, which XML metadata cannot hold."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def _layers_with_marks(sheets: Sequence[SheetMarks]) -> list[str]:
    """Names of the layers that have marks, in drawing order; an empty layer is not listed."""
    listed: dict[str, None] = {}
    for sheet in sheets:
        used = {mark.layer for mark in sheet.marks if mark.layer}
        unlisted = used - set(sheet.layers)
        if unlisted:
            raise PlateError(
                f"sheet {sheet.number} has marks on layers it does not list: "
                f"{', '.join(sorted(unlisted))}"
            )
        listed.update(dict.fromkeys(layer for layer in sheet.layers if layer in used))
    return list(listed)


def _add_pages(pdf: pikepdf.Pdf, sheets: Sequence[SheetMarks], names: PropertyNames) -> None:
    """A page for each sheet; all share the fonts and degrees of transparency."""
    ink = Ink()
    contents = [_deflated(page_content(sheet, names, ink)) for sheet in sheets]
    faces = {f"/{use.name}": use.font(pdf) for use in ink.glyphs.values()}
    alphas = {
        f"/{name}": pdf.make_indirect(Dictionary(Type=Name.ExtGState, ca=value, CA=value))
        for value, name in ink.alphas.items()
    }
    for sheet, content in zip(sheets, contents, strict=True):
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, *(_points(v) for v in (sheet.width_in, sheet.height_in))]),
            Contents=pdf.make_stream(content, Filter=Name.FlateDecode),
            Resources=Dictionary(Font=Dictionary(faces), ExtGState=Dictionary(alphas)),
        )
        pdf.pages.append(pikepdf.Page(page))


def _deflated(lines: Iterable[str]) -> bytes:
    """Lines of a page compressed as they come, so that they are never held together."""
    deflate = zlib.compressobj()
    made = [
        deflate.compress(("\n" * (number > 0) + line).encode("ascii"))
        for number, line in enumerate(lines)
    ]
    return b"".join((*made, deflate.flush()))


def _points(inches: float) -> float:
    return round(inches * POINTS, 6)


def _describe(
    pdf: pikepdf.Pdf,
    sheets: Sequence[SheetMarks],
    title: str,
    author: str,
    subject: str,
    moment: dt.datetime,
) -> None:
    """Title and dates, page labels, bookmarks, and how a viewer should open and print."""
    stamp = moment.strftime("D:%Y%m%d%H%M%S") + _pdf_zone(moment)
    for key, text in (
        ("/Title", title),
        ("/Author", author),
        ("/Subject", subject),
        ("/Creator", CREATOR),
        ("/Producer", CREATOR),
        ("/CreationDate", stamp),
        ("/ModDate", stamp),
    ):
        pdf.docinfo[key] = String(text)
    packet = xmp_packet(title, author, subject, CREATOR, moment)
    pdf.Root.Metadata = pdf.make_stream(packet, Type=Name.Metadata, Subtype=Name.XML)
    labels = [(i, Dictionary(P=String(sheet.number))) for i, sheet in enumerate(sheets)]
    pdf.Root.PageLabels = Dictionary(Nums=Array([item for pair in labels for item in pair]))
    with pdf.open_outline() as outline:
        for i, sheet in enumerate(sheets):
            outline.root.append(pikepdf.OutlineItem(f"{sheet.number} {sheet.title}".strip(), i))
    pdf.Root.ViewerPreferences = Dictionary(
        PrintScaling=Name("/None"), PickTrayByPDFSize=True, DisplayDocTitle=True
    )


def _pdf_zone(moment: dt.datetime) -> str:
    minutes = int((moment.utcoffset() or dt.timedelta()).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}'{rest:02d}'"


def _save(pdf: pikepdf.Pdf, path: Path) -> None:
    """Under a temporary name, then moved into place; the /ID follows from the content."""
    partial = path.with_name(path.name + ".part")
    try:
        pdf.save(
            partial,
            min_version="1.7",
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            deterministic_id=True,
        )
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise PlateError(f"{path} cannot be written: {error.strerror or error}") from error
