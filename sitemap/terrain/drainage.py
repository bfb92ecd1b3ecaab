"""Drainage areas of outfalls, and of the low points where water leaves over the boundary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from affine import Affine
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import acres
from sitemap.site import Site
from sitemap.terrain.cell_outlines import labelled_areas
from sitemap.terrain.drainage_points import (
    LEAST_ACRES,
    LOW_POINT,
    DrainagePoint,
    field_with_pipes,
    low_points_on,
    outfalls_on,
)
from sitemap.terrain.enclosed_ground import areas_between, round_small_voids
from sitemap.terrain.flow_field import FlowField, kernel
from sitemap.terrain.shared_cover import SharedOut, shared_out
from sitemap.terrain.slopes import slope_pct
from sitemap.terrain.surface import Surface
from sitemap.terrain.ways_down import rim_of

SLIT_FT, SLIVER_FT = 5.0, 0.5  # where a pack sets no gap width and no sliver width
MOST_CELLS = 700_000  # and with the extra `fast`
MOST_COMPILED = 6_000_000


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


def drainage(
    site: Site,
    surface: Surface,
    *,
    after_grading: bool,
    slit_ft: float = SLIT_FT,
    sliver_ft: float = SLIVER_FT,
) -> Drainage:
    """Drainage areas of each outfall and each boundary low point of a site on a surface.

    Inlets and pipes lead water underground, and diversions and waterways along them, where
    after_grading; culverts always.
    The area of a point does not hold that of a point above it. They share out the ground: holes
    of less than LEAST_ACRES between them, and slits of up to slit_ft, are given to a neighbour.
    """
    coarse, notes = _bounded(surface)
    least_sqft = LEAST_ACRES / acres(1.0, site.foot)
    followed, void_sqft = round_small_voids(coarse, least_sqft)
    if void_sqft:
        notes.append(
            f"water is led round {acres(void_sqft, site.foot):.2f} acres of voids smaller than "
            f"{LEAST_ACRES:g} acres, which are counted to the ground beside them"
        )
    field, piped = field_with_pipes(site, followed, after_grading=after_grading)
    points = [*outfalls_on(site, field, piped.exits)]
    points += low_points_on(site, field, points)
    notes += piped.words
    notes += [
        f"{point.name} moved {point.moved_ft:.0f} ft to the strong flow beside it"
        for point in points
        if point.moved_ft > coarse.cell_ft
    ]
    if not points:
        notes += _of_the_cover(site, (), SharedOut([], 0.0, []))
        return Drainage((), tuple(notes))
    areas, cover = _covering(site, coarse, field, points, (slit_ft, sliver_ft))
    notes += _of_the_cover(site, areas, cover)
    return Drainage(tuple(areas), tuple(notes))


def _covering(
    site: Site,
    surface: Surface,
    field: FlowField,
    points: list[DrainagePoint],
    widths_ft: tuple[float, float],
) -> tuple[list[DrainageArea], SharedOut]:
    """The areas of some points, which share out the ground, and of the large holes between them."""
    cells = np.concatenate([point.cells for point in points])
    numbers = np.repeat(np.arange(1, len(points) + 1), [len(point.cells) for point in points])
    label = field.labelled(cells, numbers)
    shapes = labelled_areas(label, surface.transform, len(points))
    there = [i for i, shape in enumerate(shapes) if not shape.is_empty]
    slit_ft, sliver_ft = widths_ft
    cover = shared_out(
        [shapes[i] for i in there],
        most_sqft=LEAST_ACRES / acres(1.0, site.foot),
        slit_ft=slit_ft,
        sliver_ft=sliver_ft,
    )
    between = areas_between(field, label, cover.left, len(points) + 1)
    first = 1 + sum(point.kind == LOW_POINT for point in points)
    more = [
        DrainagePoint(f"LP-{first + i}", LOW_POINT, hole.cell, hole.xy)
        for i, hole in enumerate(between)
    ]
    areas = _areas(
        site,
        surface,
        label,
        [*(points[i] for i in there), *more],
        [*(i + 1 for i in there), *(hole.number for hole in between)],
        [*cover.shapes, *(hole.shape for hole in between)],
    )
    return areas, cover


def _of_the_cover(site: Site, areas: Sequence[DrainageArea], cover: SharedOut) -> Iterator[str]:
    """What the areas do not cover, and what they cover only so that they meet, in words."""
    given = acres(cover.given_sqft, site.foot)
    if given >= 0.005:
        yield (
            f"{given:.2f} acres between the areas, in pieces of less than {LEAST_ACRES:g} acres "
            "that drain elsewhere, are given to the neighbour with the longest common edge"
        )
    void = [hole for hole in cover.left if not any(a.shape.equals(hole) for a in areas)]
    if void:
        size = acres(sum(hole.area for hole in void), site.foot)
        yield f"{size:.2f} acres between the areas, where no elevation is known, are in none"
    boundary = site.boundary
    if boundary is not None:
        rest = boundary.difference(shapely.union_all([area.shape for area in areas]))
        size = acres(rest.area, site.foot)
        if size >= 0.005:
            yield (
                f"{size:.2f} of {acres(boundary.area, site.foot):.2f} acres of the site are in "
                f"none: they leave it where less than {LEAST_ACRES:g} acres come together, or "
                "their elevation is not known"
            )


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


def _areas(
    site: Site,
    surface: Surface,
    label: np.ndarray,
    points: Sequence[DrainagePoint],
    numbers: Sequence[int],
    shapes: Sequence[BaseGeometry],
) -> list[DrainageArea]:
    """The areas of some points, each with the number of its cells in `label`."""
    slope = slope_pct(surface)
    edge = rim_of(surface.z_ft)
    found = []
    for point, number, shape in zip(points, numbers, shapes, strict=True):
        own = label == number
        known = own & np.isfinite(slope)
        mean = round(float(slope[known].mean()), 1) if known.any() else float("nan")
        size = round(acres(shape.area, site.foot), 2)
        found.append(DrainageArea(point, shape, size, mean, bool((own & edge).any())))
    return found
