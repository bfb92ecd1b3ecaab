"""Verbs on plates: plate and measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from sitemap.plate.draw import DrawnPlate


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
        str | None,
        typer.Option(
            "--rotation",
            help="North: up, left, degrees to the left of up; longest side along the sheet; or "
            "auto for fewest sheets. Default: site.toml's.",
        ),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            help="What the agency takes: smart, flat (one layer, no links), clark-county-wa, "
            "culver-city-ca, eplansoft, memphis-tn, or a .toml of your own.",
        ),
    ] = "smart",
    underlay: Annotated[
        str | None,
        typer.Option("--underlay", help="Under the map: relief, aerial, both or none."),
    ] = None,
    findings: Annotated[
        bool,
        typer.Option("--findings", help="Check first; draw the findings on a layer that is off."),
    ] = False,
    phases: Annotated[
        str | None,
        typer.Option(
            "--phases",
            help="Phases of construction: layers to switch, or sheets, one each. Default: "
            "site.toml's, else layers.",
        ),
    ] = None,
    png: Annotated[
        Path | None, typer.Option("--png", help="Folder for a PNG preview of each page.")
    ] = None,
    dxf: Annotated[
        Path | None,
        typer.Option(
            "--dxf", metavar="FILE", help="The same plate for CAD, with a layout a sheet."
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
    """Draw the site map as a compliant PDF, then measure the file to prove it.

    A site that no sheet holds at the scale is drawn on several, with match lines, an index and a
    sheet of notes. Their numbers are kept from run to run in a .sheets.json beside the PDF.

    Example: sitemap plate site.toml -o C-501.pdf --sheet "ARCH D" --scale auto --png preview/
    """
    from sitemap import check_site, draw_plate
    from sitemap.outputs import refuse_inputs

    wanted = _scale_of(scale)
    day = day_of(now)
    progress = Progress(quiet or no_progress, verbose)
    site = opened(submission, crs, encoding, progress)
    for target in (out, *((dxf,) if dxf else ())):
        refuse_inputs(target, [submission, *site.input_files])
    checked = None
    if findings:
        with progress.step("checking"):
            checked = check_site(site, ordinance, now=day)
    with progress.step(f"drawing {out}"):
        drawn = draw_plate(
            site,
            out,
            ordinance,
            sheet=sheet,
            scale=wanted,
            rotation=rotation,
            profile=profile,
            underlay=underlay,
            phases=phases,
            findings=checked,
            now=day,
        )
    print(_certificate(drawn))
    if dxf is not None:
        from sitemap.plate.cad.document import write_dxf

        with progress.step(f"drawing {dxf}"):
            pictures = write_dxf(site, drawn.marks, dxf, day)
        beside = ", ".join(picture.name for picture in pictures)
        print(f"for CAD: {dxf}{f', with {beside} beside it: keep them together' if beside else ''}")
    if png is not None:
        from sitemap.plate.preview import write_png

        png.mkdir(parents=True, exist_ok=True)
        for file in drawn.files:
            for picture in write_png(file, png):
                print(f"preview: {picture}")


def _certificate(drawn: DrawnPlate) -> str:
    """What was measured on each finished sheet, and which labels found no place."""
    from sitemap.measures.rotation import rotation_words

    page = drawn.measured.pages[0]
    several = len(drawn.sheets) > 1
    count = f"{len(drawn.sheets)} sheets of " if several else ""
    where = f"{drawn.path.parent}, {len(drawn.files)} files" if drawn.files[1:] else drawn.path
    lines = [f"{where}: {count}{drawn.sheet}, {page.width_in:g} x {page.height_in:g} in"]
    lines += [f"file: {file}" for file in drawn.files] if drawn.files[1:] else []
    if drawn.rotation_deg:
        why = f": {drawn.why_turned}" if drawn.why_turned else ""
        lines.append(f"{rotation_words(drawn.rotation_deg)}{why}")
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
    lines += [f"phases of construction: {drawn.phases}"] if drawn.phases else []
    lines += drawn.changes.words
    lines += [f"to be cleared with the agency: {words}" for words in drawn.unmet]
    layers = {layer for page in drawn.measured.pages for layer in page.drawn_layers}
    lines.append(f"{len(layers)} layers, {len(drawn.unplaced)} labels or tables without a place")
    lines += [f"  - {words}" for words in drawn.unplaced]
    if drawn.boxed:
        lines.append(f"{len(drawn.boxed)} texts with □ for characters that the fonts lack")
    return "\n".join([*lines, *(f"  - {words}" for words in drawn.boxed)])


def _scale_of(text: str | None) -> float | str | None:
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


def measure(
    plate_file: Annotated[
        Path, typer.Argument(metavar="PLATE", help="Any finished plate: PDF, GeoTIFF, PNG, JPEG.")
    ],
    point: Annotated[
        list[str] | None,
        typer.Option(
            "--point",
            metavar="X,Y=E,N",
            help="A place that you know: inches from the page's lower left corner = easting and "
            "northing in feet; twice or more.",
        ),
    ] = None,
    distance: Annotated[
        str | None,
        typer.Option(
            "--distance",
            metavar="X1,Y1 X2,Y2=FEET",
            help="Two places on the page in inches, and the feet between them.",
        ),
    ] = None,
    page: Annotated[int, typer.Option("--page", help="The page of --point or --distance.")] = 1,
    dpi: Annotated[
        float | None, typer.Option("--dpi", help="Dots per inch of a picture that states none.")
    ] = None,
    password: Annotated[str, typer.Option("--password", help="What opens a locked PDF.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Page, sheet, frames, feet per inch both ways, CRS, grid and layers of a finished plate.

    By its georeference or calibration; where it has neither by its graphic bar, or by two points
    or a distance that you give. Says what each number rests on, and whether the page was shrunk.

    Example: sitemap measure C-501.pdf --distance "3.2,4.0 9.2,4.0=300"
    """
    from sitemap import measure_plate
    from sitemap.errors import UsageError
    from sitemap.plate.given_points import parse_distance, parse_point, with_given
    from sitemap.report import measured as report

    if dpi is not None and not 10.0 <= dpi <= 10_000.0:
        raise UsageError(f"--dpi {dpi:g}: dots per inch lie between 10 and 10000")
    points = [parse_point(text) for text in point or ()]
    known = parse_distance(distance) if distance is not None else None
    if points and known is not None:
        raise UsageError("give --point or --distance, not both")
    measured = measure_plate(plate_file, password=password, dpi=dpi)
    if points or known is not None:
        measured = with_given(measured, points, known, page)
    print(report.to_json(measured) if as_json else report.to_text(measured), end="")
