"""Verbs of the reviewer: review, compare and letter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sitemap.verbs.checking import Asked, run_check, targets_of
from sitemap.verbs.options import (
    CrsOption,
    DecisionsFile,
    EncodingOption,
    NoProgress,
    Now,
    OrdinanceNames,
    Progress,
    Quiet,
    ReferencePaths,
    Submission,
    Verbose,
    day_of,
    opened,
)


def review(
    submission: Submission,
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write.")] = Path(
        "review.html"
    ),
    plate: Annotated[
        Path | None, typer.Option("--plate", help="The finished plate (PDF), measured and judged.")
    ] = None,
    reference: ReferencePaths = None,
    decisions: DecisionsFile = None,
    ordinance: OrdinanceNames = None,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    now: Now = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """Check a submission and write the reviewer's desk: one HTML file that works offline.

    A map with the plate's symbols, the findings beside it, a place for each decision; with
    --reference what is known of the land, to be swiped over, and the differences. What is decided
    is saved as the file that check and letter take with --decisions. Exit code 0 when the page is
    written, whatever the check found.

    Example: sitemap review submittal.zip --reference county/ --plate C-501.pdf -o review.html
    """
    from sitemap import decisions_of
    from sitemap.desk.page import desk_page
    from sitemap.outputs import refuse_inputs, write_text_file

    said = decisions_of(decisions)
    progress = Progress(quiet or no_progress, verbose)
    day = day_of(now)
    site = opened(submission, crs, encoding, progress, reference, ordinance)
    named = (submission, *(file for file in (plate, decisions) if file is not None))
    refuse_inputs(out, [*named, *site.input_files])
    asked = Asked(ordinance, plate, crs, encoding)
    checked = run_check(site, asked, day, progress)
    with progress.step(f"writing {out}"):
        write_text_file(out, desk_page(checked, said))
    print(f"wrote {out}: {checked.verdict_words}; open it in any browser")


def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The submission before.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The submission now.")],
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--form", "-f", help="text, json or html, with :FILE to write to a file; repeatable."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write: .txt, .json or .html says the form."),
    ] = None,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            "--earlier",
            metavar="CHECK.json",
            help="Report of a still older check: a fault of it that is back is told; repeatable.",
        ),
    ] = None,
    decisions: DecisionsFile = None,
    old_decisions: Annotated[
        Path | None,
        typer.Option(
            "--old-decisions", metavar="FILE", help="The decisions that held for the old one."
        ),
    ] = None,
    ordinance: OrdinanceNames = None,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    now: Now = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """Check two submissions; say which findings are new, cured, moved, and what else changed.

    Ids, order, CRS and file format may differ. --decisions holds for the new one. Exit code 1
    when a finding is new or came back.

    Example: sitemap compare first.zip second.zip -f text -o changes.html
    """
    from sitemap.outputs import refuse_inputs, write_text_file
    from sitemap.report.compared import COMPARED_FORMS, form_of_file, render_comparison
    from sitemap.review.compare import compare as compare_checks
    from sitemap.review.saved_check import load_check

    asked_for = [*(form or ()), *([f"{form_of_file(out)}:{out}"] if out is not None else [])]
    targets = targets_of(asked_for or ["text"], COMPARED_FORMS)
    day = day_of(now)
    progress = Progress(quiet or no_progress, verbose)
    before = tuple(load_check(file) for file in earlier or ())
    checks = []
    for submission, decided in ((old, old_decisions), (new, decisions)):
        site = opened(submission, crs, encoding, progress)
        asked = Asked(ordinance, crs=crs, encoding=encoding, decisions=decided)
        checks.append(run_check(site, asked, day, progress))
    with progress.step("comparing"):
        comparison = compare_checks(checks[0], checks[1], before)
    said = [file for file in (decisions, old_decisions) if file is not None]
    read = [old, new, *(earlier or ()), *said]
    inputs = [*read, *(path for checked in checks for path in checked.site.input_files)]
    for name, file in targets:
        if file is None:
            print(render_comparison(comparison, name), end="")
        else:
            refuse_inputs(file, inputs)
            write_text_file(file, render_comparison(comparison, name))
    if out is not None and not form:
        print(f"wrote {out}: {comparison.finding_words}")
    raise typer.Exit(1 if comparison.is_worse else 0)


def letter(
    check_json: Annotated[
        Path, typer.Argument(metavar="CHECK.json", help="The report: sitemap check -f json:FILE.")
    ],
    decision: Annotated[
        str, typer.Option("--decision", help="approve, conditions or disapprove: the reviewer's.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The letter to write: .docx, .pdf or .md.")
    ],
    decisions: DecisionsFile = None,
    reviewer: Annotated[str | None, typer.Option("--reviewer", help="Who signs.")] = None,
    received: Annotated[
        str | None, typer.Option("--received", help="Day on which the application came in.")
    ] = None,
    complete: Annotated[
        str | None,
        typer.Option("--complete", help="Day on which it was complete: starts the clock."),
    ] = None,
    information: Annotated[
        str | None, typer.Option("--information", help="Day of the additional information.")
    ] = None,
    calendar: Annotated[
        Path | None,
        typer.Option(
            "--calendar", help="TOML of periods and closed days. Default: that of the ordinance."
        ),
    ] = None,
    ics: Annotated[
        Path | None, typer.Option("--ics", help="Also write the due date as a calendar file.")
    ] = None,
    template: Annotated[
        Path | None, typer.Option("--template", help="A letter edited in Word (.docx).")
    ] = None,
    now: Now = None,
) -> None:
    """Write the decision on a plan from its check and the reviewer's decisions.

    Nothing is in it that neither a finding nor a person's entry supports. Approval with open
    errors is refused (exit 2).

    Example: sitemap letter findings.json --decision disapprove -o letter.docx --complete 2026-11-02
    """
    from sitemap.outputs import refuse_inputs, write_text_file
    from sitemap.review.clock import to_ics
    from sitemap.review.write_letter import Dates, prepare, save

    texts = {"--received": received, "--complete": complete, "--information": information}
    days = [None if text is None else day_of(text, name) for name, text in texts.items()]
    asked = Dates(day_of(now), *days)
    written = prepare(check_json, decision, asked, decisions, calendar, reviewer)
    inputs = [f for f in (check_json, decisions, calendar, template) if f is not None]
    for target in (out, ics):
        if target is not None:
            refuse_inputs(target, inputs)
    # made before anything is written, so that a clock without a due date leaves no half result
    event = to_ics(written.clock, written.letter.site) if ics is not None else ""
    notes = save(written.letter, out, template)
    print(f"wrote {out}: {written.letter.decision}")
    for words in notes:
        print(words)
    if ics is not None:
        write_text_file(ics, event)
        print(f"wrote {ics}")
    for line in (*written.letter.clock, *written.letter.assumptions):
        print(line)
