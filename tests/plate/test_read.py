"""Measuring finished plates: our own to a part per million, anyone's with a plain word."""

from dataclasses import replace

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from sitemap.crs import parse_crs
from sitemap.errors import PlateError
from sitemap.measures.sheets import ENGINEERS_SCALES, sheet_layout
from sitemap.plate.control import measure_control
from sitemap.plate.marks import GroundFrame, Lines
from sitemap.plate.read import measure_plate
from tests.plate.one_sheet import DRAWN, composed, frame_on, grid_texts, written


def changed(source, target, change):
    """A copy of a PDF after `change(pdf)`."""
    with pikepdf.open(source) as pdf:
        change(pdf)
        pdf.save(target)
    return target


def bare_pdf(path, viewports=(), content=b"", size=(792, 612)):
    """A one-page PDF as some other program might write it."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=size)
        page = pdf.pages[0]
        page.Contents = pdf.make_stream(content)
        if viewports:
            page.obj.VP = Array(viewports)
        pdf.save(path)
    return path


def calibrated(factor, unit, box=(0, 0, 792, 612), name="Model"):
    number = Dictionary(
        Type=Name.NumberFormat, U=String(unit), C=pikepdf.Object.parse(factor.encode())
    )
    one = Dictionary(Type=Name.NumberFormat, U=String(unit), C=1)
    measure = Dictionary(
        Type=Name.Measure, Subtype=Name.RL, R=String(" "), X=Array([number]), D=Array([one])
    )
    return Dictionary(Type=Name.Viewport, Name=String(name), BBox=Array(box), Measure=measure)


SHEET_OF_SCALE = [
    *zip(
        ENGINEERS_SCALES,
        ["ANSI A", "ANSI B", "ANSI C", "ANSI D", "ARCH D", "ARCH E", "ARCH E1"],
        strict=True,
    ),
    (100, "ANSI E"),
]


@pytest.mark.parametrize(("feet_per_inch", "sheet"), SHEET_OF_SCALE)
@pytest.mark.parametrize("rotation_deg", [0.0, -37.25])
def test_round_trip(tmp_path, feet_per_inch, sheet, rotation_deg):
    marks = composed(sheet, feet_per_inch, rotation_deg)
    path = written(tmp_path / "p.pdf", marks)
    plate = measure_plate(path)
    assert plate.trouble == ()
    (page, frame), *others = plate.main_frames
    assert not others
    assert page.sheet == sheet
    assert (page.width_in, page.height_in) == pytest.approx(
        (marks.width_in, marks.height_in), abs=0.001
    )
    assert frame.how == "georeference"
    assert frame.epsg == 6609
    assert "Wisconsin South" in frame.crs
    assert frame.box_in == pytest.approx(sheet_layout(sheet).frame, abs=0.001)
    assert frame.feet_per_inch == feet_per_inch  # no hair more: 100 is not over 100
    assert frame.anisotropy_ppm < 1
    assert np.abs(np.array(frame.ground_ft) - marks.frames[0].corners_ft).max() < 0.001
    calibration = next(f for f in page.frames if f.how == "calibration")
    assert calibration.feet_per_inch == feet_per_inch
    assert page.stated_feet_per_inch == (feet_per_inch,)
    assert page.stated_half_size == (2 * feet_per_inch,)
    assert page.stated_interval_ft == (2,)
    assert plate.layers == DRAWN
    assert set(page.drawn_layers) == set(DRAWN)

    control = measure_control(path, marks)
    assert control.crosses == 3
    assert control.error_ppm < 1
    assert control.worst_offset_in < 1e-6


def test_grid_letters_are_read_from_what_was_drawn(tmp_path):
    marks = composed()
    frame = marks.frames[0]
    grid, texts = grid_texts(frame)
    (page,) = measure_plate(written(tmp_path / "p.pdf", marks)).pages
    left, bottom, right, top = frame.box_in
    for edge in (top + 0.2, bottom - 0.2):
        row = [m for m in page.grid_columns if abs(m.y_in - edge) < 0.05]
        assert tuple(m.label for m in row) == grid.column_labels
        drawn = [t.x_in for t in texts if t.y_in == edge]
        assert [m.x_in for m in row] == pytest.approx(drawn, abs=0.002)
    for edge in (left - 0.2, right + 0.2):
        column = [m for m in page.grid_rows if abs(m.x_in - edge) < 0.002]
        assert tuple(m.label for m in column) == grid.row_labels  # from the top down


def test_a_missing_letter_is_missing(tmp_path):
    marks = composed()
    kept = tuple(m for m in marks.marks if getattr(m, "text", "") != "C")
    (page,) = measure_plate(written(tmp_path / "p.pdf", replace(marks, marks=kept))).pages
    assert "C" not in {m.label for m in page.grid_columns}
    assert "D" in {m.label for m in page.grid_columns}


def test_numbers_of_a_bar_scale_are_no_grid(tmp_path):
    marks = composed()
    kept = tuple(m for m in marks.marks if not getattr(m, "text", "").isalpha())
    (page,) = measure_plate(written(tmp_path / "p.pdf", replace(marks, marks=kept))).pages
    assert page.grid_columns == page.grid_rows == ()


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_measured_as_shown(tmp_path, turn):
    upright = written(tmp_path / "p.pdf", composed())

    def rotate(pdf):
        pdf.pages[0].rotate(turn, relative=False)

    (page,) = measure_plate(changed(upright, tmp_path / "turned.pdf", rotate)).pages
    assert (page.width_in, page.height_in) == ((24, 36) if turn != 180 else (36, 24))
    assert page.sheet == "ARCH D"
    frame = max(page.frames, key=lambda f: f.name == "Map Layers")
    left, bottom, right, top = sheet_layout("ARCH D").frame
    shown = {
        90: (bottom, 36 - right, top, 36 - left),
        180: (36 - right, 24 - top, 36 - left, 24 - bottom),
        270: (24 - top, left, 24 - bottom, right),
    }
    assert frame.box_in == pytest.approx(shown[turn])
    assert frame.feet_per_inch == 50
    beside = page.grid_columns if turn == 180 else page.grid_rows
    assert {"A", "B"} <= {m.label for m in beside}


def test_a_cropped_page_and_a_user_unit(tmp_path):
    whole = written(tmp_path / "p.pdf", composed())

    def crop(pdf):
        pdf.pages[0].cropbox = [36, 72, 36 + 1800, 72 + 1440]
        pdf.pages[0].obj.UserUnit = 2

    (page,) = measure_plate(changed(whole, tmp_path / "cropped.pdf", crop)).pages
    assert (page.width_in, page.height_in) == (50, 40)
    assert page.sheet is None
    frame = max(page.frames, key=lambda f: f.name == "Map Layers")
    left, bottom, *_ = sheet_layout("ARCH D").frame
    assert frame.box_in[:2] == pytest.approx((2 * (left - 0.5), 2 * (bottom - 1)))
    assert frame.feet_per_inch == 25  # the same ground on twice the paper
    a_row = sorted({round(m.x_in, 1) for m in page.grid_rows})
    assert a_row[0] == pytest.approx(2 * (left - 0.2 - 0.5), abs=0.15)


def test_inset_is_measured_and_never_the_main_frame(tmp_path):
    marks = composed()
    inset = GroundFrame(
        "Quarter mile", (20, 4, 26, 10), (2_449_000, 318_000), 500, parse_crs("EPSG:6609")
    )
    both = replace(marks, frames=(marks.frames[0], inset))
    plate = measure_plate(written(tmp_path / "p.pdf", both))
    assert plate.trouble == ()
    found = {f.name: f.feet_per_inch for f in plate.pages[0].frames if f.how == "georeference"}
    assert found == {"Map Layers": 50, "Quarter mile": 500}
    assert [f.name for _, f in plate.main_frames] == ["Map Layers"]


def test_a_set_is_measured_page_by_page(tmp_path):
    first, second = composed(), replace(composed("ANSI B", 100), number="C-502")
    path = written(tmp_path / "set.pdf", first, second)
    assert [f.feet_per_inch for _, f in measure_plate(path).main_frames] == [50, 100]
    assert measure_control(path, second, page=2).feet_per_inch == pytest.approx(100)


@pytest.mark.parametrize(
    ("crs", "kind"),
    [("EPSG:6609", "US survey foot"), ("EPSG:2246", "ftUS"), ("ESRI:103415", "ESRI")],
)
def test_other_zones(tmp_path, crs, kind):
    origin = {"EPSG:6609": (2_450_000, 320_000)}.get(crs, (1_600_000, 300_000))
    frame = replace(frame_on("ANSI B", 40, crs=crs), origin_ft=origin)
    marks = replace(composed("ANSI B", 40), frames=(frame,))
    plate = measure_plate(written(tmp_path / "p.pdf", marks))
    ((_, measured),) = plate.main_frames
    assert measured.feet_per_inch == 40
    assert np.abs(np.array(measured.ground_ft) - frame.corners_ft).max() < 0.001


def test_web_mercator_is_measured_on_the_ground(tmp_path):
    frame = GroundFrame("Map Layers", (1, 1, 10, 7), (-9_812_000, 5_295_000), 50, parse_crs(3857))
    marks = replace(composed("ANSI A", 50), frames=(frame,), width_in=11, height_in=8.5)
    ((_, measured),) = measure_plate(written(tmp_path / "p.pdf", marks)).main_frames
    # 50 m of Mercator per inch at latitude 42.9 are 50 x cos(42.9 deg) m of ground
    assert measured.feet_per_inch == pytest.approx(
        50 * np.cos(np.deg2rad(42.9)) / 0.3048, rel=0.005
    )
    assert "Mercator" in measured.crs
    assert measured.ground_ft is None


def test_control_finds_a_shrunk_map(tmp_path):
    marks = composed()
    shrunk = tuple(
        replace(m, paths=tuple(p * 0.999 for p in m.paths))
        if isinstance(m, Lines) and m.layer == "Control"
        else m
        for m in marks.marks
    )
    path = written(tmp_path / "p.pdf", replace(marks, marks=shrunk))
    control = measure_control(path, marks)
    assert control.error_ppm == pytest.approx(1001, abs=1)
    assert control.feet_per_inch == pytest.approx(50 / 0.999)
    assert control.worst_offset_in > 0.02


def test_control_that_is_not_there(tmp_path):
    marks = composed()
    kept = tuple(m for m in marks.marks if m.layer != "Control")
    path = written(tmp_path / "p.pdf", replace(marks, marks=kept))
    with pytest.raises(PlateError, match="control cross at E 2,450"):
        measure_control(path, marks)
    with pytest.raises(PlateError, match="3 are needed"):
        measure_control(path, replace(marks, control_ft=()))


@pytest.mark.parametrize(
    ("factor", "unit", "feet_per_inch", "word"),
    [
        ("0.694444444444", "ft", 50, None),
        ("1.38875", " ", 99.99, "names no unit; feet are taken"),
        ("0.211666666667", "m", 50, None),  # 15.24 m per inch
        ("8.333333333333", "in", 50, None),
        ("0.694444444444", "furlong", None, "unknown unit of length"),
        ("0.01389", " ", None, "neither georeference nor calibration"),  # paper, not ground
    ],
)
def test_calibration_of_other_programs(tmp_path, factor, unit, feet_per_inch, word):
    path = bare_pdf(tmp_path / "p.pdf", [calibrated(factor, unit)])
    plate = measure_plate(path)
    found = [f.feet_per_inch for f in plate.pages[0].frames]
    assert found == ([pytest.approx(feet_per_inch, rel=1e-6)] if feet_per_inch else [])
    assert len(plate.trouble) == (word is not None)
    assert (word or "") in " ".join(plate.trouble)


def test_calibration_that_contradicts_the_georeference(tmp_path):
    honest = written(tmp_path / "p.pdf", composed())

    def spoil(pdf):
        pdf.pages[0].VP[0].Measure.X[0].C = pikepdf.Object.parse(b"1.388888889")

    plate = measure_plate(changed(honest, tmp_path / "q.pdf", spoil))
    assert plate.trouble == (
        'page 1: "Map Layers" is calibrated to 1 in = 100 ft, but its georeference says 50 ft',
    )


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda m: m.GPTS.extend([1, 2]), "pairs 4 places on the page with 5"),
        (lambda m: m.__setitem__("/GPTS", Array([43, -88] * 4)), "one line on the ground"),
        (
            lambda m: m.__setitem__("/GPTS", Array([43, -88, 44, -88, 43, -87, 44, -87])),
            "plane map",
        ),
        (lambda m: m.GCS.__delitem__("/EPSG"), None),
        (lambda m: m.GCS.__setitem__("/EPSG", 32054), "its code says NAD27"),
        (lambda m: m.GCS.__setitem__("/EPSG", 1), "its code 1 is unknown to PROJ"),
        (lambda m: m.GCS.__setitem__("/WKT", String("nonsense")), "cannot be read; its code"),
        (lambda m: m.__delitem__("/GCS"), "names no CRS that PROJ knows (nothing)"),
        (lambda m: m.__delitem__("/GPTS"), "cannot be measured"),
    ],
)
def test_georeference_with_a_fault_says_so(tmp_path, spoil, word):
    honest = written(tmp_path / "p.pdf", composed())
    target = changed(honest, tmp_path / "q.pdf", lambda pdf: spoil(pdf.pages[0].VP[1].Measure))
    plate = measure_plate(target)
    said = " ".join(plate.trouble)
    assert (word in said) if word else plate.trouble == ()
    if word is None:
        ((_, frame),) = plate.main_frames
        assert frame.feet_per_inch == 50
        assert "Wisconsin South" in frame.crs or "Wisconsin_South" in frame.crs


def test_files_that_are_no_plate(tmp_path):
    with pytest.raises(PlateError, match="cannot be read"):
        measure_plate(tmp_path / "missing.pdf")
    page = tmp_path / "page.pdf"
    page.write_bytes(b"<!doctype html><html>not found</html>")
    with pytest.raises(PlateError, match="is no PDF"):
        measure_plate(page)
    with pytest.raises(PlateError, match="cannot be read"):
        measure_plate(tmp_path)


def test_locked_and_broken_files_say_what_is_wrong(tmp_path):
    honest = written(tmp_path / "p.pdf", composed("ANSI A"))
    with pikepdf.open(honest) as pdf:
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(user="a", owner="b"))
    plate = measure_plate(tmp_path / "locked.pdf")
    assert plate.pages == ()
    assert "password" in plate.trouble[0]
    stump = tmp_path / "stump.pdf"
    stump.write_bytes(honest.read_bytes()[:900])
    plate = measure_plate(stump)
    assert plate.pages == ()
    assert "broken" in plate.trouble[0] or "no page" in " ".join(plate.trouble)


def test_an_encrypted_file_is_read_with_its_password_and_named_as_such(tmp_path):
    honest = written(tmp_path / "plate.pdf")
    for name, user in (("owner.pdf", ""), ("user.pdf", "key")):
        with pikepdf.open(honest) as pdf:
            pdf.save(tmp_path / name, encryption=pikepdf.Encryption(owner="lock", user=user))
    free = measure_plate(tmp_path / "owner.pdf")
    assert free.main_frames[0][1].feet_per_inch == 50
    assert "the file is encrypted" in free.trouble[0]
    assert "locked by a password" in measure_plate(tmp_path / "user.pdf").trouble[0]
    wrong = measure_plate(tmp_path / "user.pdf", password="no")
    assert "the one that was given does not open it" in wrong.trouble[0]
    opened = measure_plate(tmp_path / "user.pdf", password="key")
    assert opened.main_frames[0][1].feet_per_inch == 50
    assert opened.pages[0].grid_columns == measure_plate(honest).pages[0].grid_columns


def test_a_page_without_any_scale_says_so(tmp_path):
    plate = measure_plate(bare_pdf(tmp_path / "p.pdf", content=b"0 0 m 9 9 l S"))
    assert plate.main_frames == ()
    assert "neither georeference nor calibration" in plate.trouble[0]


@pytest.mark.real_data
def test_civil_3d_sheet(shared_data):
    folder = shared_data / "4-map-plates" / "greenville-wi-civil3d"
    plate = measure_plate(next(folder.glob("*.pdf")))
    (page,) = plate.pages
    assert (page.width_in, page.height_in, page.sheet) == (34, 22, "ANSI D")  # Rotate 270
    ((_, frame),) = plate.main_frames
    assert frame.feet_per_inch == pytest.approx(99.99, abs=0.01)
    assert frame.how == "calibration"
    assert any("names no unit; feet are taken: 1 in = 99.99" in t for t in plate.trouble)
    assert len(plate.layers) == 22
    assert "V-PROP-LINE" in page.drawn_layers
    assert page.grid_columns == page.grid_rows == ()  # a bar scale crosses its edge


@pytest.mark.real_data
def test_qgis_plate(shared_data):
    plate = measure_plate(shared_data / "4-map-plates/qgis-geopdf-om/M5_wadi_crossings.pdf")
    ((_, frame),) = plate.main_frames
    # 1:89,180 on the ground; UTM's grid is 370 ppm shorter there
    assert frame.feet_per_inch * 12 == pytest.approx(89_180, rel=0.0005)
    assert frame.epsg == 32640
    assert plate.producer.startswith("QGIS")


@pytest.mark.real_data
def test_every_plate_of_gdal_gets_a_verdict(shared_data):
    verdicts = {}
    for path in sorted((shared_data / "4-map-plates/gdal-geopdf").glob("*.pdf")):
        plate = measure_plate(path)
        assert plate.main_frames or plate.trouble, path.name
        verdicts[path.name] = plate
    assert "password" in verdicts["byte_enc.pdf"].trouble[0]
    assert "mended while reading" in " ".join(verdicts["missing_stream.pdf"].trouble)
    assert "well-known text cannot be read" in verdicts["invalid_srs.pdf"].trouble[0]
    older, newer = (
        verdicts[name].main_frames[0][1] for name in ("test_ogc_bp.pdf", "test_iso32000.pdf")
    )
    # the same degree square, told by a matrix and by corners
    assert older.feet_per_inch == newer.feet_per_inch
    assert older.epsg == newer.epsg == 4326
    assert len(verdicts["layer_with_same_name_on_different_pages.pdf"].pages) == 4
