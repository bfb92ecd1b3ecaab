"""CON002: a level of the regular interval that is not drawn where it must run."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measures.contour_gaps import GroundGap
from sitemap.measures.contour_survey import (
    CONTOUR_ROLES,
    ContourSurvey,
    not_judged,
    survey_contours,
)
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site

MOST_PLACES = 25


@rule(
    "CON002",
    clauses=("contours",),
    needs=("contours_existing",),
    uses=("contours_proposed", "disturbance"),
)
def level_missing(
    site: Site,
    contours_existing: RoleLayer,
    contours_proposed: RoleLayer | None,
    disturbance: RoleLayer | None,
) -> Iterator[Said]:
    """The map has a place where a level of its own contour interval is missing.

    Why
        Whoever reads slopes off the lines counts them. Where one is left out, the ground looks
        half as steep as it is.

    How it is measured
        By the same survey as CON001: the regular step is the one that most of the drawn length
        has; where contours that are neighbours on the ground differ by more, the levels between
        are missing there. Metric levels rounded to 0.01 ft are allowed for. A wider step that
        holds between three or more pairs of levels over a quarter of the ground is a second
        interval (supplementary contours in the flats), not a fault. When the step exceeds the
        limit as well, CON001 says so too: then two things are wrong.

    When it does not apply
        To contours without a believable elevation, and to fewer than two levels.

    How to fix
        Draw the missing contour, or correct the elevation of the one that stands in its place.

    References
        § 162-11B(4), "interval not to exceed five feet": an interval is regular.
    """
    for role in CONTOUR_ROLES:
        survey = survey_contours(site, role)
        if survey is None:
            continue
        yield Checked(survey.words, len(survey.contours))
        gaps = [gap for gap in survey.gaps if gap.step_ft not in survey.second_ft]
        for gap in gaps[:MOST_PLACES]:
            yield _fault(survey, gap)
        if len(gaps) > MOST_PLACES:
            yield _rest(survey, gaps[MOST_PLACES:])
    for why in not_judged(site):
        yield Skip(why)


def _fault(survey: ContourSurvey, gap: GroundGap) -> Fault:
    regular = survey.interval.step_ft if survey.interval else gap.step_ft
    levels = survey.missing_in(gap)
    named, verb = _named(levels)
    title = survey.role.replace("_", " ")
    return Fault(
        f"{title}: {named} {verb} missing between {gap.low_ft:g} and {gap.high_ft:g} ft, "
        f"where the interval is {regular:g} ft",
        f"draw {named} here, or correct the elevation of the line beside it",
        geometry=gap.ground,
        measured=Quantity(gap.step_ft, "ft"),
        limit=Limit(regular, "ft"),
        role=survey.role,
        distinct=f"{gap.low_ft:g}-{gap.high_ft:g}",
    )


def _named(levels: tuple[float, ...]) -> tuple[str, str]:
    """'level 846 ft', 'is'; of many levels only the first and the last."""
    if len(levels) == 1:
        return f"level {levels[0]:g} ft", "is"
    if not levels:
        return "a level", "is"
    word = "and" if len(levels) == 2 else "to"
    return f"levels {levels[0]:g} {word} {levels[-1]:g} ft", "are"


def _rest(survey: ContourSurvey, gaps: list[GroundGap]) -> Fault:
    levels = sorted({level for gap in gaps for level in survey.missing_in(gap)})
    title = survey.role.replace("_", " ")
    return Fault(
        f"{title}: levels are missing at {len(gaps)} more places, between {levels[0]:g} and "
        f"{levels[-1]:g} ft",
        "draw the missing contours there",
        geometry=shapely.union_all([gap.ground for gap in gaps]),
        role=survey.role,
        distinct="more places",
    )
