"""BMP001: every mark has a meaning."""

from __future__ import annotations

import pytest

from sitemap.rules.control_type_unknown import control_type_unknown as rule
from sitemap.rules.rule import Skip
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    replace_features,
    run,
    set_geometry,
    set_value,
)

NO_CASE = {
    "not_applicable": "controls must be drawn: without them the engine skips",
    "at_the_limit": "a word is known or not",
    "just_over": "a word is known or not",
}


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize(
    ("word", "near"),
    [("silt fense", "SF (silt fence)"), ("sediment trapp", "ST (sediment trap)")],
)
def test_found_with_the_nearest_names(word: str, near: str) -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "controls", 0, "type", word))
    assert fault.message.startswith(f"a control has the unknown type '{word}': record 0")
    assert near in fault.message
    assert (fault.source.user_id, fault.field_name) == ("SF-1", "type")


def test_found_without_a_hint_where_nothing_is_like_it() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "controls", 0, "type", "QQQQ"))
    assert "nearest" not in fault.message


def test_found_once_for_one_word() -> None:
    site = set_value(clean_site(), "controls", 0, "type", "widget")
    (fault,) = faults_of(rule, set_value(site, "controls", 3, "type", "widget"))
    assert fault.message.startswith("2 controls have the unknown type 'widget': records 0, 3")
    assert len(fault.geometry.geoms) == 2


def test_found_a_control_without_a_type() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "controls", 1, "type", None))
    assert fault.message.startswith("a control has no type: record 1")


def test_found_without_a_geometry_too() -> None:
    site = set_value(set_geometry(clean_site(), "controls", 1, None), "controls", 1, "type", "??")
    (fault,) = faults_of(rule, site)
    assert fault.geometry is None


def test_skipped_when_no_control_has_a_type() -> None:
    def bare(frame):
        frame["type"] = None
        return frame

    (said,) = run(rule, replace_features(clean_site(), "controls", bare))
    assert isinstance(said, Skip)
