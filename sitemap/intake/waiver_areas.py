"""The polygon files of waivers: found beside site.toml, read, brought into the map's CRS.

They are no layers of the map: no role is sought for them, and no rule judges them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

import geopandas
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Crs, to_crs
from sitemap.errors import ConfigurationError
from sitemap.intake.discover import Found
from sitemap.intake.files import Workspace
from sitemap.intake.named import Opened, dataset_beside
from sitemap.intake.vector import GivenFor, read_vector
from sitemap.waived_area import checked_area


@dataclass(frozen=True)
class AreaFiles:
    """Frames by the number of their waiver in site.toml, and the datasets that they came from."""

    frames: Mapping[int, geopandas.GeoDataFrame]
    datasets: frozenset[str]
    where: str  # the site.toml, as named in messages

    def areas(self, crs: Crs | None) -> dict[int, BaseGeometry]:
        """The area of each waiver in the map's CRS; none where the map has no CRS."""
        if crs is None:
            return {}
        return {number: self._area(number, crs) for number in self.frames}

    def _area(self, number: int, crs: Crs) -> BaseGeometry:
        frame = self.frames[number]
        if frame.crs is None:
            raise _fault(self.where, number, "is a file without a CRS; give it one (a .prj)")
        try:
            area: BaseGeometry = to_crs(frame, crs)[0].geometry.union_all()
            return checked_area(area)
        except ValueError as error:
            raise _fault(self.where, number, str(error)) from None


def read_area_files(opened: Opened, work: Workspace, given_for: GivenFor) -> AreaFiles:
    """Read the files that waivers name; ConfigurationError for one that cannot serve."""
    where = str(opened.project.path or "site.toml")
    frames: dict[int, geopandas.GeoDataFrame] = {}
    datasets: set[str] = set()
    for number, entry in enumerate(opened.project.waivers, start=1):
        if entry.area_file is None:
            continue
        found = _found(opened, entry.area_file, work)
        if found is None:
            raise _fault(where, number, f"names {entry.area_file}, which is not there")
        read, failed = read_vector(found, work, given_for)
        if not read:
            why = failed[0].reason if failed else "it holds no layer"
            raise _fault(where, number, f"names {entry.area_file}, which cannot be read: {why}")
        if len(read) > 1:
            raise _fault(where, number, f"names {entry.area_file}, which holds {len(read)} layers")
        frames[number] = read[0].frame
        datasets.add(found.name)
    roles = {named.file for named in opened.named}
    return AreaFiles(frames, frozenset(datasets - roles), where)


def _found(opened: Opened, path: str, work: Workspace) -> Found | None:
    """The dataset of a path that is seen from site.toml, in the submission or beside it."""
    site_toml = opened.discovery.site_toml
    base = posixpath.dirname(site_toml.name) if site_toml is not None else ""
    wanted = posixpath.normpath(posixpath.join(base, path.replace("\\", "/"))).lower()
    inside = [found for found in opened.discovery.found if found.name.lower() == wanted]
    if inside:
        return inside[0]
    own = opened.project.path
    root = own.parent if own is not None and own.is_file() else None
    beside = dataset_beside(path, root, work).found
    return beside[0] if beside else None


def _fault(where: str, number: int, words: str) -> ConfigurationError:
    entry = f" (entry {number})" if number > 1 else ""
    return ConfigurationError(where, f"waivers{entry}.area", words)
