"""Contours of smooth ground for the tests of measures: hills, kettles and saddles from a seed."""

from __future__ import annotations

import contourpy
import numpy as np
import shapely

from sitemap.measures.contours import Contours, contours_of


def hills(seed: int, interval_ft: float = 2.0, side_ft: float = 1500.0) -> Contours:
    """Contours of a square of ground with a dozen hills and hollows."""
    random = np.random.default_rng(seed)
    x = np.linspace(0.0, side_ft, 151)
    east, north = np.meshgrid(x, x)
    ground = 820.37 + 0.01 * east
    for _ in range(12):
        cx, cy = random.uniform(0.0, side_ft, 2)
        radius, height = random.uniform(100.0, 400.0), random.uniform(-14.0, 14.0)
        ground += height * np.exp(-((east - cx) ** 2 + (north - cy) ** 2) / radius**2)
    generator = contourpy.contour_generator(x, x, ground)
    levels = np.arange(np.ceil(ground.min() / interval_ft) * interval_ft, ground.max(), interval_ft)
    lines = [(xy, level) for level in levels for xy in generator.lines(level) if len(xy) > 1]
    shapes = np.array([shapely.LineString(xy) for xy, _ in lines], dtype=object)
    return contours_of(shapes, np.array([level for _, level in lines]))


def moved(contours: Contours, x_ft: float, y_ft: float, turn_rad: float) -> Contours:
    """The same contours shifted and turned."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    turn = np.array([[cos, sin], [-sin, cos]])
    lines = shapely.transform(contours.lines, lambda xy: xy @ turn + [x_ft, y_ft])
    return Contours(lines, contours.levels_ft, contours.rows)


def reversed_lines(contours: Contours) -> Contours:
    """The same contours drawn the other way, in the other order."""
    lines = shapely.reverse(contours.lines)[::-1]
    return Contours(lines, contours.levels_ft[::-1], contours.rows[::-1])


def split_lines(contours: Contours) -> Contours:
    """Each line cut in two at its middle vertex."""
    halves, levels = [], []
    for line, level in zip(contours.lines, contours.levels_ft, strict=True):
        xy = shapely.get_coordinates(line)
        middle = len(xy) // 2
        pieces = [xy[: middle + 1], xy[middle:]] if 1 <= middle < len(xy) - 1 else [xy]
        halves += [shapely.LineString(piece) for piece in pieces]
        levels += [level] * len(pieces)
    return contours_of(np.array(halves, dtype=object), np.array(levels))


def without_level(contours: Contours, level_ft: float) -> Contours:
    """The same contours with one level left out."""
    return contours.keep(np.abs(contours.levels_ft - level_ft) > 1e-6)


def a_middle_level(contours: Contours) -> float:
    """A level with others above and below."""
    return float(contours.levels[len(contours.levels) // 2])
