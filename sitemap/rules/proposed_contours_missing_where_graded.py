"""CON008: disturbed ground that is graded, without proposed contours."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity
from sitemap.measures.contour_survey import survey_contours, usable_contours
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.design import cells_inside
from sitemap.terrain.surface import Surface

OTHERWISE_FT = 5.0
NEAR_FT = 1.0  # a contour at the very limit of an area shows it
_GRADED = re.compile(r"grad|excavat|\bcut|\bfill|earthw|borrow|\bpad|street|road|basin|pond", re.I)
_LEFT = re.compile(r"clear|staging|stockpil|laydown|utilit|trench|access|seed|plant|none", re.I)


@rule(
    "CON008",
    clauses=("c",),
    needs=("disturbance",),
    uses=("contours_proposed", "contours_existing", "elevation"),
)
def proposed_contours_missing_where_graded(
    site: Site, disturbance: RoleLayer, contours_proposed: RoleLayer | None, surface: Surface
) -> Iterator[Said]:
    """The map has graded ground without proposed contours.

    Why
        Drainage patterns after grading cannot be seen, nor computed, where the new ground is not
        drawn.

    How it is measured
        For each disturbed area: the relief of the existing ground inside it. Where it is more than
        the interval in force, at least one proposed contour must cross or touch the area if it is
        graded. An area whose activity says grading (grading, cut, fill, street, basin ...) and
        that has none is a finding; one whose activity does not say is a question for a person; one
        that is only cleared, trenched or used for staging needs none.

    When it does not apply
        Where the existing ground inside has no more relief than one interval, and where no
        disturbed area is drawn. Where no existing ground is known inside them, it is not judged.

    How to fix
        Draw the contours of the finished ground, or say in the activity that the ground keeps its
        shape.

    References
        § 162-11B(4)(c), drainage patterns and approximate slopes anticipated after major grading.
    """
    frame = disturbance.usable
    areas = shapely.make_valid(frame.geometry.to_numpy())
    survey = survey_contours(site, "contours_existing")
    step_ft = survey.interval.step_ft if survey and survey.interval else OTHERWISE_FT
    drawn = None if contours_proposed is None else usable_contours(contours_proposed)
    lines = shapely.union_all(drawn.lines) if drawn is not None and len(drawn) else None
    where = sources(frame)
    looked_at, level, hidden = 0, 0, 0
    for row, area in enumerate(areas.tolist()):
        relief_ft = _relief_ft(surface, area)
        if not np.isfinite(relief_ft):
            hidden += 1
            continue
        looked_at += 1
        if relief_ft <= step_ft:
            level += 1
            continue
        if lines is not None and shapely.dwithin(lines, area, NEAR_FT):
            continue
        name = where[row].user_id or f"record {where[row].feature}"
        activity = frame["activity"].iloc[row]
        activity = activity if isinstance(activity, str) else ""
        said = f"{name}{f' ({activity})' if activity else ''}"
        if _GRADED.search(activity):
            yield Fault(
                f"{said} is graded over existing ground with {relief_ft:.1f} ft of relief, and no "
                f"proposed contour crosses it; the interval is {step_ft:g} ft",
                "draw the contours of the finished ground",
                geometry=area,
                measured=Quantity(round(relief_ft, 1), "ft"),
                limit=Limit(step_ft, "ft", "<="),
                role="contours_proposed",
                source=where[row],
            )
        elif not _LEFT.search(activity):
            yield Ask(
                f"does {said} keep the shape of its ground? Its relief is {relief_ft:.1f} ft and "
                "no proposed contour crosses it",
                "c",
                area,
            )
    if looked_at:
        flat = f", {level} with no more relief than the interval" if level else ""
        flat += f"; the ground of {hidden} more is not known" if hidden else ""
        yield Checked(
            f"proposed contours looked for in {looked_at} disturbed areas{flat}", looked_at
        )
    else:
        yield Skip("the ground inside the disturbed areas is not known")


def _relief_ft(surface: Surface, area: BaseGeometry) -> float:
    """Highest less lowest existing ground inside an area, NaN where it is void."""
    heights = surface.z_ft[cells_inside(surface, area)]
    heights = heights[np.isfinite(heights)]
    if not len(heights):
        area = shapely.intersection(area, shapely.box(*surface.bounds))
        inner = shapely.get_coordinates(shapely.segmentize(shapely.boundary(area), 5.0))
        heights = surface.heights_at(inner)
        heights = heights[np.isfinite(heights)]
    return float(np.ptp(heights)) if len(heights) else float("nan")
