"""The verb check: options in, reports and exit code out."""

from __future__ import annotations

import datetime as dt
import os
import sys
import tempfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

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
    Verbose,
    day_of,
    opened,
)

if TYPE_CHECKING:
    from sitemap.checked import CheckedSite
    from sitemap.finding import Severity
    from sitemap.site import Site


def check(
    submission: Annotated[
        Path | None,
        typer.Argument(
            help="Folder, .zip, .gpkg, .gdb, .shp, .shz, .geojson, .geojsonl, .fgb, .dxf, .kml, "
            ".kmz, LandXML .xml or site.toml. With --verify it may be left out."
        ),
    ] = None,
    plate: Annotated[
        Path | None,
        typer.Option("--plate", help="Finished plate (PDF, picture), measured and judged."),
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
    reference: ReferencePaths = None,
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
        given = (
            plate, form, select, ignore, fail_on, reference, decisions, ordinance, crs, encoding,
            now,
        )  # fmt: skip
        if any(given):
            raise UsageError("--verify takes every option from the report; give no others")
        raise typer.Exit(_verify(verify, submission, progress))
    if submission is None:
        raise UsageError("give a submission: a folder, .zip, .gpkg, .gdb, .shp or site.toml")
    if fail_on is not None:
        threshold_of(fail_on)  # said before the files are read
    targets = targets_of(form or ["text"])
    day = day_of(now)
    site = opened(submission, crs, encoding, progress, reference, ordinance)
    asked = Asked(ordinance, plate, crs, encoding, select, ignore, decisions)
    checked = run_check(site, asked, day, progress)
    threshold = threshold_of(fail_on or site.project.check.fail_on or "error")
    inputs = [submission, *(file for file in (plate, decisions) if file is not None)]
    _report(checked, targets, inputs, threshold)
    raise typer.Exit(exit_code(checked, threshold))


def threshold_of(fail_on: str) -> Severity | None:
    """The severity at which a run fails; None for "never". UsageError says what is accepted."""
    from sitemap.errors import UsageError
    from sitemap.finding import Severity

    if fail_on == "never":
        return None
    if fail_on not in ("error", "warning"):
        raise UsageError(f"--fail-on {fail_on!r}: accepted are error, warning, never")
    return Severity.parse(fail_on)


def targets_of(
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


class Asked(NamedTuple):
    """What a check was asked for."""

    ordinance: list[str] | None = None
    plate: Path | None = None
    crs: str | None = None
    encoding: str | None = None
    select: list[str] | None = None
    ignore: list[str] | None = None
    decisions: Path | None = None


def run_check(site: Site, asked: Asked, day: dt.date, progress: Progress) -> CheckedSite:
    """Check an opened site as the options ask; traces of rules that failed go to a file."""
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
    packs = config.ordinance or None
    site = opened(at, config.crs, config.encoding, progress, before.references_now, packs)
    asked = Asked(
        config.ordinance or None,
        before.beside(config.plate),
        config.crs,
        config.encoding,
        config.select,
        config.ignore,
        before.beside(config.decisions),
    )
    checked = run_check(site, asked, config.now, progress)
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
    from sitemap.checked import plural

    words = f"{plural(len(traces), 'rule')} failed to run; traces in {name}"
    print(f"sitemap: {words}", file=sys.stderr)


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
