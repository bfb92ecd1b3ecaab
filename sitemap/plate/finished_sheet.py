"""A composed map with its margin: everything on one sheet, as marks."""

from __future__ import annotations

from sitemap.checked import CheckedSite
from sitemap.freed_memory import return_freed
from sitemap.plate.compose import GRID_MARKS, map_marks
from sitemap.plate.furniture import Furniture
from sitemap.plate.map_grid import control_places
from sitemap.plate.marks import SheetMarks
from sitemap.plate.overlays import OVERLAYS, overlay_marks


def finished_sheet(
    furniture: Furniture,
    *,
    checked: CheckedSite | None = None,
    notes: tuple[str, ...] = (),
    sheet: int = 1,
    sheets: int = 0,
) -> SheetMarks:
    """The map with its margin; notes are the numbers of the sheets that hold what has no room.

    It is the `sheet`th of so many sheets, else the one before its notes.
    """
    site, composed = furniture.site, furniture.composed
    layout, drawing, frame = composed.layout, composed.drawing, composed.drawing.frame
    control_ft = control_places(frame)
    return_freed()  # what placing labels has left behind, then what looking for tags has
    over = overlay_marks(site, furniture.ordinance, drawing, checked)
    return_freed()
    marks = map_marks(composed, control_ft, over)
    marks += furniture.marks(notes, sheet, sheets)
    wishes = site.project.plate
    used = dict.fromkeys(mark.layer for mark in marks if mark.layer)
    return SheetMarks(
        number=wishes.sheet_number,
        title=wishes.sheet_title,
        width_in=layout.width_in,
        height_in=layout.height_in,
        frames=(frame, *furniture.frames),
        layers=tuple(used),
        marks=tuple(marks),
        layers_off=tuple(layer for layer in OVERLAYS if layer in used),
        control_ft=control_ft,
        unplaced=(*drawing.unplaced, *furniture.unplaced(notes)),
        map_span=drawing.span(GRID_MARKS),
    )
