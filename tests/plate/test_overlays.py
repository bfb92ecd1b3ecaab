"""The two layers that are off at first: letters of the items, and the findings of a check."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
import shapely

from sitemap.check import check_site
from sitemap.errors import UsageError
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.compose import compose_map
from sitemap.plate.draw import draw_plates
from sitemap.plate.marks import Lines, SheetMarks, Text
from sitemap.plate.overlays import FINDINGS, REQUIREMENTS
from sitemap.site import Site
from tests.clean_site import clean_site, set_geometry, without
from tests.plate.composed import compose_sheet

NOW = dt.date(2026, 5, 1)
MUSKEGO = load_ordinance("muskego")


def faulty_site() -> Site:
    """The disturbed area reaches 80 ft over the boundary."""
    site = clean_site()
    layer = site.role("disturbance")
    assert layer is not None
    assert site.boundary is not None
    east = site.boundary.bounds[2]
    south, north = site.boundary.bounds[1::2]
    middle = (south + north) / 2.0
    over = shapely.box(east - 100.0, middle, east + 80.0, middle + 60.0)
    shape = shapely.union(layer.usable.geometry.iloc[0], over)
    return set_geometry(site, "disturbance", 0, shape)


def marked(site: Site, with_findings: bool) -> SheetMarks:
    checked = check_site(site, (MUSKEGO,), now=NOW) if with_findings else None
    return compose_sheet(site, sheet="ARCH D", now=NOW, checked=checked)


def words_on(sheet: SheetMarks, layer: str) -> list[str]:
    return [m.text for m in sheet.marks if isinstance(m, Text) and m.layer == layer]


def test_every_item_that_is_on_the_map_has_its_letter_there() -> None:
    site = clean_site()
    said = "".join(words_on(marked(site, False), REQUIREMENTS))
    assert {letter for letter in "abcdefghij" if f"({letter})" in said} == set("abcdefghij")
    # without infiltration areas nothing on the map is marked (i)
    said = "".join(words_on(marked(without(site, "infiltration"), False), REQUIREMENTS))
    assert "(i)" not in said
    assert "(h)" in said


def test_tags_stand_clear_of_each_other_and_of_all_lettering() -> None:
    site = clean_site()
    sheet = marked(site, False)
    drawing = compose_map(site, MUSKEGO, sheet_layout("ARCH D"), "auto").drawing
    rings = [m for m in sheet.marks if isinstance(m, Lines) and m.layer == REQUIREMENTS]
    tags = [shapely.Polygon(path) for m in rings for path in m.paths if len(path) == 5]
    assert len(tags) == len(words_on(sheet, REQUIREMENTS)) > 10
    others = shapely.STRtree([box.polygon for box in drawing.boxes])
    assert len(others.query(tags, predicate="intersects")[0]) == 0
    pairs = shapely.STRtree(tags).query(tags, predicate="intersects")
    assert (pairs[0] == pairs[1]).all()
    assert shapely.box(*drawing.frame.box_in).contains(shapely.union_all(tags))


def test_findings_have_their_number_and_outline() -> None:
    site = faulty_site()
    checked = check_site(site, (MUSKEGO,), now=NOW)
    sheet = marked(site, True)
    placed = [str(n) for n, f in enumerate(checked.findings, start=1) if f.geometry is not None]
    assert placed
    assert words_on(sheet, FINDINGS) == placed
    number = next(n for n, f in enumerate(checked.findings) if f.rule == "DST001")
    fault = checked.findings[number].geometry
    assert fault is not None
    outline = shapely.transform(shapely.boundary(fault), sheet.frames[0].to_paper)
    drawn = shapely.multilinestrings(
        [shapely.linestrings(p) for m in sheet.marks if isinstance(m, Lines)
         and m.layer == FINDINGS and m.weight_pt == 1.6 and m.alpha < 1 for p in m.paths]
    )  # fmt: skip
    assert outline.within(drawn.buffer(0.005))


def test_without_a_check_there_is_no_layer_of_findings() -> None:
    assert FINDINGS not in marked(faulty_site(), False).layers


def test_a_flat_file_has_neither(tmp_path: Path) -> None:
    """It has no layers to be off, so what is off elsewhere would be printed on the plan."""
    site = faulty_site()
    checked = check_site(site, (MUSKEGO,), now=NOW)
    out = tmp_path / "p.pdf"
    with pytest.raises(UsageError, match="that profile has one layer"):
        draw_plates(site, MUSKEGO, out, scale="auto", now=NOW, checked=checked, profile="flat")
    assert not out.exists()
    draw_plates(site, MUSKEGO, out, scale="auto", now=NOW, profile="flat")
    document = pypdfium2.PdfDocument(out)
    try:
        page = document[0].get_textpage()
        said = page.get_text_range()
        page.close()
    finally:
        document.close()
    assert "Site boundary" in said  # the legend
    assert "(b) site boundary" not in said


@pytest.mark.parametrize("scale", ["auto", 20.0])
def test_both_layers_are_off_in_the_file_and_move_nothing(
    tmp_path: Path, scale: float | str
) -> None:
    site = faulty_site()
    checked = check_site(site, (MUSKEGO,), now=NOW)
    draw_plates(site, MUSKEGO, tmp_path / "p.pdf", scale=scale, now=NOW, checked=checked)
    with pikepdf.open(tmp_path / "p.pdf") as pdf:
        off = {str(group.Name) for group in pdf.Root.OCProperties.D.OFF}
    assert off == {REQUIREMENTS, FINDINGS}

    plain, full = marked(site, False), marked(site, True)
    kept = [m for m in full.marks if m.layer != FINDINGS]
    assert len(kept) == len(plain.marks)
    for one, other in zip(plain.marks, kept, strict=True):
        assert type(one) is type(other)
        if isinstance(one, Lines) and isinstance(other, Lines):
            assert all(np.array_equal(a, b) for a, b in zip(one.paths, other.paths, strict=True))
        elif isinstance(one, Text):
            assert one == other
