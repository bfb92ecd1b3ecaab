"""A CAD drawing (DXF) -> a dataset for each of its layers, with heights as they are drawn.

Whether a closed polyline is an area hangs on what the layer shows: a closed contour is a line, a
closed boundary an area. Nothing else is taken for what it is not; what is left out is said.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import ezdxf
import numpy as np
import shapely
from ezdxf import recover

from sitemap.errors import DatasetError
from sitemap.intake.cad_entities import MOST_IN_BLOCKS, Drawn, ModelSpace, TooManyError
from sitemap.intake.cad_place import Placed, placed, unit_oddities
from sitemap.intake.columns import frame_of
from sitemap.intake.companions import companion_text
from sitemap.intake.crs_detective import settle_crs
from sitemap.intake.discover import Found
from sitemap.intake.files import Workspace, sha256_of
from sitemap.intake.formats import CAD
from sitemap.intake.geometry_detective import finite_bounds, geometry_oddities
from sitemap.intake.kinds_fitting import Takes, fitting, listed
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.vector import GivenFor, Read
from sitemap.layer import Oddity, Provenance, Unreadable

_SAME_SHARE = 0.01  # of an area by which the hatch of an outline may differ from it

logging.getLogger("ezdxf").addHandler(logging.NullHandler())
logging.getLogger("ezdxf").propagate = False  # its remarks come back as oddities instead


@dataclass(frozen=True, eq=False)
class _Drawing:
    """An opened drawing with what all its layers share."""

    found: Found
    source: Any
    place: Placed
    wkt: str | None
    sha256: str
    notes: tuple[Oddity, ...]


def read_cad(
    found: Found, work: Workspace, given_for: GivenFor, takes: Takes
) -> tuple[list[Read], list[Unreadable]]:
    """Each CAD layer that has geometry as a dataset, or why the drawing cannot be read."""
    try:
        source, repairs = _opened(found, work)
        space = ModelSpace(source)
        by_layer: dict[str, list[Drawn]] = defaultdict(list)
        spelled: dict[str, str] = {}  # names of layers differ by case only for people
        for one in space.drawn:
            by_layer[spelled.setdefault(one.layer.upper(), one.layer)].append(one)
    except DatasetError as error:
        return [], [Unreadable(found.name, error.kind, error.reason)]
    except TooManyError:
        reason = (
            f"its blocks come to more than {MOST_IN_BLOCKS:,} entities within one another; explode "
            "the outermost and purge it"
        )
        return [], [Unreadable(found.name, "damaged", reason)]
    if not by_layer:
        return [], [Unreadable(found.name, "no_layers", _why_empty(space))]
    notes: list[Oddity] = [*found.oddities, *repairs]
    prj = found.companions.get(".prj")
    wkt = companion_text(prj, notes) if prj is not None else None
    drawing = _Drawing(
        found, source, placed(source), wkt, sha256_of(found.entries),
        (*notes, *_left_out(space)),
    )  # fmt: skip
    return [
        _layer(drawing, name, by_layer[name], given_for, takes, first=number == 0)
        for number, name in enumerate(sorted(by_layer))
    ], []


def _opened(found: Found, work: Workspace) -> tuple[Any, list[Oddity]]:
    """The drawing, mended on the way where its file is not sound; DatasetError where it is none."""
    target = work.new_folder() / "drawing.dxf"
    found.main.stage(target)
    try:
        return ezdxf.readfile(target), []
    except OSError as error:
        raise DatasetError(found.name, "locked", f"it cannot be opened ({error})") from None
    except Exception:  # a damaged file makes the library stumble in any way
        return _recovered(found, target)


def _recovered(found: Found, target: Any) -> tuple[Any, list[Oddity]]:
    try:
        source, audit = recover.readfile(target)
    except Exception as error:
        why = str(error).split("\n", 1)[0].removeprefix("DXFStructureError: ").rstrip(".")
        reason = f"the drawing is damaged or no DXF ({why or type(error).__name__}); save it again"
        raise DatasetError(found.name, "damaged", f"{reason} as DXF 2013") from None
    lost = len(audit.errors)
    words = "the drawing is damaged; what could be recovered was read"
    more = f", {count_of(lost, 'entity', 'entities')} could not be" if lost else ""
    return source, [odd("cad_recovered", words + more)]


def _why_empty(space: ModelSpace) -> str:
    said = "; ".join(one.message for one in _left_out(space))
    return "its model space holds no points, lines or areas" + (f": {said}" if said else "")


def _left_out(space: ModelSpace) -> list[Oddity]:
    """What of the model space is read for no layer."""
    found: list[Oddity] = []
    if space.unseen:
        words = f"not read, since their layers are off or frozen: {listed(space.unseen)}"
        found.append(odd("cad_layer_off", f"{words}. Thaw what belongs on the map"))
    if space.annotation:
        count = count_of(space.annotation.total(), "text or dimension", "texts and dimensions")
        found.append(odd("cad_annotation", f"left out as no features: {count}"))
    if space.unread:
        words = f"objects that only their own program reads: {listed(space.unread)}"
        found.append(odd("cad_object_unread", f"{words}. Export them to plain AutoCAD entities"))
    if space.missing:
        words = f"blocks or external references that are not in the file: {listed(space.missing)}"
        found.append(odd("cad_block_missing", f"{words}. Bind them and save again"))
    if space.broken:
        count = count_of(space.broken, "damaged entity", "damaged entities")
        found.append(odd("features_lost", f"{count} could not be read"))
    return found


def _layer(
    drawing: _Drawing, name: str, drawn: list[Drawn], given_for: GivenFor, takes: Takes, *,
    first: bool,
) -> Read:  # fmt: skip
    found, given = drawing.found, given_for(drawing.found.name, name)
    kept, shapes, notes = _settled(drawn, takes(found.name, name))
    shapes = _on_the_ground(shapes, drawing.place)
    records = np.arange(len(shapes))
    wkt = drawing.wkt if drawing.place.code is None else None
    crs, how, words = settle_crs(
        drawing.place.code, given.crs, given.fallback_crs, finite_bounds(shapes), wkt
    )
    notes = [*notes, *geometry_oddities(shapes, records, None, None), *words]
    notes += unit_oddities(drawing.source, crs)
    if drawing.place.code is None and wkt is None:
        notes += drawing.place.oddities
    if any(one.curved for one in kept):
        count = count_of(sum(one.curved for one in kept), "curve")
        notes.append(odd("curves_linearised", f"{count} drawn as short straight lines"))
    provenance = Provenance(
        file=found.name,
        layer=name,
        driver=CAD,
        encoding=str(drawing.source.encoding),
        encoding_how="the drawing says it",
        crs_how=how,
        features_read=len(shapes),
        features_null=0,
        features_lost=0,
        sha256=drawing.sha256,
        companions=tuple(sorted(found.companions)),
        oddities=(*(drawing.notes if first else ()), *notes),
    )
    return Read(frame_of(_columns(kept), shapes, records, crs), provenance)


def _settled(
    drawn: list[Drawn], takes: Sequence[str] | None
) -> tuple[list[Drawn], np.ndarray, list[Oddity]]:
    """What of a layer is kept, as geometry of the kind that its role takes, and what is not."""
    notes: list[Oddity] = []
    tagged = [one for one in drawn if one.tagged]
    if tagged and len(tagged) < len(drawn):  # a drawing of our own: ticks and teeth of its lines
        count = count_of(len(drawn) - len(tagged), "line")
        notes.append(odd("cad_left_out", f"{count} without fields among features with them"))
        drawn = tagged
    lines = [one for one in drawn if one.shape.geom_type == "LineString"]
    areas = "polygon" in takes if takes else bool(lines) and all(one.closed for one in lines)
    shapes = np.array([_as_area(one) if areas else one.shape for one in drawn], dtype=object)
    keep, left_out = fitting(shapes, takes)
    if left_out:
        notes.append(odd("cad_left_out", f"{left_out}: taken for symbols and left out"))
    keep &= ~_twice(drawn, shapes, notes)
    return [one for one, kept in zip(drawn, keep, strict=True) if kept], shapes[keep], notes


def _as_area(one: Drawn) -> Any:
    """A closed line as the area that it encloses; one that encloses nothing stays as it is."""
    if not one.closed:
        return one.shape
    area = shapely.Polygon(one.shape.coords)
    return area if area.area > 0 else one.shape


def _twice(drawn: list[Drawn], shapes: np.ndarray, notes: list[Oddity]) -> np.ndarray:
    """Where a hatch only fills an outline of the same layer."""
    twice = np.zeros(len(shapes), dtype=bool)
    is_area = shapely.get_dimensions(shapes) == 2
    is_hatch = np.array([one.entity == "HATCH" for one in drawn]) & is_area
    outlines = shapes[is_area & ~is_hatch]
    if not len(outlines) or not is_hatch.any():
        return twice
    tree, at = shapely.STRtree(outlines), np.flatnonzero(is_hatch)
    fills, beside = tree.query(shapes[at], predicate="intersects")
    ours = shapely.make_valid(shapes[at][fills])
    theirs = shapely.make_valid(shapely.force_2d(outlines[beside]))
    differ = shapely.area(shapely.symmetric_difference(ours, theirs))
    same = differ <= _SAME_SHARE * shapely.area(theirs)
    twice[at[fills[same]]] = True
    if twice.any():
        count = count_of(int(twice.sum()), "hatch", "hatches")
        notes.append(odd("cad_left_out", f"left out as fill of an outline that is there: {count}"))
    return twice


def _on_the_ground(shapes: np.ndarray, place: Placed) -> np.ndarray:
    """Coordinates as GEODATA places them; without heights where every one is zero."""
    if place.matrix is not None:
        shapes = shapely.transform(shapes, place.moved, include_z=True)
    heights = shapely.get_coordinates(shapes, include_z=True)[:, 2]
    flat: np.ndarray = shapely.force_2d(shapes) if not np.nan_to_num(heights).any() else shapes
    return flat


def _columns(drawn: Iterable[Drawn]) -> dict[str, np.ndarray]:
    """Entity, handle and block of each feature, then the attributes of its block by their tags."""
    rows = list(drawn)
    tags = list(dict.fromkeys(tag for one in rows for tag in one.words))
    columns = {
        "cad_entity": [one.entity for one in rows],
        "cad_handle": [one.handle for one in rows],
        "cad_block": [one.block or None for one in rows],
        **{tag: [one.words.get(tag) or None for one in rows] for tag in tags},
    }
    return {name: np.array(values, dtype=object) for name, values in columns.items()}
