"""Arguments in, exit code out. No geo library is imported before a verb needs it.

Results go to stdout, progress and errors to stderr. Exit codes: 0 complies, 1 findings at or
above --fail-on, 2 could not run or bad usage, 3 nothing failed but a person must confirm.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from sitemap.verbs.answering import compare, letter, review
from sitemap.verbs.checking import check
from sitemap.verbs.drawing import measure, plate
from sitemap.verbs.printing import doctor, layer, ordinance, rule
from sitemap.verbs.submissions import derive, fix, init, inventory

EXIT_COULD_NOT_RUN = 2

# In the order in which a person meets them; each with the words of the list of commands.
VERBS = (
    (init, "propose a commented site.toml"),
    (inventory, "what was found in the files"),
    (check, "clause matrix, findings, verdict"),
    (fix, "a repaired copy, never the original"),
    (derive, "contours, slopes, drainage and grid from the elevation"),
    (plate, "draw the compliant PDF sheet, or set of sheets"),
    (review, "the reviewer's desk: one offline HTML map to decide on"),
    (compare, "what became of the findings, what changed"),
    (letter, "the decision, with its reasons in writing"),
    (measure, "scale, frames and grid of any plate"),
    (rule, "print a rule, or list them"),
    (layer, "print a layer role, or list them"),
    (ordinance, "print a pack, or list them"),
    (doctor, "versions, GDALs, grids, fonts"),
)


def _command_line(verbs: Iterable[tuple[Callable[..., None], str]]) -> typer.Typer:
    """The command line with these verbs."""
    line = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        help="Check an erosion-control site map against its ordinance, and draw the map that "
        "passes.",
        epilog="SUBMISSION is a folder, .zip, .gpkg, .gdb, .shp, .shz, .geojson, .geojsonl, .fgb, "
        ".dxf, .kml, .kmz, a LandXML (.xml) or a site.toml.",
    )
    line.callback(invoke_without_command=True)(_root)
    for verb, words in verbs:
        line.command(short_help=words)(verb)
    return line


def main() -> None:
    """Run the command line; every error becomes plain words and exit code 2."""
    from sitemap.errors import SitemapError

    # A run makes hundreds of thousands of objects that stay until its end, and few in circles:
    # looking for circles as often as Python does by itself takes a tenth of the time of a check.
    # One of a usual site leaves 2,000 objects in circles; half a million take some 40 MB.
    gc.set_threshold(500_000, 20, 100)
    try:
        _app_for(sys.argv[1:])(standalone_mode=True, prog_name="sitemap")
    except SitemapError as error:
        print(f"sitemap: {error}", file=sys.stderr)
        sys.exit(EXIT_COULD_NOT_RUN)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_COULD_NOT_RUN)
    except Exception as error:  # a fault of the program: the trace goes to a file, not to a user
        print(_crash_words(error), file=sys.stderr)
        sys.exit(EXIT_COULD_NOT_RUN)


def _app_for(arguments: list[str]) -> typer.Typer:
    """Only the verb that is called: to make the options of all takes as long as opening a file."""
    called = [(verb, words) for verb, words in VERBS if arguments[:1] == [verb.__name__]]
    return _command_line(called) if called else app


def _crash_words(error: Exception) -> str:
    """Keep the trace in a file of its own and say where it is."""
    handle, name = tempfile.mkstemp(prefix="sitemap-trace-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(traceback.format_exc())
    return (
        f"sitemap: stopped by a fault of the program itself ({type(error).__name__}: {error}). "
        f"Your files are untouched. The trace is in {name}; please send it with your report."
    )


def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> Any:
    if version:
        from sitemap import __version__

        print(f"sitemap {__version__}")
        raise typer.Exit
    return context


app = _command_line(VERBS)

if __name__ == "__main__":
    main()
