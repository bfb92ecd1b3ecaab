"""GEO006: segments too short for the plot scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sitemap.finding import Severity
from sitemap.rules.detail_finer_than_plot import detail_finer_than_plot as rule
from sitemap.rules.rule import NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    set_geometry,
    with_plate_wishes,
)
from tests.measured_plates import clean_plate

NO_CASE = {"skipped": "it looks at every layer"}


def stepped(fine: float, coarse: float, count: int = 400) -> Site:
    """A road with so many segments of each length, in ft; the sheet is at 1 in = 50 ft."""
    steps = np.concatenate([np.full(count, fine), np.full(count, coarse)])
    x = np.concatenate([[0.0], np.cumsum(steps)])
    return set_geometry(clean_site(), "roads", 0, line(*((v, 640.0) for v in x)))


def test_passes_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_with_its_share_of_the_length() -> None:
    """At 50 ft per inch a hundredth of an inch is 0.5 ft; 0.4 of 0.4 + 0.3 is all of it."""
    (fault,) = faults_of(rule, stepped(0.4, 0.3))
    assert fault.message == (
        "roads.shp: 100 % of the length runs in segments shorter than 0.5 ft (800 of 800), which "
        "cannot be told apart on paper at 1 in = 50 ft"
    )
    assert fault.severity is Severity.INFO


def test_at_the_limit_half_of_the_length_passes() -> None:
    """Equal numbers and lengths just below and above: 0.45 against 0.55 is 45 %."""
    assert passes(rule, stepped(0.45, 0.55))


def test_just_over_half_is_found() -> None:
    """400 segments of 0.45 ft and one long one of 170 ft: 51 % of the length."""
    x = np.append(np.arange(401) * 0.45, 400 * 0.45 + 170.0)
    site = set_geometry(clean_site(), "roads", 0, line(*((v, 640.0) for v in x)))
    (fault,) = faults_of(rule, site)
    assert 51 < fault.measured.value < 52


def test_passes_at_a_scale_that_draws_larger() -> None:
    """At 1 in = 20 ft the limit is 0.2 ft."""
    assert passes(rule, with_plate_wishes(stepped(0.4, 0.3), scale=20.0))


def test_the_plate_counts_before_the_wish() -> None:
    site = with_plate_wishes(stepped(0.4, 0.3), scale=20.0)
    plate = clean_plate()
    said = run(rule, site, plate)
    assert "page 1" in said[-1].words


def test_found_features_that_print_as_a_dot() -> None:
    site = add_feature(clean_site(), "infiltration", rectangle(0, 0, 0.2, 0.2), id="X")
    (fault,) = faults_of(rule, site)
    assert "1 of 2 features are smaller than 0.5 ft" in fault.message


def test_not_applicable_without_lines_and_areas() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
