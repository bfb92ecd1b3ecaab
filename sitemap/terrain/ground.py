"""The ground of a site, existing and proposed, from what was submitted: built once, when asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from sitemap.crs import Bounds
from sitemap.errors import SitemapError, SurfaceError
from sitemap.places import map_extent
from sitemap.site import Site
from sitemap.terrain.surface import Surface

DOWNSTREAM_FT = 1320.0
MARGIN_FT = 200.0  # beyond the quarter mile, so that what lies at its end is seen


@dataclass(frozen=True, eq=False)
class Ground:
    """Both surfaces of a site; each None with its reason where it cannot be had."""

    site: Site

    @cached_property
    def _existing(self) -> Surface | str:
        try:
            return existing_surface(self.site)
        except SitemapError as error:
            return str(error)

    @property
    def existing(self) -> Surface | None:
        """The ground before construction, or None; why_not says why."""
        return self._existing if isinstance(self._existing, Surface) else None

    @property
    def why_not(self) -> str:
        """Why there is no existing surface, in words; empty where there is one."""
        return self._existing if isinstance(self._existing, str) else ""


@lru_cache(maxsize=4)
def ground_of(site: Site) -> Ground:
    """The ground of a site; kept for the last few sites, since rules and traces share it."""
    return Ground(site)


def window_ft(site: Site) -> Bounds:
    """What is read: the map, a quarter mile on every side and a margin. SurfaceError without."""
    extent = map_extent(site)
    if extent is None or site.crs is None:
        raise SurfaceError("no layer shows where the site lies, so no elevation can be read")
    by = DOWNSTREAM_FT + MARGIN_FT
    return extent[0] - by, extent[1] - by, extent[2] + by, extent[3] + by


def existing_surface(site: Site) -> Surface:
    """The ground before construction, from its elevation rasters.

    SurfaceError where there is none, or where its unit is stated nowhere.
    """
    from sitemap.terrain.mosaic import surface_from_rasters

    bounds = window_ft(site)
    assert site.crs is not None
    rasters = [raster for raster in site.rasters if raster.role == "elevation"]
    if rasters:
        return surface_from_rasters(rasters, site.crs, bounds, site.project)
    raise SurfaceError("no elevation layer: no raster, triangulated surface or contours")
