"""The letter: only what findings and persons support, in three forms that are read back."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest
from docx import Document
from typer.testing import CliRunner

from sitemap.checked import CheckedSite
from sitemap.cli import app
from sitemap.errors import ConfigurationError, SitemapError, UsageError
from sitemap.report.json import to_dict
from sitemap.review.letter import Letter
from sitemap.review.letter_markdown import to_markdown
from sitemap.review.letter_template import TEMPLATE, make_template
from sitemap.review.repeatable_docx import save_repeatably
from sitemap.review.saved_check import load_check
from sitemap.review.write_letter import Dates, prepare, save
from sitemap.rules.rule import Ask, Checked
from tests.report import faulty
from tests.tiny_site import NOW, X0, Y0, check, clause, fault, make_rule, pack, says

RUN = CliRunner()
WHO = {"reviewer": "R. Viewer", "date": "2026-05-04"}
LAW = pack(
    clause("d", "DST001", person="Look.", person_always=True),
    clause("j", "GRD001"),
    clause("a", "BND002"),
)


def judged(**more: Any) -> CheckedSite:
    from sitemap.finding import Severity

    warning = fault(message="It is thin.", severity=Severity.WARNING, distinct="w")
    return check(
        make_rule("DST001", says(fault(), warning), "d"),
        make_rule("GRD001", says(Checked("grid", 1), Ask("Is it right?")), "j"),
        make_rule("BND002", says(Checked("acres", 1)), "a"),
        law=LAW,
        **more,
    )


def saved(checked: CheckedSite, folder: Path, name: str = "check.json", **change: Any) -> Path:
    file = folder / name
    file.write_text(json.dumps({**to_dict(checked), **change}), encoding="utf-8")
    return file


def decisions(folder: Path, *entries: dict[str, Any], **more: Any) -> Path:
    file = folder / "decisions.json"
    rows = [{**WHO, **entry} for entry in entries]
    file.write_text(json.dumps({"schema": "1.0", "decisions": rows, **more}), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(judged(), tmp_path_factory.mktemp("letter"))


@pytest.fixture(scope="module")
def error_print(report: Path) -> str:
    (error,) = [f for f in load_check(report).findings if f.severity == "error"]
    return error.fingerprint


def composed(report: Path, answer: str, said: Path | None = None) -> Letter:
    return prepare(report, answer, Dates(NOW), said, None, "R. Viewer").letter


def text_of_docx(path: Path) -> str:
    return "\n".join(p.text for p in Document(str(path)).paragraphs)


def text_of_pdf(path: Path) -> str:
    page = pypdfium2.PdfDocument(path)
    try:
        return "\n".join(page[i].get_textpage().get_text_bounded() for i in range(len(page)))
    finally:
        page.close()


def test_disapproval_gives_clause_words_fact_place_map_and_cure(report: Path) -> None:
    letter = composed(report, "disapprove")
    (reason,) = letter.reasons
    assert [(w.citation, w.text) for w in reason.clauses] == [("§ 1(d)", "The words of d.")]
    (fact,) = reason.facts
    assert (fact.found, fact.cure) == ("It is too big.", "Make it smaller.")
    assert fact.measured == "0.23 acres; allowed: at most 0 acres"
    assert fact.where.startswith("cell ")
    assert fact.map_png is not None
    assert fact.map_png.startswith(b"\x89PNG")
    assert letter.remarks == ("It is thin. (§ 1(d); finding 2)",)
    assert [words.split(":")[0] for words in letter.unanswered] == ["§ 1(d)", "§ 1(j)"]


def test_approval_with_an_open_error_is_refused_with_the_reason(
    report: Path, error_print: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=rf"{error_print}\): It is too big"):
        composed(report, "approve")
    still_open = decisions(tmp_path, {"finding": error_print, "comment": "hm"})
    with pytest.raises(UsageError, match="does not follow"):
        composed(report, "approve", still_open)
    closed = {"finding": error_print, "status": "exception", "comment": "old pond"}
    letter = composed(report, "approve", decisions(tmp_path, closed))
    assert (letter.reasons, letter.conditions) == ((), ())
    assert (
        letter.decision == "The application and the erosion and sediment control plan are approved."
    )
    assert letter.decided == (
        "It is too big. (finding 1): exception, old pond (R. Viewer, 2026-05-04)",
    )


def test_a_clause_that_a_person_denies_is_a_reason_in_that_persons_words(
    report: Path, error_print: str, tmp_path: Path
) -> None:
    entries = (
        {"finding": error_print, "status": "resolved"},
        {"clause": "j", "verdict": "not fulfilled", "comment": "two cells are called B2"},
    )
    said = decisions(tmp_path, *entries)
    with pytest.raises(UsageError, match=r"clause j: not fulfilled, by R\. Viewer"):
        composed(report, "approve", said)
    (reason,) = composed(report, "disapprove", said).reasons
    assert reason.clauses[0].text == "The words of j."
    assert reason.facts[0].found == "two cells are called B2"
    assert reason.facts[0].comment == "decided by R. Viewer on 2026-05-04"
    assert reason.facts[0].map_png is None  # nothing was drawn to it


@pytest.mark.parametrize("form", ["Point", "LineString"])
def test_what_a_person_drew_to_a_denied_clause_is_shown(
    form: str, report: Path, error_print: str, tmp_path: Path
) -> None:
    place: Any = [X0 + 50, Y0 + 50]
    drawn = {"type": form, "coordinates": place if form == "Point" else [place, [X0 + 90, Y0]]}
    feature = {"type": "Feature", "geometry": drawn, "properties": {"text": "here"}}
    lines = {"type": "FeatureCollection", "features": [feature]}
    said = decisions(
        tmp_path,
        {"finding": error_print, "status": "resolved"},
        {"clause": "j", "verdict": "not fulfilled", "comment": "twice B2", "redlines": lines},
    )
    (reason,) = composed(report, "disapprove", said).reasons
    assert reason.facts[0].map_png is not None
    assert reason.facts[0].map_png.startswith(b"\x89PNG")


def test_an_answer_without_anything_to_state_is_refused(
    report: Path, error_print: str, tmp_path: Path
) -> None:
    said = decisions(tmp_path, {"finding": error_print, "status": "resolved"})
    with pytest.raises(UsageError, match="reasons in writing"):
        composed(report, "disapprove", said)
    with pytest.raises(UsageError, match="no condition"):
        composed(report, "conditions", said)
    own = decisions(tmp_path, conditions=[{"text": "Call first.", **WHO}])
    letter = composed(report, "conditions", own)
    assert letter.conditions == ("Call first. (R. Viewer, 2026-05-04)",)
    assert letter.heading == "Conditions"
    assert len(letter.reasons) == 1  # the open error, with its cure


def test_no_word_of_approval_but_by_decision(report: Path) -> None:
    for said in (to_markdown(composed(report, "disapprove")),):
        assert "approv" not in said.lower().replace("disapprov", "")
    assert "approv" not in "".join(p.text for p in make_template().paragraphs).lower()


def test_the_letter_in_word_pdf_and_markdown_says_the_same(report: Path, tmp_path: Path) -> None:
    letter = composed(report, "disapprove")
    for suffix in ("docx", "pdf", "md"):
        save(letter, tmp_path / f"letter.{suffix}")
    word, pdf = text_of_docx(tmp_path / "letter.docx"), text_of_pdf(tmp_path / "letter.pdf")
    for words in (
        "The words of d.",
        "It is too big.",
        "Make it smaller.",
        "R. Viewer",
        letter.site,
    ):
        assert words in word
        assert words in pdf
        assert words in (tmp_path / "letter.md").read_text("utf-8")
    assert "{" not in word
    assert len(docx.Document(str(tmp_path / "letter.docx")).inline_shapes) == 1


def test_the_same_letter_is_the_same_bytes(report: Path, tmp_path: Path) -> None:
    for suffix in ("docx", "pdf", "md"):
        pair = [tmp_path / f"{n}.{suffix}" for n in "ab"]
        for path in pair:
            save(composed(report, "disapprove"), path)
        assert pair[0].read_bytes() == pair[1].read_bytes(), suffix


def test_characters_that_the_fonts_of_the_pdf_lack_are_told(tmp_path: Path) -> None:
    letter = composed(saved(judged(), tmp_path), "disapprove")
    assert save(letter, tmp_path / "plain.pdf") == ()
    odd = replace(letter, site="Łąki Größe 溼地 地")
    (words,) = save(odd, tmp_path / "odd.pdf")
    assert "lack: 溼地;" in words  # each once; the letters of Polish and German are there
    for suffix in ("docx", "md"):  # the reader's own fonts show them
        assert save(odd, tmp_path / f"odd.{suffix}") == ()


def test_no_page_of_the_pdf_has_the_signature_alone(report: Path, tmp_path: Path) -> None:
    """Whatever the length of the letter, words of it stand on the page that is signed."""
    letter = composed(report, "disapprove")
    for lines in range(45):  # lets the signature fall on every place of a page
        longer = replace(letter, signature="R. Viewer", evidence=("Said here.",) * lines)
        save(longer, tmp_path / "letter.pdf")
        signed = list(pypdfium2.PdfDocument(tmp_path / "letter.pdf"))[-1]
        text = signed.get_textpage().get_text_bounded()
        assert "R. Viewer" in text
        if lines > 2:
            assert "Said here." in text, lines


def test_hostile_words_harm_no_form(tmp_path: Path) -> None:
    letter = composed(saved(faulty.hostile(), tmp_path), "disapprove")
    for suffix in ("docx", "pdf", "md"):
        save(letter, tmp_path / f"letter.{suffix}")
    word = text_of_docx(tmp_path / "letter.docx")
    assert "{{ 7 * 7 }}" in word
    assert "<script>alert(1)</script>" in word
    assert "<script>" not in (tmp_path / "letter.md").read_text("utf-8").replace("\\<", "")
    assert "49 is wrong" not in word


def test_staff_may_edit_the_template(report: Path, tmp_path: Path) -> None:
    own = make_template()
    own.add_paragraph("Questions: call {{ office or 'us' }}.")
    own.save(str(tmp_path / "own.docx"))
    letter = composed(report, "disapprove")
    save(letter, tmp_path / "letter.docx", tmp_path / "own.docx")
    assert "Questions: call us." in text_of_docx(tmp_path / "letter.docx")
    own.add_paragraph("{{ ofice }}")
    own.save(str(tmp_path / "own.docx"))
    with pytest.raises(UsageError, match="ofice"):
        save(letter, tmp_path / "letter.docx", tmp_path / "own.docx")
    with pytest.raises(UsageError, match="cannot be opened as a Word document"):
        save(letter, tmp_path / "letter.docx", report)
    with pytest.raises(UsageError, match=r"\.docx, \.pdf, \.md"):
        save(letter, tmp_path / "letter.odt")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("{{ 1 / 0 }}", "ZeroDivisionError"), ("{{ site() }}", "TypeError"),
        ("{% for x in range(10**9) %}{{ x }}{% endfor %}", "OverflowError"),
    ],
)  # fmt: skip
def test_a_template_that_cannot_be_worked_out_is_told_by_name(
    report: Path, tmp_path: Path, words: str, kind: str
) -> None:
    own = make_template()
    own.add_paragraph(words)
    own.save(str(tmp_path / "own.docx"))
    with pytest.raises(UsageError, match=rf"own\.docx: .*cannot be worked out \({kind}"):
        save(composed(report, "disapprove"), tmp_path / "letter.docx", tmp_path / "own.docx")
    assert not (tmp_path / "letter.docx").exists()


def test_the_shipped_template_is_what_the_script_makes(tmp_path: Path) -> None:
    save_repeatably(make_template(), tmp_path / "made.docx")
    with zipfile.ZipFile(TEMPLATE) as old, zipfile.ZipFile(tmp_path / "made.docx") as new:
        for name in ("word/document.xml", "word/styles.xml"):
            assert old.read(name) == new.read(name)


def test_reports_of_schema_1_1_serve_and_others_are_refused(report: Path, tmp_path: Path) -> None:
    content = json.loads(report.read_text("utf-8"))
    del content["decisions"], content["manifest"]
    old = tmp_path / "old.json"
    old.write_text(json.dumps({**content, "schema": "1.1"}), "utf-8")
    assert len(composed(old, "disapprove").reasons) == 1
    for text in ("", "[]", "{}", json.dumps({**content, "schema": "2.0"})):
        old.write_text(text, "utf-8")
        with pytest.raises(ConfigurationError, match=r"old\.json"):
            load_check(old)


def test_redlines_of_another_crs_are_refused(
    report: Path, error_print: str, tmp_path: Path
) -> None:
    here = {"type": "Point", "coordinates": [X0 + 200, Y0 + 200]}
    drawn = {"type": "Feature", "geometry": here, "properties": {"text": "$move$ this"}}
    lines = {"type": "FeatureCollection", "features": [drawn]}
    entry = {"finding": error_print, "comment": "see the drawing", "redlines": lines}
    with pytest.raises(UsageError, match="EPSG:32054"):
        composed(report, "disapprove", decisions(tmp_path, entry, crs="EPSG:32054"))
    plain = composed(report, "disapprove").reasons[0].facts[0]
    fact = composed(report, "disapprove", decisions(tmp_path, entry)).reasons[0].facts[0]
    assert fact.comment == "see the drawing (R. Viewer, 2026-05-04)"
    assert fact.map_png != plain.map_png  # the redline is on it


@pytest.fixture
def run() -> Callable[..., tuple[int, str]]:
    def call(*arguments: str | Path) -> tuple[int, str]:
        done = RUN.invoke(app, [str(a) for a in arguments])
        if isinstance(done.exception, SitemapError):
            return 2, f"{done.output}{done.exception}"
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.output

    return call


def test_the_verb_writes_letter_and_event_and_prints_the_clock(
    run: Callable[..., tuple[int, str]], report: Path, tmp_path: Path, root: Path
) -> None:
    calendar = root / "sitemap" / "review" / "calendars" / "muskego.toml"
    out, event = tmp_path / "letter.md", tmp_path / "due.ics"
    code, said = run(
        "letter", report, "--decision", "disapprove", "-o", out, "--complete", "2026-11-02",
        "--calendar", calendar, "--ics", event, "--now", "2026-11-30",
    )  # fmt: skip
    assert code == 0
    assert "Due 2027-01-12: 27 business days left on 2026-11-30." in said
    assert "BEGIN:VEVENT" in event.read_text("utf-8")
    assert "§ 162-10C(3)" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--decision", "maybe"], "accepted are approve, conditions, disapprove"),
        (["--decision", "approve"], "does not follow"),
        (["--decision", "disapprove", "--complete", "2026-11-02"], "no calendar"),
        (["--decision", "disapprove", "--ics", "due.ics"], "give --complete"),
        (["--decision", "disapprove", "--complete", "soon"], "--complete 'soon'"),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_writes_nothing(
    run: Callable[..., tuple[int, str]], report: Path, tmp_path: Path, more: list[str], words: str
) -> None:
    code, said = run("letter", report, "-o", tmp_path / "letter.md", *more)
    assert code == 2
    assert words in said
    assert list(tmp_path.iterdir()) == []
    assert run("letter", report, "--decision", "disapprove", "-o", report)[0] == 2
