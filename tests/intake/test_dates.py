"""Dates as people write them, and what is said where they can be read in two ways or in none."""

from __future__ import annotations

from pathlib import Path

import pytest
from shapely.geometry.base import BaseGeometry

from sitemap.intake.assemble import open_site
from sitemap.intake.dates import iso_date, read_dates
from tests.intake.makers import frame, square, write


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2027-04-12", "2027-04-12"),
        ("2027/4/12 00:00:00", "2027-04-12"),
        ("20270412", "2027-04-12"),
        ("4/12/2027", "2027-04-12"),  # the American order
        ("12.4.2027", "2027-04-12"),  # dots are never American
        ("12. 04. 2027", "2027-04-12"),
        ("April 12, 2027", "2027-04-12"),
        ("Apr. 12 2027", "2027-04-12"),
        ("12-APR-2027", "2027-04-12"),
        ("12th of April", "12th of April"),
        ("2027-13-45", "2027-13-45"),
        ("spring 12 2027", "spring 12 2027"),
        ("31.2.2027", "31.2.2027"),
        (None, None),
    ],
)
def test_a_date_in_each_form(text: str | None, date: str | None) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("texts", "first", "said"),
    [
        (["04/12/2027"], "2027-04-12", ["('04/12/2027') is taken as month/day/year;"]),
        (["04/12/2027", "04/30/2027"], "2027-04-12", []),  # the second shows the order
        (["04/12/2027", "30/04/2027"], "2027-12-04", ["as day/month/year, as others in the"]),
        (["04/04/2027"], "2027-04-04", []),  # one day either way
        (
            ["04/12/2027", "04/30/2027", "30/04/2027"],  # two hands
            "2027-04-12",
            ["('04/12/2027') is taken as month/day/year;", "('30/04/2027') is no date"],
        ),
    ],
)
def test_an_order_is_told_by_the_column_else_said(
    texts: list[str], first: str, said: list[str]
) -> None:
    dates, notes = read_dates(texts, "start")
    assert dates[texts[0]] == first
    assert len(notes) == len(said)
    for note, words in zip(notes, said, strict=True):
        assert words in note.message


def test_the_inventory_says_what_could_not_be_read(tmp_path: Path) -> None:
    areas: list[BaseGeometry | None] = [square(x=i * 200.0) for i in range(3)]
    starts = ["4/12/2027", "soon", None]
    write(frame(areas, id=["D-1", "D-2", "D-3"], start=starts), tmp_path / "disturbance.gpkg")
    site = open_site(tmp_path)
    told = {o.kind: o.message for o in site.datasets[0].provenance.oddities}
    assert "field start: 1 value ('soon') is no date that can be read" in told["date_unreadable"]
    assert "field start: 1 value ('4/12/2027') is taken as" in told["date_order_taken"]
    assert site.layers["disturbance"].frame["start"].tolist() == ["2027-04-12", "soon", None]
