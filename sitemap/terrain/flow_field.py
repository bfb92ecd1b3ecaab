"""Where water goes from each cell: steepest of eight ways, out of a hollow over its lowest pass.

Hollows are joined over their passes as basins of a graph (Cordonnier, Bovy, Braun 2019), which
gives the spill levels of a priority flood (Barnes, Lehman, Mulla 2014) without filling anything.
Water leaves at the edge of the surface and beside voids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np

from sitemap.terrain import compiled_flood
from sitemap.terrain.machine_code import can_compile
from sitemap.terrain.spills import passes_of, spill_over
from sitemap.terrain.surface import Surface
from sitemap.terrain.ways_down import lead_over_level_ground, rim_of, steepest

WORTH_COMPILED = 1_000_000  # cells from which loading the compiled flood pays


@dataclass(frozen=True, eq=False)
class FlowField:
    """Receivers of all cells, by flat index; `outside` is the index behind the last cell.

    spill_ft is the level to which each cell's hollow fills before it spills; the cell's own
    height where it lies in none.
    """

    surface: Surface
    receiver: np.ndarray
    spill_ft: np.ndarray

    @property
    def outside(self) -> int:
        """The receiver of cells from which water leaves the surface."""
        return self.surface.z_ft.size

    @property
    def known(self) -> np.ndarray:
        """Which cells have a height; flat."""
        known: np.ndarray = np.isfinite(self.surface.z_ft).ravel()
        return known

    @cached_property
    def depth(self) -> np.ndarray:
        """Steps from each cell to the outside; 0 for voids and the outside itself."""
        pointer = np.append(self.receiver, self.outside)
        steps: np.ndarray = (pointer != np.arange(len(pointer))).astype(np.int32)
        while True:
            further = steps[pointer]
            if not further.any():
                return steps
            steps = steps + further
            pointer = pointer[pointer]

    @cached_property
    def upstream(self) -> np.ndarray:
        """How many cells drain through each cell, itself included; flat, 0 for voids."""
        return self.gathered(self.known)

    def gathered(self, weight: np.ndarray) -> np.ndarray:
        """The sum of a weight over each cell and all cells above it."""
        total = np.append(weight.astype(np.float64), 0.0)
        whole = kernel() if len(total) > WORTH_COMPILED else None
        if whole is not None:
            whole.added_up(self.receiver.astype(np.int32, copy=False), total[:-1])
            return total[:-1]
        depth = self.depth
        order = np.argsort(depth, kind="stable")
        ends = np.searchsorted(depth[order], np.arange(1, int(depth.max()) + 2))
        receiver = np.append(self.receiver, self.outside)
        for k in range(len(ends) - 1, 0, -1):
            cells = order[ends[k - 1] : ends[k]]
            np.add.at(total, receiver[cells], total[cells])
        return total[:-1]

    def labelled(self, cells: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """For every cell the label of the first of `cells` that its water reaches; 0 for none.

        labels are numbers from 1. The outer shape is that of the surface.
        """
        pointer = np.append(self.receiver, self.outside)
        pointer[cells] = cells
        while True:
            following = pointer[pointer]
            if np.array_equal(following, pointer):
                break
            pointer = following
        of = np.zeros(len(pointer), dtype=np.int32)
        of[cells] = labels
        found: np.ndarray = np.where(self.known, of[pointer[:-1]], 0)
        return found.reshape(self.surface.z_ft.shape)


@dataclass(frozen=True)
class Jump:
    """A way underground to another cell; taken once water stands at the invert, if that is higher.

    invert_ft is NaN where the ground itself lets the water in.
    """

    to: int
    invert_ft: float = float("nan")


def flow_field(
    surface: Surface,
    jumps: Mapping[int, Jump] | None = None,
    leaves: np.ndarray | None = None,
) -> FlowField:
    """The receivers of a surface's cells.

    jumps leads all water of a cell, by flat index, to another one underground: inlets and pipes.
    A jump that would lead water round in a circle leads it out of the surface instead.
    leaves are cells (booleans of the surface's shape) from which water leaves in place of the edge
    and the sides of voids; what comes to one of them goes to no other cell.
    """
    z = surface.z_ft.ravel()
    under = jumps or {}
    drains = np.array([cell for cell in sorted(under) if np.isfinite(z[cell])], dtype=int)
    inverts = np.fmax(z[drains], [under[cell].invert_ft for cell in drains.tolist()])
    rim = np.flatnonzero(rim_of(surface.z_ft) if leaves is None else leaves)
    rim = rim[~np.isin(rim, drains)] if len(drains) else rim
    out = np.append(rim, drains), np.append(z[rim], inverts)
    whole = kernel() if leaves is None and z.size >= WORTH_COMPILED else None
    if whole is not None:
        receiver, spill = whole.flooded(surface.z_ft, *out)
    else:
        held = drains if leaves is None else np.append(rim, drains)
        receiver, spill = _over_passes(surface.z_ft, out, held)
    if leaves is not None:
        receiver[rim] = z.size
    if len(drains):
        receiver[drains] = [under[cell].to for cell in drains.tolist()]
        receiver[drains[_in_a_circle(receiver, drains)]] = z.size
    return FlowField(surface, receiver, spill)


def kernel() -> ModuleType | None:
    """The compiled flood of the extra `fast`; None where it is not installed."""
    return compiled_flood if can_compile() else None


def _over_passes(
    z_ft: np.ndarray, out: tuple[np.ndarray, np.ndarray], held: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Receivers and spill levels. out are the cells where water leaves, and from which height on.

    Water that comes to a held cell goes to no other cell.
    """
    z = z_ft.ravel()
    receiver = steepest(z_ft)
    receiver[held] = held
    lead_over_level_ground(z_ft, receiver, out[0])
    basin = _roots(receiver)
    known = np.isfinite(z)
    pits = np.flatnonzero((basin == np.arange(z.size)) & known)
    number = np.full(z.size, -1, dtype=np.int64)
    number[pits] = np.arange(len(pits))
    of = np.where(known, number[basin], -1)
    level = spill_over(passes_of(z_ft, of, len(pits), *out), receiver)
    receiver[~known] = z.size
    spill = np.where(known, np.maximum(z, level[of]), np.nan)
    return receiver, spill.reshape(z_ft.shape)


def _in_a_circle(receiver: np.ndarray, drains: np.ndarray) -> np.ndarray:
    """Drains whose water never leaves, since one of them leads it back."""
    pointer = np.append(receiver, len(receiver))
    for _ in range(len(receiver).bit_length() + 1):
        pointer = pointer[pointer]
    held: np.ndarray = pointer[drains] != len(receiver)
    return held


def _roots(receiver: np.ndarray) -> np.ndarray:
    """Where the way from each cell ends."""
    pointer = receiver
    while True:
        following = pointer[pointer]
        if np.array_equal(following, pointer):
            return pointer
        pointer = following
