"""HYD006: each discharge says which water receives it."""

from __future__ import annotations

import pytest

from sitemap.rules.receiving_water_unnamed import receiving_water_unnamed as rule
from tests.clean_site import clean_site, faults_of, passes, point, set_geometry, set_value

NO_CASE = {
    "at_the_limit": "a name is there or not",
    "just_over": "a name is there or not",
    "not_applicable": "discharges declared none are the engine's to tell",
    "skipped": "without discharges the engine skips",
}


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize("words", [None, "", "  "])
def test_found_without_a_name_and_the_remedy_names_the_water_there(words: str | None) -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "discharges", 0, "receiving_water", words))
    assert fault.message == "discharge DP-1 does not name its receiving water"
    assert fault.how_to_fix.endswith("; it lies at Tess Corners Creek")
    assert (fault.role, fault.field_name) == ("discharges", "receiving_water")


def test_found_away_from_all_waters_the_remedy_names_none() -> None:
    site = set_value(clean_site(), "discharges", 0, "receiving_water", None)
    (fault,) = faults_of(rule, set_geometry(site, "discharges", 0, point(300, 400)))
    assert fault.how_to_fix == "fill in the water that receives the discharge"


def test_passes_with_words_for_a_water_without_a_name() -> None:
    site = set_value(clean_site(), "discharges", 0, "receiving_water", "unnamed tributary")
    assert passes(rule, site)
