"""Real networks against the flow tables shipped with them; what is noticed when they are harmed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString

from sitemap.intake.assemble import open_site
from sitemap.measures.flow_evidence import NOTHING_SAID
from sitemap.site import Site
from sitemap.terrain.conduits import network_of, stops_of
from sitemap.terrain.continuity import Stops
from sitemap.terrain.network import Network, build_network
from sitemap.terrain.reaches import Leaf, Reach
from sitemap.terrain.routing import routing_of

pytestmark = [pytest.mark.real_data, pytest.mark.filterwarnings("ignore")]
SNAP_FT = 5.0
NAMES = ("madison-nhdplus-wi", "tyler-forks-wi")


@cache
def opened(folder: Path) -> Site:
    return open_site(folder)


@pytest.fixture(params=NAMES)
def site(request: pytest.FixtureRequest, shared_data: Path) -> Site:
    return opened(shared_data / "1-midwest" / request.param)


def sets_of(leads: Mapping[str, list[str]], start: str) -> set[str]:
    seen, queue = {start}, [start]
    while queue:
        new = [name for name in leads.get(queue.pop(), []) if name not in seen]
        seen.update(new)
        queue += new
    return seen


def leads_of(site: Site) -> dict[str, list[str]]:
    """Which reach leads to which, by the node names of the tables, which know every fork."""
    rows = [r for r in routing_of(site)[0] if r.from_node is not None]
    return {str(a.reach): [str(b.reach) for b in rows if b.from_node == a.to_node] for a in rows}


def test_the_network_leads_where_the_tables_lead(site: Site) -> None:
    network, leads = network_of(site, SNAP_FT, None), leads_of(site)
    named = {e.reach.routing.reach: i for i, e in reversed(list(enumerate(network.edges)))}
    assert len(leads) > 100
    for start in leads:
        steps = network.downstream(named[start], 0.0, 1e9)
        found = {network.edges[step.edge].reach.routing.reach for step in steps}
        assert found & leads.keys() == sets_of(leads, start), start  # others have no nodes
    assert not network.continuity.noded.snaps
    assert not network.continuity.noded.cut


def test_the_flow_table_of_the_set_says_the_same(shared_data: Path) -> None:
    """PlusFlow.dbf of Tyler Forks is a table of its own, read beside the streams."""
    site = opened(shared_data / "1-midwest/tyler-forks-wi")
    pairs = routing_of(site)[1]
    here = {str(r.reach) for r in routing_of(site)[0]}
    by_nodes = {(a, b) for a, all_b in leads_of(site).items() for b in all_b}
    assert {(a, b) for a, b in pairs if a in here and b in here} == by_nodes


def harmed(
    network: Network, leads: frozenset[tuple[str, str]], stops: Stops
) -> Iterator[tuple[int, Network]]:
    """The network with each reach of stated direction drawn backwards, in turn."""
    for i, reach in enumerate(network.reaches):
        if reach.stated:
            changed = list(network.reaches)
            changed[i] = replace(reach, line=reach.line.reverse())
            yield i, build_network(changed, SNAP_FT, None, 0.0, leads, stops)


def told(network: Network) -> set[tuple[object, ...]]:
    """What TOP003 would say of directions: contradicted reaches, odd places, circles."""
    from sitemap.measures.flow_network import circles

    continuity = network.continuity
    found: set[tuple[object, ...]] = {
        ("against", i) for i in np.flatnonzero(continuity.told.contradicted()).tolist()
    }
    found |= {(odd.kind, odd.lines, odd.turn) for odd in continuity.odd}
    tail, head = continuity.balance.flow(continuity.told.sign)
    known = np.flatnonzero(continuity.told.is_known[continuity.noded.of])
    found |= {("circle", *known[c].tolist()) for c in circles(tail[known], head[known])}
    return found


def unnoticed(network: Network, leads: frozenset[tuple[str, str]], stops: Stops) -> list[int]:
    before = told(network)
    return [i for i, changed in harmed(network, leads, stops) if not told(changed) - before]


def test_with_its_tables_every_reach_drawn_backwards_is_noticed(site: Site) -> None:
    """All 267 of Madison; of 101 of Tyler Forks the two that touch no other reach cannot be."""
    leads, stops = routing_of(site)[1], stops_of(site)
    network = network_of(site, SNAP_FT, None)
    degree, ends = network.continuity.noded.degree(), network.continuity.noded.ends
    alone = [
        i
        for i, reach in enumerate(network.reaches)
        if reach.stated and degree[ends[i]] == degree[ends[i + len(network.reaches)]] == 1
    ]
    assert unnoticed(network, leads, stops) == alone
    assert len(alone) == (2 if "tyler" in site.name else 0)


def test_without_tables_what_is_not_noticed_nobody_could_tell(site: Site) -> None:
    """By the flow field and continuity alone: 233 of 267, and 99 of 101.

    The others touch no reach; or lie at a lake, which then merely has no inlet or no outlet; or
    link a fork to a confluence, where both places keep a way in and a way out.
    """
    bare = [replace(reach, routing=NOTHING_SAID) for reach in network_of(site, 5.0, None).reaches]
    stops = stops_of(site)
    network = build_network(bare, SNAP_FT, None, 0.0, frozenset(), stops)
    left = unnoticed(network, frozenset(), stops)
    assert len(left) == (2 if "tyler" in site.name else 34)
    lakes = shapely.STRtree(stops.waters)
    for i in left:
        edge = next(e for e in network.edges if e.number == i)
        fork = len(network.out_of(edge.tail)) > 1 and len(network.into(edge.head)) > 1
        alone = not network.into(edge.tail) and not network.out_of(edge.head)
        lake = len(lakes.query(edge.line, predicate="dwithin", distance=SNAP_FT)) > 0
        assert fork or alone or lake, i


def test_a_clipped_network_says_where_it_was_clipped(site: Site) -> None:
    """The southern half is cut away: each way that went there ends as the edge of the data."""
    network = network_of(site, SNAP_FT, None)
    whole = shapely.box(*shapely.total_bounds([r.line for r in network.reaches]))
    left, bottom, right, top = whole.bounds
    window = shapely.box(left - 1, (bottom + top) / 2, right + 1, top + 1)
    kept: list[Reach] = []
    for reach in network.reaches:
        for part in shapely.get_parts(shapely.intersection(reach.line, window)):
            if isinstance(part, LineString) and part.length > 1.0:
                kept.append(replace(reach, line=part))
    clipped = build_network(kept, SNAP_FT, None, 0.0, routing_of(site)[1], stops_of(site))
    rim = window.boundary.intersection(whole.buffer(-10.0))
    ended = 0
    for number in range(len(clipped.edges)):
        for step in clipped.downstream(number, 0.0, 1e9):
            if step.leaf is Leaf.EDGE and rim.distance(shapely.get_point(step.line, -1)) < 1.0:
                ended += 1
            assert step.leaf is not Leaf.DISTANCE
    assert ended >= 4


def test_all_of_the_soque_leaves_by_one_outlet(shared_data: Path) -> None:
    pyogrio = pytest.importorskip("pyogrio")
    frame = pyogrio.read_dataframe(shared_data / "2-real-us/soque-streams-ga/Soque_Links.shp")
    lines = shapely.line_merge(shapely.force_2d(frame.to_crs("EPSG:2239").geometry.to_numpy()))
    network = build_network(
        [Reach(line, "streams", i, stated=1) for i, line in enumerate(lines)], SNAP_FT
    )
    outlets = set()
    for i in range(len(network.edges)):
        steps = network.downstream(i, 0.0, 1e9)
        outlets |= {network.edges[s.edge].head for s in steps if s.leaf is not None}
    assert len(outlets) == 1
