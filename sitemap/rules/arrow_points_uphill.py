"""SLP003: a flow arrow whose head is higher than its tail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer
from sitemap.terrain.ground import Ground

CERTAIN = 2.0  # standard errors of a difference of two heights


@rule(
    "SLP003",
    clauses=("c",),
    needs=("flow_arrows",),
    uses=("contours_existing", "contours_proposed", "elevation"),
)
def arrow_points_uphill(flow_arrows: RoleLayer, ground: Ground) -> Iterator[Said]:
    """The map has a flow arrow that points uphill.

    Why
        A reviewer follows the arrows. One that points the wrong way hides where the water goes,
        and the control that should stand there.

    How it is measured
        The height of the ground after grading (where no design is submitted: of the existing
        ground) at the first and the last point of each arrow, which is drawn from tail to head.
        Higher at the head by more than twice the error of a difference of two heights is a
        finding; by less, a person decides. The error is the stated one of the elevation.

    When it does not apply
        To arrows whose ends lie beside the known ground: they are counted as not judged.

    How to fix
        Turn the arrow, or correct the contours.

    References
        § 162-11B(4)(c), drainage patterns and approximate slopes anticipated after major grading.
    """
    surface = ground.after
    if surface is None:
        yield Skip(ground.why_no_existing)
        return
    frame = flow_arrows.usable
    lines = shapely.line_merge(frame.geometry.to_numpy())
    single = np.flatnonzero(shapely.get_type_id(lines) == 1)
    if not len(single):
        yield Skip("no flow arrow is a line with a tail and a head")
        return
    rise = np.full(len(frame), np.nan)
    head = shapely.get_coordinates(shapely.get_point(lines[single], -1))
    tail = shapely.get_coordinates(shapely.get_point(lines[single], 0))
    rise[single] = surface.heights_at(head) - surface.heights_at(tail)
    known = int(np.isfinite(rise).sum())
    which = "proposed" if surface is ground.proposed else "existing"
    yield Checked(f"heights at both ends of {known} of {len(frame)} arrows, {which} ground", known)
    certain_ft = CERTAIN * np.sqrt(2.0) * surface.stated_error_ft
    uphill = np.nan_to_num(rise) > 0.0
    where = sources(frame)
    doubtful = []
    for row in np.flatnonzero(uphill).tolist():
        name = where[row].user_id or f"record {where[row].feature}"
        if rise[row] <= certain_ft:
            doubtful.append((row, f"{name} ({rise[row]:.1f} ft)"))
            continue
        yield Fault(
            f"arrow {name} rises {rise[row]:.1f} ft from its tail to its head over "
            f"{which} ground, {certain_ft:.1f} ft being uncertain",
            "turn the arrow, or correct the contours",
            geometry=frame.geometry.iloc[row],
            measured=Quantity(round(float(rise[row]), 2), "ft", round(float(certain_ft), 2)),
            limit=Limit(0.0, "ft", "<="),
            role="flow_arrows",
            source=where[row],
        )
    if doubtful:
        rows = [row for row, _ in doubtful]
        names = ", ".join(words for _, words in doubtful[:20])
        yield Ask(
            f"do these arrows point downhill? The {which} ground at their heads is higher, within "
            f"its error of {certain_ft:.1f} ft: {names}",
            "c",
            shapely.union_all(frame.geometry.to_numpy()[rows]),
        )
