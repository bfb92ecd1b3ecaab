"""LandXML surfaces: points and faces of each, streamed; entities and outside files never followed.

Coordinates are northing, easting, height in the file's linear unit, as LandXML lays down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.parsers import expat

import numpy as np
import shapely

from sitemap.errors import SurfaceError
from sitemap.terrain.triangles import Tin, along_breaklines, triangulated
from sitemap.units import LengthUnit

_UNITS = {
    "foot": LengthUnit.FOOT,
    "ussurveyfoot": LengthUnit.US_SURVEY_FOOT,
    "meter": LengthUnit.METRE,
    "metre": LengthUnit.METRE,
    "inch": LengthUnit.INCH,
    "mile": LengthUnit.MILE,
}
_BREAK_STEP = 10.0  # units of the file between points put on breaklines


@dataclass(frozen=True, eq=False)
class LandXmlSurface:
    """One surface of a file: triangles as x (east), y (north), height, in the file's units."""

    name: str
    tin: Tin


@dataclass(frozen=True, eq=False)
class LandXml:
    """The surfaces of a file, its units and what it says of its CRS (code, else WKT)."""

    surfaces: tuple[LandXmlSurface, ...]
    linear_unit: LengthUnit | None
    elevation_unit: LengthUnit | None
    crs: str | None
    datum: str | None


@dataclass
class _Reading:
    """What has been met so far of one surface."""

    name: str
    ids: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)


def read_landxml(path: Path | str, stream: IO[bytes] | None = None) -> LandXml:
    """Every surface of a LandXML file. SurfaceError when it is none, or holds no surface.

    Faces marked invisible (i="1") are left out. A surface without faces is triangulated from its
    points and breaklines.
    """
    name = Path(path).name
    reader = _Reader(name)
    try:
        if stream is not None:
            reader.parser.ParseFile(stream)
        else:
            with open(path, "rb") as file:
                reader.parser.ParseFile(file)
    except expat.ExpatError as error:
        raise SurfaceError(f"{name}: is not well-formed XML ({error})") from None
    except OSError as error:
        raise SurfaceError(f"{name}: cannot be read ({error.strerror})") from None
    surfaces = tuple(LandXmlSurface(one.name, _tin(name, one)) for one in reader.surfaces)
    kept = tuple(surface for surface in surfaces if len(surface.tin))
    if not kept:
        raise SurfaceError(f"{name}: LandXML without a surface that has points and faces")
    return LandXml(
        kept,
        _UNITS.get(reader.units.get("linearUnit", "").lower()),
        _UNITS.get(reader.units.get("elevationUnit", "").lower()),
        _crs(reader.crs),
        reader.crs.get("verticalDatum") or None,
    )


class _Reader:
    """Takes what is wanted out of the stream as it passes; nothing else is kept."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.surfaces: list[_Reading] = []
        self.units: dict[str, str] = {}
        self.crs: dict[str, str] = {}
        self._open: _Reading | None = None
        self._root = ""
        self._text: list[str] | None = None
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._entity

    def _entity(self, *_: object) -> None:
        """Declared entities could swell or read other files."""
        raise SurfaceError(f"{self.name}: declares XML entities, which are not read")

    def _start(self, full: str, said: dict[str, str]) -> None:
        tag = full.rsplit(" ", 1)[-1]
        self._root = self._root or tag
        if self._root != "LandXML":
            raise SurfaceError(f"{self.name}: is XML, but not LandXML (its root is {tag})")
        self._text = None
        if tag in ("Metric", "Imperial"):
            self.units = dict(said)
        elif tag == "CoordinateSystem":
            self.crs = dict(said)
        elif tag == "Surface":
            self._open = _Reading(said.get("name") or f"surface {len(self.surfaces) + 1}")
            self.surfaces.append(self._open)
        elif self._open is not None and tag in ("P", "PntList3D"):
            self._text = []
            if tag == "P":
                self._open.ids.append(said.get("id") or "")
        elif self._open is not None and tag == "F" and said.get("i") != "1":
            self._text = []

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, full: str) -> None:
        tag = full.rsplit(" ", 1)[-1]
        if self._open is not None and self._text is not None:
            text = "".join(self._text)
            kept = {"P": self._open.points, "F": self._open.faces}.get(tag, self._open.breaks)
            kept.append(text)
        self._text = None
        if tag == "Surface":
            self._open = None


def _crs(said: dict[str, str]) -> str | None:
    code = said.get("epsgCode", "").strip()
    if re.fullmatch(r"\d{4,6}", code):
        return f"EPSG:{code}"
    return said.get("ogcWktCode") or None


def _tin(name: str, reading: _Reading) -> Tin:
    points = _numbers(name, reading.points, 3)
    xyz = points[:, [1, 0, 2]]
    if not reading.faces:
        return _laid(name, reading, xyz)
    faces = [face.split()[:3] for face in reading.faces]
    place = {number: i for i, number in enumerate(reading.ids)}
    try:
        index = np.array([[place[corner] for corner in face] for face in faces], dtype=int)
    except KeyError as error:
        raise SurfaceError(
            f"{name}: a face of surface {reading.name!r} names point {error}, which is not there"
        ) from None
    if index.ndim != 2 or index.shape[1] != 3:
        raise SurfaceError(f"{name}: surface {reading.name!r} has a face without three corners")
    return Tin(xyz[index])


def _laid(name: str, reading: _Reading, xyz: np.ndarray) -> Tin:
    """A surface given by its data only: points, and breaklines cut into points."""
    lists = [_numbers(name, [text], 3)[:, [1, 0, 2]] for text in reading.breaks]
    lines = [shapely.LineString(part) for part in lists if len(part) > 1]
    breaks = along_breaklines(np.array(lines, dtype=object), _BREAK_STEP)
    every = np.concatenate([xyz, breaks, *(part for part in lists if len(part) == 1)])
    return triangulated(every, np.inf) if len(every) > 2 else Tin(np.empty((0, 3, 3)))


def _numbers(name: str, texts: list[str], width: int) -> np.ndarray:
    """Texts of numbers as rows of a width."""
    try:
        flat = np.array(" ".join(texts).split(), dtype=float)
        if len(flat) % width:
            raise ValueError
    except ValueError:
        raise SurfaceError(f"{name}: holds points that are not three numbers each") from None
    return flat.reshape(-1, width)
