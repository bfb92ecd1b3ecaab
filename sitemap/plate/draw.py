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
from typing import Literal, get_args

from sitemap.checked import CheckedSite
from sitemap.errors import UsageError
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.phases import site_phases
from sitemap.measures.rotation import parse_rotation
from sitemap.measures.sheets import parse_sheet, sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.outputs import refuse_inputs
from sitemap.plate.control import ControlMeasure
from sitemap.plate.delivery import DrawnSheet, deliver, files_of
from sitemap.plate.marks import SheetMarks
from sitemap.plate.numbering import SheetChanges, lock_path, number_sheets, read_lock, write_lock
from sitemap.plate.phase_sheets import compose_single, drawn_phases
from sitemap.plate.plan import SinglePlan, plan_sheets
from sitemap.plate.presets import load_preset, refuse_before
from sitemap.plate.sheet_set import compose_set
from sitemap.project import PhaseForm, Underlay
from sitemap.site import Site
from sitemap.units import MapScale

NO_CHANGES = SheetChanges()
SCHEDULE_FILE = "schedule of controls.csv"


@dataclass(frozen=True)
class DrawnPlate:
    """A delivered plate: where it is, its scale and paper, what was measured on it.

    sheets has one entry per page. unplaced names, in words, labels that found no place and tables
    that found no room. changes tells what became of the sheets since the last set of this name,
    why_turned what made auto turn the ground, phases how phases of construction are told apart.
    """

    path: Path
    scale: MapScale
    sheet: str
    measured: MeasuredPlate
    sheets: tuple[DrawnSheet, ...]
    rotation_deg: float = 0.0
    changes: SheetChanges = NO_CHANGES
    why_turned: str = ""
    phases: str = ""
    marks: tuple[SheetMarks, ...] = field(default=(), repr=False)  # as composed
    files: tuple[Path, ...] = ()  # all of it, where a preset asks for a file for each sheet
    unmet: tuple[str, ...] = ()  # what a preset asks for and a person can still help, in words

    @property
    def control(self) -> ControlMeasure:
        """The worst of its map sheets."""
        found = [sheet.control for sheet in self.sheets if sheet.control is not None]
        return max(found, key=lambda control: control.error_ppm)

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Of all sheets, each with its number where there are several."""
        return self._of_sheets("unplaced")

    @property
    def boxed(self) -> tuple[str, ...]:
        """Texts in which a box stands for what the fonts lack; of all sheets, as above."""
        return self._of_sheets("boxed")

    def _of_sheets(self, told: Literal["unplaced", "boxed"]) -> tuple[str, ...]:
        if len(self.sheets) == 1:
            only: tuple[str, ...] = getattr(self.sheets[0], told)
            return only
        return tuple(f"{s.number}: {words}" for s in self.sheets for words in getattr(s, told))


def draw_plates(
    site: Site,
    ordinance: Ordinance,
    out: Path,
    *,
    sheet: str | None = None,
    scale: float | str | None = None,
    rotation: str | None = None,
    profile: str = "smart",
    underlay: str | None = None,
    phases: str | None = None,
    now: dt.date,
    checked: CheckedSite | None = None,
) -> DrawnPlate:
    """Draw the site and write it to `out` as PDF: one sheet where it fits, else a set of sheets.

    sheet, scale (feet per inch, or "auto") and rotation default to the wishes of site.toml.
    rotation is "up", "left", "longest" (the site's longest side along the sheet), the degrees that
    north is turned to the left, or "auto" (north up unless that takes more sheets). profile is a
    preset: "smart", "flat" (one layer, no links), that of an agency, or a TOML file. underlay
    puts "relief", an "aerial" image or "both" under the map. The findings of
    checked are drawn on a layer that is off. The numbers of a set's sheets are kept in a lock
    file beside `out`. PlateError when the finished file does not measure as it was meant, or
    passes a limit of the preset; UsageError for an unknown wish, for findings in a file of one
    layer, or when `out` cannot be written or is an input.
    """
    preset = load_preset(profile)
    if checked is not None and preset.is_flat:
        raise UsageError(
            f"--findings with --profile {profile}: findings are drawn on a layer that is off, and "
            "that profile has one layer, on which they would be printed; take another profile"
        )
    site = _with_wish(site, "underlay", underlay, get_args(Underlay))
    site = _with_wish(site, "phases", phases, get_args(PhaseForm))
    wishes = site.project.plate
    name = parse_sheet(sheet or wishes.sheet)
    refuse_before(preset, out, name)
    asked = wishes.scale if scale is None else scale
    turn = parse_rotation(wishes.rotation if rotation is None else rotation)
    locked = lock_path(out)
    for target in (out, locked):
        refuse_inputs(target, _inputs(site))
    plan = plan_sheets(site, ordinance, sheet_layout(name), asked, turn)
    lock, changes = None, NO_CHANGES
    if isinstance(plan, SinglePlan):
        marks: Sequence[SheetMarks] = compose_single(
            site, ordinance, sheet=name, scale=asked, now=now, checked=checked,
            rotation_deg=plan.rotation_deg,
        )  # fmt: skip
        tables: dict[str, bytes] = {}
    else:
        known = read_lock(locked)
        lock, changes, free = number_sheets(
            wishes.sheet_number, plan.centres_ft, plan.reach_ft, known,
            [phase.name for phase in drawn_phases(site)],
        )  # fmt: skip
        composed = compose_set(
            site, ordinance, sheet_layout(name), plan, lock, free, now=now, checked=checked
        )
        marks, lock = composed.sheets, composed.lock
        tables = {SCHEDULE_FILE: _csv(composed.schedule)}
    for file in files_of(preset, out, [one.number for one in marks]):
        refuse_inputs(file, _inputs(site))
    delivered = deliver(site, ordinance, out, marks, name, tables, preset, now)
    if lock is not None:
        write_lock(locked, lock)
    main = next(one for one in marks if one.kind == "map").frames[0]
    return DrawnPlate(
        delivered.files[0], MapScale(main.feet_per_inch), name, delivered.measured,
        delivered.sheets, plan.rotation_deg, changes,
        plan.why_turned, _phases_said(site), tuple(marks), delivered.files, delivered.unmet,
    )  # fmt: skip


def _phases_said(site: Site) -> str:
    """The phases in the order that was found, which a person may want to look over."""
    phases = site_phases(site)
    if phases is None:
        return ""
    separate = site.project.plate.phases == "sheets"
    return f"{phases.key}, {'a map sheet each' if separate else 'switched in the layer panel'}"


def _with_wish(site: Site, wish: str, value: str | None, accepted: tuple[str, ...]) -> Site:
    """The site as if its site.toml had this wish for the plate; as it is without one."""
    if value is None:
        return site
    if value not in accepted:
        raise UsageError(f"--{wish} {value!r}: accepted are {', '.join(accepted)}")
    plate = site.project.plate.model_copy(update={wish: value})
    return replace(site, project=site.project.model_copy(update={"plate": plate}))


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


def _inputs(site: Site) -> list[Path]:
    known = [Path(site.submission), *(Path(r.path) for r in site.rasters)]
    if site.project.path is not None:
        known.append(site.project.path)
    return known
