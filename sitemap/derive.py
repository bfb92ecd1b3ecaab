"""Layers made from the elevation and the design, each named for the role that it serves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.derived import Derived
from sitemap.errors import PlateError, SurfaceError, UsageError
from sitemap.measures.grid import RegularGrid, grid_over
from sitemap.measures.rotation import parse_rotation
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import Ordinance
from sitemap.places import map_extent
from sitemap.plate.map_frame import map_frame
from sitemap.plate.plan import SetPlan, plan_sheets
from sitemap.plate.site_grid import site_grid, submitted_grid
from sitemap.site import Site
from sitemap.terrain.arrows import REACH_FT, flow_arrows
from sitemap.terrain.cell_outlines import cells_as_areas
from sitemap.terrain.contours import DerivedContours, clipped, derive_contours
from sitemap.terrain.design import graded_area
from sitemap.terrain.downstream import flow_of
from sitemap.terrain.drainage import SLIT_FT, SLIVER_FT, Drainage, drainage
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.terrain.flow_tables import discharge_table, path_table
from sitemap.terrain.ground import Ground, ground_of
from sitemap.terrain.slopes import steep_areas
from sitemap.terrain.surface import Surface
from sitemap.terrain.vertical import ERROR_OF_LIDAR
from sitemap.units import Area, Length

ROUND_ABOUT_FT = 100.0  # contours and slopes reach this far beyond what the map must cover
BEYOND_FRAME_FT = 20.0  # and this far beyond the frame of the plate, so that none ends in it
FEW_CELLS = 1_000
LIDAR_CELL_FT = 16.5  # 5 m; finer ones are made from lidar
LEAST_STEEP_SQFT = 435.6  # 0.01 acres, where the pack sets no tolerance of acres
BEFORE_GRADING = "runoff_before_grading"  # a layer that serves no role: the map shows what follows
LOW_POINTS = "low_points"
VOIDS = "surface_voids"
WAYS = "traced_ways"


def derive_site(
    site: Site,
    ordinance: Ordinance,
    *,
    only: Iterable[str] | None = None,
    interval_ft: float | None = None,
) -> Derived:
    """The layers asked for (all of KINDS by default); writes nothing.

    UsageError for a kind that there is not; SurfaceError where the elevation that a kind needs
    cannot be had, or an interval that cannot be used.
    """
    wanted = list(dict.fromkeys(only)) if only is not None else list(KINDS)
    strange = [kind for kind in wanted if kind not in KINDS]
    if strange:
        raise UsageError(f"--only {strange[0]}: accepted are {', '.join(KINDS)}")
    if site.crs is None:
        raise SurfaceError(f"the site has no coordinate reference system ({site.crs_reason})")
    derived = Derived(site)
    ground = ground_of(site)
    if set(wanted) - {"grid"}:
        if ground.existing is None:
            raise SurfaceError(ground.why_no_existing)
        _say_ground(derived, ground, ground.existing)
    for kind, add in KINDS.items():
        if kind in wanted:
            add(derived, ground, ordinance, interval_ft)
    return derived


# ------------------------------------------------------------------------------ the surfaces


def _say_ground(derived: Derived, ground: Ground, existing: Surface) -> None:
    derived.say(
        "existing ground",
        existing.words,
        f"operation: {existing.operation}",
        f"covers {existing.covered_pct:.0f} % of the map, a quarter mile around it and a margin",
        *existing.notes,
        *_too_coarse(derived.site, existing),
    )
    if ground.proposed is not None:
        derived.say("ground after grading", ground.proposed.words)
    else:
        derived.say(
            "ground after grading", f"taken as the existing ground: {ground.why_no_proposed}"
        )
    _add_voids(derived, existing)


def _too_coarse(site: Site, surface: Surface) -> Iterator[str]:
    """What large cells do not show, in words."""
    boundary = site.boundary
    cells = 0.0 if boundary is None else boundary.area / surface.cell_ft**2
    if 0.0 < cells < FEW_CELLS:
        yield (
            f"the site has only {cells:,.0f} cells of {surface.cell_ft:.3g} ft: contours, slopes, "
            "divides and ways of water show no more of it than these do"
        )
    if surface.cell_ft > LIDAR_CELL_FT and ERROR_OF_LIDAR in surface.error_how:
        yield (
            "the error taken is that of lidar; a model of such large cells is seldom so exact: "
            "state vertical_error_ft under [map] in site.toml"
        )


def _add_voids(derived: Derived, surface: Surface) -> None:
    """Voids on the map as areas, so that nobody takes them for level ground."""
    extent = map_extent(derived.site)
    part = clipped(surface, extent)
    void = np.isnan(part.z_ft)
    if extent is not None and void.any():
        areas = cells_as_areas(void, part.transform)
        derived.add(VOIDS, {"acres": np.round(shapely.area(areas) / 43_560.0, 3)}, areas)


def _around(site: Site, ordinance: Ordinance) -> Bounds | None:
    """What the plate's map frame shows, and at least 100 ft around what the map must cover."""
    extent = map_extent(site)
    if extent is None:
        return None
    by = ROUND_ABOUT_FT
    boxes = [(extent[0] - by, extent[1] - by, extent[2] + by, extent[3] + by)]
    wishes = site.project.plate
    with suppress(PlateError):  # no one sheet holds the site
        frame = map_frame(site, ordinance, sheet_layout(wishes.sheet), wishes.scale)
        low, high = frame.corners_ft.min(axis=0), frame.corners_ft.max(axis=0)
        boxes.append((*(low - BEYOND_FRAME_FT).tolist(), *(high + BEYOND_FRAME_FT).tolist()))
    least, most = np.min(boxes, axis=0), np.max(boxes, axis=0)
    return float(least[0]), float(least[1]), float(most[2]), float(most[3])


# ------------------------------------------------------------------------------ the kinds


def _contours(
    derived: Derived, ground: Ground, ordinance: Ordinance, interval_ft: float | None
) -> None:
    limit_ft = _length_ft(ordinance, "max_contour_interval", 5.0)
    site, existing = derived.site, ground.existing
    around = _around(site, ordinance)
    assert existing is not None
    if existing.of_contours:
        derived.say(
            "contours_existing",
            "not derived: the ground is known from the contours of the submission only",
        )
    else:
        made = derive_contours(existing, interval_ft, limit_ft=limit_ft, within=around)
        derived.say("contours_existing", made.words)
        _add_contours(derived, "contours_existing", made)
    design, graded = ground.proposed, graded_area(site)
    if design is None or site.role("contours_proposed") is not None:
        why = ground.why_no_proposed or "the submission has its own"
        derived.say("contours_proposed", f"not derived: {why}")
        return
    made = derive_contours(design, interval_ft, limit_ft=limit_ft, within=around)
    if graded is not None:
        made = made.inside(graded)
    derived.say("contours_proposed", made.words)
    _add_contours(derived, "contours_proposed", made)


def _add_contours(derived: Derived, role: str, made: DerivedContours) -> None:
    derived.add(role, {"elevation_ft": made.levels_ft, "kind": made.kinds}, made.lines)


def _slopes(derived: Derived, ground: Ground, ordinance: Ordinance, _: float | None) -> None:
    limit = ordinance.limits.get("steep_slope")
    pct = float(limit.value) if limit is not None else 20.0
    tolerance = ordinance.limits.get("acres_tolerance")
    typed = tolerance.typed if tolerance is not None else None
    least = typed.acres * 43_560.0 if isinstance(typed, Area) else LEAST_STEEP_SQFT
    assert ground.existing is not None
    around = _around(derived.site, ordinance)
    made = steep_areas(ground.existing, pct, least_sqft=least, within=around)
    derived.say("steep_slopes", f"existing ground: {made.words}")
    ids = [f"SS-{i + 1}" for i in range(len(made))]
    derived.add("steep_slopes", {"id": ids, "slope_pct": made.slope_pct}, made.areas)


def _drainage(derived: Derived, ground: Ground, ordinance: Ordinance, _: float | None) -> None:
    site, after = derived.site, ground.after
    assert after is not None
    assert ground.existing is not None
    widths = {
        "slit_ft": _length_ft(ordinance, "gap_width", SLIT_FT),
        "sliver_ft": _length_ft(ordinance, "sliver_width", SLIVER_FT),
    }
    made = drainage(site, after, after_grading=True, **widths)
    _add_drainage(derived, "drainage_areas", made)
    if ground.proposed is not None:
        before = drainage(site, ground.existing, after_grading=False, **widths)
        _add_drainage(derived, BEFORE_GRADING, before)
    areas = [area.shape for area in made.areas]
    labels = [(f"DA-{i + 1}", area.point.name) for i, area in enumerate(made.areas)]
    disturbed = site.role("disturbance")
    if not areas and disturbed is not None:
        frame = disturbed.usable
        areas = list(frame.geometry.make_valid())
        labels = [(str(name), "") for name in frame["id"]]
    arrows = flow_arrows(after, areas)
    derived.say(
        "flow_arrows",
        f"{len(arrows)} arrows in {len(areas)} areas, down the ground smoothed over "
        f"{2 * max(REACH_FT, after.cell_ft):.0f} ft, slope over up to 100 ft",
    )
    columns = {
        "id": [f"FA-{i + 1}" for i in range(len(arrows))],
        "slope_pct": [arrow.slope_pct for arrow in arrows],
        "from_area": [labels[arrow.area][0] for arrow in arrows],
        "to_outfall": [labels[arrow.area][1] or None for arrow in arrows],
    }
    derived.add("flow_arrows", columns, [arrow.line for arrow in arrows])


def _add_drainage(derived: Derived, name: str, made: Drainage) -> None:
    areas = made.areas
    edge = [a.point.name for a in areas if a.at_edge]
    derived.say(
        name,
        f"{len(areas)} areas: " + ", ".join(f"{a.point.name} {a.acres:g} acres" for a in areas)
        if areas
        else "no outfall and no low point along the boundary drains half an acre or more",
        f"at least, since they reach the end of the elevation data: {', '.join(edge)}"
        if edge
        else "",
        *made.notes,
    )
    columns = {
        "id": [f"DA-{i + 1}" for i in range(len(areas))],
        "acres": [a.acres for a in areas],
        "slope_pct": [a.slope_pct for a in areas],
        "outfall": [a.point.name for a in areas],
        "area_kind": [a.point.kind for a in areas],
    }
    derived.add(name, columns, [a.shape for a in areas])
    low = [a for a in areas if a.point.kind != "outfall"]
    if name == "drainage_areas":
        columns = {"id": [a.point.name for a in low], "acres": [a.acres for a in low]}
        derived.add(LOW_POINTS, columns, [shapely.Point(a.point.xy) for a in low])


def _discharges(derived: Derived, _: Ground, ordinance: Ordinance, __: float | None) -> None:
    lacking = [name for name in FlowLimits.NAMES if name not in ordinance.limits]
    if lacking:
        derived.say("discharges", f"not derived: the pack {ordinance.id} sets no {lacking[0]}")
        return
    flow = flow_of(derived.site, FlowLimits.of(ordinance.limits, derived.site))
    table, paths = discharge_table(flow), path_table(flow)
    lines = [
        f"{row.outfall}: {row.receiving_water or row.kind or row.role} after "
        f"{row.distance_ft:,.0f} ft ({row.method}; in {row.share_pct:g} of 100 runs"
        f"{'' if row.first else '; met after another water'})"
        for row in table.itertuples()
    ]
    feet = f"{flow.limits.distance_ft:,.0f} ft along flow"
    derived.say("discharges", f"waters met within {feet}: {len(table)}", *lines)
    first = table[table["first"].astype(bool)].drop(columns=["first", "role", "kind"])
    derived.add_frame("discharges", first)
    derived.add_frame(WAYS, paths[paths.length > 0])


def _grid(derived: Derived, _: Ground, ordinance: Ordinance, __: float | None) -> None:
    grid, words = _grid_of(derived.site, ordinance)
    derived.say("grid", f"{grid.columns} by {grid.rows} cells of {grid.cell_ft:g} ft, {words}")
    boxes = [shapely.Polygon(grid.outline_of(label)) for label in grid.labels]
    derived.add("grid", {"label": list(grid.labels)}, boxes)


def _grid_of(site: Site, ordinance: Ordinance) -> tuple[RegularGrid, str]:
    """The grid that the plate would draw; where no sheets hold the site, one over the map."""
    wishes, layout = site.project.plate, sheet_layout(site.project.plate.sheet)
    words = f"as on the plate ({wishes.sheet})"
    try:
        turn = parse_rotation(wishes.rotation)
        plan = plan_sheets(site, ordinance, layout, wishes.scale, turn)
        if isinstance(plan, SetPlan):
            return plan.grid, words
        frame = map_frame(site, ordinance, layout, wishes.scale, plan.rotation_deg)
        return site_grid(frame, submitted=submitted_grid(site)), words
    except PlateError:
        extent = map_extent(site)
        if extent is None:
            raise SurfaceError("no layer shows where the site lies, so no grid") from None
        return grid_over(extent), "over what the map must cover"


def _length_ft(ordinance: Ordinance, name: str, otherwise_ft: float) -> float:
    limit = ordinance.limits.get(name)
    typed = limit.typed if limit is not None else None
    return typed.feet if isinstance(typed, Length) else otherwise_ft


_Kind = Callable[[Derived, Ground, Ordinance, float | None], None]
KINDS: dict[str, _Kind] = {
    "contours": _contours,
    "slopes": _slopes,
    "drainage": _drainage,
    "discharges": _discharges,
    "grid": _grid,
}
