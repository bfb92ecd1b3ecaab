"""Files in, letter out: reads report, decisions and calendar; writes DOCX, PDF or Markdown."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from sitemap.decisions import load_decisions
from sitemap.errors import UsageError
from sitemap.review.clock import Clock, find_calendar, load_calendar
from sitemap.review.letter import ANSWERS, Letter, write_letter
from sitemap.review.saved_check import load_check

SUFFIXES = (".docx", ".pdf", ".md")


@dataclass(frozen=True)
class Dates:
    """The days of a review."""

    now: dt.date
    received: dt.date | None = None
    complete: dt.date | None = None
    information: dt.date | None = None

    @property
    def any_given(self) -> bool:
        """Whether a clock was asked for."""
        return any((self.received, self.complete, self.information))


@dataclass(frozen=True, eq=False)
class Written:
    """A letter and its clock, if one was asked for."""

    letter: Letter
    kept_clock: Clock | None

    @property
    def clock(self) -> Clock:
        """The clock; UsageError where no day of the application was given."""
        if self.kept_clock is None:
            raise UsageError("there is no due date to write: give --complete DATE")
        return self.kept_clock


def prepare(
    report: Path,
    decision: str,
    dates: Dates,
    decisions: Path | None = None,
    calendar: Path | None = None,
    reviewer: str | None = None,
) -> Written:
    """The letter before it is written to a file; SitemapError for what cannot be used."""
    answer = next((one for one in ANSWERS if one == decision), None)
    if answer is None:
        raise UsageError(f"--decision {decision!r}: accepted are {', '.join(ANSWERS)}")
    check = load_check(report)
    said = load_decisions(decisions) if decisions is not None else None
    packs = [pack.id for pack in check.ordinances]
    known = load_calendar(calendar) if calendar is not None else find_calendar(packs)
    if dates.any_given and known is None:
        raise UsageError(
            f"no calendar of review periods comes with {', '.join(packs)}; give one with "
            "--calendar FILE (sitemap/review/calendars/muskego.toml shows the keys)"
        )
    clock = None
    if known is not None and dates.any_given:
        clock = Clock(known, dates.now, dates.received, dates.complete, dates.information)
    letter = write_letter(
        check,
        answer,
        decisions=said,
        reviewer=reviewer,
        calendar=known,
        clock=clock,
        now=dates.now,
    )
    return Written(letter, clock)


def save(letter: Letter, out: Path, template: Path | None = None) -> tuple[str, ...]:
    """Write a letter by the suffix of its name; UsageError for another suffix.

    Returns what the file shows otherwise than it was written, in words.
    """
    suffix = out.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{out}: a letter is written as {', '.join(SUFFIXES)}")
    if template is not None and suffix != ".docx":
        raise UsageError(f"--template is for .docx, not for {out.name}")
    if suffix == ".docx":
        from sitemap.review.letter_docx import write_docx

        write_docx(letter, out, template)
    elif suffix == ".pdf":
        from sitemap.review.letter_pdf import write_pdf

        if boxed := write_pdf(letter, out):
            return (
                f"□ stands for characters that the letter's fonts lack: {boxed}; .docx has them",
            )
    else:
        from sitemap.review.letter_markdown import write_markdown

        write_markdown(letter, out)
    return ()
