"""Points, parcels, alignments and features of a LandXML file -> shapes with their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.intake.landxml_lines import CURVES, Places, lines_of, point_of
from sitemap.intake.landxml_numbers import place
from sitemap.intake.landxml_stream import Thing
from sitemap.intake.titles import Path, Says
from sitemap.units import AreaUnit

_AREA_UNITS = {
    "squarefoot": AreaUnit.SQUARE_FOOT,
    "acre": AreaUnit.ACRE,
    "squaremeter": AreaUnit.SQUARE_METRE,
}
_KEPT = {  # attribute: the column that it becomes
    "Parcel": {"desc": "desc", "class": "class", "parcelType": "parcel_type", "state": "state"},
    "Alignment": {"desc": "desc", "length": "length", "staStart": "sta_start", "state": "state"},
    "PlanFeature": {"desc": "desc", "code": "code", "state": "state"},
    "CgPoint": {"desc": "desc", "code": "code", "state": "state"},
}


@dataclass(eq=False)
class Drawn:
    """One feature: where it stands in the file, its shape and what is said of it."""

    path: Path
    name: str
    shape: BaseGeometry
    columns: dict[str, object] = field(default_factory=dict)
    curved: bool = False


@dataclass(eq=False)
class Things:
    """All that is drawn, and what could not be."""

    drawn: list[Drawn] = field(default_factory=list)
    broken: int = 0  # things or pieces of them that make no shape


def places_of(things: Sequence[Thing]) -> dict[str, np.ndarray]:
    """Points of the file by name: (3,) easting, northing and height, NaN where there is none."""
    named = [one.element for one in things if one.element.tag == "CgPoint" and one.element.text]
    found = ((one.get("name", ""), place(one.text)) for one in named)
    return {name: xyz for name, xyz in found if name and xyz is not None}


def drawn_things(
    file: str, things: Sequence[Thing], places: Places, area_unit: str, says: Says
) -> Things:
    """Every point, parcel, alignment and feature with a shape; pipe networks are read elsewhere."""
    made = Things()
    groups = _groups_of_points(file, things, says)
    for element, path in things:
        if element.tag == "CgPoint":
            _add_point(element, groups.get(element.get("name", ""), path), made)
        elif element.tag == "Parcel":
            _add_parcel(element, path, places, area_unit, made)
        elif element.tag in ("Alignment", "PlanFeature"):
            _add_lines(element, path, places, made)
    return made


def _groups_of_points(file: str, things: Sequence[Thing], says: Says) -> dict[str, Path]:
    """Name of a point -> the first group that lists it and whose name says a role."""
    found: dict[str, Path] = {}
    for element, path in things:
        listed = element.get("pntRef")
        if element.tag == "CgPoint" and listed and path and says.role(file, path[-1]):
            found.setdefault(listed, path)
    return found


def _said(element: Element) -> dict[str, object]:
    kept = _KEPT[element.tag]
    return {"name": element.get("name"), **{kept[key]: element.get(key) for key in kept}}


def _add_point(element: Element, path: Path, made: Things) -> None:
    if element.get("pntRef") and not (element.text or "").strip():
        return  # a member of a group; the point itself stands elsewhere
    xyz = place(element.text)
    if xyz is None:
        made.broken += 1
        return
    shape = shapely.Point(xyz if np.isfinite(xyz[2]) else xyz[:2])
    name = element.get("desc") or element.get("code") or ""
    made.drawn.append(Drawn(path, name, shape, _said(element)))


def _is_curved(element: Element) -> bool:
    return any(element.find(f"CoordGeom/{tag}") is not None for tag in CURVES)


def _add_lines(element: Element, path: Path, places: Places, made: Things) -> None:
    lines, broken = lines_of(element, places)
    made.broken += broken
    name = element.get("name") or element.get("desc") or ""
    for line in lines:
        made.drawn.append(Drawn(path, name, line, _said(element), _is_curved(element)))
    at = point_of(element.find("Location"), places)
    if at is not None and not lines:
        shape = shapely.Point(at if np.isfinite(at[2]) else at[:2])
        made.drawn.append(Drawn(path, name, shape, _said(element)))


def _add_parcel(element: Element, path: Path, places: Places, area_unit: str, made: Things) -> None:
    """An area where its outline closes, else the outline; parcels within it, each by itself."""
    lines, broken = lines_of(element, places)
    made.broken += broken
    said = {**_said(element), "acres": _acres(element.get("area"), area_unit)}
    for line in lines:
        shape = shapely.force_2d(line)
        if shape.is_closed and len(shape.coords) > 3:
            shape = shapely.Polygon(shape.coords)
        name = element.get("name") or element.get("desc") or ""
        made.drawn.append(Drawn(path, name, shape, said, _is_curved(element)))
    for inner in element.findall("Parcels/Parcel"):
        _add_parcel(inner, path, places, area_unit, made)


def _acres(area: str | None, unit: str) -> float | None:
    """The area that the file states, in acres; None where it states none, or in which unit."""
    known = _AREA_UNITS.get(unit.lower())
    try:
        number = float(area or "")
    except ValueError:
        return None
    if known is None or not number > 0:
        return None
    return round(number * float(known.square_metres / AreaUnit.ACRE.square_metres), 4)
