"""One writer per form. render() makes the text of a form, show() prints it, exit_code() judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap.checked import CheckedSite
    from sitemap.finding import Severity

FORMS = ("text", "json")


def render(checked: CheckedSite, form: str) -> str:
    """The whole report of one form as text; ValueError lists the forms."""
    if form == "json":
        from sitemap.report.json import to_json

        return to_json(checked)
    if form == "text":
        from sitemap.report.text import to_text

        return to_text(checked)
    raise ValueError(f"unknown form {form!r}; accepted: {', '.join(FORMS)}")


def show(checked: CheckedSite, form: str) -> None:
    """Print a report to stdout; text takes the terminal's width and colours."""
    if form == "text":
        from sitemap.report.text import write_text

        write_text(checked)
    else:
        print(render(checked, form), end="")


def exit_code(checked: CheckedSite, fail_on: Severity | None) -> int:
    """0 complies, 1 findings at or above `fail_on`, 2 could not be judged, 3 a person confirms."""
    from sitemap.report.json import exit_code as code

    return code(checked, fail_on)
