"""Drainage areas of outfalls, and of the low points where water leaves over the boundary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import rasterio.features
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import acres
from sitemap.site import Site
from sitemap.terrain.cell_outlines import labelled_areas
from sitemap.terrain.design import cells_inside
from sitemap.terrain.flow_field import FlowField, Jump, flow_field, kernel
from sitemap.terrain.pipes import pipe_ways
from sitemap.terrain.slopes import slope_pct
from sitemap.terrain.surface import Surface
from sitemap.terrain.ways_down import rim_of

SNAP_FT = 30.0  # an outfall is put on the strong flow within this distance
INLET_SNAP_FT = 15.0
STRONG_SHARE = 0.5
APART_FT = 100.0  # places along the boundary nearer than this are one low point
LEAST_ACRES = 0.5  # less water over the boundary than from this is not a low point
MOST_CELLS = 700_000  # and with the extra `fast`
MOST_COMPILED = 6_000_000
WATERS = ("streams", "waterbodies", "wetlands")


@dataclass(frozen=True, eq=False)
class DrainagePoint:
    """A place whose drainage area is asked for: cells (flat), name, kind, how far it was moved."""

    name: str
    kind: str  # "outfall" or "boundary low point"
    cells: np.ndarray
    xy: tuple[float, float]
    moved_ft: float = 0.0


@dataclass(frozen=True, eq=False)
class DrainageArea:
    """The ground whose water reaches a point first, with acres and mean slope in percent."""

    point: DrainagePoint
    shape: BaseGeometry
    acres: float
    slope_pct: float
    at_edge: bool  # reaches the end of the elevation data, or a void: it may be larger


@dataclass(frozen=True, eq=False)
class Drainage:
    """Drainage areas on one surface, and what was done in words."""

    areas: tuple[DrainageArea, ...]
    notes: tuple[str, ...]


def drainage(site: Site, surface: Surface, *, with_sewers: bool) -> Drainage:
    """Drainage areas of each outfall and each boundary low point of a site on a surface.

    Inlets and pipes lead water underground where with_sewers (after grading); culverts always.
    The area of a point does not hold that of a point above it.
    """
    coarse, notes = _bounded(surface)
    roles = ("storm_sewers", "culverts") if with_sewers else ("culverts",)
    field, piped = _field(site, coarse, roles)
    points = [*_outfalls(site, field, piped.exits)]
    points += _low_points(site, field, points)
    if piped.words:
        notes.append(piped.words)
    notes += [
        f"{point.name} moved {point.moved_ft:.0f} ft to the strong flow beside it"
        for point in points
        if point.moved_ft > coarse.cell_ft
    ]
    return Drainage(tuple(_areas(site, field, points)), tuple(notes))


def _bounded(surface: Surface) -> tuple[Surface, list[str]]:
    """The surface on cells few enough to be followed; coarser ones are means of whole cells."""
    rows, columns = surface.z_ft.shape
    most = MOST_COMPILED if rows * columns > MOST_CELLS and kernel() else MOST_CELLS
    times = int(np.ceil(np.sqrt(max(rows * columns / most, 1.0))))
    if times == 1:
        return surface, []
    rows, columns = rows // times * times, columns // times * times
    z = surface.z_ft[:rows, :columns].reshape(rows // times, times, columns // times, times)
    grid = Affine(
        surface.cell_ft * times,
        0.0,
        surface.transform.c,
        0.0,
        -surface.cell_ft * times,
        surface.transform.f,
    )
    words = f"drainage followed on cells of {grid.a:.3g} ft (means of {times} by {times})"
    return replace(surface, z_ft=z.mean(axis=(1, 3)), transform=grid), [words]


@dataclass(frozen=True, eq=False)
class _Piped:
    exits: np.ndarray
    words: str


def _field(site: Site, surface: Surface, roles: tuple[str, ...]) -> tuple[FlowField, _Piped]:
    """The flow over the ground, with pipes.

    An inlet takes the strong flow beside it; the open end of a pipe the lowest ground, where a
    basin stands first.
    """
    field = flow_field(surface)
    ways = pipe_ways(site, roles)
    if not len(ways.names):
        return field, _Piped(np.empty((0, 2)), "")
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
    words = (
        f"{len(jumps)} inlets and pipe ends take in water, moved at most {furthest:.0f} ft to the "
        f"strong flow (open ends: to the lowest ground) within {INLET_SNAP_FT:g} ft"
    )
    return flow_field(surface, jumps), _Piped(ways.exits, words if jumps else "")


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


def _outfalls(site: Site, field: FlowField, exits: np.ndarray) -> list[DrainagePoint]:
    """The outfalls drawn; one at the end of a pipe stays there, another goes to the flow beside."""
    layer = site.role("outfalls")
    if layer is None or layer.usable.empty:
        return []
    frame = layer.usable
    barred = _in_water(site, field.surface)
    found = []
    for number, (name, shape) in enumerate(zip(frame["id"], frame.geometry, strict=True), start=1):
        xy = np.array(shape.representative_point().coords[0][:2])
        at_pipe = exits[np.hypot(*(exits - xy).T) <= SNAP_FT] if len(exits) else exits
        cell, moved = None, 0.0
        if len(at_pipe):
            cell = _cell(field.surface, at_pipe[np.argmin(np.hypot(*(at_pipe - xy).T))])
        if cell is None:
            cell, moved = _strongest(field, xy, SNAP_FT, barred, field.upstream)
        if cell is not None:
            label = str(name) if name else f"outfall {number}"
            found.append(_point(label, "outfall", np.array([cell]), xy, moved))
    return found


def _point(
    name: str, kind: str, cells: np.ndarray, xy: np.ndarray, moved_ft: float = 0.0
) -> DrainagePoint:
    return DrainagePoint(name, kind, cells, (float(xy[0]), float(xy[1])), moved_ft)


def _in_water(site: Site, surface: Surface) -> np.ndarray:
    """Cells on a stream or in a water, flat: an outfall is not moved into what it flows to."""
    mask: np.ndarray = np.zeros(surface.z_ft.shape, dtype=bool)
    for role in WATERS:
        layer = site.role(role)
        if layer is None or layer.usable.empty:
            continue
        shapes = layer.usable.geometry.make_valid().tolist()
        mask |= rasterio.features.rasterize(
            shapes, mask.shape, transform=surface.transform, all_touched=True, dtype="uint8"
        ).astype(bool)
    return mask.ravel()


def _low_points(
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
            found.append(_point(name, "boundary low point", leaves[near], xy[place]))
    return found


def _areas(site: Site, field: FlowField, points: Sequence[DrainagePoint]) -> list[DrainageArea]:
    if not points:
        return []
    cells = np.concatenate([point.cells for point in points])
    labels = np.repeat(np.arange(1, len(points) + 1), [len(point.cells) for point in points])
    surface = field.surface
    label = field.labelled(cells, labels)
    shapes = labelled_areas(label, surface.transform, surface.cell_ft, len(points))
    slope = slope_pct(surface)
    edge = rim_of(surface.z_ft)
    found = []
    for number, (point, shape) in enumerate(zip(points, shapes, strict=True), start=1):
        own = label == number
        if shape.is_empty:
            continue
        known = own & np.isfinite(slope)
        mean = round(float(slope[known].mean()), 1) if known.any() else float("nan")
        size = round(acres(shape.area, site.foot), 2)
        found.append(DrainageArea(point, shape, size, mean, bool((own & edge).any())))
    return found
