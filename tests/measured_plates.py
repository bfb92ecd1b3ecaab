"""Measured plates in code: one page, its main frame over the clean site, grid marks all round."""

from __future__ import annotations

from sitemap.measured_plate import GridMark, MapFrame, MeasuredPlate, PlatePage
from sitemap.measures.grid import column_letters
from tests.clean_site import EAST_FT, NORTH_FT

BOX_IN = (2.0, 2.0, 24.0, 20.0)  # 22 x 18 in: 1,100 x 900 ft at 1 in = 50 ft
CORNER_FT = (-150.0, -150.0)  # lower left of the frame, from the boundary's corner


def frame_of(
    feet_per_inch: float = 50.0,
    *,
    how: str = "georeference",
    corner_ft: tuple[float, float] = CORNER_FT,
    epsg: int | None = 6609,
    anisotropy_ppm: float = 0.0,
    with_ground: bool = True,
) -> MapFrame:
    left, bottom, right, top = BOX_IN
    x0, y0 = EAST_FT + corner_ft[0], NORTH_FT + corner_ft[1]
    x1, y1 = x0 + (right - left) * feet_per_inch, y0 + (top - bottom) * feet_per_inch
    ground = ((x0, y0), (x0, y1), (x1, y1), (x1, y0)) if with_ground else None
    return MapFrame("Map Layers", BOX_IN, feet_per_inch, how, None, epsg, ground, anisotropy_ppm)


def marks_across(labels: list[str], step_in: float = 2.0) -> tuple[GridMark, ...]:
    """Labels at the middle of cells of step_in, along the top and the bottom of the frame."""
    left, bottom, _, top = BOX_IN
    at = [left + step_in * (i + 0.5) for i in range(len(labels))]
    return tuple(
        GridMark(label, x, y)
        for y in (bottom - 0.2, top + 0.2)
        for label, x in zip(labels, at, strict=True)
    )


def marks_down(labels: list[str], step_in: float = 2.0) -> tuple[GridMark, ...]:
    """Labels from the top down, at the left and the right of the frame."""
    left, _, right, top = BOX_IN
    at = [top - step_in * (i + 0.5) for i in range(len(labels))]
    return tuple(
        GridMark(label, x, y)
        for x in (left - 0.2, right + 0.2)
        for label, y in zip(labels, at, strict=True)
    )


LETTERS = [column_letters(i) for i in range(11)]
NUMBERS = [str(i + 1) for i in range(9)]


def plate_of(
    *frames: MapFrame,
    stated: tuple[float, ...] = (50.0,),
    columns: tuple[GridMark, ...] | None = None,
    rows: tuple[GridMark, ...] | None = None,
    trouble: tuple[str, ...] = (),
) -> MeasuredPlate:
    """A plate of one page with these frames (none given: none found)."""
    page = PlatePage(
        1,
        36.0,
        24.0,
        frames,
        stated_feet_per_inch=stated,
        grid_columns=marks_across(LETTERS) if columns is None else columns,
        grid_rows=marks_down(NUMBERS) if rows is None else rows,
    )
    return MeasuredPlate("plates.pdf", (page,), trouble=trouble)


def clean_plate() -> MeasuredPlate:
    return plate_of(frame_of())
