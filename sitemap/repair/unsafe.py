"""What moves or rebuilds geometry, on request only: rebuilt outlines, clipped slivers, snapped
outfalls. Site coordinates in feet; legal quantities are guarded at every step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Source
from sitemap.measures.cover import acres, dissolved, uncovered
from sitemap.repair.changes import Change
from sitemap.repair.geometry import finite, rebuild
from sitemap.repair.quantities import LegalQuantities
from sitemap.units import LengthUnit

CLIPPED_ROLES = ("disturbance", "controls")


@dataclass(frozen=True)
class Tolerances:
    """Distances in feet of the site, as the pack states them."""

    position_ft: float
    sliver_ft: float
    snap_ft: float


@dataclass(eq=False)
class Draft:
    """The features of one dataset while they are worked on, with the origin of each."""

    role: str | None
    geometry: np.ndarray
    origins: tuple[Source, ...]
    driver: str
    placed: bool  # in the site CRS, so that areas can be measured
    repeats: bool = False  # the features of another dataset again: in no sum of acres
    again: frozenset[Source] = frozenset()  # features that lie on another one of it: in no sum

    def is_in_sum(self, at: int) -> bool:
        """Whether the acres of a feature count in those of its role."""
        return not self.repeats and self.origins[at] not in self.again


@dataclass(frozen=True, eq=False)
class Desk:
    """What all unsafe repairs of one plan share."""

    foot: LengthUnit
    quantities: LegalQuantities
    unsafe: bool
    withdrawn: frozenset[tuple[str, Source]]
    changes: list[Change]

    def settle(self, draft: Draft, at: int, change: Change, geometry: BaseGeometry) -> None:
        """Put a geometry in place unless the change was withdrawn or eats a legal quantity."""
        before, after = change.acres_before, change.acres_after
        refused = change.refused
        if change.key in self.withdrawn:
            refused = "made once, it led to a new finding, so it was taken back"
        elif not refused and before is not None and after is not None:
            refused = self.quantities.refusal(
                draft.role, change.source, before, after, in_sum=draft.is_in_sum(at)
            )
        if refused:
            self.changes.append(
                Change(change.kind, change.source, change.role, change.words, refused,
                       change.acres_before, change.acres_after)
            )  # fmt: skip
            return
        if before is not None and after is not None:
            self.quantities.spend(
                draft.role, change.source, before, after, in_sum=draft.is_in_sum(at)
            )
        self.changes.append(change)
        draft.geometry[at] = geometry


def rebuild_outlines(draft: Draft, desk: Desk) -> None:
    """Every invalid geometry of a dataset, each with its area before and after."""
    shapes = draft.geometry
    there = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
    bad = np.flatnonzero(there & ~shapely.is_valid(shapes)).tolist()
    rebuilt = [(at, rebuild(shapes[at])) for at in bad]
    for at, made in sorted(rebuilt, key=lambda pair: abs(pair[1].after - pair[1].before)):
        reason = str(shapely.is_valid_reason(shapes[at])).split("[")[0].strip().lower()
        source, words, before, after = draft.origins[at], reason, None, None
        refused = made.refused
        if draft.placed and shapely.get_dimensions(shapes[at]) == 2:
            before, after = acres(made.before, desk.foot), acres(made.after, desk.foot)
            words += f"; {before:.4f} acres as drawn, {after:.4f} rebuilt"
        elif not draft.placed:
            refused = refused or "without a usable CRS its area cannot be compared in acres"
        change = Change("outline rebuilt", source, draft.role, words, refused, before, after)
        geometry = made.geometry if made.geometry is not None else shapes[at]
        desk.settle(draft, at, change, geometry)


def clip_slivers(draft: Draft, boundary: BaseGeometry | None, sliver_ft: float, desk: Desk) -> None:
    """Disturbance and controls that pass the boundary by slivers only, cut at it."""
    if draft.role not in CLIPPED_ROLES or boundary is None or not draft.placed:
        return
    shapes = draft.geometry
    fit = finite(shapes) & shapely.is_valid(shapes)
    shapely.prepare(boundary)
    where = np.flatnonzero(fit)
    out = where[~shapely.covers(boundary, shapes[where])]
    near = shapely.buffer(boundary, sliver_ft, join_style="mitre")
    for at in out.tolist():
        geometry = shapes[at]
        if shapely.get_dimensions(geometry) == 2:
            outside = uncovered(geometry, boundary, sliver_ft)
            worth = len(outside.slivers) and not len(outside.parts)
            size = f"{acres(outside.sliver_area, desk.foot):.4f} acres"
            areas = (
                acres(float(geometry.area), desk.foot),
                acres(float(geometry.intersection(boundary).area), desk.foot),
            )
        else:
            length = float(geometry.difference(boundary).length)
            worth = length > 0.01 and near.covers(geometry)
            size, areas = f"{length:.2f} ft", None
        if not worth:
            continue
        clipped = _same_dimension(geometry.intersection(boundary), geometry)
        refused = "" if clipped is not None else "nothing of it lies inside the boundary"
        words = f"{size} beyond the boundary, nowhere wider than {sliver_ft:g} ft"
        before, after = areas if areas is not None else (None, None)
        change = Change("clipped", draft.origins[at], draft.role, words, refused, before, after)
        desk.settle(draft, at, change, clipped if clipped is not None else geometry)


def _same_dimension(geometry: BaseGeometry, like: BaseGeometry) -> BaseGeometry | None:
    """The parts of a result that are of the dimension of the original."""
    wanted = shapely.get_dimensions(like)
    if not geometry.is_empty and geometry.geom_type != "GeometryCollection":
        return geometry if shapely.get_dimensions(geometry) == wanted else None
    parts = [p for p in shapely.get_parts(geometry) if shapely.get_dimensions(p) == wanted]
    if not parts:
        return None
    merged: BaseGeometry = shapely.union_all(parts)
    return merged


def snap_outfalls(draft: Draft, waters: np.ndarray, tolerances: Tolerances, desk: Desk) -> None:
    """Outfall points that miss a stream by less than the stated distance, moved onto it."""
    if draft.role != "outfalls" or not draft.placed or not len(waters):
        return
    shapes = draft.geometry
    fit = (shapely.get_type_id(shapes) == 0) & ~shapely.is_empty(shapes)
    fit &= np.isfinite(shapely.get_x(shapes)) & np.isfinite(shapely.get_y(shapes))
    where = np.flatnonzero(fit)
    if not len(where):
        return
    (points, nearest), miss = shapely.STRtree(waters).query_nearest(
        shapes[where], max_distance=tolerances.snap_ft, return_distance=True, all_matches=False
    )
    for number, water, distance_ft in zip(points, nearest, miss, strict=True):
        if distance_ft <= tolerances.position_ft:
            continue
        at = int(where[number])
        x, y = shapely.get_coordinates(shapely.shortest_line(waters[water], shapes[at]))[0]
        words = (
            f"moved {distance_ft:.2f} ft onto the stream; outfalls that miss it by more than "
            f"{tolerances.snap_ft:g} ft are not moved"
        )
        change = Change("snapped", draft.origins[at], draft.role, words)
        z = shapely.get_z(shapes[at])
        place = [float(x), float(y)] if np.isnan(z) else [float(x), float(y), float(z)]
        moved = shapely.Point(place)
        desk.settle(draft, at, change, moved)


def boundary_of(datasets: list[Draft]) -> BaseGeometry | None:
    """The boundary as repaired so far; None where it is missing or still invalid."""
    shapes = [one.geometry for one in datasets if one.placed]
    if not shapes:
        return None
    every = np.concatenate(shapes)
    every = every[~(shapely.is_missing(every) | shapely.is_empty(every))]
    if not len(every) or not shapely.is_valid(every).all():
        return None
    merged = dissolved(every)
    return merged if merged.area > 0 else None
