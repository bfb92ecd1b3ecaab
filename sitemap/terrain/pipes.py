"""Where pipes take water in and let it out: inlets, open ends, and the end each leads to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sitemap.site import Site
from sitemap.terrain.conduits import inlets_of, network_of
from sitemap.terrain.lines import first_of, last_of
from sitemap.terrain.network import Network

JOINT_FT = 5.0  # ends of pipes nearer than this are one manhole


@dataclass(frozen=True, eq=False)
class PipeWays:
    """For each entrance (x, y) the exit (x, y) to which pipes lead its water; names of entrances.

    is_inlet is False for the open end of a pipe; inverts_ft are of those, NaN where not stated.
    The direction of a pipe is that of the network; one of which nothing is known flows as drawn.
    """

    entrances: np.ndarray
    exits: np.ndarray
    names: tuple[str, ...]
    is_inlet: tuple[bool, ...] = ()
    inverts_ft: tuple[float, ...] = ()


def pipe_ways(site: Site, roles: tuple[str, ...] = ("storm_sewers", "culverts")) -> PipeWays:
    """Inlets, and ends of pipes that nothing runs into, with the open end they drain to."""
    network = network_of(site, JOINT_FT, None)
    pipes = [i for i, edge in enumerate(network.edges) if edge.reach.role in roles]
    own = set(pipes)
    entrances: dict[tuple[float, float], tuple[int, str, bool]] = {}
    for i in pipes:
        if not own.intersection(network.into(network.edges[i].tail)):
            start = first_of(network.edges[i].line)
            reach = network.edges[i].reach
            entrances[_at(start.x, start.y)] = (i, reach.name or f"{reach.role} {i + 1}", False)
    names = inlets_of(site)[1]
    for i, which, point in network.intakes:
        if i in own:
            entrances[_at(point.x, point.y)] = (i, names[which], True)
    kept = list(entrances.items())
    exits = [last_of(network.edges[_end_of(i, network, own)].line) for _, (i, _, _) in kept]
    return PipeWays(
        np.array([place for place, _ in kept], dtype=float).reshape(-1, 2),
        np.array([(end.x, end.y) for end in exits], dtype=float).reshape(-1, 2),
        tuple(name for _, (_, name, _) in kept),
        tuple(inlet for _, (_, _, inlet) in kept),
        tuple(np.nan if inlet else _upper_invert(network, i) for _, (i, _, inlet) in kept),
    )


def _at(x: float, y: float) -> tuple[float, float]:
    """A place to a hundredth of a foot: an inlet at the open end of a pipe is one entrance."""
    return round(x, 2), round(y, 2)


def _upper_invert(network: Network, edge: int) -> float:
    reach = network.edges[edge].reach
    return float(np.fmax(reach.invert_first_ft, reach.invert_last_ft))


def _end_of(pipe: int, network: Network, own: set[int]) -> int:
    """The pipe from which the water of a pipe comes out; the pipe itself in a circle."""
    seen = {pipe}
    at = pipe
    while following := [i for i in network.out_of(network.edges[at].head) if i in own]:
        at = following[0]
        if at in seen:
            return pipe
        seen.add(at)
    return at
