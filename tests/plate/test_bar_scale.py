"""Plates that say nowhere in their file what they show: graphic bars, given points, prints."""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap.errors import UsageError
from sitemap.measured_plate import GIVEN, MeasuredPlate, PlatePage
from sitemap.measures.print_size import printed_at
from sitemap.plate.bar_scale import graphic_bars
from sitemap.plate.given_points import (
    GivenDistance,
    GivenPoint,
    parse_distance,
    parse_point,
    with_given,
)
from sitemap.plate.lettering import Word
from sitemap.plate.pdf import write_pdf
from sitemap.plate.read import measure_plate
from sitemap.report.measured import to_text, verdicts
from sitemap.rules.feet_per_inch_too_many import feet_per_inch_too_many
from sitemap.rules.grid_does_not_cover_map import grid_does_not_cover_map
from sitemap.rules.grid_missing import grid_missing
from sitemap.rules.half_size_print_breaks_limit import half_size_print_breaks_limit
from sitemap.rules.page_is_not_the_sheet import page_is_not_the_sheet
from sitemap.rules.rule import Ask
from sitemap.rules.stated_scale_disagrees_with_page import stated_scale_disagrees_with_page
from tests.clean_site import clean_site, faults_of, run, with_plate_wishes
from tests.plate.composed import sheet


def drawn(path: Path, scale: float | str = 40) -> Path:
    write_pdf(
        [sheet("ARCH D", scale)], path, title="Oak Hill", author="", subject="",
        created=dt.datetime(2026, 5, 4),
    )  # fmt: skip
    return path


def printed(path: Path, factor: float) -> Path:
    """The plate as a print of it comes back: no georeference, every length times the factor."""
    return reduced(path, factor, factor, georeferenced=False)


def reduced(path: Path, factor: float, paper: float, *, georeferenced: bool = True) -> Path:
    """What is drawn made smaller on so much of the paper, and the viewports left as they were."""
    drawn(path)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        page = pdf.pages[0]
        if not georeferenced:
            del page.obj["/VP"]
        width, height = (float(v) for v in page.mediabox[2:])
        head = f"q {factor} 0 0 {factor} 0 0 cm".encode()
        page.contents_add(pikepdf.Stream(pdf, head), prepend=True)
        page.contents_add(pikepdf.Stream(pdf, b"Q"))
        page.mediabox = [0, 0, width * paper, height * paper]
        pdf.save(path)
    return path


def words_at(*placed: tuple[str, float, float]) -> list[Word]:
    return [Word(text, (x - 0.1, y - 0.05, x + 0.1, y + 0.05)) for text, x, y in placed]


def block(left: float, right: float, bottom: float = 1.8, height: float = 0.08):
    import numpy as np

    top = bottom + height
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])


# ------------------------------------------------------------------------------ the bar


def test_a_page_without_georeference_is_measured_by_its_bar(tmp_path: Path) -> None:
    plate = measure_plate(printed(tmp_path / "p.pdf", 1.0))
    ((page, frame),) = plate.main_frames
    assert frame.how == "graphic bar"
    assert frame.feet_per_inch == pytest.approx(40.0, rel=1e-5)
    assert "ft drawn" in frame.rests_on
    # the map's neatline is found by the letters around it, and so is its grid
    assert frame.box_in == pytest.approx(sheet("ARCH D", 40).frames[0].box_in, abs=0.001)
    assert page.grid_columns
    assert page.grid_rows
    assert plate.trouble == ()
    assert printed_at(page, frame) is None
    assert "its words state the same" in verdicts(plate)[0]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_print_that_was_shrunk_to_fit_is_found(tmp_path: Path, turn: int) -> None:
    """ARCH D on 33.12 x 22.08 in: 1 in = 40 ft became 43.5 ft. Turned pages are read as shown."""
    path = printed(tmp_path / "p.pdf", 0.92)
    if turn:
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            pdf.pages[0].rotate(turn, relative=False)
            pdf.save(path)
    plate = measure_plate(path)
    ((page, frame),) = plate.main_frames
    assert frame.feet_per_inch == pytest.approx(40.0 / 0.92, rel=1e-4)
    size = printed_at(page, frame)
    assert size is not None
    assert (size.factor, size.sheet) == (pytest.approx(0.92, rel=1e-4), "ARCH D")


def test_a_half_size_print_that_kept_its_viewports_is_measured_by_its_bar(tmp_path: Path) -> None:
    """The georeference says 40 ft in a frame twice as large as the paper."""
    plate = measure_plate(reduced(tmp_path / "half.pdf", 0.5, 0.5))
    ((page, frame),) = plate.main_frames
    assert (frame.how, frame.feet_per_inch) == ("graphic bar", pytest.approx(80.0, rel=1e-4))
    assert page.grid_columns
    (said,) = plate.trouble
    assert "declared to show 1 in = 40 ft" in said
    assert "runs off the paper" in said


def test_what_was_shrunk_within_its_paper_is_told_against_its_georeference(tmp_path: Path) -> None:
    """A frame that is on the paper may have the bar of another map beside it: a person is told."""
    plate = measure_plate(reduced(tmp_path / "shrunk.pdf", 0.97, 1.0))
    ((_, frame),) = plate.main_frames
    assert (frame.how, frame.feet_per_inch) == ("georeference", pytest.approx(40.0, rel=1e-4))
    assert "1 in = 41.237 ft: it was printed at another size" in plate.trouble[0]


def test_a_page_of_which_a_viewer_shows_a_part_keeps_its_georeference(tmp_path: Path) -> None:
    with pikepdf.open(drawn(tmp_path / "crop.pdf"), allow_overwriting_input=True) as pdf:
        pdf.pages[0].cropbox = [72, 72, 1500, 1000]
        pdf.save(tmp_path / "crop.pdf")
    plate = measure_plate(tmp_path / "crop.pdf")
    assert plate.main_frames[0][1].how == "georeference"
    assert plate.trouble == ()


def test_the_rules_judge_a_print_by_its_bar(tmp_path: Path) -> None:
    plate = measure_plate(printed(tmp_path / "p.pdf", 0.92))
    site = with_plate_wishes(clean_site(), scale="auto", sheet="ARCH D")
    (fault,) = faults_of(stated_scale_disagrees_with_page, site, plate)
    assert "states 1 in = 40 ft, but the page itself is 43.478" in fault.message
    assert "92.0% of ARCH D" in fault.how_to_fix
    (fault,) = faults_of(page_is_not_the_sheet, site, plate)
    assert "ARCH D shrunk to 92.0%" in fault.message
    assert not faults_of(feet_per_inch_too_many, site, plate)
    # the grid is judged along the neatline that was found
    for rule in (grid_missing, grid_does_not_cover_map):
        assert not faults_of(rule, site, plate)


def test_a_half_size_print_is_judged_as_it_is(tmp_path: Path) -> None:
    plate = measure_plate(printed(tmp_path / "p.pdf", 0.5))
    ((page, frame),) = plate.main_frames
    assert (page.sheet, frame.feet_per_inch) == ("ARCH B", pytest.approx(80.0, rel=1e-4))
    assert "50.0% of ARCH D (half size)" in to_text(plate)
    site = with_plate_wishes(clean_site(), scale=40, sheet="ARCH D", half_size_submitted=True)
    # 80 ft to the inch as it lies there, not doubled once more; and as its words say
    assert not faults_of(feet_per_inch_too_many, site, plate)
    assert not faults_of(stated_scale_disagrees_with_page, site, plate)
    assert not faults_of(page_is_not_the_sheet, site, plate)
    whole = with_plate_wishes(site, half_size_submitted=False)
    assert len(faults_of(stated_scale_disagrees_with_page, whole, plate)) == 2  # words, site.toml
    assert not faults_of(half_size_print_breaks_limit, whole, plate)


@given(
    per_inch=st.sampled_from([10, 20, 30, 40, 50, 60, 100]),
    shrunk=st.floats(0.4, 1.2),
    count=st.integers(1, 5),
    left=st.booleans(),
    off=st.floats(-0.15, 0.15),
)
def test_a_bar_tells_the_scale_whatever_its_print(
    per_inch: int, shrunk: float, count: int, left: bool, off: float
) -> None:
    """Blocks of one inch, numbered at their edges; labels may stand beside their edges."""
    step = shrunk * 1.0
    edges = [2.0 + i * step for i in range(count + 1)]
    paths = [block(a, b) for a, b in pairwise(edges)]
    labels = [(str(per_inch * i), x + off, 2.0) for i, x in enumerate(edges)]
    if left:
        paths.append(block(2.0 - step, 2.0))
        labels.append((str(per_inch), 2.0 - step + off, 2.0))
    words = words_at(*labels, ("FEET", edges[-1] + 0.6, 2.0))
    if (count + left) * step < 0.5:
        return
    bars = graphic_bars(words, paths)
    assert bars
    assert bars[0].feet_per_inch == pytest.approx(per_inch / shrunk, rel=1e-4)
    assert bars[0].unit == "feet"


def test_what_is_no_bar() -> None:
    labels = words_at(("0", 2.0, 2.0), ("50", 3.0, 2.0), ("100", 4.0, 2.0), ("ft", 4.5, 2.0))
    assert graphic_bars(labels, [block(2.0, 3.0), block(3.0, 4.0)])
    assert not graphic_bars(labels, [])  # numbers alone
    assert not graphic_bars(labels, [block(2.0, 4.0, bottom=1.0)])  # too far below
    assert not graphic_bars(labels, [block(2.0, 2.1), block(3.9, 4.0)])  # nothing between
    uneven = words_at(("0", 2.0, 2.0), ("50", 3.0, 2.0), ("70", 4.0, 2.0), ("ft", 4.5, 2.0))
    bars = graphic_bars(uneven, [block(2.0, 3.0), block(3.0, 4.0)])
    assert all(bar.length_ft == 50.0 for bar in bars)  # the third number does not belong
    assert not graphic_bars(words_at(("A", 2.0, 2.0), ("B", 3.0, 2.0)), [block(2.0, 3.0)])


@pytest.mark.parametrize(
    ("unit", "feet"), [("m", 1 / 0.3048), ("miles", 5280.0), ("FT", 1.0), ("'", 1.0)]
)
def test_units_of_a_bar(unit: str, feet: float) -> None:
    words = words_at(("0", 2.0, 2.0), ("100", 4.0, 2.0), (unit, 4.4, 2.0))
    (bar,) = graphic_bars(words, [block(2.0, 4.0)])
    assert bar.feet_per_inch == pytest.approx(50.0 * feet)


# ------------------------------------------------------------------- what a person gives


def plain_page(width: float = 36.0, height: float = 24.0) -> MeasuredPlate:
    why = "page 1: its scale is not measurable"
    return MeasuredPlate("p.pdf", (PlatePage(1, width, height),), trouble=(why, "it is old"))


@given(
    scale=st.floats(10.0, 200.0),
    turn=st.floats(-math.pi, math.pi),
    places=st.lists(
        st.tuples(st.floats(0.0, 36.0), st.floats(0.0, 24.0)), min_size=2, max_size=5, unique=True
    ),
)
def test_points_give_scale_and_turn(scale: float, turn: float, places: list) -> None:
    if max(math.dist(a, b) for a in places for b in places) < 1.0:
        return
    east, north = 2_450_000.0, 320_000.0
    cos, sin = math.cos(turn), math.sin(turn)
    points = [
        GivenPoint(x, y, east + scale * (x * cos - y * sin), north + scale * (x * sin + y * cos))
        for x, y in places
    ]
    plate = with_given(plain_page(), points)
    ((_, frame),) = plate.main_frames
    assert frame.how == GIVEN
    assert frame.feet_per_inch == pytest.approx(scale, rel=1e-4)
    assert frame.axes_ft_per_in == pytest.approx((scale, scale), rel=1e-4)
    assert frame.ground_ft is not None
    assert frame.ground_ft[0] == pytest.approx((east, north), abs=0.05)  # the page's corner
    assert plate.trouble == ("it is old",)


def test_three_points_tell_a_stretched_page() -> None:
    points = [GivenPoint(x, y, 50.0 * x, 52.0 * y) for x, y in ((1, 1), (30, 1), (1, 20))]
    plate = with_given(plain_page(), points)
    ((_, frame),) = plate.main_frames
    assert frame.axes_ft_per_in == pytest.approx((50.0, 52.0))
    assert "1 in = 50.000 ft across and 52.000 ft up, by 3 points given" in verdicts(plate)[0]


def test_a_distance_gives_the_scale() -> None:
    plate = with_given(plain_page(), distance=parse_distance("3,4 9,4=300"))
    ((_, frame),) = plate.main_frames
    assert frame.feet_per_inch == 50.0
    assert "300 ft are 6.000 in" in frame.rests_on


def test_given_goes_before_what_the_file_says(tmp_path: Path) -> None:
    plate = measure_plate(drawn(tmp_path / "p.pdf"))
    wrong = with_given(plate, distance=GivenDistance((3.0, 4.0), (9.0, 4.0), 300.0))
    assert [frame.feet_per_inch for _, frame in wrong.main_frames] == [50.0]


@pytest.mark.parametrize(
    ("text", "words"),
    [("3,4", "--point '3,4': give X,Y=E,N"), ("a,b=1,2", "inches from the page's lower left")],
)
def test_points_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(UsageError, match="--point") as caught:
        parse_point(text)
    assert words in str(caught.value)


def test_points_and_distances_that_tell_nothing() -> None:
    one = GivenPoint(1.0, 1.0, 0.0, 0.0)
    for points, words in (
        ([one], "give two or more"),
        ([one, GivenPoint(1.1, 1.0, 5.0, 0.0)], "0.10 in apart"),
        ([one, GivenPoint(40.0, 1.0, 5.0, 0.0)], "lies off page 1, which is 36 x 24 in"),
        ([one, GivenPoint(9.0, 1.0, 0.0, 0.0)], "one place on the ground"),
    ):
        with pytest.raises(UsageError) as caught:
            with_given(plain_page(), points)
        assert words in str(caught.value)
    with pytest.raises(UsageError, match="greater than 0"):
        parse_distance("3,4 9,4=0")
    with pytest.raises(UsageError, match="--page 2: the plate has 1 pages"):
        with_given(plain_page(), distance=parse_distance("3,4 9,4=300"), number=2)


def test_a_page_with_words_alone_is_asked_about_and_told_what_shrinking_would_mean() -> None:
    """33.12 x 22.08 in is ARCH D at 92 %: 1 in = 100 ft would be 108.7 ft."""
    page = PlatePage(1, 33.12, 22.08, stated_feet_per_inch=(100.0,))
    said = run(feet_per_inch_too_many, clean_site(), MeasuredPlate("p.pdf", (page,)))
    (ask,) = [one for one in said if isinstance(one, Ask)]
    assert "92.0% of ARCH D, at which it would be 1 in = 108.696 ft" in ask.question


@pytest.mark.real_data
def test_the_bar_of_a_civil_3d_sheet_agrees_with_its_calibration(shared_data: Path) -> None:
    import pypdfium2

    from sitemap.plate.lettering import read_lettering
    from sitemap.plate.page_view import PageView
    from sitemap.plate.trace import drawn_paths

    folder = shared_data / "4-map-plates" / "greenville-wi-civil3d"
    path = next(folder.glob("*.pdf"))
    with pikepdf.open(path) as pdf:
        view = PageView.of(pdf.pages[0])
        lettering = read_lettering(pypdfium2.PdfDocument(path)[0], view)
        bars = graphic_bars(lettering.words, drawn_paths(pdf.pages[0], view))
    assert bars[0].feet_per_inch == pytest.approx(100.0, rel=1e-4)
    assert bars[0].length_ft == 400.0
