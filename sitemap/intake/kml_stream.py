"""KML as it passes: placemarks with their folders, texts and shapes. No link of it is followed.

OGC KML 2.2 (07-147r2) and what programs write under its name: spaces after commas, prefixes that
are nowhere declared, namespaces of Google's own. Places are degrees of WGS 84, longitude first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np
from shapely.geometry.base import BaseGeometry

from sitemap.intake.kml_shapes import OpenShape, built, is_open, read_coordinates

ABSOLUTE = "absolute"  # the one mode in which an altitude is a height above the sea, in metres
MOST_PLACEMARKS = 2_000_000
_SMALLER = "send them as a GeoPackage"
DEEPEST = 200  # folders and shapes within one another; nobody's drawing comes near
_DAYS = (["Placemark", "TimeStamp"], ["Placemark", "TimeSpan"])
_CONTAINERS = ("Document", "Folder", "NetworkLink")  # a link is a folder of what it leads to
_SHAPES = ("Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "Track", "MultiTrack")
_TEXTS = frozenset(
    ("name", "description", "value", "SimpleData", "coordinates", "coord", "altitudeMode", "when",
     "begin", "end", "visibility", "href")
)  # fmt: skip
NOT_READ = {
    "GroundOverlay": "picture laid on the ground",
    "PhotoOverlay": "photograph",
    "Model": "3D model",
}


class NotKmlError(Exception):
    """What keeps a text from being read as KML, in words."""


@dataclass(eq=False)
class Container:
    """A document or folder; its name may come after what is in it."""

    kind: str
    name: str = ""


@dataclass(eq=False)
class Placemark:
    """One placemark. values: texts by column; height_m: where its altitude is one above the sea."""

    folders: tuple[Container, ...]
    name: str = ""
    description: str = ""
    when: str = ""
    begin: str = ""
    end: str = ""
    values: dict[str, str] = field(default_factory=dict)
    shapes: list[BaseGeometry] = field(default_factory=list)
    height_m: float | None = None
    broken: int = 0  # shapes whose coordinates make none
    unclosed: int = 0  # rings that end elsewhere than they begin
    uneven: int = 0  # shapes whose heights above the sea differ
    hidden: bool = False


class Stream:
    """Takes placemarks out of the text as it passes."""

    def __init__(self, folders: tuple[Container, ...] = ()) -> None:
        """folders: those in which the text as a whole stands."""
        self.placemarks: list[Placemark] = []
        self.links: list[tuple[str, tuple[Container, ...]]] = []  # href, the folders round it
        self.outside: list[str] = []  # of those the ones that lead out of the file
        self.encoding = ""
        self.bare = 0  # placemarks without a shape
        self.broken = 0  # shapes of placemarks that hold no other
        self.types: dict[str, str] = {}  # of a schema's fields, by name
        self.unread: Counter[str] = Counter()
        self.cut = ""  # why the rest of the text could not be read
        self._as_placemark: set[str] = set()  # elements of schemas (KML 2.0 and 2.1)
        self._root = ""
        self._tags: list[str] = []
        self._containers: list[Container] = list(folders)
        self._placemark: Placemark | None = None
        self._shapes: list[OpenShape] = []
        self._column = ""
        self._text: list[str] | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._entity
        self.parser.XmlDeclHandler = self._declared

    def _entity(self, *_: object) -> None:
        """Declared entities could swell or read other files."""
        raise NotKmlError("it declares XML entities, which are not read")

    def _declared(self, _: str, encoding: str | None, __: int) -> None:
        self.encoding = (encoding or "").lower()

    def _start(self, full: str, said: dict[str, str]) -> None:
        tag = full.rsplit(":", 1)[-1]
        tag = "Placemark" if tag in self._as_placemark else tag
        self._root = self._root or tag
        if self._root != "kml" and self._root not in (*_CONTAINERS, "Placemark"):
            raise NotKmlError(f"it is XML, but not KML (its root is {tag})")
        if len(self._tags) >= DEEPEST:
            raise NotKmlError(f"its elements stand more than {DEEPEST} deep in one another")
        is_field = self._tags[-1:] == ["Placemark"] and tag in self.types
        self._tags.append(tag)
        self._text = [] if tag in _TEXTS or is_field else None
        if tag in _CONTAINERS:
            self._containers.append(Container("Folder" if tag == "NetworkLink" else tag))
        elif tag == "Placemark":
            self._placemark = Placemark(tuple(self._containers))
        elif tag == "SimpleField" and "name" in said:
            self.types[said["name"]] = said.get("type", "string")
        elif tag == "Schema" and said.get("parent") == "Placemark":
            self._as_placemark.add(said.get("name", ""))
        elif tag in ("Data", "SimpleData"):
            self._column = said.get("name", "")
        elif tag in NOT_READ:
            self.unread[NOT_READ[tag]] += 1
        elif self._placemark is not None and tag in _SHAPES:
            self._shapes.append(OpenShape(tag))
        elif self._shapes and tag in ("outerBoundaryIs", "innerBoundaryIs"):
            self._shapes[-1].inner = tag == "innerBoundaryIs"

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, _: str) -> None:
        tag = self._tags.pop()
        if self._text is not None:
            self._said(tag, "".join(self._text).strip())
            self._text = None
        if tag in _CONTAINERS:
            self._containers.pop()
        elif tag == "Placemark" and self._placemark is not None:
            self._keep(self._placemark)
            self._placemark, self._shapes = None, []
        elif self._shapes and tag == self._shapes[-1].kind:
            self._close(self._shapes.pop())

    def _keep(self, mark: Placemark) -> None:
        """What holds no shape is only counted: a small archive may hold millions."""
        if not mark.shapes:
            self.bare += not mark.broken
            self.broken += mark.broken
            return
        self.placemarks.append(mark)
        if len(self.placemarks) > MOST_PLACEMARKS:
            raise NotKmlError(f"it holds more than {MOST_PLACEMARKS:,} placemarks; {_SMALLER}")

    def _said(self, tag: str, text: str) -> None:
        """The text of an element, put where it belongs."""
        above = self._tags[-1] if self._tags else ""
        mark = self._placemark
        if tag == "name" and above in _CONTAINERS:
            self._containers[-1].name = text
        elif tag == "href" and "NetworkLink" in self._tags[-2:]:
            self.links.append((text, tuple(self._containers)))
        elif mark is None:
            return
        elif tag == "visibility" and above == "Placemark":
            mark.hidden = text in ("0", "false")
        elif tag in ("name", "description") and above == "Placemark":
            setattr(mark, tag, text)
        elif above == "Placemark" and tag in self.types:
            mark.values[tag] = text
        elif tag in ("when", "begin", "end"):  # a view has days, too
            if above == "Track" or self._tags[-2:] in _DAYS:
                setattr(mark, tag, getattr(mark, tag) or text)
        elif tag in ("value", "SimpleData") and self._column:
            mark.values[self._column] = text
        elif self._shapes and tag == "altitudeMode":
            self._shapes[-1].mode = text
        elif self._shapes and tag in ("coordinates", "coord"):
            self._vertices(",".join(text.split()) if tag == "coord" else text)

    def _vertices(self, text: str) -> None:
        made = read_coordinates(text)
        if made is None:
            if self._placemark is not None:
                self._placemark.broken += 1
        else:
            self._shapes[-1].vertices.append(made)

    def _close(self, shape: OpenShape) -> None:
        """A shape that ends: to the polygon whose ring it is, or to the placemark."""
        mark = self._placemark
        over = self._shapes[-1] if self._shapes else None
        if shape.kind == "LinearRing" and over is not None and over.kind == "Polygon":
            over.rings += [(over.inner, vertices) for vertices in shape.vertices]
            if mark is not None:
                mark.broken += sum(len(one) < 3 for one in shape.vertices)
                mark.unclosed += sum(is_open(one) for one in shape.vertices)
            return
        if mark is None or shape.kind in ("MultiGeometry", "MultiTrack"):
            return
        made, heights = built(shape)
        if made is None:  # of a polygon its rings are counted
            mark.broken += bool(shape.vertices)
            return
        mark.broken += max(0, sum(not inner for inner, _ in shape.rings) - 1)
        mark.shapes.append(made)
        if shape.mode == ABSOLUTE and len(heights):
            level = np.ptp(heights) == 0.0
            mark.height_m = float(heights[0]) if level else mark.height_m
            mark.uneven += not level
