"""Elevation rasters as reference: the header of those whose extent meets the window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs, crs_label, transform_points
from sitemap.errors import CrsError
from sitemap.intake.discover import Found
from sitemap.intake.files import DiskFile, stem_of
from sitemap.intake.raster import read_raster
from sitemap.intake.reference_roles import reference_catalogue
from sitemap.intake.reference_store import Wanted, identity_of_files
from sitemap.intake.roles import choose_role
from sitemap.intake.vector import Given
from sitemap.layer import Raster, RoleChoice, Unreadable
from sitemap.reference import ReferenceRaster, ReferenceSource


def reference_rasters(
    found: Iterable[Found], wanted: Wanted, window: BaseGeometry, target: Crs
) -> Iterator[ReferenceRaster | Unreadable | tuple[str, str]]:
    """Each raster of elevation that reaches the window; else why not, as (name, reason)."""
    for one in found:
        raster = read_raster(one, Given(wanted.crs), hashed=False)
        if isinstance(raster, Unreadable):
            yield raster
            continue
        choice = RoleChoice("elevation", "named in site.toml", True)
        if wanted.role is None:
            choice = _role(raster)
        if choice.role != "elevation":
            yield one.name, choice.reason
        elif raster.crs is None:
            yield Unreadable(one.name, "crs", "states no usable CRS; add one")
        elif not _reaches(raster, window, target):
            yield one.name, "lies outside the window around the site"
        else:
            yield ReferenceRaster(
                replace(raster, choice=choice), _source(raster, one, wanted, choice)
            )


def _role(raster: Raster) -> RoleChoice:
    if any(o.kind == "raster_is_picture" for o in raster.provenance.oddities):
        return RoleChoice(None, "a picture, not heights")
    name = raster.provenance.file
    chosen = choose_role(name, stem_of(name), (), ("raster",), reference_catalogue())
    if chosen.role is None and raster.bands == 1 and "serves no role" not in chosen.reason:
        return RoleChoice("elevation", "one band of numbers, and no name that says another thing")
    return chosen


def _reaches(raster: Raster, window: BaseGeometry, target: Crs) -> bool:
    xy = shapely.get_coordinates(shapely.segmentize(window, window.length / 32.0))
    assert raster.crs is not None
    try:
        x, y = transform_points(xy[:, 0], xy[:, 1], target, raster.crs)
    except CrsError:
        return False
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return False
    return bool(
        shapely.box(x.min(), y.min(), x.max(), y.max()).intersects(shapely.box(*raster.bounds))
    )


def _source(raster: Raster, found: Found, wanted: Wanted, choice: RoleChoice) -> ReferenceSource:
    files: list[Path] = [e.path for e in found.entries if isinstance(e, DiskFile)]
    state = identity_of_files(files)
    return ReferenceSource(
        name=raster.provenance.file,
        given=wanted.path,
        layer=raster.provenance.layer,
        driver=raster.provenance.driver,
        role="elevation",
        reason=choice.reason,
        crs=crs_label(raster.crs),
        edition=wanted.edition or "",
        effective=wanted.effective or "",
        dated_by="site.toml" if wanted.edition or wanted.effective else "",
        sha256=state.sha256,
        bytes=state.bytes,
        modified=state.modified,
        index="read by window of cells",
    )
