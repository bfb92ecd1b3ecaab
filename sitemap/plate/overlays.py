"""Two layers that are off until someone wants them: which clause a thing fulfils, what is wrong.

They lie over the map and are placed when all lettering stands, so they move nothing on it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import Symbol
from sitemap.checked import CheckedSite
from sitemap.ordinance import Ordinance
from sitemap.plate.boxes import Box
from sitemap.plate.clip import clip_areas, clip_lines, clip_points, paths_of, reaches
from sitemap.plate.drawing import FLAG_PAD_IN, MapDrawing
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, GroundFrame, Lines, Mark, Path, Text
from sitemap.plate.occupancy import Occupancy
from sitemap.plate.schedules import ITEMS
from sitemap.site import Site

REQUIREMENTS, FINDINGS = "Requirements", "Findings"  # layers
OVERLAYS = (REQUIREMENTS, FINDINGS)
CAP_IN = 0.09
REQUIREMENT_INK, FINDING_INK = "#6a1b9a", "#c75000"
FINDING_PT = 1.6  # plate.md section 3
TAG_PT = 0.8
CIRCLE_IN = 0.14  # radius
RINGS_IN = (0.12, 0.25, 0.45, 0.7, 1.0, 1.4, 1.9)
LOOKED_AT = 50
DIRECTIONS = np.deg2rad([45, 135, 315, 225, 0, 180, 90, 270])


def overlay_marks(
    site: Site, ordinance: Ordinance, drawing: MapDrawing, checked: CheckedSite | None
) -> list[Mark]:
    """The clause letters of the map, and the findings of a check with their numbers in it.

    They take the paper that is left; nothing is placed on the drawing after them.
    """
    free = drawing.occupancy
    marks = _requirements(site, ordinance, drawing, free)
    if checked is not None:
        marks += _findings(checked, drawing.frame, free)
    return marks


# ---------------------------------------------------------------------------- requirements


def _requirements(
    site: Site, ordinance: Ordinance, drawing: MapDrawing, free: Occupancy
) -> list[Mark]:
    """Each role on this map once, named, with the letters of the items that it serves."""
    marks: list[Mark] = []
    for role, letters in letters_of_roles(site, ordinance).items():
        layer = site.role(role)
        if role == "grid":  # ours is ruled over the whole map, whatever was submitted
            anchor: np.ndarray | None = np.array([drawing.frame.box_in[0], drawing.frame.box_in[3]])
        elif layer is None or layer.usable.empty:
            continue
        else:
            # of a set most lie on other sheets
            shapes = layer.shapes[reaches(layer.shapes, drawing.frame.ground_box_ft)]
            if _is_outline(site.catalogue[role].symbol):
                shapes = np.where(
                    shapely.get_dimensions(shapes) == 2, shapely.boundary(shapes), shapes
                )
            anchor = _largest_on(shapes, drawing.frame)
        if anchor is not None:
            words = f"{letters} {site.catalogue[role].title.lower()}"
            marks += _tag(free, anchor, words, REQUIREMENTS, REQUIREMENT_INK)
    return marks


def letters_of_roles(site: Site, ordinance: Ordinance) -> dict[str, str]:
    """Role -> "(b)" or "(c)(d)", in the order of the ordinance's items."""
    found: dict[str, list[str]] = {}
    for item in ITEMS:
        clause = ordinance.by_id.get(item)
        if clause is None:
            continue
        served = tuple(s.role for s in site.catalogue.specs if item in s.items)
        for role in clause.roles or served:
            found.setdefault(role, []).append(f"({item})")
    return {role: "".join(items) for role, items in found.items()}


def _is_outline(symbol: Symbol) -> bool:
    """Whether an area is seen by its edge alone."""
    return symbol.fill is None and symbol.hatch is None


def _largest_on(shapes: np.ndarray, frame: GroundFrame) -> np.ndarray | None:
    """A place on the largest area, the longest line or the first point inside the frame.

    The largest few are looked at first, since most maps show these.
    """
    size = shapely.area(shapes) + shapely.length(shapes)
    if len(shapes) > LOOKED_AT:
        few = shapes[np.argsort(-size, kind="stable")[:LOOKED_AT]]
        place = _largest_on(few, frame)
        if place is not None:
            return place
    areas, _ = clip_areas(shapes[shapely.get_dimensions(shapes) == 2], frame)
    if len(areas):
        point = areas[int(np.argmax(shapely.area(areas)))].representative_point()
        return np.array([point.x, point.y])
    lines, _ = clip_lines(shapes[shapely.get_dimensions(shapes) == 1], frame)
    if len(lines):
        longest = lines[int(np.argmax(shapely.length(lines)))]
        return np.asarray(longest.interpolate(0.5, normalized=True).coords[0])
    points, _ = clip_points(shapes[shapely.get_dimensions(shapes) == 0], frame)
    return points[0] if len(points) else None


def _tag(free: Occupancy, anchor: np.ndarray, words: str, layer: str, ink: str) -> list[Mark]:
    """A box with words near a place and a line that leads to it."""
    width = text_width_in(words, CAP_IN, True) + 2 * FLAG_PAD_IN
    height = CAP_IN + 2 * FLAG_PAD_IN
    box = _free_box(free, anchor, width, height)
    free.take(box)
    ring = np.vstack([box.corners, box.corners[:1]])
    end = _edge_towards(box, anchor)
    dot = anchor + np.array([[-0.002, 0.0], [0.002, 0.0]])
    return [
        Lines(layer, (np.vstack([anchor, end]),), TAG_PT / 2.0, ink),
        Lines(layer, (dot,), 3.0, ink, cap="round"),
        Areas(layer, ((ring,),), "#ffffff"),
        Lines(layer, (ring,), TAG_PT, ink, join="miter"),
        _words(layer, box, words, ink),
    ]


def _words(layer: str, box: Box, words: str, ink: str) -> Text:
    """In the middle of a box."""
    y = box.y_in - CAP_IN / 2.0
    return Text(layer, box.x_in, y, words, CAP_IN, bold=True, ink=ink, ha="center")


def _free_box(free: Occupancy, anchor: np.ndarray, width: float, height: float) -> Box:
    """The nearest free place around; where all is taken the least covered one in the frame."""
    for ring in RINGS_IN:
        for angle in DIRECTIONS:
            box = _beside(anchor, float(angle), ring, width, height)
            if free.free(box):
                return box
    left, bottom, right, top = free.frame_in
    x = min(max(anchor[0] + width, left + width), right - width)
    y = min(max(anchor[1] + height * 2, bottom + height), top - height)
    return Box(float(x), float(y), width, height)


def _beside(anchor: np.ndarray, angle: float, away: float, width: float, height: float) -> Box:
    """A box whose near side is so far from the place, in a direction."""
    x = anchor[0] + np.cos(angle) * (away + width / 2.0)
    y = anchor[1] + np.sin(angle) * (away + height / 2.0)
    return Box(float(x), float(y), width, height)


def _edge_towards(box: Box, place: np.ndarray) -> np.ndarray:
    """Where a line from the middle of a level box to a place leaves it."""
    middle = np.array([box.x_in, box.y_in])
    way = place - middle
    half = np.array([box.width_in, box.height_in]) / 2.0
    with np.errstate(divide="ignore"):
        share = float(np.min(half / np.maximum(np.abs(way), 1e-9)))
    edge: np.ndarray = middle + way * min(share, 1.0)
    return edge


# -------------------------------------------------------------------------------- findings


def _findings(checked: CheckedSite, frame: GroundFrame, free: Occupancy) -> list[Mark]:
    """The outline of each fault that counts, and its number in a circle beside it."""
    marks: list[Mark] = []
    shown = [(n, f) for n, f in enumerate(checked.findings, start=1) if f.counts]
    placed = [(n, f.geometry) for n, f in shown if f.geometry is not None]
    for number, shape in placed:
        paths, anchor = _outline(shape, frame)
        if anchor is None:
            continue
        if paths:
            marks.append(Lines(FINDINGS, paths, FINDING_PT, FINDING_INK, alpha=0.8))
        marks += _numbered(free, anchor, str(number))
    return marks


def _outline(shape: BaseGeometry, frame: GroundFrame) -> tuple[tuple[Path, ...], np.ndarray | None]:
    """What of a fault is on this map, and a place of it; None where nothing is."""
    parts = np.array(list(_simple_parts(shape)), dtype=object)
    paths = paths_of(clip_lines(parts[shapely.get_dimensions(parts) > 0], frame)[0])
    return paths, _largest_on(parts, frame)


def _simple_parts(shape: BaseGeometry) -> Iterator[BaseGeometry]:
    for part in shapely.get_parts(shapely.get_parts(np.array([shape], dtype=object))):
        if not part.is_empty and np.isfinite(shapely.get_coordinates(part)).all():
            yield part


def _numbered(free: Occupancy, anchor: np.ndarray, number: str) -> list[Mark]:
    size = 2 * CIRCLE_IN + max(0.0, text_width_in(number, CAP_IN, True) - CIRCLE_IN)
    box = _free_box(free, anchor, size, size)
    free.take(box)
    middle = np.array([box.x_in, box.y_in])
    turn = np.linspace(0.0, 2.0 * np.pi, 33)
    circle = middle + size / 2.0 * np.column_stack([np.cos(turn), np.sin(turn)])
    way = anchor - middle
    start = middle + way / max(float(np.hypot(*way)), 1e-9) * size / 2.0
    return [
        Lines(FINDINGS, (np.vstack([start, anchor]),), TAG_PT, FINDING_INK),
        Areas(FINDINGS, ((circle,),), "#ffffff"),
        Lines(FINDINGS, (circle,), FINDING_PT, FINDING_INK),
        _words(FINDINGS, box, number, FINDING_INK),
    ]
