"""Arguments in, exit code out. No geo library is imported before a verb needs it.

Results go to stdout, progress and errors to stderr. Exit codes: 0 complies, 1 findings at or
above --fail-on, 2 could not run or bad usage, 3 nothing failed but a person must confirm.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from sitemap.checked import CheckedSite
    from sitemap.finding import Severity
    from sitemap.plate.draw import DrawnPlate
    from sitemap.site import Site

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Check an erosion-control site map against its ordinance, and draw the map that passes.",
    epilog="SUBMISSION is a folder, .zip, .gpkg, .gdb, .shp, .geojson, .fgb or a site.toml.",
)

EXIT_COULD_NOT_RUN = 2

Submission = Annotated[
    Path, typer.Argument(help="Folder, .zip, .gpkg, .gdb, .shp, .geojson, .fgb or site.toml.")
]
OrdinanceNames = Annotated[
    list[str] | None,
    typer.Option(
        "--ordinance",
        help="Pack name or TOML file; repeat it for several laws. Default: site.toml's, "
        "else muskego.",
    ),
]
DecisionsFile = Annotated[
    Path | None,
    typer.Option("--decisions", metavar="FILE", help="A reviewer's decisions (JSON)."),
]
CrsOption = Annotated[
    str | None, typer.Option("--crs", help="CRS of the map, and of layers without one: EPSG:6609.")
]
EncodingOption = Annotated[
    str | None,
    typer.Option("--encoding", help="Text encoding of attribute tables; wins over .cpg."),
]
Now = Annotated[
    str | None, typer.Option("--now", help="Day of the run, YYYY-MM-DD, for repeatable output.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Timings on stderr.")]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="No progress, warnings only.")]


class Progress:
    """One line per step on stderr, with seconds under --verbose; silent under --quiet."""

    def __init__(self, quiet: bool, verbose: bool) -> None:
        self.quiet = quiet
        self.verbose = verbose and not quiet
        if not (quiet or verbose or sys.stderr.isatty()):
            self.quiet = True  # in a pipe or a log only errors are wanted

    @contextmanager
    def step(self, words: str) -> Iterator[None]:
        """Say what is being done; after it, how long it took."""
        if self.quiet:
            yield
            return
        start = time.perf_counter()
        print(f"{words} ...", file=sys.stderr, flush=True)
        yield
        if self.verbose:
            print(f"  {time.perf_counter() - start:.2f} s", file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line; every error becomes plain words and exit code 2."""
    from sitemap.errors import SitemapError

    try:
        app(standalone_mode=True, prog_name="sitemap")
    except SitemapError as error:
        print(f"sitemap: {error}", file=sys.stderr)
        sys.exit(EXIT_COULD_NOT_RUN)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_COULD_NOT_RUN)
    except Exception as error:  # a fault of the program: the trace goes to a file, not to a user
        print(_crash_words(error), file=sys.stderr)
        sys.exit(EXIT_COULD_NOT_RUN)


def _crash_words(error: Exception) -> str:
    """Keep the trace in a file of its own and say where it is."""
    handle, name = tempfile.mkstemp(prefix="sitemap-trace-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(traceback.format_exc())
    return (
        f"sitemap: stopped by a fault of the program itself ({type(error).__name__}: {error}). "
        f"Your files are untouched. The trace is in {name}; please send it with your report."
    )


def _day(text: str | None, option: str = "--now") -> dt.date:
    """A date of an option; today without it."""
    from sitemap import today
    from sitemap.errors import UsageError

    if text is None:
        return today()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} {text!r}: not a date; write it as 2026-11-30") from None


def _open(submission: Path, crs: str | None, encoding: str | None, progress: Progress) -> Site:
    from sitemap import open_site

    with progress.step(f"reading {submission}"):
        return open_site(submission, crs=crs, encoding=encoding)


@app.command(short_help="propose a commented site.toml")
def init(
    submission: Submission,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write; default: to stdout.")
    ] = None,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """Look at the files and propose a commented site.toml, each role with its reason.

    Example: sitemap init submittal/ -o submittal/site.toml
    """
    from sitemap.errors import UsageError
    from sitemap.intake.propose import propose_site_toml
    from sitemap.outputs import write_text_file

    site = _open(submission, crs, encoding, Progress(quiet or no_progress, verbose))
    text = propose_site_toml(site, relative_to=out.parent if out else None)
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise UsageError(f"{out} exists already and is not overwritten; give another name with -o")
    write_text_file(out, text)
    print(f"wrote {out}; read it, correct it, then run: sitemap check {out}")


@app.command(short_help="what was found in the files")
def inventory(
    submission: Submission,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """What was found: each dataset, its role and why, CRS, unit, encoding, counts, odd things.

    Example: sitemap inventory submittal.zip
    """
    from sitemap.report import inventory as report

    site = _open(submission, crs, encoding, Progress(quiet or no_progress, verbose))
    print(report.to_json(site) if as_json else report.to_text(site), end="")


@app.command(short_help="clause matrix, findings, verdict")
def check(
    submission: Annotated[
        Path | None,
        typer.Argument(
            help="Folder, .zip, .gpkg, .gdb, .shp, .geojson, .fgb or site.toml. "
            "With --verify it may be left out."
        ),
    ] = None,
    plate: Annotated[
        Path | None, typer.Option("--plate", help="The finished plate (PDF), measured and judged.")
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--form",
            "-f",
            help="text, json, jsonl, sarif, junit, github, geojson, html, xlsx or gpkg, "
            "with :FILE to write to a file (xlsx and gpkg need one); repeatable.",
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select", help="Judge only these rules: codes or prefixes, CON,SCL001; repeatable."
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore", help="Leave these rules out, visibly; the longer name of both wins."
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            help="error, warning or never: when to exit with 1. Default: site.toml's, else error.",
        ),
    ] = None,
    decisions: DecisionsFile = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            "--verify",
            metavar="REPORT.json",
            help="Run an earlier check again, by its JSON report or its manifest, and say what "
            "differs: exit 0 when nothing does, else 1.",
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
    """The verdict, the clause matrix (a) to (j), scale and contours, and the findings.

    --select, --ignore and --fail-on each take the place of the same key of site.toml [check],
    which is stronger than the pack. A run that leaves rules out cannot say "complies".

    Example: sitemap check submittal.zip --plate C-501.pdf -f text -f json:findings.json
    """
    from sitemap.errors import UsageError
    from sitemap.report import exit_code

    progress = Progress(quiet or no_progress, verbose)
    if verify is not None:
        given = (plate, form, select, ignore, fail_on, decisions, ordinance, crs, encoding, now)
        if any(given):
            raise UsageError("--verify takes every option from the report; give no others")
        raise typer.Exit(_verify(verify, submission, progress))
    if submission is None:
        raise UsageError("give a submission: a folder, .zip, .gpkg, .gdb, .shp or site.toml")
    if fail_on is not None:
        _threshold(fail_on)  # said before the files are read
    targets = _targets(form or ["text"])
    day = _day(now)
    site = _open(submission, crs, encoding, progress)
    asked = _Options(ordinance, plate, crs, encoding, select, ignore, decisions)
    checked = _check(site, asked, day, progress)
    threshold = _threshold(fail_on or site.project.check.fail_on or "error")
    inputs = [submission, *(file for file in (plate, decisions) if file is not None)]
    _report(checked, targets, inputs, threshold)
    raise typer.Exit(exit_code(checked, threshold))


def _threshold(fail_on: str) -> Severity | None:
    from sitemap.errors import UsageError
    from sitemap.finding import Severity

    if fail_on == "never":
        return None
    if fail_on not in ("error", "warning"):
        raise UsageError(f"--fail-on {fail_on!r}: accepted are error, warning, never")
    return Severity.parse(fail_on)


def _targets(
    forms: list[str], accepted: Collection[str] | None = None
) -> list[tuple[str, Path | None]]:
    """Each FORM[:FILE] as (form, file or None for stdout); at most one may go to stdout."""
    from sitemap.errors import UsageError
    from sitemap.report import FORMS, form_of, needs_a_file

    found: list[tuple[str, Path | None]] = []
    for item in forms:
        name, colon, file = item.partition(":")
        known = accepted or FORMS
        if name not in known or (colon and not file):
            raise UsageError(
                f"-f {item!r}: accepted are {', '.join(known)}, each with :FILE to write to a file"
            )
        if form_of(name).binary and not file:
            raise UsageError(f"-f {item!r}: {needs_a_file(name)}")
        found.append((name, Path(file) if file else None))
    files = [file.resolve() for _, file in found if file]
    if len(files) > len(set(files)):
        raise UsageError("two forms go to the same file; give each its own")
    if sum(file is None for _, file in found) > 1:
        raise UsageError("only one form can go to stdout; give the others a file: -f json:out.json")
    return found


class _Options(NamedTuple):
    """What a check was asked for."""

    ordinance: list[str] | None = None
    plate: Path | None = None
    crs: str | None = None
    encoding: str | None = None
    select: list[str] | None = None
    ignore: list[str] | None = None
    decisions: Path | None = None


def _check(site: Site, asked: _Options, day: dt.date, progress: Progress) -> CheckedSite:
    from sitemap import check_site

    with progress.step("checking"):
        checked = check_site(
            site,
            asked.ordinance,
            plate=asked.plate,
            now=day,
            select=asked.select,
            ignore=asked.ignore,
            decisions=asked.decisions,
        )
    _keep_traces(checked)
    return replace(checked, asked=replace(checked.asked, crs=asked.crs, encoding=asked.encoding))


def _verify(report: Path, submission: Path | None, progress: Progress) -> int:
    """Run a check again as its manifest says; print what differs; 0 or 1."""
    from sitemap.checked import plural
    from sitemap.manifest import manifest_of
    from sitemap.review.verify import difference_words, read_manifest

    before = read_manifest(report)
    config = before.config
    at = before.found(submission)
    site = _open(at, config.crs, config.encoding, progress)
    asked = _Options(
        config.ordinance or None,
        before.beside(config.plate),
        config.crs,
        config.encoding,
        config.select,
        config.ignore,
        before.beside(config.decisions),
    )
    checked = _check(site, asked, config.now, progress)
    differences = difference_words(before, manifest_of(checked))
    for words in differences:
        print(words)
    again = f"{report}: run again on {at}"
    count = plural(len(differences), "difference")
    print(f"{again}: {count if differences else 'the same'}")
    return 1 if differences else 0


def _keep_traces(checked: CheckedSite) -> None:
    """Rules that failed to run: their traces go to one file, never into the report."""
    traces = [f"{o.rule} {o.rule_name}\n{o.trace}" for o in checked.outcomes if o.trace]
    if not traces:
        return
    handle, name = tempfile.mkstemp(prefix="sitemap-rules-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n\n".join(traces))
    print(f"sitemap: {len(traces)} rules failed to run; traces in {name}", file=sys.stderr)


def _report(
    checked: CheckedSite,
    targets: list[tuple[str, Path | None]],
    inputs: list[Path],
    fail_on: Severity | None,
) -> None:
    from sitemap.outputs import refuse_inputs
    from sitemap.report import show, write

    for name, file in targets:
        if file is None:
            show(checked, name, fail_on)
        else:
            refuse_inputs(file, [*inputs, *checked.site.input_files])
            write(checked, name, file, fail_on)


@app.command(short_help="a repaired copy, never the original")
def fix(
    submission: Submission,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Folder for the copy: new, or empty."),
    ] = None,
    unsafe: Annotated[
        bool,
        typer.Option(
            "--unsafe",
            help="Also rebuild invalid outlines, clip slivers, snap outfalls to streams.",
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what would change, per feature; write nothing.")
    ] = False,
    ordinance: OrdinanceNames = None,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    now: Now = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """Write a repaired copy, the list of what changed, and proposals beside it; then check it.

    Safe repairs keep shape and meaning. Unsafe ones are refused where disturbed, wetland or
    boundary acres would change. Exit code 1 when the repair led to a new finding.

    Example: sitemap fix submittal.zip -o repaired/ --unsafe
    """
    from sitemap import load_ordinances
    from sitemap.errors import UsageError
    from sitemap.repair.account import to_text

    if out is None and not diff:
        raise UsageError("give the folder for the repaired copy with -o, or --diff to look first")
    day = _day(now)
    progress = Progress(quiet or no_progress, verbose)
    site = _open(submission, crs, encoding, progress)
    packs = load_ordinances(ordinance, site)
    from sitemap.fix import fix_site, preview_fix

    if diff or out is None:
        print(to_text(preview_fix(site, packs, unsafe=unsafe, now=day)), end="")
        return
    with progress.step(f"repairing into {out}"):
        account = fix_site(site, packs, out, submission=submission, unsafe=unsafe, now=day)
    print(to_text(account), end="")
    print(f"\nwrote {out}; check it with: sitemap check {out / 'site.toml'}")
    raise typer.Exit(0 if account.is_clean else 1)


@app.command(short_help="contours, slopes, drainage and grid from the elevation")
def derive(
    submission: Submission,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Folder to write into.")
    ] = Path("derived"),
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", help="contours, slopes, drainage, discharges, grid; commas or repeated."
        ),
    ] = None,
    interval: Annotated[
        float | None,
        typer.Option("--interval", help="Feet between contours. Default: 1 or 2 by relief."),
    ] = None,
    ordinance: OrdinanceNames = None,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    now: Now = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """Make layers from the elevation and the design: derived.gpkg, a layer per role, and how.

    derived.txt says source, unit, operation, tolerance and voids. The layers are proposals: look
    at them before they go into a submission.

    Example: sitemap derive site.toml -o derived/ --only contours,slopes --interval 2
    """
    from sitemap import derive_layers, load_ordinance
    from sitemap.derived import write_derived

    day = _day(now)
    kinds = [kind.strip() for item in only or () for kind in item.split(",") if kind.strip()]
    progress = Progress(quiet or no_progress, verbose)
    site = _open(submission, crs, encoding, progress)
    pack = load_ordinance(ordinance, site)
    with progress.step("deriving"):
        derived = derive_layers(site, pack, only=kinds or None, interval_ft=interval)
    path = write_derived(derived, out, submission=submission, now=day)
    print(derived.text(day), end="")
    print(f"\nwrote {path}")


@app.command(short_help="draw the compliant PDF sheet, or set of sheets")
def plate(
    submission: Submission,
    out: Annotated[Path, typer.Option("--out", "-o", help="The PDF to write.")] = Path("plate.pdf"),
    sheet: Annotated[
        str | None, typer.Option("--sheet", help='Paper, as "ARCH D". Default: site.toml\'s.')
    ] = None,
    scale: Annotated[
        str | None, typer.Option("--scale", help="Feet per inch, or auto. Default: site.toml's.")
    ] = None,
    rotation: Annotated[
        str,
        typer.Option("--rotation", help="Where north lies: up, left, or auto for fewer sheets."),
    ] = "auto",
    profile: Annotated[
        str,
        typer.Option("--profile", help="smart, or flat: one layer, no links, nothing attached."),
    ] = "smart",
    png: Annotated[
        Path | None, typer.Option("--png", help="Folder for a PNG preview of each page.")
    ] = None,
    ordinance: OrdinanceNames = None,
    crs: CrsOption = None,
    encoding: EncodingOption = None,
    now: Now = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    no_progress: NoProgress = False,
) -> None:
    """Draw the site map as a compliant PDF, then measure the file to prove it.

    A site that no sheet holds at the scale is drawn on several, with match lines, an index and a
    sheet of notes. Their numbers are kept from run to run in a .sheets.json beside the PDF.

    Example: sitemap plate site.toml -o C-501.pdf --sheet "ARCH D" --scale auto --png preview/
    """
    from sitemap import draw_plate
    from sitemap.outputs import refuse_inputs

    wanted = _scale(scale)
    day = _day(now)
    progress = Progress(quiet or no_progress, verbose)
    site = _open(submission, crs, encoding, progress)
    refuse_inputs(out, [submission, *site.input_files])
    with progress.step(f"drawing {out}"):
        drawn = draw_plate(
            site,
            out,
            ordinance,
            sheet=sheet,
            scale=wanted,
            rotation=rotation,
            profile=profile,
            now=day,
        )
    print(_certificate(drawn))
    if png is not None:
        from sitemap.plate.preview import write_png

        png.mkdir(parents=True, exist_ok=True)
        for picture in write_png(out, png):
            print(f"preview: {picture}")


def _certificate(drawn: DrawnPlate) -> str:
    """What was measured on each finished sheet, and which labels found no place."""
    page = drawn.measured.pages[0]
    several = len(drawn.sheets) > 1
    count = f"{len(drawn.sheets)} sheets of " if several else ""
    lines = [f"{drawn.path}: {count}{drawn.sheet}, {page.width_in:g} x {page.height_in:g} in"]
    if drawn.rotation_deg:
        lines.append("north lies to the left")
    for sheet in drawn.sheets:
        where = f"{sheet.number} " if several else ""
        control = sheet.control
        if control is None:
            lines.append(f"{where}{sheet.title}: no map to scale")
            continue
        lines.append(
            f"{where}measured on {control.crosses} control crosses: "
            f"1 in = {control.feet_per_inch:.3f} ft, error {control.error_ppm:.1f} ppm"
        )
    lines += drawn.changes.words
    layers = {layer for page in drawn.measured.pages for layer in page.drawn_layers}
    lines.append(f"{len(layers)} layers, {len(drawn.unplaced)} labels or tables without a place")
    return "\n".join([*lines, *(f"  - {words}" for words in drawn.unplaced)])


def _scale(text: str | None) -> float | str | None:
    """--scale as feet per inch, "auto", or None to leave it to site.toml."""
    from sitemap.errors import UsageError

    if text is None or text == "auto":
        return text
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e6:
        raise UsageError(f"--scale {text!r}: give feet per inch, such as 50, or auto")
    return value


@app.command(short_help="what became of the findings, what changed")
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The submission before.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The submission now.")],
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--form", "-f", help="text, json or html, with :FILE to write to a file; repeatable."
        ),
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

    Example: sitemap compare first.zip second.zip -f text -f html:changes.html
    """
    from sitemap.outputs import refuse_inputs, write_text_file
    from sitemap.report.compared import COMPARED_FORMS, render_comparison
    from sitemap.review.compare import compare as compare_checks
    from sitemap.review.saved_check import load_check

    targets = _targets(form or ["text"], COMPARED_FORMS)
    day = _day(now)
    progress = Progress(quiet or no_progress, verbose)
    before = tuple(load_check(file) for file in earlier or ())
    checks = []
    for submission, decided in ((old, old_decisions), (new, decisions)):
        site = _open(submission, crs, encoding, progress)
        asked = _Options(ordinance, crs=crs, encoding=encoding, decisions=decided)
        checks.append(_check(site, asked, day, progress))
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
    raise typer.Exit(1 if comparison.is_worse else 0)


@app.command(short_help="the decision, with its reasons in writing")
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
    days = [None if text is None else _day(text, name) for name, text in texts.items()]
    asked = Dates(_day(now), *days)
    written = prepare(check_json, decision, asked, decisions, calendar, reviewer)
    inputs = [f for f in (check_json, decisions, calendar, template) if f is not None]
    for target in (out, ics):
        if target is not None:
            refuse_inputs(target, inputs)
    # made before anything is written, so that a clock without a due date leaves no half result
    event = to_ics(written.clock, written.letter.site) if ics is not None else ""
    save(written.letter, out, template)
    print(f"wrote {out}: {written.letter.decision}")
    if ics is not None:
        write_text_file(ics, event)
        print(f"wrote {ics}")
    for line in (*written.letter.clock, *written.letter.assumptions):
        print(line)


@app.command(short_help="scale, frames and grid of any plate")
def measure(
    plate_file: Annotated[Path, typer.Argument(metavar="PLATE", help="Any finished PDF plate.")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Page, frames, feet per inch, CRS, grid and layers of a finished plate, ours or not.

    Example: sitemap measure C-501.pdf
    """
    from sitemap import measure_plate
    from sitemap.report import measured as report

    measured = measure_plate(plate_file)
    print(report.to_json(measured) if as_json else report.to_text(measured), end="")


@app.command(short_help="print a rule, or list them")
def rule(code: Annotated[str | None, typer.Argument(help="Such as CON001.")] = None) -> None:
    """Print a rule's page, or list all rules.

    Example: sitemap rule CON001
    """
    from sitemap.report.reference import rule_page

    print(rule_page(code), end="")


@app.command(short_help="print a layer role, or list them")
def layer(role: Annotated[str | None, typer.Argument(help="Such as wetlands.")] = None) -> None:
    """Print a layer role's fields, names and symbol, or list all roles.

    Example: sitemap layer wetlands
    """
    from sitemap.report.reference import layer_page

    print(layer_page(role), end="")


@app.command(short_help="print a pack, or list them")
def ordinance(
    name: Annotated[str | None, typer.Argument(help="Pack name or TOML file.")] = None,
) -> None:
    """Print an ordinance pack clause by clause, or list the packs.

    Example: sitemap ordinance muskego
    """
    from sitemap.report.reference import ordinance_page

    print(ordinance_page(name), end="")


@app.command(short_help="versions, GDALs, grids, fonts")
def doctor() -> None:
    """Versions, the three GDALs, PROJ grids present and missing, fonts.

    Example: sitemap doctor
    """
    from sitemap.doctor import diagnose

    rows: list[tuple[str, str, bool]] = diagnose()
    width = max(len(name) for name, _, _ in rows)
    for name, found, fine in rows:
        print(f"{'  ' if fine else '! '}{name:<{width}}  {found}")
    missing = sum(not fine for _, _, fine in rows)
    print(f"\n{missing} lines marked ! need a look" if missing else "\neverything is in place")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> Any:
    if version:
        from sitemap import __version__

        print(f"sitemap {__version__}")
        raise typer.Exit
    return context


if __name__ == "__main__":
    main()
