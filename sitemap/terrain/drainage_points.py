"""Places whose drainage areas are asked for, on the flow over a surface and through its pipes.

They are the outfalls, and the low points where water leaves over the boundary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.measures.cover import acres
from sitemap.site import RoleLayer, Site
from sitemap.terrain.cell_outlines import cells_touched
from sitemap.terrain.design import cells_inside
from sitemap.terrain.diversions import led_along
from sitemap.terrain.flow_field import FlowField, Jump, flow_field
from sitemap.terrain.pipes import pipe_ways
from sitemap.terrain.surface import Surface

SNAP_FT = 30.0  # an outfall is put on the strong flow within this distance
INLET_SNAP_FT = 15.0
STRONG_SHARE = 0.5
APART_FT = 100.0  # places along the boundary nearer than this are one low point
LEAST_ACRES = 0.5  # less water over the boundary than from this is not a low point
WATERS = ("streams", "waterbodies", "wetlands")
OUTFALL, LOW_POINT = "outfall", "boundary low point"


@dataclass(frozen=True, eq=False)
class DrainagePoint:
    """A place whose drainage area is asked for: cells (flat), name, kind, how far it was moved."""

    name: str
    kind: str  # "outfall" or "boundary low point"
    cells: np.ndarray
    xy: tuple[float, float]
    moved_ft: float = 0.0


@dataclass(frozen=True, eq=False)
class Piped:
    """Where pipes end, (n, 2), and how many pipes and diversions lead water, in words."""

    exits: np.ndarray
    words: list[str]


def field_with_pipes(
    site: Site, surface: Surface, *, after_grading: bool
) -> tuple[FlowField, Piped]:
    """The flow over the ground, with culverts; after grading with sewers and diversions, too.

    An inlet takes the strong flow beside it; the open end of a pipe the lowest ground, where a
    basin stands first.
    """
    diverted, lines = led_along(site, surface) if after_grading else ({}, 0)
    words = [f"{lines} diversions and waterways lead water to their lower ends"] if lines else []
    field = flow_field(surface, diverted)
    ways = pipe_ways(site, ("storm_sewers", "culverts") if after_grading else ("culverts",))
    if not len(ways.names):
        return field, Piped(np.empty((0, 2)), words)
    jumps: dict[int, Jump] = {}
    furthest = 0.0
    for entrance, leave, inlet, invert_ft in zip(
        ways.entrances, ways.exits, ways.is_inlet, ways.inverts_ft, strict=True
    ):
        weight = field.upstream if inlet else -surface.z_ft.ravel()
        cell, moved = _strongest(field, entrance, INLET_SNAP_FT, None, weight, inlet)
        out = _cell(surface, leave)
        if cell is not None and out is not None and cell != out:
            jumps[cell] = Jump(out, invert_ft)
            furthest = max(furthest, moved)
    if jumps:
        words.append(
            f"{len(jumps)} inlets and pipe ends take in water, moved at most {furthest:.0f} ft to "
            f"the strong flow (open ends: to the lowest ground) within {INLET_SNAP_FT:g} ft"
        )
    return flow_field(surface, diverted | jumps), Piped(ways.exits, words)


def _cell(surface: Surface, xy: np.ndarray) -> int | None:
    rows, columns = (int(side) for side in surface.z_ft.shape)
    row, column = _row_column(surface, xy)
    inside = 0 <= row < rows and 0 <= column < columns
    if not inside or bool(np.isnan(surface.z_ft[row, column])):
        return None
    return row * columns + column


def _row_column(surface: Surface, xy: np.ndarray) -> tuple[int, int]:
    rows, columns = surface.cells(np.asarray(xy))
    return int(rows[0]), int(columns[0])


def _strongest(
    field: FlowField,
    xy: np.ndarray,
    within_ft: float,
    barred: np.ndarray | None,
    weight: np.ndarray,
    near: bool = True,
) -> tuple[int | None, float]:
    """The cell with the most weight near a place, and its distance; None off the surface.

    With `near` the nearest that has at least half of the most: of a flow the most is always what
    lies farthest down.
    """
    surface = field.surface
    rows, columns = surface.z_ft.shape
    reach = int(np.ceil(within_ft / surface.cell_ft))
    row, column = _row_column(surface, xy)
    r = np.arange(max(row - reach, 0), min(row + reach + 1, rows))
    c = np.arange(max(column - reach, 0), min(column + reach + 1, columns))
    if not len(r) or not len(c):
        return None, 0.0
    r, c = (v.ravel() for v in np.meshgrid(r, c, indexing="ij"))
    cells = r * columns + c
    away = np.hypot(*(surface.xy(r, c) - np.asarray(xy)).T)
    good = (away <= max(within_ft, surface.cell_ft)) & field.known[cells]
    if barred is not None:
        good &= ~barred[cells]
    if not good.any():
        return None, 0.0
    most = np.where(good, weight[cells], -np.inf)
    enough = most >= (STRONG_SHARE * most.max() if near else most.max())
    best = np.lexsort([-most, np.where(enough, away, np.inf)])[0]
    return int(cells[best]), float(away[best])


def outfalls_on(site: Site, field: FlowField, exits: np.ndarray) -> list[DrainagePoint]:
    """The outfalls drawn; one at the end of a pipe stays there, another goes to the flow beside."""
    layer = site.role("outfalls")
    if layer is None or layer.usable.empty:
        return []
    barred = _in_water(site, field.surface)
    found = []
    for label, xy in _outfall_places(layer):
        at_pipe = exits[np.hypot(*(exits - xy).T) <= SNAP_FT] if len(exits) else exits
        cell, moved = None, 0.0
        if len(at_pipe):
            cell = _cell(field.surface, at_pipe[np.argmin(np.hypot(*(at_pipe - xy).T))])
        if cell is None:
            cell, moved = _strongest(field, xy, SNAP_FT, barred, field.upstream)
        if cell is not None:
            found.append(_point(label, OUTFALL, np.array([cell]), xy, moved))
    return found


def _outfall_places(layer: RoleLayer) -> Iterator[tuple[str, np.ndarray]]:
    """The name and the place of each outfall; several points of one feature are told apart."""
    names = [
        str(name) if name else f"outfall {number}"
        for number, name in enumerate(layer.usable["id"], start=1)
    ]
    times, met = Counter(names), Counter[str]()
    for name, shape in zip(names, layer.shapes, strict=True):
        met[name] += 1
        label = name if times[name] == 1 else f"{name} ({met[name]})"
        yield label, np.array(shape.representative_point().coords[0][:2])


def _point(
    name: str, kind: str, cells: np.ndarray, xy: np.ndarray, moved_ft: float = 0.0
) -> DrainagePoint:
    return DrainagePoint(name, kind, cells, (float(xy[0]), float(xy[1])), moved_ft)


def _in_water(site: Site, surface: Surface) -> np.ndarray:
    """Cells on a stream or in a water, flat: an outfall is not moved into what it flows to."""
    layers = [layer for role in WATERS if (layer := site.role(role)) is not None]
    shapes = [shape for layer in layers for shape in shapely.make_valid(layer.shapes)]
    return cells_touched(shapes, surface.z_ft.shape, surface.transform).ravel()


def low_points_on(
    site: Site, field: FlowField, outfalls: Sequence[DrainagePoint]
) -> list[DrainagePoint]:
    """Where water from inside crosses the boundary outward, from more than LEAST_ACRES."""
    boundary = site.boundary
    if boundary is None or boundary.area <= 0:
        return []
    surface = field.surface
    inside = cells_inside(surface, boundary).ravel() & field.known
    receiver = np.append(field.receiver, field.outside)
    within = np.append(inside, False)
    taken = np.zeros(len(inside), dtype=bool)
    for point in outfalls:
        taken[point.cells] = True
    # water that an outfall takes does not count again at the boundary
    blocked = FlowField(surface, np.where(taken, field.outside, field.receiver), field.spill_ft)
    flow = blocked.gathered(inside)
    leaves = np.flatnonzero(inside & ~within[receiver[: len(inside)]] & ~taken)
    cell_acres = acres(surface.cell_ft**2, site.foot)
    columns = surface.z_ft.shape[1]
    xy = surface.xy(leaves // columns, leaves % columns)
    found: list[DrainagePoint] = []
    free = np.ones(len(leaves), dtype=bool)
    for place in np.lexsort([leaves, -flow[leaves]]).tolist():
        if not free[place]:
            continue
        near = free & (np.hypot(*(xy - xy[place]).T) <= APART_FT)
        free &= ~near
        if flow[leaves[near]].sum() * cell_acres >= LEAST_ACRES:
            name = f"LP-{len(found) + 1}"
            found.append(_point(name, LOW_POINT, leaves[near], xy[place]))
    return found
