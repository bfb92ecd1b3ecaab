"""The ways of water that the check followed downstream, with a mark every 330 ft."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.checked import CheckedSite
from sitemap.desk.said import drawing
from sitemap.desk.shapes import Origin, packed
from sitemap.finding import JsonDict, Status
from sitemap.report.words import plain
from sitemap.terrain.courses import Leg
from sitemap.terrain.downstream import Flow, Trace, flow_of
from sitemap.terrain.flow_limits import FlowLimits

MARK_EVERY_FT = 330.0


@dataclass(frozen=True)
class Mark:
    """A place along a trace and the words beside it."""

    point: shapely.Point
    words: str


def trace_dicts(checked: CheckedSite, origin: Origin) -> list[JsonDict]:
    """Each outlet's way, corridor and marks; nothing where no law has the numbers for it."""
    flow = _flow(checked)
    if flow is None:
        return []
    reach = f"{flow.limits.distance_ft:,.0f} ft"
    return [
        {
            "outlet": plain(trace.outlet),
            "words": f"{plain(trace.outlet)}, followed downstream for {reach}",
            "start": packed(trace.point, origin)[1],
            "way": drawing(shapely.union_all([leg.line for leg in trace.course.legs]), origin),
            "corridor": drawing(trace.corridor, origin),
            "runs": trace.runs,
            "marks": [
                [packed(mark.point, origin)[1], plain(mark.words)] for mark in _marks(flow, trace)
            ],
        }
        for trace in flow.traces
    ]


def _flow(checked: CheckedSite) -> Flow | None:
    if checked.site.crs is None or checked.with_status(Status.FAILED):
        return None  # what a rule stumbled over may be what the flow stands on
    for pack in checked.ordinances:
        if all(name in pack.limits for name in FlowLimits.NAMES):
            return flow_of(checked.site, FlowLimits.of(pack.limits, checked.site))
    return None


def _marks(flow: Flow, trace: Trace) -> Iterator[Mark]:
    """The waters met with their distance, then stations every 330 ft along each leg."""
    for meeting in trace.course.meetings:
        name = flow.water(meeting.water).name
        yield Mark(meeting.point, f"{name} after {meeting.distance_ft:,.0f} ft")
    for leg in trace.course.legs:
        yield from _stations(leg)


def _stations(leg: Leg) -> Iterator[Mark]:
    first = np.ceil(leg.start_ft / MARK_EVERY_FT + 1e-9) * MARK_EVERY_FT
    for station in np.arange(first, leg.end_ft, MARK_EVERY_FT):
        yield Mark(leg.line.interpolate(float(station) - leg.start_ft), f"{station:,.0f} ft")
