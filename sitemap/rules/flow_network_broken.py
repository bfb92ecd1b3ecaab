"""TOP003: reaches that miss each other, flow head on, or run in a circle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas
import shapely
from shapely.geometry import MultiLineString

from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.measures.flow_network import Against, FlowNetwork, Miss, Reaches
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length

REACHES = ("streams", "storm_sewers", "culverts")
STOPS = ("inlets", "outfalls", "culverts", "discharges", "waterbodies", "wetlands", "infiltration")
NAMED = 6


@rule("TOP003", clauses=("map",), uses=(*dict.fromkeys((*REACHES, *STOPS)),))
def flow_network_broken(
    site: Site, position_tolerance: Length, snapping_distance: Length, level_tolerance: Length
) -> Iterator[Said]:
    """The map has streams or storm sewers that do not join into one network.

    Why
        Where stormwater is discharged within a quarter mile is found by following the flow. A gap
        of a foot, a reach drawn backwards or a circle sends that search the wrong way.

    How it is measured
        Streams, storm sewers and culverts as one network in the site CRS; ends within the
        position tolerance are joined. Found is: an end that lies within the pack's snapping
        distance of another reach without meeting it (warning); reaches of known direction that
        meet head on with nothing to lead on (an error where just one of them is fed by nothing at
        its other end, though two begin there: it is the one; else a warning, because two streams
        may meet where the data end); a pipe whose inverts rise along it by more than the level
        tolerance (error); reaches of known direction in a circle (error). The direction of a
        stream is known where its field says with or against the drawing, that of a pipe where
        both inverts are given.

    When it does not apply
        To an end with no other reach near, which may be a source or the edge of the data
        (HYD004); within the snapping distance of inlets, outfalls, culverts, discharges, waters,
        wetlands and infiltration areas, where water comes and goes.

    How to fix
        Snap the end to the other reach; reverse the line named, or correct its direction field;
        open the circle.

    References
        § 162-11B(4)(a), (h); the reading "End of data" of the pack; flowtrace issue 4 (reversed
        reaches stop or turn a trace), hydroloom issue 42 (unknown directions).
    """
    frames = [layer.usable for name in REACHES if (layer := site.role(name)) is not None]
    shapes = [frame.geometry.to_numpy() for frame in frames]
    roles = [n for n in REACHES if site.role(n) is not None]
    direction = [_direction(name, site.role(name)) for name in roles]
    if not sum(int((shapely.get_dimensions(each) == 1).sum()) for each in shapes):
        yield NotApplicable("no stream or storm sewer is drawn as a line")
        return
    where = [source for frame in frames for source in sources(frame)]
    role_of = [name for name, frame in zip(roles, frames, strict=True) for _ in range(len(frame))]
    whole = np.concatenate(shapes)
    network = FlowNetwork(
        Reaches.of(whole, np.concatenate(direction)), position_tolerance.to(site.foot)
    )
    stops, snap = _stops(site), snapping_distance.to(site.foot)
    for miss in network.misses(snap, stops):
        yield _missed(miss, where, role_of, position_tolerance.to(site.foot))
    for against in network.against(stops, snap):
        yield _head_on(against, where, role_of)
    for circle in network.loops():
        yield _circle(circle, whole, where, role_of)
    sewers = site.role("storm_sewers")
    if sewers is not None:
        yield from _rising(sewers, level_tolerance.feet)
    known = int((network.reaches.direction != 0).sum())
    count = len(network.reaches.lines)
    yield Checked(f"{count} reaches, {known} of them with a known direction of flow", count)


def _direction(role: str, layer: RoleLayer | None) -> np.ndarray:
    """+1 with the drawing, -1 against it, 0 not known, for each usable feature."""
    assert layer is not None  # the caller took the roles that are there
    frame = layer.usable
    if role == "streams":
        words = frame["flow_direction"].map({"digitized": 1, "reversed": -1})
        known: np.ndarray = pandas.to_numeric(words, errors="coerce").fillna(0).to_numpy(int)
        return known
    if role == "storm_sewers":
        up, down = (_numbers(layer, name) for name in ("invert_up_ft", "invert_down_ft"))
        return np.where(up > down, 1, 0)
    return np.zeros(len(frame), dtype=int)


def _numbers(layer: RoleLayer, field: str) -> np.ndarray:
    values: np.ndarray = pandas.to_numeric(layer.usable[field], errors="coerce").to_numpy(float)
    return values


def _stops(site: Site) -> np.ndarray:
    """Everything at which water may come or go without a reach."""
    found: list[np.ndarray] = []
    for name in STOPS:
        layer = site.role(name)
        if layer is not None:
            shapes = layer.usable.geometry.to_numpy()
            found.append(shapes[shapely.get_dimensions(shapes) != 1])
    return np.concatenate(found) if found else np.empty(0, dtype=object)


def _missed(miss: Miss, where: list[Source], role_of: list[str], joined_ft: float) -> Fault:
    own, other = where[miss.record], where[miss.other]
    how = "goes beyond" if miss.beyond else "ends short of"
    return Fault(
        f"{own} {how} {other}, by {miss.distance:.1f} ft",
        f"snap the end to {other}",
        geometry=miss.place,
        measured=Quantity(round(miss.distance, 2), "ft"),
        limit=Limit(joined_ft, "ft"),
        role=role_of[miss.record],
        source=own,
        related=(other,),
        severity=Severity.WARNING,
        distinct=f"{own}|{other}|{miss.place.centroid.x:.0f} {miss.place.centroid.y:.0f}",
    )


def _head_on(against: Against, where: list[Source], role_of: list[str]) -> Fault:
    records = against.reversed_ if len(against.reversed_) == 1 else against.records
    named = " and ".join(str(where[record]) for record in against.records)
    if len(against.reversed_) == 1:
        culprit = where[against.reversed_[0]]
        words = f"; nothing feeds {culprit} at its other end: it is drawn backwards"
        fix = f"reverse {culprit}, or correct its direction field"
    else:
        words = "; one of them is drawn backwards, or the data end where they meet"
        fix = "reverse the one that is drawn backwards, or draw the reach that leads on"
    return Fault(
        f"{named} flow towards each other and nothing leads on{words}",
        fix,
        geometry=against.place,
        role=role_of[records[0]],
        source=where[records[0]],
        related=tuple(where[r] for r in against.records if r != records[0]),
        severity=None if len(against.reversed_) == 1 else Severity.WARNING,
        distinct=f"head on {named}",
    )


def _circle(
    circle: tuple[int, ...], shapes: np.ndarray, where: list[Source], role_of: list[str]
) -> Fault:
    more = f" and {len(circle) - NAMED} more" if len(circle) > NAMED else ""
    named = "; ".join(str(where[record]) for record in circle[:NAMED])
    what = "flows back into itself" if len(circle) == 1 else "flow in a circle"
    return Fault(
        f"{named}{more} {what}",
        "reverse or take out the reach that closes the circle",
        geometry=MultiLineString(shapely.get_parts(shapes[list(circle)]).tolist()),
        measured=Quantity(len(circle), "reaches"),
        role=role_of[circle[0]],
        source=where[circle[0]],
        related=tuple(where[record] for record in circle[1:]),
        distinct=f"circle {named}",
    )


def _rising(sewers: RoleLayer, tolerance_ft: float) -> Iterator[Fault]:
    frame = sewers.usable
    rise = _numbers(sewers, "invert_down_ft") - _numbers(sewers, "invert_up_ft")
    rows = np.flatnonzero(np.round(rise, 6) > tolerance_ft)
    for row, source in zip(rows.tolist(), sources(frame.iloc[rows]), strict=True):
        yield Fault(
            f"{source}: the invert rises by {rise[row]:.2f} ft from the upper end to the lower",
            "exchange the two inverts, or correct them",
            geometry=frame.geometry.iloc[row],
            measured=Quantity(round(float(rise[row]), 3), "ft"),
            limit=Limit(0, "ft"),
            role="storm_sewers",
            source=source,
            field_name="invert_down_ft",
            distinct=f"rising {source}",
        )
