"""Text of tables: declared, judged by the bytes, overridden; doubts are said."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap.errors import UsageError
from sitemap.intake.assemble import open_site
from sitemap.intake.encoding import choose_encoding, codec_named
from tests.intake.makers import dbf, kinds

NAME = "Prairie du Chiên – bassin nº 2"


def table(folder: Path, content: bytes, cpg: bytes | None = None, language: int = 0) -> Path:
    path = folder / "bmp.dbf"
    path.write_bytes(dbf([("NAME", 40)], [[content]], language))
    if cpg is not None:
        (folder / "bmp.cpg").write_bytes(cpg)
    return path


def text_of(path: Path, encoding: str | None = None) -> tuple[str, set[str]]:
    (layer,) = open_site(path, encoding=encoding).datasets
    return layer.frame["NAME"].iloc[0], kinds(layer) & {"encoding_doubtful", "encoding_unknown"}


@pytest.mark.parametrize(
    ("codec", "cpg", "language"),
    [
        ("utf-8", b"UTF-8", 0),
        ("utf-8", b"65001\r\n", 0),
        ("cp1252", b"1252", 0),
        ("cp1252", b"ANSI 1252", 0),
        ("cp1252", b"88591", 0),  # what calls itself Latin-1 holds Windows' dashes
        ("cp1252", b"windows-1252", 0),
        ("cp1252", None, 0x03),
        ("utf-8", None, 0),  # nothing declared, but valid UTF-8 is hardly an accident
    ],
)
def test_the_right_name_without_doubt(
    tmp_path: Path, codec: str, cpg: bytes | None, language: int
) -> None:
    path = table(tmp_path, NAME.encode(codec), cpg, language)
    assert text_of(path) == (NAME, set())


def test_no_declaration_and_no_utf8_is_read_as_windows_and_doubted(tmp_path: Path) -> None:
    path = table(tmp_path, NAME.encode("cp1252"))
    assert text_of(path) == (NAME, {"encoding_doubtful"})


def test_a_cpg_that_lies_about_utf8(tmp_path: Path) -> None:
    path = table(tmp_path, NAME.encode("utf-8"), b"Windows-1252")
    assert text_of(path) == (NAME, {"encoding_doubtful"})


def test_a_cpg_that_says_utf8_for_latin(tmp_path: Path) -> None:
    path = table(tmp_path, NAME.encode("cp1252"), b"UTF-8")
    assert text_of(path) == (NAME, {"encoding_doubtful"})


def test_the_users_word_wins_over_everything(tmp_path: Path) -> None:
    path = table(tmp_path, "Hněvošický háj".encode("cp1250"), b"UTF-8", 0x03)
    assert text_of(path, "windows-1250") == ("Hněvošický háj", set())


def test_an_unknown_cpg_is_named(tmp_path: Path) -> None:
    path = table(tmp_path, b"plain", b"klingon")
    assert text_of(path) == ("plain", {"encoding_unknown"})


def test_chinese_without_declaration_names_the_likely_reading(tmp_path: Path) -> None:
    path = table(tmp_path, "黑龙江省".encode("gbk"))
    (layer,) = open_site(path).datasets
    doubt = next(o for o in layer.provenance.oddities if o.kind == "encoding_doubtful")
    assert "黑龙江省" in doubt.message
    assert text_of(path, "GBK")[0] == "黑龙江省"


def test_an_accent_between_latin_letters_is_no_ideograph() -> None:
    chosen = choose_encoding("Frédéric".encode("cp1252"), given=None, cpg=None, language=0)
    assert "Chinese" not in chosen.oddities[0].message


def test_a_character_cut_at_the_end_of_a_field_is_forgiven() -> None:
    cut = "münster platz".encode() + "ö".encode()[:1]
    assert choose_encoding(cut, given=None, cpg=None, language=0).name == "utf-8"
    alone = choose_encoding(b"abc\x8a", given=None, cpg="852", language=0)
    assert alone.name == "cp852"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("UTF8", "utf-8"),
        ("Big-5", "big5"),
        ("koi8r", "koi8-r"),
        ("ANSI 936", "gbk"),
        ("88592", "iso8859-2"),
        ("OEM 437", "cp437"),
        ("nonsense", None),
        ("", None),
    ],
)
def test_names_of_codecs(text: str, codec: str | None) -> None:
    assert codec_named(text) == codec


def test_an_option_that_is_no_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a text encoding"):
        open_site(table(tmp_path, b"x"), encoding="klingon")
