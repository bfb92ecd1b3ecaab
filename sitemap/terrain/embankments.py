"""Hollows that fill before a way over the ground goes on, named by the road that holds the water.

A road bank without its culvert drawn looks like a dam: the way goes over it, and that is said.
"""

from __future__ import annotations

import shapely
from shapely.geometry import Point

from sitemap.site import RoleLayer
from sitemap.terrain.courses import Course
from sitemap.terrain.trace import Fill

SHALLOW_FT = 1.0  # less is within what a surface of the ground leaves open
ROAD_NEAR_FT = 40.0  # from the centre line to the foot of a bank


def overtopped(course: Course, roads: RoleLayer | None) -> list[str]:
    """'fills 6.0 ft and overtops Ransom Road after 203 ft' for each deep hollow on the way."""
    words = []
    for leg in course.legs:
        if leg.ground is None:
            continue
        for fill in leg.ground.fills:
            at = float(leg.line.project(Point(fill.xy)))
            if fill.depth_ft >= SHALLOW_FT and at < leg.line.length:
                over = _bank(fill, roads)
                words.append(
                    f"fills {fill.depth_ft:.1f} ft and {over} after {leg.start_ft + at:,.0f} ft"
                )
    return words


def _bank(fill: Fill, roads: RoleLayer | None) -> str:
    if roads is not None and len(roads.usable):
        frame = roads.usable
        away = shapely.distance(frame.geometry.to_numpy(), Point(fill.xy))
        nearest = int(away.argmin())
        if away[nearest] <= ROAD_NEAR_FT:
            name = frame["name"].iloc[nearest]
            return f"overtops {name if isinstance(name, str) and name.strip() else 'a road'}"
    return "spills"
