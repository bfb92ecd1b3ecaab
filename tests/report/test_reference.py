"""The printed pages of rules, layers and ordinance packs."""

from __future__ import annotations

import pytest

from sitemap.catalogue import load_catalogue
from sitemap.errors import UsageError
from sitemap.ordinance import load_ordinance
from sitemap.report.reference import layer_page, ordinance_page, rule_page
from sitemap.rules.rule import Checked, Rule, Said, rule


@rule("CON001", clauses=("contours",), needs=("contours_existing",))
def contours_too_far_apart(max_contour_interval):  # type: ignore[no-untyped-def]
    """The map has contours further apart than the law allows.

    Why
        Because.
    """
    said: Said = Checked("all", 1)
    yield said


RULES: tuple[Rule, ...] = (contours_too_far_apart,)


def test_the_list_has_a_line_per_rule() -> None:
    text = rule_page(rules=RULES)
    assert text.splitlines()[0] == (
        "CON001  The map has contours further apart than the law allows."
    )


@pytest.mark.parametrize("name", ["CON001", "con001", "contours-too-far-apart"])
def test_a_rules_page_has_its_clause_its_limit_and_what_it_needs(name: str) -> None:
    text = rule_page(name, rules=RULES)
    assert text.startswith("CON001 contours_too_far_apart\n=====")
    assert "Because." in text
    assert "NR 152 App. A S.10*(2)(d)" in text
    assert "max contour interval: at most 5 ft" in text
    assert "contours_existing" in text


def test_an_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean CON001"):
        rule_page("CON01", rules=RULES)


def test_every_layer_role_has_a_page_and_a_line() -> None:
    catalogue = load_catalogue()
    listed = layer_page()
    for role, spec in catalogue.by_role.items():
        assert f"{role} " in listed
        page = layer_page(role)
        assert page.startswith(f"{role}: {spec.title}")
        assert all(name in page for name in spec.fields)


def test_an_unknown_role_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean wetlands"):
        layer_page("wetland")


def test_a_pack_is_printed_clause_by_clause() -> None:
    text = ordinance_page("muskego")
    for clause in load_ordinance("muskego").clauses:
        assert clause.citation in text
    assert "How the words are taken" in text
    assert "discharge distance: at most 0.25 mi" in text
    assert "(always asked)" in text


def test_the_states_pack_says_where_its_words_were_not_seen() -> None:
    assert "not confirmed in the law's own text" in ordinance_page("wi-nr152-appa")
    assert "not confirmed in the law's own text" not in ordinance_page("muskego")


def test_packs_are_listed() -> None:
    page = ordinance_page()
    assert page.startswith("wi-nr152-appa   State of Wisconsin")
    for pack in ("muskego", "wi-nr216", "kenosha-county", "epa-cgp-2022"):
        assert f"\n{pack} " in page


@pytest.mark.parametrize("text", [ordinance_page("muskego"), ordinance_page(), layer_page()])
def test_pages_fit_a_terminal(text: str) -> None:
    assert max(len(line) for line in text.splitlines()) <= 100
