"""BMP003: a storm drain inlet without protection."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.finding import Limit
from sitemap.measures.practices import beside, distances_ft, nearest, nearest_words, shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.shown import shown_ground
from sitemap.units import Length

NO_INLETS = ("manhole", "endwall")  # kinds of the inlets layer that let no water in from above


@rule(
    "BMP003",
    clauses=("5f", "9c1b"),
    needs=("inlets",),
    uses=("controls", "boundary", "disturbance", "contours_existing", "elevation"),
)
def inlet_unprotected(
    site: Site,
    inlets: RoleLayer,
    controls: RoleLayer | None,
    inlet_distance: Length,
    adjacent_distance: Length,
) -> Iterator[Said]:
    """The map has a storm drain inlet that nothing protects.

    Why
        An open inlet takes muddy water under the street and into the creek, past all fences.

    How it is measured
        Every inlet on the site, and every inlet within the adjacent distance of it that lies
        lower than the disturbed ground nearest to it, must have an inlet protection (type IP)
        within the association distance. Manholes and endwalls do not count; an inlet without a
        kind does. Where no ground is known, a person says whether an inlet off the site lies
        downslope.

    When it does not apply
        Where no inlet is drawn on the site or beside it.

    How to fix
        Draw the protection at the inlet (WDNR 1060), or move it to where the inlet is.

    References
        § 162-9C(1)(b), on-site stormwater inlets; § 162-11B(5)(f), downslope drainage inlets.
    """
    frame = inlets.usable[~inlets.usable["kind"].isin(NO_INLETS)]
    shapes = np.asarray(shapely.force_2d(frame.geometry.to_numpy()))
    on_site, near = _whereabouts(site, shapes, adjacent_distance.feet)
    lower = _lower_than_disturbance(site, shapes)
    judged = on_site | (near & (lower == 1))
    if not (judged | (near & (lower < 0))).any():
        higher = (
            f"; {plural(int(near.sum()), 'inlet')} beside it not downslope" if near.any() else ""
        )
        yield NotApplicable(f"no inlet on the site or downslope and adjacent to it{higher}")
        return
    safe = beside(shapes, shapes_of(controls, ("IP",)), inlet_distance.feet)
    yield Checked(
        f"{plural(int(on_site.sum()), 'inlet')} on the site and "
        f"{int((judged & ~on_site).sum())} downslope of it; {int((judged & safe).sum())} with "
        f"protection within {inlet_distance}",
        int(judged.sum()),
    )
    where = sources(frame)
    away = distances_ft(shapes, shapes_of(controls, ("IP",)))
    for index in np.flatnonzero(judged & ~safe).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        place = "on the site" if on_site[index] else "downslope of the site"
        yield Fault(
            f"inlet {name} {place} has no inlet protection within {inlet_distance}"
            + nearest_words(away[index]),
            "draw inlet protection (type IP, WDNR 1060) at the inlet",
            geometry=shapes[index],
            measured=nearest(away[index]),
            limit=Limit(inlet_distance.value, inlet_distance.unit.symbol),
            role="inlets",
            source=where[index],
        )
    for index in np.flatnonzero(near & (lower < 0) & ~safe).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        yield Ask(
            f"inlet {name}, beside the site, has no protection: does it lie downslope?",
            "5f",
            shapes[index],
        )


def _whereabouts(site: Site, shapes: np.ndarray, adjacent: float) -> tuple[np.ndarray, np.ndarray]:
    """Which inlets are on the site, and which are off it but within the adjacent distance."""
    ground = site.boundary
    if ground is None:
        return np.ones(len(shapes), dtype=bool), np.zeros(len(shapes), dtype=bool)
    away = shapely.distance(shapes, ground)
    return np.asarray(away <= 0), np.asarray((away > 0) & (away <= adjacent))


def _lower_than_disturbance(site: Site, shapes: np.ndarray) -> np.ndarray:
    """1 lower than the disturbed ground nearest to it, 0 not, -1 not known."""
    layer, ground = site.role("disturbance"), shown_ground(site)
    answer = np.full(len(shapes), -1)
    if layer is None or layer.usable.empty or ground is None or len(shapes) == 0:
        return answer
    torn = shapely.union_all(shapes_of(layer))
    link = shapely.get_coordinates(shapely.shortest_line(shapes, torn)).reshape(-1, 2, 2)
    here, there = ground.heights_at(link[:, 0]), ground.heights_at(link[:, 1])
    known = np.isfinite(here) & np.isfinite(there)
    answer[known] = (here < there)[known]
    return answer
