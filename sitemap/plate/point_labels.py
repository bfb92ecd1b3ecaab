"""Names, ids and acres on the map: beside points, inside areas, along lines; with leaders.

Every label lies free of all lettering and symbols before it, or is told in `unplaced`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.plate.boxes import Box
from sitemap.plate.drawing import FLAG_PAD_IN, HALO_PT, PITCH_CAPS, Label, MapDrawing
from sitemap.plate.line_labels import place_along, place_beside
from sitemap.plate.lines import Chain
from sitemap.plate.marks import Areas, Lines, Text
from sitemap.plate.occupancy import INK_COST

RINGS_IN = (0.04, 0.12, 0.24, 0.4, 0.6, 0.9, 1.3, 1.8)

# direction, cost: to the right and above is read first
SIDES = (
    (1, 0, 0.0), (1, 1, 0.3), (-1, 0, 0.6), (-1, 1, 0.7),
    (0, 1, 0.8), (1, -1, 0.8), (0, -1, 1.0), (-1, -1, 1.1),
)  # fmt: skip
SAME_NAME_IN = 7.0  # a line's name is said again only this far away
# one thing handed in as a control and as the area it stabilizes is named once
PRACTICES = ("controls", "activities", "stabilization", "revegetation", "infiltration")
SAME_AREA_IN = 3.0  # and an area's; the largest of several with one name is named first


def place_labels(drawing: MapDrawing, labels: Iterable[Label]) -> None:
    """Place labels by priority; equal ones keep their order."""
    for label in sorted(labels, key=lambda one: (one.priority, -one.shape.area)):
        family = "practice" if label.role in PRACTICES else label.role
        places = drawing.said.setdefault((family, *label.lines), [])
        is_point = label.shape.geom_type == "Point"
        if not is_point and _near(_anchor(label), places, label):
            continue
        if _place(drawing, label):
            places.append(_anchor(label))
        else:
            drawing.unplaced.append(_where(drawing, label))


def _near(here: np.ndarray, places: list[np.ndarray], label: Label) -> bool:
    """True when the same words stand close by: of the same line or area, or of its twin."""
    near = SAME_NAME_IN if label.kind == "along" else SAME_AREA_IN
    return any(float(np.hypot(*(here - place))) < near for place in places)


def _place(drawing: MapDrawing, label: Label) -> bool:
    if label.kind == "along":
        return (
            place_along(drawing, label) or place_beside(drawing, label) or _around(drawing, label)
        )
    if label.kind == "beside":
        return place_beside(drawing, label) or _around(drawing, label)
    if label.kind == "area":
        return _inside(drawing, label) or _around(drawing, label)
    return _around(drawing, label)


def _where(drawing: MapDrawing, label: Label) -> str:
    middle = label.shape.representative_point()
    x, y = drawing.frame.to_ground(np.array([[middle.x, middle.y]]))[0]
    return f"{label.layer}: “{' '.join(label.lines)}” at E {x:,.0f} N {y:,.0f}"


# --------------------------------------------------------------------------- around a point


def _around(drawing: MapDrawing, label: Label) -> bool:
    """Beside its point in eight directions, further out with a leader."""
    anchor = _anchor(label)
    best: tuple[float, Box, bool] | None = None
    for ring, distance in enumerate(RINGS_IN):
        if best is not None and best[0] < ring * 1.2:
            break  # nothing further out can be cheaper
        if label.flag and ring < 3:
            continue
        for dx, dy, penalty in SIDES:
            box = _box_beside(label, anchor, dx, dy, label.reach_in + distance)
            if not drawing.occupancy.free(box):
                continue
            far = ring > 1
            if far and not _leader_clear(drawing, anchor, box, label.reach_in):
                continue
            cost = ring * 1.2 + penalty + INK_COST * drawing.occupancy.ink_under(box)
            if best is None or cost < best[0]:
                best = (cost, box, far)
    if best is None:
        return False
    if best[2]:
        _draw_leader(drawing, label, anchor, best[1])
    _set(drawing, label, best[1])
    return True


def _anchor(label: Label) -> np.ndarray:
    shape = label.shape
    if shape.geom_type == "LineString":
        return Chain.of(shapely.get_coordinates(shape)).middle
    return np.array(shape.representative_point().coords[0])


def _box_beside(label: Label, anchor: np.ndarray, dx: int, dy: int, clear: float) -> Box:
    width, height = label.size_in
    reach = clear if not (dx and dy) else clear * 0.75
    x = anchor[0] + dx * (reach + width / 2.0)
    y = anchor[1] + dy * (reach + height / 2.0)
    return Box(float(x), float(y), width, height)


def _leader(anchor: np.ndarray, box: Box, reach: float) -> np.ndarray | None:
    """From the edge of the symbol to the nearest middle of a side of the box."""
    half = box.width_in / 2.0 + 0.025
    ends = np.array([[box.x_in - half, box.y_in], [box.x_in + half, box.y_in]])
    end = ends[int(np.argmin(np.hypot(*(ends - anchor).T)))]
    way = end - anchor
    length = float(np.hypot(*way))
    if length <= reach + 0.02:
        return None
    return np.vstack([anchor + way / length * reach, end])


def _leader_clear(drawing: MapDrawing, anchor: np.ndarray, box: Box, reach: float) -> bool:
    leader = _leader(anchor, box, reach + 0.04)
    if leader is None:
        return True
    t = np.linspace(0.0, 1.0, 40)[:, None]
    return not drawing.occupancy.taken[
        drawing.occupancy.cells(leader[0] + (leader[1] - leader[0]) * t)
    ].any()


def _draw_leader(drawing: MapDrawing, label: Label, anchor: np.ndarray, box: Box) -> None:
    leader = _leader(anchor, box, label.reach_in if label.shape.geom_type == "Point" else 0.0)
    if leader is None:
        return
    drawing.texts.append(Lines(label.layer, (leader,), 0.4, label.ink))
    drawing.occupancy.add_ink([leader], 4.0)
    if label.shape.geom_type == "Polygon":  # a dot says which of the areas under it is meant
        dot = np.vstack([leader[0] - (0.002, 0.0), leader[0] + (0.002, 0.0)])
        drawing.texts.append(Lines(label.layer, (dot,), 2.6, label.ink, cap="round"))


# -------------------------------------------------------------------------- inside an area


def _inside(drawing: MapDrawing, label: Label) -> bool:
    """Wholly inside, near the middle, on as little ink as can be."""
    polygon = label.shape
    width, height = label.size_in
    places = _places_in(polygon, width, height)
    if not len(places):
        return False
    middle = np.array(polygon.centroid.coords[0])
    span = max(np.sqrt(polygon.area), 0.2)
    free, ink = drawing.occupancy.judge_level(places, label.size_in, 0.015)
    if not free.any():
        return False
    away = np.hypot(*(places - middle).T) / span
    cost = np.where(free, INK_COST * ink + 4.0 * away, np.inf)
    x, y = places[int(np.argmin(cost))].tolist()
    _set(drawing, label, Box(x, y, width, height))
    return True


def _places_in(polygon: BaseGeometry, width: float, height: float) -> np.ndarray:
    """Places where a box of this size lies inside the polygon, at most about 400 tried."""
    x0, y0, x1, y1 = polygon.bounds
    step = max(0.06, float(np.sqrt((x1 - x0) * (y1 - y0) / 400.0)))
    gx, gy = np.meshgrid(np.arange(x0, x1, step) + step / 2, np.arange(y0, y1, step) + step / 2)
    inner = polygon.representative_point()
    places = np.vstack([np.column_stack([gx.ravel(), gy.ravel()]), [[inner.x, inner.y]]])
    half_w, half_h = width / 2.0 + 0.03, height / 2.0 + 0.03
    boxes = shapely.box(
        places[:, 0] - half_w, places[:, 1] - half_h, places[:, 0] + half_w, places[:, 1] + half_h
    )
    shapely.prepare(polygon)
    return np.asarray(places[shapely.contains_properly(polygon, boxes)])


# ------------------------------------------------------------------------------ setting it


def _set(drawing: MapDrawing, label: Label, box: Box) -> None:
    """Put the lines of the label into its box; a flag gets its border."""
    pad = FLAG_PAD_IN if label.flag else 0.0
    if label.flag:
        ring = np.vstack([box.corners, box.corners[:1]])
        drawing.texts.append(Areas(label.layer, ((ring,),), "#ffffff"))
        drawing.texts.append(Lines(label.layer, (ring,), 0.7, label.ink, join="miter"))
    top = box.y_in + box.height_in / 2.0 - pad
    for number, line in enumerate(label.lines):
        drawing.texts.append(
            Text(
                label.layer,
                box.x_in,
                top - label.cap_in * (1.0 + PITCH_CAPS * number),
                line,
                label.cap_in,
                bold=label.bold,
                italic=label.italic,
                ink=label.ink,
                ha="center",
                halo_pt=0.0 if label.flag else HALO_PT,
            )
        )
    drawing.boxes.append(box)
    drawing.box_layers.append(label.layer)
    drawing.occupancy.take(box)
