"""Composed sheets to files: written under temporary names, measured, then moved into place.

A plate that fails its own measurement, or what its preset asks for, never reaches its place.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from sitemap.errors import PlateError
from sitemap.freed_memory import return_freed
from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.measures.sheets import PAPER_IN
from sitemap.ordinance import Ordinance
from sitemap.outputs import written_in_place
from sitemap.plate.control import ControlMeasure, measure_controls
from sitemap.plate.fonts import lacking
from sitemap.plate.marks import SheetKind, SheetMarks, Text
from sitemap.plate.pdf import write_pdf
from sitemap.plate.presets import Preset, refuse_composed, refuse_written, unmet_wishes
from sitemap.site import Site
from sitemap.units import plain_number

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
    boxed: tuple[str, ...] = ()  # texts with characters that the fonts lack, in words


@dataclass(frozen=True)
class Delivered:
    """The files of a plate, what was measured on all their pages, what a preset still asks for."""

    files: tuple[Path, ...]
    measured: MeasuredPlate
    sheets: tuple[DrawnSheet, ...]
    unmet: tuple[str, ...] = ()


def files_of(preset: Preset, out: Path, numbers: Sequence[str]) -> tuple[Path, ...]:
    """The file of every sheet by a preset; one for all of them, or for a single sheet, is `out`."""
    if preset.files == "one" or len(numbers) == 1:
        return (out,) * len(numbers)
    names = [preset.file_name.format(stem=out.stem, number=number) for number in numbers]
    if len(set(names)) < len(names):
        raise PlateError(
            f"the preset {preset.name} gives two sheets one name: {', '.join(names)}; its "
            "file_name needs {number}"
        )
    return tuple(out.with_name(f"{name}.pdf") for name in names)


def deliver(
    site: Site,
    ordinance: Ordinance,
    out: Path,
    sheets: Sequence[SheetMarks],
    paper: str,
    attachments: Mapping[str, bytes],
    preset: Preset,
    now: dt.date,
) -> Delivered:
    """Write, measure, and move into place all files of a plate, or none of them.

    PlateError names what does not measure as it was meant, or which limit of the preset is
    passed, by how much, and what to do.
    """
    refuse_composed(preset, sheets)
    paths = files_of(preset, out, [sheet.number for sheet in sheets])
    pages: list[PlatePage] = []
    controls: list[ControlMeasure | None] = []
    measured = MeasuredPlate(str(out), ())
    with ExitStack() as stack:
        for path in dict.fromkeys(paths):
            group = [one for one, its in zip(sheets, paths, strict=True) if its == path]
            if not preset.links or len(group) < len(sheets):  # what they lead to is not there
                group = [replace(one, links=()) for one in group]
            temporary = stack.enter_context(written_in_place(path))
            kept = attachments if preset.attachments else {}
            return_freed(circles=True)
            _write(site, ordinance, temporary, group, kept, preset, now)
            return_freed()  # what reads the file again takes as much as what wrote it
            measured, found = measure_drawn(temporary, group, paper, flat=preset.is_flat)
            refuse_written(preset, temporary, len(group))
            pages += [
                replace(page, number=len(pages) + i) for i, page in enumerate(measured.pages, 1)
            ]
            controls += found
    drawn = tuple(
        DrawnSheet(one.number, one.title, one.kind, control, one.unplaced, _boxed(one))
        for one, control in zip(sheets, controls, strict=True)
    )
    whole = replace(measured, path=str(out), pages=tuple(pages))
    return Delivered(tuple(dict.fromkeys(paths)), whole, drawn, unmet_wishes(preset, sheets))


def _boxed(sheet: SheetMarks) -> tuple[str, ...]:
    """The texts of a sheet that do not say what the data say, each once: a box stands in them."""
    found: dict[str, str] = {}
    for mark in sheet.marks:
        if isinstance(mark, Text) and (missing := lacking(mark.text, mark.bold, mark.italic)):
            found[mark.text] = f"“{mark.text}”: no letter for {' '.join(missing)}"
    return tuple(found.values())


def _write(
    site: Site,
    ordinance: Ordinance,
    path: Path,
    sheets: Sequence[SheetMarks],
    attachments: Mapping[str, bytes],
    preset: Preset,
    now: dt.date,
) -> None:
    facts = site.project.project
    title = sheets[0].title if len(sheets) == 1 else site.project.plate.sheet_title
    write_pdf(
        sheets,
        path,
        title=f"{facts.name or site.name}: {title}",
        author=facts.consultant or facts.owner or "",
        subject=f"{ordinance.title} ({ordinance.jurisdiction})",
        created=dt.datetime(now.year, now.month, now.day),
        attachments=attachments,
        flat=preset.is_flat,
    )


def measure_drawn(
    path: Path, marks: Sequence[SheetMarks], sheet: str, *, flat: bool = False
) -> tuple[MeasuredPlate, tuple[ControlMeasure | None, ...]]:
    """Measure a written plate against what was composed; PlateError names every difference.

    The crosses of every map sheet are measured; other sheets have none.
    """
    from sitemap.plate.read import measure_plate  # PDFium, not wanted while labels are placed

    measured = measure_plate(path)
    faults = list(measured.trouble)
    controls: list[ControlMeasure | None] = []
    if len(measured.pages) != len(marks):
        faults.append(f"it has {len(measured.pages)} pages instead of {len(marks)}")
    pairs = list(zip(measured.pages, marks, strict=False))
    maps = {page.number: one for page, one in pairs if one.kind == "map"}
    crosses = measure_controls(path, maps, flat=flat)
    for page, one in pairs:
        control = crosses.get(page.number)
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
