"""Verbs on a submission: init, inventory, derive, fix."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sitemap.verbs.options import (
    CrsOption,
    EncodingOption,
    NoProgress,
    Now,
    OrdinanceNames,
    Progress,
    Quiet,
    Submission,
    Verbose,
    day_of,
    opened,
)


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

    site = opened(submission, crs, encoding, Progress(quiet or no_progress, verbose))
    text = propose_site_toml(site, relative_to=out.parent if out else None)
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise UsageError(f"{out} exists already and is not overwritten; give another name with -o")
    write_text_file(out, text)
    print(f"wrote {out}; read it, correct it, then run: sitemap check {out}")


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

    site = opened(submission, crs, encoding, Progress(quiet or no_progress, verbose))
    print(report.to_json(site) if as_json else report.to_text(site), end="")


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

    day = day_of(now)
    kinds = [kind.strip() for item in only or () for kind in item.split(",") if kind.strip()]
    progress = Progress(quiet or no_progress, verbose)
    site = opened(submission, crs, encoding, progress)
    pack = load_ordinance(ordinance, site)
    with progress.step("deriving"):
        derived = derive_layers(site, pack, only=kinds or None, interval_ft=interval)
    path = write_derived(derived, out, submission=submission, now=day)
    print(derived.text(day), end="")
    print(f"\nwrote {path}")


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
    day = day_of(now)
    progress = Progress(quiet or no_progress, verbose)
    site = opened(submission, crs, encoding, progress)
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
