"""A contour layer of a site, surveyed: the interval in force and the ground that lacks a level.

Existing contours are looked at outside the graded area, proposed ones inside it (rules.md,
reading 4); where no proposed contours are drawn, the existing ones hold everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.measures.contour_gaps import GroundGap, ground_gaps
from sitemap.measures.contours import Contours, contours_in
from sitemap.measures.intervals import (
    IntervalInForce,
    interval_in_force,
    levels_between,
    outlying_levels,
)
from sitemap.site import RoleLayer, Site

CONTOUR_ROLES = ("contours_existing", "contours_proposed")
ROUND_ABOUT_FT = 300.0  # contours farther from boundary and disturbance are not the map's
STEP_ROOM_FT = 0.02  # levels of a metric map are rounded to 0.01 ft
SECOND_INTERVAL_SHARE = 0.25  # of the ground


@dataclass(frozen=True, eq=False)
class ContourSurvey:
    """What was measured on one contour layer.

    interval is None when fewer than two levels are drawn. gaps are places where neighbours on
    the ground differ by more than the regular step. second_ft is a wider step that covers much
    of the ground by itself (a map with supplementary contours in its flats).
    """

    role: str
    contours: Contours
    interval: IntervalInForce | None
    gaps: tuple[GroundGap, ...]
    second_ft: tuple[float, ...] = ()

    def missing_in(self, gap: GroundGap) -> tuple[float, ...]:
        """The levels that a gap lacks, feet."""
        step = self.interval.step_ft if self.interval else gap.step_ft
        return levels_between(gap.low_ft, gap.high_ft, step)

    @property
    def words(self) -> str:
        """What was looked at, for the evidence."""
        levels = self.contours.levels
        title = self.role.replace("_", " ")
        if self.interval is None:
            return f"{title}: {len(self.contours)} lines of one level, no step to measure"
        wider = "".join(f", {step:g} ft over much of the ground" for step in self.second_ft)
        return (
            f"{title}: interval {self.interval.step_ft:g} ft over "
            f"{self.interval.share:.0%} of the drawn length{wider}; {len(levels)} levels from "
            f"{levels[0]:g} to {levels[-1]:g} ft, every pair of neighbours on the ground compared"
        )


@lru_cache(maxsize=4)
def usable_contours(layer: RoleLayer) -> Contours:
    """The contours whose elevation can be believed: neither missing, nor zero, nor an outlier."""
    contours = contours_in(layer)
    if len(contours) == 0:
        return contours
    level = contours.levels_ft
    if wrong_zero(level) or not (level != 0).any():  # all at 0: nobody gave them an elevation
        contours = contours.keep(level != 0)
    if len(contours) == 0:
        return contours
    out = [o.level_ft for o in outlying_levels(contours.levels_ft, contours.lengths_ft)]
    return contours.keep(~np.isin(np.round(contours.levels_ft, 3), out))


def wrong_zero(levels_ft: np.ndarray) -> bool:
    """True when level 0 cannot belong to the others: farther from them than they from each other.

    On a coast 0 stands among -2 and 2 and is right.
    """
    others = np.unique(np.round(levels_ft[levels_ft != 0], 3))
    if len(others) == 0 or not (levels_ft == 0).any():
        return False
    usual = float(np.median(np.diff(others))) if len(others) > 1 else 5.0
    return bool(np.abs(others).min() > 5.0 * usual)


@lru_cache(maxsize=4)
def survey_contours(site: Site, role: str) -> ContourSurvey | None:
    """The survey of one contour layer; None without the layer or without believable levels.

    Kept for the last few sites, since several rules read it.
    """
    layer = site.role(role)
    if layer is None:
        return None
    contours = usable_contours(layer)
    if role == "contours_existing":
        contours = _round_about(site, contours)
    if len(contours) == 0:
        return None
    interval = interval_in_force(contours.levels_ft, contours.lengths_ft)
    if interval is None:
        return ContourSurvey(role, contours, None, ())
    graded = _graded(site)
    if role == "contours_proposed":
        existing = survey_contours(site, "contours_existing")
        beside = existing.contours if existing else None
        # proposed contours run on into existing ones, which may have a wider step
        wider = existing.interval.step_ft if existing and existing.interval else 0.0
        threshold = max(interval.step_ft, wider) + STEP_ROOM_FT
        gaps = ground_gaps(contours, threshold, inside=graded, beside=beside)
    else:
        threshold = interval.step_ft + STEP_ROOM_FT
        gaps = ground_gaps(contours, threshold, outside=graded if _has_proposed(site) else None)
    second = _second_intervals(contours, gaps)
    return ContourSurvey(role, contours, interval, tuple(gaps), second)


def not_judged(site: Site) -> Iterator[str]:
    """Why, for each contour layer that has features and gives no survey."""
    for role in CONTOUR_ROLES:
        layer = site.role(role)
        if layer is None or layer.usable.empty or survey_contours(site, role) is not None:
            continue
        title = role.replace("_", " ")
        if len(usable_contours(layer)):
            yield f"no line of {title} lies at the site: see CRS003"
        else:
            yield f"no feature of {title} is a line with a believable elevation: see CON003, CON007"


def _graded(site: Site) -> BaseGeometry | None:
    layer = site.role("disturbance")
    if layer is None or layer.usable.empty:
        return None
    area: BaseGeometry = layer.usable.geometry.make_valid().union_all()
    return area if area.area > 0 else None


def _has_proposed(site: Site) -> bool:
    layer = site.role("contours_proposed")
    return layer is not None and not layer.usable.empty


def _round_about(site: Site, contours: Contours) -> Contours:
    """The contours near the site: a county's data set is not the map."""
    near = [shape for shape in (site.boundary, _graded(site)) if shape is not None]
    if not near:
        return contours
    xmin, ymin, xmax, ymax = shapely.total_bounds(near).tolist()
    room = max(ROUND_ABOUT_FT, 0.25 * max(xmax - xmin, ymax - ymin))
    bounds = (xmin - room, ymin - room, xmax + room, ymax + room)
    total = shapely.total_bounds(contours.lines) if len(contours) else np.zeros(4)
    if (total[:2] >= bounds[:2]).all() and (total[2:] <= bounds[2:]).all():
        return contours
    return contours.within(bounds)


def _second_intervals(contours: Contours, gaps: list[GroundGap]) -> tuple[float, ...]:
    """Wider steps between three or more pairs of levels over a quarter of the ground."""
    found = []
    for step in sorted({gap.step_ft for gap in gaps}):
        same = [gap for gap in gaps if gap.step_ft == step]
        pairs = {gap.low_ft for gap in same}
        area = sum(gap.ground.area for gap in same)
        if len(pairs) >= 3 and area > SECOND_INTERVAL_SHARE * contours.hull.area:
            found.append(step)
    return tuple(found)
