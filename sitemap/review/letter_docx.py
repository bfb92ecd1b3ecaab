"""The letter as DOCX from a template that staff edit in Word (docxtpl); repeatable bytes."""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docx.shared import Inches
from docxtpl import DocxTemplate, InlineImage
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from sitemap.errors import UsageError
from sitemap.outputs import written_in_place
from sitemap.review.letter import Fact, Letter
from sitemap.review.letter_map import HEIGHT_IN, WIDTH_IN
from sitemap.review.letter_template import TEMPLATE
from sitemap.review.repeatable_docx import save_repeatably

BLANK = "_" * 30  # where nobody is named


def write_docx(letter: Letter, path: Path, template: Path | None = None) -> None:
    """Write the letter; UsageError for a template that is no Word file or asks for other words."""
    chosen = template or TEMPLATE
    try:
        page = DocxTemplate(str(chosen))
        page.init_docx()
    except Exception as error:  # python-docx raises whatever zip and XML raise
        raise UsageError(
            f"{chosen}: cannot be opened as a Word document ({error}); copy the template that "
            "comes with sitemap and edit that in Word"
        ) from None
    # staff's template cannot reach past the letter; a name that it misspells is told, not skipped
    environment = SandboxedEnvironment(autoescape=True, undefined=StrictUndefined)
    try:
        page.render(_context(letter, page), environment, autoescape=True)
    except TemplateError as error:
        raise UsageError(
            f"{chosen}: {error}; it may use {', '.join(sorted(asdict(letter)))}"
        ) from None
    except Exception as error:  # whatever the template's own expressions raise
        kind = type(error).__name__
        raise UsageError(
            f"{chosen}: what stands between its braces cannot be worked out ({kind}: {error}); "
            "use plain names, as the template that comes with sitemap does"
        ) from None
    moment = dt.datetime.combine(letter.date, dt.time())
    page.docx.core_properties.created = page.docx.core_properties.modified = moment
    page.docx.core_properties.title = f"{letter.site}: {letter.heading}"[:250]
    with written_in_place(path) as temporary:
        save_repeatably(page, temporary, moment)


def _context(letter: Letter, page: DocxTemplate) -> dict[str, Any]:
    return {
        **{name: getattr(letter, name) for name in letter.__dataclass_fields__},
        "date": letter.date.isoformat(),
        "signature": letter.signature or BLANK,
        "reasons": [
            {
                "number": reason.number,
                "heading": reason.heading,
                "clauses": reason.clauses,
                "facts": [_fact(fact, page) for fact in reason.facts],
            }
            for reason in letter.reasons
        ],
    }


def _fact(fact: Fact, page: DocxTemplate) -> dict[str, Any]:
    image = None
    if fact.map_png is not None:
        size = {"width": Inches(WIDTH_IN), "height": Inches(HEIGHT_IN)}
        image = InlineImage(page, io.BytesIO(fact.map_png), **size)
    words = {name: getattr(fact, name) for name in fact.__dataclass_fields__ if name != "map_png"}
    return {**words, "map": image}
