"""What the writer puts into a file, looked at with other programs than ours."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pikepdf
import pypdfium2
import pytest

from sitemap.crs import parse_crs
from sitemap.errors import PlateError
from sitemap.measures.sheets import PAPER_IN
from sitemap.plate import fonts
from sitemap.plate.marks import Areas, GroundFrame, Lines, SheetMarks, Text
from sitemap.plate.painting import start_in
from sitemap.plate.pdf import write_pdf
from sitemap.plate.preview import write_png
from tests.plate.one_sheet import DRAWN, MADE, box, composed, written


@pytest.fixture(scope="module")
def plate(tmp_path_factory):
    return written(tmp_path_factory.mktemp("plate") / "plate.pdf")


def plain(marks, width=4.0, height=3.0):
    """A sheet of marks only."""
    layers = tuple(dict.fromkeys(m.layer for m in marks if m.layer))
    return SheetMarks("1", "", width, height, (), layers, tuple(marks))


def pixels(path, per_inch=144):
    """The first page as rows of RGB, the lowest row first."""
    document = pypdfium2.PdfDocument(path)
    try:
        image = document[0].render(scale=per_inch / 72).to_pil().convert("RGB")
    finally:
        document.close()
    return np.asarray(image)[::-1]


def content(page):
    return (
        b"".join(stream.read_bytes() for stream in page.Contents)
        if isinstance(page.Contents, pikepdf.Array)
        else page.Contents.read_bytes()
    )


@pytest.mark.parametrize("sheet", PAPER_IN)
def test_the_page_is_the_sheet(tmp_path, sheet):
    path = written(tmp_path / "p.pdf", composed(sheet))
    with pikepdf.open(path) as pdf:
        box_pt = [float(v) for v in pdf.pages[0].mediabox]
        assert box_pt == [0, 0, *(72 * v for v in PAPER_IN[sheet])]
        assert "/UserUnit" not in pdf.pages[0].obj


def test_same_bytes_twice_in_any_process_and_place(plate, tmp_path):
    again = written(tmp_path / "again.pdf")
    assert again.read_bytes() == plate.read_bytes()
    script = (
        "import sys; from pathlib import Path; from tests.plate.one_sheet import written;"
        "written(Path(sys.argv[1]))"
    )
    elsewhere = tmp_path / "elsewhere.pdf"
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}
    environment.pop("SOURCE_DATE_EPOCH", None)
    subprocess.run([sys.executable, "-c", script, str(elsewhere)], check=True, env=environment)
    assert elsewhere.read_bytes() == plate.read_bytes()


def test_every_layer_with_marks_is_a_group_shared_by_the_pages(tmp_path):
    first = composed()
    second = replace(first, number="C-502", layers_off=("Grid",))
    path = written(tmp_path / "set.pdf", first, second)
    with pikepdf.open(path) as pdf:
        properties = pdf.Root.OCProperties
        assert [str(g.Name) for g in properties.OCGs] == list(DRAWN)  # none that is empty
        assert all(g.is_indirect for g in properties.OCGs)
        assert [str(g.Name) for g in properties.D.Order] == list(reversed(DRAWN))
        assert [str(g.Name) for g in properties.D.OFF] == ["Grid"]
        assert properties.D.BaseState == "/ON"
        for page in pdf.pages:
            named = {str(g.Name): g.objgen for g in page.Resources.Properties.values()}
            assert named == {str(g.Name): g.objgen for g in properties.OCGs}


def test_marks_of_content_are_balanced_and_text_comes_last(plate):
    with pikepdf.open(plate) as pdf:
        operators = [str(i.operator) for i in pikepdf.parse_content_stream(pdf.pages[0])]
    assert operators.count("BDC") == operators.count("EMC") >= len(DRAWN)
    assert operators.count("q") == operators.count("Q")
    depth = 0
    for operator in operators:
        depth += (operator == "BDC") - (operator == "EMC")
        assert depth in (0, 1)
    last_shape = max(i for i, o in enumerate(operators) if o in ("S", "f", "s"))
    assert last_shape < operators.index("BT")


def test_fonts_are_embedded_truetype(plate):
    with pikepdf.open(plate) as pdf:
        found = list(pdf.pages[0].Resources.Font.values())
        assert len(found) == 2  # regular and bold; italic is not used
        for font in found:
            inner = font.DescendantFonts[0]
            assert (str(font.Subtype), str(inner.Subtype)) == ("/Type0", "/CIDFontType2")
            assert "/FontFile2" in inner.FontDescriptor
            assert "LiberationSans" in str(font.BaseFont)
            assert "/ToUnicode" in font


def test_all_words_are_found_again(plate):
    document = pypdfium2.PdfDocument(plate)
    page = document[0].get_textpage()
    text = page.get_text_range()
    page.close()
    document.close()
    for words in ("SF-1 fill ½°", "1 in = 50 ft (half size: 1 in = 100 ft)", "C-501"):
        assert words in text


def test_how_it_opens_prints_and_is_named(plate):
    with pikepdf.open(plate) as pdf:
        assert pdf.pdf_version == "1.7"
        wishes = pdf.Root.ViewerPreferences
        assert (wishes.PrintScaling, wishes.PickTrayByPDFSize) == ("/None", True)
        assert wishes.DisplayDocTitle
        assert str(pdf.docinfo["/Title"]) == "Oak Hill"
        assert str(pdf.docinfo["/CreationDate"]) == "D:20260304050607+00'00'"
        with pdf.open_metadata() as xmp:
            assert xmp["dc:title"] == "Oak Hill"
            assert list(xmp["dc:creator"]) == ["A. Engineer"]
            assert xmp["xmp:CreateDate"] == "2026-03-04T05:06:07+00:00"
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["C-501 Erosion control plan"]
        assert pdf.pages[0].label == "C-501"
        assert pdf.check_pdf_syntax() == []


def test_odd_names_in_the_description(tmp_path):
    words = {"title": "Lots 1 & 2 <old>\nÉtienne\x07", "author": "", "subject": "§ 162-11B"}
    write_pdf([plain([])], tmp_path / "p.pdf", created=MADE, **words)
    with pikepdf.open(tmp_path / "p.pdf") as pdf:
        assert str(pdf.docinfo["/Title"]) == "Lots 1 & 2 <old> Étienne"
        with pdf.open_metadata() as xmp:
            assert xmp["dc:title"] == "Lots 1 & 2 <old> Étienne"


def test_holes_are_open_whichever_way_the_rings_run(tmp_path):
    outer, hole = box(0.5, 0.5, 2.5, 2.5), box(1, 1, 2, 2)
    for rings in (
        (outer, hole),
        (outer[::-1], hole),
        (outer, hole[::-1]),
        (outer[::-1], hole[::-1]),
    ):
        marks = [Areas("", (rings,), "#ff0000"), Areas("", ((box(3, 1, 3.5, 2),),), "#00ff00")]
        seen = pixels(written(tmp_path / "p.pdf", plain(marks)))
        assert tuple(seen[216, 108]) == (255, 0, 0)  # 0.75 in across, 1.5 up: in the ring
        assert tuple(seen[216, 216]) == (255, 255, 255)  # in the hole
        assert tuple(seen[216, 468]) == (0, 255, 0)


def test_transparent_area_darkens_once_where_its_parts_overlap(tmp_path):
    parts = ((box(0.5, 0.5, 2, 2),), (box(1, 1, 3, 2),))
    seen = pixels(written(tmp_path / "p.pdf", plain([Areas("", parts, "#000000", alpha=0.5)])))
    assert seen[108, 108, 0] == pytest.approx(128, abs=2)
    assert tuple(seen[216, 252]) == tuple(seen[108, 108])  # in both parts


def test_halo_is_white_around_the_letter_over_dark_ground(tmp_path):
    halo_pt = 6.0
    letter = Text("", 2, 1, "I", 1.0, bold=True, ink="#ff0000", halo_pt=halo_pt)
    ground = Areas("", ((box(0, 0, 4, 3),),), "#000000")
    seen = pixels(written(tmp_path / "p.pdf", plain([letter, ground])))  # text on top all the same
    outline = fonts.text_outline("I", bold=True)
    stem = outline.vertices[outline.codes != fonts.CLOSE, 0] * fonts.em_in(1.0, bold=True)
    left, row = 2 + stem.min(), round(1.5 * 144)

    def at(x_in):
        return tuple(int(v) for v in seen[row, round(x_in * 144)])

    assert at(2 + stem.mean()) == (255, 0, 0)
    assert at(left - halo_pt / 2 / 72) == (255, 255, 255)
    assert at(left - halo_pt * 1.5 / 72) == (0, 0, 0)


@pytest.mark.parametrize("ha", ["left", "center", "right"])
@pytest.mark.parametrize("rotation_deg", [0, 90])
def test_text_stands_where_its_anchor_says(tmp_path, ha, rotation_deg):
    text = Text("", 2, 1.5, "HAVfiTH", 0.2, ha=ha, va="center", rotation_deg=rotation_deg)
    seen = pixels(written(tmp_path / "p.pdf", plain([text])), per_inch=300)
    rows, columns = np.nonzero(seen[:, :, 0] < 128)
    along, across = (rows, columns) if rotation_deg else (columns, rows)
    low, high = along.min() / 300, (along.max() + 1) / 300
    width = fonts.text_width_in(text.text, 0.2)
    bearing = (168 / 2048) * fonts.em_in(0.2)  # of an H, left and right
    start = (1.5 if rotation_deg else 2) - {"left": 0, "center": width / 2, "right": width}[ha]
    assert low == pytest.approx(start + bearing, abs=0.006)
    assert high == pytest.approx(start + width - bearing, abs=0.006)
    middle = (across.min() + across.max() + 1) / 600
    # the f rises a little above the capitals
    assert middle == pytest.approx(2 if rotation_deg else 1.5, abs=0.012)


def test_start_of_a_text_is_exact_for_label_placers():
    text = Text("", 2, 1, "abc", 0.1, ha="right", va="top", rotation_deg=90)
    x, y = start_in(text)
    assert (x, y) == pytest.approx((2.1, 1 - fonts.text_width_in("abc", 0.1)))


@pytest.mark.parametrize(("count", "off_pt"), [(101, 0.00005), (20_001, 0.025)])
def test_lines_are_not_simplified_and_dashes_are_points(tmp_path, count, off_pt):
    """Marks of many vertices are rounded to 0.05 pt, which is 0.035 ft at 1 in = 50 ft."""
    zigzag = np.column_stack([np.linspace(1, 3, count), 1 + 1e-2 * (np.arange(count) % 2)])
    path = written(tmp_path / "p.pdf", plain([Lines("", (zigzag,), 0.5, dash_pt=(6, 3))]))
    with pikepdf.open(path) as pdf:
        instructions = list(pikepdf.parse_content_stream(pdf.pages[0]))
    scale = np.prod([float(i.operands[0]) for i in instructions if str(i.operator) == "cm"])
    corners = [i for i in instructions if str(i.operator) in ("m", "l")]
    assert len(corners) == count
    drawn = np.array([[float(v) for v in i.operands] for i in corners]) * scale
    assert np.abs(drawn - zigzag * 72).max() <= off_pt * (1 + 1e-6)
    dashes = [list(map(float, i.operands[0])) for i in instructions if str(i.operator) == "d"]
    assert [6.0 / scale, 3.0 / scale] in dashes


def test_a_pen_without_weight_draws_nothing(tmp_path):
    line = Lines("", (box(1, 1, 2, 2),), 0.0)
    assert pixels(written(tmp_path / "p.pdf", plain([line]))).min() == 255


def test_text_with_dollars_and_letters_no_font_has(tmp_path):
    odd = [
        Text("", 1, 1, "$5 and $6_x \\frac", 0.1),
        Text("", 1, 2, "漢", 0.1),
        Text("", 1, 2, " ", 1),
    ]
    path = written(tmp_path / "p.pdf", plain(odd))
    document = pypdfium2.PdfDocument(path)
    page = document[0].get_textpage()
    assert "$5 and $6_x \\frac" in page.get_text_range()
    page.close()
    document.close()


def test_the_layer_list_must_hold_every_mark(tmp_path):
    stray = replace(composed(), layers=("Contours",))
    with pytest.raises(PlateError, match="Control, Grid, Labels, Wetlands"):
        written(tmp_path / "p.pdf", stray)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_no_number_is_refused(tmp_path):
    broken = Lines("Streams", (np.array([[1, 1], [np.nan, 2.0]]),), 1.0)
    with pytest.raises(PlateError, match=r'"Streams".*not a number'):
        written(tmp_path / "p.pdf", plain([broken]))


def test_a_frame_beyond_its_crs_is_refused(tmp_path):
    nowhere = GroundFrame("Map Layers", (1, 1, 3, 2), (9e9, 9e9), 50, parse_crs("EPSG:26916"))
    with pytest.raises(PlateError, match="no longitude and latitude"):
        written(tmp_path / "p.pdf", replace(plain([]), frames=(nowhere,)))


def test_no_sheet_and_no_folder(tmp_path):
    with pytest.raises(PlateError, match="at least one sheet"):
        write_pdf([], tmp_path / "p.pdf", title="", author="", subject="", created=MADE)
    with pytest.raises(PlateError, match="cannot be written"):
        written(tmp_path / "missing" / "p.pdf")


@pytest.mark.parametrize("rotation_deg", [0.0, 23.5])
def test_gdal_reads_the_ground_and_the_layers(tmp_path, rotation_deg):
    gdalinfo = shutil.which("gdalinfo")
    if gdalinfo is None:
        pytest.skip("gdalinfo is not installed")
    sheet = composed(rotation_deg=rotation_deg)
    path = written(tmp_path / "p.pdf", sheet)
    command = [gdalinfo, "-json", "-mdd", "LAYERS", "--config", "GDAL_PDF_DPI", "72", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode or "geoTransform" not in run.stdout:
        pytest.skip("this gdalinfo has no PDF reader")
    told = json.loads(run.stdout)
    assert told["size"] == [2592, 1728]
    assert 'ID["EPSG",6609]]' in told["coordinateSystem"]["wkt"]
    x0, dx, rx, y0, ry, dy = told["geoTransform"]
    upper_left = sheet.frames[0].to_ground(np.array([[0.0, 24.0], [36.0, 24.0], [0.0, 0.0]]))
    by_gdal = [(x0, y0), (x0 + 2592 * dx, y0 + 2592 * ry), (x0 + 1728 * rx, y0 + 1728 * dy)]
    assert np.abs(np.array(by_gdal) - upper_left).max() < 0.001
    assert set(told["metadata"]["LAYERS"].values()) == {n.replace(" ", "_") for n in DRAWN}


def test_preview_has_a_picture_per_page_at_its_size(tmp_path):
    path = written(
        tmp_path / "set.pdf", composed("ANSI B"), replace(composed("ANSI A"), number="C-502")
    )
    pictures = write_png(path, tmp_path / "png", dpi=20)
    assert [p.name for p in pictures] == ["set-C-501.png", "set-C-502.png"]
    from PIL import Image

    with Image.open(pictures[0]) as image:
        assert image.size == (340, 220)
        assert image.info["dpi"] == pytest.approx((20, 20), abs=0.1)
    with pytest.raises(PlateError, match="cannot be drawn"):
        write_png(tmp_path / "none.pdf", tmp_path)
