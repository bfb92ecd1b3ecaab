"""Tables, blocks, frame and scale of a sheet, apart from any drawing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sitemap.errors import PlateError
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.blocks import joined, shortened, text_block, wrap
from sitemap.plate.discharge_rows import discharge_rows
from sitemap.plate.fonts import text_width_in
from sitemap.plate.map_frame import map_frame
from sitemap.plate.marks import Text
from sitemap.plate.north_scale import scale_words
from sitemap.plate.schedules import area_rows, cells, control_rows, natural_key
from sitemap.plate.site_grid import site_grid, submitted_grid
from sitemap.plate.tables import Column, column_widths, panel_block, table_block
from sitemap.units import MapScale
from tests.clean_site import clean_site, moved, replace_features, with_plate_wishes, without
from tests.plate.composed import overlaps, rectangle, the_map

MUSKEGO = load_ordinance("muskego")
COLUMNS = (Column("Id"), Column("Control", wraps=True), Column("Size", "right"))
ROWS = [(f"SF-{i}", "Silt fence along the lower edge of the graded ground", f"{i * 37} ft")
        for i in range(1, 13)]  # fmt: skip


def block_texts(block: object) -> list[Text]:
    return [m for m in block.marks if isinstance(m, Text)]  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize("width", [2.5, 3.6, 6.5])
def test_table_keeps_its_words_inside_and_apart(width: float) -> None:
    block = table_block("t", "Schedule", "§ 1", COLUMNS, ROWS, width)
    shapes = [rectangle(t) for t in block_texts(block)]
    assert overlaps(shapes) == []
    for shape in shapes:
        x0, y0, x1, y1 = shape.bounds
        assert x0 >= -1e-9
        assert x1 <= width + 1e-9
        assert y0 >= -block.height_in - 1e-9
        assert y1 <= 1e-9


def test_columns_fill_the_width_exactly() -> None:
    for width in (2.5, 4.0, 9.0):
        assert sum(column_widths(COLUMNS, ROWS, width)) == pytest.approx(width)


@pytest.mark.parametrize("panels", [1, 2, 3, 5])
def test_panels_lose_no_row(panels: int) -> None:
    rows = [("Silt fence",), *[(f"SF-{i}", "9 ft", "A1") for i in range(7)],
            ("Ditch check",), ("DC-1", "4 ft", "B2"), ("Trap",), ("ST-1", "-", "C3")]  # fmt: skip
    columns = (Column("Id"), Column("Size", "right"), Column("Cell"))
    said = [t.text for t in block_texts(panel_block("s", "S", "", columns, rows, 6.5, panels))]
    for row in rows:
        assert row[0] in said


def test_rows_that_do_not_fit_are_counted() -> None:
    block = table_block("t", "Schedule", "", COLUMNS, ROWS, 6.5, most_height_in=1.5)
    assert block.height_in <= 1.5 + 0.1
    shown = sum(t.text.startswith("SF-") for t in block_texts(block))
    assert f"{12 - shown} more rows: see the report" in [t.text for t in block_texts(block)]


def test_wrapped_lines_are_no_wider_than_asked() -> None:
    words = "Controls are installed before the land above them is disturbed, unbelievablylongword"
    for width in (0.5, 1.0, 3.0):
        lines = wrap(words, width, 0.08)
        assert all(text_width_in(line, 0.08) <= width + 1e-9 for line in lines)
        assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert text_width_in(shortened(words, 1.0, 0.08), 0.08) <= 1.0


def test_numbered_notes_stay_in_their_block() -> None:
    block = text_block("n", "General notes", "", ["One " * 30, "Two " * 10], 3.0, numbered=True)
    for text in block_texts(block):
        x0, y0, x1, _ = rectangle(text).bounds
        assert x0 >= 0
        assert x1 <= 3.0
        assert y0 >= -block.height_in


def test_blocks_are_joined_across_and_down() -> None:
    one = text_block("a", "A", "", ["x"], 2.0)
    two = text_block("b", "B", "", ["y", "z"], 3.0)
    across, down = (joined("c", [one, two], 0.2, across=way) for way in (True, False))
    assert (across.width_in, across.height_in) == pytest.approx((5.2, two.height_in))
    assert down.width_in == pytest.approx(3.0)
    assert down.height_in == pytest.approx(one.height_in + two.height_in + 0.2)


def test_ids_are_sorted_by_their_numbers() -> None:
    assert sorted(["SF-10", "SF-2", "IP-1"], key=natural_key) == ["IP-1", "SF-2", "SF-10"]


# -------------------------------------------------------------------------------------- facts


def test_schedules_of_the_clean_site() -> None:
    site = clean_site()
    frame = map_frame(site, MUSKEGO, sheet_layout("ARCH D"), "auto")
    grid = site_grid(frame)
    ids = [row[0] for row in control_rows(site, grid)]
    assert {"SB-1", "SF-1", "TP-1"} <= set(ids)
    assert area_rows(site)[0] == ("Construction site", "11.02", "11.02")
    assert discharge_rows(site, grid)[0][:4] == ("DP-1", "OF-1", "Tess Corners Creek", "124")
    controls = site.layers["controls"].usable
    assert ids[: len(controls)] == sorted(controls["id"], key=natural_key)
    basin = controls[controls["id"] == "SB-1"].geometry.iloc[0]
    cell = cells(basin, grid)
    west, south, east, north = grid.bounds_of(cell)
    middle = basin.representative_point()
    assert west <= middle.x <= east
    assert south <= middle.y <= north


def test_scale_is_stated_for_both_sizes() -> None:
    assert scale_words(MapScale(50)) == "1 in = 50 ft (half size: 1 in = 100 ft)"


# ----------------------------------------------------------------------------- frame and scale


@pytest.mark.parametrize("name", ["ANSI B", "ARCH C", "ARCH D", "ANSI E"])
def test_largest_engineers_scale_that_holds_site_and_margin(name: str) -> None:
    """900 by 700 ft with the pack's 50 ft: one scale larger would not hold it."""
    layout = sheet_layout(name)
    frame = map_frame(clean_site(), MUSKEGO, layout, "auto")
    left, bottom, right, top = layout.frame
    scales = [10, 20, 30, 40, 50, 60, 100]
    chosen = scales.index(int(frame.feet_per_inch))
    assert (right - left) * scales[chosen] >= 900
    assert (top - bottom) * scales[chosen] >= 700
    larger = scales[chosen - 1]
    assert (right - left) * larger < 900 or (top - bottom) * larger < 700


def test_the_ground_shown_holds_the_site_with_its_margin() -> None:
    frame = map_frame(clean_site(), MUSKEGO, sheet_layout("ARCH D"), "auto")
    low, high = frame.corners_ft.min(axis=0), frame.corners_ft.max(axis=0)
    x0, y0, x1, y1 = clean_site().layers["boundary"].usable.total_bounds
    assert (low <= np.array([x0, y0]) - 50).all()
    assert (high >= np.array([x1, y1]) + 50).all()


@pytest.mark.parametrize("name", ["ANSI B", "ARCH C", "ARCH D", "ARCH E1"])
def test_no_cell_of_the_grid_is_a_sliver(name: str) -> None:
    frame = map_frame(clean_site(), MUSKEGO, sheet_layout(name), "auto")
    grid = site_grid(frame)
    low, high = frame.corners_ft.min(axis=0), frame.corners_ft.max(axis=0)
    x = np.clip(grid.column_edges, low[0], high[0])
    y = np.clip(grid.row_edges, low[1], high[1])
    assert grid.bounds_ft[0] <= low[0]
    assert grid.bounds_ft[2] >= high[0] - 1e-3
    assert np.diff(x).min() / frame.feet_per_inch > 0.25
    assert -np.diff(y).max() / frame.feet_per_inch > 0.25


def test_site_that_fits_no_scale_names_the_sheets_that_would_do() -> None:
    with pytest.raises(PlateError, match=r"does not fit ANSI A.*it fits ANSI B"):
        map_frame(clean_site(), MUSKEGO, sheet_layout("ANSI A"), "auto")


def test_scale_over_the_limit_is_refused() -> None:
    with pytest.raises(PlateError, match="at most 100 ft per inch"):
        map_frame(clean_site(), MUSKEGO, sheet_layout("ARCH D"), 120)


def test_scale_that_does_not_hold_the_site_is_refused() -> None:
    with pytest.raises(PlateError, match="1 in = 10 ft does not hold it"):
        map_frame(clean_site(), MUSKEGO, sheet_layout("ARCH D"), 10)


def test_wished_margin_is_kept() -> None:
    wide = with_plate_wishes(clean_site(), margin_ft=400.0)
    near = map_frame(clean_site(), MUSKEGO, sheet_layout("ARCH D"), "auto").feet_per_inch
    assert map_frame(wide, MUSKEGO, sheet_layout("ARCH D"), "auto").feet_per_inch > near


def test_far_discharge_does_not_shrink_the_map() -> None:
    def far(frame):  # type: ignore[no-untyped-def]
        return frame.set_geometry([moved(g, 5000.0, 0.0) for g in frame.geometry])

    site = replace_features(clean_site(), "discharges", far)
    layout = sheet_layout("ARCH D")
    same = map_frame(clean_site(), MUSKEGO, layout, "auto").feet_per_inch
    assert map_frame(site, MUSKEGO, layout, "auto").feet_per_inch == same


def test_site_without_anything_to_draw_around_is_refused() -> None:
    site = without(clean_site(), "boundary", "disturbance", "controls")
    with pytest.raises(PlateError, match="no boundary, disturbed area or control"):
        map_frame(site, MUSKEGO, sheet_layout("ARCH D"), "auto")


# ---------------------------------------------------------------------------- the handed-in grid


def test_submitted_grid_is_taken_over_when_it_covers_the_map() -> None:
    """The clean site's own grid is 10 by 8 cells of 100 ft from 100 ft off the boundary."""
    grid = submitted_grid(clean_site())
    assert grid is not None
    assert (grid.columns, grid.rows, grid.cell_ft) == (10, 8, 100.0)
    wide = replace(grid, x0_ft=grid.x0_ft - 2000, y0_ft=grid.y0_ft - 2000, columns=60, rows=60)
    frame = map_frame(clean_site(), MUSKEGO, sheet_layout("ARCH D"), "auto")
    assert site_grid(frame, submitted=wide) is wide


def test_grid_that_does_not_cover_the_map_is_replaced_and_told() -> None:
    unplaced = the_map("ARCH C").drawing.unplaced
    assert any("submitted grid" in words for words in unplaced)


def test_unequal_cells_are_no_grid() -> None:
    def stretch(frame):  # type: ignore[no-untyped-def]
        shapes = frame.geometry.to_numpy().copy()
        shapes[0] = shapes[0].buffer(20, join_style="mitre")
        return frame.set_geometry(shapes)

    assert submitted_grid(replace_features(clean_site(), "grid", stretch)) is None
