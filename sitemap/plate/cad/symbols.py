"""Point symbols as blocks: drawn once in inches, inserted at the scale of the plate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemap.plate.cad.names import plain_name
from sitemap.plate.cad.pens import text_style
from sitemap.plate.cad.sketch import Sketch
from sitemap.plate.cad.tags import TAGS, feature_tags
from sitemap.plate.drawing import MAP_CAP_IN
from sitemap.plate.marks import Areas, Lines, Text
from sitemap.plate.point_symbols import marker_marks
from sitemap.plate.styles import Style

if TYPE_CHECKING:
    import geopandas
    from ezdxf.layouts import BaseLayout

INVISIBLE = 1  # flag of an attribute; labels are texts of their own
ID_DROP_IN = 0.2


def insert_points(
    sketch: Sketch,
    space: BaseLayout,
    layer: str,
    style: Style,
    frame: geopandas.GeoDataFrame,
    places_ft: np.ndarray,
    rows: np.ndarray,
    turn_deg: float,
) -> None:
    """Symbols at places with heights, shape (n, 3), each with the attributes of its feature.

    turn_deg is how far the sheets turn the ground; symbols stand upright on the sheet.
    """
    name = _block(sketch, style)
    for (x, y, z), row in zip(places_ft, rows, strict=True):
        values = feature_tags(frame, int(row))
        height = values.get("elevation") if not np.isfinite(z) else None
        at = (float(x), float(y), float(z) if np.isfinite(z) else float(height or 0.0))
        put = space.add_blockref(
            name,
            at,
            dxfattribs={
                "layer": layer,
                "xscale": sketch.feet_per_inch,
                "yscale": sketch.feet_per_inch,
                "zscale": sketch.feet_per_inch,
                "rotation": -turn_deg,
            },
        )
        put.add_auto_attribs({tag.upper(): values.get(tag, "") for tag in TAGS if tag in values})
        for attribute in put.attribs:
            attribute.dxf.flags = INVISIBLE


def _block(sketch: Sketch, style: Style) -> str:
    """The block of a style, in inches about its place, with a definition of each attribute."""
    name = plain_name(f"SM-{style.role}-{style.key}".rstrip("-").upper().replace(" ", "-"))
    if name in sketch.doc.blocks:
        return name
    block = sketch.doc.blocks.new(name)
    for mark in marker_marks(style, np.zeros((1, 2))):
        if isinstance(mark, Text):
            sketch.text(block, mark, "0")
        elif isinstance(mark, Areas):
            for rings in mark.polygons:
                sketch.fill(block, rings, "0", mark.fill, mark.alpha)
        elif isinstance(mark, Lines):
            for path in mark.paths:
                sketch.line(block, path, "0", linetype="CONTINUOUS")
    for number, tag in enumerate(TAGS):
        block.add_attdef(
            tag.upper(),
            (0.0, -ID_DROP_IN - number * MAP_CAP_IN * 1.6),
            height=MAP_CAP_IN,
            dxfattribs={
                "layer": "0",
                "flags": INVISIBLE,
                "style": text_style(sketch.doc, bold=False, italic=False),
            },
        )
    return name
