"""The workbook read back: nothing in it is a formula, everything that was said is in it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from sitemap.checked import CheckedSite
from sitemap.report import write
from tests.report import faulty


def book_of(checked: CheckedSite, folder: Path) -> Workbook:
    path = folder / "check.xlsx"
    write(checked, "xlsx", path)
    return openpyxl.load_workbook(path)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Workbook:
    return book_of(faulty.every_kind(), tmp_path_factory.mktemp("xlsx"))


def table(sheet: Worksheet) -> list[dict[str, object]]:
    """The rows under the filtered head."""
    left, right = sheet.auto_filter.ref.split(":")
    rows = list(sheet[left:right])
    heads = [cell.value for cell in rows[0]]
    return [dict(zip(heads, (c.value for c in row), strict=True)) for row in rows[1:]]


def test_sheets_come_in_the_order_of_a_review(book: Workbook) -> None:
    names = [name for name in book.sheetnames if name != "Causes"]
    assert names == ["Verdict", "Findings", "To confirm", "Not judged", "Provenance"]


def test_the_first_sheet_says_the_verdict_and_every_clause(book: Workbook) -> None:
    sheet = book["Verdict"]
    assert sheet["A1"].value == "DOES NOT COMPLY"
    rows = table(sheet)
    assert [row["Clause"] for row in rows] == ["scale", "contours", "(d)", "(j)", "3a"]
    by_clause = {row["Clause"]: row for row in rows}
    assert by_clause["scale"]["Outcome"] == "not judged"
    assert "error" in str(by_clause["(d)"]["Outcome"])


def test_findings_have_numbers_words_and_places(book: Workbook) -> None:
    checked = faulty.every_kind()
    rows = table(book["Findings"])
    assert [row["No."] for row in rows] == list(range(1, len(checked.findings) + 1))
    assert [row["What is wrong"] for row in rows] == [f.message for f in checked.findings]
    waived = next(row for row in rows if row["What is wrong"] == "let stand")
    assert waived["Severity"] == "error, waived"
    assert "City Engineer" in str(waived["Waived"])
    line = next(row for row in rows if row["What is wrong"] == "a line is wrong")
    assert isinstance(line["E (ft)"], int | float)
    assert line["Record"] == 7
    assert line["Severity"] == "warning"


def test_confirmations_leave_room_for_an_answer(book: Workbook) -> None:
    rows = table(book["To confirm"])
    assert {row["What to look at"] for row in rows} == {"Is it?", "Look."}
    assert {row["By"] for row in rows} == {None}


def test_what_was_not_judged_says_why(book: Workbook) -> None:
    rows = {row["Rule"]: row for row in table(book["Not judged"])}
    assert rows["SCL001"]["Why"] == "no plate was handed in"
    assert rows["GRD001"]["Outcome"] == "failed to run"
    assert rows["DOC002"]["Outcome"] == "not applicable"


def test_provenance_names_crs_pack_program_and_hashes(book: Workbook) -> None:
    rows = table(book["Provenance"])
    assert {"site", "map CRS", "pack", "program", "dataset"} <= {row["What"] for row in rows}
    assert any("0" * 64 in str(row["How"]) for row in rows)


def test_every_sheet_is_frozen_filtered_and_set_up_for_print(book: Workbook) -> None:
    for sheet in book.worksheets:
        assert sheet.auto_filter.ref
        assert sheet.freeze_panes
        assert sheet.page_setup.orientation == "landscape"
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.print_title_rows
        assert sheet.column_dimensions["A"].width > 5


@pytest.mark.parametrize("make", [faulty.every_kind, faulty.hostile])
def test_no_cell_is_a_formula_or_a_link(make: Callable[[], CheckedSite], tmp_path: Path) -> None:
    book = book_of(make(), tmp_path)
    for sheet in book.worksheets:
        assert [c.coordinate for row in sheet for c in row if c.data_type == "f"] == []
    with zipfile.ZipFile(tmp_path / "check.xlsx") as archive:
        sheets = [archive.read(n) for n in archive.namelist() if n.startswith("xl/worksheets/")]
        names = archive.namelist()
    assert not any(b"<f>" in xml or b"<hyperlink" in xml for xml in sheets)
    assert not any("externalLink" in name or "vba" in name for name in names)


def test_hostile_words_arrive_as_they_are_but_fit_a_cell(tmp_path: Path) -> None:
    rows = table(book_of(faulty.hostile(), tmp_path)["Findings"])
    ids = {row["Your id"] for row in rows}
    assert {"=cmd|' /C calc'!A0", "<script>alert(1)</script>", "]]><x/>"} <= ids
    assert ids & {"_x0041_", "_x005F_x0041_"}  # never the letter that it stands for
    assert max(len(str(i)) for i in ids) == 32_767
    assert any("40,005 characters" in str(i) for i in ids)


def test_no_clock_is_in_the_file(book: Workbook) -> None:
    assert str(book.properties.created).startswith("2026-05-04")
