"""Soil loss by the Universal Soil Loss Equation, A = R x %R x K x LS x C, as it is used on sites.

Sheet and rill erosion only. Pure arithmetic: every factor is given. Lengths are feet, slopes
percent, soil loss tons per acre (US customary units of the equation).
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

UNIT_PLOT_FT = 72.6
STEEPEST_PCT = 33.0  # the equation does not hold on steeper slopes
SI_EROSIVITY_PER_US = 17.02  # MJ mm/(ha h yr) for one hundred ft tonf in/(acre h yr)
SI_ERODIBILITY_PER_US = 0.1317  # t ha h/(ha MJ mm) for one ton acre h/(hundred acre ft tonf in)
KG_PER_M2_PER_TON_PER_ACRE = 0.2242
_LEAP_YEAR = 2000
_DAYS = 366.0


class TooSteepError(ValueError):
    """A slope over 33 %, for which the equation is not valid."""


def slope_exponent(slope_pct: float, least: float = 0.2) -> float:
    """The m of (L / 72.6)^m: 0.5 from 5 %, 0.4 over 3 %, 0.3 from 1 to 3 %, `least` under 1.

    AH-537 prints 0.4 for 3.5 to 4.5 %; what lies between its classes is taken with 0.4. So LS
    jumps where the class changes.
    """
    if slope_pct >= 5.0:
        return 0.5
    if slope_pct > 3.0:
        return 0.4
    return 0.3 if slope_pct >= 1.0 else least


def ls_sine(length_ft: float, slope_pct: float) -> float:
    """Topographic factor by AH-537: (L/72.6)^m (65.41 sin^2 t + 4.56 sin t + 0.065).

    ValueError when the length is not greater than 0; TooSteepError over 33 %.
    """
    _require(length_ft, slope_pct)
    sine = math.sin(math.atan(slope_pct / 100.0))
    steepness = 65.41 * sine**2 + 4.56 * sine + 0.065
    return float((length_ft / UNIT_PLOT_FT) ** slope_exponent(slope_pct) * steepness)


def ls_fraction(length_ft: float, slope_pct: float) -> float:
    """Topographic factor by the older form: (L/72.6)^m (430 S^2 + 30 S + 0.43) / 6.613.

    S is the slope as a fraction; m is 0.3 up to 3 %. Errors as ls_sine.
    """
    _require(length_ft, slope_pct)
    fraction = slope_pct / 100.0
    steepness = (430.0 * fraction**2 + 30.0 * fraction + 0.43) / 6.613
    return float((length_ft / UNIT_PLOT_FT) ** slope_exponent(slope_pct, 0.3) * steepness)


def _require(length_ft: float, slope_pct: float) -> None:
    if not length_ft > 0.0 or not slope_pct >= 0.0:
        raise ValueError(f"slope length {length_ft} ft and slope {slope_pct} % are no slope")
    if slope_pct > STEEPEST_PCT:
        raise TooSteepError(
            f"a slope of {slope_pct:g} %: the soil loss equation is not valid over "
            f"{STEEPEST_PCT:g} %"
        )


def us_erosivity(value: float, unit: str) -> float:
    """Annual R in US units; unit is "US", or "SI" for MJ mm/(ha h yr)."""
    return value / SI_EROSIVITY_PER_US if unit == "SI" else value


def us_erodibility(value: float, unit: str) -> float:
    """K in US units; unit is "US", or "SI" for t ha h/(ha MJ mm)."""
    return value / SI_ERODIBILITY_PER_US if unit == "SI" else value


def kg_per_m2(tons_per_acre: float) -> float:
    """A soil loss in kilograms per square metre."""
    return tons_per_acre * KG_PER_M2_PER_TON_PER_ACRE


# ------------------------------------------------------------------------------------- dates


@dataclass(frozen=True)
class Window:
    """Days from start to end, both counted."""

    start: dt.date
    end: dt.date

    def __str__(self) -> str:
        return f"{self.start} to {self.end}"

    @property
    def day_after(self) -> dt.date:
        """The first day that is not in it."""
        return self.end + dt.timedelta(days=1)


def calculation_windows(start: dt.date, end: dt.date) -> tuple[Window, ...]:
    """The periods of at most 12 months that a plan of these dates is calculated for.

    Twelve months on end from the start, and the last twelve months to the end, so that nothing
    is averaged over more than a year. ValueError when the end is before the start.
    """
    if end < start:
        raise ValueError(f"it ends on {end}, before its start on {start}")
    found = []
    begin, after = start, end + dt.timedelta(days=1)
    while _years_on(begin, 1) <= after:
        following = _years_on(begin, 1)
        found.append(Window(begin, following - dt.timedelta(days=1)))
        begin = following
    if begin < after:
        last = max(start, _years_on(after, -1))
        found.append(Window(last, end))
    return tuple(found)


def _years_on(day: dt.date, years: int) -> dt.date:
    """The same day of another year; Mar 1 for a Feb 29 that the year does not have."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return dt.date(day.year + years, 3, 1)


class Erosivity:
    """How the year's erosivity builds up: cumulative percent by date, straight between the dates.

    It is 0 % when January 1 begins and 100 % when December 31 ends, by its definition.
    """

    def __init__(self, cumulative_pct: Mapping[str, float]) -> None:
        """From days such as "05-15"; ValueError when the percent falls or passes 100."""
        known = sorted((_place(day), float(pct)) for day, pct in cumulative_pct.items())
        if not known:
            raise ValueError("no day with its cumulative percent is given")
        inner = [(at, pct) for at, pct in known if 0.0 < at < 1.0]
        first = [pct for at, pct in known if at == 0.0 and pct != 0.0]
        if first:
            raise ValueError(f"January 1 has {first[0]:g} %; the year begins with 0 %")
        self._at = np.array([0.0, *(at for at, _ in inner), 1.0])
        self._pct = np.array([0.0, *(pct for _, pct in inner), 100.0])
        if (np.diff(self._pct) < 0).any():
            number = int(np.flatnonzero(np.diff(self._pct) < 0)[0])
            raise ValueError(
                f"the percent falls from {self._pct[number]:g} to {self._pct[number + 1]:g}; "
                "it is cumulative from January 1 and cannot fall"
            )

    @property
    def widest_gap_days(self) -> int:
        """The longest time between two given days, over which the line is straight."""
        return round(float(np.diff(self._at).max()) * _DAYS)

    def cumulative_pct(self, day: dt.date) -> float:
        """Percent of the year's erosivity before a day begins."""
        place = _place(f"{day.month:02d}-{day.day:02d}")
        return float(np.interp(place, self._at, self._pct))

    def percent(self, start: dt.date, until: dt.date) -> float:
        """Percent of the annual erosivity from the start of one day to the start of another.

        100 for a year; more for more. ValueError when `until` is before the start.
        """
        if until < start:
            raise ValueError(f"{until} is before {start}")
        years = 100.0 * (until.year - start.year)
        return years + self.cumulative_pct(until) - self.cumulative_pct(start)


def _place(day: str) -> float:
    """Where a day such as "05-15" lies in a leap year, from 0 to 1; ValueError for none."""
    month, number = (int(part) for part in day.split("-"))
    return (dt.date(_LEAP_YEAR, month, number) - dt.date(_LEAP_YEAR, 1, 1)).days / _DAYS


# --------------------------------------------------------------------------------- soil loss


@dataclass(frozen=True)
class Cover:
    """A cover from a day on; c is its factor C, from 0 to 1."""

    name: str
    start: dt.date
    c: float


@dataclass(frozen=True)
class WindowLoss:
    """The soil loss of one window.

    erosivity_pct is the share of the annual R that falls in it, weighted_pct the same with each
    cover's share multiplied by its C.
    """

    window: Window
    erosivity_pct: float
    weighted_pct: float
    tons_per_acre: float


def window_losses(
    covers: Sequence[Cover],
    end: dt.date,
    erosivity: Erosivity,
    *,
    r: float,
    k: float,
    ls: float,
    efficiency: float = 0.0,
) -> tuple[WindowLoss, ...]:
    """A for every window from the first cover to the end, after practices of this efficiency.

    Covers run in date order, each until the next begins, the last until the end. ValueError when
    there is none, or the end comes before one of them.
    """
    if not covers:
        raise ValueError("no cover with its date is given")
    ordered = sorted(covers, key=lambda cover: cover.start)
    if end < ordered[-1].start:
        raise ValueError(f"it ends on {end}, before its cover of {ordered[-1].start}")
    found = []
    for window in calculation_windows(ordered[0].start, end):
        weighted = sum(
            cover.c * erosivity.percent(begin, until)
            for cover, begin, until in _periods(ordered, window)
        )
        share = erosivity.percent(window.start, window.day_after)
        tons = r * weighted / 100.0 * k * ls * (1.0 - efficiency)
        found.append(WindowLoss(window, share, weighted, tons))
    return tuple(found)


def _periods(covers: Sequence[Cover], window: Window) -> list[tuple[Cover, dt.date, dt.date]]:
    """The covers of a window, each with its first day and the first day after it."""
    ends = [cover.start for cover in covers[1:]] + [window.day_after]
    periods = [
        (cover, max(cover.start, window.start), min(end, window.day_after))
        for cover, end in zip(covers, ends, strict=True)
    ]
    return [period for period in periods if period[1] < period[2]]
