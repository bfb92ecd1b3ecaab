"""TOP003: ends that miss, reaches drawn backwards, circles."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from shapely.geometry import LineString

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.flow_network_broken import flow_network_broken as rule
from sitemap.rules.rule import Checked, Fault, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    at,
    clean_site,
    faults_of,
    line,
    passes,
    point,
    run,
    set_geometry,
    set_value,
    with_declared_none,
    with_layer,
    without,
)
from tests.references import known

NO_CASE = {"skipped": "it takes the roles that are there"}
WITH = "digitized"


def streams(
    *reaches: tuple[tuple[float, float], ...], flow: list[str | None] | None = None
) -> Site:
    """The clean site with these reaches, far from waters that would end them."""
    data = {
        "geometry": [line(*reach) for reach in reaches],
        "name": [f"Reach {i}" for i in range(len(reaches))],
        "flow_direction": flow or [None] * len(reaches),
    }
    return with_layer(without(clean_site(), "wetlands", "discharges"), "streams", data)


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_an_end_that_falls_short() -> None:
    fault = only(streams(((0, 40), (300, 40)), ((303, 40), (800, 40))))
    assert fault.message == ("streams.shp, record 1 ends short of streams.shp, record 0, by 3.0 ft")
    assert fault.severity is Severity.WARNING
    assert fault.measured.value == pytest.approx(3.0)
    assert fault.geometry.length == pytest.approx(3.0)
    assert fault.related[0].feature == 0


def test_found_an_end_that_goes_beyond() -> None:
    fault = only(streams(((0, 40), (800, 40)), ((400, 300), (400, 38))))
    assert "record 1 goes beyond streams.shp, record 0, by 2.0 ft" in fault.message


def test_at_the_limit_ends_within_the_position_tolerance_are_joined() -> None:
    assert passes(rule, streams(((0, 40), (300, 40)), ((300.49, 40), (800, 40))))


def test_at_the_limit_an_end_at_the_snapping_distance_is_a_miss() -> None:
    assert len(faults_of(rule, streams(((0, 40), (300, 40)), ((304.99, 40), (800, 40))))) == 1


def test_just_over_the_snapping_distance_it_is_an_end() -> None:
    assert passes(rule, streams(((0, 40), (300, 40)), ((305.1, 40), (800, 40))))


def test_just_over_the_position_tolerance_it_is_a_miss() -> None:
    assert len(faults_of(rule, streams(((0, 40), (300, 40)), ((300.51, 40), (800, 40))))) == 1


def test_passes_a_tributary_that_ends_on_a_line() -> None:
    assert passes(rule, streams(((0, 40), (800, 40)), ((400, 300), (400, 40))))


def test_found_a_reach_drawn_backwards() -> None:
    """1 of 3 is reversed: 0 and 1 meet head on, and nothing feeds 1 where 2 begins."""
    reaches = ((0, 40), (300, 40)), ((600, 40), (300, 40)), ((600, 40), (800, 40))
    fault = only(streams(*reaches, flow=[WITH] * 3))
    assert "record 0 and streams.shp, record 1 flow towards each other" in fault.message
    assert "turning streams.shp, record 1 alone mends both its ends" in fault.message
    assert fault.source.feature == 1
    assert fault.severity is None  # the clause's verb: an error
    assert fault.geometry.equals(point(300, 40))


def test_found_as_a_warning_where_the_data_may_end() -> None:
    """Two streams that meet at the edge of a clipped dataset: nothing is wrong with either."""
    fault = only(streams(((0, 300), (300, 40)), ((0, -200), (300, 40)), flow=[WITH] * 2))
    assert fault.severity is Severity.WARNING
    assert "or the data end where they meet" in fault.message


def test_passes_when_the_field_says_so() -> None:
    reaches = ((0, 40), (300, 40)), ((600, 40), (300, 40)), ((600, 40), (800, 40))
    assert passes(rule, streams(*reaches, flow=[WITH, "reversed", WITH]))


def unstated(site: Site) -> Site:
    """The site without any ground: a reach that states nothing is told by nothing."""
    return with_declared_none(
        without(site, "contours_existing", "contours_proposed", "spot_elevations", "elevation")
    )


def test_found_as_information_where_nothing_tells_the_direction() -> None:
    fault = only(unstated(streams(((0, 40), (300, 40)))))
    assert fault.severity is Severity.INFO
    assert fault.message == (
        "1 reach of unknown direction, followed both ways: streams.shp, record 0"
    )
    assert fault.geometry.length == pytest.approx(300)


def test_passes_where_the_neighbours_leave_one_way_only() -> None:
    reaches = ((0, 40), (300, 40)), ((600, 40), (300, 40)), ((600, 40), (800, 40))
    assert passes(rule, unstated(streams(*reaches, flow=[WITH, "unknown", WITH])))


@pytest.mark.parametrize("wrong", [0, 3])
def test_found_as_a_warning_the_first_or_the_last_reach_drawn_backwards(wrong: int) -> None:
    """Turning a neighbour instead would move the fault and not mend it."""
    reaches = [((200 * i, 40), (200 * i + 200, 40)) for i in range(4)]
    reaches[wrong] = reaches[wrong][::-1]
    fault = only(unstated(streams(*reaches, flow=[WITH] * 4)))
    assert fault.source.feature == wrong
    assert f"record {wrong} is drawn backwards, or the data end here" in fault.message
    assert fault.message.endswith(": of unknown direction, it is followed both ways")
    assert fault.severity is Severity.WARNING


@pytest.mark.parametrize("wrong", [0, 3])
def test_found_as_an_error_where_the_ground_falls_the_other_way(wrong: int) -> None:
    """The ground falls 4 % to the south: 5 ft along each reach, against an error of 0.33 ft."""
    reaches = [((60, 580 - 125 * i), (60, 455 - 125 * i)) for i in range(4)]
    assert passes(rule, streams(*reaches, flow=[WITH] * 4))
    reaches[wrong] = reaches[wrong][::-1]
    fault = only(streams(*reaches, flow=[WITH] * 4))
    assert fault.source.feature == wrong
    assert f"record {wrong} is drawn backwards, by the fall of the ground" in fault.message
    assert fault.severity is None  # that of the rule, an error


def test_what_the_ground_confirms_is_not_of_unknown_direction() -> None:
    """Drawn down the slope, and the data end where it meets the other head on."""
    reaches = ((60, 300), (60, 200)), ((60, 20), (60, 200))
    (fault,) = faults_of(rule, streams(*reaches, flow=[WITH] * 2))
    assert "record 1 is drawn backwards, by the fall of the ground" in fault.message


def test_found_a_head_drawn_backwards_at_a_confluence() -> None:
    reaches = ((0, 40), (300, 40)), ((300, 40), (150, 300)), ((300, 40), (500, 40)), (
        (500, 40), (800, 40),
    )  # fmt: skip
    fault = only(unstated(streams(*reaches, flow=[WITH] * 4)))
    assert "record 1 leaves another stream and ends" in fault.message
    assert fault.source.feature == 1


def tabled(backwards: int | None = None, **fields: list[object]) -> Site:
    """Two heads into a trunk, with flow fields, and what a table says of them."""
    reaches = [((0, 300), (300, 40)), ((0, -200), (300, 40)), ((300, 40), (800, 40))]
    if backwards is not None:
        reaches[backwards] = reaches[backwards][::-1]
    site = streams(*reaches, flow=[WITH] * 3)
    for name, values in fields.items():
        for record, value in enumerate(values):
            site = set_value(site, "streams", record, name, value)
    return unstated(site)


TABLES = {
    "from and to nodes": {"from_node": ["1", "2", "3"], "to_node": ["3", "3", "4"]},
    "end elevations": {"level_high": [820.0, 815.0, 810.0], "level_low": [810.0, 810.0, 800.0]},
    "the flow table": {
        "reach": ["a", "b", "c"], "sequence": ["9", "8", "7"], "next_sequence": ["7", "7", "6"]
    },
}  # fmt: skip


@pytest.mark.parametrize("wrong", range(3))
@pytest.mark.parametrize("words", TABLES)
def test_found_by_what_tables_say_each_reach_drawn_backwards(words: str, wrong: int) -> None:
    assert passes(rule, tabled(**TABLES[words]))
    found = faults_of(rule, tabled(wrong, **TABLES[words]))
    (fault,) = [f for f in found if "is said to flow the other way" in f.message]
    assert fault.source.feature == wrong
    assert words in fault.message
    assert fault.severity is None  # an error: the field is wrong
    assert fault.field_name == "flow_direction"


def test_found_as_a_warning_a_line_without_a_field_drawn_against_its_flow() -> None:
    site = tabled(1, **TABLES["from and to nodes"], flow_direction=[None] * 3)
    fault = only(site)
    assert fault.message == (
        "streams.shp, record 1 is drawn against its flow; its direction is taken from its from "
        "and to nodes"
    )
    assert fault.severity is Severity.WARNING


def test_found_by_the_heights_of_its_own_vertices() -> None:
    site = streams(((0, 40), (800, 40)), flow=[WITH])
    rising = at(LineString([(0, 40, 800.0), (800, 40, 812.0)]))
    fault = only(unstated(set_geometry(site, "streams", 0, rising)))
    assert "taken from the heights of its own vertices" in fault.message


def test_passes_and_says_that_a_stem_was_cut_where_a_tributary_ends_on_it() -> None:
    site = streams(((0, 40), (800, 40)), ((400, 300), (400, 40)), flow=[WITH] * 2)
    (checked,) = run(rule, site)
    assert "1 reach cut where others end on them" in checked.words


def test_passes_a_bridge_that_crosses_without_an_end() -> None:
    site = streams(((0, 40), (800, 40)), ((400, 300), (400, -200)), flow=[WITH] * 2)
    (checked,) = run(rule, site)
    assert "cut" not in checked.words


def test_passes_two_ditches_that_meet_at_an_inlet() -> None:
    site = streams(((0, 40), (300, 40)), ((600, 40), (300, 40)), flow=[WITH] * 2)
    assert len(faults_of(rule, site)) == 1
    inlet = {"geometry": [point(302, 40)], "id": ["I-1"]}
    assert passes(rule, with_layer(site, "inlets", inlet))


def test_found_a_circle() -> None:
    ring = ((0, 40), (100, 40)), ((100, 40), (100, 140)), ((100, 140), (0, 40))
    fault = only(streams(*ring, ((-50, 40), (0, 40)), ((100, 140), (300, 300)), flow=[WITH] * 5))
    assert "flow in a circle" in fault.message
    assert fault.measured.value == 3
    assert {fault.source.feature, *(s.feature for s in fault.related)} == {0, 1, 2}


def test_passes_an_island_around_which_the_water_parts() -> None:
    arms = ((0, 40), (100, 80), (200, 40)), ((0, 40), (100, 0), (200, 40))
    ends = ((-80, 40), (0, 40)), ((200, 40), (300, 40))
    assert passes(rule, streams(*arms, *ends, flow=[WITH] * 4))


def sewer(up: float, down: float) -> Site:
    pipe = {
        "geometry": [line((200, 400), (200, 300))],
        "id": ["P-1"],
        "invert_up_ft": [up],
        "invert_down_ft": [down],
    }
    return with_layer(clean_site(), "storm_sewers", pipe)


def test_found_a_pipe_that_rises() -> None:
    fault = only(sewer(800.0, 800.6))
    assert fault.message == (
        "storm_sewers.shp, id P-1, record 0: the invert rises by 0.60 ft from the upper end to "
        "the lower"
    )
    assert fault.measured.value == pytest.approx(0.6)


def test_at_the_limit_a_rise_within_the_level_tolerance_passes() -> None:
    assert passes(rule, sewer(800.0, 800.01))
    assert len(faults_of(rule, sewer(800.0, 800.02))) == 1


def test_passes_pipes_that_end_at_the_walls_of_a_manhole() -> None:
    """4 ft of structure between two pipe ends is no gap."""
    pipes = {
        "geometry": [line((200, 400), (200, 302)), line((200, 298), (200, 200))],
        "id": ["P-1", "P-2"],
    }
    site = with_layer(clean_site(), "storm_sewers", pipes)
    assert len(faults_of(rule, site)) == 1
    assert passes(rule, with_layer(site, "inlets", {"geometry": [point(200, 300)], "id": ["M"]}))


def test_not_applicable_without_lines() -> None:
    site = with_declared_none(without(clean_site(), "streams"), "streams")
    (said,) = run(rule, site)
    assert isinstance(said, NotApplicable)


@pytest.mark.real_data
def test_found_in_the_storm_sewers_of_a_campus_in_good_time(shared_data: Path) -> None:
    """5,192 pipes: known to be in hundreds of pieces; the network takes seconds, not minutes."""
    site = open_site(shared_data / "2-real-us" / "uk-campus-storm-sewer-ky")
    begin = time.perf_counter()
    said = run(rule, site)
    assert time.perf_counter() - begin < 10
    (checked,) = [s for s in said if isinstance(s, Checked)]
    assert checked.count > 5000
    assert any(isinstance(s, Fault) and "ends short of" in s.message for s in said)


NHD_FLOW = {"flow_direction": [WITH, WITH], "name": ["Far creek"] * 2, "kind": ["stream"] * 2}


def test_passes_what_is_broken_in_a_reference_alone() -> None:
    """Two reaches of the county, 900 ft off: head on, and none of them drawn by the applicant."""
    far = [line((-1200, 900), (-600, 900)), line((0, 900), (-600, 900))]
    site = known(
        streams(((0, 40), (800, 40)), flow=[WITH]), "streams", {"geometry": far, **NHD_FLOW}
    )
    assert passes(rule, site)
    (checked,) = [said for said in run(rule, site) if isinstance(said, Checked)]
    assert checked.count == 1
    assert checked.words.endswith("; 2 reaches beside them that only a reference shows")


def test_found_where_a_reach_meets_one_of_a_reference_head_on() -> None:
    """The county's creek comes the other way: the fault stands at the drawn one, by its record."""
    beyond = {"geometry": [line((1500, 40), (800, 40)), line((2200, 40), (1500, 40))], **NHD_FLOW}
    fault = only(known(streams(((0, 40), (800, 40)), flow=[WITH]), "streams", beyond))
    assert fault.message.startswith(
        "streams.shp, record 0 and nhd.gdb, layer streams, record 0 flow towards each other"
    )
    assert (fault.source.file, fault.source.feature) == ("streams.shp", 0)
    assert [one.file for one in fault.related] == ["nhd.gdb"]
    assert fault.geometry.distance(point(800, 40)) < 1.0


def test_a_drawn_reach_of_unknown_direction_is_told_beside_a_reference() -> None:
    far = {"geometry": [line((-1200, 900), (-600, 900))], "name": ["Far"], "kind": ["stream"]}
    fault = only(known(unstated(streams(((0, 40), (300, 40)))), "streams", far))
    assert fault.message == (
        "1 reach of unknown direction, followed both ways: streams.shp, record 0"
    )
