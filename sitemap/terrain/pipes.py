"""Where pipes take water in and let it out: inlets, open ends, and the end each leads to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.site import Site

JOINT_FT = 5.0  # ends of pipes nearer than this are one manhole
_NO_INTAKE = ("endwall", "end wall", "end section", "outlet", "headwall", "manhole")


@dataclass(frozen=True, eq=False)
class PipeWays:
    """For each entrance (x, y) the exit (x, y) to which pipes lead its water; names of entrances.

    is_inlet is False for the open end of a pipe; inverts_ft are of those, NaN where not stated.
    Drawn direction counts unless the stated inverts rise along it.
    """

    entrances: np.ndarray
    exits: np.ndarray
    names: tuple[str, ...]
    is_inlet: tuple[bool, ...] = ()
    inverts_ft: tuple[float, ...] = ()


def pipe_ways(site: Site, roles: tuple[str, ...] = ("storm_sewers", "culverts")) -> PipeWays:
    """Inlets, and ends of pipes that nothing runs into, with the open end they drain to."""
    starts, ends, names, inverts = _pipes(site, roles)
    if not len(starts):
        return PipeWays(np.empty((0, 2)), np.empty((0, 2)), ())
    node = _joined(np.concatenate([starts, ends]))
    first, last = node[: len(starts)], node[len(starts) :]
    following: dict[int, int] = {}
    for pipe, a in enumerate(first.tolist()):
        following.setdefault(a, pipe)
    ends_open = np.flatnonzero(~np.isin(first, last)).tolist()
    entrances = [(i, starts[i], names[i], False) for i in ends_open]
    inlets, labels = _inlets(site)
    if len(inlets):
        near = shapely.STRtree(_points(np.concatenate([starts, ends])))
        hit, place = near.query_nearest(_points(inlets), max_distance=JOINT_FT, all_matches=False)
        for which, at in zip(hit.tolist(), place.tolist(), strict=True):
            pipe_from = following.get(int(node[at]))
            if pipe_from is not None:
                entrances.append((pipe_from, inlets[which], labels[which], True))
    places = {tuple(np.round(one[1], 2)): one for one in entrances}  # an inlet before its pipe
    kept = list(places.values())
    exits = [ends[_end_of(one[0], last.tolist(), following)] for one in kept]
    return PipeWays(
        np.array([one[1] for one in kept]).reshape(-1, 2),
        np.array(exits).reshape(-1, 2),
        tuple(one[2] for one in kept),
        tuple(one[3] for one in kept),
        tuple(float("nan") if one[3] else inverts[one[0]] for one in kept),
    )


def _end_of(pipe: int, last: list[int], following: dict[int, int]) -> int:
    """The pipe from which the water of a pipe comes out; the pipe itself in a circle."""
    seen = {pipe}
    at = pipe
    while last[at] in following:
        at = following[last[at]]
        if at in seen:
            return pipe
        seen.add(at)
    return at


def _pipes(
    site: Site, roles: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, list[str], list[float]]:
    """Upper and lower ends of all pipes, their ids and their upper inverts."""
    starts, ends, inverts = [], [], []
    names: list[str] = []
    for role in roles:
        layer = site.role(role)
        if layer is None or layer.usable.empty:
            continue
        frame = layer.usable
        parts, owner = shapely.get_parts(
            shapely.force_2d(frame.geometry.to_numpy()), return_index=True
        )
        lines = np.isin(shapely.get_type_id(parts), (1, 2))
        parts, owner = parts[lines], owner[lines]
        if not len(parts):
            continue
        ids = frame["id"].tolist()
        up, down = (
            frame[name].to_numpy(dtype=float, na_value=np.nan)[owner]
            for name in ("invert_up_ft", "invert_down_ft")
        )
        a = shapely.get_coordinates(shapely.get_point(parts, 0))
        b = shapely.get_coordinates(shapely.get_point(parts, -1))
        rises = (up < down)[:, None]
        inverts.append(np.fmax(up, down))
        starts.append(np.where(rises, b, a))
        ends.append(np.where(rises, a, b))
        names += [str(ids[i] or f"{role} {i + 1}") for i in owner.tolist()]
    if not starts:
        return np.empty((0, 2)), np.empty((0, 2)), [], []
    return np.concatenate(starts), np.concatenate(ends), names, np.concatenate(inverts).tolist()


def _inlets(site: Site) -> tuple[np.ndarray, list[str]]:
    layer = site.role("inlets")
    if layer is None or layer.usable.empty:
        return np.empty((0, 2)), []
    frame = layer.usable
    kind = frame["kind"].fillna("").astype(str).str.lower()
    point = shapely.get_type_id(frame.geometry.to_numpy()) == 0
    takes = point & ~kind.isin(_NO_INTAKE).to_numpy()
    xy = shapely.get_coordinates(frame.geometry.to_numpy()[takes])
    return xy, [str(name or "inlet") for name in frame["id"][takes].tolist()]


def _joined(xy: np.ndarray) -> np.ndarray:
    """A number for each place; places within a joint's reach share one."""
    points = _points(xy)
    tree = shapely.STRtree(points)
    a, b = tree.query(points, predicate="dwithin", distance=JOINT_FT)
    number = np.arange(len(xy))
    while True:
        lower = number.copy()
        np.minimum.at(lower, a, number[b])
        if np.array_equal(lower, number):
            return number
        number = lower


def _points(xy: np.ndarray) -> np.ndarray:
    return np.asarray(shapely.points(xy), dtype=object)
