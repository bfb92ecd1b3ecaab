"""The engine: order, injection, gatekeepers, isolation, severity, place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import shapely
from shapely.geometry import LineString, Point, Polygon

from sitemap.check import in_running_order
from sitemap.checked import CheckedSite
from sitemap.finding import Outcome, Severity, Source, Status, Verdict
from sitemap.measured_plate import GridMark, MapFrame, MeasuredPlate, PlatePage
from sitemap.ordinance import LimitSpec, RuleSetting
from sitemap.rules.rule import Ask, Checked, NotApplicable, Rule, Said, Skip
from sitemap.site import RoleLayer
from sitemap.units import Length, LengthUnit
from tests.tiny_site import (
    LOOKED,
    X0,
    Y0,
    check,
    clause,
    fault,
    layer,
    make_rule,
    pack,
    says,
    site,
    spot,
    square,
)

LAW = pack(clause("d", "DST001", limits={"max_width": LimitSpec(value=5, unit="ft")}))


def only(checked: CheckedSite) -> Outcome:
    (outcome,) = checked.outcomes
    return outcome


# --------------------------------------------------------------------- what a rule says


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        ([Checked("3 lines", 3)], Status.PASSED, ""),
        ([Checked("0 lines", 0)], Status.SKIPPED, "checked nothing: 0 lines"),
        ([], Status.SKIPPED, "checked nothing"),
        ([fault(), Checked("3 lines", 3)], Status.FOUND, ""),
        ([fault(), Skip("half of it")], Status.FOUND, "half of it"),
        ([Ask("Is it?"), Checked("3 lines", 3)], Status.NEEDS_PERSON, "Is it?"),
        ([NotApplicable("no lines")], Status.NOT_APPLICABLE, "no lines"),
        ([Skip("no plate")], Status.SKIPPED, "no plate"),
        ([Checked("3 lines", 3), Skip("no plate")], Status.SKIPPED, "no plate"),
        ([Checked("3 lines", 3), NotApplicable("no more")], Status.PASSED, ""),
    ],
)
def test_what_a_rule_says_decides_its_outcome(said: list[Said], status: Status, why: str) -> None:
    outcome = only(check(make_rule("DST001", says(*said), "d"), law=LAW))
    assert (outcome.status, outcome.why) == (status, why)


def test_evidence_keeps_the_words_of_what_was_looked_at() -> None:
    rule = make_rule("DST001", says(Checked("3 lines", 3), Checked("0 points", 0)), "d")
    assert only(check(rule, law=LAW)).evidence == ("3 lines",)


# ------------------------------------------------------------------------- injection


def test_arguments_come_by_name() -> None:
    got: dict[str, object] = {}

    def body(  # type: ignore[no-untyped-def]
        site, plate, ordinance, now, boundary, wetlands, max_width, sliver_width
    ) -> Iterator[Said]:
        got.update(locals())
        yield Checked("all", 1)

    rule = make_rule("DST001", body, "d", needs=("boundary",), uses=("wetlands",))
    checked = check(rule, law=LAW)
    assert only(checked).status is Status.PASSED
    assert isinstance(got["boundary"], RoleLayer)
    assert got["wetlands"] is None
    assert got["max_width"] == Length(5, LengthUnit.FOOT)
    assert got["sliver_width"] == Length(0.5, LengthUnit.FOOT)
    assert got["site"] is checked.site
    assert got["ordinance"] is LAW
    assert got["plate"] is None


def test_a_rule_that_asks_for_what_nobody_has_fails_alone() -> None:
    def body(moon) -> Iterator[Said]:  # type: ignore[no-untyped-def]
        yield Checked("never", 1)

    outcome = only(check(make_rule("DST001", body, "d"), law=LAW))
    assert outcome.status is Status.FAILED
    assert "asks for moon" in outcome.why


# ----------------------------------------------------------------------- gatekeepers


def needing(role: str) -> Rule:
    return make_rule("DST001", says(Checked("looked", 1)), "d", needs=(role,))


def test_a_missing_role_skips_with_the_rule_that_says_so() -> None:
    outcome = only(check(needing("wetlands"), law=LAW))
    assert (outcome.status, outcome.why) == (Status.SKIPPED, "no wetlands layer: see SUB001")


def test_a_role_declared_none_makes_the_rule_not_applicable() -> None:
    outcome = only(check(needing("wetlands"), law=LAW, of=site(declared={"wetlands": LOOKED})))
    assert outcome.status is Status.NOT_APPLICABLE
    assert outcome.why == "wetlands declared none by A. Walker, field walk, 2026-04-02"


@pytest.mark.parametrize(
    ("geometries", "why"),
    [([], "is empty: see SUB004"), ([None, Polygon()], "has no usable geometry: see GEO002")],
)
def test_a_layer_without_anything_to_look_at_skips(
    geometries: list[Polygon | None], why: str
) -> None:
    drawn = {"wetlands": layer("wetlands", geometries)}
    assert only(check(needing("wetlands"), law=LAW, of=site(drawn))).why.endswith(why)


def test_a_layer_that_could_not_be_placed_points_at_its_crs() -> None:
    whole = site({"wetlands": layer("wetlands", [square(0, 0)])})
    lost = replace(whole, layers={})
    assert only(check(needing("wetlands"), law=LAW, of=lost)).why.endswith("see CRS001")


TWO = pack(clause("b", "BND001"), clause("d", "DST001"))


def after_boundary(**more: object) -> Rule:
    given = {"needs": ("disturbance", "boundary"), "after": ("BND001",)}
    return make_rule("DST001", says(Checked("looked", 1)), "d", **{**given, **more})


def test_an_error_in_a_rule_that_comes_first_keeps_back_those_that_need_it() -> None:
    first = make_rule("BND001", says(fault(role="boundary")), "b")
    checked = check(after_boundary(), first, law=TWO)
    waiting, _ = checked.outcomes  # outcomes stay in the given order
    assert waiting.status is Status.SKIPPED
    assert waiting.why == "waits for BND001 (thing is wrong), which found errors"


@pytest.mark.parametrize(
    "first",
    [
        says(fault(role="boundary", severity=Severity.WARNING)),  # not grave
        says(fault(role="roads")),  # elsewhere
        says(Skip("no plate")),
        says(Checked("sound", 1)),
    ],
)
def test_what_does_not_touch_a_rule_does_not_keep_it_back(first) -> None:  # type: ignore[no-untyped-def]
    checked = check(make_rule("BND001", first, "b"), after_boundary(), law=TWO)
    assert checked.outcomes[1].status is Status.PASSED


def test_waiting_is_passed_on() -> None:
    law = pack(clause("b", "BND001"), clause("d", "DST001", "DST002"))
    first = make_rule("BND001", says(fault(role="boundary")), "b")
    third = make_rule("DST002", says(Checked("looked", 1)), "d", after=("DST001",))
    last = check(first, after_boundary(), third, law=law).outcomes[-1]
    assert last.why == "waits for DST001 (thing is wrong), which could not judge"


def test_running_order_follows_after_and_else_the_list() -> None:
    rules = [make_rule(c, says(), after=a) for c, a in (("A", ("C",)), ("B", ()), ("C", ("Z",)))]
    assert [rule.code for rule in in_running_order(rules)] == ["B", "C", "A"]


def test_rules_in_a_circle_are_an_error_of_the_program() -> None:
    rules = [make_rule("A", says(), after=("B",)), make_rule("B", says(), after=("A",))]
    with pytest.raises(ValueError, match="A, B"):
        in_running_order(rules)


def test_a_pack_switches_a_rule_off_with_a_reason() -> None:
    law = pack(*LAW.clauses, rules={"DST001": RuleSetting(enabled=False, reason="town's choice")})
    outcome = only(check(make_rule("DST001", says(fault()), "d"), law=law))
    assert outcome.status is Status.NOT_APPLICABLE
    assert "town's choice" in outcome.why


def test_a_rule_that_no_clause_of_the_pack_asks_for_does_not_apply() -> None:
    outcome = only(check(make_rule("GRD001", says(fault()), "j"), law=LAW))
    assert outcome.status is Status.NOT_APPLICABLE


# -------------------------------------------------------------------------- isolation


def breaking(*before: Said) -> Rule:
    def body() -> Iterator[Said]:
        yield from before
        raise ZeroDivisionError("no slope")

    return make_rule("BND001", body, "b")


def test_a_crash_is_kept_apart_and_the_run_goes_on() -> None:
    checked = check(breaking(), make_rule("DST001", says(Checked("looked", 1)), "d"), law=TWO)
    broken, sound = checked.outcomes
    assert broken.status is Status.FAILED
    assert "ZeroDivisionError: no slope" in broken.why
    assert broken.trace is not None
    assert "Traceback" in broken.trace
    assert sound.status is Status.PASSED
    assert checked.verdict is Verdict.NOT_JUDGED


def test_faults_found_before_a_crash_are_kept() -> None:
    checked = check(breaking(fault()), law=TWO)
    assert len(checked.findings) == 1
    assert checked.verdict is Verdict.DOES_NOT_COMPLY


def test_a_rule_that_yields_nonsense_fails() -> None:
    rule = make_rule("DST001", says("a string"), "d")
    assert only(check(rule, law=LAW)).status is Status.FAILED


# ----------------------------------------------------------------- what becomes of a fault


def finding_of(**more: object):  # type: ignore[no-untyped-def]
    (finding,) = check(make_rule("DST001", says(fault(**more)), "d"), law=LAW).findings
    return finding


def severity(verb: str, default: Severity, own: Severity | None = None, said: str = "") -> Severity:
    setting = {"DST001": RuleSetting.model_validate({"severity": said})} if said else {}
    law = pack(clause("d", "DST001", verb=verb), rules=setting)
    rule = make_rule("DST001", says(fault(severity=own)), "d", default_severity=default)
    return check(rule, law=law).findings[0].severity


def test_severity_comes_from_the_verb_and_is_never_above_the_rules_own() -> None:
    error, warning, info = Severity.ERROR, Severity.WARNING, Severity.INFO
    assert severity("shall", error) is error
    assert severity("where identified", error) is error
    assert severity("should", error) is warning
    assert severity("practice", error) is warning
    assert severity("shall", info) is info
    assert severity("should", info) is info


def test_the_pack_overrules_the_verb_and_the_fault_overrules_the_pack() -> None:
    assert severity("shall", Severity.ERROR, said="info") is Severity.INFO
    assert severity("shall", Severity.ERROR, Severity.WARNING, "info") is Severity.WARNING


def test_a_finding_carries_its_clause_and_citation() -> None:
    finding = finding_of()
    assert (finding.clauses, finding.citations) == (("d",), ("§ 1(d)",))
    assert finding.measured.value == 0.23


def test_a_fault_narrows_the_clauses_of_its_rule() -> None:
    law = pack(clause("a", "SUB001"), clause("h", "SUB001"))
    rule = make_rule("SUB001", says(fault(clauses=("h", "zz"))), "a", "h")
    assert check(rule, law=law).findings[0].clauses == ("h",)


def test_a_place_has_coordinates_degrees_and_the_cell_of_the_sites_grid() -> None:
    place = finding_of().place
    assert (place.x_ft, place.y_ft) == (X0 + 200, Y0 + 200)
    assert place.lat == pytest.approx(42.905, abs=0.01)
    assert place.lon == pytest.approx(-88.130, abs=0.01)
    # 400 ft in 8 cells of 50 ft; the middle lies on lines, so right (E) and below (5)
    assert place.cell == "E5"


def test_the_submissions_own_grid_names_the_cell() -> None:
    drawn = {
        "disturbance": layer("disturbance", [square(150, 150)]),
        "grid": layer("grid", [square(0, 0, 190), square(190, 190, 190)], label=["P1", "Q7"]),
    }
    rule = make_rule("DST001", says(fault()), "d")
    assert check(rule, law=LAW, of=site(drawn)).findings[0].place.cell == "Q7"  # type: ignore[union-attr]


def test_the_printed_grid_names_the_cell_where_the_submission_has_none() -> None:
    corners = ((X0, Y0), (X0, Y0 + 400), (X0 + 400, Y0 + 400), (X0 + 400, Y0))
    frame = MapFrame("Map Layers", (1, 1, 9, 9), 50, "georeference", epsg=6609, ground_ft=corners)
    page = PlatePage(
        1, 10, 10, (frame,),
        grid_columns=(GridMark("A", 3, 9.2), GridMark("B", 7, 9.2)),
        grid_rows=(GridMark("1", 0.8, 7), GridMark("2", 0.8, 3)),
    )  # fmt: skip
    rule = make_rule("DST001", says(fault(geometry=spot(300, 100))), "d")
    plate = MeasuredPlate("C-501.pdf", (page,))
    place = check(rule, law=LAW, plate=plate).findings[0].place
    assert (place.cell, place.sheet) == ("B2", None)  # type: ignore[union-attr]


@pytest.mark.parametrize("geometry", [None, Polygon(), Point(float("nan"), 1.0)])
def test_a_fault_without_a_place_is_still_a_finding(geometry: shapely.Geometry | None) -> None:
    assert finding_of(geometry=geometry).place is None


def test_a_line_with_a_wild_vertex_is_placed_by_a_sound_one() -> None:
    line = LineString([(X0, Y0), (float("inf"), Y0)])
    found = finding_of(geometry=line, source=Source())
    assert (found.place.x_ft, found.place.y_ft) == (X0, Y0)
    assert len(found.fingerprint) == 16


def test_a_self_crossing_polygon_has_a_place() -> None:
    bow = Polygon([(X0, Y0), (X0 + 100, Y0 + 100), (X0 + 100, Y0), (X0, Y0 + 100)])
    assert finding_of(geometry=bow).place is not None


def test_fingerprints_survive_a_move_of_the_record_and_tell_findings_apart() -> None:
    one = finding_of(source=Source("a.shp", None, 3, "D-1"))
    same = finding_of(source=Source("b.gpkg", "x", 9, "D-1"))
    other = finding_of(source=Source("a.shp", None, 3, "D-2"))
    assert one.fingerprint == same.fingerprint != other.fingerprint


def test_twins_get_fingerprints_of_their_own_whatever_their_order() -> None:
    twins = [fault(geometry=square(x, 0), message=f"at {x}") for x in (0, 150, 300)]

    def prints(order: list[int]) -> dict[str, str]:
        rule = make_rule("DST001", says(*(twins[i] for i in order)), "d")
        return {f.message: f.fingerprint for f in check(rule, law=LAW).findings}

    assert len(set(prints([0, 1, 2]).values())) == 3
    assert prints([0, 1, 2]) == prints([2, 0, 1])
