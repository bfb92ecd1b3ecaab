"""What would mend a fault but is for a person to draw: geometry with its reason, never merged.

Fences come from the existing contours; cover and grid cells from the findings that miss them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.finding import Finding
from sitemap.intake.oddities import count_of
from sitemap.measures.cover import acres, dissolved, polygons_of
from sitemap.measures.grid import grid_over
from sitemap.measures.outlines import end_gap, lines_of, ring_of
from sitemap.measures.practices import TAKES_WATER, shapes_of
from sitemap.measures.tin import Tin, tin_of
from sitemap.repair.changes import Proposal
from sitemap.repair.grid_cells import missing_cells
from sitemap.site import RoleLayer, Site

EDGE_STEP_FT = 25.0  # the edge of a disturbance is judged in pieces of this length
REACH_FT = 25.0  # heights are compared this far inside, outside and along the edge
LEAST_DROP_PCT = 1.0  # ground that falls outward by less is level
MOST_TURN = 0.5  # of the whole slope, the share that must lead outward: within 60 degrees
NEAR_CONTROL_FT = 25.0  # a control no farther than this from the edge takes its water
SHORTEST_FENCE_FT = 25.0
AREA_ROLES = ("boundary", "disturbance")


def propose(site: Site, findings: Sequence[Finding], position_ft: float) -> tuple[Proposal, ...]:
    """Everything proposed for a site, in the order of the rule book."""
    with np.errstate(all="ignore"):
        return (
            *_outlines(site, position_ft),
            *_cover(findings),
            *_grid(site, findings, position_ft),
            *_fences(site),
        )


def _outlines(site: Site, position_ft: float) -> Iterator[Proposal]:
    """Areas drawn as closed lines: the area each encloses, with its acres."""
    for role in AREA_ROLES:
        layer = site.role(role)
        if layer is None:
            continue
        for line in lines_of(layer.shapes):
            if end_gap(line) > position_ft:
                continue
            ring = ring_of(line)
            if ring.is_empty or not ring.is_valid:
                continue
            size = acres(float(ring.area), site.foot)
            yield Proposal(
                "SUB007",
                role,
                ring,
                f"{role} drawn as a closed line encloses no ground; this is the area inside it, "
                f"{size:,.2f} acres. It becomes a legal quantity, so a person must accept it",
            )


def _cover(findings: Sequence[Finding]) -> Iterator[Proposal]:
    """Disturbed ground that ends under nothing."""
    for finding in findings:
        if finding.rule == "DST006" and finding.geometry is not None:
            for part in polygons_of(finding.geometry):
                yield Proposal(
                    "DST006",
                    "revegetation",
                    part,
                    f"needs revegetation: {finding.message}",
                    {"type": "permanent seeding"},
                )


def _grid(site: Site, findings: Sequence[Finding], position_ft: float) -> Iterator[Proposal]:
    """Cells that would complete the grid, or a whole one where there is none."""
    for finding in findings:
        layer = site.role("grid")
        if finding.rule == "GRD002" and finding.geometry is not None and layer is not None:
            cells = missing_cells(layer.usable, finding.geometry, position_ft)
            for cell, label in cells:
                named = {"label": label} if label else {}
                rest = "" if label else "; its label needs the whole grid lettered anew"
                reason = f"the grid leaves this part of the map uncovered{rest}"
                yield Proposal("GRD002", "grid", cell, reason, named)
        elif finding.rule == "GRD001" and layer is None:
            yield from _whole_grid(site)


def _whole_grid(site: Site) -> Iterator[Proposal]:
    bounds = [
        layer.usable.total_bounds
        for role in ("boundary", "disturbance", "controls", "discharges")
        if (layer := site.role(role)) is not None and len(layer.usable)
    ]
    if not bounds:
        return
    low, high = np.min(bounds, axis=0), np.max(bounds, axis=0)
    grid = grid_over((float(low[0]), float(low[1]), float(high[2]), float(high[3])))
    for label in grid.labels:
        cell = shapely.box(*grid.bounds_of(label))
        reason = f"the map has no grid; cells of {grid.cell_ft:g} ft cover it"
        yield Proposal("GRD001", "grid", cell, reason, {"label": label})


def _fences(site: Site) -> Iterator[Proposal]:
    """Downslope edges of the disturbance without a control that takes their water."""
    disturbance, contours = site.role("disturbance"), site.role("contours_existing")
    if disturbance is None or contours is None:
        return
    ground = dissolved(disturbance.shapes)
    surface = _surface(contours)
    if surface is None or ground.is_empty:
        return
    controls = shapes_of(site.role("controls"), TAKES_WATER)
    near = shapely.buffer(shapely.union_all(controls), NEAR_CONTROL_FT) if len(controls) else None
    for reach, drop_pct in _downslope(ground, surface):
        bare = reach if near is None else reach.difference(near)
        for part in shapely.get_parts(bare):
            if part.length >= SHORTEST_FENCE_FT:
                yield Proposal(
                    "BMP011",
                    "controls",
                    part,
                    f"the ground falls {drop_pct:.1f} % outward along {part.length:,.0f} ft of "
                    f"this edge, and no control within {NEAR_CONTROL_FT:g} ft takes its water",
                    {"type": "SF", "structural": "yes", "standard": "WDNR 1056"},
                )


def _surface(contours: RoleLayer) -> Tin | None:
    frame = contours.usable
    levels = frame["elevation"].to_numpy(dtype=float)
    good = np.isfinite(levels) & (shapely.get_dimensions(frame.geometry.to_numpy()) == 1)
    lines, owner = shapely.get_parts(frame.geometry.to_numpy()[good], return_index=True)
    return tin_of(shapely.force_2d(lines), levels[good][owner], EDGE_STEP_FT)


def _downslope(ground: BaseGeometry, surface: Tin) -> Iterator[tuple[BaseGeometry, float]]:
    """(reach of the edge, its mean outward fall in percent)."""
    rings = shapely.get_rings(polygons_of(shapely.orient_polygons(ground)))
    xy, ring = shapely.get_coordinates(shapely.segmentize(rings, EDGE_STEP_FT), return_index=True)
    one = ring[1:] == ring[:-1]
    start, end = xy[:-1][one], xy[1:][one]
    step = end - start
    length = np.hypot(*step.T)
    sound = length > 0
    start, end, step, length = start[sound], end[sound], step[sound], length[sound]
    along = step / length[:, None]
    outward = np.column_stack([along[:, 1], -along[:, 0]])  # rings run counter-clockwise
    middle = (start + end) / 2.0

    def fall(way: np.ndarray) -> np.ndarray:
        inner, outer = (surface.heights_ft(middle + s * REACH_FT * way) for s in (-1.0, 1.0))
        drop: np.ndarray = (inner - outer) / (2.0 * REACH_FT) * 100.0
        return drop

    out, beside = fall(outward), fall(along)
    with np.errstate(invalid="ignore"):
        downslope = (out >= LEAST_DROP_PCT) & (out >= MOST_TURN * np.hypot(out, beside))
    if not downslope.any():
        return
    pieces = np.asarray(
        shapely.linestrings(np.stack([start[downslope], end[downslope]], axis=1)), dtype=object
    )
    merged = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(list(pieces))))
    which = shapely.STRtree(merged).query_nearest(pieces, all_matches=False)[1]
    weight = np.asarray(shapely.length(pieces))
    for number, reach in enumerate(merged):
        own = which == number
        if own.any():
            yield reach, float(np.average(out[downslope][own], weights=weight[own]))


def proposal_words(proposals: Sequence[Proposal]) -> str:
    """'3 proposals (2 controls, 1 grid)'."""
    if not proposals:
        return "no proposals"
    roles: dict[str, int] = {}
    for proposal in proposals:
        roles[proposal.role] = roles.get(proposal.role, 0) + 1
    kinds = ", ".join(f"{number} {role}" for role, number in roles.items())
    return f"{count_of(len(proposals), 'proposal')} ({kinds})"
