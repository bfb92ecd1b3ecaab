"""Reaches joined, turned, and followed on all branches."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from shapely.geometry import LineString, Point

from sitemap.measures.flow_direction import Known
from sitemap.terrain.network import Network, build_network
from sitemap.terrain.reaches import Leaf, Reach, Step


def reach(*xy: tuple[float, float], stated: int = 1, **more: object) -> Reach:
    return Reach(LineString(xy), "streams", 0, stated=stated, **more)  # type: ignore[arg-type]


def chain(count: int = 6, turned: int | None = None) -> list[Reach]:
    """Reaches of 300 ft in a row to the east; one of them drawn the other way."""
    made = [reach((300.0 * i, 0.0), (300.0 * i + 300.0, 0.0)) for i in range(count)]
    if turned is not None:
        made[turned] = reach((300.0 * turned + 300.0, 0.0), (300.0 * turned, 0.0))
    return made


def ends(steps: Iterable[Step]) -> dict[tuple[float, float], float]:
    """The lower end of each last step, and its distance."""
    return {
        tuple(np.round(s.line.coords[-1], 3).tolist()): round(s.end_ft, 3)
        for s in steps
        if s.leaf is not None
    }


def from_start(network: Network, at: tuple[float, float], length: float = 1320.0) -> list[Step]:
    found = network.nearest(Point(at), 5.0)
    assert found is not None
    return network.downstream(*found, length)


def test_the_path_is_cut_at_exactly_the_distance() -> None:
    steps = from_start(build_network(chain(), 5.0), (100.0, 0.0))
    assert ends(steps) == {(1420.0, 0.0): 1320.0}
    assert [s.leaf for s in steps][-1] is Leaf.DISTANCE
    assert sum(s.line.length for s in steps) == pytest.approx(1320.0)


@pytest.mark.parametrize("turned", range(1, 5))
def test_one_reversed_reach_of_six_is_found_and_the_way_goes_on(turned: int) -> None:
    network = build_network(chain(turned=turned), 5.0)
    (which,) = network.turned
    assert network.edges[which].known is Known.TURNED
    assert sorted(network.edges[which].line.coords) == sorted(
        chain(turned=turned)[turned].line.coords
    )
    assert ends(from_start(network, (0.0, 0.0))) == {(1320.0, 0.0): 1320.0}


def falling(xy: np.ndarray) -> np.ndarray:
    """The ground falls 1 % to the east, 3 ft along each reach."""
    return 800.0 - 0.01 * xy[:, 0]


@pytest.mark.parametrize("turned", [0, 5])
def test_the_first_and_the_last_reach_are_turned_by_the_ground(turned: int) -> None:
    """A meeting or a parting is mended at one end only: without the ground it might be the end."""
    network = build_network(chain(turned=turned), 5.0, falling, 0.33)
    (which,) = network.turned
    assert network.edges[which].known is Known.TURNED
    assert not network.continuity.either_way
    assert ends(from_start(network, (0.0, 0.0), 9000.0)) == {(1800.0, 0.0): 1800.0}


@pytest.mark.parametrize("turned", [0, 5])
@pytest.mark.parametrize("error_ft", [None, 2.0])
def test_where_no_ground_tells_they_are_followed_both_ways(
    turned: int, error_ft: float | None
) -> None:
    """3 ft of fall are less than 2.8 standard errors of 2 ft."""
    heights = None if error_ft is None else falling
    network = build_network(chain(turned=turned), 5.0, heights, error_ft or 0.0)
    assert network.turned == ()
    assert network.continuity.either_way == {turned}
    assert network.continuity.followed[1][turned] is Known.ASSUMED
    steps = from_start(network, (150.0 if turned == 0 else 0.0, 0.0), 9000.0)
    assert (1800.0, 0.0) in ends(steps), "the way down is among those that are followed"
    assert not all(step.certain for step in steps)


def test_what_falls_as_it_is_drawn_is_not_doubted_where_the_data_end() -> None:
    """Two heads that meet at the edge of the data, both down the slope."""
    made = [reach((0, 0), (300, 0)), reach((0, 300), (200, 300), (300, 0))]
    network = build_network(made, 5.0, falling, 0.33)
    assert not network.continuity.either_way
    assert network.turned == ()


def test_reaches_that_end_short_say_so() -> None:
    steps = from_start(build_network(chain(3), 5.0), (60.0, 0.0))
    assert ends(steps) == {(900.0, 0.0): 840.0}
    assert steps[-1].leaf is Leaf.EDGE


def test_reaches_that_meet_with_none_to_lead_on_say_so() -> None:
    made = [reach((0, 0), (300, 0)), reach((600, 0), (300, 0))]
    steps = from_start(build_network(made, 5.0), (0, 0))
    assert [s.leaf for s in steps] == [Leaf.HEAD_ON]


def test_each_branch_of_a_split_has_its_own_length() -> None:
    made = [
        reach((0, 0), (100, 0)),
        reach((100, 0), (100, 200)),
        reach((100, 0), (100, -50)),
    ]
    assert ends(from_start(build_network(made, 5.0), (0, 0))) == {
        (100.0, 200.0): 300.0,
        (100.0, -50.0): 150.0,
    }


def test_branches_that_join_again_go_on_by_the_shorter_way() -> None:
    made = [
        reach((0, 0), (100, 0)),
        reach((100, 0), (200, 200), (300, 0)),
        reach((100, 0), (300, 0)),
        reach((300, 0), (400, 0)),
    ]
    steps = from_start(build_network(made, 5.0), (0, 0))
    assert ends(steps) == {(400.0, 0.0): 400.0}
    assert len(steps) == 4


def test_a_circle_ends() -> None:
    made = [reach((0, 0), (100, 0)), reach((100, 0), (100, 100), (0, 100), (0, 0))]
    steps = from_start(build_network(made, 5.0), (0, 0), 1e6)
    assert len(steps) == 2


def test_an_end_within_the_snapping_distance_joins_also_in_the_middle_of_a_reach() -> None:
    """The gap of 4.9 ft is part of the way: 400 ft to the stem, 500 ft along it."""
    made = [reach((0, 0), (1000, 0)), reach((500, 400), (500, 4.9))]
    assert ends(from_start(build_network(made, 5.0), (500, 400))) == {(1000.0, 0.0): 900.0}
    apart = [reach((0, 0), (1000, 0)), reach((500, 400), (500, 5.1))]
    assert ends(from_start(build_network(apart, 5.0), (500, 400))) == {(500.0, 5.1): 394.9}


def test_inverts_weigh_more_than_the_field_and_the_field_more_than_the_ground() -> None:
    def rising_east(xy: np.ndarray) -> np.ndarray:
        return np.asarray(xy[:, 0])

    def only(each: Reach) -> tuple[Known, bool]:
        (edge,) = build_network([each], 5.0, rising_east, 0.3).edges
        return edge.known, edge.against

    line = ((0.0, 0.0), (100.0, 0.0))
    with_inverts = reach(*line, stated=-1, invert_first_ft=9.0, invert_last_ft=8.0)
    assert only(with_inverts) == (Known.INVERTS, False)
    assert only(reach(*line, stated=1)) == (Known.FIELD, False)
    assert only(reach(*line, stated=0)) == (Known.GROUND, True)
    (edge,) = build_network([reach(*line, stated=0)], 5.0).edges
    assert edge.known is Known.ASSUMED


def test_a_reach_of_unknown_direction_is_followed_both_ways_and_not_certain() -> None:
    network = build_network([reach((0, 0), (1000, 0), stated=0)], 5.0)
    steps = from_start(network, (300, 0))
    assert ends(steps) == {(0.0, 0.0): 300.0, (1000.0, 0.0): 700.0}
    assert not any(step.certain for step in steps)


def test_a_pipe_is_touched_at_its_ends_only() -> None:
    network = build_network([reach((0, 0), (1000, 0), underground=True)], 5.0)
    assert network.nearest(Point(500, 1), 5.0) is None
    assert network.nearest(Point(2, 2), 5.0) == (0, 0.0)
    assert network.nearest(Point(1001, 2), 5.0) == (0, 1000.0)


def test_a_line_across_a_pipe_does_not_join_it() -> None:
    made = [reach((0, 0), (1000, 0), underground=True), reach((500, 300), (500, 1))]
    assert ends(from_start(build_network(made, 5.0), (500, 300))) == {(500.0, 1.0): 299.0}


def test_a_reach_between_known_ones_flows_as_they_want_it_and_is_not_certain() -> None:
    made = [reach((0, 0), (300, 0)), reach((600, 0), (300, 0), stated=0), reach((600, 0), (900, 0))]
    network = build_network(made, 5.0)
    (edge,) = [e for e in network.edges if e.known is Known.CONTINUITY]
    assert edge.against
    steps = from_start(network, (0, 0))
    assert ends(steps) == {(900.0, 0.0): 900.0}
    assert [s.certain for s in steps] == [True, False, False]


def test_what_two_kinds_of_evidence_tell_differently_is_followed_and_not_certain() -> None:
    def rising_east(xy: np.ndarray) -> np.ndarray:
        return np.asarray(xy[:, 0])

    network = build_network([reach((0, 0), (1000, 0), stated=1)], 5.0, rising_east, 0.3)
    steps = from_start(network, (0, 0))
    assert ends(steps) == {(1000.0, 0.0): 1000.0}
    assert not any(step.certain for step in steps)


def test_a_fall_of_the_ground_within_two_standard_errors_tells_nothing() -> None:
    def nearly_flat(xy: np.ndarray) -> np.ndarray:
        return np.asarray(0.0008 * xy[:, 0])  # 0.8 ft; two errors of a difference are 0.85 ft

    line = reach((0, 0), (1000, 0), stated=0)
    assert build_network([line], 5.0, nearly_flat, 0.3).edges[0].known is Known.ASSUMED
    assert build_network([line], 5.0, nearly_flat, 0.2).edges[0].known is Known.GROUND
