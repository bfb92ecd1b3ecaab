"""Every rule has its page, its clauses, its place in the list and its six cases."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from sitemap.catalogue import load_catalogue
from sitemap.check import in_running_order
from sitemap.ordinance import INJECTED, lint_ordinance, load_ordinance, ordinance_names
from sitemap.rules import RULES
from sitemap.rules.rule import PAGE_HEADINGS, Rule

FAMILIES = (
    "SUB", "CRS", "GEO", "TOP", "SCL", "CON", "BND", "DST", "HYD", "WET", "FLD", "SLP", "BMP",
    "INF", "GRD", "PLT", "DOC", "SOI", "WVR",
)  # fmt: skip
CASES = ("passes", "found", "at_the_limit", "just_over", "not_applicable", "skipped")
FOLDER = Path(__file__).parent / "rules"
BASE = load_ordinance("wi-nr152-appa")

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


@every_rule
def test_the_page_begins_with_one_sentence_that_states_the_fault(rule: Rule) -> None:
    lines = rule.page.splitlines()
    assert lines, f"{rule.code} has no docstring; it is the rule's published page"
    first = lines[0]
    assert first.endswith("."), f"{rule.code}: the first line must be a whole sentence: {first!r}"
    assert ". " not in first, f"{rule.code}: the first line must be one sentence: {first!r}"
    assert len(lines) > 1
    assert not lines[1], f"{rule.code}: a blank line must follow the first sentence"


@every_rule
def test_the_page_has_its_headings_in_order_with_words_under_each(rule: Rule) -> None:
    lines = rule.page.splitlines()
    places = [i for i, line in enumerate(lines) if line in PAGE_HEADINGS]
    found = tuple(lines[i] for i in places)
    assert found == PAGE_HEADINGS, f"{rule.code}: headings are {found}, wanted {PAGE_HEADINGS}"
    for i, end in zip(places, [*places[1:], len(lines)], strict=True):
        assert any(line.strip() for line in lines[i + 1 : end]), (
            f"{rule.code}: nothing stands under {lines[i]!r}"
        )


@every_rule
def test_its_clauses_are_known_to_the_base_pack(rule: Rule) -> None:
    assert rule.clauses, f"{rule.code} names no clause"
    unknown = [clause for clause in rule.clauses if clause not in BASE.by_id]
    assert unknown == [], f"{rule.code}: {unknown} are no clauses of {BASE.id}"


@every_rule
def test_its_roles_are_in_the_catalogue_and_its_arguments_can_be_given(rule: Rule) -> None:
    catalogue = load_catalogue()
    strange = [role for role in (*rule.needs, *rule.uses) if role not in catalogue]
    assert strange == [], f"{rule.code}: {strange} are no roles of layers/"
    given = {*INJECTED, *rule.needs, *rule.uses, *BASE.limits}
    missing = [name for name in rule.arguments if name not in given]
    assert missing == [], f"{rule.code} asks for {missing}: no role it needs or uses, no limit"


@every_rule
def test_it_stands_in_a_file_of_its_name(rule: Rule) -> None:
    module = importlib.import_module(f"sitemap.rules.{rule.name}")
    assert getattr(module, rule.name) is rule


@every_rule
def test_it_has_all_six_cases_or_says_why_not(rule: Rule) -> None:
    path = FOLDER / f"test_{rule.name}.py"
    assert path.is_file(), f"{rule.code} has no tests/rules/test_{rule.name}.py"
    tests, excused = cases_of(path)
    for case in CASES:
        present = any(name.startswith(f"test_{case}") for name in tests)
        assert present or excused.get(case), (
            f"{path.name}: no test_{case}*, and NO_CASE does not say why"
        )
        assert not (present and case in excused), f"{path.name}: NO_CASE excuses {case} needlessly"
    assert set(excused) <= set(CASES)


def cases_of(path: Path) -> tuple[list[str], dict[str, str]]:
    """Names of the test functions of a module, and its NO_CASE."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    excused: dict[str, str] = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        if any(isinstance(t, ast.Name) and t.id == "NO_CASE" for t in targets):
            excused = ast.literal_eval(node.value)  # type: ignore[union-attr]
    return tests, excused


def test_codes_and_names_are_listed_once_and_by_family() -> None:
    codes = [rule.code for rule in RULES]
    assert len(set(codes)) == len(codes)
    assert len({rule.name for rule in RULES}) == len(codes)
    assert codes == sorted(codes, key=lambda code: (FAMILIES.index(code[:3]), code[3:]))


def test_every_file_of_a_rule_is_listed() -> None:
    root = Path(__file__).parent.parent / "sitemap" / "rules"
    stems = {path.stem for path in root.glob("*.py")} - {"__init__", "rule"}
    assert stems == {rule.name for rule in RULES}


def test_no_rule_waits_for_one_that_is_not_there_or_for_itself() -> None:
    codes = {rule.code for rule in RULES}
    assert {a for rule in RULES for a in rule.after} <= codes
    assert len(in_running_order(RULES)) == len(RULES)


@pytest.mark.parametrize("name", ordinance_names())
def test_packs_are_sound(name: str) -> None:
    codes = [rule.code for rule in RULES]
    roles = list(load_catalogue().by_role)
    assert lint_ordinance(load_ordinance(name), codes, roles) == []


@every_rule
def test_the_pack_names_the_rule_where_the_rule_names_the_clause(rule: Rule) -> None:
    """Else a clause would pass without the rule that judges it."""
    named = {clause.id for clause in BASE.clauses_of(rule.code)}
    assert set(rule.clauses) <= named, f"{rule.code}: add it to {set(rule.clauses) - named}"
