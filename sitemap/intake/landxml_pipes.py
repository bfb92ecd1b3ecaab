"""A pipe network of LandXML -> its pipes as lines and its structures as points, with inverts.

A pipe runs from the structure where its invert is said to flow out to the one where it flows in;
where the file does not say so it stays as it was drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np
import shapely

from sitemap.intake.landxml_lines import Places, arc, point_of
from sitemap.intake.landxml_stream import Thing
from sitemap.intake.landxml_things import Drawn
from sitemap.intake.titles import Says

_INCHES = {"inch": 1.0, "foot": 12.0, "ussurveyfoot": 12.0, "millimeter": 1 / 25.4,
           "centimeter": 1 / 2.54, "meter": 1 / 0.0254}  # fmt: skip
_NULL = re.compile(r"\bnull\b", re.IGNORECASE)
_PIPES = ("CircPipe", "EggPipe", "ElliPipe", "RectPipe", "Channel")
_OTHER_TYPES = ("sanitary", "water")
_BACKWARDS = (("in", "out"), ("in", ""), ("", "out"))  # what its inverts say at start and end
_KINDS = {"InletStruct": "inlet", "OutletStruct": "endwall"}


@dataclass(eq=False)
class Network:
    """The pipes and structures of one network. role: what its pipes are, None for no part of a
    site map; why: in words.
    """

    name: str
    pipes: list[Drawn]
    structures: list[Drawn]
    role: str | None
    why: str
    broken: int  # pipes that lead from or to nowhere, structures without a place
    joints: int  # null structures: pipes meet there, and nothing is built

    @property
    def structures_role(self) -> str | None:
        """What its structures are."""
        return "inlets" if self.role == "storm_sewers" else None


def network_of(file: str, thing: Thing, places: Places, diameter_unit: str, says: Says) -> Network:
    """The network that an element describes."""
    element = thing.element
    name = element.get("name") or "pipe network"
    role, why = _role(file, name, element.get("pipeNetType", "").lower(), says)
    structs = {one.get("name", ""): one for one in element.iter("Struct")}
    at = {key: point_of(one.find("Center"), places) for key, one in structs.items()}
    found = {key: xyz for key, xyz in at.items() if xyz is not None}
    pipes = list(element.iter("Pipe"))
    drawn = [made for pipe in pipes if (made := _pipe(pipe, structs, found, places, diameter_unit))]
    built = [key for key in found if not _is_joint(structs[key])]
    points = [_structure(file, structs[key], found[key], says) for key in built]
    broken = len(pipes) - len(drawn) + len(structs) - len(found)
    return Network(name, drawn, points, role, why, broken, len(found) - len(built))


def _is_joint(struct: Element) -> bool:
    """A null structure, which programs set where pipes only meet: no inlet, no manhole."""
    said = f"{struct.get('desc', '')} {struct.get('name', '')}"
    return struct.find("Connection") is not None or _NULL.search(said) is not None


def _role(file: str, name: str, kind: str, says: Says) -> tuple[str | None, str]:
    """The role of the pipes by the type of the network and its name, which may gainsay it."""
    if kind in _OTHER_TYPES:
        return None, f"a pipe network of type {kind} in a LandXML file"
    told = f"a pipe network{f' of type {kind}' if kind else ''} in a LandXML file"
    words = "storm pipe" if kind == "storm" else "pipe"
    role = says.role(file, f"{name} {words}")
    if role is None and kind == "storm":
        return None, f"{told} whose name, {name!r}, speaks of something else"
    if role is None:
        return None, f"{told}; nothing says that it carries stormwater"
    return role, told if kind == "storm" else f"{told}; its name, {name!r}, says what it carries"


def _inverts(struct: Element | None, pipe: str) -> Iterator[tuple[float, str]]:
    """Height and direction ("in", "out", "") of each invert of a pipe at a structure."""
    for invert in struct.findall("Invert") if struct is not None else ():
        height = _number(invert.get("elev"))
        if invert.get("refPipe") == pipe and height is not None:
            yield height, invert.get("flowDir", "").lower()


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _pipe(
    pipe: Element, structs: dict[str, Element], at: dict[str, np.ndarray], places: Places, unit: str
) -> Drawn | None:
    name = pipe.get("name", "")
    ends = [pipe.get("refStart", ""), pipe.get("refEnd", "")]
    if not all(end in at for end in ends) or ends[0] == ends[1]:
        return None
    inverts = [next(iter(_inverts(structs[end], name)), (None, "")) for end in ends]
    corners = _plan(at[ends[0]], at[ends[1]], point_of(pipe.find("Center"), places))
    if tuple(way for _, way in inverts) in _BACKWARDS:
        ends, inverts, corners = ends[::-1], inverts[::-1], corners[::-1]
    shape = next((one for one in pipe if one.tag in _PIPES), None)
    said: dict[str, object] = {
        "name": name or None,
        "desc": pipe.get("desc"),
        "from_structure": ends[0],
        "to_structure": ends[1],
        "start_invert": inverts[0][0],
        "end_invert": inverts[1][0],
        "size_in": _size_in(shape, unit),
        "material": shape.get("material") if shape is not None else None,
        "section": shape.tag.removesuffix("Pipe").lower() if shape is not None else None,
        "state": pipe.get("state"),
    }
    return Drawn((), name, shapely.LineString(corners[:, :2]), said, len(corners) > 2)


def _plan(start: np.ndarray, end: np.ndarray, middle: np.ndarray | None) -> np.ndarray:
    """A straight line, or the shorter arc about the middle of a bent pipe."""
    if middle is None:
        return np.array([start, end])
    (ax, ay), (bx, by) = (start - middle)[:2], (end - middle)[:2]
    return arc(start, end, middle, 1.0 if ax * by - ay * bx >= 0 else -1.0)


def _size_in(shape: Element | None, unit: str) -> float | None:
    """Diameter or height in inches; None where the file does not say in which unit it is."""
    size = _number(shape.get("diameter") or shape.get("height")) if shape is not None else None
    factor = _INCHES.get(unit.lower())
    return round(size * factor, 3) if size and factor else None


def _structure(file: str, struct: Element, at: np.ndarray, says: Says) -> Drawn:
    name = struct.get("name", "")
    inverts = [_number(one.get("elev")) for one in struct.findall("Invert")]
    known = [height for height in inverts if height is not None]
    texts = (struct.get("desc", ""), name)
    kind = next((_KINDS[one.tag] for one in struct if one.tag in _KINDS), None)
    kind = kind or next((k for text in texts if (k := says.kind(file, text, "inlets"))), None)
    said: dict[str, object] = {
        "name": name or None,
        "desc": struct.get("desc"),
        "kind": kind,
        "rim_elev": _number(struct.get("elevRim")),
        "invert_elev": min(known) if known else None,
        "sump": _number(struct.get("elevSump")),
        "state": struct.get("state"),
    }
    return Drawn((), name, shapely.Point(at[:2]), said)
