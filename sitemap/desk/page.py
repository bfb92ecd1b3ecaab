"""The desk as one HTML file: styles, scripts of others, our own, and the content as JSON.

Nothing is fetched: a content security policy lets in these very texts by their hashes and no
connection at all. Users' words reach the page as JSON only and are set as text, never as markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Template
from markupsafe import Markup

from sitemap.checked import CheckedSite
from sitemap.desk.content import MOST_BYTES, desk_content
from sitemap.desk.vendored import vendored
from sitemap.errors import SitemapError
from sitemap.report.page_templates import page_templates
from sitemap.report.styles import LOOKS, WAIVED
from sitemap.report.words import plain

if TYPE_CHECKING:
    from sitemap.decisions import Decisions

# In this order; each fills its part of the one object `desk`.
SCRIPTS = (
    "content", "symbols", "extras", "map", "store", "layers", "panels", "findings", "crowd",
    "decide", "clauses", "redlines", "measure", "inspect", "search", "reference", "keys", "print",
    "start",
)  # fmt: skip
# What would end a script element, or a line of script, inside a string of JSON.
_SAFE = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def desk_page(
    checked: CheckedSite,
    decisions: Decisions | None = None,
) -> str:
    """The page of a check made without decisions; they are put upon it and can be changed there.

    SitemapError when there is nothing to draw, or too much to be sent by mail.
    """
    before, after = _frame(plain(checked.site.name))
    spent = len(f"{before}{after}".encode()) + 10_000
    content = desk_content(checked, decisions, spent_bytes=spent)
    page = f"{before}{safe_json(content)}{after}".encode("utf-8", "replace")
    if len(page) > MOST_BYTES:
        words = f"the desk is {len(page):,} bytes, more than the {MOST_BYTES:,} it may have"
        raise SitemapError(words)
    return page.decode("utf-8")


def _frame(title: str) -> tuple[str, str]:
    """The page before and after its content."""
    mark = "\N{OBJECT REPLACEMENT CHARACTER}content"
    style, script = _text("desk.css"), _own_script()
    scripts = [*(one.text for one in vendored()), script]
    page = _template().render(
        title=title.replace(mark, ""),
        style=Markup(style),
        scripts=[Markup(text) for text in scripts],
        policy=_policy(style, scripts),
        content=Markup(mark),
        looks=(*LOOKS.values(), WAIVED),
        vendored=vendored(),
    )
    before, _, after = page.rpartition(mark)
    return before, after


def safe_json(content: object) -> str:
    """JSON that may stand inside a script element."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.translate(_SAFE)


@cache
def _template() -> Template:
    environment = page_templates("sitemap.desk", "page", in_one_line=False)  # licences have lines
    return environment.get_template("desk.html")


@cache
def _text(name: str) -> str:
    return files("sitemap.desk").joinpath("page", name).read_text(encoding="utf-8")


@cache
def _own_script() -> str:
    """Our scripts one after the other, each under its name."""
    parts = (f"// {name}.js\n{_text(f'{name}.js')}" for name in SCRIPTS)
    return '"use strict";\nconst desk = {};\n' + "\n".join(parts)


def _policy(style: str, scripts: list[str]) -> str:
    """Only these texts, pictures that the page itself makes, and no connection to anywhere."""

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; style-src {digest(style)}; "
        f"script-src {' '.join(map(digest, scripts))}; img-src data: blob:; connect-src 'none'; "
        "base-uri 'none'; form-action 'none'"
    )
