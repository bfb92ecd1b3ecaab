"""The discharges that a site draws: which outlet and which water each of them means."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import shapely
from shapely.geometry import Point

from sitemap.finding import Source
from sitemap.measures.records import sources
from sitemap.site import Site
from sitemap.terrain.downstream import Flow, Trace


@dataclass(frozen=True, eq=False)
class Drawn:
    """One discharge as drawn. water is the number of the water that it means, or None."""

    name: str
    outfall: str | None
    receiving_water: str | None
    distance_ft: float
    point: Point
    source: Source
    water: int | None


def drawn_discharges(site: Site, flow: Flow, near_ft: float) -> list[Drawn]:
    """The discharges of the site; one without a name that fits means the water within near_ft."""
    layer = site.role("discharges")
    if layer is None:
        return []
    frame = layer.usable
    found = []
    columns = (frame["outfall"], frame["receiving_water"], frame["distance_ft"], frame.geometry)
    for source, outfall, water, distance, shape in zip(sources(frame), *columns, strict=True):
        point = shapely.force_2d(shape).centroid
        name = source.user_id or f"discharge (record {source.feature})"
        said = _text(water)
        found.append(
            Drawn(
                name,
                _text(outfall),
                said,
                float(distance) if distance is not None else math.nan,
                point,
                source,
                _water_meant(flow, said, point, near_ft),
            )
        )
    return found


def _water_meant(flow: Flow, said: str | None, point: Point, near_ft: float) -> int | None:
    """By its name, the longest one that fits; else the nearest water within near_ft."""
    named = [
        (-len(water.own_name), water.shape.distance(point), number)
        for number, water in enumerate(flow.waters.waters)
        if said and water.own_name and _holds(said, water.own_name)
    ]
    if named:
        return min(named)[2]
    near = [
        (water.shape.distance(point), number)
        for number, water in enumerate(flow.waters.waters)
        if not (said and water.own_name)
    ]
    nearest = min(near, default=None)
    return nearest[1] if nearest is not None and nearest[0] <= near_ft else None


def _holds(text: str, name: str) -> bool:
    words = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", name.lower()))
    return bool(words) and re.search(rf"(?<!\w){words}(?!\w)", text.lower()) is not None


def is_of(drawn: Drawn, trace: Trace, outlets: set[str]) -> bool:
    """Whether a discharge is of an outlet: by its outfall field, else it may be of any.

    outlets are the ids of all outfalls; a low point takes what names none of them.
    """
    if drawn.outfall is None:
        return True
    own = drawn.outfall.casefold()
    if own in outlets:
        return trace.is_outfall and own == trace.outlet.casefold()
    return not trace.is_outfall or own == trace.outlet.casefold()


def distance_tolerance_ft(distance_ft: float, least_ft: float, pct: float) -> float:
    """The larger of both downstream tolerances of the pack."""
    return max(least_ft, distance_ft * pct / 100.0)


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
