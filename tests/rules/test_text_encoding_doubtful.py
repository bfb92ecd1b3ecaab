"""SUB008: text whose letters are a guess."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.rules.text_encoding_doubtful import text_encoding_doubtful as rule
from tests.clean_site import clean_site, faults_of, passes, run
from tests.intake.makers import dbf, frame, write

NO_CASE = {
    "at_the_limit": "the bytes fit the declaration or not",
    "just_over": "the bytes fit the declaration or not",
    "skipped": "it looks at every dataset with text",
}
TEXT = "Prairie du Chi\u00ean \u2013 bassin n\u00ba 2"  # two notes of portolan-cli issue 783


def boundary(
    folder: Path, text: bytes, cpg: str | None, language: int = 0, encoding: str | None = None
) -> list[Fault]:
    path = write(frame(), folder / "boundary.shp")
    path.with_suffix(".dbf").write_bytes(dbf([("NAME", 60)], [[text]], language))
    path.with_suffix(".cpg").unlink(missing_ok=True)
    if cpg is not None:
        path.with_suffix(".cpg").write_text(cpg)
    return faults_of(rule, open_site(folder, encoding=encoding))


def test_passes_the_clean_site() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize(("codec", "cpg"), [("utf-8", "UTF-8"), ("cp1252", "ANSI 1252")])
def test_passes_when_the_bytes_are_what_is_declared(codec: str, cpg: str, tmp_path: Path) -> None:
    assert boundary(tmp_path, TEXT.encode(codec), cpg) == []


def test_passes_utf8_without_a_declaration(tmp_path: Path) -> None:
    """Bytes of another encoding are UTF-8 by chance only in texts of a letter or two."""
    assert boundary(tmp_path, TEXT.encode("utf-8"), None) == []


def test_found_a_guess(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, TEXT.encode("cp1252"), None)
    assert fault.message.startswith(
        "boundary.shp: nothing says how the text is encoded; read as Windows-1252"
    )
    assert "Prairie du Chi\u00ean" in fault.message
    assert fault.severity is Severity.WARNING
    assert fault.role == "boundary"


def test_found_a_declaration_that_lies(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, TEXT.encode("utf-8"), "1252")
    assert "but the text is UTF-8" in fault.message


def test_found_a_declaration_that_names_nothing(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, TEXT.encode("utf-8"), "FOO-7")
    assert ".cpg says 'FOO-7', which is no known encoding" in fault.message


def test_passes_when_the_user_says_which(tmp_path: Path) -> None:
    assert boundary(tmp_path, TEXT.encode("cp1252"), None, encoding="Windows-1252") == []


def test_found_as_information_without_a_role(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "qqq.shp")
    path.with_suffix(".dbf").write_bytes(dbf([("NOTE", 60)], [[TEXT.encode("cp1252")]]))
    path.with_suffix(".cpg").unlink(missing_ok=True)
    (fault,) = faults_of(rule, open_site(tmp_path))
    assert fault.severity is Severity.INFO


def test_not_applicable_without_text() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
