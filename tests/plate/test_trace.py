"""Tracing: what a layer draws comes back in ground feet; other programs' forms are followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pikepdf
import pytest
import shapely

from sitemap.measured_plate import TracedLayer
from sitemap.plate.marks import Areas, Lines, Text
from sitemap.plate.read import measure_plate
from tests.plate.one_sheet import composed, frame_on, written

FRAME = frame_on("ARCH D", 50)
LEFT, BOTTOM = FRAME.box_in[:2]


def sheet(*marks, rotation_deg=0.0, layers=("A", "B")):
    plain = composed(rotation_deg=rotation_deg)
    return replace(plain, layers=layers, marks=marks, control_ft=())


def traced(tmp_path, *sheets) -> dict[str, TracedLayer]:
    plate = measure_plate(written(tmp_path / "t.pdf", *sheets))
    return {layer.layer: layer for layer in plate.traced}


def path(*xy):
    return np.array(xy, dtype=float) + np.array([LEFT, BOTTOM])


@pytest.mark.parametrize("rotation_deg", [0.0, 30.0])
def test_a_line_comes_back_on_its_ground(tmp_path, rotation_deg) -> None:
    drawn = path((2, 2), (5, 3), (6, 8))
    found = traced(tmp_path, sheet(Lines("A", (drawn,), 0.5), rotation_deg=rotation_deg))
    (line,) = found["A"].lines
    wanted = frame_on("ARCH D", 50, rotation_deg).to_ground(drawn)
    assert np.abs(line - wanted).max() < 0.005  # ft: a ten thousandth of an inch on paper
    assert found["A"].feet_per_inch == pytest.approx(50)


def test_dashes_do_not_break_a_line_and_closed_ones_close(tmp_path) -> None:
    ring = path((2, 2), (5, 2), (5, 5), (2, 2))
    found = traced(tmp_path, sheet(Lines("A", (ring,), 0.5, dash_pt=(6, 3))))
    (line,) = found["A"].lines
    assert shapely.LineString(line).is_ring


def test_each_layer_has_its_own_marks_and_marks_of_no_layer_are_left_out(tmp_path) -> None:
    line = path((2, 2), (5, 3))
    found = traced(
        tmp_path, sheet(Lines("A", (line,), 0.5), Lines("B", (line, line + 1), 0.5),
                        Lines("", (line + 2,), 0.5))
    )  # fmt: skip
    assert {name: len(layer.lines) for name, layer in found.items()} == {"A": 1, "B": 2}


def test_the_edge_of_a_filled_area_counts_as_drawn(tmp_path) -> None:
    ring = path((2, 2), (5, 2), (5, 5), (2, 2))
    found = traced(tmp_path, sheet(Areas("A", ((ring,),), "#2060a0")))
    assert shapely.LineString(found["A"].lines[0]).length == pytest.approx(
        50 * (6 + 3 * np.sqrt(2)), abs=0.1
    )


def test_letters_are_told_from_lines_by_their_halo(tmp_path) -> None:
    """The outline around the letters is 4 digits wide and one cap high."""
    found = traced(tmp_path, sheet(Text("A", LEFT + 4, BOTTOM + 4, "1840", 0.08, halo_pt=1.2)))
    assert found["A"].lines == ()
    (hull,) = found["A"].lettering
    shape = shapely.Polygon(hull)
    assert shape.contains(shapely.Point(FRAME.to_ground(np.array([[LEFT + 4.1, BOTTOM + 4.04]]))))
    left, bottom, right, top = shape.bounds
    assert (top - bottom) / 50 == pytest.approx(0.08, abs=0.01)
    assert 0.2 < (right - left) / 50 < 0.3


def test_a_small_closed_outline_stands_for_its_middle(tmp_path) -> None:
    place = path((4, 4))[0]
    t = np.linspace(0, 2 * np.pi, 33)
    circle = place + 0.09 * np.column_stack([np.cos(t), np.sin(t)])
    large = place + 2.0 * np.column_stack([np.cos(t), np.sin(t)])
    found = traced(tmp_path, sheet(Lines("A", (circle, large), 0.8)))
    ground = FRAME.to_ground(place[None])[0]
    away = np.hypot(*(found["A"].anchors - ground).T)
    assert away.min() < 0.01
    assert len(found["A"].anchors) == 3  # of the circle; two inches are no symbol


def test_a_short_stroke_stands_for_its_middle_and_its_ends(tmp_path) -> None:
    stroke = path((4, 4), (4.1, 4.1))
    found = traced(tmp_path, sheet(Lines("A", (stroke, path((4, 4), (6, 4))), 0.5)))
    wanted = FRAME.to_ground(np.vstack([stroke, stroke.mean(axis=0)]))
    assert len(found["A"].anchors) == 3
    assert all(np.hypot(*(found["A"].anchors - place).T).min() < 0.01 for place in wanted)


def test_what_ties_a_symbol_that_was_moved_far_stands_for_its_ends(tmp_path) -> None:
    tie = path((4, 4), (4, 4.8))
    found = traced(tmp_path, sheet(Lines("A", (tie,), 0.5)))
    anchors = found["A"].anchors
    assert len(anchors) == 2
    wanted = FRAME.to_ground(tie)
    assert all(np.hypot(*(anchors - place).T).min() < 0.01 for place in wanted)


def test_forms_and_curves_of_other_programs_are_followed(tmp_path) -> None:
    """A layer inside a form that is moved by 72 points, drawn with a curve."""
    file = written(tmp_path / "t.pdf", sheet(Lines("A", (path((2, 2), (5, 3)),), 0.5)))
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        page = pdf.pages[0]
        group = page.Resources.Properties["/OC0"]
        form = pdf.make_stream(b"0 0 m 0 100 100 100 100 0 c S")
        form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox, form.Matrix = [0, 0, 200, 200], [1, 0, 0, 1, 72, 0]
        form.OC = group
        page.Resources.XObject = pikepdf.Dictionary({"/Fm": form})
        page.contents_add(b"q 1 0 0 1 300 400 cm /Fm Do Q")
        pdf.save(file)
    lines = {layer.layer: layer for layer in measure_plate(file).traced}["A"].lines
    curve = max(lines, key=len)
    ends = FRAME.to_ground(np.array([[372, 400], [472, 400]]) / 72)
    assert np.abs(curve[[0, -1]] - ends).max() < 0.01
    top = FRAME.to_ground(np.array([[422, 475]]) / 72)[0]  # of the curve at its middle
    assert np.hypot(*(curve - top).T).min() < 0.01


def test_a_page_without_georeference_and_a_file_that_is_gone_trace_nothing(tmp_path) -> None:
    file = written(tmp_path / "t.pdf", sheet(Lines("A", (path((2, 2), (5, 3)),), 0.5)))
    measured = measure_plate(file)
    file.unlink()
    assert measured.traced == ()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(tmp_path / "blank.pdf")
    assert measure_plate(tmp_path / "blank.pdf").traced == ()
