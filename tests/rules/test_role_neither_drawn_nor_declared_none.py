"""SUB001: passes, found per item, required roles, declarations, data not on the map."""

from __future__ import annotations

from dataclasses import replace

from sitemap.project import LayerPath
from sitemap.rules.role_neither_drawn_nor_declared_none import (
    role_neither_drawn_nor_declared_none as rule,
)
from sitemap.rules.rule import Ask
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    run,
    with_declared_none,
    with_project,
    with_unreadable,
    without,
    without_declaration,
)

NO_CASE = {
    "at_the_limit": "presence has no limit",
    "just_over": "presence has no limit",
    "not_applicable": "the clauses always ask for roles",
    "skipped": "it needs no role: absence is what it looks for",
}


def test_passes_when_every_role_is_drawn_or_declared_none() -> None:
    assert passes(rule, clean_site())


def test_found_once_per_clause_item() -> None:
    """Wetlands serve item (a) and item (h): two clauses are unfulfilled, so two findings."""
    faults = faults_of(rule, without(clean_site(), "wetlands"))
    assert [(f.role, f.clauses) for f in faults] == [("wetlands", ("a",)), ("wetlands", ("h",))]
    assert all("neither drawn nor declared none" in f.message for f in faults)
    assert all("[declared_none.wetlands]" in f.how_to_fix for f in faults)


def test_passes_when_the_missing_role_is_declared_none() -> None:
    site = with_declared_none(without(clean_site(), "wetlands"), "wetlands")
    assert passes(rule, site)


def test_found_when_the_declaration_is_taken_back() -> None:
    faults = faults_of(rule, without_declaration(clean_site(), "culverts"))
    assert [(f.role, f.clauses) for f in faults] == [("culverts", ("a",))]


def test_found_when_a_required_role_is_only_declared_none() -> None:
    """Disturbance must be drawn: nobody can declare that no soil is disturbed."""
    site = with_declared_none(without(clean_site(), "disturbance"), "disturbance")
    (fault,) = faults_of(rule, site)
    assert fault.role == "disturbance"
    assert fault.clauses == ("d",)
    assert "cannot be declared none" in fault.message


def test_found_names_the_file_that_could_not_be_read() -> None:
    site = with_unreadable(without(clean_site(), "controls"), "controls.shp", "empty", "0 bytes")
    site = with_project(site, layers={"controls": (LayerPath(path="controls.shp"),)})
    (fault,) = faults_of(rule, site)
    assert "its file controls.shp could not be read" in fault.message


def test_the_grid_and_optional_roles_are_left_to_others() -> None:
    """GRD001 judges the grid; soils are optional."""
    assert passes(rule, without(clean_site(), "grid"))


def test_data_without_a_place_is_asked_about_and_not_found_twice() -> None:
    """The wetlands are handed in but not on the map (no CRS): CRS001 is the one finding."""
    clean = clean_site()
    site = replace(clean, layers={r: x for r, x in clean.layers.items() if r != "wetlands"})
    said = run(rule, site)
    assert faults_of(rule, site) == []
    assert [(s.clause, "wetlands.shp" in s.question) for s in said if isinstance(s, Ask)] == [
        ("a", True),
        ("h", True),
    ]


def test_a_role_both_drawn_and_declared_none_is_asked_about() -> None:
    said = run(rule, with_declared_none(clean_site(), "infiltration"))
    assert [s.clause for s in said if isinstance(s, Ask)] == ["i"]
