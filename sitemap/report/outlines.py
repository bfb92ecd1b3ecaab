"""What lies around the findings, as simple outlines in the JSON: for small maps drawn from it.

Boundary, the grid cells of the findings, and the near parts of the layers that give a place its
look. They are for looking at: simplified, cut at windows, never to be measured.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.finding import Finding, JsonDict
from sitemap.report.faults import usable_geometry
from sitemap.report.json_finding import geometry_dict
from sitemap.report.map_grid import MapGrid
from sitemap.report.maps import BACKGROUND
from sitemap.report.words import plain
from sitemap.site import RoleLayer

MOST_FINDINGS = 60  # as many small maps as a letter has
LEAST_WINDOW_FT = 160.0
MOST_VERTICES = 1_500  # of one layer
SIMPLER_FT = (0.5, 1.0, 2.0, 5.0, 10.0, 25.0)
NOT_AROUND = ("boundary", "grid", "elevation", "aerial")


def outlines_of(checked: CheckedSite) -> JsonDict:
    """By the schema: boundary, cells and layers; empty where no finding has a place."""
    shown = [(f, fault) for f in checked.findings if (fault := _fault(f)) is not None]
    shown = shown[:MOST_FINDINGS]
    boundary = _simple_boundary(checked.site.boundary) if shown else None
    ground = shapely.union_all(np.array([_window(fault) for _, fault in shown], dtype=object))
    grid = MapGrid(checked)
    cells = {cell.label: cell for f, _ in shown if (cell := grid.cell_at(f.place)) is not None}
    return {
        "boundary": geometry_dict(boundary),
        "cells": [
            {"label": plain(label), "geometry": geometry_dict(cell.ground)}
            for label, cell in sorted(cells.items())
        ],
        "layers": list(_layers(checked, [f for f, _ in shown], ground)),
    }


def _fault(finding: Finding) -> BaseGeometry | None:
    """What the map of a finding is drawn around."""
    fault = usable_geometry(finding)
    if fault is None and finding.place is not None:
        return shapely.Point(finding.place.x_ft, finding.place.y_ft)
    return fault


def _window(fault: BaseGeometry) -> BaseGeometry:
    """All ground that a small map of whatever shape may show around a fault."""
    left, bottom, right, top = fault.bounds
    margin = max(right - left, top - bottom, LEAST_WINDOW_FT)
    return shapely.box(left - margin, bottom - margin, right + margin, top + margin)


def _layers(
    checked: CheckedSite, findings: list[Finding], ground: BaseGeometry
) -> Iterator[JsonDict]:
    """The background of the maps, and the layers that the findings are about."""
    roles = dict.fromkeys([*BACKGROUND, *(f.role for f in findings if f.role)])
    for role in roles:
        layer, spec = checked.site.role(role), checked.site.catalogue.by_role.get(role)
        if layer is None or spec is None or role in NOT_AROUND or ground.is_empty:
            continue
        near = geometry_dict(_simple_lines(_near(layer, ground)))
        if near is not None:
            yield {"role": role, "title": spec.title, "ink": spec.symbol.ink, "geometry": near}


def _near(layer: RoleLayer, ground: BaseGeometry) -> np.ndarray:
    """The parts of a layer inside the windows, areas as their outlines."""
    shapes = shapely.force_2d(layer.shapes)
    areas = shapely.get_dimensions(shapes) == 2
    shapes[areas] = shapely.boundary(shapes[areas])
    shapely.prepare(ground)
    near = shapes[shapely.intersects(ground, shapes)]
    cut = ~shapely.covers(ground, near)
    near[cut] = shapely.intersection(near[cut], ground)
    parts = shapely.get_parts(shapely.get_parts(near))
    return np.asarray(parts[~shapely.is_empty(parts)])


def _simple_lines(parts: np.ndarray) -> BaseGeometry | None:
    """Lines and points with at most so many vertices in all; None where the coarsest have more.

    Each by itself: that they keep clear of each other is nothing to a sketch, and costs minutes
    where there are many.
    """
    dimension = shapely.get_dimensions(parts)
    if not len(parts) or int((1 + dimension).sum()) > MOST_VERTICES:
        return None
    for tolerance in SIMPLER_FT:
        simple = shapely.simplify(parts, tolerance, preserve_topology=False)
        if shapely.get_num_coordinates(simple).sum() <= MOST_VERTICES:
            return shapely.GeometryCollection(list(simple))
    return None


def _simple_boundary(shape: BaseGeometry | None) -> BaseGeometry | None:
    """The areas with at most so many vertices; None where even the coarsest have more."""
    if shape is None or shape.is_empty:
        return None
    flat = shapely.force_2d(shape)
    for tolerance in SIMPLER_FT:
        simple = shapely.simplify(flat, tolerance)
        if shapely.get_num_coordinates(simple) <= MOST_VERTICES:
            return simple
    return None
