"""The ground of a site, existing and proposed, from what was submitted: built once, when asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import shapely

from sitemap.crs import Bounds, transform_points
from sitemap.errors import SitemapError, SurfaceError
from sitemap.layer import Layer, Raster
from sitemap.places import map_extent
from sitemap.site import Site
from sitemap.terrain.contour_ground import show_ground, surface_from_contours
from sitemap.terrain.design import with_design
from sitemap.terrain.surface import Surface

SURFACES = ("surface", "proposed_surface")  # what a rule may ask for by name
DOWNSTREAM_FT = 1320.0
SHOW_HEIGHTS = (
    "elevation", "contours_existing", "contours_proposed", "spot_elevations", "disturbance",
)  # fmt: skip
MOST_KEPT = 4
MARGIN_FT = 200.0  # beyond the quarter mile, so that what lies at its end is seen
_EXISTING = re.compile(r"(?<![a-z])(existing|exist|ex|eg|og|original)(?![a-z])")
_DESIGN = re.compile(r"(?<![a-z])(proposed|prop|design|finished|fg|post|grading)(?![a-z])")


@dataclass(frozen=True, eq=False)
class Ground:
    """Both surfaces of a site, each None where it cannot be had, with the reason in words."""

    site: Site

    @cached_property
    def _handed_in(self) -> Surface | str | None:
        """The existing ground by elevation itself; None where there is none of it."""
        return _or_reason(lambda: _elevation(self.site))

    @cached_property
    def _existing(self) -> Surface | str:
        if self._handed_in is not None:
            return self._handed_in
        return _or_reason(lambda: surface_from_contours(self.site, window_ft(self.site)))

    @cached_property
    def _proposed(self) -> Surface | str:
        return _or_reason(lambda: proposed_surface(self.site, self.existing))

    @property
    def existing(self) -> Surface | None:
        """The ground before construction, or None."""
        return self._existing if isinstance(self._existing, Surface) else None

    @property
    def proposed(self) -> Surface | None:
        """The ground after grading, or None."""
        return self._proposed if isinstance(self._proposed, Surface) else None

    @property
    def is_of_contours(self) -> bool:
        """Whether only existing contours show the ground; it is not made of them to tell that."""
        return self._handed_in is None and show_ground(self.site, window_ft(self.site))

    @property
    def why_no_existing(self) -> str:
        """Why there is no existing surface; empty where there is one."""
        return self._existing if isinstance(self._existing, str) else ""

    @property
    def why_no_proposed(self) -> str:
        """Why there is no proposed surface; empty where there is one."""
        return self._proposed if isinstance(self._proposed, str) else ""

    def surface(self, name: str) -> Surface | None:
        """The surface behind an argument of a rule: "surface" or "proposed_surface"."""
        return self.existing if name == "surface" else self.proposed

    def why_not(self, name: str) -> str:
        """Why the surface of that name is None."""
        return self.why_no_existing if name == "surface" else self.why_no_proposed

    @property
    def after(self) -> Surface | None:
        """The proposed ground, else the existing: what water flows over after grading."""
        return self.proposed or self.existing


Found = TypeVar("Found")

_KEPT: dict[tuple[object, ...], Ground] = {}


def _or_reason(build: Callable[[], Found]) -> Found | str:
    try:
        return build()
    except SitemapError as error:
        return str(error)


def ground_of(site: Site) -> Ground:
    """The ground of a site; kept for the last few, since rules and traces share it.

    Sites that differ only in what shows no heights (a discharge moved, a name corrected) share it.
    """
    shown = tuple(site.layers.get(role) for role in SHOW_HEIGHTS)
    known = (one.raster for one in site.reference.rasters)
    rasters = tuple(id(raster) for raster in (*site.rasters, *known))
    key = (id(site.crs), id(site.project.map), rasters, tuple(map(id, shown)), map_extent(site))
    if key not in _KEPT:
        _KEPT[key] = Ground(site)  # which keeps alive what the key tells apart
        while len(_KEPT) > MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)))
    return _KEPT[key]


def window_ft(site: Site) -> Bounds:
    """What is read: the map, a quarter mile on every side and a margin. SurfaceError without."""
    if site.crs is None:
        raise SurfaceError(f"the map has no coordinate reference system ({site.crs_reason})")
    extent = map_extent(site)
    if extent is None:
        return _of_rasters(site)  # elevation alone, as a county hands it out: all of it
    by = DOWNSTREAM_FT + MARGIN_FT
    return extent[0] - by, extent[1] - by, extent[2] + by, extent[3] + by


def _of_rasters(site: Site) -> Bounds:
    """The extent of the elevation rasters in the CRS of the map; SurfaceError without any."""
    assert site.crs is not None
    boxes = []
    for raster in site.rasters:
        if raster.role == "elevation" and raster.crs is not None:
            edge = shapely.segmentize(shapely.box(*raster.bounds), _eighth(raster.bounds))
            xy = shapely.get_coordinates(edge)
            x, y = transform_points(xy[:, 0], xy[:, 1], raster.crs, site.crs)
            boxes.append((x.min(), y.min(), x.max(), y.max()))
    if not boxes:
        raise SurfaceError("no layer shows where the site lies, so no elevation can be read")
    low, high = np.min(boxes, axis=0), np.max(boxes, axis=0)
    return float(low[0]), float(low[1]), float(high[2]), float(high[3])


def _eighth(bounds: Bounds) -> float:
    return max(bounds[2] - bounds[0], bounds[3] - bounds[1]) / 8.0


def _elevation(site: Site) -> Surface | None:
    """The ground before construction from rasters, else a TIN, else vectors with Z, else the
    elevation of a reference; None without any of them.

    SurfaceError where the unit of an elevation file is stated nowhere.
    """
    return _given(site, design=False) or _known(site)


def _known(site: Site) -> Surface | None:
    """The elevation of the references; None where they have none that can be used here."""
    rasters = [one.raster for one in site.reference.rasters]
    if not rasters or site.crs is None:
        return None
    from sitemap.terrain.mosaic import surface_from_rasters

    try:  # what site.toml says of heights is said of its own files
        return surface_from_rasters(rasters, site.crs, window_ft(site))
    except SurfaceError:  # of another's making, and no fault of the map
        return None


def proposed_surface(site: Site, existing: Surface | None) -> Surface:
    """The ground after grading, over the existing one. SurfaceError where no design shows it."""
    return with_design(site, existing, _given(site, design=True))


def says_design(*names: str) -> bool:
    """Whether the name of a file or surface says that it shows the ground after grading."""
    return any(_DESIGN.search(name.lower().rsplit("/", 1)[-1]) for name in names)


def _given(site: Site, *, design: bool) -> Surface | None:
    """What is submitted as elevation itself; None where there is nothing of the kind."""
    bounds = window_ft(site)
    assert site.crs is not None
    rasters = [r for r in site.rasters if r.role == "elevation" and _is_design(r) == design]
    if rasters:
        from sitemap.terrain.mosaic import surface_from_rasters

        return surface_from_rasters(rasters, site.crs, bounds, site.project)
    layer = site.role("elevation")
    members = [m for m in (layer.members if layer else ()) if _is_design(m) == design]
    if members:
        from sitemap.terrain.shapes import surface_from_shapes

        return surface_from_shapes(site, members, bounds)
    return None


def _is_design(dataset: Raster | Layer) -> bool:
    """By the name of the layer, which says more than that of the file."""
    own = dataset.provenance.layer.lower()
    if _EXISTING.search(own):
        return False
    return says_design(own, dataset.provenance.file)
