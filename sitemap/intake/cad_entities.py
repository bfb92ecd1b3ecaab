"""Entities in the model space of a drawing -> shapes in drawing coordinates, by CAD layer.

Layers that are off or frozen are not on the map and are left out, and so are texts and what only
its maker's program can read; each is counted, so that it can be said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from ezdxf import path
from ezdxf.lldxf.const import DXFError
from ezdxf.render import MeshBuilder
from shapely.geometry.base import BaseGeometry

MOST_IN_BLOCKS = 200_000  # entities that blocks within blocks may come to
MOST_NESTED = 16  # blocks in blocks
SAGITTA = 0.01  # drawing units between a curve and the lines that stand for it
SITEMAP_APP = "SITEMAP"  # extended data that plate/cad/tags.py writes: "id=SF-1"
# what a damaged entity lacks, the library looks for in vain
STUMBLES = (
    DXFError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError,
    NotImplementedError,
)  # fmt: skip
_ANNOTATION = (
    frozenset(
        (
            "TEXT",
            "MTEXT",
            "ATTDEF",
            "DIMENSION",
            "ARC_DIMENSION",
            "LARGE_RADIAL_DIMENSION",
            "LEADER",
        )
    )
    | frozenset(
        ("MULTILEADER", "MLEADER", "TOLERANCE", "ACAD_TABLE", "VIEWPORT", "IMAGE", "WIPEOUT", "RAY")
    )
    | frozenset(("XLINE", "OLE2FRAME", "PDFUNDERLAY", "DWFUNDERLAY", "DGNUNDERLAY", "LIGHT", "SUN"))
)
_CURVED = frozenset(("ARC", "CIRCLE", "ELLIPSE", "SPLINE", "HELIX"))
_LINEAR = frozenset(("LINE", "LWPOLYLINE", "POLYLINE", *_CURVED))
_FACES = frozenset(("3DFACE", "SOLID", "TRACE"))


@dataclass(frozen=True, eq=False)
class Drawn:
    """One shape: its CAD layer and entity, whether it closes, and the words that go with it."""

    layer: str
    entity: str
    handle: str
    shape: BaseGeometry
    closed: bool = False  # a line whose last corner is its first
    curved: bool = False
    block: str = ""
    words: Mapping[str, str] = field(default_factory=dict)  # attributes of a block, by tag
    tagged: bool = False  # sitemap wrote the words


class TooManyError(Exception):
    """Blocks within blocks that come to more than any map holds."""


class ModelSpace:
    """Walks the model space of one drawing once; what is left out is counted by kind and layer."""

    def __init__(self, drawing: Any) -> None:
        self.drawing = drawing
        self.unseen: Counter[str] = Counter()  # entities by layer that is off or frozen
        self.annotation: Counter[str] = Counter()  # texts and dimensions by entity
        self.unread: Counter[str] = Counter()  # what no reader here knows, by entity
        self.missing: Counter[str] = Counter()  # blocks that are not in the file, by name
        self.broken = 0
        self._symbols: dict[str, bool] = {}
        self._sizes: dict[str, int] = {}

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Layers that are off or frozen, in capitals: names differ by case only for people."""
        layers = self.drawing.layers
        return frozenset(one.dxf.name.upper() for one in layers if one.is_off() or one.is_frozen())

    @cached_property
    def drawn(self) -> tuple[Drawn, ...]:
        """Every shape. TooManyError where blocks in blocks come to more than MOST_IN_BLOCKS."""
        space = self.drawing.modelspace()
        if self._size(space) - len(space) > MOST_IN_BLOCKS:
            raise TooManyError
        return tuple(self._walk(space, "0", 0))

    def _size(self, entities: Iterable[Any]) -> int:
        """Entities of a block with all that its blocks come to; counted, not taken apart."""
        return sum(
            _copies(entity) * self._block_size(_block_of(entity))
            if entity.dxftype() == "INSERT"
            else 1
            for entity in entities
        )

    def _block_size(self, name: str) -> int:
        if name not in self._sizes:
            self._sizes[name] = 1  # while it is looked into: blocks can hold themselves
            block = self.drawing.blocks.get(name)
            if block is not None and not self._is_symbol(name):
                self._sizes[name] += self._size(block)
        return self._sizes[name]

    def _walk(self, entities: Iterable[Any], outer: str, depth: int) -> Iterator[Drawn]:
        for entity in entities:
            if depth > MOST_NESTED:
                raise TooManyError
            layer = _layer_of(entity)
            layer = outer if layer == "0" and depth else layer  # as CAD resolves it in a block
            if layer.upper() in self.hidden or _said(entity, "invisible", 0):
                self.unseen[layer] += 1
                continue
            try:
                yield from self._entity(entity, layer, depth)
            except STUMBLES:
                self.broken += 1

    def _entity(self, entity: Any, layer: str, depth: int) -> Iterator[Drawn]:
        kind = entity.dxftype()
        if kind == "INSERT":
            yield from self._insert(entity, layer, depth)
        elif kind in _ANNOTATION:
            self.annotation[kind] += 1
        elif kind == "MLINE" or (
            kind == "POLYLINE" and not (entity.is_2d_polyline or entity.is_3d_polyline)
        ):
            yield from self._walk(entity.virtual_entities(), layer, depth + 1)  # lines, or faces
        else:
            found = list(_shapes(entity, kind))
            if not found and kind not in (*_LINEAR, *_FACES, "HATCH", "MPOLYGON", "POINT"):
                self.unread[kind] += 1
            words = _own_words(entity)
            for shape, closed, curved in found:
                yield Drawn(
                    layer, kind, entity.dxf.handle or "", shape, closed, curved, words=words,
                    tagged=bool(words),
                )  # fmt: skip

    def _insert(self, insert: Any, layer: str, depth: int) -> Iterator[Drawn]:
        name, block = _block_of(insert), insert.block()
        if block is None or block.block.is_xref:
            self.missing[name] += 1
            return
        for one in insert.multi_insert() if _copies(insert) > 1 else (insert,):
            if self._is_symbol(name):
                place = one.ocs().to_wcs(one.dxf.insert)
                words = {a.dxf.tag: a.dxf.text for a in insert.attribs if a.dxf.get("tag")}
                own = _own_words(insert)
                yield Drawn(
                    layer, "INSERT", insert.dxf.handle or "", shapely.Point(tuple(place)),
                    block=name, words={**words, **own}, tagged=bool(own),
                )  # fmt: skip
            else:
                yield from self._walk(one.virtual_entities(), layer, depth + 1)

    def _is_symbol(self, name: str) -> bool:
        """True for a block that has no layers of its own: it stands for one thing at its place."""
        if name not in self._symbols:
            self._symbols[name] = True  # while it is looked into: blocks can hold themselves
            block = self.drawing.blocks.get(name)
            self._symbols[name] = all(
                _layer_of(entity) == "0"
                and (entity.dxftype() != "INSERT" or self._is_symbol(_block_of(entity)))
                for entity in (block if block is not None else ())
                if entity.dxftype() != "ATTDEF"
            )
        return self._symbols[name]


def _said(entity: Any, name: str, default: Any) -> Any:
    """An attribute, which a damaged entity or one of an unknown kind may not have."""
    return entity.dxf.get(name, default) if entity.dxf.is_supported(name) else default


def _layer_of(entity: Any) -> str:
    return str(_said(entity, "layer", "0"))


def _block_of(insert: Any) -> str:
    return str(_said(insert, "name", ""))


def _copies(insert: Any) -> int:
    """How often a block is placed: in rows and columns."""
    rows, columns = (_said(insert, name, 1) for name in ("row_count", "column_count"))
    return max(1, int(rows)) * max(1, int(columns))


def _own_words(entity: Any) -> dict[str, str]:
    """The fields that sitemap itself wrote to an entity."""
    if not entity.has_xdata(SITEMAP_APP):
        return {}
    said = [str(value) for code, value in entity.get_xdata(SITEMAP_APP) if code == 1000]
    pairs = (text.partition("=") for text in said)
    return {key: value for key, mark, value in pairs if mark}


def _shapes(entity: Any, kind: str) -> Iterator[tuple[BaseGeometry, bool, bool]]:
    """(shape, closes, was curved) of an entity that is no block."""
    if kind == "POINT":
        yield shapely.Point(tuple(entity.dxf.location)), False, False
    elif kind in _LINEAR:
        corners, closed, curved = _corners(entity, kind)
        if len(corners) > 1 and (len(corners) > 2 or not np.array_equal(*corners)):
            yield shapely.LineString(corners), closed, curved
    elif kind in _FACES:
        yield from _faces(entity.wcs_vertices())
    elif kind == "MESH":
        for face in MeshBuilder.from_mesh(entity).faces_as_vertices():
            yield from _faces(list(face))
    elif kind in ("HATCH", "MPOLYGON"):
        rings = [shapely.Polygon([tuple(p)[:2] for p in one.flattening(SAGITTA)])
                 for one in path.from_hatch(entity) if len(one) > 1]  # fmt: skip
        filled = _even_odd(rings)
        if not filled.is_empty:
            yield filled, False, False


def _corners(entity: Any, kind: str) -> tuple[np.ndarray, bool, bool]:
    """The corners (N, 3) of a line, whether it closes, whether it was curved."""
    if kind == "LWPOLYLINE":
        points = np.array(entity.lwpoints, dtype=float).reshape(-1, 5)
        upright = tuple(entity.dxf.extrusion) == (0.0, 0.0, 1.0)
        if upright and not points[:, 4].any():
            height = np.full(len(points), float(entity.dxf.elevation))
            corners = np.column_stack([points[:, :2], height])
            return _closing(corners, bool(entity.closed), False)
    curved = kind in _CURVED or bool(getattr(entity, "has_arc", False))
    made = path.make_path(entity)
    corners = np.array([tuple(p) for p in made.flattening(SAGITTA)], dtype=float).reshape(-1, 3)
    flagged = bool(getattr(entity, "is_closed", False) or getattr(entity, "closed", False))
    return _closing(corners, flagged or made.is_closed, curved)


def _closing(corners: np.ndarray, closed: bool, curved: bool) -> tuple[np.ndarray, bool, bool]:
    """The corners with the first repeated at the end, where the entity says that it closes."""
    if closed and len(corners) > 2 and not np.array_equal(corners[0, :2], corners[-1, :2]):
        near = np.hypot(*(corners[0, :2] - corners[-1, :2])) < SAGITTA  # rounding of a bulge
        corners = np.vstack([corners[:-1] if near else corners, corners[:1]])
    meets = len(corners) > 3 and np.array_equal(corners[0, :2], corners[-1, :2])
    return corners, bool(meets), curved


def _faces(corners: list[Any]) -> Iterator[tuple[BaseGeometry, bool, bool]]:
    """A face as triangles, since four corners in space need not lie in one plane."""
    distinct = list(dict.fromkeys(tuple(corner) for corner in corners))
    for second, third in pairwise(distinct[1:]):
        face = shapely.Polygon([distinct[0], second, third])
        if face.area > 0:
            yield face, False, False


def _even_odd(rings: list[Any]) -> BaseGeometry:
    """The area of a hatch: a ring within a ring is a hole, one within that an island."""
    whole: BaseGeometry = shapely.Polygon()
    for ring in sorted(rings, key=lambda one: -one.area):
        whole = whole.symmetric_difference(shapely.make_valid(ring))
    return whole
