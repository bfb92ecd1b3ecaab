"""Templates of HTML pages: values escaped, unknown names refused, blocks without blank lines."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sitemap.report.words import plain


def page_templates(package: str, folder: str, *, in_one_line: bool = True) -> Environment:
    """The templates in a folder of a package.

    in_one_line makes every value on its way into the page plain, unless it is markup of our own.
    """
    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize if in_one_line else None,
    )


def _finalize(value: Any) -> Any:
    return value if isinstance(value, Markup | int | float) else plain(value)
