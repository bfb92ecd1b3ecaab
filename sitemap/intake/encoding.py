"""Which encoding the text of a .dbf is in: declared, else judged by the bytes, never silently."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from encodings.aliases import aliases

from sitemap.errors import UsageError
from sitemap.intake.oddities import odd
from sitemap.layer import Oddity

# Language driver ids of dBASE and FoxPro tables (byte 29), as ArcGIS and GDAL read them.
_LANGUAGES: dict[int, str] = {
    0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x08: "cp865", 0x09: "cp437", 0x0A: "cp850",
    0x0B: "cp437", 0x0D: "cp437", 0x0E: "cp850", 0x0F: "cp437", 0x10: "cp850", 0x11: "cp437",
    0x12: "cp850", 0x13: "cp932", 0x14: "cp850", 0x15: "cp437", 0x16: "cp850", 0x17: "cp865",
    0x18: "cp437", 0x19: "cp437", 0x1A: "cp850", 0x1B: "cp437", 0x1C: "cp863", 0x1D: "cp850",
    0x1F: "cp852", 0x22: "cp852", 0x23: "cp852", 0x24: "cp860", 0x25: "cp850", 0x26: "cp866",
    0x37: "cp850", 0x40: "cp852", 0x4D: "cp936", 0x4E: "cp949", 0x4F: "cp950", 0x50: "cp874",
    0x58: "cp1252", 0x59: "cp1252", 0x64: "cp852", 0x65: "cp866", 0x66: "cp865", 0x67: "cp861",
    0x6A: "cp737", 0x6B: "cp857", 0x6C: "cp863", 0x78: "cp950", 0x79: "cp949", 0x7A: "cp936",
    0x7B: "cp932", 0x7C: "cp874", 0x86: "cp737", 0x87: "cp852", 0x88: "cp857", 0xC8: "cp1250",
    0xC9: "cp1251", 0xCA: "cp1254", 0xCB: "cp1253", 0xCC: "cp1257",
}  # fmt: skip
_SQUEEZED = {re.sub(r"[^a-z0-9]", "", alias): codec for alias, codec in aliases.items()}
_SQUEEZED |= {re.sub(r"[^a-z0-9]", "", codec): codec for codec in aliases.values()}
_SINGLE_BYTE = re.compile(r"cp(?:4|7|8|125)\d*|iso8859|latin|ascii|charmap", re.I)
_ASIAN = (("gb2312", "Chinese (GBK)"), ("big5", "Chinese (Big5)"), ("cp932", "Japanese"))


@dataclass(frozen=True)
class TextEncoding:
    """A Python codec's name, how it is known, and what was odd about it."""

    name: str
    how: str
    oddities: tuple[Oddity, ...] = ()


def codec_named(text: str) -> str | None:
    """The codec behind a name as users and programs write it ('ANSI 1252', '88591', 'UTF8')."""
    words = text.strip().lower().strip("\"'")
    number = re.fullmatch(r"(?:ansi|oem|cp|windows|ibm|ms)?[\s_-]*(\d{3,5})", words)
    squeezed = re.sub(r"[^a-z0-9]", "", words)
    candidates = [words, words.replace(" ", "-"), _SQUEEZED.get(squeezed, squeezed)]
    if number:
        digits = number.group(1)
        iso = f"iso-8859-{digits[4:]}" if digits.startswith("8859") and len(digits) > 4 else ""
        candidates = [iso, f"cp{digits}", *candidates] if iso else [f"cp{digits}", *candidates]
        if digits == "65001":
            candidates = ["utf-8"]
    for name in candidates:
        try:
            found = codecs.lookup(name).name
        except (LookupError, ValueError):
            continue
        # What says Latin-1 is written by Windows programs, which use its 1252 superset.
        return "cp1252" if found in ("iso8859-1", "ascii") else found
    return None


def given_codec(text: str) -> str:
    """The codec a user asks for; UsageError when there is none of that name."""
    codec = codec_named(text)
    if codec is None:
        raise UsageError(
            f"{text!r} is not a text encoding; accepted are names such as UTF-8, Windows-1252, "
            "ISO-8859-2, Big5, GBK"
        )
    return codec


def choose_encoding(
    text: bytes, *, given: str | None, cpg: str | None, language: int
) -> TextEncoding:
    """The user's word, else the .cpg, else the language id, else the bytes themselves.

    `text` are the character fields with bytes beyond ASCII, one per line.
    """
    if given:
        return TextEncoding(given_codec(given), "option")
    notes: list[Oddity] = []
    declared, how = None, ""
    if cpg:
        declared, how = codec_named(cpg), f".cpg says {cpg.strip()[:20]}"
        if declared is None:
            said = cpg.strip()[:20]
            notes.append(odd("encoding_unknown", f".cpg says {said!r}, which is no known encoding"))
    if declared is None and language in _LANGUAGES:
        declared = _LANGUAGES[language]
        how = f"language id 0x{language:02X} of the .dbf"
    if not text:
        return TextEncoding(declared or "utf-8", how or "plain ASCII", tuple(notes))
    is_utf8 = _decodes(text, "utf-8")
    if declared is None:
        return _judged(text, is_utf8, notes)
    if is_utf8 and _SINGLE_BYTE.match(declared):
        notes.append(
            odd(
                "encoding_doubtful",
                f"{how}, but the text is UTF-8 ({_sample(text, 'utf-8')} rather than "
                f"{_sample(text, declared)}); read as UTF-8",
            )
        )
        return TextEncoding("utf-8", "bytes are UTF-8 against the declaration", tuple(notes))
    if not _decodes(text, declared) and not _SINGLE_BYTE.match(declared):
        notes.append(
            odd("encoding_doubtful", f"{how}, but the bytes are not {declared}; see the next line")
        )
        return _judged(text, is_utf8, notes)
    return TextEncoding(declared, how, tuple(notes))


def _judged(text: bytes, is_utf8: bool, notes: list[Oddity]) -> TextEncoding:
    if is_utf8:
        return TextEncoding("utf-8", "bytes are valid UTF-8", tuple(notes))
    sample = _sample(text, "cp1252")
    fits = [f"{label} would read {_sample(text, codec)}" for codec, label in _likely_asian(text)]
    other = f" ({'; '.join(fits)})" if fits else ""
    notes.append(
        odd(
            "encoding_doubtful",
            f"nothing says how the text is encoded; read as Windows-1252: {sample}{other}. "
            "Say it with --encoding or add a .cpg",
        )
    )
    return TextEncoding("cp1252", "guess: not UTF-8, no declaration", tuple(notes))


def _decodes(text: bytes, codec: str) -> bool:
    """True when every line decodes.

    A character cut at the end of a field is forgiven where others stand whole.
    """
    cut = whole = False
    for line in text.split(b"\n"):
        try:
            decoded = line.decode(codec)
        except UnicodeDecodeError as error:
            if error.end < len(line) or len(line) - error.start > 3:
                return False
            cut = True
            decoded = line[: error.start].decode(codec, "ignore")
        whole = whole or not decoded.isascii()
    return whole or not cut


def _likely_asian(text: bytes) -> list[tuple[str, str]]:
    """Multi-byte codecs in which the text would be words of ideographs or kana.

    A single ideograph between Latin letters is an accented letter read wrongly, not a word.
    """
    likely = []
    for codec, label in _ASIAN:
        try:
            words = text.decode(codec)
        except UnicodeDecodeError:
            continue
        wide = [c for c in words if ord(c) > 0x7F]
        usual = sum("\u3040" <= c <= "\u30ff" or "\u4e00" <= c <= "\u9fff" for c in wide)
        alone = re.search(r"[A-Za-z][\u3040-\u9fff]|[\u3040-\u9fff][A-Za-z]", words)
        if len(wide) > 1 and usual >= 0.9 * len(wide) and not alone:
            likely.append((codec, label))
    return likely


def _sample(text: bytes, codec: str) -> str:
    line = max(text.split(b"\n")[:50], key=lambda piece: sum(byte >= 0x80 for byte in piece))
    shown = line.decode(codec, "replace").strip()
    return repr(shown[:24] + ("…" if len(shown) > 24 else ""))
