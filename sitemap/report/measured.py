"""What was measured on a finished plate, as text and JSON."""

from __future__ import annotations

import dataclasses
import json

from sitemap.measured_plate import GridMark, MapFrame, MeasuredPlate, PlatePage
from sitemap.units import MapScale, plain_number


def to_json(measured: MeasuredPlate) -> str:
    """Every field of the measured plate; sizes in inches, ground in the CRS's feet."""
    fields = dataclasses.asdict(dataclasses.replace(measured, tracer=None))
    del fields["tracer"]  # the way to more, nothing that was measured
    return json.dumps(fields, indent=2, ensure_ascii=False) + "\n"


def to_text(measured: MeasuredPlate) -> str:
    """Page by page, as a person with a scale in the hand would write it down."""
    lines = [f"{measured.path}: {len(measured.pages)} page(s), made by {measured.producer or '?'}"]
    for page in measured.pages:
        lines += ["", *_page(page)]
    if measured.layers:
        lines += ["", f"layers ({len(measured.layers)}): {', '.join(measured.layers)}"]
    if measured.trouble:
        lines += ["", "could not be measured:", *(f"  - {words}" for words in measured.trouble)]
    return "\n".join(lines) + "\n"


def _page(page: PlatePage) -> list[str]:
    name = f" ({page.sheet})" if page.sheet else ""
    label = f", sheet {page.label}" if page.label not in ("", str(page.number)) else ""
    lines = [f"page {page.number}{label}: {page.width_in:.3f} x {page.height_in:.3f} in{name}"]
    if not page.is_map:
        lines.append("  an index, or notes: it declares itself to be no site map")
    for frame in page.frames:
        lines += _frame(frame)
    if not page.frames and page.is_map:
        lines.append("  no georeferenced or calibrated frame")
    lines += _stated("scale stated in words", page.stated_feet_per_inch, " ft per inch")
    lines += _stated("half-size scale stated", page.stated_half_size, " ft per inch")
    lines += _stated("contour interval stated", page.stated_interval_ft, " ft")
    lines += _grid("grid across", page.grid_columns)
    lines += _grid("grid down", page.grid_rows)
    return lines


def _frame(frame: MapFrame) -> list[str]:
    left, bottom, right, top = frame.box_in
    scale = MapScale(frame.feet_per_inch)
    lines = [
        f"  frame {frame.name or '(unnamed)'}: {right - left:.3f} x {top - bottom:.3f} in, "
        f"1 in = {frame.feet_per_inch:,.3f} ft (1:{scale.ratio:,.0f}) by {frame.how}"
    ]
    if frame.crs:
        lines.append(f"    CRS {frame.crs}")
    if frame.ground_ft:
        x, y = frame.ground_ft[0]
        lines.append(f"    lower left corner E {x:,.3f} N {y:,.3f}")
    if abs(frame.anisotropy_ppm) > 1.0:
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
