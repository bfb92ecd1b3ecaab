"""One writer per form. FORMS lists them; render() makes a text form, write() writes any form to a
file, show() prints, exit_code() judges. A form's own libraries are imported when it is written.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap.errors import UsageError
from sitemap.finding import Severity
from sitemap.outputs import write_text_file, written_in_place

if TYPE_CHECKING:
    from sitemap.checked import CheckedSite


@dataclass(frozen=True)
class Form:
    """One form of the report.

    writer of a text form: (CheckedSite, Severity | None) -> str, the severity being the
    --fail-on of the run. writer of a binary form: (CheckedSite, Path) -> None; only to a file.
    """

    writer: Callable[..., Any]
    binary: bool
    suffix: str
    help: str


def _lazily(module: str, function: str, *, judges: bool = False) -> Callable[..., Any]:
    """The writer of a module of this package, imported at its first call.

    Only writers that judge by --fail-on are given it.
    """

    def writer(checked: CheckedSite, second: Any) -> Any:
        write = getattr(importlib.import_module(f"sitemap.report.{module}"), function)
        return write(checked, second) if judges else write(checked)

    return writer


def _file(module: str, function: str) -> Callable[..., Any]:
    return _lazily(module, function, judges=True)  # the second argument is the path


FORMS: dict[str, Form] = {
    "text": Form(_lazily("text", "to_text"), False, ".txt", "for a terminal or a log"),
    "json": Form(_lazily("json", "to_json"), False, ".json", "everything, by a published schema"),
    "jsonl": Form(_lazily("jsonl", "to_jsonl"), False, ".jsonl", "one finding a line"),
    "sarif": Form(
        _lazily("sarif", "to_sarif", judges=True), False, ".sarif", "SARIF 2.1.0 for code scanning"
    ),
    "junit": Form(
        _lazily("junit", "to_junit", judges=True), False, ".xml", "JUnit: one test case a rule"
    ),
    "github": Form(_lazily("github", "to_github"), False, ".txt", "GitHub annotations"),
    "geojson": Form(
        _lazily("geojson", "to_geojson"), False, ".geojson", "findings in degrees for a web map"
    ),
    "html": Form(_lazily("html", "to_html"), False, ".html", "one offline page with maps"),
    "xlsx": Form(_file("xlsx", "write_xlsx"), True, ".xlsx", "a workbook; needs a file"),
    "gpkg": Form(
        _file("gpkg", "write_gpkg"), True, ".gpkg", "styled layers for QGIS; needs a file"
    ),
}


def form_of(name: str) -> Form:
    """The form of this name; UsageError lists those there are."""
    try:
        return FORMS[name]
    except KeyError:
        raise UsageError(f"unknown form {name!r}; accepted: {', '.join(FORMS)}") from None


def needs_a_file(name: str) -> str:
    """What to say where a binary form was given no file."""
    return f"{name} is not text and needs a file: -f {name}:findings{form_of(name).suffix}"


def render(checked: CheckedSite, form: str, fail_on: Severity | None = Severity.ERROR) -> str:
    """The whole report of a text form; UsageError for an unknown form or one that needs a file.

    fail_on is the --fail-on of the run, for the forms that state an exit code or a failure.
    """
    writer = form_of(form)
    if writer.binary:
        raise UsageError(needs_a_file(form))
    text: str = writer.writer(checked, fail_on)
    # a file name with bytes that are no UTF-8 holds lone surrogates, which no file can take
    return text.encode("utf-8", "replace").decode("utf-8")


def write(
    checked: CheckedSite, form: str, path: Path, fail_on: Severity | None = Severity.ERROR
) -> None:
    """Write any form to a file: a temporary name first, then moved into place."""
    if not form_of(form).binary:
        write_text_file(path, render(checked, form, fail_on))
        return
    with written_in_place(path) as temporary:
        form_of(form).writer(checked, temporary)


def show(checked: CheckedSite, form: str, fail_on: Severity | None = Severity.ERROR) -> None:
    """Print a report to stdout; text takes the terminal's width and colours."""
    if form == "text":
        from sitemap.report.text import write_text

        write_text(checked)
    else:
        print(render(checked, form, fail_on), end="")


def exit_code(checked: CheckedSite, fail_on: Severity | None) -> int:
    """0 complies, 1 findings at or above `fail_on`, 2 could not be judged, 3 a person confirms."""
    from sitemap.checked import exit_code as code

    return code(checked, fail_on)
