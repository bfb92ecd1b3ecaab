"""CON007: an elevation far from all others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measures.contour_survey import CONTOUR_ROLES, survey_contours, wrong_zero
from sitemap.measures.intervals import Outlier, outlying_levels
from sitemap.measures.records import record_words, sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site

MOST_LEVELS = 25
MOST_INTERVAL_FT = 5.0  # where the contours themselves have no interval


@rule(
    "CON007",
    clauses=("contours",),
    needs=("contours_existing",),
    uses=("contours_proposed", "spot_elevations"),
)
def elevation_outlier(
    site: Site,
    contours_existing: RoleLayer,
    contours_proposed: RoleLayer | None,
    spot_elevations: RoleLayer | None,
) -> Iterator[Said]:
    """The map has an elevation that no neighbour explains, such as 8 or 8200 among 820s.

    Why
        A digit lost or doubled in typing makes a cliff of hundreds of feet on paper, and throws
        off every slope that is computed from the lines.

    How it is measured
        The levels of a layer, sorted, are split where the step to the next is more than 20 times
        the median step. What lies outside the main body (at least two thirds of the drawn length)
        by more than its height, or than 100 median steps, is an outlier. One finding per level.
        Spot heights are no levels: for them the step is the interval of the existing contours.

    When it does not apply
        To fewer than three levels; to zero, which is CON003.

    How to fix
        Correct the number. The finding says what it may have been meant to be.

    References
        § 162-11B(4), contour interval; (4)(a), existing topography.
    """
    layers = (contours_existing, contours_proposed, spot_elevations)
    looked_at = 0
    survey = survey_contours(site, "contours_existing")
    interval = survey.interval.step_ft if survey and survey.interval else MOST_INTERVAL_FT
    for role, layer in zip((*CONTOUR_ROLES, "spot_elevations"), layers, strict=True):
        if layer is None or layer.usable.empty:
            continue
        level = layer.usable["elevation"].to_numpy(dtype=float, na_value=np.nan)
        known = np.isfinite(level)
        known &= ~((level == 0) & wrong_zero(level[known]))
        if not known.any():
            continue
        looked_at += int(known.sum())
        if role == "spot_elevations":
            found = outlying_levels(level[known], None, interval)
        else:
            found = outlying_levels(level[known], layer.usable.geometry.length.to_numpy()[known])
        title = role.replace("_", " ")
        yield Checked(f"{title}: {int(known.sum())} elevations compared", int(known.sum()))
        body = level[known & ~np.isin(np.round(level, 3), [o.level_ft for o in found])]
        for outlier in found[:MOST_LEVELS]:
            yield _fault(role, layer, level, outlier, (float(body.min()), float(body.max())))
        if len(found) > MOST_LEVELS:
            yield Fault(
                f"{title}: {len(found) - MOST_LEVELS} more elevations lie far from all others",
                "look at the whole elevation field",
                role=role,
                distinct="more levels",
            )
    if not looked_at:
        yield Skip("no contour has an elevation: see CON003")


def _fault(
    role: str, layer: RoleLayer, level: np.ndarray, outlier: Outlier, body_ft: tuple[float, float]
) -> Fault:
    records = layer.usable[np.round(level, 3) == outlier.level_ft]
    where = sources(records)
    numbers = record_words(s.feature for s in where if s.feature is not None)
    nearer = min(body_ft, key=lambda edge: abs(edge - outlier.level_ft))
    hint = f"; {outlier.hint}" if outlier.hint else ""
    return Fault(
        f"{role.replace('_', ' ')}: elevation {outlier.level_ft:g} ft stands among "
        f"{body_ft[0]:g} to {body_ft[1]:g} ft ({numbers}){hint}",
        "correct the elevation",
        geometry=shapely.union_all(records.geometry.to_numpy()),
        measured=Quantity(outlier.level_ft, "ft"),
        limit=Limit(nearer, "ft", ">=" if outlier.level_ft < nearer else "<="),
        role=role,
        source=where[0],
        related=tuple(where[1:50]),
        field_name="elevation",
        distinct=f"{outlier.level_ft:g}",
    )
