"""One cause explains many: what follows from what, and in which order to put it right."""

from __future__ import annotations

from typing import Any

import pytest
from shapely.affinity import translate

from sitemap.causes import EXPLAINS
from sitemap.check import check_site
from sitemap.checked import CheckedSite
from sitemap.finding import Severity, Source
from sitemap.ordinance import load_ordinance
from sitemap.report.causes import MOST_CAUSES
from sitemap.report.json import to_dict
from sitemap.report.text import to_text
from sitemap.rules import RULES
from sitemap.rules.rule import Checked, Rule
from sitemap.site import Site
from tests import clean_site as clean
from tests.tiny_site import check, clause, fault, make_rule, pack, says, spot

LINE = {"geometry": [clean.line((0, 0), (800, 0))]}
LAW = pack(
    clause("a", "CRS003", "GEO001", "SUB009", "CON003", "CON001", title="Data"),
    clause("d", "DST001", "BND001", "BND002", "WET002"),
)


def found(code: str, *faults: Any, **more: Any) -> Rule:
    clause_id = "d" if code[:3] in ("DST", "BND", "WET") else "a"
    return make_rule(code, says(*faults), clause_id, **more)


def inside(file: str, role: str, number: int = 0, **more: Any) -> Any:
    source = Source(file, None, number, f"{file}-{number}")
    return fault(role=role, source=source, geometry=spot(number, 5), **more)


def causes(*rules: Rule) -> list[tuple[str, str, int, int]]:
    checked = check(*rules, law=LAW)
    return [(c.rule, c.where, len(c.findings), len(c.explains)) for c in checked.causes]


def test_a_wrong_crs_explains_what_follows_in_its_dataset_and_nothing_else() -> None:
    got = causes(
        found("CRS003", inside("w.shp", "wetlands")),
        found("WET002", *(inside("w.shp", "wetlands", n) for n in range(4))),
        found("DST001", inside("d.shp", "disturbance")),
    )
    assert got == [("CRS003", "w.shp", 1, 4), ("DST001", "d.shp", 1, 0)]


def test_what_has_nothing_to_do_with_place_is_not_explained_by_a_crs() -> None:
    got = causes(
        found("CRS003", inside("w.shp", "wetlands")),
        found("SUB009", inside("w.shp", "wetlands", 1)),
        found("GEO001", inside("w.shp", "wetlands", 2)),
    )
    assert [explained for *_, explained in got] == [0, 0, 0]


def test_another_dataset_of_the_same_role_is_not_explained() -> None:
    got = causes(
        found("CRS003", inside("w1.shp", "wetlands")),
        found("WET002", inside("w2.shp", "wetlands", 1)),
    )
    assert [explained for *_, explained in got] == [0, 0]


def test_a_broken_boundary_explains_what_is_measured_against_it() -> None:
    outside = found("DST001", inside("d.shp", "disturbance"), needs=("boundary",))
    wet = found("WET002", inside("w.shp", "wetlands"))
    got = causes(found("BND001", inside("b.shp", "boundary")), outside, wet)
    assert got == [("BND001", "b.shp", 1, 1), ("WET002", "w.shp", 1, 0)]


def pair(file: str, other: str, number: int = 0) -> Any:
    return inside(file, "boundary", number, related=(Source(other, None, number, None),))


def test_a_file_that_came_twice_explains_what_stands_between_the_two() -> None:
    """And with the doubled boundary goes what was measured against it."""
    law = pack(
        clause("a", "SUB005", "SUB011", title="Data"), clause("d", "BND001", "DST001", title="Site")
    )
    rules = (
        make_rule("SUB005", says(pair("b copy.shp", "b.shp"))),
        make_rule("SUB011", says(pair("b.shp", "b copy.shp", 1), pair("b.shp", "b copy.shp", 2))),
        make_rule("BND001", says(pair("b.shp", "b copy.shp", 3)), "d"),
        make_rule("DST001", says(inside("d.shp", "disturbance")), "d", needs=("boundary",)),
    )
    got = [(c.rule, len(c.findings), len(c.explains)) for c in check(*rules, law=law).causes]
    assert got == [("SUB005", 1, 4)]


def test_a_file_that_came_twice_does_not_explain_the_faults_inside_it() -> None:
    law = pack(clause("a", "SUB005", "SUB011", title="Data"))
    rules = (
        make_rule("SUB005", says(pair("b copy.shp", "b.shp"))),
        make_rule("SUB011", says(inside("b.shp", "boundary", 1))),
    )
    assert [len(c.explains) for c in check(*rules, law=law).causes] == [0, 0]


def test_findings_of_one_rule_in_one_dataset_are_one_thing_to_do() -> None:
    got = causes(found("DST001", *(inside("d.shp", "disturbance", n) for n in range(5))))
    assert got == [("DST001", "d.shp", 5, 0)]


def test_a_missing_field_explains_the_rule_that_reads_it_by_role() -> None:
    got = causes(
        found("SUB009", inside("c.shp", "contours_existing")),
        found("CON003", fault(role="contours_existing", source=Source())),
    )
    assert got == [("SUB009", "c.shp", 1, 1)]


def test_what_is_explained_explains_nothing_on_its_own() -> None:
    """A chain is one cause: the field; not the field and then the elevations."""
    got = causes(
        found("SUB009", inside("c.shp", "contours_existing")),
        found("CON003", inside("c.shp", "contours_existing", 1)),
        found("CON001", inside("c.shp", "contours_existing", 2)),
    )
    assert got == [("SUB009", "c.shp", 1, 2)]


def test_a_note_explains_no_error() -> None:
    """Parcels that were dissolved are told as a note; what lies outside is no fault of theirs."""
    outside = found("DST001", inside("d.shp", "disturbance"), needs=("boundary",))
    note = inside("b.shp", "boundary", severity=Severity.INFO)
    got = causes(found("BND001", note), outside)
    assert got == [("DST001", "d.shp", 1, 0), ("BND001", "b.shp", 1, 0)]


def test_a_layer_that_lies_far_makes_the_map_too_large_for_its_sheet() -> None:
    too_large = make_rule("SCL005", says(fault(role=None, source=Source())), "a")
    got = causes(found("CRS003", inside("d.shp", "disturbance")), too_large)
    assert got == [("CRS003", "d.shp", 1, 1)]
    elsewhere = causes(found("CRS003", inside("w.shp", "wetlands")), too_large)
    assert [explained for *_, explained in elsewhere] == [0, 0]  # wetlands do not span the map


def test_order_is_errors_first_then_most_explained_then_by_clause() -> None:
    mild = {"severity": Severity.WARNING}
    got = causes(
        found("GEO001", inside("x.shp", "roads", **mild)),
        found("BND002", inside("b.shp", "boundary")),
        found("CRS003", inside("w.shp", "wetlands")),
        found("WET002", inside("w.shp", "wetlands", 1)),
        found("DST001", inside("d.shp", "disturbance")),
    )
    assert [rule for rule, *_ in got] == ["CRS003", "BND002", "DST001", "GEO001"]


def test_rules_that_wait_are_counted_with_their_cause() -> None:
    waits = make_rule("DST001", says(Checked("1", 1)), "d", after=("BND001",), needs=())
    checked = check(found("BND001", inside("b.shp", "boundary")), waits, law=LAW)
    (cause,) = checked.causes
    assert cause.waiting == ("DST001",)
    assert "1 of 1 finding; 1 rule waits for it" in to_text(checked)


def test_every_finding_that_counts_belongs_to_one_cause() -> None:
    checked = check(
        found("CRS003", inside("w.shp", "wetlands")),
        found("WET002", *(inside("w.shp", "wetlands", n) for n in range(3))),
        found("DST001", fault(source=Source(), role=None, geometry=None)),
        law=LAW,
    )
    accounted = [id(f) for c in checked.causes for f in (*c.findings, *c.explains)]
    assert sorted(accounted) == sorted(id(f) for f in checked.findings)


def many() -> CheckedSite:
    faults = [inside(f"{n}.shp", "disturbance", n) for n in range(MOST_CAUSES + 3)]
    return check(
        found("CRS003", inside("w.shp", "wetlands")),
        found("WET002", *(inside("w.shp", "wetlands", n) for n in range(40))),
        found("DST001", *faults),
        law=LAW,
    )


def test_the_text_names_the_cause_with_its_share_after_the_matrix_and_says_what_it_cuts() -> None:
    text = to_text(many())
    assert "  1  CRS003  thing is wrong: w.shp explains 41 of 56 findings" in text
    assert "and 4 more: see the JSON" in text
    places = [text.index(t) for t in ("CLAUSE BY CLAUSE", "SHORTEST WAY", "FINDINGS, BY CLAUSE")]
    assert places == sorted(places)


def test_the_json_has_all_of_them_with_the_numbers_of_the_findings() -> None:
    report = to_dict(many())
    first = report["causes"][0]
    assert len(report["causes"]) == 1 + MOST_CAUSES + 3
    numbers = {f["number"]: f["rule"] for f in report["findings"]}
    assert {numbers[n] for n in first["findings"]} == {"CRS003"}
    assert {numbers[n] for n in first["explains"]} == {"WET002"}
    assert len(first["explains"]) == 40


def test_nothing_found_has_no_causes_and_no_section() -> None:
    checked = check(found("DST001", Checked("1", 1)), law=LAW)
    assert checked.causes == ()
    assert "SHORTEST WAY" not in to_text(checked)


def test_the_table_names_codes_of_the_book() -> None:
    """Codes of rules that are still to come are known by rules.md; families must exist."""
    families = {rule.code[:3] for rule in RULES} | {"TOP", "SLP", "WET", "BMP", "SUB", "SOI"}
    named = [code for e in EXPLAINS.values() for code in (*e.but, *e.only)] + list(EXPLAINS)
    assert {code[:3] for code in named} <= families


def moved(site: Site, role: str) -> Site:
    """One layer of the clean site, as if its numbers were of another zone."""
    frame = site.layers[role].frame.copy()
    frame["geometry"] = [translate(g, 900_000.0, 0.0) for g in frame.geometry]
    return clean.with_layer(site, role, frame)


@pytest.mark.parametrize(
    ("site", "cause"),
    [
        (moved(clean.clean_site(), "boundary"), "CRS003"),
        (moved(clean.clean_site(), "disturbance"), "CRS003"),
        (clean.with_layer(clean.clean_site(), "boundary", LINE), "SUB007"),
    ],
)
def test_one_fault_of_the_clean_site_is_one_cause_whatever_follows_from_it(
    site: Site, cause: str
) -> None:
    checked = check_site(site, load_ordinance("muskego"), now=clean.NOW)
    first = checked.causes[0]
    errors = [f for f in checked.findings if f.severity is Severity.ERROR]
    assert first.rule == cause
    assert len(errors) > 2
    assert {id(f) for f in errors} <= {id(f) for f in (*first.findings, *first.explains)}
