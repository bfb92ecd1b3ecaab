"""DST003: as little work as possible on steep ground."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from sitemap.finding import Severity
from sitemap.rules.disturbance_on_steep_slope import disturbance_on_steep_slope as rule
from sitemap.rules.rule import Ask, Checked, Skip
from sitemap.site import Site
from tests.clean_site import (
    GRADED,
    MAP,
    clean_site,
    contour_features,
    contours,
    faults_of,
    line,
    passes,
    rectangle,
    replace_features,
    run,
    set_geometry,
    with_layer,
    without,
)

NO_CASE = {"not_applicable": "without a disturbed area the engine skips, or it is declared none"}


def drawn(*shapes, slopes=None) -> Site:
    features = {"geometry": list(shapes), "slope_pct": slopes or [25.0] * len(shapes)}
    return with_layer(clean_site(), "steep_slopes", features)


def tilted(percent: float, interval_ft: float = 2.0) -> Site:
    """Ground that falls to the south everywhere alike."""
    lines = contours(lambda x, y: 700.3 + percent / 100.0 * (y + 100.0), MAP, interval_ft)
    return with_layer(clean_site(), "contours_existing", contour_features(lines))


def test_passes_on_four_percent() -> None:
    assert passes(rule, clean_site())
    (checked,) = [s for s in run(rule, clean_site()) if isinstance(s, Checked)]
    assert "existing contours, triangulated (steepest 4" in checked.words


def test_found_where_steep_slopes_are_drawn() -> None:
    (fault,) = faults_of(rule, drawn(rectangle(100, 250, 200, 300)))
    assert fault.message.startswith("0.057 acres are disturbed on slopes of 20 % and more; ")
    assert fault.geometry.equals(rectangle(150, 250, 200, 300))
    assert rule.default_severity is Severity.WARNING


def test_the_acres_are_given_for_each_cell_of_the_grid() -> None:
    """Against the cells of the site's own grid layer, one by one."""
    (fault,) = faults_of(rule, drawn(rectangle(100, 200, 500, 300)))
    grid = clean_site().layers["grid"].frame
    shares = shapely.area(shapely.intersection(grid.geometry.to_numpy(), fault.geometry))
    expected = [
        f"{label} {share / 43_560:.3f}"
        for label, share in zip(grid["label"], shares, strict=True)
        if share > 0
    ]
    assert len(expected) > 1
    assert fault.message.endswith(f"by grid cell: {', '.join(expected)}")
    assert shares.sum() == pytest.approx(fault.geometry.area)


def test_passes_where_what_is_drawn_lies_beside_or_is_flatter() -> None:
    assert passes(rule, drawn(rectangle(0, 0, 100, 100)))
    assert passes(rule, drawn(rectangle(100, 250, 200, 300), slopes=[15.0]))


def test_at_the_limit_a_slope_drawn_as_exactly_twenty_percent_is_steep() -> None:
    """20 % and more, as the pack has it; 19.99 % is less."""
    assert faults_of(rule, drawn(rectangle(100, 250, 200, 300), slopes=[20.0]))
    assert passes(rule, drawn(rectangle(100, 250, 200, 300), slopes=[19.99]))


def test_found_on_the_ground_though_it_is_not_drawn_as_steep() -> None:
    """25 % everywhere; one slope is drawn over the western half of the disturbance."""
    features = {"geometry": [rectangle(150, 200, 350, 500)], "slope_pct": [25.0]}
    drawn_half, beside = faults_of(rule, with_layer(tilted(25.0), "steep_slopes", features))
    assert drawn_half.geometry.equals(rectangle(150, 200, 350, 500))
    assert beside.geometry.equals(rectangle(350, 200, 550, 500))
    assert "on slopes of 20 % and more that are not drawn as steep; by grid cell" in beside.message


def test_the_edge_of_a_drawn_slope_may_lie_off_by_what_a_slope_is_taken_over() -> None:
    short = {"geometry": [rectangle(169, 219, 531, 481)], "slope_pct": [25.0]}
    (fault,) = faults_of(rule, with_layer(tilted(25.0), "steep_slopes", short))
    assert "not drawn" not in fault.message


def test_found_where_the_slope_of_what_is_drawn_is_not_stated() -> None:
    assert faults_of(rule, drawn(rectangle(100, 250, 200, 300), slopes=[np.nan]))


def test_found_from_contours_with_all_its_ground() -> None:
    (fault,) = faults_of(rule, tilted(25.0))
    assert fault.geometry.area == pytest.approx(400 * 300)
    assert fault.geometry.bounds == pytest.approx(rectangle(*GRADED).bounds)


def test_found_only_where_the_ground_is_steep() -> None:
    """4 % below y = 300, 30 % above: cells of 10 ft and slopes over 20 ft blur the edge."""

    def bent(x, y):
        return 800.3 + 0.04 * y + np.where(y > 300, 0.26 * (y - 300), 0.0)

    lines = contours(bent, MAP, 1.0)
    site = with_layer(clean_site(), "contours_existing", contour_features(lines))
    (fault,) = faults_of(rule, site)
    assert fault.geometry.area == pytest.approx(400 * 200, rel=0.06)


def test_at_the_limit_exactly_twenty_percent_is_steep() -> None:
    assert len(faults_of(rule, tilted(20.0))) == 1


def test_just_over_the_limit_slopes_below_twenty_pass() -> None:
    assert passes(rule, tilted(19.9))


def test_specks_are_left_out_and_told() -> None:
    """A knob of 7 ft: a few cells, less than a hundredth of an acre."""

    def knob(x, y):
        return 800.3 + 0.04 * y + 7.0 * np.exp(-((x - 300) ** 2 + (y - 300) ** 2) / 12.0**2)

    lines = contours(knob, MAP, 1.0)
    site = with_layer(clean_site(), "contours_existing", contour_features(lines))
    assert passes(rule, site)
    (checked,) = run(rule, site)
    assert "acres in specks left out" in checked.words


def test_a_person_decides_where_the_disturbed_ground_is_not_shown() -> None:
    """Contours end at x = 200 ft; of the 400 ft of disturbance from 150 on, 350 lie beyond."""
    window = rectangle(-100, -100, 200, 700)
    site = replace_features(
        clean_site(),
        "contours_existing",
        lambda f: f.set_geometry(f.geometry.intersection(window)),
    )
    (checked, asked) = run(rule, site)
    assert isinstance(checked, Checked)
    assert isinstance(asked, Ask)
    hidden = (350 + 10) * 300 / 43_560  # a slope is taken over 20 ft
    assert float(asked.question.split()[0]) == pytest.approx(hidden, abs=0.08)
    assert asked.geometry.area == pytest.approx(hidden * 43_560, rel=0.04)


def test_skipped_without_any_ground() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing"))
    assert isinstance(said, Skip)


def test_skipped_when_the_limits_are_a_line() -> None:
    (said,) = run(rule, set_geometry(clean_site(), "disturbance", 0, line((150, 200), (550, 500))))
    assert isinstance(said, Skip)
