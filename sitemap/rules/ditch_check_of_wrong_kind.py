"""BMP012: a silt fence or a row of bales across a channel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Source
from sitemap.measures.crossing_lines import crossing_points
from sitemap.measures.outlines import lines_of
from sitemap.measures.practices import CHANNELS, of_types, shapes_of
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

WRONG = {"SF": "silt fence", "SBB": "bale barrier"}
DITCH_CHECK_FT = 60.0  # a shorter one that crosses a channel was meant as a ditch check


@rule(
    "BMP012",
    clauses=("5d", "9c1d"),
    needs=("controls",),
    uses=("streams",),
)
def ditch_check_of_wrong_kind(
    site: Site, controls: RoleLayer, streams: RoleLayer | None, position_tolerance: Length
) -> Iterator[Said]:
    """The map has a silt fence or a row of bales across a ditch or channel.

    Why
        Flow that has gathered undermines a fence and floats bales away; then all that they held
        goes at once.

    How it is measured
        Silt fences and bale barriers (types SF, SBB) that cross a watercourse of the streams
        layer, or a diversion or waterway of the controls: the fence lies on both sides of it, by
        more than the position tolerance. Pieces that meet end to end are one fence, and one
        channel; other ends that touch do not cross. One finding per fence and place.

    When it does not apply
        Where no fence or no channel is drawn. To manufactured and stone ditch checks.

    How to fix
        A stone or manufactured ditch check (WDNR 1062) in the channel, and the fence ended
        upslope on both sides.

    References
        WDNR 1062: silt fence and single rows of bales are not permitted as ditch checks;
        § 162-9C(1)(d); § 162-11B(5)(d).
    """
    frame = of_types(controls, tuple(WRONG))
    assert frame is not None
    lines = np.concatenate([shapes_of(streams), shapes_of(controls, CHANNELS)])
    lines = lines[shapely.get_dimensions(lines) == 1]
    # reaches that meet end to end are one channel: a fence may cross it just at their joint
    lines = _end_to_end(lines)
    if frame.empty or len(lines) == 0:
        what = "silt fence or bale barrier" if frame.empty else "ditch or channel"
        yield NotApplicable(f"no {what} is drawn")
        return
    yield Checked(
        f"{plural(len(frame), 'fence')} and {plural(len(lines), 'channel')}: crossings looked for",
        len(frame),
    )
    tolerance = position_tolerance.feet
    for kind, words in WRONG.items():
        own = of_types(controls, (kind,))
        assert own is not None
        where, shapes = sources(own), shapes_of(controls, (kind,))
        for fence in _end_to_end(shapes):
            for point in crossing_points(fence, lines, tolerance):
                nearest = int(np.argmin(shapely.distance(shapes, point)))
                yield _fault(fence, words, point, where[nearest])


def _end_to_end(shapes: np.ndarray) -> np.ndarray:
    """The single lines among shapes, those that meet end to end made one."""
    return np.asarray(
        shapely.get_parts(shapely.line_merge(shapely.multilinestrings(lines_of(shapes))))
    )


def _fault(fence: BaseGeometry, kind: str, point: Point, source: Source) -> Fault:
    name = source.user_id or f"record {source.feature}"
    what = "stands as a ditch check across" if fence.length < DITCH_CHECK_FT else "runs across"
    return Fault(
        f"{kind} {name} {what} a channel",
        "put a stone or manufactured ditch check there (DC, WDNR 1062), and end the fence upslope",
        geometry=point,
        role="controls",
        source=source,
        distinct=f"at {point.x:.0f},{point.y:.0f}",
    )
