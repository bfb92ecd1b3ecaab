"""The clause matrix and the verdict: what the outcomes of the rules make of each clause."""

from __future__ import annotations

from dataclasses import replace

from sitemap.checked import CheckedSite, exit_code
from sitemap.finding import Severity, Source, Status, Verdict
from sitemap.rules.rule import Ask, Checked, Skip
from tests.tiny_site import (
    LOOKED,
    check,
    clause,
    fault,
    make_rule,
    pack,
    says,
    site,
)

LAW = pack(clause("d", "DST001"))


def row(checked: CheckedSite, clause_id: str):  # type: ignore[no-untyped-def]
    return next(line for line in checked.clauses if line.clause.id == clause_id)


def test_all_passed_complies() -> None:
    checked = check(make_rule("DST001", says(Checked("1 area inside", 1)), "d"), law=LAW)
    assert checked.verdict is Verdict.COMPLIES
    assert row(checked, "d").status is Status.PASSED
    assert row(checked, "d").evidence == ("1 area inside",)
    assert exit_code(checked, Severity.ERROR) == 0


def test_an_error_is_found_in_the_clause_it_cites_and_nowhere_else() -> None:
    law = pack(clause("a", "SUB001"), clause("h", "SUB001"))
    rule = make_rule("SUB001", says(fault(clauses=("h",)), Checked("2 roles", 2)), "a", "h")
    checked = check(rule, law=law)
    assert row(checked, "h").words == "1 error"
    assert row(checked, "a").status is Status.PASSED
    assert checked.verdict is Verdict.DOES_NOT_COMPLY
    assert exit_code(checked, Severity.ERROR) == 1
    assert exit_code(checked, None) == 0


def test_a_warning_does_not_break_the_clause() -> None:
    rule = make_rule("DST001", says(fault(severity=Severity.WARNING)), "d")
    checked = check(rule, law=LAW)
    assert row(checked, "d").words == "passed, 1 warning"
    assert checked.verdict is Verdict.COMPLIES
    assert exit_code(checked, Severity.ERROR) == 0
    assert exit_code(checked, Severity.WARNING) == 1


def test_a_question_of_a_rule_needs_a_person() -> None:
    rule = make_rule("DST001", says(Ask("Is 5.0 ± 0.2 ft enough?"), Checked("1", 1)), "d")
    checked = check(rule, law=LAW)
    assert checked.verdict is Verdict.COMPLIES_IF_CONFIRMED
    assert checked.verdict_words == "complies if a person confirms 1 item"
    assert checked.confirmations[0].clause == "d"
    assert exit_code(checked, Severity.ERROR) == 3


def person_law(**more: object):  # type: ignore[no-untyped-def]
    return pack(clause("d", "DST001", person="Look at it.", **more))


def test_the_person_is_asked_only_where_the_pack_says_always() -> None:
    passing = make_rule("DST001", says(Checked("1", 1)), "d")
    assert check(passing, law=person_law()).verdict is Verdict.COMPLIES
    always = check(passing, law=person_law(person_always=True))
    assert always.verdict is Verdict.COMPLIES_IF_CONFIRMED
    assert [c.question for c in always.confirmations] == ["Look at it."]


def test_a_clause_of_the_map_that_only_a_person_decides_is_asked() -> None:
    checked = check(law=pack(clause("c", person="Look at it.")))
    assert row(checked, "c").status is Status.NEEDS_PERSON
    assert checked.verdict is Verdict.COMPLIES_IF_CONFIRMED


def test_clauses_beside_the_map_are_shown_but_not_counted() -> None:
    law = pack(
        *LAW.clauses,
        clause("5a", person="Read it.", on_map=False),
        clause("3a", "DOC001", on_map=False),
    )
    checked = check(make_rule("DST001", says(Checked("1", 1)), "d"), law=law)
    assert row(checked, "5a").words == "a person decides"
    assert row(checked, "3a").status is Status.SKIPPED
    assert checked.confirmations == ()
    assert checked.verdict is Verdict.COMPLIES


def test_an_error_beside_the_map_counts() -> None:
    law = pack(clause("3a", "DOC001", on_map=False))
    checked = check(make_rule("DOC001", says(fault()), "3a"), law=law)
    assert checked.verdict is Verdict.DOES_NOT_COMPLY


def test_a_clause_whose_roles_are_declared_none_does_not_apply() -> None:
    law = pack(clause("h", "SUB001", roles=("wetlands",)))
    rule = make_rule("SUB001", says(Checked("1 role declared none", 1)), "h")
    checked = check(rule, law=law, of=site(declared={"wetlands": LOOKED}))
    assert row(checked, "h").status is Status.NOT_APPLICABLE
    assert row(checked, "h").evidence[-1] == (
        "declared none by A. Walker, field walk, 2026-04-02: wetlands"
    )
    assert checked.verdict is Verdict.COMPLIES


def test_roles_are_evidence() -> None:
    law = pack(clause("d", "DST001", roles=("disturbance", "wetlands", "soils")))
    checked = check(make_rule("DST001", says(Checked("1 area", 1)), "d"), law=law)
    assert row(checked, "d").evidence == (
        "1 area",
        "disturbance: 1 feature from disturbance.shp",
        "not drawn: wetlands",  # soils are optional
    )


def test_a_deciding_rule_that_was_skipped_leaves_the_clause_unjudged() -> None:
    """Passing by a lesser rule alone would be a pass by looking away."""
    law = pack(clause("scale", "SCL001", "SCL004", decided_by=("SCL001",)))
    skipped = make_rule("SCL001", says(Skip("no plate")), "scale")
    lesser = make_rule("SCL004", says(Checked("1 in = 50 ft", 1)), "scale")
    checked = check(skipped, lesser, law=law)
    assert row(checked, "scale").status is Status.SKIPPED
    assert "SCL001 did not judge: no plate" in row(checked, "scale").evidence
    assert checked.verdict is Verdict.NOT_JUDGED
    assert exit_code(checked, Severity.ERROR) == 2


def test_a_deciding_rule_that_was_not_run_leaves_the_clause_unjudged() -> None:
    law = pack(clause("scale", "SCL001", "SCL004", decided_by=("SCL001",)))
    lesser = make_rule("SCL004", says(Checked("1 in = 50 ft", 1)), "scale")
    checked = check(lesser, law=law)
    assert row(checked, "scale").status is Status.SKIPPED
    assert "SCL001 was not run" in row(checked, "scale").evidence


def test_a_rule_beside_the_map_leaves_the_rest_to_the_person() -> None:
    law = pack(clause("3b", "DOC001", person="Is it on a USGS map?", on_map=False))
    checked = check(make_rule("DOC001", says(Checked("named", 1)), "3b"), law=law)
    assert row(checked, "3b").evidence[-1] == "a person decides the rest: Is it on a USGS map?"
    assert checked.verdict is Verdict.COMPLIES


def test_a_question_about_one_clause_is_no_pass_of_another() -> None:
    """SOI001 without factors asks about the limit: then the calculations are not there either."""
    law = pack(
        clause("3e", "SOI001", person="Do the calculations show it?", on_map=False),
        clause("9c2a", "SOI001", person="Is it met?", on_map=False),
    )
    ask = Ask("Is it at most 5 tons/acre/year?", clause="9c2a")
    asks = make_rule("SOI001", says(ask), "9c2a", "3e")
    checked = check(asks, law=law)
    assert [row(checked, name).status for name in ("3e", "9c2a")] == [Status.NEEDS_PERSON] * 2
    assert row(checked, "3e").evidence == ()
    looking = make_rule("SOI001", says(ask, Checked("3 areas", 3)), "9c2a", "3e")
    assert row(check(looking, law=law), "3e").status is Status.PASSED


def test_nothing_run_is_never_a_pass() -> None:
    assert check(law=LAW).verdict is Verdict.NOT_JUDGED


def test_findings_are_numbered_once_in_clause_order_worst_first() -> None:
    law = pack(clause("a", "SUB001"), clause("d", "DST001"))
    late = make_rule("SUB001", says(fault(message="on a", clauses=("a",))), "a")
    early = make_rule(
        "DST001",
        says(
            fault(message="mild", severity=Severity.INFO),
            fault(message="grave", source=Source(user_id="D-9")),
        ),
        "d",
    )
    checked = check(early, late, law=law)
    assert [f.message for f in checked.findings] == ["on a", "grave", "mild"]


def test_a_site_without_a_crs_is_judged_without_places() -> None:
    nowhere = replace(site({}), crs=None)
    checked = check(make_rule("DST001", says(fault()), "d"), law=LAW, of=nowhere)
    assert checked.findings[0].place is None


# ------------------------------------------------------------------ all rules, the real law


def test_the_clean_site_complies_but_for_what_a_person_decides() -> None:
    """Items that no rule can see from the map alone: adjacent waters, slopes, plan, downstream."""
    from sitemap.check import check_site
    from sitemap.ordinance import load_ordinance
    from tests import clean_site as clean

    checked = check_site(clean.clean_site(), load_ordinance("muskego"), now=clean.NOW)
    assert [(f.rule, f.message) for f in checked.findings] == []
    skipped = {o.rule: o.why for o in checked.with_status(Status.FAILED, Status.SKIPPED)}
    assert set(skipped) == {"BND003", "HYD001", "WET001", "FLD001"}
    assert all(why.startswith("no reference was given") for why in skipped.values())
    assert [c.clause for c in checked.confirmations] == ["a", "c", "e", "h"]
    assert checked.verdict is Verdict.COMPLIES_IF_CONFIRMED
    assert exit_code(checked, Severity.WARNING) == 3


def test_nothing_handed_in_is_never_a_pass_and_every_rule_says_why() -> None:
    from sitemap.check import check_site
    from sitemap.ordinance import load_ordinance

    nothing = replace(site({}), crs=None, datasets=())
    checked = check_site(nothing, load_ordinance("muskego"))
    assert checked.verdict is Verdict.DOES_NOT_COMPLY
    assert [o.rule for o in checked.outcomes if o.status is Status.FAILED] == []
    silent = [o.rule for o in checked.outcomes if not (o.why or o.findings or o.evidence)]
    assert silent == []
