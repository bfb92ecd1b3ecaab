"""The letter as PDF on US Letter paper (reportlab): fonts embedded, the same bytes each time."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import letter as us_letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Image, KeepTogether, Paragraph, SimpleDocTemplate, Spacer

from sitemap.outputs import written_in_place
from sitemap.review.letter import Fact, Letter, Reason
from sitemap.review.letter_map import HEIGHT_IN, WIDTH_IN

FONTS = Path(__file__).parent.parent / "plate" / "fonts"  # data files, shared with the plate
FACES = {"Letter": "LiberationSans-Regular.ttf", "Letter-Bold": "LiberationSans-Bold.ttf"}
INK = "#26323a"
BLANK = "_" * 30  # where nobody is named
SIGNED_LINES = 2  # of the letter's last ones, which go with the signature


def write_pdf(letter: Letter, path: Path) -> str:
    """Write the letter as PDF; its words can be searched and copied.

    Returns the characters, each once, for which a box stands since the fonts lack them.
    """
    _register()
    flow = _signed(list(_flow(letter)), letter)
    boxed = _lacking(flow)
    kept, rl_config.invariant = rl_config.invariant, 1
    try:
        with written_in_place(path) as temporary:
            page = SimpleDocTemplate(
                str(temporary),
                pagesize=us_letter,
                leftMargin=inch,
                rightMargin=inch,
                topMargin=0.9 * inch,
                bottomMargin=0.9 * inch,
                title=f"{letter.site}: {letter.heading}",
                author=letter.office or "sitemap",
                lang="en-US",
            )
            footer = _Footer(letter)
            page.build(flow, onFirstPage=footer, onLaterPages=footer)
    finally:
        rl_config.invariant = kept
    return boxed


def _lacking(flow: Iterable[Any]) -> str:
    known = pdfmetrics.getFont("Letter").face.charToGlyph
    parts = [p for one in flow for p in getattr(one, "_content", [one])]
    words = "".join(p.getPlainText() for p in parts if isinstance(p, Paragraph))
    return "".join(dict.fromkeys(c for c in words if c.isprintable() and ord(c) not in known))


@cache
def _register() -> None:
    for face, file in FACES.items():
        pdfmetrics.registerFont(TTFont(face, str(FONTS / file)))


def _style(name: str, size: float, *, bold: bool = False, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name,
        fontName="Letter-Bold" if bold else "Letter",
        fontSize=size,
        leading=size * 1.3,
        textColor=INK,
        alignment=TA_LEFT,
        spaceAfter=3,
        splitLongWords=1,
        **more,
    )


BODY = _style("body", 9.5)
STRONG = _style("strong", 10.5, bold=True, spaceBefore=6)
TITLE = _style("title", 15, bold=True, spaceBefore=6)
HEAD = _style("head", 11.5, bold=True, spaceBefore=9, keepWithNext=1)
REASON = _style("reason", 10, bold=True, spaceBefore=7, keepWithNext=1)
QUOTE = _style("quote", 9, leftIndent=14, borderPadding=0, keepWithNext=1)
POINT = _style("point", 9.5, leftIndent=12, bulletIndent=2)


class _Footer:
    """Site, date and page number on each sheet."""

    def __init__(self, letter: Letter) -> None:
        self._words = f"{letter.site[:70]} · {letter.date}"

    def __call__(self, canvas: Any, page: Any) -> None:
        canvas.saveState()
        canvas.setFont("Letter", 7.5)
        canvas.drawString(inch, 0.55 * inch, self._words)
        canvas.drawRightString(7.5 * inch, 0.55 * inch, f"page {page.page}")
        canvas.restoreState()


def _words(text: str, style: ParagraphStyle = BODY, label: str = "") -> Paragraph:
    lead = f'<font name="Letter-Bold">{escape(label)}:</font> ' if label else ""
    return Paragraph(lead + escape(text), style)


def _flow(letter: Letter) -> Iterator[Any]:
    if letter.office:
        yield _words(letter.office)
    yield _words(letter.date.isoformat())
    yield _words(letter.site, TITLE)
    yield _words(f"Submission: {letter.submission}")
    yield from (_point(law) for law in letter.laws)
    yield _words(letter.decision, STRONG)
    if letter.reasons or letter.conditions:
        yield _words(letter.heading, HEAD)
        for reason in letter.reasons:
            yield from _reason(reason)
        yield from (_point(words) for words in letter.conditions)
    yield from _list("Remarks, which are no reasons", letter.remarks)
    yield from _list("Findings that do not count, and who decided so", letter.decided)
    yield from _list("Confirmed by a person", letter.confirmed)
    yield from _list("Without an entry of a person", letter.unanswered)
    yield from _list("Clock of the review", letter.clock)
    yield from _list("Assumptions of the clock", letter.assumptions)
    yield from _list("Evidence", letter.evidence)


def _signed(flow: list[Any], letter: Letter) -> list[Any]:
    """The letter with its signature, which never stands on a page without words of the letter."""
    signature = [_words(letter.signature or BLANK), _words(letter.authority or " ")]
    last = [flow.pop() for _ in range(SIGNED_LINES) if isinstance(flow[-1], Paragraph)][::-1]
    return [*flow, KeepTogether([*last, Spacer(1, 0.5 * inch), *signature])]


def _point(text: str) -> Paragraph:
    return Paragraph(escape(text), POINT, bulletText="•")


def _list(heading: str, lines: Iterable[str]) -> Iterator[Any]:
    rows = [_point(words) for words in lines]
    if rows:
        yield _words(heading, HEAD)
        yield from rows


def _reason(reason: Reason) -> Iterator[Any]:
    head = [
        _words(f"{reason.number}. {reason.heading}", REASON),
        *(_words(words.text, QUOTE, words.citation) for words in reason.clauses),
    ]
    for fact in reason.facts:  # the heading stays with the first of them
        yield KeepTogether([*head, *_fact(fact)])
        head = []


def _fact(fact: Fact) -> Iterator[Any]:
    rows = (
        ("Found", fact.found),
        ("Measured", fact.measured),
        ("Where", fact.where),
        ("In the files", fact.source),
        ("Cure", fact.cure),
        ("Reviewer", fact.comment),
        ("Reference", fact.reference),
    )
    yield from (_words(words, BODY, label) for label, words in rows if words)
    if fact.map_png is not None:
        size = (WIDTH_IN * inch, HEIGHT_IN * inch)
        yield Image(io.BytesIO(fact.map_png), *size, hAlign="LEFT")
    yield Spacer(1, 6)
