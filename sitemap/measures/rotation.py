"""How the ground lies on the sheets: north up, north left, along the longest side, or as asked."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from sitemap.errors import UsageError
from sitemap.measures.turn import half_turn, turn_to_longest_side

NORTH_UP, NORTH_LEFT = 0.0, 90.0
AUTO: Literal["auto"] = "auto"
LONGEST: Literal["longest"] = "longest"
FAN_DEG = 15.0  # between the turns that auto tries where neither north up nor left will do

Wish = float | Literal["auto", "longest"]


def parse_rotation(said: str | float | None) -> Wish:
    """Degrees that north is turned to the left of up, "longest", or "auto" (also for None).

    "up" is 0, "left" 90; degrees lie between -180 and 180. UsageError for anything else.
    """
    words = str(AUTO if said is None else said).strip().lower().removesuffix("°").strip()
    if words == AUTO:
        return AUTO
    if words == LONGEST:
        return LONGEST
    named = {"up": NORTH_UP, "left": NORTH_LEFT, "right": -NORTH_LEFT, "down": 180.0}
    try:
        turn = named[words] if words in named else float(words)
    except ValueError:
        turn = math.nan
    if not -180.0 <= turn <= 180.0:
        raise UsageError(
            f"--rotation {said!r}: give up or left for where north lies, longest to lay the site's "
            "longest side along the sheet, the degrees that north is turned to the left of up "
            "(-180 to 180, to the right with a minus), or auto for whichever takes fewer sheets"
        )
    return 180.0 if turn == -180.0 else turn + 0.0  # no minus before a zero


def turns_for_one(wish: Wish, core_ft: np.ndarray) -> tuple[float, ...]:
    """Turns at which one sheet may hold the site, the preferred first.

    core_ft are the corners of the convex outline of what must be shown, shape (n, 2).
    """
    if not isinstance(wish, str):
        return (float(wish),)
    along = turn_to_longest_side(core_ft)
    if wish == LONGEST:
        return (along,)
    return tuple(dict.fromkeys((NORTH_UP, NORTH_LEFT, along)))


def turns_for_set(wish: Wish, core_ft: np.ndarray) -> tuple[float, ...]:
    """Turns that are tried for a set, the preferred first: those that read easiest."""
    ones = turns_for_one(wish, core_ft)
    if wish != AUTO:
        return ones
    across = half_turn(ones[-1] + 90.0)
    fan = sorted((half_turn(t) for t in np.arange(0.0, 180.0, FAN_DEG).tolist()), key=abs)
    return tuple(dict.fromkeys((*ones, across, *fan)))


def rotation_words(rotation_deg: float) -> str:
    """Where north lies on the sheet, for the reader of a report; "" where it is up."""
    if rotation_deg == NORTH_UP:
        return ""
    quarters = {90.0: "to the left", -90.0: "to the right", 180.0: "down"}
    if rotation_deg in quarters:
        return f"north lies {quarters[rotation_deg]}"
    side = "left" if rotation_deg > 0 else "right"
    return f"north lies {abs(rotation_deg):g}° to the {side} of up"
