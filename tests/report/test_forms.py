"""Every form: what it is called, where it may go, and that it is the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sitemap.cli import app
from sitemap.errors import UsageError
from sitemap.report import FORMS, render, write
from tests.report import faulty

TEXT = [name for name, form in FORMS.items() if not form.binary]
BINARY = [name for name, form in FORMS.items() if form.binary]


def test_the_forms_of_the_issue_are_there() -> None:
    assert set(TEXT) == {"text", "json", "jsonl", "sarif", "junit", "github", "geojson", "html"}
    assert set(BINARY) == {"xlsx", "gpkg"}
    assert all(form.help and form.suffix.startswith(".") for form in FORMS.values())


def test_help_names_every_form() -> None:
    words = CliRunner().invoke(app, ["check", "--help"], terminal_width=200).output
    assert [name for name in FORMS if name not in words] == []


@pytest.mark.parametrize("form", BINARY)
def test_a_binary_form_alone_says_that_it_needs_a_file(form: str) -> None:
    with pytest.raises(UsageError, match=f"-f {form}:findings.{form}"):
        render(faulty.clean(), form)


def test_an_unknown_form_lists_those_there_are() -> None:
    with pytest.raises(UsageError, match="accepted: text, json"):
        render(faulty.clean(), "docx")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", [faulty.every_kind, faulty.clean, faulty.hostile])
def test_a_form_is_written_for_any_check_and_twice_the_same(
    form: str, make: object, tmp_path: Path
) -> None:
    assert callable(make)
    checked = make()
    files = [tmp_path / f"{n}{FORMS[form].suffix}" for n in (1, 2)]
    for file in files:
        write(checked, form, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size > 0 or form == "jsonl"  # no finding, no line
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f.name for f in files)


@pytest.mark.parametrize("form", TEXT)
def test_a_text_form_ends_with_a_newline_and_holds_no_control_characters(form: str) -> None:
    text = render(faulty.hostile(), form)
    assert text.endswith("\n")
    assert [c for c in text if ord(c) < 32 and c not in "\n\t"] == []
    text.encode("utf-8")


def test_several_forms_go_to_their_own_files_in_one_run(root: Path, tmp_path: Path) -> None:
    site = root / "sample_sites" / "kettle-ridge"
    forms = {name: tmp_path / f"out{FORMS[name].suffix}" for name in ("xlsx", "html", "gpkg")}
    given = [part for name, file in forms.items() for part in ("-f", f"{name}:{file}")]
    result = CliRunner().invoke(app, ["check", str(site), "--now", "2026-05-04", *given])
    assert result.exit_code in (0, 1, 3), result.output
    assert all(file.stat().st_size > 5000 for file in forms.values())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["-f", "xlsx"], "xlsx is not text and needs a file"),
        (["-f", "gpkg"], "gpkg is not text and needs a file"),
        (["-f", "json", "-f", "sarif"], "only one form can go to stdout"),
        (["-f", "json:a.txt", "-f", "html:./a.txt"], "two forms go to the same file"),
        (["-f", "docx:a.docx"], "accepted are text, json"),
        (["-f", "html:"], "accepted are"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(given: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["check", "no-such-folder", *given])
    assert isinstance(result.exception, UsageError)
    assert words in str(result.exception)
