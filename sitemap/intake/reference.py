"""with_reference: reference layers around a site, read by window and brought into its CRS.

The window is the site's outline, the quarter mile and a margin; nothing is read whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs
from sitemap.errors import ConfigurationError, CrsError, DatasetError
from sitemap.intake.files import Workspace, workspace
from sitemap.intake.reference_places import places_of, shown
from sitemap.intake.reference_postgis import PostgisStore, is_database
from sitemap.intake.reference_rasters import reference_rasters
from sitemap.intake.reference_reading import Reading
from sitemap.intake.reference_roles import reference_role
from sitemap.intake.reference_store import Store, Wanted
from sitemap.layer import Unreadable
from sitemap.places import map_extent
from sitemap.reference import ROLES, ReferenceLayer, ReferenceRaster, ReferenceSet
from sitemap.site import Site

QUARTER_MILE_FT = 1320.0
MARGIN_FT = 200.0
WIDEST_FT = 200_000.0  # a site whose data lie farther apart has a fault of its own


def wanted_references(site: Site, given: Sequence[str] = ()) -> tuple[Wanted, ...]:
    """What to read: what is given, else what site.toml names; ConfigurationError where it may not.

    A site.toml comes with the submission of a stranger: it names no database to connect to, and
    inside an archive nothing at all.
    """
    if given:
        return tuple(Wanted(path) for path in given)
    own = site.project.path
    if site.project.reference and (own is None or not own.is_file()):
        words = "stands in an archive, from which nothing is read beside it; give --reference"
        raise ConfigurationError(own or "site.toml", "reference", words)
    base = own.parent if own is not None else None
    for number, entry in enumerate(site.project.reference, start=1):
        if is_database(entry.path):
            words = "names a database; to whom this machine connects is said by --reference only"
            raise ConfigurationError(own or "site.toml", "reference.path", words)
        if entry.role is not None and entry.role not in ROLES:
            key = f"reference{f' (entry {number})' if number > 1 else ''}.role"
            words = f"found {entry.role!r}; accepted: {', '.join(ROLES)}"
            raise ConfigurationError(own or "site.toml", key, words)
    return tuple(
        Wanted(
            entry.path, base, entry.layer, entry.role, entry.crs, entry.edition,
            entry.effective.isoformat() if entry.effective else None, entry.fields,
        )
        for entry in site.project.reference
    )  # fmt: skip


def with_reference(site: Site, wanted: Sequence[Wanted], reach_ft: float = QUARTER_MILE_FT) -> Site:
    """The site with what the references show around it; unchanged where none is asked for.

    reach_ft is how far beyond the boundary waters are followed. UsageError for a reference that
    does not exist; what lies there and cannot serve is in ReferenceSet.unread and left_out.
    """
    if not wanted:
        return site
    given = tuple(dict.fromkeys(shown(one.path) for one in wanted))
    by_option = all(one.base is None for one in wanted)
    window, why_not = _window(site, reach_ft)
    with workspace() as work:
        if window is None or site.crs is None:
            for one in wanted:
                places_of(one, work)  # a reference that does not exist is told all the same
            nothing = ReferenceSet(given=given, by_option=by_option, why_not=why_not)
            return replace(site, reference=nothing)
        found = _Found(window, site.crs, work)
        for one in wanted:
            found.read(one)
    reference = ReferenceSet(
        layers=tuple(found.layers),
        rasters=tuple(found.rasters),
        given=given,
        by_option=by_option,
        unread=tuple(found.unread),
        window=window,
        left_out=found.left_out,
    )
    return replace(site, reference=reference)


def _window(site: Site, reach_ft: float) -> tuple[BaseGeometry | None, str]:
    """The ground to read, in the CRS of the map, or why there is none."""
    if site.crs is None:
        return None, f"the map has no coordinate reference system ({site.crs_reason})"
    boundary = site.boundary
    box = boundary.bounds if boundary is not None else map_extent(site)
    if box is None or not np.isfinite(box).all():
        return None, "no layer shows where the site lies"
    across = max(box[2] - box[0], box[3] - box[1])
    if across > WIDEST_FT:
        return None, f"the site spans {across / 5280.0:,.0f} miles: see CRS002 and CRS003"
    by = reach_ft + MARGIN_FT
    return shapely.box(box[0] - by, box[1] - by, box[2] + by, box[3] + by), ""


class _Found:
    """What has been read so far of all references."""

    def __init__(self, window: BaseGeometry, crs: Crs, work: Workspace) -> None:
        self.window, self.crs, self.work = window, crs, work
        self.layers: list[ReferenceLayer] = []
        self.rasters: list[ReferenceRaster] = []
        self.unread: list[Unreadable] = []
        self.left_out: dict[str, str] = {}

    def read(self, wanted: Wanted) -> None:
        """Everything that lies at one reference."""
        places = places_of(wanted, self.work)
        self.unread += places.unread
        for store in places.stores:
            try:
                self._read_store(store, wanted)
            except DatasetError as error:
                self.unread.append(Unreadable(store.name, error.kind, error.reason))
            finally:
                if isinstance(store, PostgisStore):
                    store.close()
        for raster in reference_rasters(places.rasters, wanted, self.window, self.crs):
            if isinstance(raster, ReferenceRaster):
                self.rasters.append(raster)
            elif isinstance(raster, Unreadable):
                self.unread.append(raster)
            else:
                self.left_out[raster[0]] = raster[1]

    def _read_store(self, store: Store, wanted: Wanted) -> None:
        heads = store.heads()
        self.unread += store.lost
        several = sum(not head.is_table for head in heads) > 1
        for head in heads:
            if wanted.layer not in (None, head.layer):
                continue
            name = f"{store.name}, layer {head.layer}" if several else store.name
            choice = reference_role(store.name, head, wanted)
            if choice.role is None:
                if not head.is_table:
                    self.left_out[name] = choice.reason
                continue
            try:
                reading = Reading(store, head, wanted, choice, name, self.window, self.crs)
                self.layers += reading.layers(heads)
            except DatasetError as error:
                self.unread.append(Unreadable(store.name, error.kind, error.reason, head.layer))
            except CrsError as error:
                self.unread.append(Unreadable(store.name, "crs", str(error), head.layer))
        asked = {head.layer for head in heads}
        if wanted.layer is not None and wanted.layer not in asked:
            words = f"holds no layer {wanted.layer!r}; its layers: {', '.join(sorted(asked))}"
            self.unread.append(Unreadable(store.name, "layer_missing", words))
