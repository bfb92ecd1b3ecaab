"""Several packs in one run: one fault is one finding, each law keeps its citation and limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sitemap.check import check_site
from sitemap.checked import CheckedSite, exit_code
from sitemap.finding import Limit, Quantity, Severity, Status, Verdict
from sitemap.ordinance import LimitSpec, Ordinance, load_ordinance, ordinance_names
from sitemap.project import WaiverEntry
from sitemap.report.json import json_schema, to_dict
from sitemap.report.text import to_text
from sitemap.rules.contours_too_far_apart import contours_too_far_apart
from sitemap.rules.rule import Ask, Checked, Rule, Said
from sitemap.units import Length, LengthUnit
from tests import clean_site as clean
from tests.tiny_site import NOW, clause, fault, make_rule, pack, says, site

WIDE_FT = 10.0


def law(name: str, limit_ft: float | None = None, **more: Any) -> Ordinance:
    """A law of one clause, d, which sets a greatest width when asked to."""
    limits = {"max_sliver": LimitSpec(value=limit_ft, unit="ft")} if limit_ft else {}
    given = {"citation": f"{name} 1(d)", "limits": limits, **more}
    return pack(clause("d", "DST001", **given)).model_copy(update={"id": name})


def too_wide(heard: list[float] | None = None) -> Rule:
    """A rule with a limit: 10 ft are drawn."""

    def wider_than_allowed(max_sliver: Length) -> Iterator[Said]:
        if heard is not None:
            heard.append(max_sliver.value)
        yield Checked("1 strip", 1)
        if max_sliver.feet < WIDE_FT:
            yield fault(
                message=f"{WIDE_FT:g} ft; at most {max_sliver.value:g}",
                measured=Quantity(WIDE_FT, "ft"),
                limit=Limit(max_sliver.value, "ft"),
            )

    return make_rule("DST001", wider_than_allowed, "d")


def judge(rule: Rule, *laws: Ordinance, of: Any = None, **more: Any) -> CheckedSite:
    return check_site(of or site(), laws, now=NOW, rules=(rule,), **more)


def test_a_fault_that_breaks_three_laws_is_one_finding_with_three_citations() -> None:
    checked = judge(make_rule("DST001", says(fault()), "d"), law("a"), law("b"), law("c"))
    (finding,) = checked.findings
    assert finding.citations == ("a 1(d)", "b 1(d)", "c 1(d)")
    assert [b.ordinance for b in finding.breaches] == ["a", "b", "c"]
    assert [j.verdict for j in checked.judgements] == [Verdict.DOES_NOT_COMPLY] * 3
    assert all(line.findings == (finding,) for line in checked.clauses)
    assert len(to_dict(checked)["findings"]) == 1


def test_the_strictest_law_words_the_finding_and_each_breach_keeps_its_limit() -> None:
    checked = judge(too_wide(), law("mild", 8), law("strict", 2), law("wide", 20))
    (finding,) = checked.findings
    assert finding.message == "10 ft; at most 2"
    assert finding.limit == Limit(2, "ft")
    assert [(b.ordinance, b.limit) for b in finding.breaches] == [
        ("mild", Limit(8, "ft")),
        ("strict", Limit(2, "ft")),
    ]
    assert [j.verdict for j in checked.judgements][2] is Verdict.COMPLIES
    assert checked.verdict is Verdict.DOES_NOT_COMPLY
    assert "mild 1(d) (at most 8 ft); strict 1(d) (at most 2 ft)" in to_text(checked)


def test_a_rule_is_heard_once_for_each_set_of_limits() -> None:
    heard: list[float] = []
    judge(too_wide(heard), law("a", 8), law("b", 8), law("c", 2))
    assert heard == [8, 2]


def test_the_same_fault_measured_otherwise_is_another_finding_with_its_own_fingerprint() -> None:
    def measured_by_law(max_sliver: Length) -> Iterator[Said]:
        yield fault(measured=Quantity(max_sliver.value * 2, "ft"))

    checked = judge(make_rule("DST001", measured_by_law, "d"), law("a", 8), law("b", 2))
    assert len(checked.findings) == 2
    assert len({f.fingerprint for f in checked.findings}) == 2
    alone = judge(make_rule("DST001", measured_by_law, "d"), law("a", 8))
    assert alone.findings[0].fingerprint == checked.findings[0].fingerprint


def test_a_fingerprint_does_not_depend_on_the_laws_of_the_run() -> None:
    other = pack(clause("x", "DST001", stands_for=("d",))).model_copy(update={"id": "other"})
    rule = make_rule("DST001", says(fault()), "d")
    prints = {judge(rule, *laws).findings[0].fingerprint for laws in ([law("a")], [other])}
    assert len(prints) == 1
    (finding,) = judge(rule, law("a"), other).findings
    assert [b.clauses for b in finding.breaches] == [("d",), ("x",)]


def test_severity_is_each_laws_own_and_the_gravest_counts() -> None:
    checked = judge(
        make_rule("DST001", says(fault()), "d"), law("should", verb="should"), law("shall")
    )
    (finding,) = checked.findings
    assert finding.severity is Severity.ERROR
    mild, grave = checked.judgements
    assert (mild.verdict, grave.verdict) == (Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY)
    assert mild.clauses[0].words == "passed, 1 warning"
    assert grave.clauses[0].words == "1 error"


def test_a_limit_that_a_law_does_not_set_is_not_applicable_and_says_so() -> None:
    """max_scale is a limit of other packs, so this is no fault of the program."""

    def asks_for_a_scale(max_scale: object) -> Iterator[Said]:
        yield Checked("never", 1)

    checked = judge(make_rule("SCL001", asks_for_a_scale, "d"), law("a"))
    (outcome,) = checked.outcomes
    assert outcome.status is Status.NOT_APPLICABLE
    assert outcome.why == "the pack a sets no max scale"


def test_a_question_of_two_laws_is_asked_once_and_names_both() -> None:
    checked = judge(
        make_rule("DST001", says(Ask("Is it?"), Checked("1", 1)), "d"), law("a"), law("b")
    )
    (question,) = checked.confirmations
    assert (question.ordinance, question.also) == ("a", ("b",))
    assert "Is it? (DST001) [a, b]" in to_text(checked)


def test_a_waiver_of_one_law_does_not_lift_the_other() -> None:
    entry = WaiverEntry(rule="DST001", ordinance="a", reason="r", authority="A", date=NOW)
    waived = replace(site(), project=site().project.model_copy(update={"waivers": (entry,)}))
    checked = judge(make_rule("DST001", says(fault()), "d"), law("a"), law("b"), of=waived)
    (finding,) = checked.findings
    assert finding.counts
    assert [b.waiver is not None for b in finding.breaches] == [True, False]
    assert [j.verdict for j in checked.judgements] == [Verdict.COMPLIES, Verdict.DOES_NOT_COMPLY]
    assert checked.judgements[0].clauses[0].words == "passed, 1 waived"


@pytest.mark.parametrize("laws", [(), (law("a"), law("a"))])
def test_no_law_and_one_law_twice_are_refused(laws: tuple[Ordinance, ...]) -> None:
    with pytest.raises(ValueError, match="at least one ordinance, and each once"):
        check_site(site(), laws)


# ----------------------------------------------------------------------- the packs themselves


@pytest.fixture(scope="module")
def by_all() -> CheckedSite:
    packs = [load_ordinance(name) for name in ordinance_names()]
    return check_site(clean.clean_site(), packs, now=clean.NOW)


def test_the_clean_site_is_judged_by_all_packs_without_a_crash(by_all: CheckedSite) -> None:
    assert [o.rule for o in by_all.with_status(Status.FAILED)] == []
    assert [j.ordinance.id for j in by_all.judgements] == list(ordinance_names())
    faults = list(Draft202012Validator(json_schema()).iter_errors(to_dict(by_all)))
    assert faults == []
    assert max(len(line) for line in to_text(by_all).splitlines()) <= 100


def test_a_federal_permit_without_scale_contours_and_grid_judges_none_of_them() -> None:
    checked = check_site(clean.clean_site(), load_ordinance("epa-cgp-2022"), now=clean.NOW)
    why = {o.rule: o.why for o in checked.outcomes if o.status is Status.NOT_APPLICABLE}
    assert why["SCL001"] == (
        "no clause of the pack epa-cgp-2022 asks for it: Part 7.2.4 asks for a legible map and "
        "names no scale"
    )
    assert "names no contours" in why["CON001"]
    assert "names no grid" in why["GRD001"]
    assert checked.findings == ()
    assert checked.verdict is Verdict.COMPLIES_IF_CONFIRMED


def test_two_foot_contours_pass_the_county_and_four_foot_ones_only_the_city() -> None:
    """The clean site is contoured at 2 ft; read at every 4 ft the county refuses it."""
    packs = [load_ordinance(name) for name in ("muskego", "kenosha-county")]
    every_level = clean.clean_site()
    existing = every_level.layers["contours_existing"].frame
    kept = existing[existing["elevation"] % 4 == 0]
    coarse = clean.with_layer(every_level, "contours_existing", kept)
    rules = (contours_too_far_apart,)
    assert check_site(every_level, packs, now=clean.NOW, rules=rules).findings == ()
    found = check_site(coarse, packs, now=clean.NOW, rules=rules).findings
    assert found
    assert all([b.ordinance for b in f.breaches] == ["kenosha-county"] for f in found)
    assert all(f.limit == Limit(2, "ft") for f in found)


def test_what_a_pack_does_not_ask_for_is_no_fault_under_it() -> None:
    """The permit asks for waters, inlets and controls, not for existing contours."""
    bare = clean.without(clean.clean_site(), "contours_existing")
    packs = [load_ordinance(name) for name in ("epa-cgp-2022", "muskego")]
    checked = check_site(bare, packs, now=clean.NOW)
    (missing,) = [f for f in checked.findings if f.rule == "SUB001"]
    assert [b.ordinance for b in missing.breaches] == ["muskego"]
    assert exit_code(checked, Severity.ERROR) == 1


def test_distances_are_each_laws_own() -> None:
    limits = {name: load_ordinance(name).limits for name in ordinance_names()}
    assert limits["epa-cgp-2022"]["discharge_distance"].typed == Length(1, LengthUnit.MILE)
    assert not limits["epa-cgp-2022"]["discharge_distance"].confirmed
    assert limits["kenosha-county"]["adjacent_distance"].value == 200
    assert limits["kenosha-county"]["max_contour_interval"].value == 2
    assert limits["kenosha-county"]["max_scale"].value == 100
    assert "max_scale" not in limits["wi-nr216"]
    assert limits["wi-nr216"]["discharge_distance"].value == 0.25


def test_what_could_not_be_confirmed_is_marked() -> None:
    seen = {c.id for c in load_ordinance("wi-nr216").clauses if c.on_map and c.text_seen}
    assert seen == {"g", "h", "i", "j"}
    assert not any(c.text_seen for c in load_ordinance("epa-cgp-2022").clauses)
    assert all(c.text_seen for c in load_ordinance("kenosha-county").clauses)
