"""Makes templates/letter.docx, the letter that staff edit in Word: `python -m` this module.

Words between double braces are filled in by letter_docx.py; paragraphs with {%p ... %} repeat.
"""

from __future__ import annotations

from pathlib import Path

from docx import Document
from docx.document import Document as Docx
from docx.shared import Inches, Pt, RGBColor

from sitemap.review.repeatable_docx import save_repeatably

TEMPLATE = Path(__file__).parent / "templates" / "letter.docx"
INK = RGBColor(0x26, 0x32, 0x3A)
LISTS = (
    ("Remarks, which are no reasons", "remarks"),
    ("Findings that do not count, and who decided so", "decided"),
    ("Confirmed by a person", "confirmed"),
    ("Without an entry of a person", "unanswered"),
    ("Clock of the review", "clock"),
    ("Assumptions of the clock", "assumptions"),
    ("Evidence", "evidence"),
)
FACT = (
    ("Found", "found"),
    ("Measured", "measured"),
    ("Where", "where"),
    ("In the files", "source"),
    ("Cure", "cure"),
    ("Reviewer", "comment"),
    ("Reference", "reference"),
)


def make_template() -> Docx:
    """The template as a document, before it is saved."""
    page = Document()
    _styles(page)
    page.core_properties.title = "Decision on an erosion and sediment control plan"
    page.core_properties.author = "sitemap"
    page.add_paragraph("{{ office }}")
    page.add_paragraph("{{ date }}")
    page.add_heading("{{ site }}", level=1)
    page.add_paragraph("Submission: {{ submission }}")
    _loop(page, "laws", lambda: page.add_paragraph("{{ item }}", style="List Bullet"))
    page.add_paragraph().add_run("{{ decision }}").bold = True
    page.add_paragraph("{%p if reasons or conditions %}")
    page.add_heading("{{ heading }}", level=2)
    page.add_paragraph("{%p endif %}")
    _reasons(page)
    _loop(page, "conditions", lambda: page.add_paragraph("{{ item }}", style="List Bullet"))
    for heading, name in LISTS:
        page.add_paragraph(f"{{%p if {name} %}}")
        page.add_heading(heading, level=2)
        _loop(page, name, lambda: page.add_paragraph("{{ item }}", style="List Bullet"))
        page.add_paragraph("{%p endif %}")
    page.add_paragraph()
    page.add_paragraph("{{ signature }}")
    page.add_paragraph("{{ authority }}")
    return page


def _styles(page: Docx) -> None:
    section = page.sections[0]
    section.page_width, section.page_height = Inches(8.5), Inches(11)
    section.left_margin = section.right_margin = Inches(1)
    section.top_margin = section.bottom_margin = Inches(0.9)
    for name, size in (("Normal", 10.5), ("Heading 1", 16), ("Heading 2", 12.5), ("Heading 3", 11)):
        style = page.styles[name]
        style.font.name, style.font.size = "Calibri", Pt(size)
        if name != "Normal":
            style.font.color.rgb = INK
    page.styles["Normal"].paragraph_format.space_after = Pt(4)


def _loop(page: Docx, name: str, add: object) -> None:
    page.add_paragraph(f"{{%p for item in {name} %}}")
    assert callable(add)
    add()
    page.add_paragraph("{%p endfor %}")


def _reasons(page: Docx) -> None:
    page.add_paragraph("{%p for reason in reasons %}")
    page.add_heading("{{ reason.number }}. {{ reason.heading }}", level=3)
    page.add_paragraph("{%p for words in reason.clauses %}")
    page.add_paragraph("{{ words.citation }}: {{ words.text }}", style="Intense Quote")
    page.add_paragraph("{%p endfor %}")
    page.add_paragraph("{%p for fact in reason.facts %}")
    for label, name in FACT:
        page.add_paragraph(f"{{%p if fact.{name} %}}")
        line = page.add_paragraph()
        line.add_run(f"{label}: ").bold = True
        line.add_run(f"{{{{ fact.{name} }}}}")
        page.add_paragraph("{%p endif %}")
    page.add_paragraph("{%p if fact.map %}")
    page.add_paragraph("{{ fact.map }}")
    page.add_paragraph("{%p endif %}")
    page.add_paragraph("{%p endfor %}")
    page.add_paragraph("{%p endfor %}")


if __name__ == "__main__":
    save_repeatably(make_template(), TEMPLATE)
