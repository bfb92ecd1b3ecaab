"""The drawing while it is made: layers, lines, hatches and texts with the palette's pens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from ezdxf.document import Drawing
from ezdxf.enums import MTextEntityAlignment, TextEntityAlignment
from ezdxf.layouts import BaseLayout

from sitemap.catalogue import Hatch
from sitemap.plate.cad.pens import (
    PatternLine,
    colour,
    linetype,
    lineweight,
    on_white,
    rgb_of,
    text_style,
)
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, Lines, Path, Text

if TYPE_CHECKING:
    from ezdxf.entities import Hatch as HatchEntity

MASK = 1.15  # a label's mask reaches this far beyond its letters
CONTROL_SIGNS = dict.fromkeys(range(32), " ")
ALIGNED = {
    "left": TextEntityAlignment.LEFT,
    "center": TextEntityAlignment.CENTER,
    "right": TextEntityAlignment.RIGHT,
}


@dataclass(frozen=True, eq=False)
class Sketch:
    """A DXF document that is being drawn at a scale of feet per inch."""

    doc: Drawing
    feet_per_inch: float

    def layer(
        self,
        name: str,
        ink: str = "#000000",
        weight_pt: float = 0.5,
        dash_pt: tuple[float, ...] = (),
        text: str = "",
        every_in: float = 4.0,
        note: str = "",
    ) -> str:
        """The layer of this name; made with these pens when it is first asked for."""
        if name not in self.doc.layers:
            layer = self.doc.layers.add(
                name,
                linetype=linetype(self.doc, dash_pt, text, every_in),
                lineweight=lineweight(weight_pt),
            )
            layer.update_dxf_attribs(colour(ink))
            if note:
                layer.description = note
        return name

    def line(self, space: BaseLayout, path: Path, layer: str, **attributes: Any) -> None:
        """A polyline; one that ends where it began is closed."""
        points = np.asarray(path, dtype=float)
        closed = len(points) > 3 and bool((points[0] == points[-1]).all())
        space.add_lwpolyline(
            (points[:-1] if closed else points).tolist(),
            close=closed,
            dxfattribs={"layer": layer, **attributes},
        )

    def pattern(
        self,
        space: BaseLayout,
        polygon: shapely.Polygon,
        layer: str,
        hatch: Hatch,
        lines: Sequence[PatternLine],
        ink: str,
    ) -> None:
        """An area with a pattern."""
        drawn = self._hatch(space, _rings(polygon), layer, hatch.weight_pt, ink)
        drawn.set_pattern_fill(
            f"SM-{hatch.kind.upper()}", color=drawn.dxf.color, pattern_type=2, definition=lines
        )

    def fill(
        self, space: BaseLayout, rings: Sequence[Path], layer: str, ink: str, alpha: float
    ) -> None:
        """An area filled with the opaque colour that it has on white paper."""
        shown = on_white(ink, alpha)
        drawn = self._hatch(space, rings, layer, 0.25, shown)
        drawn.set_solid_fill(color=drawn.dxf.color, rgb=rgb_of(shown))

    def _hatch(
        self, space: BaseLayout, rings: Sequence[Path], layer: str, weight_pt: float, ink: str
    ) -> HatchEntity:
        attributes = {"layer": layer, "lineweight": lineweight(weight_pt), **colour(ink)}
        drawn = space.add_hatch(dxfattribs=attributes)
        drawn.dxf.hatch_style = 0
        for number, ring in enumerate(rings):
            drawn.paths.add_polyline_path(
                np.asarray(ring)[:-1].tolist(), is_closed=True, flags=16 if number else 1
            )
        return drawn

    def text(self, space: BaseLayout, text: Text, layer: str) -> None:
        """One line of lettering on paper, in inches."""
        drop = {"baseline": 0.0, "center": 0.5, "top": 1.0, "bottom": 0.0}[text.va] * text.cap_in
        turn = np.deg2rad(text.rotation_deg)
        place = text.x_in + np.sin(turn) * drop, text.y_in - np.cos(turn) * drop
        words = space.add_text(
            _plain(text.text),
            height=text.cap_in,
            rotation=text.rotation_deg,
            dxfattribs={
                "layer": layer,
                "style": text_style(self.doc, text.bold, text.italic),
                **colour(text.ink),
            },
        )
        words.set_placement(place, align=ALIGNED[text.ha])

    def label(
        self, space: BaseLayout, text: Text, middle_ft: tuple[float, float], turn_deg: float,
        layer: str,
    ) -> None:  # fmt: skip
        """Lettering on the ground about its middle, with a mask that hides lines under it."""
        words = space.add_mtext(
            _plain(text.text).replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}"),
            dxfattribs={
                "layer": layer,
                "style": text_style(self.doc, text.bold, text.italic),
                "char_height": text.cap_in * self.feet_per_inch,
                "attachment_point": MTextEntityAlignment.MIDDLE_CENTER,
                "insert": middle_ft,
                "rotation": turn_deg,
                **colour(text.ink),
            },
        )
        words.set_bg_color("canvas", scale=MASK)

    def paper(self, space: BaseLayout, mark: Lines | Areas | Text, layer: str) -> None:
        """A mark of the sheet in paper space, in inches, with its own pen."""
        if isinstance(mark, Text):
            self.text(space, mark, layer)
            return
        if isinstance(mark, Areas):
            for rings in mark.polygons:
                self.fill(space, rings, layer, mark.fill, mark.alpha)
            return
        attributes: dict[str, Any] = {
            "lineweight": lineweight(mark.weight_pt),
            "linetype": linetype(self.doc, mark.dash_pt),
            "ltscale": 1.0 / self.feet_per_inch,  # of the drawing's, which is for the ground
            **colour(on_white(mark.ink, mark.alpha)),
        }
        for path in mark.paths:
            self.line(space, path, layer, **attributes)


def middle_in(text: Text) -> np.ndarray:
    """The middle of a text's capitals, shape (1, 2), in inches on its sheet."""
    width = text_width_in(text.text, text.cap_in, text.bold, text.italic)
    along = {"left": 0.5, "center": 0.0, "right": -0.5}[text.ha] * width
    up = {"baseline": 0.5, "center": 0.0, "top": -0.5, "bottom": 0.5}[text.va] * text.cap_in
    turn = np.deg2rad(text.rotation_deg)
    x = text.x_in + along * np.cos(turn) - up * np.sin(turn)
    return np.array([[x, text.y_in + along * np.sin(turn) + up * np.cos(turn)]])


def _rings(polygon: shapely.Polygon) -> list[Path]:
    return [shapely.get_coordinates(ring) for ring in shapely.get_rings(polygon)]


def _plain(text: str) -> str:
    """Text without what a DXF would take for a code."""
    return text.translate(CONTROL_SIGNS).replace("%%", "% %").replace("^", "^ ")
