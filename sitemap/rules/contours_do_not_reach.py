"""CON005: ground on or beside the site that no contour shows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Limit, Quantity
from sitemap.measures.contour_survey import survey_contours
from sitemap.measures.contours import Contours
from sitemap.measures.cover import acres, uncovered
from sitemap.measures.steepness import cells_over
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.shown import elevation_layer
from sitemap.terrain.surface import Surface
from sitemap.units import Length

SURELY_BARE = 3.0  # spacings of contours: no ground goes on so flat beyond them
DOUBTFUL = 1.5


@rule(
    "CON005",
    clauses=("contours",),
    needs=("contours_existing", "boundary"),
    uses=("elevation",),
)
def contours_do_not_reach(
    site: Site,
    contours_existing: RoleLayer,
    boundary: RoleLayer,
    adjacent_distance: Length,
    sliver_width: Length,
) -> Iterator[Said]:
    """The map has ground on the site or immediately adjacent to it that no contour shows.

    Why
        Water does not stop at the property line: what comes from the neighbour, and what goes to
        him, is seen only where the contours go on.

    How it is measured
        The site and the pack's adjacent distance around it, minus the hull of the existing
        contours. Ground inside the hull is CON001's, CON002's and CON009's matter. With an
        elevation layer a part counts where its relief exceeds the interval in force: flatter
        ground needs no further line. Without one, the mean spacing of the contours tells: a part
        that reaches more than three spacings beyond them is bare for certain; between one and a
        half and three, a person looks. Strips thinner than the sliver width are left out.

    When it does not apply
        To contours without a believable elevation (CON003, CON007).

    How to fix
        Draw the existing contours on, at least so far beyond the boundary as the pack says.

    References
        § 162-11B(4) and (a), existing topography on and immediately adjacent to the site.
    """
    survey, ground = survey_contours(site, "contours_existing"), site.boundary
    if survey is None:
        yield Skip("no contour has a believable elevation: see CON003 and CON007")
        return
    if ground is None or ground.area <= 0:
        yield Skip("the boundary layer encloses no area")
        return
    target = ground.buffer(adjacent_distance.feet)
    hull = survey.contours.hull
    bare = uncovered(target, hull, sliver_width.feet).parts
    size = acres(float(shapely.area(bare).sum()), site.foot)
    yield Checked(
        f"existing contours reach over all but {size:,.2f} of "
        f"{acres(float(target.area), site.foot):,.2f} acres of the site and {adjacent_distance} "
        "round it",
        len(survey.contours),
    )
    step = survey.interval.step_ft if survey.interval else float("nan")
    surface = elevation_layer(site)
    for part in sorted(bare, key=lambda p: -p.area):
        if surface is not None:
            said = _by_relief(site, part, surface, step)
        else:
            said = _by_spacing(site, part, hull, survey.contours)
        if said is not None:
            yield said


def _by_relief(site: Site, part: BaseGeometry, surface: Surface, step: float) -> Fault | Ask | None:
    """By the heights of the ground in the part."""
    centres, _ = cells_over(part)
    xy = np.concatenate([centres, shapely.get_coordinates(part)])
    heights = surface.heights_at(xy)
    heights = heights[np.isfinite(heights)]
    size = acres(float(part.area), site.foot)
    if len(heights) < len(xy) / 2:
        return Ask(
            f"{size:,.2f} acres beyond the contours are not in the elevation layer either: is that "
            "ground so flat that no contour runs there?",
            "contours",
            part,
        )
    relief = float(np.ptp(heights))
    if not round(relief, 2) > round(step, 2):  # heights are written in hundredths
        return None
    return _fault(
        part,
        f"{size:,.2f} acres beyond the existing contours rise or fall {relief:.1f} ft, more than "
        f"the interval of {step:g} ft",
        Quantity(round(relief, 1), "ft"),
        Limit(step, "ft"),
    )


def _by_spacing(
    site: Site, part: BaseGeometry, hull: BaseGeometry, contours: Contours
) -> Fault | Ask | None:
    """By how far the part reaches beyond the contours, in their own mean spacing."""
    spacing = hull.area / float(contours.lengths_ft.sum())
    away = float(shapely.distance(shapely.points(shapely.get_coordinates(part)), hull).max())
    size = acres(float(part.area), site.foot)
    words = (
        f"{size:,.2f} acres reach {away:,.0f} ft beyond the existing contours, which are "
        f"{spacing:,.0f} ft apart on the average"
    )
    if away > SURELY_BARE * spacing:
        return _fault(
            part, words, Quantity(round(away), "ft"), Limit(round(SURELY_BARE * spacing), "ft")
        )
    if away > DOUBTFUL * spacing:
        return Ask(f"{words}: is that ground so flat that no contour runs there?", "contours", part)
    return None


def _fault(part: BaseGeometry, words: str, measured: Quantity, limit: Limit) -> Fault:
    return Fault(
        words,
        "draw the existing contours on over this ground",
        geometry=part,
        measured=measured,
        limit=limit,
        role="contours_existing",
        distinct=f"at {part.centroid.x:.0f},{part.centroid.y:.0f}",
    )
