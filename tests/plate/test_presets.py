"""What agencies take: presets, and what is said of a plate that cannot meet one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pikepdf
import pytest

import sitemap.plate.draw as draw_module
from sitemap.errors import ConfigurationError, PlateError, UsageError
from sitemap.ordinance import load_ordinance
from sitemap.plate.draw import DrawnPlate, draw_plates
from sitemap.plate.free_space import largest_free_square
from sitemap.plate.marks import Lines, SheetMarks, Text
from sitemap.plate.presets import (
    Preset,
    load_preset,
    preset_names,
    refuse_before,
    refuse_composed,
    unmet_wishes,
)
from tests.clean_site import clean_site
from tests.plate.composed import NOW, sheet


def preset(**keys: object) -> Preset:
    return Preset.model_validate({"name": "ours", "title": "Ours", **keys})


ARCH_E_ONLY = preset(min_page_in=(37.0, 25.0), max_page_in=(48.0, 36.0))


@pytest.fixture
def one_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw_module, "compose_single", lambda *_, **__: (sheet(),))


@pytest.fixture
def two_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    both = (sheet(), replace(sheet(), number="C-502"))
    monkeypatch.setattr(draw_module, "compose_single", lambda *_, **__: both)


def drawn(out: Path, profile: str) -> DrawnPlate:
    return draw_plates(
        clean_site(), load_ordinance("muskego"), out, sheet="ARCH D", profile=profile, now=NOW
    )


def own(folder: Path, text: str) -> str:
    path = folder / "ours.toml"
    path.write_text(f'title = "Ours"\n{text}\n', encoding="utf-8")
    return str(path)


# ------------------------------------------------------------------------------ reading


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_that_comes_along_can_be_read_and_met_by_a_plate(name: str) -> None:
    one = load_preset(name)
    assert one.name == name
    assert one.title
    assert one.source or name in ("smart", "flat")  # an agency's own words stand behind it
    refuse_before(one, Path("C-501.pdf"), "ARCH D")
    refuse_composed(one, [sheet()])


def test_the_general_ones_come_first_and_an_unknown_one_is_refused() -> None:
    assert preset_names()[:2] == ("smart", "flat")
    with pytest.raises(UsageError, match=r"did you mean culver-city-ca\?"):
        load_preset("culver-city")
    with pytest.raises(UsageError, match="accepted are smart, flat, clark-county-wa"):
        load_preset("../draw")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max_file_mb = 0", "max_file_mb"),
        ("max_fiel_mb = 4", "did you mean max_file_mb"),
        ('layers = "two"', "accepted: 'kept' or 'one'"),
        ('layers = "one"', "goes with links = false"),
        ('file_name = "{sheet}"', "file_name may hold {stem} and {number}"),
        ('pdf_version = "X"', "pdf_version"),
        ("links = ", "cannot be read as TOML"),
    ],
)
def test_a_preset_with_a_fault_names_the_key(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_preset(own(tmp_path, text))
    assert words in str(caught.value)
    assert "ours.toml" in str(caught.value)


# ---------------------------------------------------------- what cannot be met, in numbers


def test_paper_names_and_version_are_judged_before_anything_is_drawn(tmp_path: Path) -> None:
    for keys, out, words in (
        ({"max_page_in": (34.0, 22.0)}, "p.pdf", "ARCH D is too large: 36 x 24 in against 34 x 22"),
        ({"min_page_in": (42.0, 30.0)}, "p.pdf", "ARCH D is too small"),
        ({"name_signs": "A-Za-z0-9.-"}, "Plan (1)_é.pdf", "write to -o Plan-1-.pdf"),
        ({"pdf_version": "1.4"}, "p.pdf", "it takes PDF 1.4 at most"),
    ):
        with pytest.raises(PlateError) as caught:
            refuse_before(preset(**keys), Path(out), "ARCH D")
        assert words in str(caught.value)
        assert "the preset ours cannot be met" in str(caught.value)
    with pytest.raises(PlateError, match="another --sheet: ANSI E, ARCH E1, ARCH E"):
        refuse_before(ARCH_E_ONLY, Path("p.pdf"), "ARCH D")


def test_pages_and_layers_are_counted() -> None:
    one = sheet()
    count = len(one.layers)
    with pytest.raises(PlateError, match="2 sheets, and a file may have 1"):
        refuse_composed(preset(max_pages=1), [one, one])
    refuse_composed(preset(max_pages=1, files="each sheet"), [one, one])
    refuse_composed(preset(max_layers=count), [one, one])
    with pytest.raises(PlateError, match=f"has {count} layers, and {count - 1} are taken"):
        refuse_composed(preset(max_layers=count - 1), [one])
    refuse_composed(preset(max_layers=1, layers="one", links=False, attachments=False), [one])


@pytest.mark.usefixtures("one_sheet")
def test_a_file_that_is_too_large_is_not_delivered(tmp_path: Path) -> None:
    profile = own(tmp_path, "max_file_mb = 0.05")
    with pytest.raises(PlateError, match=r"the file has 0\.\d\d MB on 1 pages, and 0.05 MB"):
        drawn(tmp_path / "p.pdf", profile)
    assert [p.name for p in tmp_path.iterdir()] == ["ours.toml"]


# ---------------------------------------------------------------------------- delivering


@pytest.mark.usefixtures("two_sheets")
def test_a_file_for_each_sheet(tmp_path: Path) -> None:
    plate = drawn(tmp_path / "set.pdf", "clark-county-wa")
    assert [path.name for path in plate.files] == ["C-501.pdf", "C-502.pdf"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["C-501.pdf", "C-502.pdf"]
    assert [page.number for page in plate.measured.pages] == [1, 2]
    for path, number in zip(plate.files, ("C-501", "C-502"), strict=True):
        with pikepdf.open(path) as pdf:
            assert len(pdf.pages) == 1
            assert pdf.pages[0].label == number
            assert "/VP" in pdf.pages[0].obj  # the calibration is retained
            assert len(pdf.Root.OCProperties.OCGs) > 10  # and so are the layers
    assert all(one.control.error_ppm < 1.0 for one in plate.sheets if one.control)


@pytest.mark.usefixtures("two_sheets")
def test_two_sheets_never_get_one_name(tmp_path: Path) -> None:
    profile = own(tmp_path, 'files = "each sheet"\nfile_name = "{stem}"')
    with pytest.raises(PlateError, match="gives two sheets one name: set, set"):
        drawn(tmp_path / "set.pdf", profile)


@pytest.mark.usefixtures("one_sheet")
def test_one_layer_without_links_for_culver_city_and_its_stamp_is_looked_for(
    tmp_path: Path,
) -> None:
    plate = drawn(tmp_path / "p.pdf", "culver-city-ca")
    with pikepdf.open(plate.path) as pdf:
        assert "/OCProperties" not in pdf.Root
        assert len(pdf.open_outline().root) == 1
    asked = replace_stamp(load_preset("culver-city-ca"), 20.0)
    (words,) = unmet_wishes(asked, [sheet()])
    assert "asks for 20 x 20 in clear for its stamp; sheet C-501 has" in words


# ---------------------------------------------------------------------------- free paper


def replace_stamp(one: Preset, side_in: float) -> Preset:
    return one.model_copy(update={"stamp_in": (side_in, side_in)})


def bare(*marks: Lines | Text) -> SheetMarks:
    return replace(sheet(), frames=(), marks=marks, width_in=20.0, height_in=10.0)


def test_the_largest_clear_square() -> None:
    """A sheet of 20 x 10 in with half an inch lost at its edges."""
    side, _, _ = largest_free_square(bare())
    assert side == pytest.approx(9.0)
    cross = Lines("", (np.array([[8.0, 0.0], [8.0, 10.0]]), np.array([[0.0, 4.0], [20.0, 4.0]])), 1)
    side, _, y = largest_free_square(bare(cross))
    assert side == pytest.approx(9.5 - 4.1, abs=0.11)  # over the lying line
    assert y >= 4.0
    word = Text("", 10.0, 5.0, "Stamp", 0.5, ha="center")
    assert largest_free_square(bare(word))[0] < 9.0


def test_a_stamp_that_has_room_is_not_spoken_of() -> None:
    assert unmet_wishes(preset(stamp_in=(6.0, 6.0)), [bare()]) == ()
    assert unmet_wishes(preset(), [sheet()]) == ()
