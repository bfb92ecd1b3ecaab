"""docs/coverage.md says which clauses and numbers could not be confirmed in the law's own text."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from sitemap.ordinance import Clause, LimitSpec, Ordinance, load_ordinance, ordinance_names


@pytest.fixture(scope="module")
def build(root: Path) -> ModuleType:
    """docs/build.py as a module."""
    spec = importlib.util.spec_from_file_location("docs_build", root / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _row(build: ModuleType, **of_clause: object) -> str:
    """The row of the first clause of Muskego's pack, as changed."""
    pack: Ordinance = load_ordinance("muskego")
    clause: Clause = pack.clauses[0].model_copy(update=of_clause)
    rows: list[str] = build.coverage(pack.model_copy(update={"clauses": (clause,)}))
    return rows[4]


def test_a_confirmed_limit_of_a_clause_that_was_read_is_not_marked(build: ModuleType) -> None:
    limit = LimitSpec(value=100, unit="ft/in")
    row = _row(build, title="Scale", limits={"max_scale": limit}, text_seen=True)
    assert row.startswith("| Scale | ")
    assert "| max scale <= 100 ft/in |" in row


def test_an_unconfirmed_limit_is_marked_at_its_number(build: ModuleType) -> None:
    limits = {
        "max_scale": LimitSpec(value=100, unit="ft/in"),
        "delineation_years": LimitSpec(value=5, unit="years", confirmed=False),
    }
    row = _row(build, limits=limits, text_seen=True)
    assert "| max scale <= 100 ft/in; delineation years <= 5 years (unconfirmed) |" in row


def test_a_clause_whose_text_was_not_seen_is_marked_at_its_title(build: ModuleType) -> None:
    assert _row(build, title="Scale", text_seen=False).startswith("| Scale (text not seen) | ")


def test_the_page_marks_as_much_as_the_packs_do(build: ModuleType) -> None:
    clauses = [c for name in ordinance_names() for c in load_ordinance(name).clauses]
    limits = [limit for clause in clauses for limit in clause.limits.values()]
    page: str = build.coverage_page()
    assert page.count("(unconfirmed)") == sum(not limit.confirmed for limit in limits) > 0
    assert page.count("(text not seen)") == sum(not clause.text_seen for clause in clauses) > 0
