"""The text report: its order, its facts, its manners towards terminals, pipes and users' words."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from sitemap.checked import CheckedSite
from sitemap.finding import Source
from sitemap.reference import ReferenceSet
from sitemap.report.provenance import reference_rows
from sitemap.report.text import MOST_OF_ONE_RULE, number_words, to_text, write_text
from sitemap.rules.rule import Ask, Checked, Skip
from tests.tiny_site import check, clause, fault, make_rule, pack, says, site, spot

LAW = pack(
    clause("scale", "SCL001", title="Scale"),
    clause("d", "DST001", title="Disturbance", person="Look on the ground.", person_always=True),
    clause("3a", "DOC001", title="Owner", on_map=False),
    clause("5d", title="Sediment trapped", person="Is it?", on_map=False),
)


@pytest.fixture(scope="module")
def checked() -> CheckedSite:
    return check(
        make_rule("SCL001", says(Skip("no plate was given")), "scale"),
        make_rule("DST001", says(fault(), Ask("Is 0.2 acres right?", geometry=spot(5, 5))), "d"),
        make_rule("DOC001", says(Checked("owner named", 1)), "3a"),
        law=LAW,
    )


def test_parts_come_in_the_promised_order(checked: CheckedSite) -> None:
    text = to_text(checked)
    parts = [
        "DOES NOT COMPLY",
        "THE MAP, CLAUSE BY CLAUSE",
        "BESIDE THE MAP",
        "FINDINGS, BY CLAUSE",
        "A PERSON CONFIRMS",
        "WHAT WAS NOT JUDGED, AND WHY",
        "MEASURED BY",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert text.startswith("DOES NOT COMPLY")


def test_a_finding_has_measured_allowed_place_source_and_remedy(checked: CheckedSite) -> None:
    text = to_text(checked)
    assert "1  error DST001  It is too big." in text
    assert "measured  0.23 acres   allowed: at most 0 acres" in text
    assert "cell E5, E 2,469,700.0 N 335,600.0 ft (42.9" in text
    assert "disturbance.shp, id D-1, record 0" in text
    assert "to fix    Make it smaller." in text
    assert "§ 1(d)" in text


def test_reasons_questions_and_provenance_are_said(checked: CheckedSite) -> None:
    text = to_text(checked)
    assert "SCL001 thing is wrong: no plate was given" in text
    assert "[ ] (d)      Look on the ground." in text
    assert "Is 0.2 acres right? (DST001) [cell" in text
    assert "EPSG:6609" in text
    assert "sliver width 0.5 ft" in text
    assert f"tiny version 1 ({LAW.digest})" in text
    assert "see finding 1" in text
    assert "A person decides from the written plan, not counted here: § 1(5d)." in text


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 dataset that serves"), (2, "2 datasets that serve")]
)
def test_references_that_serve_nothing_are_counted(count: int, words: str) -> None:
    others = {f"panel {n}": "no class" for n in range(count)}
    ((what, which, _),) = reference_rows(ReferenceSet(left_out=others))
    assert (what, which) == ("left out", f"{words} no class of reference")


def test_the_word_of_the_city_engineer_is_not_ours(checked: CheckedSite) -> None:
    assert "approv" not in to_text(checked).lower()


@pytest.mark.parametrize("width", [80, 100])
def test_lines_keep_within_the_width(checked: CheckedSite, width: int) -> None:
    assert max(len(line) for line in to_text(checked, width).splitlines()) <= width


def test_many_findings_of_one_rule_are_counted_not_listed() -> None:
    many = [fault(source=Source(user_id=f"D-{i}")) for i in range(MOST_OF_ONE_RULE + 7)]
    text = to_text(check(make_rule("DST001", says(*many), "d"), law=LAW))
    assert text.count("It is too big.") == MOST_OF_ONE_RULE
    assert "and 7 more of DST001; all of them are in -f json" in text


EVIL = "[bold]hi[/] \x1b[31mred\x07 \u202egpj.exe\nnext"


def evil() -> CheckedSite:
    rule = make_rule("DST001", says(fault(message=EVIL, source=Source(EVIL, None, 0, EVIL))), "d")
    return check(rule, law=LAW, of=replace(site(), name=EVIL))


def test_users_words_cannot_steer_a_terminal() -> None:
    text = to_text(evil())
    assert "[bold]hi[/]" in text  # markup is words
    assert not set("\x1b\x07\u202e") & set(text)


def terminal(checked: CheckedSite, monkeypatch: pytest.MonkeyPatch, no_color: bool) -> str:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    write_text(
        checked,
        Console(file=out, force_terminal=True, width=100, highlight=False, color_system="standard"),
    )
    return out.getvalue()


def test_a_terminal_gets_colour_and_the_users_words_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = terminal(evil(), monkeypatch, no_color=False)
    assert "\x1b[1;31m" in text
    assert "[bold]hi[/]" in text
    assert "\x07" not in text
    assert "\x1b[31mred" not in text


def test_no_color_is_respected(checked: CheckedSite, monkeypatch: pytest.MonkeyPatch) -> None:
    text = terminal(checked, monkeypatch, no_color=True)
    assert "31m" not in text
    assert "DOES NOT COMPLY" in text


def test_a_pipe_gets_plain_text(checked: CheckedSite) -> None:
    out = io.StringIO()
    write_text(checked, out)
    assert out.getvalue() == to_text(checked)
    assert "\x1b" not in out.getvalue()


def test_colours_that_are_asked_for_are_given_to_a_pipe_too(
    checked: CheckedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = io.StringIO()
    write_text(checked, out)
    assert "\x1b[" in out.getvalue()


def test_a_stream_of_another_encoding_gets_what_it_can_hold(checked: CheckedSite) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    write_text(checked, stream)
    assert b"Sec. 1(d)" in raw.getvalue()


def test_the_same_check_gives_the_same_text(checked: CheckedSite) -> None:
    assert to_text(checked) == to_text(checked)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [([4], "4"), ([3, 2], "2, 3"), ([2, 3, 5, 7, 6], "2, 3, 5 to 7"), ([1, 3], "1, 3")],
)
def test_numbers_of_findings_are_run_together(numbers: list[int], words: str) -> None:
    assert number_words(numbers) == words
