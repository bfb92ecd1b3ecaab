"""CON006: existing contours that lie off the elevation layer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measures.contour_heights import HeightDifferences, height_differences
from sitemap.measures.contour_survey import usable_contours
from sitemap.measures.contours import Contours
from sitemap.measures.intervals import interval_in_force
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import RoleLayer
from sitemap.terrain.ground import Ground
from sitemap.terrain.surface import Surface

METRES = 0.3048
COARSE_CELLS = 4.0  # of the ground between two contours


@rule("CON006", clauses=("contours",), needs=("contours_existing",), uses=("elevation",))
def contours_disagree_with_surface(
    contours_existing: RoleLayer, ground: Ground, contour_error_share: float
) -> Iterator[Said]:
    """The map has existing contours that lie off the elevation layer.

    Why
        Contours of another survey, datum or unit than the elevation model make every slope and
        flow path on the map contradict its contours.

    How it is measured
        Every 10 ft along the existing contours their elevation is held against the surface, which
        is interpolated between its cells. The share of the length that is off by more than half
        the contour interval is compared with the pack's limit: one tenth, as in the National Map
        Accuracy Standards. Lengths over voids are left out and said. Where the cells are so coarse
        that the ground between two contours is less than a quarter of one, a person decides.

    When it does not apply
        Where the ground is known from these contours only, or has no elevation layer.

    How to fix
        Find which of the two is wrong: its unit (a factor of 3.28), its datum (one height
        everywhere), its age. Derive the contours from the elevation with sitemap derive.

    References
        § 162-11B(4), contour interval; U.S. National Map Accuracy Standards, 1947, item 2.
    """
    if ground.is_of_contours:  # told before they are triangulated
        yield NotApplicable("the ground is known from these contours only: nothing to compare")
        return
    surface = ground.existing
    if surface is None:
        yield Skip(ground.why_no_existing)
        return
    contours = usable_contours(contours_existing)
    interval = interval_in_force(contours.levels_ft, contours.lengths_ft) if len(contours) else None
    if interval is None:
        yield Skip("the existing contours show fewer than two levels: see CON003")
        return
    found = height_differences(contours, surface.heights_at)
    if found.known_ft <= 0:
        yield NotApplicable("the elevation layer has no height along the contours")
        return
    half_ft = interval.step_ft / 2.0
    share_pct = 100.0 * found.share_beyond(half_ft)
    unknown = float(found.weight_ft.sum()) - found.known_ft
    over = f", {unknown:,.0f} ft more lie over voids or beside it" if unknown >= 1.0 else ""
    words = (
        f"{found.known_ft:,.0f} ft of existing contours held against {surface.source}: "
        f"{share_pct:.1f} % off by more than {half_ft:g} ft{over}"
    )
    yield Checked(words, len(contours))
    if share_pct <= contour_error_share:
        return
    if _too_coarse(contours, interval.step_ft, surface):
        yield Ask(
            f"{words}. The cells of {surface.cell_ft:.3g} ft are too coarse to decide: do contours "
            "and elevation show the same ground?",
            "contours",
            found.lines_beyond(half_ft),
        )
        return
    yield _fault(contours_existing, found, half_ft, share_pct, contour_error_share)


def _too_coarse(contours: Contours, step_ft: float, surface: Surface) -> bool:
    """Whether neighbouring contours are, on the average, closer than a quarter of a cell."""
    xmin, ymin, xmax, ymax = surface.bounds
    area = min((xmax - xmin) * (ymax - ymin), float(_hull_area(contours)))
    apart = area / float(contours.lengths_ft.sum())
    return step_ft > 0 and apart * COARSE_CELLS < surface.cell_ft


def _hull_area(contours: Contours) -> float:
    box = shapely.total_bounds(contours.lines)
    return float((box[2] - box[0]) * (box[3] - box[1]))


def _fault(
    layer: RoleLayer, found: HeightDifferences, half_ft: float, share_pct: float, limit_pct: float
) -> Fault:
    middle = found.median_ft()
    where = sources(layer.usable)
    return Fault(
        f"{share_pct:.1f} % of the existing contours' length lies more than {half_ft:g} ft (half "
        f"an interval) off the elevation layer; at most {limit_pct:g} % may. The surface is "
        f"{abs(middle):.2f} ft {'above' if middle > 0 else 'below'} them in the middle"
        f"{_hint(found, half_ft)}",
        "find which is wrong, its unit, datum or age; sitemap derive makes contours from the "
        "elevation",
        geometry=found.lines_beyond(half_ft),
        measured=Quantity(round(share_pct, 1), "pct"),
        limit=Limit(limit_pct, "pct", "<="),
        role="contours_existing",
        source=where[0],
        related=tuple(where[1:50]),
        field_name="elevation",
    )


def _hint(found: HeightDifferences, half_ft: float) -> str:
    """What the difference looks like: one height everywhere, or a factor of feet and metres."""
    off = found.difference_ft[np.isfinite(found.difference_ft)]
    middle = found.median_ft()
    if np.mean(np.abs(off - middle) <= half_ft) >= 0.9:
        return ", alike everywhere: another datum, or a shifted survey"
    return ""
