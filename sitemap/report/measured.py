"""What was measured on a finished plate, as text and JSON."""

from __future__ import annotations

import dataclasses
import json

from sitemap.measured_plate import (
    GIVEN,
    INSET_FRAME,
    GridMark,
    MapFrame,
    MeasuredPlate,
    PlatePage,
)
from sitemap.measures.print_size import nearest_larger, printed_at
from sitemap.units import MapScale, plain_number

AXES_DIFFER_PPM = 1.0
ISO_WITHIN_IN = 0.03
ISO_IN = {
    "A0": (46.81, 33.11), "A1": (33.11, 23.39), "A2": (23.39, 16.54), "A3": (16.54, 11.69),
    "A4": (11.69, 8.27),
}  # fmt: skip


def to_json(measured: MeasuredPlate) -> str:
    """Every field of the measured plate; sizes in inches, ground in the CRS's feet."""
    fields = dataclasses.asdict(dataclasses.replace(measured, tracer=None))
    del fields["tracer"]  # the way to more, nothing that was measured
    fields["verdicts"] = verdicts(measured)
    return json.dumps(fields, indent=2, ensure_ascii=False) + "\n"


def to_text(measured: MeasuredPlate) -> str:
    """Page by page, as a person with a scale in the hand would write it down."""
    count = len(measured.pages)
    lines = [
        f"{measured.path}: {count} page{'s' * (count != 1)}, made by {measured.producer or '?'}"
    ]
    lines += [f"verdict: {words}" for words in verdicts(measured)]
    for page in measured.pages:
        lines += ["", *_page(page)]
    if measured.layers:
        lines += ["", f"layers ({len(measured.layers)}): {', '.join(measured.layers)}"]
    elif count:
        lines += ["", "layers: none"]
    if measured.trouble:
        lines += ["", "what is wrong with it:", *(f"  - {words}" for words in measured.trouble)]
    return "\n".join(lines) + "\n"


def verdicts(measured: MeasuredPlate) -> list[str]:
    """One sentence for each map page: its scale, what it rests on, how the page was printed.

    One for the file where nothing could be measured.
    """
    found = []
    for page, frame in measured.main_frames:
        words = f"page {page.number} has {_scale(frame)}, by {frame.rests_on or frame.how}"
        printed = printed_at(page, frame)
        if printed is not None:
            stated = MapScale(printed.factor * frame.feet_per_inch)
            words += f"; its words state {stated}: it was printed at {printed}"
        elif page.stated_feet_per_inch:
            words += "; its words state the same"
        found.append(words)
    if found:
        return found
    reasons = measured.trouble or ("no page is a map",)
    said = [words for page in measured.pages if (words := _only_stated(page))]
    return [f"its scale cannot be measured: {reasons[0]}", *said]


def _only_stated(page: PlatePage) -> str:
    """What the words of a page say of its scale, where nothing drawn on it bears them out."""
    if not page.is_map or not page.stated_feet_per_inch:
        return ""
    stated = " and ".join(str(MapScale(feet)) for feet in page.stated_feet_per_inch)
    return f"page {page.number} only states {stated} in words, on {_size(page)}: not proved"


def _scale(frame: MapFrame) -> str:
    across, up = frame.axes_ft_per_in
    if frame.anisotropy_ppm <= AXES_DIFFER_PPM:
        return f"1 in = {frame.feet_per_inch:,.3f} ft both ways"
    return f"1 in = {across:,.3f} ft across and {up:,.3f} ft up"


def _page(page: PlatePage) -> list[str]:
    lines = [f"page {page.number}{_label(page)}: {_size(page)}"]
    if not page.is_map:
        lines.append("  an index, or notes: it declares itself to be no site map")
    if not page.has_text:
        lines.append("  a picture without text: words, grid and legend cannot be read")
    for frame in page.frames:
        lines += _frame(frame)
    if not page.frames and page.is_map:
        lines.append("  no frame whose scale can be measured")
    lines += _stated("scale stated in words", page.stated_feet_per_inch, " ft per inch")
    lines += _stated("half-size scale stated", page.stated_half_size, " ft per inch")
    lines += _stated("contour interval stated", page.stated_interval_ft, " ft")
    lines += _grid("grid across", page.grid_columns)
    lines += _grid("grid down", page.grid_rows)
    if page.drawn_layers:
        lines.append(f"  layers drawn ({len(page.drawn_layers)}): {', '.join(page.drawn_layers)}")
    return lines


def _label(page: PlatePage) -> str:
    return f", sheet {page.label}" if page.label not in ("", str(page.number)) else ""


def _size(page: PlatePage) -> str:
    """The page's size and the sheet that it is, or may have been."""
    size = f"{page.width_in:.3f} x {page.height_in:.3f} in"
    if page.sheet:
        return f"{size} ({page.sheet})"
    lying = max(page.width_in, page.height_in), min(page.width_in, page.height_in)
    for name, other in ISO_IN.items():
        if all(abs(a - b) <= ISO_WITHIN_IN for a, b in zip(lying, other, strict=True)):
            return f"{size} (ISO {name}, no sheet of this country)"
    larger = nearest_larger(page)
    return f"{size} (no known sheet{f'; {larger}' if larger else ''})"


def _frame(frame: MapFrame) -> list[str]:
    left, bottom, right, top = frame.box_in
    ratio = MapScale(frame.feet_per_inch).ratio
    lines = [
        f"  frame {frame.name or '(unnamed)'}: {right - left:.3f} x {top - bottom:.3f} in, "
        f"{_scale(frame)} (1:{ratio:,.0f}) {'as' if frame.how == GIVEN else 'by'} {frame.how}"
    ]
    if frame.name == INSET_FRAME:
        lines.append("    an inset of what lies downstream: not the site map")
    if frame.rests_on:
        lines.append(f"    rests on {frame.rests_on}")
    lines.append(f"    CRS {frame.crs or 'not stated'}")
    if frame.ground_ft:
        x, y = frame.ground_ft[0]
        lines.append(f"    lower left corner E {x:,.3f} N {y:,.3f}")
    if frame.anisotropy_ppm > AXES_DIFFER_PPM:
        lines.append(f"    scale across and up differ by {frame.anisotropy_ppm:,.1f} ppm")
    return lines


def _stated(what: str, values: tuple[float, ...], unit: str) -> list[str]:
    if not values:
        return []
    return [f"  {what}: {', '.join(plain_number(v) for v in values)}{unit}"]


def _grid(what: str, marks: tuple[GridMark, ...]) -> list[str]:
    if not marks:
        return []
    labels = [mark.label for mark in marks]
    return [f"  {what}: {labels[0]} to {labels[-1]} ({len(labels)} marks)"]
