"""HYD005: an outfall from which no flow can be followed, or that no pipe reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import Point

from sitemap.finding import Limit, Quantity
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.downstream import Flow
from sitemap.units import Length

PIPES = ("storm_sewers", "culverts")
_PIPED = re.compile(r"pipe|culvert|sewer|endwall|end section|headwall|outlet struct", re.IGNORECASE)


@rule("HYD005", clauses=("h",), needs=("outfalls",), uses=("streams", *PIPES))
def outfall_touches_no_flow_path(
    site: Site, flow: Flow, outfalls: RoleLayer, snapping_distance: Length
) -> Iterator[Said]:
    """The map has an outfall that lies on no flow path.

    Why
        A point beside the end of its pipe, or off the ground that is known, sends the search
        downstream nowhere or the wrong way.

    How it is measured
        An outfall whose kind speaks of a pipe must lie within the snapping distance of an end of
        a drawn storm sewer or culvert, where any are drawn. Every other one must lie on a drawn
        reach, or on ground whose elevation is known, so that its water can be followed. Measured
        is the distance to the nearest reach, in feet.

    When it does not apply
        Without a surface, to outfalls that are not pipes: they may lie on a path that nobody drew.

    How to fix
        Snap the outfall to the end of its pipe; supply elevation where it lies.

    References
        § 162-11B(4)(h).
    """
    snap = snapping_distance.to(site.foot)
    ends = _pipe_ends(site)
    looked = unplaced = 0
    frame = outfalls.usable
    for source, point, kind in zip(sources(frame), outfalls.shapes, frame["kind"], strict=True):
        if not isinstance(point, Point):
            continue
        piped = len(ends) > 0 and isinstance(kind, str) and bool(_PIPED.search(kind))
        if piped:
            away = float(shapely.distance(ends, point).min())
            what = "the nearest end of a pipe"
        elif flow.surface is None:
            unplaced += 1
            continue
        else:
            away = _from_flow(flow, point, snap)
            what = "the nearest drawn reach, and its ground is not known"
        looked += 1
        if away > snap:
            name = source.user_id or f"record {source.feature}"
            far = f"{away:,.0f} ft from {what}" if np.isfinite(away) else "on ground not known"
            yield Fault(
                f"outfall {name} lies {far}",
                "snap the outfall to the end of its pipe or reach, or supply elevation there",
                geometry=shapely.force_2d(point),
                measured=Quantity(round(away, 1), "ft") if np.isfinite(away) else None,
                limit=Limit(round(snap, 2), "ft"),
                role="outfalls",
                source=source,
            )
    if looked:
        yield Checked(f"outfalls held against drawn pipes, reaches and ground: {looked}", looked)
    elif unplaced:
        yield Skip(f"no pipe is drawn, and there is no surface: {flow.ground.why_no_existing}")
    else:
        yield Skip("no outfall is drawn as a point: see SUB007")


def _pipe_ends(site: Site) -> np.ndarray:
    shapes = [layer.shapes for r in PIPES if (layer := site.role(r))]
    if not shapes:
        return np.empty(0, dtype=object)
    parts = shapely.get_parts(shapely.force_2d(np.concatenate(shapes)))
    lines = parts[shapely.get_type_id(parts) == 1]
    return np.concatenate([shapely.get_point(lines, 0), shapely.get_point(lines, -1)])


def _from_flow(flow: Flow, point: Point, snap_ft: float) -> float:
    """0 where water can be followed, else the distance to the nearest reach (inf without any)."""
    assert flow.surface is not None
    known = bool(np.isfinite(flow.surface.heights_at(np.array([[point.x, point.y]])))[0])
    if known or flow.network.nearest(point, snap_ft) is not None:
        return 0.0
    return min((float(e.line.distance(point)) for e in flow.network.edges), default=np.inf)
