"""LandXML as it passes: surfaces as text, and the things that are drawn as small trees.

LandXML 1.0 to 1.2, by the names of its elements alone: programs declare any namespace, or none.
Entities and links are never followed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element
from xml.parsers import expat

THINGS = ("CgPoint", "Parcel", "Alignment", "PlanFeature", "PipeNetwork")
_HOLDERS = ("CgPoints", "Parcels", "Alignments", "PlanFeatures", "PipeNetworks")
_DROPPED = frozenset(  # of a thing: what is no plan of it
    ("Profile", "CrossSects", "Superelevation", "Cant", "Feature", "PipeFlow", "StructFlow",
     "AlignPIs", "StaEquation")
)  # fmt: skip
NOT_READ = {  # element: what people call it
    "Profile": "profile",
    "CrossSect": "cross section",
    "Roadway": "roadway",
    "GradeSurface": "grade model",
    "Watershed": "watershed of a surface",
    "Survey": "field book of a survey",
    "PointFile": "file of points",
    "RetWall": "retaining wall",
}
_DEEPEST = 200  # elements within one another; nobody's file comes near


class NotReadError(Exception):
    """Something in the file that cannot be made into a layer, in words."""


class Thing(NamedTuple):
    """A point, parcel, alignment, feature or pipe network, and the names of its collection."""

    element: Element
    path: tuple[str, ...]


@dataclass
class SurfaceText:
    """A surface as it stands in the file: rows of numbers in text."""

    name: str
    ids: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)  # one point each
    faces: list[str] = field(default_factory=list)
    scattered: list[str] = field(default_factory=list)  # many points each
    breaks: list[str] = field(default_factory=list)  # a line each
    contours: list[tuple[str, str]] = field(default_factory=list)  # height, a line in plan


class Stream:
    """Takes what is wanted out of the file as it passes; nothing else is kept."""

    def __init__(self) -> None:
        self.surfaces: list[SurfaceText] = []
        self.things: list[Thing] = []
        self.units: dict[str, str] = {}
        self.crs: dict[str, str] = {}
        self.unread: Counter[str] = Counter()
        self._path: list[str] = []
        self._said: list[dict[str, str]] = []
        self._titles: list[str] = []  # of the collections round the place
        self._surface: SurfaceText | None = None
        self._tree: list[Element] = []  # the open elements of a thing
        self._dropped = 0  # open elements within one that is dropped
        self._text: list[str] | None = None
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = self._entity
        self._listen()

    def _listen(self) -> None:
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _entity(self, *_: object) -> None:
        """Declared entities could swell or read other files."""
        raise NotReadError("it declares XML entities, which are not read")

    def _start(self, full: str, said: dict[str, str]) -> None:
        tag = full.rsplit(" ", 1)[-1]
        if not self._path and tag != "LandXML":
            raise NotReadError(f"it is XML, but not LandXML (its root is {tag})")
        self._path.append(tag)
        self._said.append(said)
        if len(self._path) > _DEEPEST:
            raise NotReadError(f"its elements stand more than {_DEEPEST} deep in one another")
        if tag in NOT_READ:
            self.unread[NOT_READ[tag]] += 1
        if self._dropped or (self._tree and tag in _DROPPED):
            self._dropped += 1
        elif self._tree or tag in THINGS:
            self._grow(tag, said)
        elif self._surface is not None and tag in ("Pnts", "Faces"):
            self._read_rows(full, tag, self._surface)
        elif self._surface is not None:
            inside = "SourceData" in self._path
            self._text = [] if inside and tag in ("PntList3D", "PntList2D") else None
        elif tag == "Surface":
            name = said.get("name") or f"surface {len(self.surfaces) + 1}"
            self._surface = SurfaceText(name)
            self.surfaces.append(self._surface)
        elif tag in _HOLDERS:
            self._titles += [tag, *([said["name"]] if said.get("name") else [])]
        elif tag in ("Metric", "Imperial"):
            self.units = dict(said)
        elif tag == "CoordinateSystem":
            self.crs = dict(said)

    def _grow(self, tag: str, said: dict[str, str]) -> None:
        element = Element(tag, said)
        if self._tree:
            self._tree[-1].append(element)
        else:
            self.things.append(Thing(element, tuple(self._titles)))
        self._tree.append(element)

    def _read_rows(self, holder: str, tag: str, surface: SurfaceText) -> None:
        """Until the holder ends, its points or faces alone: there may be a million of them."""
        row = holder.removesuffix(tag) + {"Pnts": "P", "Faces": "F"}[tag]
        rows = surface.points if tag == "Pnts" else surface.faces
        ids, wanted = surface.ids, False

        def start(full: str, said: dict[str, str]) -> None:
            nonlocal wanted
            wanted = full == row and said.get("i") != "1"  # marked invisible
            if wanted:
                rows.append("")
                if tag == "Pnts":
                    ids.append(said.get("id") or "")

        def characters(text: str) -> None:
            if wanted:
                rows[-1] += text  # several where a comment stands between

        def end(full: str) -> None:
            nonlocal wanted
            wanted = False
            if full == holder:
                self._listen()
                self._end(full)

        self.parser.StartElementHandler = start
        self.parser.EndElementHandler = end
        self.parser.CharacterDataHandler = characters

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)
        elif self._tree and not self._dropped and not len(self._tree[-1]):
            self._tree[-1].text = (self._tree[-1].text or "") + text

    def _end(self, full: str) -> None:
        tag = self._path.pop()
        self._said.pop()
        if self._dropped:
            self._dropped -= 1
        elif self._tree:
            self._tree.pop()
        elif self._surface is not None and self._text is not None:
            self._keep(self._surface, tag, "".join(self._text))
            self._text = None
        elif tag == "Surface":
            self._surface = None
        elif tag in _HOLDERS:
            self._titles.clear()

    def _keep(self, surface: SurfaceText, tag: str, text: str) -> None:
        holder = self._path[-1]
        if holder == "Contour" and tag == "PntList2D":
            surface.contours.append((self._said[-1].get("elev", ""), text))
        elif holder == "DataPoints" and tag == "PntList3D":
            surface.scattered.append(text)
        elif tag == "PntList3D":
            surface.breaks.append(text)
