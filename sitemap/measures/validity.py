"""Every fault of an invalid geometry with its point, and what the fault does to the area.

GEOS names one fault per polygon and stops; here all crossings and touches of every ring are
found by noding it, and GEOS's own word is added where it names something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

_REASON = re.compile(r"^(?P<words>[^\[]+?)\s*(\[(?P<x>\S+)\s+(?P<y>\S+)[^\]]*\])?$")

_PLAIN = {
    "self-intersection": "the outline crosses itself",
    "ring self-intersection": "the outline meets itself at a vertex",
    "hole lies outside shell": "a hole lies outside its polygon",
    "holes are nested": "a hole lies inside another hole",
    "nested holes": "a hole lies inside another hole",
    "nested shells": "one part lies inside another part",
    "interior is disconnected": "a hole cuts the polygon in two",
    "duplicate rings": "the same ring is there twice",
    "too few points in geometry component": "it has fewer distinct points than it needs",
    "invalid coordinate": "a coordinate is not a finite number",
    "ring is not closed": "the ring is not closed",
}
_BEYOND_MEASURE = 1e15  # a double has no hundredth of a foot left there
CROSSES = _PLAIN["self-intersection"]
TOUCHES = _PLAIN["ring self-intersection"]
RINGS_CROSS = "a hole and another outline of the same polygon cross"
SPIKE = "the outline runs out and back on itself"
OVERLAPS = "two parts overlap"


@dataclass(frozen=True)
class ShapeFault:
    """What is wrong, in plain words, and where (units of the data); None where GEOS says none."""

    words: str
    point: Point | None


def shape_faults(geometry: BaseGeometry, same_point: float = 1e-6) -> list[ShapeFault]:
    """All faults of one geometry; empty when it is valid, null or empty.

    Two faults nearer than same_point, in units of the data, are one.
    """
    if geometry is None or geometry.is_empty or geometry.is_valid:
        return []
    found: list[ShapeFault] = []
    if not _measurable(geometry):
        return _reason(geometry)
    polygons = [p for p in shapely.get_parts(geometry) if isinstance(p, Polygon)]
    for polygon in polygons:
        for ring in (polygon.exterior, *polygon.interiors):
            _add(found, _ring_faults(ring), same_point)
        _add(found, _ring_pairs([polygon.exterior, *polygon.interiors]), same_point)
        _add(found, _reason(polygon), same_point)
    if isinstance(geometry, MultiPolygon):
        _add(found, _overlaps(polygons), same_point)
    if not polygons or not found:
        _add(found, _reason(geometry), same_point)
    return found


def _add(found: list[ShapeFault], more: list[ShapeFault], same_point: float) -> None:
    """Keep one fault per point: the ring's own word stands before GEOS's."""
    for fault in more:
        if fault.point is not None and any(
            f.point is not None and f.point.distance(fault.point) <= same_point for f in found
        ):
            continue
        found.append(fault)


def _reason(geometry: BaseGeometry) -> list[ShapeFault]:
    """GEOS's single reason, in plain words."""
    match = _REASON.match(shapely.is_valid_reason(geometry))
    if match is None or match["words"].lower() == "valid geometry":
        return []
    words = _PLAIN.get(match["words"].strip().lower(), match["words"].strip().lower())
    if match["x"] is None:
        return [ShapeFault(words, None)]
    x, y = float(match["x"]), float(match["y"])
    return [ShapeFault(words, Point(x, y) if np.isfinite([x, y]).all() else None)]


def _measurable(geometry: BaseGeometry) -> bool:
    """Whether GEOS can compute with it: finite, and not so far out that products overflow."""
    return bool((np.abs(shapely.get_coordinates(geometry)) < _BEYOND_MEASURE).all())


def _ring_faults(ring: BaseGeometry) -> list[ShapeFault]:
    """Crossings, touches and spikes of one ring: nodes at which not exactly two pieces meet."""
    xy = shapely.get_coordinates(ring)
    if len(np.unique(xy, axis=0)) < 3:
        return []  # GEOS's reason says it
    pieces = shapely.get_parts(shapely.node(LineString(xy)))
    ends = np.concatenate([shapely.get_coordinates(shapely.get_point(pieces, i)) for i in (0, -1)])
    nodes, meeting = np.unique(ends, axis=0, return_counts=True)
    own = {tuple(p) for p in xy}
    faults = []
    for node, count in zip(nodes.tolist(), meeting.tolist(), strict=True):
        if count > 2:
            faults.append(ShapeFault(TOUCHES if tuple(node) in own else CROSSES, Point(node)))
        elif count == 1:
            faults.append(ShapeFault(SPIKE, Point(node)))
    return faults


def _ring_pairs(rings: list[BaseGeometry]) -> list[ShapeFault]:
    """Places where two rings of one polygon cross or share an edge; one single touch is sound."""
    if len(rings) < 2:
        return []
    lines = np.array([LineString(ring.coords) for ring in rings], dtype=object)
    left, right = shapely.STRtree(lines).query(lines, predicate="intersects")
    pairs = left < right
    faults = []
    for shared in shapely.intersection(lines[left[pairs]], lines[right[pairs]]):
        pieces = shapely.get_parts(shared)
        if len(pieces) > 1 or shared.length > 0:
            faults += [ShapeFault(RINGS_CROSS, shapely.point_on_surface(p)) for p in pieces]
    return faults


def _overlaps(polygons: list[Polygon]) -> list[ShapeFault]:
    """Pairs of parts of one multipolygon that share ground."""
    sound = np.array([p if p.is_valid else shapely.make_valid(p) for p in polygons], dtype=object)
    left, right = shapely.STRtree(sound).query(sound, predicate="intersects")
    pairs = left < right
    shared = shapely.intersection(sound[left[pairs]], sound[right[pairs]])
    return [
        ShapeFault(OVERLAPS, geometry.representative_point())
        for geometry in shared
        if geometry.area > 0
    ]


def area_change(geometry: BaseGeometry) -> tuple[float, float]:
    """(area as drawn, area once mended) in square units; both 0 for lines and points.

    A bow-tie as drawn is the difference of its lobes; mended it is their sum. Both are NaN where
    a coordinate is not finite or beyond all measure.
    """
    if not _measurable(geometry):
        return float("nan"), float("nan")
    return abs(float(geometry.area)), float(shapely.make_valid(geometry).area)
