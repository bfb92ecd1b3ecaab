"""An elevation layer of vectors that carry heights as Z -> Surface: points, breaklines, triangles.

Triangles are taken as they are; points and lines are triangulated, lines cut into short pieces
so that no triangle crosses them.
"""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.errors import SurfaceError
from sitemap.project import Project
from sitemap.site import RoleLayer, Site
from sitemap.terrain.contour_ground import area_of, cell_for, grid_around, spot_points
from sitemap.terrain.surface import Surface
from sitemap.terrain.triangles import Tin, along_breaklines, triangulated
from sitemap.terrain.vertical import UNSTATED_ERROR_FT, feet_per
from sitemap.units import LengthUnit

BREAK_STEP_FT = 5.0


def surface_from_shapes(site: Site, layer: RoleLayer, bounds: Bounds) -> Surface:
    """The ground inside bounds from points, breaklines and triangles with Z, and spot elevations.

    SurfaceError without heights, or where their unit is stated nowhere.
    """
    assert site.crs is not None
    file = layer.members[0].provenance.file
    unit, how = _unit(site.project, file)
    shapes = shapely.get_parts(layer.usable.geometry.to_numpy())
    shapes = shapes[shapely.has_z(shapes)]
    near = shapes[shapely.intersects(shapes, shapely.box(*bounds))]
    tin = _tin(near, feet_per(unit), spot_points(site, bounds))
    if not len(tin):
        raise SurfaceError(f"{file}: no heights (Z) on the map and around it that make a surface")
    xmin, ymin, xmax, ymax = tin.bounds
    cell = cell_for((xmax - xmin) * (ymax - ymin))
    grid, shape = grid_around(tin, cell)
    z = tin.heights_ft(grid, shape)
    error_ft = site.project.map.vertical_error_ft or UNSTATED_ERROR_FT
    said = "from site.toml" if site.project.map.vertical_error_ft else "not stated, taken as such"
    return Surface(
        z,
        grid,
        site.crs,
        f"points, breaklines and triangles of {file}",
        unit.symbol,
        how,
        site.project.map.vertical_datum,
        error_ft,
        f"standard error {error_ft:g} ft, {said}",
        covered_pct=float(np.isfinite(z).sum() * cell**2 / area_of(bounds) * 100.0),
    )


def _tin(shapes: np.ndarray, foot: float, spots: np.ndarray) -> Tin:
    kind = shapely.get_type_id(shapes)
    areas = shapes[kind == 3]
    corners, count = _xyz(areas), shapely.get_num_coordinates(areas)
    if len(areas) and (count == 4).all():
        triangles = corners.reshape(-1, 4, 3)[:, :3].copy()
        triangles[..., 2] *= foot
        return Tin(triangles[np.isfinite(triangles).all(axis=(1, 2))])
    lines = along_breaklines(shapes[(kind == 1) | (kind == 2)], BREAK_STEP_FT)
    xyz = np.concatenate([_xyz(shapes[kind == 0]), lines, corners])
    xyz[:, 2] *= foot
    return triangulated(np.concatenate([xyz, spots]))


def _xyz(shapes: np.ndarray) -> np.ndarray:
    xyz: np.ndarray = shapely.get_coordinates(shapes, include_z=True)
    return xyz


def _unit(project: Project, file: str) -> tuple[LengthUnit, str]:
    said = {entry.unit for entry in project.layers.get("elevation", ()) if entry.unit}
    if len(said) == 1:
        return LengthUnit.parse(said.pop()), "layer's unit in site.toml"
    if project.map.vertical_unit is not None:
        return LengthUnit.parse(project.map.vertical_unit), "[map] vertical_unit of site.toml"
    raise SurfaceError(
        f"{file}: the unit of the heights in its coordinates is not stated. "
        'Say unit = "ft" or "m" for the layer in site.toml'
    )
