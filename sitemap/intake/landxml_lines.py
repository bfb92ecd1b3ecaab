"""CoordGeom of LandXML -> lines: straight pieces, arcs, spirals, lists of points, chains.

Arcs and spirals become short straight lines, nowhere further than SAGITTA from the curve; those
that damaged numbers make longer than a road become MOST_PIECES of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.intake.landxml_numbers import place, rows
from sitemap.intake.landxml_stream import NotReadError

SAGITTA = 0.01  # units of the file between a curve and the lines that stand for it
JOINED = 0.01  # units of the file between the end of a piece and the start of the next
MOST_PIECES = 10_000  # of one curve: 10 miles of an arc of 100 miles take 260
LEAST_PIECES = 64  # of a spiral, so that it is followed to its end
CURVES = ("Curve", "Spiral")

Places = Mapping[str, np.ndarray]  # points of the file by name


def point_of(element: Element | None, places: Places) -> np.ndarray | None:
    """(3,) a point by its numbers, or by the name of one of the file's points; None for none."""
    if element is None:
        return None
    own = place(element.text)
    return own if own is not None else places.get(element.get("pntRef", ""))


def lines_of(holder: Element, places: Places) -> tuple[list[BaseGeometry], int]:
    """Each CoordGeom of a thing as lines, pieces joined where they meet; how many were broken."""
    lines: list[BaseGeometry] = []
    broken = 0
    for geometry in holder.findall("CoordGeom"):
        parts: list[np.ndarray] = []
        for piece in geometry:
            line = _piece(piece, places)
            if line is None:
                broken += 1
            elif parts and np.hypot(*(parts[-1][-1] - line[0])[:2]) <= JOINED:
                parts[-1] = np.vstack([parts[-1], line[1:]])
            else:
                parts.append(line)
        lines += [made for part in parts if (made := _line(part)) is not None]
    return lines, broken


def _line(corners: np.ndarray) -> BaseGeometry | None:
    """With heights where every corner has one, closed where the ends meet; None for a point."""
    if np.isnan(corners[:, 2]).any():
        corners = corners[:, :2]
    moved = np.abs(np.diff(corners, axis=0)).max(axis=1) > 0
    corners = corners[np.concatenate([[True], moved])]
    if len(corners) < 2:
        return None
    if len(corners) > 3 and np.hypot(*(corners[-1] - corners[0])[:2]) <= JOINED:
        corners[-1] = corners[0]
    return shapely.LineString(corners)


def _piece(piece: Element, places: Places) -> np.ndarray | None:
    """(N, 3) one piece from its start to its end; None where it makes none."""
    if piece.tag == "Chain":
        found = [places.get(name) for name in (piece.text or "").split()]
        known = [one for one in found if one is not None]
        return np.array(known) if len(known) == len(found) > 1 else None
    start, end = (point_of(piece.find(tag), places) for tag in ("Start", "End"))
    if start is None or end is None:
        return None
    if piece.tag == "Curve":
        return _arc(piece, start, end, point_of(piece.find("Center"), places))
    if piece.tag == "Spiral":
        return _spiral(piece, start, end, point_of(piece.find("PI"), places))
    return np.vstack([start, *_listed(piece), end])  # Line, IrregularLine


def _listed(piece: Element) -> Iterator[np.ndarray]:
    for tag, width in (("PntList3D", 3), ("PntList2D", 2)):
        for texts in piece.findall(tag):
            if texts.text and texts.text.strip():
                try:
                    listed = rows([texts.text], width)
                except NotReadError:
                    continue
                none = np.full((len(listed), 3 - width), np.nan)
                yield np.hstack([listed, none])


def _sign(piece: Element) -> float:
    """1 for a piece that turns left, -1 for one that turns right."""
    return -1.0 if piece.get("rot", "").strip().lower() == "cw" else 1.0


def _arc(
    piece: Element, start: np.ndarray, end: np.ndarray, middle: np.ndarray | None
) -> np.ndarray | None:
    return None if middle is None else arc(start, end, middle, _sign(piece))


def arc(start: np.ndarray, end: np.ndarray, middle: np.ndarray, sign: float) -> np.ndarray:
    """(N, 3) an arc about a middle, by the left (sign 1) or the right; a full circle where the
    ends are one. Heights run evenly from end to end.
    """
    first, last = (math.atan2(*(one - middle)[1::-1]) for one in (start, end))
    radius = math.hypot(*(start - middle)[:2])
    turn = (last - first) * sign % math.tau
    if turn < 1e-9:
        turn = math.tau
    if radius <= SAGITTA:
        return np.array([start, end])
    step = 2.0 * math.acos(1.0 - SAGITTA / radius)
    share = np.linspace(0.0, 1.0, _pieces(turn, step, 1) + 1)
    angle = first + sign * turn * share
    xy = middle[:2] + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    z = start[2] + (end[2] - start[2]) * share
    corners = np.column_stack([xy, z])
    corners[0], corners[-1] = start, end
    return corners


def _pieces(whole: float, step: float, least: int) -> int:
    """How many pieces of a step, or of a little less, make the whole."""
    count = whole / step if step > 0 else math.inf
    return max(least, math.ceil(count) if count < MOST_PIECES else MOST_PIECES)


def _spiral(
    piece: Element, start: np.ndarray, end: np.ndarray, tangents_meet: np.ndarray | None
) -> np.ndarray | None:
    """A clothoid: curvature changes evenly from that of one end to that of the other.

    Followed from its start along the tangent there; what it then misses of the end, by rounding or
    by being another kind of spiral, is spread along it.
    """
    radii = [piece.get(name, "") for name in ("radiusStart", "radiusEnd")]
    try:
        bends = [0.0 if "inf" in one.lower() else _sign(piece) / float(one) for one in radii]
        length = float(piece.get("length", ""))
    except (ValueError, ZeroDivisionError):
        return None
    if tangents_meet is None or not 0 < length < math.inf:
        return None
    bend = max(map(abs, bends))
    step = math.sqrt(8.0 * SAGITTA / bend) if bend else math.inf  # of the arc at its tightest
    count = _pieces(length, step, LEAST_PIECES)
    share = np.linspace(0.0, 1.0, count + 1)
    heading = math.atan2(*(tangents_meet - start)[1::-1])
    turned = length * (bends[0] * share + (bends[1] - bends[0]) * share**2 / 2.0)
    middle = heading + (turned[:-1] + turned[1:]) / 2.0
    steps = length / count * np.column_stack([np.cos(middle), np.sin(middle)])
    xy = start[:2] + np.vstack([[0.0, 0.0], np.cumsum(steps, axis=0)])
    xy += share[:, None] * (end[:2] - xy[-1])
    return np.column_stack([xy, start[2] + (end[2] - start[2]) * share])
