"""PLT001: a plate whose scale and ground cannot be read from its file."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Severity
from sitemap.measured_plate import MeasuredPlate
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule

HOW = (
    "write the plate as a geospatial PDF (ISO 32000 viewports; in CAD or GIS: export with "
    "georeference), or let `sitemap plate` draw it; a picture as GeoTIFF with its dots per inch"
)


@rule("PLT001", clauses=("scale",))
def plate_not_measurable(plate: MeasuredPlate | None) -> Iterator[Said]:
    """The map has a plate that cannot be measured.

    Why
        Scale, grid and every feature can be proved on the finished file only when it says which
        ground its map shows; else a person measures the print by hand.

    How it is measured
        The PDF is opened and the viewports of each page are read: georeference (ISO 32000 or OGC),
        or the calibration of measuring tools; on a page without them its graphic bar. Of a picture
        its GeoTIFF tags or world file, and its dots per inch. A file that cannot be opened is an
        error. A plate on which no page has a map frame with its scale is a warning, and SCL001
        asks a person.
        Where a frame was measured, what was odd about it is told: a warning for a page with a
        frame, a note for the file. Pages without a frame beside a page that has one (title sheet,
        details) are no fault.

    When it does not apply
        Without a plate.

    How to fix
        Export the plate with its georeference, unlocked and whole, or draw it with this program.

    References
        § 162-11B(4), scale; ISO 32000-2, measure dictionaries; OGC 08-139r3.
    """
    if plate is None:
        yield NotApplicable("no plate was handed in (--plate FILE.pdf)")
        return
    frames = plate.main_frames
    if not frames:
        yield from _unmeasured(plate)
        return
    yield Checked(
        ", ".join(f"page {page.number}: by {frame.how}" for page, frame in frames), len(frames)
    )
    measured = {f"page {page.number}:" for page, _ in frames}
    bare = {f"page {page.number}:" for page in plate.pages} - measured
    for words in plate.trouble:
        page = f"{words.partition(':')[0]}:"
        if page not in bare:
            yield Fault(
                f"the plate is measured, but {words}",
                HOW,
                severity=Severity.WARNING if page in measured else Severity.INFO,
                distinct=words,
            )


def _unmeasured(plate: MeasuredPlate) -> Iterator[Fault]:
    reasons = "; ".join(plate.trouble) or "no map frame was found"
    opened = bool(plate.pages)
    yield Fault(
        f"no page of the plate can be measured: {reasons}"
        if opened
        else f"the plate cannot be read: {reasons}",
        HOW if opened else "hand in the plate as a whole, unlocked PDF",
        severity=Severity.WARNING if opened else Severity.ERROR,
        distinct="nothing measured",
    )
