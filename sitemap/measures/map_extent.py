"""Which ground a map of the site must show: the same for the plate that draws it and for the
rules that judge its scale and its sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.errors import UsageError
from sitemap.measures.rotation import parse_rotation, turns_for_one
from sitemap.measures.sheets import fit_scale, fits, parse_sheet
from sitemap.measures.turn import turned_bounds, unturned
from sitemap.site import Site
from sitemap.units import Length, MapScale

Bounds = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax in site feet
CORE_ROLES = ("boundary", "disturbance", "controls")  # always on the main map, whatever the scale


def extent_ft(site: Site, roles: tuple[str, ...]) -> Bounds | None:
    """Bounds of these roles in site feet; None when none is there."""
    found = [
        layer.shapes
        for role in roles
        if (layer := site.role(role)) is not None and not layer.usable.empty
    ]
    if not found:
        return None
    x0, y0, x1, y1 = shapely.total_bounds(np.concatenate(found))
    return (float(x0), float(y0), float(x1), float(y1)) if np.isfinite(x0) else None


def hull_ft(site: Site, roles: tuple[str, ...]) -> np.ndarray | None:
    """Corners of the convex outline of these roles, shape (n, 2); None when none is there.

    Whatever way the paper is turned, the roles reach as far as these points.
    """
    found = [
        shapely.get_coordinates(layer.shapes)
        for role in roles
        if (layer := site.role(role)) is not None and not layer.usable.empty
    ]
    xy = np.concatenate(found) if found else np.empty((0, 2))
    if not len(xy) or not np.isfinite(xy).all():
        return None
    return np.asarray(shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(xy))))


def margin_ft(site: Site, adjacent_distance: Length) -> float:
    """Ground shown around the site: as site.toml wishes, else what counts as adjacent."""
    wished = site.project.plate.margin_ft
    return adjacent_distance.to(site.foot) if wished is None else wished


def grown(bounds: Bounds, by_ft: float) -> Bounds:
    """Bounds moved out by a margin on all four sides."""
    return bounds[0] - by_ft, bounds[1] - by_ft, bounds[2] + by_ft, bounds[3] + by_ft


@dataclass(frozen=True)
class MapGround:
    """Ground along the edges of the paper, on which it is turned by so many degrees."""

    bounds_ft: Bounds
    turn_deg: float = 0.0

    @property
    def outline(self) -> shapely.Polygon:
        """On the ground, in site feet."""
        corners = shapely.get_coordinates(shapely.box(*self.bounds_ft))
        return shapely.Polygon(unturned(corners, self.turn_deg))


def core_ground(site: Site, adjacent_distance: Length) -> MapGround | None:
    """The ground that must be in the main frame, margin included; None without a core layer.

    It is turned as site.toml wishes; where several turns will do, by the first at which the sheet
    holds it, as the plate is.
    """
    core = hull_ft(site, CORE_ROLES)
    if core is None:
        bounds = extent_ft(site, CORE_ROLES)
        if bounds is None:
            return None
        core = np.array(bounds).reshape(2, 2)
    margin = margin_ft(site, adjacent_distance)
    turns = turns_for_one(parse_rotation(site.project.plate.rotation), core)
    grounds = [MapGround(grown(turned_bounds(core, turn), margin), turn) for turn in turns]
    return next((ground for ground in grounds if _is_held(site, ground)), grounds[0])


def _is_held(site: Site, ground: MapGround) -> bool:
    """Whether the sheet of site.toml holds the ground at its scale, or for "auto" at any."""
    wishes = site.project.plate
    try:
        sheet = parse_sheet(wishes.sheet)
    except UsageError:
        return False
    left, bottom, right, top = ground.bounds_ft
    size = right - left, top - bottom
    if wishes.scale == "auto":
        return fit_scale(*size, sheet) is not None
    return fits(*size, sheet, MapScale(float(wishes.scale)))


def size_ft(ground: MapGround | None) -> tuple[float, float] | None:
    """Width and height on the paper, in feet; None for none."""
    if ground is None:
        return None
    left, bottom, right, top = ground.bounds_ft
    return right - left, top - bottom
