"""Which ground a map of the site must show: the same for the plate that draws it and for the
rules that judge its scale and its sheet.
"""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.site import Site
from sitemap.units import Length

Bounds = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax in site feet
CORE_ROLES = ("boundary", "disturbance", "controls")  # always on the main map, whatever the scale


def extent_ft(site: Site, roles: tuple[str, ...]) -> Bounds | None:
    """Bounds of these roles in site feet; None when none is there."""
    found = [
        layer.usable.geometry.to_numpy()
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
        shapely.get_coordinates(layer.usable.geometry.to_numpy())
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


def core_ground(site: Site, adjacent_distance: Length) -> Bounds | None:
    """The ground that must be in the main frame, margin included; None without a core layer."""
    core = extent_ft(site, CORE_ROLES)
    return None if core is None else grown(core, margin_ft(site, adjacent_distance))


def size_ft(bounds: Bounds | None) -> tuple[float, float] | None:
    """Width and height of bounds in feet; None for none."""
    return None if bounds is None else (bounds[2] - bounds[0], bounds[3] - bounds[1])
