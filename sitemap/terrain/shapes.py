"""An elevation layer of vectors that carry heights as Z -> Surface: points, breaklines, triangles.

Triangles are taken as they are; points and lines are triangulated, lines cut into short pieces
so that no triangle crosses them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.errors import SurfaceError
from sitemap.layer import SOURCE_FILE, SOURCE_LAYER, Layer
from sitemap.site import RoleLayer, Site
from sitemap.terrain.contour_ground import area_of, cell_for, grid_around, spot_points
from sitemap.terrain.surface import Surface
from sitemap.terrain.triangles import Tin, triangulated
from sitemap.terrain.vertical import UNSTATED_ERROR_FT, feet_per
from sitemap.units import LengthUnit

BREAK_STEP_FT = 5.0
LANDXML = "LandXML"  # the driver of a dataset that states the unit of its heights


def surface_from_shapes(site: Site, members: Sequence[Layer], bounds: Bounds) -> Surface:
    """The ground inside bounds from points, breaklines and triangles with Z, and spot elevations.

    members are datasets of the elevation role. SurfaceError without heights, or where their unit
    is stated nowhere.
    """
    layer = site.role("elevation")
    assert site.crs is not None
    assert layer is not None
    stated = [_unit(site, one) for one in members]
    shapes, feet = _shapes_of(layer, members, [feet_per(unit) for unit, _ in stated])
    near = shapely.intersects(shapes, shapely.box(*bounds))
    tin = _tin(shapes[near], feet[near], spot_points(site, bounds))
    names = ", ".join(dict.fromkeys(_name(one) for one in members))
    if not len(tin):
        raise SurfaceError(f"{names}: no heights (Z) on the map and around it that make a surface")
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
        f"points, breaklines and triangles of {names}",
        stated[0][0].symbol,
        stated[0][1],
        site.project.map.vertical_datum,
        error_ft,
        f"standard error {error_ft:g} ft, {said}",
        covered_pct=float(np.isfinite(z).sum() * cell**2 / area_of(bounds) * 100.0),
    )


def _name(member: Layer) -> str:
    file, layer = member.provenance.file, member.provenance.layer
    return f"{file} ({layer})" if member.provenance.driver == LANDXML else file


def _shapes_of(
    layer: RoleLayer, members: Sequence[Layer], feet: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Single shapes with Z of some datasets in the site CRS, and feet per unit of each."""
    frame = layer.usable
    shapes, per_unit = [], []
    for member, foot in zip(members, feet, strict=True):
        own = frame[SOURCE_FILE].eq(member.provenance.file)
        own &= frame[SOURCE_LAYER].eq(member.provenance.layer)
        parts = shapely.get_parts(frame.geometry.to_numpy()[own.to_numpy()])
        shapes.append(parts[shapely.has_z(parts)])
        per_unit.append(np.full(len(shapes[-1]), foot))
    return np.concatenate(shapes), np.concatenate(per_unit)


def _tin(shapes: np.ndarray, feet: np.ndarray, spots: np.ndarray) -> Tin:
    """Triangles as given where all shapes are triangles, else a triangulation of all points."""
    kind = shapely.get_type_id(shapes)
    count = shapely.get_num_coordinates(shapes)
    if len(shapes) and (kind == 3).all() and (count == 4).all():
        corners = _xyz(shapes).reshape(-1, 4, 3)[:, :3].copy()
        corners[..., 2] *= feet[:, None]
        return Tin(corners[np.isfinite(corners).all(axis=(1, 2))])
    cut = np.where((kind == 1) | (kind == 2), shapely.segmentize(shapes, BREAK_STEP_FT), shapes)
    xyz, owner = shapely.get_coordinates(cut, include_z=True, return_index=True)
    xyz[:, 2] *= feet[owner]
    return triangulated(np.concatenate([xyz, spots]))


def _xyz(shapes: np.ndarray) -> np.ndarray:
    xyz: np.ndarray = shapely.get_coordinates(shapes, include_z=True)
    return xyz


def _unit(site: Site, member: Layer) -> tuple[LengthUnit, str]:
    """What the file says, else site.toml; SurfaceError asks."""
    own = member.frame["height_unit"].iloc[0] if member.provenance.driver == LANDXML else None
    if own is not None:
        return LengthUnit.parse(str(own)), "unit of the LandXML file"
    entries = site.project.layers.get("elevation", ())
    said = {entry.unit for entry in entries if entry.unit}
    if len(said) == 1:
        return LengthUnit.parse(said.pop()), "layer's unit in site.toml"
    if site.project.map.vertical_unit is not None:
        unit = LengthUnit.parse(site.project.map.vertical_unit)
        return unit, "[map] vertical_unit of site.toml"
    raise SurfaceError(
        f"{member.provenance.file}: the unit of the heights in its coordinates is not stated. "
        'Say unit = "ft" or "m" for the layer in site.toml'
    )
