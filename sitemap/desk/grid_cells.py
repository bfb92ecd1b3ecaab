"""The cells of the alphanumeric grid on the ground: the submission's, the plate's, or our own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.crs import crs_code
from sitemap.measured_plate import MapFrame, PlatePage
from sitemap.measures.printed_grid import Edge, edges_of, reference_at
from sitemap.report.map_grid import MapGrid

MOST_CELLS = 5_000


def grid_cells(checked: CheckedSite) -> list[tuple[str, BaseGeometry]]:
    """Label and ground of each cell, by the grid after which findings name their cells."""
    found = list(_printed(checked))
    found = found or [(cell.label, cell.ground) for cell in MapGrid(checked).cells]
    return found if len(found) <= MOST_CELLS else []


def _printed(checked: CheckedSite) -> Iterator[tuple[str, BaseGeometry]]:
    """The cells that the marks along the frames of the plate make; as far as the frames reach."""
    if checked.plate is None or checked.site.crs is None:
        return
    code = crs_code(checked.site.crs)
    for page, frame in checked.plate.main_frames:
        if frame.ground_ft is not None and (frame.epsg is None or code == f"EPSG:{frame.epsg}"):
            yield from _of_frame(page, frame)


def _of_frame(page: PlatePage, frame: MapFrame) -> Iterator[tuple[str, BaseGeometry]]:
    edges = {edge.name: edge for edge in edges_of(page, frame)}
    across = edges.get("top") or edges.get("bottom")
    up = edges.get("left") or edges.get("right")
    if across is None or up is None:
        return
    x_lines, y_lines = _lines(across), -_lines(up)
    for left, right in pairwise(x_lines):
        for top, bottom in pairwise(y_lines):
            named = reference_at(page, frame, (left + right) / 2.0, (top + bottom) / 2.0)
            if named is not None:
                corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
                yield named.cell, shapely.Polygon(_on_ground(np.array(corners), frame))


def _lines(edge: Edge) -> np.ndarray:
    """Where cells part along an edge: half way between marks, and at the ends of the frame."""
    at = np.array(edge.at_in)
    return np.concatenate([[edge.low_in], (at[:-1] + at[1:]) / 2.0, [edge.high_in]])


def _on_ground(xy_in: np.ndarray, frame: MapFrame) -> np.ndarray:
    assert frame.ground_ft is not None
    left, bottom, right, top = frame.box_in
    lower_left, upper_left, _, lower_right = (np.array(corner) for corner in frame.ground_ft)
    share = (xy_in - [left, bottom]) / [right - left, top - bottom]
    ground: np.ndarray = (
        lower_left
        + share[:, :1] * (lower_right - lower_left)
        + share[:, 1:] * (upper_left - lower_left)
    )
    return ground
