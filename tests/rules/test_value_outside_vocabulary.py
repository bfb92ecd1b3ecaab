"""SUB010: words that the closed vocabularies do not have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.rule import NotApplicable
from sitemap.rules.value_outside_vocabulary import value_outside_vocabulary as rule
from tests.clean_site import clean_site, faults_of, passes, rectangle, run, set_value, with_layer
from tests.intake.makers import frame, square, write

NO_CASE = {
    "at_the_limit": "a word is known or not",
    "just_over": "a word is known or not",
    "skipped": "it looks at every layer",
}


def test_passes_with_known_words() -> None:
    assert passes(rule, clean_site())


def test_found_with_the_nearest_words() -> None:
    """AEE is A, AE and E run together: AE is nearest."""
    (fault,) = faults_of(rule, set_value(clean_site(), "floodplain", 0, "zone", "AEE"))
    assert fault.message == (
        "floodplain.shp (floodplain, flood fringe and floodway): 'AEE' is no known word of zone "
        "(record 0); the nearest words are AE"
    )
    assert fault.how_to_fix == "write AE in zone, if that is meant"
    assert fault.severity is Severity.WARNING  # the other feature is known
    assert fault.field_name == "zone"
    assert fault.measured.value == 1


def test_found_as_an_error_when_a_required_field_says_nothing() -> None:
    site = set_value(clean_site(), "floodplain", 0, "zone", "blue")
    site = set_value(site, "floodplain", 1, "zone", "blue")
    (fault,) = faults_of(rule, site)
    assert fault.severity is Severity.ERROR
    assert "(records 0, 1); accepted are A, A99, AE" in fault.message
    assert [s.feature for s in (fault.source, *fault.related)] == [0, 1]


def test_found_one_finding_per_word() -> None:
    activities = {
        "geometry": [rectangle(i * 30, 0, i * 30 + 20, 20) for i in range(4)],
        "id": ["1", "2", "3", "4"],
        "type": ["stockpile", "stokpile", "helipad", "stokpile"],
    }
    site = with_layer(clean_site(), "activities", activities)
    words = {f.distinct.rsplit(" ", 1)[-1]: f for f in faults_of(rule, site)}
    assert set(words) - {"stockpile"} == {"stokpile", "helipad"}
    assert words["stokpile"].measured.value == 2


def test_passes_aliases_in_any_spelling(tmp_path: Path) -> None:
    """Reading turns "index contour", "INDEX" and "Major" into words of the vocabulary."""
    rings = [square(side=10.0 + i).boundary for i in range(2)]
    write(frame(rings, elevation=[1.0, 2.0], kind=["INDEX", "Intermediate "]),
          tmp_path / "contours_existing.gpkg")  # fmt: skip
    assert faults_of(rule, open_site(tmp_path)) == []


def test_the_type_of_controls_is_left_to_bmp001() -> None:
    assert passes(rule, set_value(clean_site(), "controls", 0, "type", "magic"))


def test_not_applicable_without_such_a_value() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
