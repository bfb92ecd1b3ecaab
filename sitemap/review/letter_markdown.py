"""The letter as Markdown: one file, its maps inside as data, nothing fetched."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sitemap.outputs import write_text_file
from sitemap.review.letter import Letter, Reason

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~!])")
_START = re.compile(r"^(\d+)([.)])|^([-+])")


def write_markdown(letter: Letter, path: Path) -> None:
    """Write the letter as UTF-8 Markdown."""
    write_text_file(path, to_markdown(letter))


def to_markdown(letter: Letter) -> str:
    """The letter as Markdown text."""
    return "\n".join(_lines(letter)).rstrip() + "\n"


def safe(text: str) -> str:
    """Words in which nothing is markup."""
    return _START.sub(lambda m: "\\" + m.group(0) if m[3] else f"{m[1]}\\{m[2]}", _marks(text))


def _marks(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)


def _lines(letter: Letter) -> Iterator[str]:
    if letter.office:
        yield from (safe(letter.office), "")
    yield from (letter.date.isoformat(), "", f"# {safe(letter.site)}", "")
    yield from (f"Submission: {safe(letter.submission)}", "")
    yield from _list("Judged by", letter.laws)
    yield from (f"**{safe(letter.decision)}**", "")
    if letter.reasons or letter.conditions:
        yield from (f"## {letter.heading}", "")
        yield from (line for reason in letter.reasons for line in _reason(reason))
        yield from (line for words in letter.conditions for line in (f"- {safe(words)}", ""))
    yield from _list("Remarks, which are no reasons", letter.remarks)
    yield from _list("Findings that do not count, and who decided so", letter.decided)
    yield from _list("Confirmed by a person", letter.confirmed)
    yield from _list("Without an entry of a person", letter.unanswered)
    yield from _list("Clock of the review", letter.clock)
    yield from _list("Assumptions of the clock", letter.assumptions)
    yield from _list("Evidence", letter.evidence)
    yield from ("", safe(letter.signature) or "\\_" * 30, "", safe(letter.authority))


def _list(heading: str, lines: Iterable[str]) -> Iterator[str]:
    rows = [f"- {safe(words)}" for words in lines]
    if rows:
        yield from (f"## {heading}", "", *rows, "")


def _reason(reason: Reason) -> Iterator[str]:
    yield from (f"### {reason.number}. {safe(reason.heading)}", "")
    for words in reason.clauses:
        yield from (f"> {safe(words.citation)}: {safe(words.text)}", "")
    for fact in reason.facts:
        rows = (
            ("Found", fact.found),
            ("Measured", fact.measured),
            ("Where", fact.where),
            ("In the files", fact.source),
            ("Cure", fact.cure),
            ("Reviewer", fact.comment),
            ("Reference", fact.reference),
        )
        yield from (f"- {label}: {safe(words)}" for label, words in rows if words)
        yield ""
        if fact.map_png is not None:
            data = base64.b64encode(fact.map_png).decode("ascii")
            yield from (f"![Map of {safe(fact.reference)}](data:image/png;base64,{data})", "")
