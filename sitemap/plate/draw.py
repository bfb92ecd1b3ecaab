"""Site to a finished plate: composed, written under a temporary name, measured, then delivered.

A plate that fails its own measurement never reaches its place.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path

from sitemap.checked import CheckedSite
from sitemap.errors import PlateError
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.sheets import PAPER_IN, parse_sheet
from sitemap.ordinance import Ordinance
from sitemap.outputs import refuse_inputs, written_in_place
from sitemap.plate.compose import compose_sheet
from sitemap.plate.marks import SheetMarks
from sitemap.plate.pdf import write_pdf
from sitemap.plate.read import ControlMeasure, measure_control, measure_plate
from sitemap.site import Site
from sitemap.units import MapScale, plain_number

PAGE_TOLERANCE_IN = 0.001
SCALE_TOLERANCE_PPM = 1.0
PLACE_TOLERANCE_IN = 0.0005
FRAME_TOLERANCE_PPM = 50.0  # the georeference goes through degrees and back


@dataclass(frozen=True)
class DrawnPlate:
    """A delivered plate: where it is, its scale and sheet, what was measured on it.

    unplaced names, in words, labels that found no place and tables that found no room.
    """

    path: Path
    scale: MapScale
    sheet: str
    measured: MeasuredPlate
    control: ControlMeasure
    unplaced: tuple[str, ...]


def draw_plate(
    site: Site,
    ordinance: Ordinance,
    out: Path,
    *,
    sheet: str | None = None,
    scale: float | str | None = None,
    now: dt.date,
    checked: CheckedSite | None = None,
) -> DrawnPlate:
    """Draw the site on one sheet and write it to `out` as PDF.

    sheet and scale (feet per inch, or "auto") default to the wishes of site.toml. PlateError when
    the site does not fit or the finished file does not measure as it was meant; UsageError for an
    unknown sheet, or when `out` cannot be written or is an input.
    """
    wishes = site.project.plate
    name = parse_sheet(sheet or wishes.sheet)
    refuse_inputs(out, _inputs(site))
    marks = compose_sheet(
        site, ordinance, sheet=name, scale=wishes.scale if scale is None else scale, now=now,
        checked=checked,
    )  # fmt: skip
    facts = site.project.project
    with written_in_place(out) as temporary:
        write_pdf(
            [marks],
            temporary,
            title=f"{facts.name or site.name}: {marks.title}",
            author=facts.consultant or facts.owner or "",
            subject=f"{ordinance.title} ({ordinance.jurisdiction})",
            created=dt.datetime(now.year, now.month, now.day),
        )
        measured, control = measure_drawn(temporary, marks, name)
    measured = replace(measured, path=str(out))  # what it draws is read when asked for
    return DrawnPlate(
        out, MapScale(marks.frames[0].feet_per_inch), name, measured, control, marks.unplaced
    )


def _inputs(site: Site) -> list[Path]:
    known = [Path(site.submission), *(Path(r.path) for r in site.rasters)]
    if site.project.path is not None:
        known.append(site.project.path)
    return known


def measure_drawn(
    path: Path, marks: SheetMarks, sheet: str
) -> tuple[MeasuredPlate, ControlMeasure]:
    """Measure a written plate against what was composed; PlateError names every difference."""
    measured = measure_plate(path)
    control = measure_control(path, marks)
    faults = list(measured.trouble)
    if len(measured.pages) != 1:
        faults.append(f"it has {len(measured.pages)} pages instead of 1")
    else:
        faults += _page_faults(measured, marks, sheet)
    if control.error_ppm > SCALE_TOLERANCE_PPM:
        faults.append(f"its scale is off by {control.error_ppm:.1f} parts in a million")
    if control.worst_offset_in > PLACE_TOLERANCE_IN:
        faults.append(f"a control cross is {control.worst_offset_in:.4f} in off its place")
    if faults:
        raise PlateError(
            f"the plate failed its own measurement and is not delivered: {'; '.join(faults)}"
        )
    return measured, control


def _page_faults(measured: MeasuredPlate, marks: SheetMarks, sheet: str) -> list[str]:
    page = measured.pages[0]
    faults = []
    width, height = PAPER_IN[sheet]
    if max(abs(page.width_in - width), abs(page.height_in - height)) > PAGE_TOLERANCE_IN:
        faults.append(
            f"its page is {page.width_in:.3f} x {page.height_in:.3f} in instead of "
            f"{width:g} x {height:g} in"
        )
    missing = [layer for layer in marks.layers if layer not in page.drawn_layers]
    if missing:
        faults.append(f"these layers have no marks on it: {', '.join(missing)}")
    meant = marks.frames[0].feet_per_inch
    frames = measured.main_frames
    if not frames:
        faults.append("its map frame has no georeference")
    elif abs(frames[0][1].feet_per_inch / meant - 1.0) * 1e6 > FRAME_TOLERANCE_PPM:
        found = plain_number(frames[0][1].feet_per_inch)
        faults.append(f"its georeference gives 1 in = {found} ft instead of {meant:g} ft")
    if meant not in page.stated_feet_per_inch:
        faults.append(f"the words on it do not state 1 in = {meant:g} ft")
    return faults
