"""Our own plate before the rules of the plate: drawn from a site, it passes them for that site."""

from __future__ import annotations

import pytest
from shapely.affinity import translate

from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import load_ordinance
from sitemap.plate.draw import draw_plates
from sitemap.rules.drawn_but_not_in_legend import drawn_but_not_in_legend
from sitemap.rules.feature_not_drawn import feature_not_drawn
from sitemap.rules.lettering_too_small import lettering_too_small
from sitemap.rules.page_is_not_the_sheet import page_is_not_the_sheet
from sitemap.rules.plate_not_measurable import plate_not_measurable
from sitemap.rules.rule import Rule
from tests.clean_ground import point
from tests.clean_site import (
    NOW,
    add_feature,
    clean_site,
    faults_of,
    passes,
    set_geometry,
    set_value,
)

PLATE_RULES = (
    plate_not_measurable,
    page_is_not_the_sheet,
    drawn_but_not_in_legend,
    feature_not_drawn,
    lettering_too_small,
)


@pytest.fixture(scope="module")
def plate(tmp_path_factory: pytest.TempPathFactory) -> MeasuredPlate:
    out = tmp_path_factory.mktemp("plate") / "clean.pdf"
    return draw_plates(clean_site(), load_ordinance("muskego"), out, now=NOW).measured


@pytest.mark.parametrize("rule", PLATE_RULES, ids=lambda rule: rule.code)
def test_the_plate_of_the_clean_site_passes(rule: Rule, plate: MeasuredPlate) -> None:
    assert [f.message for f in faults_of(rule, clean_site(), plate)] == []
    assert passes(rule, clean_site(), plate)


def test_a_point_that_was_moved_after_drawing_is_found(plate: MeasuredPlate) -> None:
    """0.02 in on paper are 1 ft at 50 ft to the inch."""
    outfall = clean_site().layers["outfalls"].frame.geometry.iloc[0]
    site = set_geometry(clean_site(), "outfalls", 0, translate(outfall, 1.0, 0.0))
    (fault,) = faults_of(feature_not_drawn, site, plate)
    assert (fault.role, fault.source.feature) == ("outfalls", 0)


@pytest.mark.parametrize("role", ["boundary", "contours_existing", "controls", "wetlands"])
def test_a_line_or_outline_that_was_moved_after_drawing_is_found(
    plate: MeasuredPlate, role: str
) -> None:
    shape = clean_site().layers[role].frame.geometry.iloc[0]
    site = set_geometry(clean_site(), role, 0, translate(shape, 1.3, 1.3))
    (fault,) = faults_of(feature_not_drawn, site, plate)
    assert (fault.role, fault.source.feature) == (role, 0)


def test_a_feature_and_a_type_that_came_after_drawing_are_found(plate: MeasuredPlate) -> None:
    site = add_feature(clean_site(), "controls", point(700, 400), id="X-9", type="CW")
    (fault,) = faults_of(feature_not_drawn, site, plate)
    assert fault.source.user_id == "X-9"
    site = set_value(clean_site(), "controls", 0, "type", "SBB")
    messages = [f.message for f in faults_of(drawn_but_not_in_legend, site, plate)]
    assert any("Sediment bale barrier" in words for words in messages)
