"""What the verbs share: arguments and options, progress on stderr, opening a submission."""

from __future__ import annotations

import datetime as dt
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sitemap.site import Site

Submission = Annotated[
    Path,
    typer.Argument(
        help="Folder, .zip, .gpkg, .gdb, .shp, .shz, .geojson, .geojsonl, .fgb, .dxf, .kml, .kmz, "
        "LandXML .xml or site.toml."
    ),
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
ReferencePaths = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        metavar="DIR|FILE|DATABASE",
        help="What is known of the land: wetlands, flood zones, streams, waters, parcels ... as a "
        "folder, file or postgresql:// address; repeatable. Default: site.toml's [reference].",
    ),
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


def day_of(text: str | None, option: str = "--now") -> dt.date:
    """A date of an option; today without it."""
    from sitemap import today
    from sitemap.errors import UsageError

    if text is None:
        return today()
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{option} {text!r}: not a date; write it as 2026-11-30") from None


def opened(
    submission: Path,
    crs: str | None,
    encoding: str | None,
    progress: Progress,
    reference: list[str] | None = None,
    ordinance: list[str] | None = None,
) -> Site:
    """The submission, opened, with a line of progress; and what the references show around it."""
    from sitemap import open_site

    with progress.step(f"reading {submission}"):
        return open_site(
            submission, crs=crs, encoding=encoding, reference=reference or (), ordinance=ordinance
        )
