"""The clock of a review, its closures and the calendar file; days counted by hand."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from sitemap.errors import ConfigurationError, UsageError
from sitemap.review.clock import Clock, find_calendar, load_calendar, to_ics

D = dt.date.fromisoformat
PLAIN = """
id = "town"
office = "Town Hall"
authority = "Engineer"
reasons_citation = "§ 3"
days = 5
days_citation = "§ 1"
information_days = 2
information_citation = "§ 4"
"""


def calendar(tmp_path: Path, more: str = "") -> Path:
    file = tmp_path / "town.toml"
    file.write_text(PLAIN + more, encoding="utf-8")
    return file


def test_muskego_counts_45_business_days_without_the_holidays() -> None:
    muskego = find_calendar(["elsewhere", "muskego"])
    assert muskego is not None
    # from Monday 2 November 2026: 18 days to 30 November (11th and 26th closed), 20 to
    # 31 December (24th, 25th, 31st closed), 7 to Tuesday 12 January (1st closed): 45
    clock = Clock(muskego, D("2026-11-30"), D("2026-10-28"), D("2026-11-02"))
    assert (clock.due, clock.days_left) == (D("2027-01-12"), 27)
    assert D("2026-11-26") in clock.closures
    assert D("2026-11-07") not in clock.closures
    assert any("muskego.toml" in words for words in clock.assumptions)
    # the definition in the chapter's own words
    defined = (
        "a day the offices of the City of Muskego are routinely and customarily open for business"
    )
    assert any(defined in words for words in clock.assumptions)


@pytest.mark.parametrize(
    ("start", "due"),
    [
        ("2026-06-01", "2026-06-08"),  # Monday: Tuesday to Friday, Monday
        ("2026-06-06", "2026-06-12"),  # Saturday: Monday is the first day
        ("2026-06-05", "2026-06-12"),  # Friday the same
    ],
)
def test_the_day_of_receipt_is_not_counted(start: str, due: str, tmp_path: Path) -> None:
    clock = Clock(load_calendar(calendar(tmp_path)), D(start), complete=D(start))
    assert (clock.due, clock.days_left) == (D(due), 5)


def test_a_further_closed_day_moves_the_end(tmp_path: Path) -> None:
    closed = '[[closed]]\ndate = 2026-06-03\nname = "flood"\n'
    clock = Clock(load_calendar(calendar(tmp_path, closed)), D("2026-06-01"), None, D("2026-06-01"))
    assert clock.due == D("2026-06-09")
    assert clock.closures == {D("2026-06-03"): "flood"}


def test_additional_information_starts_its_own_days_and_says_so(tmp_path: Path) -> None:
    known = load_calendar(calendar(tmp_path))
    clock = Clock(known, D("2026-06-09"), None, D("2026-06-01"), D("2026-06-05"))
    assert [p.due for p in clock.periods] == [D("2026-06-08"), D("2026-06-09")]
    assert (clock.due, clock.days_left) == (D("2026-06-09"), 0)
    assert any("by § 1 alone it would be 2026-06-08" in words for words in clock.assumptions)


def test_what_is_over_is_counted_too(tmp_path: Path) -> None:
    known = load_calendar(calendar(tmp_path))
    clock = Clock(known, D("2026-06-15"), None, D("2026-06-01"))
    assert clock.days_left == -5
    assert "5 business days over" in clock.lines[-1]


def test_without_a_complete_application_nothing_runs(tmp_path: Path) -> None:
    clock = Clock(load_calendar(calendar(tmp_path)), D("2026-06-15"), D("2026-06-01"))
    assert (clock.due, clock.days_left) == (None, None)
    assert "no period runs" in clock.lines[-1]
    with pytest.raises(UsageError, match="no due date"):
        to_ics(clock, "x")


def test_days_in_an_impossible_order_are_refused(tmp_path: Path) -> None:
    known = load_calendar(calendar(tmp_path))
    with pytest.raises(UsageError, match="not in that order"):
        Clock(known, D("2026-06-15"), D("2026-06-02"), D("2026-06-01"))
    with pytest.raises(UsageError, match="needs the day of the complete"):
        Clock(known, D("2026-06-15"), information=D("2026-06-01"))


def test_the_calendar_event_holds_the_due_day_in_short_lines(tmp_path: Path) -> None:
    known = load_calendar(calendar(tmp_path))
    text = to_ics(
        Clock(known, D("2026-06-01"), None, D("2026-06-01")), "Pine; Hill, §\n2" + "x" * 90
    )
    lines = text.split("\r\n")
    assert {"DTSTART;VALUE=DATE:20260608", "DTEND;VALUE=DATE:20260609"} <= set(lines)
    assert all(len(line.encode()) <= 75 for line in lines)
    unfolded = text.replace("\r\n ", "")
    assert "SUMMARY:Decision due: Pine\\; Hill\\, § 2" in unfolded


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("days = 4\n", "not TOML"),
        ('[holidays]\ncountry = "Atlantis"\n', "holidays"),
        ('[holidays]\ncountry = "US"\nleave_out = ["Pi Day"]\n', "Pi Day"),
        ('weekend = ["Someday"]\n', "weekend: found 'Someday'; accepted: 'Monday'"),
        ("day = 45\n", r"day: there is no such key \(did you mean days\?\)"),
        ("closed = [{ date = 2026-12-24 }]\n", "must have date, name"),
    ],
)
def test_a_wrong_calendar_names_file_and_key(more: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=words):
        load_calendar(calendar(tmp_path, more))


def test_holidays_that_the_office_works_on_are_left_out(tmp_path: Path) -> None:
    more = '[holidays]\ncountry = "US"\nsubdivision = "WI"\nleave_out = ["Veterans Day"]\n'
    known = load_calendar(calendar(tmp_path, more))
    assert list(known.closures(D("2026-11-01"), D("2026-11-30"))) == [D("2026-11-26")]
