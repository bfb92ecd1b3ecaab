"""What was measured on a plate, as words and JSON."""

from __future__ import annotations

import json

from sitemap.measured_plate import GIVEN, GridMark, MapFrame, MeasuredPlate, PlatePage
from sitemap.report.measured import to_json, to_text

FRAME = MapFrame(
    "Map Layers",
    (2.0, 3.0, 28.0, 23.0),
    50.0,
    "georeference",
    "NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609)",
    6609,
    ((2469000.0, 335000.0), (2469000.0, 336000.0), (2470300.0, 336000.0), (2470300.0, 335000.0)),
)
PAGE = PlatePage(
    1,
    36.0,
    24.0,
    (FRAME,),
    stated_feet_per_inch=(50.0,),
    stated_half_size=(100.0,),
    sheet="ARCH D",
    grid_columns=(GridMark("A", 3.0, 23.2), GridMark("B", 5.0, 23.2)),
)


def test_a_page_is_said_as_a_person_would_write_it_down() -> None:
    text = to_text(MeasuredPlate("C-501.pdf", (PAGE,), "somebody", ("Wetlands",)))
    assert "page 1: 36.000 x 24.000 in (ARCH D)" in text
    assert "26.000 x 20.000 in, 1 in = 50.000 ft both ways (1:600) by georeference" in text
    assert "verdict: page 1 has 1 in = 50.000 ft both ways, by georeference; its words" in text
    assert "lower left corner E 2,469,000.000 N 335,000.000" in text
    assert "scale stated in words: 50 ft per inch" in text
    assert "half-size scale stated: 100 ft per inch" in text
    assert "grid across: A to B (2 marks)" in text
    assert text.count("EPSG:6609") == 1


def test_what_cannot_be_measured_is_said() -> None:
    bare = MeasuredPlate("scan.pdf", (PlatePage(1, 8.5, 11.0),), trouble=("it is a picture",))
    text = to_text(bare)
    assert "verdict: its scale cannot be measured: it is a picture" in text
    assert "no frame whose scale can be measured" in text
    assert "what is wrong with it:\n  - it is a picture" in text


def test_a_scale_in_words_alone_is_told_with_the_paper_it_is_on() -> None:
    said = PlatePage(3, 11.69, 8.27, stated_feet_per_inch=(100.0,))
    text = to_text(MeasuredPlate("a.pdf", (said,), trouble=("no graphic bar",)))
    assert (
        "verdict: page 3 only states 1 in = 100 ft in words, on 11.690 x 8.270 in (ISO A4, no "
        "sheet of this country): not proved"
    ) in text
    assert "only states" not in to_text(MeasuredPlate("a.pdf", (PAGE,)))


def test_what_a_person_gave_reads_as_such() -> None:
    frame = MapFrame(GIVEN, (0.0, 0.0, 36.0, 24.0), 50.0, GIVEN)
    text = to_text(MeasuredPlate("a.pdf", (PlatePage(1, 36.0, 24.0, (frame,)),)))
    assert "(1:600) as given by a person" in text


def test_a_frame_stretched_one_way_is_told() -> None:
    stretched = MapFrame("", (0.0, 0.0, 1.0, 1.0), 50.0, "calibration", anisotropy_ppm=130_000.0)
    assert "differ by 130,000.0 ppm" in to_text(
        MeasuredPlate("x.pdf", (PlatePage(1, 36.0, 24.0, (stretched,)),))
    )


def test_a_shrunk_page_is_told_with_the_sheet_that_it_was() -> None:
    """18 x 12 in with the words of 36 x 24 in: half size."""
    frame = MapFrame("", (1.0, 1.0, 14.0, 11.0), 100.0, "graphic bar", rests_on="its graphic bar")
    page = PlatePage(1, 18.0, 12.0, (frame,), stated_feet_per_inch=(50.0,), sheet="ARCH B")
    text = to_text(MeasuredPlate("x.pdf", (page,)))
    assert (
        "page 1 has 1 in = 100.000 ft both ways, by its graphic bar; its words state "
        "1 in = 50 ft: it was printed at 50.0% of ARCH D (half size)"
    ) in text
    assert "CRS not stated" in text


def test_json_holds_every_field() -> None:
    data = json.loads(to_json(MeasuredPlate("C-501.pdf", (PAGE,))))
    assert data["pages"][0]["frames"][0]["feet_per_inch"] == 50.0
    assert data["pages"][0]["grid_columns"][1] == {"label": "B", "x_in": 5.0, "y_in": 23.2}


def test_json_of_a_plate_from_a_file_leaves_out_the_way_to_its_marks() -> None:
    plate = MeasuredPlate("C-501.pdf", (PAGE,), tracer=lambda _: ())
    data = json.loads(to_json(plate))
    assert "tracer" not in data
    assert data["pages"][0]["legend"] is None
