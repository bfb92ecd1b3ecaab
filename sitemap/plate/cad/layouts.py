"""A layout for each sheet: the paper at full size, its marks, and a viewport onto the site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import shapely

from sitemap.plate.cad.ground import Ground, on_ground
from sitemap.plate.cad.names import (
    FILLS,
    NEATLINE,
    SHEET_LAYERS,
    TITLE,
    WORDS,
    companion,
    plain_name,
    role_layer,
    sheet_layer,
)
from sitemap.plate.cad.pens import colour, lineweight, on_white
from sitemap.plate.cad.sketch import Sketch, middle_in
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, GroundFrame, Image, Lines, Mark, SheetMarks, Text

if TYPE_CHECKING:
    from ezdxf.layouts import Modelspace, Paperspace

    from sitemap.catalogue import LayerSpec


class SheetLayouts:
    """Puts sheets into a drawing, one after the other."""

    def __init__(self, sketch: Sketch, ground: Ground, specs: Iterable[LayerSpec]) -> None:
        self.sketch, self.ground = sketch, ground
        self.roles = {spec.title: spec for spec in specs}
        self.letters = {letters for spec in self.roles.values() for letters in _signs(spec)}
        self.names: dict[str, str] = {}  # CAD layers by the titles of other layers

    def add(self, sheet: SheetMarks, before: Sequence[GroundFrame]) -> None:
        """A layout with the sheet's paper; `before` are frames whose labels stand already."""
        layout = _new_layout(self.sketch, sheet)
        features, labels, rest = split_marks(sheet)
        for mark in rest:
            if not isinstance(mark, Image):
                self.sketch.paper(layout, mark, self._sheet_layer(mark, sheet))
        if sheet.kind != "map":
            return
        frame = sheet.frames[0]
        _viewport(layout, frame)
        space = self.sketch.doc.modelspace()
        for mark in features:
            if mark.layer not in self.roles and isinstance(mark, Lines):
                self._on_ground(space, mark, frame, self._sheet_layer(mark, sheet))
        self._labels(space, labels, frame, before)

    def _sheet_layer(self, mark: Mark, sheet: SheetMarks) -> str:
        """The layer of a mark in paper space."""
        if mark.layer in self.roles:
            return self._role_layer(mark.layer)
        if not mark.layer:
            name = {Text: WORDS, Areas: FILLS}.get(type(mark), TITLE)
            return self.sketch.layer(name)
        if mark.layer not in self.names:
            ink = "#000000" if isinstance(mark, Image | Areas) else mark.ink
            name = sheet_layer(mark.layer, self.names.values())
            self.names[mark.layer] = self.sketch.layer(name, ink, note=mark.layer)
            if mark.layer in sheet.layers_off:
                self.sketch.doc.layers.get(name).off()
        return self.names[mark.layer]

    def _role_layer(self, title: str) -> str:
        spec = self.roles[title]
        symbol = spec.symbol
        return self.sketch.layer(
            role_layer(spec), symbol.ink, symbol.weight_pt, symbol.dash_pt, symbol.text,
            symbol.text_every_in, spec.legend,
        )  # fmt: skip

    def _on_ground(self, space: Modelspace, mark: Lines, frame: GroundFrame, layer: str) -> None:
        """Lines of the map that stand for no role, such as a traced way, or a leader."""
        pen = {"lineweight": lineweight(mark.weight_pt), **colour(on_white(mark.ink, mark.alpha))}
        for path in on_ground(frame, mark.paths):
            self.sketch.line(space, path, layer, **pen)

    def _labels(
        self, space: Modelspace, labels: Sequence[Mark], frame: GroundFrame,
        before: Sequence[GroundFrame],
    ) -> None:  # fmt: skip
        """Labels and their leaders on the ground, each once where sheets overlap."""
        taken = shapely.union_all([shapely.Polygon(one.corners_ft) for one in before])
        for mark in labels:
            layer = self._label_layer(mark.layer)
            if isinstance(mark, Lines):
                kept = tuple(p for p in mark.paths if not _touches(frame, p, taken))
                short = Lines(mark.layer, kept, mark.weight_pt, mark.ink)
                self._on_ground(space, short, frame, layer)
            elif isinstance(mark, Text) and mark.text not in self.letters:
                if _touches(frame, _corners(mark), taken):
                    continue
                ((x, y),) = frame.to_ground(middle_in(mark))
                turn = mark.rotation_deg - frame.rotation_deg
                self.sketch.label(space, mark, (float(x), float(y)), turn, layer)

    def _label_layer(self, title: str) -> str:
        if title in self.roles:
            spec = self.roles[title]
            name = companion(role_layer(spec), "TEXT")
            return self.sketch.layer(name, spec.symbol.ink, note=f"Labels: {title}")
        return self.sketch.layer(SHEET_LAYERS.get(title, WORDS))


def split_marks(sheet: SheetMarks) -> tuple[list[Mark], list[Mark], list[Mark]]:
    """What the map draws of features, its lettering, and the rest of the sheet."""
    start, lettered, end = sheet.map_span
    parts: tuple[list[Mark], list[Mark], list[Mark]] = [], [], []
    for number, mark in enumerate(sheet.marks):
        on_map = start <= number < end and mark.layer not in SHEET_LAYERS
        parts[(number >= lettered) if on_map else 2].append(mark)
    return parts


def _signs(spec: LayerSpec) -> set[str]:
    """Letters that stand in lines and markers: they are in line types and blocks."""
    found = set()
    for key, symbol in [("", spec.symbol), *((k, t.symbol) for k, t in spec.types.items())]:
        if symbol is not None:
            found |= {symbol.text, symbol.letters, key[:3]}
    return found - {""}


def _corners(text: Text) -> np.ndarray:
    """The corners of a text's capitals in inches, shape (4, 2)."""
    ((x, y),) = middle_in(text)
    wide = text_width_in(text.text, text.cap_in, text.bold, text.italic) / 2.0
    high, turn = text.cap_in / 2.0, np.deg2rad(text.rotation_deg)
    along, up = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    return np.array([[x, y] + a * wide * along + b * high * up
                     for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])  # fmt: skip


def _touches(frame: GroundFrame, paper: np.ndarray, taken: shapely.Geometry) -> bool:
    """True when the outline of places on the sheet meets ground that is lettered already."""
    return bool(shapely.intersects(taken, shapely.MultiPoint(frame.to_ground(paper)).envelope))


def _new_layout(sketch: Sketch, sheet: SheetMarks) -> Paperspace:
    doc, name = sketch.doc, plain_name(sheet.number)
    if doc.layouts.names_in_taborder() == ["Model", "Layout1"]:  # the one that a new file has
        doc.layouts.rename("Layout1", name)
        layout = cast("Paperspace", doc.layouts.get(name))
    else:
        layout = doc.layouts.new(name)
    layout.page_setup(
        size=(sheet.width_in, sheet.height_in), margins=(0, 0, 0, 0), units="inch", scale=(1, 1),
        name="SITEMAP", device="DWG To PDF.pc3",
    )  # fmt: skip
    layer = sketch.layer(NEATLINE, note="Edges of viewports; not printed")
    doc.layers.get(layer).dxf.plot = 0
    for own in layout.viewports():  # the paper's own, which every layout has
        own.dxf.layer = layer
    return layout


def _viewport(layout: Paperspace, frame: GroundFrame) -> None:
    """The frame's box as a viewport, twisted as the sheet turns the ground."""
    left, bottom, right, top = frame.box_in
    middle = np.array([[(left + right) / 2.0, (bottom + top) / 2.0]])
    ((x, y),) = frame.to_ground(middle)
    layout.add_viewport(
        center=(float(middle[0, 0]), float(middle[0, 1])),
        size=(right - left, top - bottom),
        view_center_point=(0, 0),
        view_height=(top - bottom) * frame.feet_per_inch,
        dxfattribs={
            "layer": NEATLINE,
            "view_target_point": (float(x), float(y), 0.0),
            "view_twist_angle": frame.rotation_deg,
            "flags": LOCKED,
        },
    )


LOCKED = 16384 | 32768  # on, and its scale cannot be changed by zooming
