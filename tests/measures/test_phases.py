"""Which phases of construction the controls of a site name, and in which each of them stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemap.measures.phases import Phases, site_phases
from sitemap.site import Site
from tests.clean_site import clean_site


def phased(*said: tuple[object, object]) -> Phases | None:
    """The phases of a site whose first controls say this as phase and until; others say none."""
    site = clean_site()
    layer = site.layers["controls"]
    frame = layer.frame.copy()
    rest = [None] * (len(frame) - len(said))
    frame["phase"] = [phase for phase, _ in said] + rest
    frame["until"] = [until for _, until in said] + rest
    found: Site = replace(site, layers={**site.layers, "controls": replace(layer, frame=frame)})
    return site_phases(found)


def test_a_control_stands_from_its_phase_to_the_end() -> None:
    phases = phased(("Initial", None), ("interim", None), ("FINAL", None))
    assert phases is not None
    assert phases.names == ("initial", "interim", "final")
    assert phases.stands["controls"][:4].tolist() == [
        [True, True, True],
        [False, True, True],
        [False, False, True],
        [True, True, True],  # names none
    ]
    assert [phases.words("controls", row) for row in range(4)] == ["all", "2–3", "3", "all"]
    assert phases.key == "1 initial, 2 interim, 3 final"


def test_until_ends_it_and_a_list_says_exactly_when() -> None:
    phases = phased(
        ("initial", "interim"), ("initial, final", None), ("final", None), ("interim", "initial")
    )
    assert phases is not None
    assert [phases.words("controls", row) for row in range(4)] == ["1–2", "1, 3", "3", "2"]


def test_a_range_covers_what_lies_between() -> None:
    phases = phased(("initial to interim", None), ("final", None), ("1-2", None))
    assert phases is not None
    assert phases.names == ("initial", "phase 1", "phase 2", "interim", "final")
    assert phases.words("controls", 0) == "1–4"
    assert phases.words("controls", 2) == "2–3"


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (("1", "2"), ("phase 1", "phase 2")),
        ((1.0, 2.0), ("phase 1", "phase 2")),
        (("Phase II", "Phase I"), ("phase 1", "phase 2")),
        (("PH-3", "stage 10"), ("phase 3", "phase 10")),
        (("B", "A"), ("phase 1", "phase 2")),
        (("Pre-construction", "Intermediate"), ("initial", "interim")),
        (("Final phase", "initial_phase"), ("initial", "final")),
        (("Rough grading", "initial"), ("initial", "rough grading")),
    ],
)
def test_names_and_numbers_are_read_as_people_write_them(
    said: tuple[object, object], names: tuple[str, ...]
) -> None:
    phases = phased(*((word, None) for word in said))
    assert phases is not None
    assert phases.names == names


@pytest.mark.parametrize("said", [("1", "1"), (None, "all"), ("", None), (float("nan"), "final")])
def test_one_phase_or_none_is_nothing_to_switch(said: tuple[object, object]) -> None:
    assert phased(*((word, None) for word in said)) is None


def test_numbered_phases_need_no_key() -> None:
    phases = phased(("1", None), ("2", None))
    assert phases is not None
    assert phases.key == "phase 1, phase 2"
