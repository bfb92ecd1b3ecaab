"""A workbook for the file of the case: verdict, findings, confirmations, what was not judged,
and what it was measured by. Cells are text or numbers, never formulas or links.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter

from sitemap.checked import CheckedSite, ClauseLine, count_words, plural
from sitemap.finding import Finding, Severity, Status
from sitemap.report.laws import cause_words, judgements_of
from sitemap.report.provenance import provenance_of
from sitemap.report.styles import LOOKS, WAIVED
from sitemap.report.words import cut, plain
from sitemap.report.xlsx_rows import (
    CAUSE_COLUMNS,
    CONFIRM_COLUMNS,
    FINDING_COLUMNS,
    PROVENANCE_COLUMNS,
    UNJUDGED_COLUMNS,
    VERDICT_COLUMNS,
    Column,
    Value,
    cause_rows,
    finding_row,
    matrix_row,
    question_rows,
    unjudged_rows,
)
from sitemap.version import VERSION

MOST_IN_CELL = 32_767  # characters; Excel's own limit
MOST_ROWS = 1_000_000  # findings; Excel holds 1,048,576 rows


def write_xlsx(checked: CheckedSite, path: Path) -> None:
    """Write the check as an Excel workbook; path is written over."""
    book = xlsxwriter.Workbook(
        str(path),
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    book.set_properties(
        {
            "title": plain(f"{checked.site.name}: {checked.verdict_words}", 250),
            "subject": plain("; ".join(pack.title for pack in checked.ordinances), 250),
            "author": f"sitemap {VERSION}",
            "created": dt.datetime.combine(checked.now, dt.time()),
        }
    )
    writer = _Book(book, checked)
    writer.verdict()
    writer.findings()
    writer.causes()
    writer.confirmations()
    writer.not_judged()
    writer.provenance()
    book.close()


class _Book:
    """The workbook under way: its formats, and one method per sheet."""

    def __init__(self, book: Any, checked: CheckedSite) -> None:
        self._book = book
        self._checked = checked
        base = {"font_name": "Calibri", "font_size": 10, "valign": "top", "text_wrap": True}
        self._plain = book.add_format({**base, "border": 1, "border_color": "#c8c8c8"})
        self._bold = book.add_format({**base, "border": 1, "border_color": "#c8c8c8", "bold": True})
        self._title = book.add_format({"font_name": "Calibri", "font_size": 16, "bold": True})
        self._line = book.add_format({"font_name": "Calibri", "font_size": 10})
        head = {"bold": True, "bg_color": "#26323a", "font_color": "#ffffff", "border": 1}
        self._head = book.add_format({**base, **head})
        places = {"number": "#,##0.0", "degrees": "0.000000"}
        self._numbers = {
            name: book.add_format(
                {**base, "border": 1, "border_color": "#c8c8c8", "num_format": form}
            )
            for name, form in places.items()
        }
        self._inks = {
            look.name: book.add_format(
                {
                    **base,
                    "bold": True,
                    "border": 1,
                    "border_color": "#c8c8c8",
                    "font_color": look.ink,
                    "bg_color": look.tint,
                }
            )
            for look in (*LOOKS.values(), WAIVED)
        }

    def verdict(self) -> None:
        """The verdict on top and the clause matrix under it."""
        checked = self._checked
        sheet = self._sheet("Verdict", "clause by clause")
        unable = checked.with_status(Status.SKIPPED, Status.FAILED)
        counts = (
            f"{count_words(checked.findings) or 'no findings'}; "
            f"{plural(len(checked.confirmations), 'item')} for a person to confirm; "
            f"{plural(len(unable), 'rule')} of {len(checked.outcomes)} could not judge"
        )
        sheet.write_string(0, 0, checked.verdict_words.upper(), self._title)
        lines = (
            f"{checked.site.name}: {checked.site.submission}",
            f"{counts}. Checked for {checked.now}.",
            *(
                f"{j.ordinance.title}, {j.ordinance.jurisdiction}: {j.verdict.value}"
                for j in judgements_of(checked)
            ),
        )
        for row, words in enumerate(lines, start=1):
            sheet.write_string(row, 0, plain(words), self._line)
        numbers = {id(f): n for n, f in enumerate(checked.findings, start=1)}
        rows = [matrix_row(line, numbers) for line in checked.clauses]
        formats = [{4: self._status(line)} for line in checked.clauses]
        self._table(sheet, len(lines) + 2, VERDICT_COLUMNS, rows, formats)

    def findings(self) -> None:
        """Every finding in one row."""
        sheet = self._sheet("Findings", "findings")
        kept = self._checked.findings[:MOST_ROWS]
        causes = cause_words(self._checked)
        rows = [finding_row(n, f, causes.get(id(f))) for n, f in enumerate(kept, start=1)]
        if len(kept) < len(self._checked.findings):
            left = len(self._checked.findings) - len(kept)
            rows.append([None, None, None, None, None, f"{left:,} more are in -f json and -f gpkg"])
        formats = [{1: self._ink(f)} for f in kept]
        degrees, feet = self._numbers["degrees"], self._numbers["number"]
        by_column = {17: feet, 18: feet, 19: degrees, 20: degrees}
        self._table(sheet, 0, FINDING_COLUMNS, rows, formats, by_column)

    def causes(self) -> None:
        """What to put right first, and what goes away with it."""
        if not self._checked.causes:
            return
        sheet = self._sheet("Causes", "the shortest way to compliance")
        self._table(sheet, 0, CAUSE_COLUMNS, cause_rows(self._checked))

    def confirmations(self) -> None:
        """What a person confirms, with room for the answer."""
        sheet = self._sheet("To confirm", "what a person confirms")
        self._table(sheet, 0, CONFIRM_COLUMNS, question_rows(self._checked))

    def not_judged(self) -> None:
        """Rules that could not run, were skipped, judged in part, or do not apply."""
        sheet = self._sheet("Not judged", "what was not judged, and why")
        self._table(sheet, 0, UNJUDGED_COLUMNS, unjudged_rows(self._checked))

    def provenance(self) -> None:
        """CRS, transformations, pack, tolerances, program, and every dataset with its hash."""
        sheet = self._sheet("Provenance", "what it was measured by")
        rows = provenance_of(self._checked).rows
        self._table(sheet, 0, PROVENANCE_COLUMNS, rows)

    def _sheet(self, name: str, words: str) -> Any:
        """A sheet set up for print: landscape letter, one page wide, named and numbered."""
        sheet = self._book.add_worksheet(name)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(1)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.6)
        sheet.fit_to_pages(1, 0)
        site = plain(self._checked.site.name, 60).replace("&", "&&")
        sheet.set_header(f"&L{site}: {words}&R{self._checked.now}")
        sheet.set_footer(f"&Lsitemap {VERSION}&RPage &P of &N")
        return sheet

    def _table(
        self,
        sheet: Any,
        top: int,
        columns: Sequence[Column],
        rows: Iterable[Sequence[Value]],
        formats: Sequence[dict[int, Any]] = (),
        by_column: dict[int, Any] | None = None,
    ) -> None:
        """Heads in row `top`, frozen, filtered and repeated in print; rows below."""
        for column, (head, width) in enumerate(columns):
            sheet.set_column(column, column, width)
            sheet.write_string(top, column, head, self._head)
        last = top
        for i, row in enumerate(rows):
            last = top + 1 + i
            own = formats[i] if i < len(formats) else {}
            for column, value in enumerate(row):
                usual = self._bold if column == 0 else (by_column or {}).get(column, self._plain)
                _write(sheet, last, column, value, own.get(column, usual))
        if last == top:
            last = top + 1
            sheet.write_string(last, 0, "none", self._plain)
        sheet.autofilter(top, 0, last, len(columns) - 1)
        sheet.freeze_panes(top + 1, 1)
        sheet.repeat_rows(top)

    def _ink(self, finding: Finding) -> Any:
        look = WAIVED if finding.waiver is not None else LOOKS[finding.severity]
        return self._inks[look.name]

    def _status(self, line: ClauseLine) -> Any:
        if line.status is Status.FOUND:
            return self._inks["error"]
        if line.status in (Status.SKIPPED, Status.FAILED):
            return self._inks["warning"]
        worst = max((f.severity for f in line.findings if f.counts), default=None)
        if worst is Severity.WARNING:
            return self._inks["warning"]
        return self._inks["info"] if line.status is Status.NEEDS_PERSON else self._bold


def _write(sheet: Any, row: int, column: int, value: Value, form: Any) -> None:
    """One cell: a number or text, and never anything that a spreadsheet would work out."""
    if isinstance(value, int | float) and math.isfinite(value):
        sheet.write_number(row, column, value, form)
    elif value is None or value == "":
        sheet.write_blank(row, column, None, form)
    else:
        sheet.write_string(row, column, _cell_text(str(value)), form)


def _cell_text(text: str) -> str:
    """Text for a cell: its lines kept, everything else that could steer a program gone."""
    return cut("\n".join(plain(line, MOST_IN_CELL) for line in text.splitlines()), MOST_IN_CELL)
