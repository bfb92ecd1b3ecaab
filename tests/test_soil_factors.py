"""The factors file: what is read, and that a fault names file, row, what was found, what goes."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from sitemap.errors import ConfigurationError
from sitemap.intake.assemble import open_site
from sitemap.project import load_project
from sitemap.soil_factors import parse_soil_factors

HEAD = "factor,key,value,unit,source\n"
GOOD = HEAD + (
    "R,Somewhere,150,US,made up\n"
    "percent_R,07-01,49.7,pct,made up\n"
    "\n"
    "# a remark,,,,\n"
    "C,Bare ground,1.0,ratio,made up\n"
    "K,HmB2,0.32,us,made up\n"
    "practice,SB,80,pct,made up\n"
)


def test_every_row_keeps_its_unit_its_source_and_its_number() -> None:
    factors = parse_soil_factors(GOOD.encode(), "factors.csv")
    assert [(f.name, f.row) for f in factors.rows] == [
        ("R", 2), ("percent_R", 3), ("C", 6), ("K", 7), ("practice", 8),
    ]  # fmt: skip
    k = factors.find("K", "hmb2")
    assert k is not None
    assert (k.value, k.unit, k.source) == (0.32, "US", "made up")
    assert factors.find("C", "bare-ground") is factors.rows[2]
    assert factors.find("practice", "SB").share == 0.8  # type: ignore[union-attr]
    assert factors.find("K", "HmC") is None


def test_spreadsheets_may_begin_with_a_mark_and_end_lines_their_way() -> None:
    content = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert len(parse_soil_factors(content, "factors.csv").rows) == 5


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("P,,1,ratio,x", "row 2, factor: found 'P'; accepted: R, percent_R, C, K, practice"),
        ("R,,150,mm,x", "row 2, unit: found 'mm'; accepted: US or SI"),
        ("K,HmB2,many,US,x", "row 2, value: found 'many'; accepted: a number"),
        ("K,HmB2,-0.1,US,x", "accepted: a number from 0 to 1 US"),
        ("C,bare,1.2,ratio,x", "accepted: a number from 0 to 1 ratio"),
        ("C,bare,nan,ratio,x", "found 'nan'"),
        ("percent_R,15 May,20,pct,x", "accepted: a day such as 05-15"),
        ("C,,1,ratio,x", "row 2, key: found ''; accepted: a cover"),
        ("C,bare,1,ratio,", "row 2, source: found ''"),
        ("C,bare", "row 2, unit: found ''"),
        ("C,bare,1,ratio,x\nC,Bare,0.9,ratio,x", "row 3: C of 'Bare' stands already in row 2"),
        ("R,a,150,US,x\nR,b,160,US,x", "row 3: a second R"),
    ],
)
def test_a_fault_names_row_found_and_accepted(row: str, words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_soil_factors((HEAD + row + "\n").encode(), "factors.csv")
    assert words in str(caught.value)
    assert str(caught.value).startswith("factors.csv: ")


def test_a_file_without_the_columns_or_that_is_no_text_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="lacks the columns unit, source"):
        parse_soil_factors(b"factor,key,value\n", "factors.csv")
    with pytest.raises(ConfigurationError, match="lacks the columns"):
        parse_soil_factors(b"", "factors.csv")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        parse_soil_factors(b"factor,key\xe9", "factors.csv")


def written(folder: Path) -> Path:
    site = folder / "site.toml"
    site.write_text('[soil_loss]\nfactors = "data/factors.csv"\n', encoding="utf-8")
    return site


def test_site_toml_brings_its_factors(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "factors.csv").write_text(GOOD, encoding="utf-8")
    factors = load_project(written(tmp_path)).soil_factors
    assert factors is not None
    assert (factors.file, len(factors.rows)) == ("data/factors.csv", 5)


def test_a_factors_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"data/factors\.csv: cannot be read"):
        load_project(written(tmp_path))


def test_soil_factors_is_no_key_of_site_toml(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("soil_factors = 3\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="is no key"):
        load_project(path)


@pytest.mark.parametrize("inside", [True, False])
def test_factors_are_found_inside_an_archive(tmp_path: Path, inside: bool) -> None:
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr("sub/site.toml", '[soil_loss]\nfactors = "data/factors.csv"\n')
        if inside:
            archive.writestr("sub/data/factors.csv", GOOD)
        archive.writestr("sub/a.geojson", '{"type":"FeatureCollection","features":[]}')
    if not inside:
        with pytest.raises(ConfigurationError, match="not in the archive"):
            open_site(tmp_path / "s.zip")
        return
    factors = open_site(tmp_path / "s.zip").project.soil_factors
    assert factors is not None
    assert len(factors.rows) == 5


def test_the_factors_file_is_an_input_that_nothing_may_be_written_over(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "factors.csv").write_text(GOOD, encoding="utf-8")
    site = open_site(written(tmp_path))
    assert (tmp_path / "data" / "factors.csv").absolute() in site.input_files
