"""BMP010: the water of disturbed ground passes a control before it enters a water."""

from __future__ import annotations

import pytest

from sitemap.rules.rule import Ask, Fault, NotApplicable, Skip
from sitemap.rules.untreated_flow_path import untreated_flow_path as rule
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    drop_feature,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    set_geometry,
    with_declared_none,
    without,
)

MPC_3 = 8  # the barrier along the east edge, in controls


def bare(*keep: tuple[object, str]) -> Site:
    """The clean site with these controls and no other."""
    site = clean_site()
    for record in range(len(site.layers["controls"].frame) - 1, 0, -1):
        site = drop_feature(site, "controls", record)
    for shape, kind in keep:
        site = add_feature(site, "controls", shape, id=f"{kind}-9", type=kind)
    return drop_feature(site, "controls", 0) if keep else site


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_without_any_control() -> None:
    site = with_declared_none(without(clean_site(), "controls"), "controls")
    faults = faults_of(rule, site)
    assert {f.distinct for f in faults} == {"Tess Corners Creek", "wetland W-1"}
    assert sum(f.measured.value for f in faults) == pytest.approx(2.75, abs=0.01)  # all of D-1
    assert all("enters" in f.message and "without passing a control" in f.message for f in faults)


def test_found_around_the_end_of_the_fence_with_acres_and_ways() -> None:
    """The graded rise sheds to the east; there it runs down beside the fence."""
    (fault,) = faults_of(rule, drop_feature(clean_site(), "controls", MPC_3))
    assert fault.message.startswith("runoff from 0.")
    assert "of disturbed area D-1 (" in fault.message
    assert "enters wetland W-1" in fault.message
    assert 0 < fault.measured.value < 1.4
    fence = clean_site().layers["controls"].frame.geometry.iloc[0]
    assert not fault.geometry.intersects(fence)


@pytest.mark.parametrize("gap_ft", range(160, 340, 20))
def test_a_gap_narrower_than_the_places_inside_are_apart_is_never_overlooked(gap_ft: int) -> None:
    """30 ft of open barrier, the places inside being 50 ft apart: those along the edge see it."""
    west, east = rectangle(-50, 124, gap_ft, 140), rectangle(gap_ft + 30, 124, 850, 140)
    said = run(rule, bare((west, "SB"), (east, "SB")))
    (found,) = [s for s in said if isinstance(s, Fault | Ask)]
    gap = rectangle(gap_ft, 124, gap_ft + 30, 140)
    assert found.geometry.intersects(gap)
    assert not found.geometry.intersects(west)
    assert not found.geometry.intersects(east)


STRIP = rectangle(-50, 124, 850, 140)


@pytest.mark.parametrize("kind", ["VB", "FS", "SB"])
def test_passes_through_a_strip_or_basin_across_all_ways(kind: str) -> None:
    assert passes(rule, bare((STRIP, kind)))


@pytest.mark.parametrize("kind", ["EM", "OP", "TP"])
def test_found_through_what_holds_nothing_back(kind: str) -> None:
    assert faults_of(rule, bare((STRIP, kind)))


def test_a_diversion_leads_the_water_and_treats_nothing() -> None:
    """The diversion falls to the east, to a trap at its end or to none."""
    diversion = (line((100, 160), (700, 130)), "DV")
    assert faults_of(rule, bare(diversion))
    assert passes(rule, bare(diversion, (rectangle(690, 121, 720, 140), "ST")))


def test_at_the_limit_a_few_places_are_asked_about() -> None:
    """The lower share of the pack is 5 %: set to the share that is found, a person decides."""
    site = drop_feature(clean_site(), "controls", MPC_3)
    said = run(rule, site, corridor_lower=50.0)
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert ask.clause == "9c4"
    assert ask.geometry is not None
    assert not [s for s in said if isinstance(s, Fault)]


def test_just_over_the_share_it_is_found() -> None:
    site = drop_feature(clean_site(), "controls", MPC_3)
    assert len([s for s in run(rule, site, corridor_lower=5.0) if isinstance(s, Fault)]) == 1


def test_not_applicable_without_drawn_waters() -> None:
    (said,) = run(rule, without(clean_site(), "streams", "wetlands"))
    assert isinstance(said, NotApplicable)


def test_skipped_without_a_surface() -> None:
    (said,) = run(rule, without(clean_site(), "contours_existing", "contours_proposed"))
    assert isinstance(said, Skip)


def test_a_disturbed_area_over_a_water_has_a_place() -> None:
    """Its runoff is in the water where it falls: there is no way to draw, but the places."""
    site = with_declared_none(without(clean_site(), "controls"), "controls")
    site = set_geometry(site, "disturbance", 0, rectangle(600, 70, 690, 110))  # within W-1
    faults = [fault for fault in faults_of(rule, site) if fault.distinct == "wetland W-1"]
    assert len(faults) == 1
    assert faults[0].geometry.geom_type == "MultiPoint"
    assert faults[0].geometry.within(rectangle(599, 69, 691, 111))
