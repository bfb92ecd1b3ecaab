"""Words made safe for a form: users' names, ids and values may hold anything.

What a form's own library escapes (markup, quotes) is left to it; here goes what no library
takes: control characters, halves of surrogate pairs, text longer than a cell.
"""

from __future__ import annotations

import re
from functools import cache

from sitemap.finding import Finding, Severity
from sitemap.report.page import clean

SEVERITY_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


@cache  # made when first asked for: it takes ten milliseconds, and a report as text needs none
def _not_xml() -> re.Pattern[str]:
    """XML 1.0 section 2.2: what may not stand in a document, even as a reference."""
    return re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: object, most: int = 2000) -> str:
    """One line without control characters, cut at `most` characters with a word that it was."""
    line = _not_xml().sub("?", clean(text))
    return line if len(line) <= most else cut(line, most)


def cut(text: str, most: int) -> str:
    """The text in at most `most` characters, saying how long it was."""
    if len(text) <= most:
        return text
    note = f" … (cut, {len(text):,} characters)"
    return text[: most - len(note)] + note


def xml_text(text: object) -> str:
    """Text that an XML document may hold; its lines stay."""
    return _not_xml().sub("?", str(text))


def rule_words(name: str) -> str:
    """'contours cross' from contours_cross."""
    return name.replace("_", " ")


def waiver_words(finding: Finding) -> str:
    """Who let it stand and why, led by what the reviewer decided where it is no waiver."""
    waiver = finding.waiver
    if waiver is None:
        return ""
    return str(waiver) if waiver.status == "waived" else f"{waiver.status}: {waiver}"


def severity_words(finding: Finding) -> str:
    """'error', 'warning', 'note'; a waived finding keeps its former severity."""
    words = SEVERITY_WORDS[finding.severity]
    return f"{words}, {finding.waiver.status}" if finding.waiver is not None else words
