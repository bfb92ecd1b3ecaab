"""HYD007: a reach whose stated direction of flow goes uphill."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.surface import Surface
from sitemap.units import Length

STATED = {"digitized": 1.0, "reversed": -1.0}
SURE = 3.0  # standard errors of a difference of two heights
AROUND_CELLS = 1.5  # the lowest height so near to an end is the bed of the reach


@rule("HYD007", clauses=("h",), needs=("streams",))
def flow_direction_disagrees_with_ground(
    site: Site, surface: Surface, streams: RoleLayer, level_tolerance: Length
) -> Iterator[Said]:
    """The map has a watercourse whose stated direction of flow goes uphill.

    Why
        Downstream is traced along the stated direction; one reach drawn backwards sends the
        search for receiving waters up the hill.

    How it is measured
        Each reach whose field says that it flows with or against its drawing: the ground at its
        upper end must not lie lower than at its lower end by more than three standard errors of
        the difference of two heights of the surface (or the level tolerance, if that is more). At
        each end the lowest height within one and a half cells is taken, the bed. In feet.

    When it does not apply
        To reaches of unknown direction, under ground, or with an end off the known ground.

    How to fix
        Reverse the line, or correct its direction field.

    References
        § 162-11B(4)(a), (h); flowtrace issue 4; TOP003 finds what the joints of reaches show.
    """
    frame = streams.usable
    shapes = shapely.line_merge(shapely.force_2d(frame.geometry.to_numpy()))
    said = np.array([STATED.get(str(v), 0.0) for v in frame["flow_direction"]])
    under = (frame["kind"] == "underground").to_numpy(dtype=bool)
    rows = np.flatnonzero((shapely.get_type_id(shapes) == 1) & (said != 0) & ~under)
    if not len(rows):
        yield NotApplicable("no watercourse states its direction of flow")
        return
    first = _beds(surface, shapely.get_point(shapes[rows], 0))
    last = _beds(surface, shapely.get_point(shapes[rows], -1))
    rise = (last - first) * said[rows]
    most = max(SURE * math.sqrt(2.0) * surface.stated_error_ft, level_tolerance.feet)
    where = sources(frame)
    for row, up in zip(rows[rise > most].tolist(), rise[rise > most].tolist(), strict=True):
        name = frame["name"].iloc[row]
        label = name if isinstance(name, str) else f"record {where[row].feature}"
        yield Fault(
            f"{label} is said to flow to ground that lies {up:.1f} ft higher",
            "reverse the line, or correct its direction of flow",
            geometry=shapes[row],
            measured=Quantity(round(up, 2), "ft"),
            limit=Limit(round(most, 2), "ft"),
            role="streams",
            source=where[row],
            field_name="flow_direction",
        )
    known = int(np.isfinite(rise).sum())
    if not known:
        yield NotApplicable("no watercourse has both ends on known ground")
        return
    yield Checked(f"{plural(known, 'watercourse')} held against the ground", known)


def _beds(surface: Surface, points: np.ndarray) -> np.ndarray:
    """The lowest height around each point; NaN where none is known."""
    reach = AROUND_CELLS * surface.cell_ft
    step = np.array([[x, y] for x in (-reach, 0.0, reach) for y in (-reach, 0.0, reach)])
    xy = shapely.get_coordinates(points)
    z = surface.heights_at((xy[:, None, :] + step).reshape(-1, 2)).reshape(len(xy), -1)
    return np.asarray(np.min(np.where(np.isfinite(z), z, np.inf), axis=1), dtype=float) + np.where(
        np.isfinite(z).any(axis=1), 0.0, np.nan
    )
