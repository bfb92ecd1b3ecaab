"""Pictures under the map in a drawing for CAD: image entities, their files beside the drawing.

A DXF holds no pixels, only the name of a file: without a folder, so that drawing and pictures can
be moved together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sitemap.plate.cad.sketch import Sketch
from sitemap.plate.marks import Image, SheetMarks
from sitemap.plate.underlay import AERIAL_LAYER, RELIEF_LAYER

CAD_LAYERS = {RELIEF_LAYER: ("V-IMAG-RELF", "relief"), AERIAL_LAYER: ("V-IMAG-AERL", "aerial")}

Pictures = Mapping[Path, tuple[SheetMarks, Image]]


def pictures_of(sheets: Sequence[SheetMarks], path: Path) -> Pictures:
    """The pictures under the main maps by the file that each is written to, beside the drawing."""
    return {
        path.with_name(f"{path.stem}.{_plain(sheet.number)}.{CAD_LAYERS[mark.layer][1]}.jpg"): (
            sheet, mark,
        )
        for sheet in sheets
        if sheet.kind == "map"
        for mark in sheet.marks
        if isinstance(mark, Image) and mark.layer in CAD_LAYERS
    }  # fmt: skip


def _plain(number: str) -> str:
    return re.sub(r"[^\w-]+", "-", number)


def attach_pictures(sketch: Sketch, pictures: Pictures) -> None:
    """Put the pictures on the ground in model space; what is drawn later lies over them."""
    if not pictures:
        return
    doc = sketch.doc
    doc.set_raster_variables(units="ft")
    for file, (sheet, mark) in pictures.items():
        frame = sheet.frames[0]
        left, bottom, right, top = mark.box_in
        definition = doc.add_image_def(file.name, (mark.width_px, mark.height_px))
        layer = sketch.layer(CAD_LAYERS[mark.layer][0], note=mark.layer)
        place = frame.to_ground(np.array([[left, bottom]]))[0].tolist()
        doc.modelspace().add_image(
            definition,
            insert=(*place, 0.0),
            size_in_units=(
                (right - left) * frame.feet_per_inch, (top - bottom) * frame.feet_per_inch,
            ),
            rotation=-frame.rotation_deg,
            dxfattribs={"layer": layer},
        )  # fmt: skip
