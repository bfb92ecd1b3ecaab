"""--select and --ignore: who wins, and that a rule left out never makes a clause pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from sitemap.checked import CheckedSite, exit_code
from sitemap.errors import UsageError
from sitemap.finding import Severity, Status, Verdict
from sitemap.ordinance import RuleSetting
from sitemap.project import CheckWishes
from sitemap.report.json import to_dict
from sitemap.report.text import to_text
from sitemap.rules.rule import Checked, Said
from sitemap.selection import selection
from tests.tiny_site import check, clause, fault, make_rule, pack, says, site

CODES = ("CON001", "CON002", "CON010", "SCL001", "GRD001")


def left_out(
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    site_toml: tuple[Iterable[str], Iterable[str]] = ((), ()),
) -> dict[str, str]:
    chosen = selection(select, ignore, site_toml, CODES)
    return {code: chosen.left_out_by(code) for code in CODES if chosen.left_out_by(code)}


def test_without_a_selection_nothing_is_left_out() -> None:
    assert left_out() == {}


def test_a_prefix_takes_the_whole_family_and_a_code_itself() -> None:
    assert set(left_out(ignore=["CON"])) == {"CON001", "CON002", "CON010"}
    assert left_out(ignore=["con001, scl001"]) == {
        "CON001": "--ignore CON001",
        "SCL001": "--ignore SCL001",
    }
    assert set(left_out(select=["CON"])) == {"SCL001", "GRD001"}


def test_the_longer_name_wins_and_ignore_on_a_tie() -> None:
    assert set(left_out(select=["CON001", "SCL"], ignore=["CON"])) == {"CON002", "CON010", "GRD001"}
    assert set(left_out(select=["CON"], ignore=["CON00"])) == {
        "CON001",
        "CON002",
        "SCL001",
        "GRD001",
    }
    assert left_out(select=["CON"], ignore=["CON"])["CON001"] == "--ignore CON"


def test_the_command_line_takes_the_place_of_the_same_key_of_site_toml() -> None:
    wishes = (["CON", "SCL"], ["CON002"])
    by_site = left_out(site_toml=wishes)
    assert by_site["CON002"] == "site.toml [check] ignore CON002"
    assert by_site["GRD001"] == "site.toml [check] select CON,SCL"
    both = left_out(select=["GRD", "CON"], site_toml=wishes)
    assert both["SCL001"] == "--select GRD,CON"
    assert both["CON002"] == "site.toml [check] ignore CON002"  # the other key still holds
    assert left_out(ignore=[], site_toml=([], ["CON"])) == {}


@pytest.mark.parametrize(
    ("name", "words"), [("COM", "did you mean CON"), ("CON999", "no rule has this code")]
)
def test_a_name_that_no_rule_has_is_refused(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        left_out(ignore=[name])
    with pytest.raises(UsageError, match=r"site\.toml \[check\] select"):
        left_out(site_toml=([name], []))


# ------------------------------------------------------------------------------- in a check

LAW = pack(clause("scale", "SCL001", "SCL002"), clause("d", "DST001"))
SCALE = make_rule("SCL001", says(Checked("1 in = 50 ft", 1)), "scale")
STATED = make_rule("SCL002", says(fault(role=None)), "scale")
DISTURBED = make_rule("DST001", says(Checked("1 area", 1)), "d")


def run(**more: object) -> CheckedSite:
    return check(SCALE, STATED, DISTURBED, law=LAW, **more)


def test_leaving_out_the_rule_that_found_an_error_does_not_make_the_clause_pass() -> None:
    assert run().verdict is Verdict.DOES_NOT_COMPLY
    checked = run(ignore=["SCL002"])
    scale, disturbed = checked.clauses
    assert scale.status is Status.SKIPPED
    assert "SCL002 did not judge: ignored by --ignore SCL002" in scale.evidence
    assert disturbed.status is Status.PASSED
    assert checked.findings == ()
    assert checked.verdict is Verdict.NOT_JUDGED
    assert exit_code(checked, Severity.ERROR) == 2


def test_leaving_out_a_rule_beside_the_map_does_not_make_the_map_comply() -> None:
    law = pack(clause("d", "DST001"), clause("3a", "DOC001", on_map=False))
    owner = make_rule("DOC001", says(fault()), "3a")
    checked = check(DISTURBED, owner, law=law, ignore=["DOC"])
    assert checked.verdict is Verdict.NOT_JUDGED


def test_a_rule_that_gives_notes_at_most_may_be_left_out() -> None:
    note = make_rule(
        "SCL002", says(fault(severity=Severity.INFO)), "scale", default_severity=Severity.INFO
    )
    checked = check(SCALE, note, DISTURBED, law=LAW, ignore=["SCL002"])
    assert checked.clauses[0].status is Status.PASSED
    assert checked.verdict is Verdict.COMPLIES
    assert "ignored by --ignore SCL002: 1 rule, not judged" in to_text(checked)


def test_what_was_left_out_is_visible_in_text_and_json() -> None:
    checked = run(ignore=["SCL"])
    text = to_text(checked)
    assert text.count("ignored by --ignore SCL: 2 rules, not judged") == 2  # above and below
    assert "ignored by --ignore SCL: 2 rules, not judged: SCL001, SCL002" in text
    assert to_dict(checked)["ignored"] == [{"by": "--ignore SCL", "rules": ["SCL001", "SCL002"]}]
    selected = run(select=["DST"])
    assert "left out by --select DST: 2 rules, not judged" in to_text(selected)


def test_site_tomls_wishes_hold_without_options() -> None:
    project = site().project.model_copy(update={"check": CheckWishes(ignore=("SCL002",))})
    checked = run(of=replace(site(), project=project))
    assert [o.why for o in checked.outcomes if o.ignored_by] == [
        "ignored by site.toml [check] ignore SCL002"
    ]


def test_a_rule_for_which_others_wait_still_keeps_them_back_but_says_nothing() -> None:
    broken = make_rule("BND001", says(fault(role="boundary")), "d")
    after = make_rule("DST001", says(Checked("1", 1)), "d", after=("BND001",))
    law = pack(clause("d", "BND001", "DST001"))
    checked = check(broken, after, law=law, select=["DST"])
    boundary, disturbed = checked.outcomes
    assert (boundary.findings, boundary.ignored_by) == ((), "--select DST")
    assert disturbed.why == "waits for BND001 (thing is wrong), which found errors"


def test_a_rule_that_nobody_needs_is_not_run() -> None:
    def costly() -> Iterator[Said]:
        raise AssertionError("it ran")
        yield Checked("never", 1)

    checked = check(make_rule("SCL001", costly, "scale"), DISTURBED, law=LAW, ignore=["SCL"])
    assert checked.with_status(Status.FAILED) == ()


def test_a_rule_that_the_pack_switched_off_runs_only_by_its_full_code() -> None:
    off = pack(
        *LAW.clauses, rules={"SCL002": RuleSetting(enabled=False, reason="no stated scales here")}
    )

    def status(*select: str) -> Status:
        checked = check(SCALE, STATED, DISTURBED, law=off, select=select or None)
        return checked.outcomes[1].status

    assert status() is Status.NOT_APPLICABLE
    assert status("SCL") is Status.NOT_APPLICABLE
    assert status("SCL002") is Status.FOUND
