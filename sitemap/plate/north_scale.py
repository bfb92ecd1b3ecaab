"""North arrow with convergence, scale bar, print check: what ties paper to ground."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from sitemap.crs import convergence_deg
from sitemap.measures.turn import cos_sin, turned
from sitemap.plate.blocks import CLAUSE_INK, TABLE_CAP_IN, Block, wrap
from sitemap.plate.fonts import text_width_in
from sitemap.plate.marks import Areas, GroundFrame, Lines, Mark, Path, Text
from sitemap.units import MapScale, plain_number

CHECK_IN = 6.0
CHECK_WORDS = "If this bar is not 6 inches long, this print is not to scale."
SCALE_CAP_IN = 0.12
SHOWN_TURN_DEG = 14.0  # of true north on the arrow; in truth a degree or two
LINE_IN = 0.135
LETTER_ROOM_IN = 0.18  # about the arrow, for its letters


def scale_words(scale: MapScale) -> str:
    """The scale as it is stated: full size and half size."""
    return f"{scale} (half size: {scale.at_half_size()})"


def north_block(frame: GroundFrame, width_in: float, height_in: float) -> Block:
    """Grid north as it lies on the sheet, true north beside it by the convergence amid the map."""
    middle = frame.corners_ft.mean(axis=0)
    turn = convergence_deg(frame.crs, float(middle[0]), float(middle[1]))
    text_room = 4 * LINE_IN + 0.1
    marks = (
        _arrow_turned(turn, frame.rotation_deg, width_in, height_in - text_room)
        if frame.rotation_deg
        else _arrow_up(turn, width_in / 2.0, -0.26, -(height_in - text_room))
    )
    bottom = -(height_in - text_room)
    for row, words in enumerate(["NORTH (grid)", *_convergence_words(turn)]):
        y = bottom - 0.08 - TABLE_CAP_IN - row * LINE_IN
        marks.append(Text("", width_in / 2.0, y, words, TABLE_CAP_IN, bold=row == 0, ha="center"))
    return Block("north", width_in, height_in, tuple(marks))


def _arrow_up(turn: float, x: float, top: float, bottom: float) -> list[Mark]:
    """The arrow from bottom to top about x, and the shaft of true north with their letters."""
    length = top - bottom
    half = min(0.13, length * 0.12)
    foot = bottom + length * 0.22
    left = np.array([[x, top], [x - half, bottom], [x, foot], [x, top]])
    right = np.array([[x, top], [x + half, bottom], [x, foot], [x, top]])
    marks: list[Mark] = [
        Text("", x, top + 0.10, "N", 0.16, bold=True, ha="center"),
        Areas("", ((left,),), "#000000"),
        Lines("", (left, right), 0.7, join="miter"),
    ]
    # true north lies to the left of grid north where grid north lies east of it
    side = 1.0 if turn > 0 else -1.0
    angle = np.deg2rad(90.0 + side * SHOWN_TURN_DEG)
    tip = np.array([x, foot]) + (length * 0.70) * np.array([np.cos(angle), np.sin(angle)])
    marks.append(Lines("", (np.array([[x, foot], tip]),), 0.5))
    marks.append(Text("", float(tip[0]), float(tip[1]) + 0.03, "T", TABLE_CAP_IN, ha="center"))
    return marks


def _arrow_turned(
    turn: float, rotation_deg: float, width_in: float, height_in: float
) -> list[Mark]:
    """The same arrow as the ground is turned, as long as there is room for; its letters upright."""
    cos, sin = cos_sin(rotation_deg)
    wide, high = abs(sin), abs(cos)
    length = min(
        (room - 2.0 * LETTER_ROOM_IN) / share
        for room, share in ((width_in, wide), (height_in, high))
        if share > 0.1
    )
    half = length / 2.0
    middle = np.array([width_in / 2.0 + 0.08 * sin, -height_in / 2.0])

    def lie(xy: np.ndarray) -> np.ndarray:
        return np.asarray(middle + turned(xy, rotation_deg))

    marks: list[Mark] = []
    for mark in _arrow_up(turn, 0.0, half, -half):
        if isinstance(mark, Lines):
            marks.append(replace(mark, paths=tuple(lie(path) for path in mark.paths)))
        elif isinstance(mark, Areas):
            rings = tuple(tuple(lie(ring) for ring in p) for p in mark.polygons)
            marks.append(replace(mark, polygons=rings))
        elif isinstance(mark, Text):  # from the middle of the letter to the middle of the letter
            lift = mark.cap_in / 2.0
            x, y = lie(np.array([[mark.x_in, mark.y_in + lift]]))[0]
            marks.append(replace(mark, x_in=float(x), y_in=float(y) - lift))
    return marks


def _convergence_words(turn_deg: float) -> list[str]:
    """The true size of the angle, which the arrow shows larger than it is."""
    seconds = round(abs(turn_deg) * 3600)
    degrees, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    side = "west" if turn_deg >= 0 else "east"
    return [
        "True north (T) lies",
        f"{degrees}°{minutes:02d}'{seconds:02d}\" {side} of it",
        "(angle exaggerated)",
    ]


def scale_block(frame: GroundFrame, width_in: float) -> Block:
    """Bar scale in feet of the frame's own scale, and the scale in words."""
    scale = MapScale(frame.feet_per_inch)
    step_ft = _round_step(scale.ground_ft(min(width_in, 6.0)) / 6.0)
    step = scale.paper_in(step_ft)
    count = max(2, int((min(width_in, 6.4) - 0.7) / step) - 1)
    total = step * (count + 1)
    x0 = (width_in - total) / 2.0
    y, height = -0.42, 0.09
    zero = x0 + step
    fine = [zero - step + i * step / 2.0 for i in range(3)]
    coarse = [zero + i * step for i in range(count + 1)]
    edges = fine[:-1] + coarse
    black = [  # lower and upper half by turns
        _rectangle(a, b, y + (i % 2) * height / 2.0, height / 2.0)
        for i, (a, b) in enumerate(pairwise(edges))
    ]
    outline = _rectangle(edges[0], edges[-1], y, height)
    marks: list[Mark] = [
        Text("", width_in / 2.0, -0.14, f"SCALE: {scale_words(scale)}", SCALE_CAP_IN, bold=True,
             ha="center"),
        Areas("", tuple((b,) for b in black), "#000000"),
        Lines("", (outline,), 0.35, join="miter"),
    ]  # fmt: skip
    labels = [(edges[0], f"{step_ft:g}"), (zero, "0")]
    labels += [(zero + i * step, plain_number(i * step_ft)) for i in range(1, count + 1)]
    under = y - 0.05 - TABLE_CAP_IN
    marks += [Text("", x, under, words, TABLE_CAP_IN, ha="center") for x, words in labels]
    last = edges[-1] + text_width_in(labels[-1][1], TABLE_CAP_IN) / 2.0 + 0.06
    marks.append(Text("", last, under, "feet", TABLE_CAP_IN))
    return Block("scale", width_in, -under + 0.04, tuple(marks))


def _rectangle(left: float, right: float, bottom: float, height: float) -> Path:
    top = bottom + height
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]])


def _round_step(wanted_ft: float) -> float:
    """The round number of feet next to what is wanted."""
    power = 10.0 ** np.floor(np.log10(wanted_ft))
    steps = np.array([1.0, 2.0, 5.0, 10.0]) * power
    return float(steps[int(np.argmin(np.abs(steps - wanted_ft)))])


def check_block(width_in: float) -> Block:
    """A bar of exactly 6 in, and what it means when it is not."""
    x0, y = (width_in - CHECK_IN) / 2.0, -0.05
    strokes: list[Path] = [np.array([[x0, y], [x0 + CHECK_IN, y]])]
    for inch in range(7):
        tall = 0.05 if inch in (0, 6) else 0.025
        strokes.append(np.array([[x0 + inch, y - tall], [x0 + inch, y + tall]]))
    marks: list[Mark] = [Lines("", tuple(strokes), 0.7)]
    y -= 0.06
    for line in wrap(CHECK_WORDS, width_in, TABLE_CAP_IN):
        y -= TABLE_CAP_IN + 0.02
        marks.append(Text("", width_in / 2.0, y, line, TABLE_CAP_IN, ha="center", ink=CLAUSE_INK))
    return Block("print check", width_in, -y + 0.03, tuple(marks))
