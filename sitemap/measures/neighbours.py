"""Areas that should share out the ground: where two of them overlap, where ground is left out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry import MultiPolygon
from shapely.geometry.base import BaseGeometry

from sitemap.measures.cover import Overlap, polygons_of
from sitemap.measures.dissolving import dissolved_by_edges
from sitemap.measures.shared_edges import laid, lone_edges
from sitemap.measures.thinness import ROUNDING
from sitemap.measures.vertices import parts_of, same_objects, vertices_of

MITRE_LIMIT = 20.0  # closing rounds no corner sharper than 6 degrees


def areal(shapes: np.ndarray) -> np.ndarray:
    """The shapes with self-crossing ones mended; mending costs far more than asking."""
    flat = not shapely.has_z(shapes).any()
    broken = ~vertices_of(shapes).valid
    if flat and not broken.any():
        return shapes
    whole: np.ndarray = shapes.copy() if flat else shapely.force_2d(shapes)
    whole[broken] = shapely.make_valid(whole[broken])
    return whole


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas that should share out the ground, mended, and the edges that no two of them share."""

    shapes: np.ndarray
    whole: np.ndarray
    lone: np.ndarray
    are_polygons: bool  # all of them still, or several in one, now that they are mended

    @cached_property
    def tree(self) -> shapely.STRtree:
        """The spatial index of the mended areas, which is that of the areas as they are."""
        return shapely.STRtree(self.whole)


_KEPT: deque[Areas] = deque(maxlen=2)


def areas_of(shapes: np.ndarray) -> Areas:
    """The areas, mended; kept for the last few layers, since overlaps and gaps are told by them."""
    known = _known(shapes)
    if known is not None:
        return known
    whole = areal(shapes)
    polygonal = np.isin(shapely.get_type_id(whole), (3, 6))
    every = bool(polygonal.all())
    made = Areas(shapes.copy(), whole, lone_edges(whole if every else whole[polygonal]), every)
    _KEPT.append(made)
    return made


def _known(shapes: np.ndarray) -> Areas | None:
    return next((known for known in tuple(_KEPT) if same_objects(known.shapes, shapes)), None)


def near_box(shapes: np.ndarray, box: BaseGeometry) -> np.ndarray:
    """Places of the areas whose boxes meet a box; an index that is there already is asked."""
    known = _known(shapes)
    tree = shapely.STRtree(shapes) if known is None else known.tree
    return tree.query(box)


def overlapping(shapes: np.ndarray, sliver_width: float) -> list[Overlap]:
    """Pairs of areas that share more than a strip of sliver_width (unit of the coordinates).

    Only the few areas that are not in order are held against their neighbours.
    """
    areas = areas_of(shapes)
    found = laid(areas.whole, areas.lone, areas.tree)
    pairs, shared = found.pairs, found.shared
    core = shapely.buffer(shared, -sliver_width / 2.0, join_style="mitre")
    real = shapely.area(core) > 0
    return [
        Overlap(int(first), int(second), _areas_only(ground))
        for (first, second), ground in zip(pairs[real], shared[real], strict=True)
    ]


def _areas_only(ground: BaseGeometry) -> BaseGeometry:
    """Shared ground without the lines along which the areas also touch."""
    parts = polygons_of(ground)
    only: BaseGeometry = parts[0] if len(parts) == 1 else MultiPolygon(parts.tolist())
    return only


@dataclass(frozen=True, eq=False)
class Gap:
    """Ground that neighbours leave out; enclosed on all sides, or an open slit between two."""

    ground: BaseGeometry
    enclosed: bool
    neighbours: tuple[int, ...]


def gaps(
    shapes: np.ndarray, gap_width: float, sliver_width: float, chosen: np.ndarray | None = None
) -> list[Gap]:
    """Holes between areas, and slits between two areas up to gap_width wide.

    What holds no strip as wide as sliver_width is left out. Unit of the coordinates. chosen are
    the places of the areas to look at, in their order (all of them); neighbours are places in it.
    """
    order = np.arange(len(shapes)) if chosen is None else chosen
    if len(order) < len(shapes):
        shapes, order = shapes[order], np.arange(len(order))
    areas = areas_of(shapes)  # those of the whole layer, where all are chosen: they are known
    polygons = _single(areas.whole[order])
    if not len(polygons):
        return []
    union = _together(polygons, areas.lone if areas.are_polygons else None)
    outlines = polygons_of(union)
    rings = shapely.get_rings(shapely.remove_repeated_points(outlines), return_index=False)
    exterior = {ring.wkb for ring in shapely.get_exterior_ring(outlines)}
    holes = np.array(
        [shapely.Polygon(ring) for ring in rings if ring.wkb not in exterior], dtype=object
    )
    slits = polygons_of(shapely.difference(_closed(union, gap_width), union))
    slits = slits[~_inside(slits, holes)] if len(holes) else slits
    place = np.argsort(order)  # of each area among those that were chosen
    found: list[Gap] = []
    for ground, enclosed in (*((h, True) for h in holes), *((s, False) for s in slits)):
        core = shapely.buffer(ground, -sliver_width / 2.0 * (1.0 - ROUNDING), join_style="mitre")
        if core.is_empty or core.area <= 0:
            continue
        reach = sliver_width / 100.0
        beside = np.sort(place[areas.tree.query(ground, predicate="dwithin", distance=reach)])
        own_hole = enclosed and len(beside) == 1  # an island that one area leaves out by itself
        if own_hole or len(beside) > 1:
            found.append(Gap(ground, enclosed, tuple(beside.tolist())))
    return found


def _single(areas: np.ndarray) -> np.ndarray:
    """Their polygons in order; most are one, and are taken as they are."""
    kind = shapely.get_type_id(areas)
    if (kind == 3).all():
        return areas
    parts, _ = parts_of(areas)
    return parts if np.isin(kind, (3, 6)).all() else polygons_of(parts)


def _together(polygons: np.ndarray, lone: np.ndarray | None) -> BaseGeometry:
    """All polygons as one: those that share out their ground by their edges, then the rest."""
    lone = lone_edges(polygons) if lone is None else lone
    tree = shapely.STRtree(polygons)
    aside = laid(polygons, lone, tree).aside
    chosen = np.ones(len(polygons), dtype=bool)
    chosen[aside] = False
    union = dissolved_by_edges(polygons, chosen, lone, tree)
    whole: BaseGeometry = shapely.union_all(np.array([union, *polygons[aside]], dtype=object))
    return whole if len(aside) else union


def _closed(area: BaseGeometry, width: float) -> BaseGeometry:
    half = width / 2.0
    grown = shapely.buffer(area, half, join_style="mitre", mitre_limit=MITRE_LIMIT)
    closed: BaseGeometry = shapely.buffer(grown, -half, join_style="mitre", mitre_limit=MITRE_LIMIT)
    return closed


def _inside(parts: np.ndarray, holes: np.ndarray) -> np.ndarray:
    inside = np.zeros(len(parts), dtype=bool)
    points = shapely.point_on_surface(parts)
    inside[shapely.STRtree(holes).query(points, predicate="within")[0]] = True
    return inside
