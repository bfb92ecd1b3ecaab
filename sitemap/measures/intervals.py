"""The step between levels: which interval is in force, and which levels it lacks. Feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class IntervalInForce:
    """The step that most of the drawn length has, and the share of the length that has it."""

    step_ft: float
    share: float


def interval_in_force(levels_ft: np.ndarray, lengths_ft: np.ndarray) -> IntervalInForce | None:
    """The modal step between neighbouring levels, weighted by line length; None for one level.

    Each step weighs what its two levels have of line length on the average. Of steps with equal
    weight the smaller is taken, since a level left out makes larger steps, never smaller ones.
    """
    levels, inverse = np.unique(np.round(levels_ft, 3), return_inverse=True)
    if len(levels) < 2:
        return None
    weight = np.bincount(inverse, weights=lengths_ft, minlength=len(levels))
    step = np.round(np.diff(levels), 2)
    drawn = (weight[1:] + weight[:-1]) / 2.0
    _, slot = np.unique(step, return_inverse=True)
    total = np.bincount(slot, weights=drawn)
    best = int(np.flatnonzero(total >= total.max() * (1.0 - 1e-9))[0])
    # the exact mean of the steps rounded together: 1 m is 3.28084 ft, not 3.28
    exact = float(np.diff(levels)[slot == best].mean())
    return IntervalInForce(float(np.round(exact, 3)), float(total[best] / total.sum()))


def levels_between(low_ft: float, high_ft: float, step_ft: float) -> tuple[float, ...]:
    """The levels of a regular interval that lie strictly between two of its levels."""
    count = round((high_ft - low_ft) / step_ft)
    return tuple(float(np.round(low_ft + step_ft * i, 2)) for i in range(1, count))


@dataclass(frozen=True)
class Outlier:
    """A level far from all others: its number, and what it may have been meant to be."""

    level_ft: float
    hint: str


def outlying_levels(
    levels_ft: np.ndarray,
    lengths_ft: np.ndarray | None = None,
    usual_step_ft: float | None = None,
) -> list[Outlier]:
    """Levels that no neighbour explains: 8 or 8200 among 820s.

    Levels are split where the step to the next is more than 20 times the median step; what is not
    in the main body (most features, or most length) lies out when it is farther from it than
    the body is high, or than 100 median steps. The main body must hold two thirds of the whole,
    or nothing is called an outlier: two hills on one map are no fault. usual_step_ft stands for
    the median step where the values are no levels, as spot heights are not.
    """
    values, inverse = np.unique(np.round(levels_ft, 3), return_inverse=True)
    if len(values) < 3:
        return []
    weight = np.bincount(inverse, weights=lengths_ft, minlength=len(values))
    step = np.diff(values)
    usual = float(np.median(step)) if usual_step_ft is None else usual_step_ft
    wide = step > 20.0 * usual
    groups = np.concatenate([[0], np.cumsum(wide)])
    total = np.bincount(groups, weights=weight)
    main = int(np.argmax(total))
    body = values[groups == main]
    if total[main] < total.sum() * 2.0 / 3.0 or len(body) < 2:
        return []
    far = min(float(body[-1] - body[0]), 100.0 * usual)
    away = np.maximum(body[0] - values, values - body[-1])
    return [Outlier(float(v), _meant(float(v), body)) for v in values[away > far]]


def _meant(value: float, body: np.ndarray) -> str:
    """Why a level may be wrong, in words; empty when nothing fits."""
    low, high = float(body[0]), float(body[-1])
    room = 0.1 * (high - low) + 1.0

    def fits(number: float) -> bool:
        return low - room <= number <= high + room

    if abs(value) in (9999.0, 99999.0, 999.0, 32767.0, 32768.0) or abs(value) > 1e6:
        return "it looks like a mark for no data"
    for digits in (1, 2):
        if fits(value / 10**digits):
            return f"a digit too many, or a lost decimal point: {value / 10**digits:g}?"
        scaled = value * 10**digits
        if value > 0 and (fits(scaled) or int(low / 10**digits) <= value <= high / 10**digits):
            return f"{digits} digit{'s' if digits > 1 else ''} lost: {low:g} to {high:g} is usual"
    if fits(value / 0.3048):
        return f"it may be in metres: {value / 0.3048:.1f} ft"
    if fits(value * 0.3048):
        return f"it may be in feet among metres: {value * 0.3048:.1f}"
    return ""
