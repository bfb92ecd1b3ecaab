"""A small composed sheet for the tests of writing and reading: every kind of mark once."""

import datetime as dt
from dataclasses import replace

import numpy as np

from sitemap.crs import parse_crs
from sitemap.measures.grid import grid_over
from sitemap.measures.sheets import sheet_layout
from sitemap.plate.marks import Areas, GroundFrame, Lines, SheetMarks, Text, control_crosses
from sitemap.plate.pdf import write_pdf

ORIGIN_FT = (2_450_000.0, 320_000.0)  # in Muskego
MADE = dt.datetime(2026, 3, 4, 5, 6, 7)
LAYERS = ("Grid", "Wetlands", "Contours", "Control", "Labels", "Never drawn")
DRAWN = ("Grid", "Wetlands", "Contours", "Control", "Labels")


def box(left, bottom, right, top):
    return np.array(
        [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]], dtype=float
    )


def frame_on(sheet, feet_per_inch, rotation_deg=0.0, crs="EPSG:6609"):
    return GroundFrame(
        "Map Layers",
        sheet_layout(sheet).frame,
        ORIGIN_FT,
        float(feet_per_inch),
        parse_crs(crs),
        rotation_deg,
    )


def grid_texts(frame):
    """Letters above and below, numbers left and right, as a plate has them (grid north up)."""
    left, bottom, right, top = frame.box_in
    corners = frame.corners_ft
    grid = grid_over(
        (*corners.min(axis=0), *corners.max(axis=0)), cell_ft=frame.feet_per_inch * 2.0
    )
    x = frame.to_paper(
        np.column_stack([grid.column_edges, np.full(grid.columns + 1, corners[0, 1])])
    )
    y = frame.to_paper(np.column_stack([np.full(grid.rows + 1, corners[0, 0]), grid.row_edges]))
    across = np.clip(x[:, 0], left, right)
    down = np.clip(y[:, 1], bottom, top)
    texts = []
    for label, a, b in zip(grid.column_labels, across, across[1:], strict=False):
        for edge in (top + 0.2, bottom - 0.2):
            texts.append(Text("Grid", (a + b) / 2, edge, label, 0.14, ha="center", va="center"))
    for label, a, b in zip(grid.row_labels, down, down[1:], strict=False):
        for edge in (left - 0.2, right + 0.2):
            texts.append(Text("Grid", edge, (a + b) / 2, label, 0.14, ha="center", va="center"))
    return grid, tuple(texts)


def composed(sheet="ARCH D", feet_per_inch=50, rotation_deg=0.0, **changes):
    """A sheet with grid letters, a wetland with a hole, contours, control and labels."""
    layout = sheet_layout(sheet)
    frame = frame_on(sheet, feet_per_inch, rotation_deg)
    left, bottom, right, top = frame.box_in
    middle = (left + right) / 2, (bottom + top) / 2
    inner = np.array([[left + 1, bottom + 1], [right - 1, bottom + 1], [middle[0], top - 1]])
    control = tuple((float(x), float(y)) for x, y in frame.to_ground(inner))
    t = np.linspace(0, 1, 50)
    contours = tuple(
        np.column_stack([left + t * (right - left), middle[1] + 0.3 * np.sin(6 * t) + i * 0.2])
        for i in range(5)
    )
    said = Text("", layout.title_block[0] + 0.2, layout.title_block[1] + 0.2, "", 0.10)
    marks = (
        Lines("", (box(*layout.border), box(*frame.box_in)), 1.0),
        Areas(
            "Wetlands",
            (
                (
                    box(left + 1, bottom + 1, left + 4, bottom + 4),
                    box(left + 2, bottom + 2, left + 3, bottom + 3),
                ),
            ),
            "#2060a0",
            alpha=0.5,
        ),
        Lines("Contours", contours, 0.35, "#737373", dash_pt=(6, 3)),
        control_crosses(frame, control),
        *grid_texts(frame)[1],
        Text("Labels", *middle, "SF-1 fill ½°", 0.08, rotation_deg=30, halo_pt=1.2),
        replace(said, text=f"1 in = {feet_per_inch} ft (half size: 1 in = {2 * feet_per_inch} ft)"),
        replace(said, y_in=said.y_in + 0.3, text="Contour interval: 2 ft"),
        replace(said, y_in=said.y_in + 0.6, text="C-501", bold=True),
    )
    found = SheetMarks(
        "C-501",
        "Erosion control plan",
        layout.width_in,
        layout.height_in,
        (frame,),
        LAYERS,
        marks,
        control_ft=control,
    )
    return replace(found, **changes)


def written(path, *sheets, created=MADE):
    write_pdf(
        sheets or (composed(),),
        path,
        title="Oak Hill",
        author="A. Engineer",
        subject="Muskego 162-11B(4)",
        created=created,
    )
    return path
