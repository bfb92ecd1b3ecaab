"""Site to a finished plate: composed, written under a temporary name, measured, then delivered.

A plate that fails its own measurement never reaches its place.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitemap.checked import CheckedSite
from sitemap.errors import PlateError, UsageError
from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.measures.sheets import PAPER_IN, parse_sheet, sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.outputs import refuse_inputs, written_in_place
from sitemap.plate.control import ControlMeasure, measure_control
from sitemap.plate.marks import SheetKind, SheetMarks
from sitemap.plate.numbering import SheetChanges, lock_path, number_sheets, read_lock, write_lock
from sitemap.plate.one_map import compose_one_map
from sitemap.plate.pdf import write_pdf
from sitemap.plate.plan import SinglePlan, plan_sheets
from sitemap.plate.read import measure_plate
from sitemap.plate.rotation import parse_rotation
from sitemap.plate.sheet_set import compose_set
from sitemap.site import Site
from sitemap.units import MapScale, plain_number

NO_CHANGES = SheetChanges()
PROFILES = ("smart", "flat")  # with layers and links; with neither
SCHEDULE_FILE = "schedule of controls.csv"
PAGE_TOLERANCE_IN = 0.001
SCALE_TOLERANCE_PPM = 1.0
PLACE_TOLERANCE_IN = 0.0005
FRAME_TOLERANCE_PPM = 50.0  # the georeference goes through degrees and back


@dataclass(frozen=True)
class DrawnSheet:
    """One sheet of a delivered plate: what it is, what its control crosses measure (a map's)."""

    number: str
    title: str
    kind: SheetKind
    control: ControlMeasure | None = None
    unplaced: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawnPlate:
    """A delivered plate: where it is, its scale and paper, what was measured on it.

    sheets has one entry per page. unplaced names, in words, labels that found no place and tables
    that found no room. changes tells what became of the sheets since the last set of this name,
    why_turned what made auto turn the ground.
    """

    path: Path
    scale: MapScale
    sheet: str
    measured: MeasuredPlate
    sheets: tuple[DrawnSheet, ...]
    rotation_deg: float = 0.0
    changes: SheetChanges = NO_CHANGES
    why_turned: str = ""
    marks: tuple[SheetMarks, ...] = field(default=(), repr=False)  # as composed

    @property
    def control(self) -> ControlMeasure:
        """The worst of its map sheets."""
        found = [sheet.control for sheet in self.sheets if sheet.control is not None]
        return max(found, key=lambda control: control.error_ppm)

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Of all sheets, each with its number where there are several."""
        if len(self.sheets) == 1:
            return self.sheets[0].unplaced
        return tuple(f"{s.number}: {words}" for s in self.sheets for words in s.unplaced)


def draw_plates(
    site: Site,
    ordinance: Ordinance,
    out: Path,
    *,
    sheet: str | None = None,
    scale: float | str | None = None,
    rotation: str | None = None,
    profile: str = "smart",
    now: dt.date,
    checked: CheckedSite | None = None,
) -> DrawnPlate:
    """Draw the site and write it to `out` as PDF: one sheet where it fits, else a set of sheets.

    sheet, scale (feet per inch, or "auto") and rotation default to the wishes of site.toml.
    rotation is "up", "left", "longest" (the site's longest side along the sheet), the degrees that
    north is turned to the left, or "auto" (north up unless that takes more sheets). profile "flat"
    has one layer
    and no links. The numbers of a set's sheets are kept in a lock file beside `out`. PlateError
    when the finished file does not measure as it was meant; UsageError for an unknown wish, or
    when `out` cannot be written or is an input.
    """
    if profile not in PROFILES:
        raise UsageError(f"--profile {profile!r}: accepted are {', '.join(PROFILES)}")
    wishes = site.project.plate
    name = parse_sheet(sheet or wishes.sheet)
    asked = wishes.scale if scale is None else scale
    turn = parse_rotation(wishes.rotation if rotation is None else rotation)
    locked = lock_path(out)
    for target in (out, locked):
        refuse_inputs(target, _inputs(site))
    plan = plan_sheets(site, ordinance, sheet_layout(name), asked, turn)
    lock, changes = None, NO_CHANGES
    if isinstance(plan, SinglePlan):
        marks: Sequence[SheetMarks] = compose_one_map(
            site, ordinance, sheet=name, scale=asked, now=now, checked=checked,
            rotation_deg=plan.rotation_deg,
        )  # fmt: skip
        tables: dict[str, bytes] = {}
    else:
        known = read_lock(locked)
        lock, changes, free = number_sheets(
            wishes.sheet_number, plan.centres_ft, plan.reach_ft, known
        )
        composed = compose_set(
            site, ordinance, sheet_layout(name), plan, lock, free, now=now, checked=checked
        )
        marks, lock = composed.sheets, composed.lock
        tables = {SCHEDULE_FILE: _csv(composed.schedule)}
    measured, sheets = _deliver(site, ordinance, out, marks, name, tables, profile, now)
    if lock is not None:
        write_lock(locked, lock)
    main = next(one for one in marks if one.kind == "map").frames[0]
    return DrawnPlate(
        out, MapScale(main.feet_per_inch), name, measured, sheets, plan.rotation_deg, changes,
        plan.why_turned, tuple(marks),
    )  # fmt: skip


def _deliver(
    site: Site,
    ordinance: Ordinance,
    out: Path,
    marks: Sequence[SheetMarks],
    sheet: str,
    attachments: dict[str, bytes],
    profile: str,
    now: dt.date,
) -> tuple[MeasuredPlate, tuple[DrawnSheet, ...]]:
    """Write under a temporary name, measure, and move into place what measures well."""
    facts = site.project.project
    title = marks[0].title if len(marks) == 1 else site.project.plate.sheet_title
    with written_in_place(out) as temporary:
        write_pdf(
            marks,
            temporary,
            title=f"{facts.name or site.name}: {title}",
            author=facts.consultant or facts.owner or "",
            subject=f"{ordinance.title} ({ordinance.jurisdiction})",
            created=dt.datetime(now.year, now.month, now.day),
            attachments=attachments,
            flat=profile == "flat",
        )
        measured, controls = measure_drawn(temporary, marks, sheet, flat=profile == "flat")
    sheets = tuple(
        DrawnSheet(one.number, one.title, one.kind, control, one.unplaced)
        for one, control in zip(marks, controls, strict=True)
    )
    return replace(measured, path=str(out)), sheets


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


def _inputs(site: Site) -> list[Path]:
    known = [Path(site.submission), *(Path(r.path) for r in site.rasters)]
    if site.project.path is not None:
        known.append(site.project.path)
    return known


def measure_drawn(
    path: Path, marks: Sequence[SheetMarks], sheet: str, *, flat: bool = False
) -> tuple[MeasuredPlate, tuple[ControlMeasure | None, ...]]:
    """Measure a written plate against what was composed; PlateError names every difference.

    The crosses of every map sheet are measured; other sheets have none.
    """
    measured = measure_plate(path)
    faults = list(measured.trouble)
    controls: list[ControlMeasure | None] = []
    if len(measured.pages) != len(marks):
        faults.append(f"it has {len(measured.pages)} pages instead of {len(marks)}")
    for page, one in zip(measured.pages, marks, strict=False):
        control = measure_control(path, one, page.number, flat=flat) if one.kind == "map" else None
        controls.append(control)
        found = _page_faults(page, one, sheet, flat)
        found += _control_faults(control) if control is not None else []
        where = f"sheet {one.number}: " if len(marks) > 1 else ""
        faults += [where + words for words in found]
    if faults:
        raise PlateError(
            f"the plate failed its own measurement and is not delivered: {'; '.join(faults)}"
        )
    return measured, tuple(controls)


def _control_faults(control: ControlMeasure) -> list[str]:
    faults = []
    if control.error_ppm > SCALE_TOLERANCE_PPM:
        faults.append(f"its scale is off by {control.error_ppm:.1f} parts in a million")
    if control.worst_offset_in > PLACE_TOLERANCE_IN:
        faults.append(f"a control cross is {control.worst_offset_in:.4f} in off its place")
    return faults


def _page_faults(page: PlatePage, marks: SheetMarks, sheet: str, flat: bool) -> list[str]:
    faults = []
    width, height = PAPER_IN[sheet]
    if max(abs(page.width_in - width), abs(page.height_in - height)) > PAGE_TOLERANCE_IN:
        faults.append(
            f"its page is {page.width_in:.3f} x {page.height_in:.3f} in instead of "
            f"{width:g} x {height:g} in"
        )
    missing = [layer for layer in marks.layers if layer not in page.drawn_layers]
    if missing and not flat:
        faults.append(f"these layers have no marks on it: {', '.join(missing)}")
    if page.is_map is not (marks.kind == "map"):
        faults.append("it is taken for a map" if page.is_map else "it is not taken for a map")
    if marks.kind != "map":
        return faults
    meant = marks.frames[0].feet_per_inch
    frames = MeasuredPlate("", (page,)).main_frames
    if not frames:
        faults.append("its map frame has no georeference")
    elif abs(frames[0][1].feet_per_inch / meant - 1.0) * 1e6 > FRAME_TOLERANCE_PPM:
        found = plain_number(frames[0][1].feet_per_inch)
        faults.append(f"its georeference gives 1 in = {found} ft instead of {meant:g} ft")
    if meant not in page.stated_feet_per_inch:
        faults.append(f"the words on it do not state 1 in = {meant:g} ft")
    return faults
