"""Inks, weights, dashes and patterns of the palette in the terms of a DXF."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from ezdxf.colors import DXF_DEFAULT_COLORS, RGB, int2rgb
from ezdxf.document import Drawing
from ezdxf.lldxf.const import VALID_DXF_LINEWEIGHTS

from sitemap.catalogue import Hatch
from sitemap.plate.fonts import text_width_in
from sitemap.plate.hatches import pattern_tile

POINTS = 72.0  # per inch
HUNDREDTHS_MM_PER_PT = 2540.0 / 72.0
LETTER_CAP_IN = 0.08  # of letters in a line
LETTER_CLEAR_IN = 0.04
BLACK_AND_WHITE = 7  # drawn in black on white paper and in white on a black screen
TEXT_STYLES = {  # by bold, italic; the letters of the plate have the widths of these fonts
    (False, False): ("SITEMAP", "arial.ttf"),
    (True, False): ("SITEMAP-BOLD", "arialbd.ttf"),
    (False, True): ("SITEMAP-ITALIC", "ariali.ttf"),
}
PatternLine = tuple[float, tuple[float, float], tuple[float, float], list[float]]


def rgb_of(ink: str) -> RGB:
    """#rrggbb as three numbers."""
    return RGB(int(ink[1:3], 16), int(ink[3:5], 16), int(ink[5:7], 16))


def on_white(ink: str, alpha: float) -> str:
    """The opaque colour that a transparent one has on white paper.

    Transparency in a DXF is refused by some programs, and prints differently in others.
    """
    mixed = (round(255 + (value - 255) * alpha) for value in rgb_of(ink))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def colour(ink: str) -> dict[str, int]:
    """The attributes of a colour: the exact one, and the nearest of the 255 numbered ones."""
    if ink == "#000000":
        return {"color": BLACK_AND_WHITE}
    red, green, blue = rgb_of(ink)
    known = np.array([int2rgb(value) for value in DXF_DEFAULT_COLORS[1:255]], dtype=float)
    nearest = int(np.argmin(((known - (red, green, blue)) ** 2).sum(axis=1))) + 1
    return {"color": nearest, "true_color": red << 16 | green << 8 | blue}


def lineweight(weight_pt: float) -> int:
    """The nearest of the pens that a DXF knows, in hundredths of a millimetre."""
    wanted = weight_pt * HUNDREDTHS_MM_PER_PT
    return min((w for w in VALID_DXF_LINEWEIGHTS if w >= 0), key=lambda w: abs(w - wanted))


def text_style(doc: Drawing, bold: bool, italic: bool) -> str:
    """The name of the text style, made when first asked for."""
    name, font = TEXT_STYLES[bold, italic and not bold]
    if name not in doc.styles:
        doc.styles.add(name, font=font)
    return name


def linetype(
    doc: Drawing, dash_pt: tuple[float, ...], text: str = "", every_in: float = 4.0
) -> str:
    """The name of a line type with these dashes and letters, made when first asked for.

    Its pattern is in inches of paper; the drawing's LTSCALE makes feet of them.
    """
    if not dash_pt and not text:
        return "CONTINUOUS"
    numbers = "_".join(f"{value:g}".replace(".", "P") for value in dash_pt)
    name = "SM" + (f"_{numbers}" if numbers else "") + (f"_{text}_{every_in:g}" if text else "")
    name = name.replace(".", "P")
    if name not in doc.linetypes:
        dashes = [v / POINTS * (-1.0 if i % 2 else 1.0) for i, v in enumerate(dash_pt)]
        total = sum(map(abs, dashes))
        pattern: Any = [total, *dashes]
        if text:
            pattern, total = _lettered(doc, dashes, text, every_in)
        doc.linetypes.add(name, pattern, description=f"{text} {numbers}".strip(), length=total)
    return name


def _lettered(doc: Drawing, dashes: list[float], text: str, every_in: float) -> tuple[str, float]:
    """Dashes repeated over a length, then letters in a gap, as a .lin file says it; its length."""
    width = text_width_in(text, LETTER_CAP_IN, bold=True)
    gap = width + 2.0 * LETTER_CLEAR_IN
    run = max(every_in - gap, gap)
    elements = [run]
    if dashes:  # a dash stands on both sides of the letters
        elements = [*dashes * max(1, round(run / sum(map(abs, dashes)))), dashes[0]]
    style = text_style(doc, bold=True, italic=False)
    words = f'["{text}",{style},S={LETTER_CAP_IN:g},U=0.0,X=0.0,Y={-LETTER_CAP_IN / 2.0:g}]'
    before, after = -LETTER_CLEAR_IN, LETTER_CLEAR_IN - gap
    numbers = [f"{value:.4f}" for value in (*elements, before)]
    return ",".join(["A", *numbers, words, f"{after:.4f}"]), sum(map(abs, elements)) + gap


def hatch_lines(
    hatch: Hatch, feet_per_inch: float, origin_ft: tuple[float, float], turn_deg: float
) -> list[PatternLine]:
    """A pattern as families of dashed lines in feet, for a HATCH; () for water lines.

    turn_deg turns it with the sheet. Strokes of small signs lie along the two axes of the sign.
    """
    step = hatch.spacing_in
    families: list[tuple[float, tuple[float, float], tuple[float, float], list[float]]]
    if hatch.kind in ("lines", "cross"):
        turns = (0.0, 90.0) if hatch.kind == "cross" else (0.0,)
        families = [(hatch.angle_deg + t, (0.0, 0.0), (0.0, step), []) for t in turns]
    elif hatch.kind == "dots":
        families = [(0.0, (0.0, 0.0), (step / 2.0, step / 2.0), [0.0, -step])]
    elif hatch.kind in ("dashes", "strokes"):
        long = min(step * 0.5, 0.1)
        gap = step * 1.5 - long
        families = [(hatch.angle_deg, (0.0, 0.0), (step * 0.75, step * 0.75), [long, -gap])]
    else:
        families = _signs(hatch)
    return [_in_feet(one, feet_per_inch, origin_ft, turn_deg) for one in families]


def _signs(hatch: Hatch) -> list[PatternLine]:
    """Each stroke of the repeated tile as a family of its own."""
    wide, high, _, paths = pattern_tile(hatch)
    found = []
    for path in paths:
        (x0, y0), (x1, y1) = path[0], path[-1]
        if not (0.0 <= (x0 + x1) / 2.0 < wide and 0.0 <= (y0 + y1) / 2.0 < high):
            continue  # the neighbouring tile's
        long = math.hypot(x1 - x0, y1 - y0)
        if abs(x1 - x0) >= abs(y1 - y0):
            start = (min(x0, x1), (y0 + y1) / 2.0)
            found.append((0.0, start, (0.0, high), [long, long - wide]))
        else:
            start = ((x0 + x1) / 2.0, min(y0, y1))
            found.append((90.0, start, (0.0, wide), [long, long - high]))
    return found


def _in_feet(
    family: PatternLine, scale: float, origin_ft: tuple[float, float], turn_deg: float
) -> PatternLine:
    """Base and offset from the family's own axes, in inches, to the ground."""
    angle, (x, y), (along, across), dashes = family
    turned = math.radians(angle + turn_deg)
    cos, sin = math.cos(turned), math.sin(turned)
    base = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    place = (
        origin_ft[0] + (x * base[0] - y * base[1]) * scale,
        origin_ft[1] + (x * base[1] + y * base[0]) * scale,
    )
    offset = ((along * cos - across * sin) * scale, (along * sin + across * cos) * scale)
    return angle + turn_deg, place, offset, [value * scale for value in dashes]
