"""The forms of a comparison by name; each is imported when it is written."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap.errors import UsageError

if TYPE_CHECKING:
    from sitemap.comparison import Comparison

COMPARED_FORMS = ("text", "json", "html")
_BY_SUFFIX = {".txt": "text", ".json": "json", ".html": "html", ".htm": "html"}


def form_of_file(file: Path) -> str:
    """The form that a file's name asks for; UsageError lists the endings that name one."""
    form = _BY_SUFFIX.get(file.suffix.lower())
    if form is None:
        raise UsageError(
            f"-o {file}: the ending says the form, accepted are {', '.join(_BY_SUFFIX)}; "
            "or give -f FORM:FILE"
        )
    return form


def render_comparison(comparison: Comparison, form: str) -> str:
    """The whole comparison in a form; UsageError lists those there are."""
    if form not in COMPARED_FORMS:
        raise UsageError(f"unknown form {form!r}; accepted: {', '.join(COMPARED_FORMS)}")
    module = importlib.import_module(f"sitemap.report.compared_{form}")
    text: str = getattr(module, f"to_{form}")(comparison)
    # a file name with bytes that are no UTF-8 holds lone surrogates, which no file can take
    return text.encode("utf-8", "replace").decode("utf-8")
