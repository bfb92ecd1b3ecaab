"""BMP004: no soil on the street."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.entrance_without_trackout_control import (
    entrance_without_trackout_control as rule,
)
from sitemap.rules.rule import Ask, Checked
from tests.clean_site import (
    add_feature,
    clean_site,
    drop_feature,
    faults_of,
    line,
    passes,
    point,
    run,
    set_geometry,
    without,
)

NO_CASE = {
    "not_applicable": "a site that nothing enters is none",
    "skipped": "controls must be drawn: without them the engine skips",
}
PAD, ENTRANCE = 2, 1  # TP-1 is 300 to 330 by 480 to 498


def test_passes_with_a_pad_at_the_entrance() -> None:
    assert passes(rule, clean_site())


def test_found_with_its_place() -> None:
    site = add_feature(clean_site(), "activities", point(600, 590), id="CE-2", type="CE")
    (fault,) = faults_of(rule, site)
    away = np.hypot(270.0, 92.0)  # from the pad's corner at 330, 498
    assert fault.message == (
        "construction entrance CE-2 has no trackout control within 25 ft; the nearest is "
        f"{away:.2f} ft away"
    )
    assert fault.measured.value == pytest.approx(away, abs=0.01)
    assert fault.geometry.equals(point(600, 590))


def test_at_the_limit_twenty_five_feet_pass() -> None:
    assert passes(rule, set_geometry(clean_site(), "activities", ENTRANCE, point(315, 523)))


def test_just_over_twenty_five_feet_is_found() -> None:
    site = set_geometry(clean_site(), "activities", ENTRANCE, point(315, 523.1))
    assert len(faults_of(rule, site)) == 1


def test_passes_an_entrance_drawn_as_a_line() -> None:
    drive = line((315, 640), (315, 500))
    assert passes(rule, set_geometry(clean_site(), "activities", ENTRANCE, drive))


def test_passes_where_only_the_pad_is_drawn() -> None:
    (said,) = run(rule, without(clean_site(), "activities"))
    assert isinstance(said, Checked)
    assert said.count == 1


def test_a_person_says_where_vehicles_leave_when_nothing_is_drawn() -> None:
    site = drop_feature(without(clean_site(), "activities"), "controls", PAD)
    (said,) = run(rule, site)
    assert isinstance(said, Ask)
