"""Pictures in a PDF: JPEG objects as they are, placed by their box, multiplied into what is below.

The page's content names them; the objects are added to the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import pikepdf
from pikepdf import Array, Dictionary, Name

from sitemap.plate.marks import Image, SheetMarks

POINTS = 72.0  # per inch
MULTIPLY = "SmMultiply"


def image_operators(image: Image, units: int) -> str:
    """What draws a picture in a page's content that counts so many units to the point."""
    left, bottom, right, top = (round(value * POINTS * units) for value in image.box_in)
    place = f"{right - left} 0 0 {top - bottom} {left} {bottom} cm"
    return f"q /{MULTIPLY} gs {place} /{_name(image)} Do Q"


def add_images(pdf: pikepdf.Pdf, sheets: Iterable[SheetMarks]) -> None:
    """Add the pictures of all sheets to the resources of their pages; one that recurs once."""
    known: dict[str, pikepdf.Object] = {}
    blend = None
    for page, sheet in zip(pdf.pages, sheets, strict=True):
        images = [mark for mark in sheet.marks if isinstance(mark, Image)]
        if not images:
            continue
        blend = blend or pdf.make_indirect(Dictionary(Type=Name.ExtGState, BM=Name.Multiply))
        resources = page.obj.Resources
        for key in ("/XObject", "/ExtGState"):
            if key not in resources:
                resources[key] = Dictionary()
        resources.ExtGState[f"/{MULTIPLY}"] = blend
        for image in images:
            name = _name(image)
            known.setdefault(name, _object(pdf, image))
            resources.XObject[f"/{name}"] = known[name]


def _object(pdf: pikepdf.Pdf, image: Image) -> pikepdf.Object:
    return pdf.make_stream(
        image.jpeg,
        Dictionary(
            Type=Name.XObject,
            Subtype=Name.Image,
            Width=image.width_px,
            Height=image.height_px,
            ColorSpace=Name.DeviceGray if image.grey else Name.DeviceRGB,
            BitsPerComponent=8,
            Filter=Array([Name.DCTDecode]),
            Interpolate=False,
        ),
    )


def _name(image: Image) -> str:
    return "Sm" + hashlib.sha256(image.jpeg).hexdigest()[:12]
