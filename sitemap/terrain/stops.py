"""A surface with all that stops a path over it: open water, reaches, mouths of pipes."""

from __future__ import annotations

import numpy as np
import rasterio.features
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.terrain.lines import first_of
from sitemap.terrain.network import Network
from sitemap.terrain.surface import Surface
from sitemap.terrain.trace import Relief
from sitemap.terrain.waters import Waters


def relief_of(surface: Surface, network: Network, waters: Waters, snap_ft: float) -> Relief:
    """The surface with its stops: open water, reaches, inlets, and mouths of what runs underground.

    Codes are number + 1 of an edge, and -(number + 1) of a water body. Under the mouth of a pipe
    the ground is taken as low as its invert.
    """
    z = surface.z_ft
    shapes: list[tuple[BaseGeometry, int]] = [
        (waters.waters[n].shape, -(n + 1))
        for n in waters.areas
        if waters.waters[n].role == "waterbodies"
    ]
    lines: list[tuple[BaseGeometry, int]] = []
    grid = Relief(z, z, surface.transform.c, surface.transform.f, surface.cell_ft)
    for number, edge in enumerate(network.edges):
        if not edge.reach.underground:
            lines.append((edge.line, number + 1))
            continue
        if any(network.edges[i].reach.underground for i in network.into(edge.tail)):
            continue
        mouth = first_of(edge.line)
        lines.append((mouth.buffer(max(snap_ft, surface.cell_ft)), number + 1))
        at = grid.cell_of((mouth.x, mouth.y))
        inverts = (edge.reach.invert_first_ft, edge.reach.invert_last_ft)
        if at is not None and np.isfinite(inverts).any():
            z = z.copy() if z is surface.z_ft else z
            z[at] = np.fmin(z[at], np.nanmax(inverts))
    lines += [(at.buffer(max(snap_ft, surface.cell_ft)), i + 1) for i, _, at in network.intakes]
    stop = np.zeros(z.shape, dtype=np.int32)
    _burn(stop, shapes, surface.transform, all_touched=False)
    _burn(stop, lines, surface.transform, all_touched=True)
    return Relief(z, stop, grid.left, grid.top, grid.cell_ft)


def _burn(
    stop: np.ndarray, shapes: list[tuple[BaseGeometry, int]], grid: Affine, *, all_touched: bool
) -> None:
    if shapes:
        rasterio.features.rasterize(shapes, out=stop, transform=grid, all_touched=all_touched)
