"""A layout for each sheet: the paper at full size, its marks, and a viewport onto the site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
import shapely

from sitemap.plate.cad.ground import on_ground
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
from sitemap.plate.cad.phasing import Phasing, phase_words
from sitemap.plate.cad.sketch import Sketch, middle_in
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, GroundFrame, Image, Lines, Mark, SheetMarks, Text, phases_of

if TYPE_CHECKING:
    from ezdxf.entities import Viewport
    from ezdxf.layouts import Modelspace, Paperspace

    from sitemap.catalogue import LayerSpec


class SheetLayouts:
    """Puts sheets into a drawing, one after the other."""

    def __init__(self, sketch: Sketch, specs: Iterable[LayerSpec], phasing: Phasing) -> None:
        self.sketch, self.phasing = sketch, phasing
        self.roles = {spec.title: spec for spec in specs}
        self.letters = {letters for spec in self.roles.values() for letters in _signs(spec)}
        self.names: dict[str, str] = {}  # CAD layers by the titles of other layers
        self._before: list[SheetMarks] = []  # map sheets that are drawn
        self._views: list[tuple[Viewport, str]] = []  # with the phase that each shows

    def add(self, sheet: SheetMarks) -> None:
        """A layout with the sheet's paper, and what it adds to model space."""
        layout = _new_layout(self.sketch, sheet)
        features, labels, rest = split_marks(sheet)
        for mark in rest:
            if not isinstance(mark, Image):
                self.sketch.paper(layout, mark, self._sheet_layer(mark, sheet))
        if sheet.kind != "map":
            return
        frame = sheet.frames[0]
        self._views.append((_viewport(layout, frame), sheet.phase))
        space = self.sketch.doc.modelspace()
        drawn = {one.frames[0].origin_ft for one in self._before}
        for mark in features if frame.origin_ft not in drawn else ():  # once for all phases
            if mark.layer not in self.roles and isinstance(mark, Lines):
                self._on_ground(space, mark, frame, self._sheet_layer(mark, sheet))
        self._labels(space, labels, sheet)
        self._before.append(sheet)

    def freeze(self) -> None:
        """Views of one phase hide what stands in others; when all sheets are drawn."""
        for view, phase in self._views:
            if phase:
                view.frozen_layers = self.phasing.frozen(phase)

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

    def _labels(self, space: Modelspace, labels: Sequence[Mark], sheet: SheetMarks) -> None:
        """Labels and their leaders on the ground, each once where sheets of a phase overlap."""
        frame = sheet.frames[0]
        same = [one.frames[0] for one in self._before if one.phase == sheet.phase]
        taken = shapely.union_all([shapely.Polygon(one.corners_ft) for one in same])
        for mark in labels:
            layer = self._label_layer(mark.layer, sheet.phase)
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

    def _label_layer(self, title: str, phase: str) -> str:
        """Labels of a sheet of one phase stand on it alone."""
        phases = (phase,) if phase else phases_of(title)
        if title not in self.roles:
            return self.sketch.layer(SHEET_LAYERS.get(title, WORDS))
        spec = self.roles[title]
        name = companion(role_layer(spec, status=self.phasing.sign(phases)), "TEXT")
        note = phase_words(f"Labels: {title}", phases)
        return self.phasing.keep(self.sketch.layer(name, spec.symbol.ink, note=note), phases)


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


def _viewport(layout: Paperspace, frame: GroundFrame) -> Viewport:
    """The frame's box as a viewport, twisted as the sheet turns the ground."""
    left, bottom, right, top = frame.box_in
    middle = np.array([[(left + right) / 2.0, (bottom + top) / 2.0]])
    ((x, y),) = frame.to_ground(middle)
    return layout.add_viewport(
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
