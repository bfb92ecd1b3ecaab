"""CON001: a contour interval of more than five feet."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measures.contour_gaps import contiguous
from sitemap.measures.contour_survey import (
    CONTOUR_ROLES,
    ContourSurvey,
    not_judged,
    survey_contours,
)
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

MOST_PLACES = 25


@rule(
    "CON001",
    clauses=("contours",),
    needs=("contours_existing",),
    uses=("contours_proposed", "disturbance"),
)
def contours_too_far_apart(
    site: Site,
    contours_existing: RoleLayer,
    contours_proposed: RoleLayer | None,
    disturbance: RoleLayer | None,
    max_contour_interval: Length,
    level_tolerance: Length,
) -> Iterator[Said]:
    """The map has contours that are more than five feet apart in height.

    Why
        The interval is not to exceed five feet: with fewer lines nobody can see where water runs
        and how steep the ground is.

    How it is measured
        Twice, in feet whatever the unit of the file. The interval in force is the step between
        neighbouring levels that most of the drawn length has. Then the step between contours
        that are neighbours on the ground: samples of the lines are triangulated, and where two
        lines see each other with no line between, their levels are compared. Gaps for labels up
        to 100 ft are closed first. A level that is left out of a finer map shows in this way
        even where it is drawn elsewhere. Levels are exact to 0.01 ft: 5.00 passes, 5.02 fails.
        Existing contours are judged outside the disturbed area when proposed ones are drawn,
        proposed ones inside it. Where nothing states the unit of the elevations, and metres would
        exceed the limit, a person decides.

    When it does not apply
        To contours without a believable elevation (CON003, CON007), and to one single level. A
        layer of which nothing can be judged does not pass because the other one does.

    How to fix
        Draw the levels between; for the whole layer, contour the survey again at 5 ft or less
        (1 or 2 ft on ground as flat as this county's).

    References
        § 162-11B(4), "interval not to exceed five feet"; NR 152 App. A, S.10*(2)(d).
    """
    limit = round(max_contour_interval.feet, 2)
    room = level_tolerance.feet
    for role in CONTOUR_ROLES:
        survey = survey_contours(site, role)
        if survey is None:
            continue
        yield Checked(survey.words, len(survey.contours))
        yield from _faults(survey, limit, room)
        yield from _unit_unstated(site, survey, limit)
    for why in not_judged(site):
        yield Skip(why)


def _unit_unstated(site: Site, survey: ContourSurvey, limit_ft: float) -> Iterator[Ask]:
    """The question that decides, where the file does not say feet and metres would be too many."""
    layer, interval = site.role(survey.role), survey.interval
    if layer is None or interval is None:
        return
    odd = {o.kind for member in layer.members for o in member.provenance.oddities}
    in_metres = interval.step_ft / 0.3048
    if "vertical_unit_unstated" in odd and interval.step_ft <= limit_ft < in_metres:
        title = survey.role.replace("_", " ")
        yield Ask(
            f"{title}: are the elevations in feet? Nothing states their unit; {interval.step_ft:g} "
            f"ft apart they pass, {interval.step_ft:g} m ({in_metres:.1f} ft) would not. Say "
            'unit = "ft" for the layer in site.toml',
            "contours",
        )


def _exceeds(step_ft: float, limit_ft: float, exact_ft: float) -> bool:
    """Compared as numbers of hundredths of a foot, which is what levels are written in."""
    return round(step_ft / exact_ft) > round(limit_ft / exact_ft)


def _faults(survey: ContourSurvey, limit_ft: float, exact_ft: float) -> Iterator[Fault]:
    allowed = Limit(limit_ft, "ft")
    title = survey.role.replace("_", " ")
    interval = survey.interval
    if interval is not None and _exceeds(interval.step_ft, limit_ft, exact_ft):
        yield Fault(
            f"{title} are {interval.step_ft:g} ft apart over {interval.share:.0%} of their "
            f"length; at most {limit_ft:g} ft is allowed",
            f"contour the ground again at {limit_ft:g} ft or less, and hand in that layer",
            geometry=survey.contours.hull,
            measured=Quantity(interval.step_ft, "ft"),
            limit=allowed,
            role=survey.role,
            distinct="interval in force",
        )
        return
    wide = [gap for gap in survey.gaps if _exceeds(gap.step_ft, limit_ft, exact_ft)]
    places = contiguous(wide)
    for place in places[:MOST_PLACES]:
        worst = max(place, key=lambda gap: gap.step_ft)
        lacking = sorted({level for gap in place for level in survey.missing_in(gap)})
        named = ", ".join(f"{level:g}" for level in lacking[:8]) or "those between"
        yield Fault(
            f"{title} {worst.low_ft:g} and {worst.high_ft:g} ft are neighbours on the ground, "
            f"{worst.step_ft:g} ft apart; at most {limit_ft:g} ft is allowed",
            f"draw the missing levels here: {named}" + (" ..." if len(lacking) > 8 else ""),
            geometry=shapely.union_all([gap.ground for gap in place]),
            measured=Quantity(worst.step_ft, "ft"),
            limit=allowed,
            role=survey.role,
            distinct=f"{worst.low_ft:g}-{worst.high_ft:g}",
        )
    if len(places) > MOST_PLACES:
        rest = [gap for place in places[MOST_PLACES:] for gap in place]
        yield Fault(
            f"{title} are more than {limit_ft:g} ft apart at {len(places) - MOST_PLACES} more "
            "places",
            "draw the missing levels there",
            geometry=shapely.union_all([gap.ground for gap in rest]),
            measured=Quantity(max(gap.step_ft for gap in rest), "ft"),
            limit=allowed,
            role=survey.role,
            distinct="more places",
        )
