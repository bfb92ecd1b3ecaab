"""LandXML surfaces -> layers of triangles with Z: streamed; entities and files never followed.

Coordinates are northing, easting, height in the file's linear unit, as LandXML lays down. Heights
stay in that unit, which stands in the column height_unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np
import shapely

from sitemap.crs import linear_unit
from sitemap.errors import DatasetError
from sitemap.intake.columns import frame_of
from sitemap.intake.crs_detective import settle_crs
from sitemap.intake.discover import Found
from sitemap.intake.files import sha256_of
from sitemap.intake.geometry_detective import finite_bounds
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.vector import GivenFor, Read
from sitemap.layer import Oddity, Provenance, Unreadable
from sitemap.units import LengthUnit

DRIVER = "LandXML"
HEIGHT_UNIT = "height_unit"
_UNITS = {
    "foot": LengthUnit.FOOT,
    "ussurveyfoot": LengthUnit.US_SURVEY_FOOT,
    "meter": LengthUnit.METRE,
    "metre": LengthUnit.METRE,
}


@dataclass
class _Reading:
    """What has been met so far of one surface."""

    name: str
    ids: list[str] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)


def read_landxml(found: Found, given_for: GivenFor) -> tuple[list[Read], list[Unreadable]]:
    """Every surface of a LandXML file as a layer of its own, or the reason why there is none.

    Faces marked invisible (i="1") are left out. A surface without faces comes as its points and
    breaklines.
    """
    reader = _Reader()
    try:
        with found.main.open() as stream:
            reader.parser.ParseFile(stream)
        shapes = [(one.name, _shapes(one)) for one in reader.surfaces]
    except DatasetError as error:
        return [], [Unreadable(found.name, error.kind, error.reason)]
    except _NotReadError as error:
        return [], [Unreadable(found.name, "damaged", str(error))]
    except expat.ExpatError as error:
        return [], [Unreadable(found.name, "damaged", f"the XML is not well formed ({error})")]
    kept = [(name, made) for name, made in shapes if len(made)]
    if not kept:
        return [], [Unreadable(found.name, "no_layers", "it is LandXML, but holds no surface")]
    sha256 = sha256_of(found.entries)
    return [_layer(found, reader, given_for, name, made, sha256) for name, made in kept], []


class _NotReadError(Exception):
    """Something in the file that cannot be made into a surface, in words."""


def _layer(
    found: Found, reader: _Reader, given_for: GivenFor, name: str, shapes: np.ndarray, sha256: str
) -> Read:
    given = given_for(found.name, name)
    crs, how, notes = settle_crs(
        _crs(reader.crs), given.crs, given.fallback_crs, finite_bounds(shapes), None
    )
    unit = _UNITS.get(reader.units.get("linearUnit", "").lower())
    height = _UNITS.get(reader.units.get("elevationUnit", "").lower()) or unit
    words: list[Oddity] = list(notes)
    if height is None:
        words.append(odd("vertical_unit_unstated", "the file does not say in which unit it is"))
    if crs is not None and unit is not None and linear_unit(crs) not in (None, unit):
        words.append(
            odd(
                "crs_unit_disagrees",
                f"the file says {unit.symbol}, its coordinate system another unit; the "
                "coordinate system is taken",
            )
        )
    frame = frame_of(
        {
            "surface": np.array([name] * len(shapes), dtype=object),
            HEIGHT_UNIT: np.array([height.symbol if height else None] * len(shapes), dtype=object),
        },
        shapes,
        np.arange(len(shapes)),
    )
    words.append(odd("has_z", count_of(len(shapes), "shape") + " with heights"))
    if crs is not None:
        frame = frame.set_crs(crs)
    provenance = Provenance(
        file=found.name,
        layer=name,
        driver=DRIVER,
        encoding="utf-8",
        encoding_how="XML says it",
        crs_how=how,
        features_read=len(frame),
        features_null=0,
        features_lost=0,
        sha256=sha256,
        oddities=tuple(words),
    )
    return Read(frame, provenance)


class _Reader:
    """Takes what is wanted out of the stream as it passes; nothing else is kept."""

    def __init__(self) -> None:
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
        raise _NotReadError("it declares XML entities, which are not read")

    def _start(self, full: str, said: dict[str, str]) -> None:
        tag = full.rsplit(" ", 1)[-1]
        self._root = self._root or tag
        if self._root != "LandXML":
            raise _NotReadError(f"it is XML, but not LandXML (its root is {tag})")
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


def _shapes(reading: _Reading) -> np.ndarray:
    """Triangles as polygons with Z; without faces the points and the breaklines."""
    xyz = _numbers(reading.points)[:, [1, 0, 2]]
    if not reading.faces:
        lists = [_numbers([text])[:, [1, 0, 2]] for text in reading.breaks]
        lines = [shapely.LineString(part) for part in lists if len(part) > 1]
        alone = [shapely.Point(part[0]) for part in lists if len(part) == 1]
        points: np.ndarray = np.asarray(shapely.points(xyz), dtype=object)
        return np.concatenate([points, np.array([*lines, *alone], dtype=object)])
    place = {number: i for i, number in enumerate(reading.ids)}
    faces = [face.split()[:3] for face in reading.faces]
    try:
        index = np.array([[place[corner] for corner in face] for face in faces], dtype=int)
    except KeyError as error:
        raise _NotReadError(
            f"a face of surface {reading.name!r} names point {error}, which is not there"
        ) from None
    if index.ndim != 2 or index.shape[1] != 3:
        raise _NotReadError(f"surface {reading.name!r} has a face without three corners")
    triangles: np.ndarray = shapely.polygons(shapely.linearrings(xyz[index]))
    return triangles[shapely.area(triangles) > 0]


def _numbers(texts: list[str]) -> np.ndarray:
    """Texts of three numbers each as rows."""
    try:
        flat = np.array(" ".join(texts).split(), dtype=float)
    except ValueError:
        raise _NotReadError("it holds points that are not numbers") from None
    if len(flat) % 3 or len(flat) < 3 * len(texts):
        raise _NotReadError("it holds points that are not three numbers each")
    return flat.reshape(-1, 3)
