"""The surface waters and wetlands that flow can reach, each once, and where a path meets them.

Streams and channels are waters; ditches, swales, conduits and the paths drawn through lakes only
lead water on (reading "Conveyances" of the pack).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Source
from sitemap.measures.records import sources
from sitemap.site import Site
from sitemap.terrain.lines import first_on

LEADS_UNSEEN = ("underground", "path through water")
LEADS_ON = ("ditch", "swale", *LEADS_UNSEEN)
WETLAND_POINT_FT = 20.0  # a wetland drawn as a point is taken as so wide to every side


@dataclass(frozen=True, eq=False)
class Water:
    """One water or wetland: what it is called on the map, with all its geometry."""

    role: str
    name: str  # as printed
    own_name: str | None  # its name or id in the layer; None where it has none
    kind: str | None
    shape: BaseGeometry
    source: Source

    @property
    def is_area(self) -> bool:
        """Whether water enters it at its rim; else it is a line of the network."""
        return self.role != "streams"


@dataclass(frozen=True, eq=False)
class Waters:
    """All waters of a site. of_stream gives the number of the water for a record of streams."""

    waters: tuple[Water, ...]
    of_stream: dict[int, int]

    @cached_property
    def _areas(self) -> tuple[np.ndarray, shapely.STRtree]:
        numbers = np.array([i for i, w in enumerate(self.waters) if w.is_area], dtype=int)
        shapes = [self.waters[i].shape for i in numbers.tolist()]
        shapely.prepare(shapes)
        return numbers, shapely.STRtree(shapes)

    @property
    def areas(self) -> list[int]:
        """Numbers of the waters that are areas."""
        return [int(i) for i in self._areas[0]]

    def all_entries(self, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where lines first meet areas: number of the line, of the area, how far along the line."""
        numbers, tree = self._areas
        of, hit = tree.query(lines, predicate="intersects")
        order = np.lexsort([hit, of])
        of, hit = of[order], hit[order]
        own, areas = lines[of], tree.geometries[hit]
        at = np.zeros(len(of))
        # a line that begins in an area need not be cut with it, which is dear
        later = np.flatnonzero(~shapely.intersects(areas, shapely.get_point(own, 0)))
        at[later] = first_on(own[later], shapely.intersection(own[later], areas[later]))
        return of, numbers[hit], at

    def holding(self, point: BaseGeometry) -> list[int]:
        """Numbers of the areas that hold a point."""
        numbers, tree = self._areas
        return sorted(int(numbers[i]) for i in tree.query(point, predicate="intersects"))


def waters_of(site: Site) -> Waters:
    """The waters of a site, in the order streams, water bodies, wetlands.

    One that came a second time, in a copy of its file, is the first: SUB005 and SUB011 say that.
    """
    found: list[Water] = []
    of_stream = _streams(site, found)
    for role, word in (("waterbodies", "water body"), ("wetlands", "wetland")):
        layer = site.role(role)
        if layer is None:
            continue
        frame = layer.usable
        shapes = shapely.make_valid(shapely.force_2d(frame.geometry.to_numpy()))
        thin = shapely.get_dimensions(shapes) < 2
        shapes[thin] = shapely.buffer(shapes[thin], WETLAND_POINT_FT)
        label = frame["id" if role == "wetlands" else "name"]
        kind = frame["class" if role == "wetlands" else "kind"]
        where = sources(frame)
        for row in _each_once(shapes):
            shape, own, what, source = shapes[row], label.iat[row], kind.iat[row], where[row]
            name = _text(own)
            words = f"{word} {name}" if role == "wetlands" and name else name
            words = words or f"{word} (record {source.feature})"
            found.append(Water(role, words, name, _text(what), shape, source))
    return Waters(tuple(found), of_stream)


def _each_once(shapes: np.ndarray) -> list[int]:
    """The rows of shapes without those that repeat an earlier one."""
    first: dict[bytes, int] = {}
    for row, known_by in enumerate(shapely.to_wkb(shapely.normalize(shapes)).tolist()):
        first.setdefault(known_by, row)
    return list(first.values())


def _streams(site: Site, found: list[Water]) -> dict[int, int]:
    """Streams of one name are one water; of unnamed ones each shape. By row of the usable frame."""
    layer = site.role("streams")
    if layer is None:
        return {}
    frame = layer.usable
    shapes = shapely.force_2d(frame.geometry.to_numpy())
    where = sources(frame)
    groups: dict[str, list[int]] = {}
    for row, (name, kind) in enumerate(zip(frame["name"], frame["kind"], strict=True)):
        if _text(kind) not in LEADS_ON and shapely.get_dimensions(shapes[row]) == 1:
            key = _text(name) or f"\0{shapely.normalize(shapes[row]).wkb_hex}"
            groups.setdefault(key, []).append(row)
    numbers: dict[int, int] = {}
    for key, rows in groups.items():
        own = None if key.startswith("\0") else key
        kind = _text(frame["kind"].iloc[rows[0]])
        words = own or f"{kind or 'stream'} without a name (record {where[rows[0]].feature})"
        shape = shapely.union_all(shapes[rows])
        numbers.update(dict.fromkeys(rows, len(found)))
        found.append(Water("streams", words, own, kind or "stream", shape, where[rows[0]]))
    return numbers


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
