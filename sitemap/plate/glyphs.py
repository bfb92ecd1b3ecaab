"""Fonts in a PDF: the letters that are used, cut out of the shipped files and embedded.

Each letter has a number of its own (Identity-H), and a table back to its character, so that
every viewer draws it from the file and every search finds it.
"""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import Any

import pikepdf
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from pikepdf import Array, Dictionary, Name, String

from sitemap.plate.fonts import Face

# tables that a viewer needs of an embedded TrueType font (ISO 32000-1, 9.9), and no hints
EMBEDDED_TABLES = ("glyf", "head", "hhea", "hmtx", "loca", "maxp")
NONSYMBOLIC, ITALIC = 32, 64
CMAP_ROWS = 100  # of one block of a character map, at most


class GlyphUse:
    """The letters of one font that a file uses; name is that of the font in its resources."""

    def __init__(self, name: str, face: Face) -> None:
        self.name = name
        self.face = face
        self._numbers: dict[str, int] = {}

    def hex_of(self, text: str) -> str:
        """The text in the font's own numbers, four digits each."""
        numbers = self._numbers
        return "".join(f"{numbers.setdefault(c, len(numbers) + 1):04X}" for c in text)

    def font(self, pdf: pikepdf.Pdf) -> pikepdf.Object:
        """The font as an object of the file, embedded with these letters only."""
        program, glyphs = _cut(self.face, self._numbers)
        family = f"{_tag(program)}+{self.face.path.stem}"
        inner = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=Name("/" + family),
            CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"),
                                     Supplement=0),
            FontDescriptor=pdf.make_indirect(self._descriptor(pdf, family, program)),
            DW=1000,
            W=Array([1, Array([round(1000.0 * self.face.advance_em(c), 3)
                               for c in self._numbers])]),
            CIDToGIDMap=pdf.make_stream(b"\0\0" + b"".join(g.to_bytes(2, "big") for g in glyphs)),
        )  # fmt: skip
        return pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=Name("/" + family),
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([pdf.make_indirect(inner)]),
                ToUnicode=pdf.make_stream(_to_unicode(self._numbers)),
            )
        )

    def _descriptor(self, pdf: pikepdf.Pdf, family: str, program: bytes) -> Dictionary:
        face = self.face
        slanted = face.italic_angle != 0.0
        stream = pdf.make_stream(program)
        stream.Length1 = len(program)
        return Dictionary(
            Type=Name.FontDescriptor,
            FontName=Name("/" + family),
            Flags=NONSYMBOLIC | (ITALIC if slanted else 0),
            FontBBox=Array([round(1000.0 * v) for v in face.box_em]),
            ItalicAngle=face.italic_angle,
            Ascent=round(1000.0 * face.ascent_em),
            Descent=-round(1000.0 * face.descent_em),
            CapHeight=round(1000.0 * face.cap_em),
            StemV=80,
            FontFile2=stream,
        )


def _cut(face: Face, numbers: dict[str, int]) -> tuple[bytes, list[int]]:
    """The font file with these characters only, and the glyph of each in their order.

    Cut by hand: the library's subsetter is for layout tables, which have no place in a PDF, and
    takes longer to load than all letters of a plate take to write.
    """
    font: Any = TTFont(BytesIO(face.path.read_bytes()), lazy=True, recalcTimestamp=False)
    named, outlines, metrics = font.getBestCmap(), font["glyf"], font["hmtx"].metrics
    before = font.getGlyphOrder()
    kept = {before[0], *(named[ord(c)] for c in numbers)}
    waiting = list(kept)
    while waiting:  # accented letters are put together from others
        parts = set(outlines[waiting.pop()].getComponentNames(outlines)) - kept
        kept |= parts
        waiting += parts
    order = [name for name in before if name in kept]
    for name in order:
        outlines[name].removeHinting()
    outlines.glyphs = {name: outlines.glyphs[name] for name in order}
    outlines.glyphOrder = order
    font["hmtx"].metrics = {name: metrics[name] for name in order}
    for table in set(font.keys()) - {"GlyphOrder", *EMBEDDED_TABLES}:
        del font[table]
    font.setGlyphOrder(order)
    memory = BytesIO()
    font.save(memory, reorderTables=False)
    return memory.getvalue(), [order.index(named[ord(c)]) for c in numbers]


def _tag(program: bytes) -> str:
    """Six capitals that tell one cut of a font from another."""
    digest = hashlib.sha256(program).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest[:6])


def _to_unicode(numbers: dict[str, int]) -> bytes:
    """The table from the font's numbers to characters."""
    rows = [f"<{n:04X}> <{c.encode('utf-16-be').hex().upper()}>" for c, n in numbers.items()]
    blocks = []
    for start in range(0, len(rows), CMAP_ROWS):
        some = rows[start : start + CMAP_ROWS]
        blocks += [f"{len(some)} beginbfchar", *some, "endbfchar"]
    lines = [
        "/CIDInit /ProcSet findresource begin", "12 dict begin", "begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def", "/CMapType 2 def",
        "1 begincodespacerange", "<0000> <FFFF>", "endcodespacerange",
        *blocks,
        "endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end",
    ]  # fmt: skip
    return "\n".join(lines).encode("ascii")
