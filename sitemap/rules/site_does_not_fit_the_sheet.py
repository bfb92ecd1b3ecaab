"""SCL005: a site that is larger than the map frame of its sheet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import crs_code, is_in_feet, parse_crs, transform_points
from sitemap.errors import UsageError
from sitemap.finding import Quantity, Severity
from sitemap.measured_plate import MapFrame, MeasuredPlate
from sitemap.measures.map_extent import core_ground, size_ft
from sitemap.measures.map_scale import wished_scale
from sitemap.measures.rotation import rotation_words
from sitemap.measures.sheets import PAPER_IN, fits, parse_sheet, sheets_that_fit
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import Site
from sitemap.units import Length, MapScale

SHOWN = ("boundary", "disturbance", "controls", "discharges")


@rule("SCL005", clauses=("scale",), uses=SHOWN)
def site_does_not_fit_the_sheet(
    site: Site,
    plate: MeasuredPlate | None,
    max_scale: MapScale,
    position_tolerance: Length,
    adjacent_distance: Length,
) -> Iterator[Said]:
    """The map has a sheet that is too small for the site at the scale asked for.

    Why
        What lies beyond the frame is not on the map, and then the map does not show it.

    How it is measured
        With a plate: the ground of all map frames together must hold boundary, disturbance,
        controls and discharges, to the position tolerance. Without: the extent of
        boundary, disturbance and controls, turned as site.toml wishes (for "auto" as the plate
        would be), with the margin of site.toml or else the adjacent distance of the pack, at the
        stated scale against the map frame of the sheet asked for; for the scale "auto" some
        engineer's scale up to the limit must fit. That one sheet does not hold
        the site is an information while nothing is drawn: the plate becomes a set of sheets.

    When it does not apply
        Where neither a plate nor a site.toml asks for a sheet.

    How to fix
        Take one of the sheets that are named, fewer feet per inch are not needed; or several
        sheets with match lines.

    References
        § 162-11B(4), scale and content of the site map.
    """
    shapes = _shapes(site)
    if not shapes:
        yield NotApplicable("no layer that the map must show is there")
    elif plate is not None:
        yield from _on_plate(site, plate, shapes, position_tolerance.to(site.foot))
    elif site.project.path is None and site.project.plate.scale == "auto":
        yield NotApplicable("neither a plate nor a site.toml asks for a sheet")
    else:
        yield from _on_sheet(site, max_scale, adjacent_distance)


def _shapes(site: Site) -> dict[str, BaseGeometry]:
    layers = {role: site.role(role) for role in SHOWN}
    return {
        role: shapely.union_all(shapely.make_valid(layer.shapes))
        for role, layer in layers.items()
        if layer is not None and len(layer.usable)
    }


def _on_sheet(site: Site, max_scale: MapScale, adjacent_distance: Length) -> Iterator[Said]:
    wishes = site.project.plate
    ground = core_ground(site, adjacent_distance)
    try:
        sheet = parse_sheet(wishes.sheet)
    except UsageError as error:
        yield Skip(str(error))
        return
    size_on_paper = size_ft(ground)
    if ground is None or size_on_paper is None:
        yield NotApplicable("no layer that the map must show has a place")
        return
    width, height = size_on_paper
    wished = wished_scale(site, (width, height))
    scale = wished.scale if wished is not None else max_scale
    lies = rotation_words(ground.turn_deg)
    size = f"{width:,.0f} x {height:,.0f} ft{f', {lies},' if lies else ''}"
    yield Checked(f"{size} of ground on {sheet} at {scale}", 1)
    if fits(width, height, sheet, scale):
        return
    at_this = [name for name in _by_size() if fits(width, height, name, scale)]
    at_any = sheets_that_fit(width, height, max_scale)
    remedy = f"at {scale} these sheets hold it: {', '.join(at_this)}" if at_this else ""
    if at_any:
        remedy += f"{'; ' if remedy else ''}up to {max_scale}: {', '.join(at_any)}"
    yield Fault(
        f"the site needs {scale.paper_in(width):.1f} x {scale.paper_in(height):.1f} in at "
        f"{scale}, more than the map frame of {sheet} ({size} with margins)",
        f"{remedy}; or let `sitemap plate` draw several sheets with match lines".lstrip("; "),
        geometry=ground.outline,
        measured=Quantity(round(scale.paper_in(max(width, height)), 2), "in"),
        severity=Severity.INFO,  # nothing is missing yet: the plate becomes a set of sheets
    )


def _by_size() -> list[str]:
    return sorted(PAPER_IN, key=lambda name: PAPER_IN[name][0] * PAPER_IN[name][1])


def _on_plate(
    site: Site, plate: MeasuredPlate, shapes: dict[str, BaseGeometry], tolerance: float
) -> Iterator[Said]:
    known = [_ground(site, frame) for _, frame in plate.main_frames]
    ground = [area for area in known if area is not None]
    if not ground:
        yield Ask(
            "the plate does not say which ground it shows: look whether boundary, disturbance "
            "and controls are all on it",
            "scale",
        )
        return
    shown = shapely.union_all(ground).buffer(tolerance)
    yield Checked(
        f"{', '.join(shapes)} against the ground of {len(ground)} map frames", len(shapes)
    )
    for role, shape in shapes.items():
        beyond = shapely.difference(shape, shown)
        if beyond.is_empty:
            continue
        yield Fault(
            f"part of the {role} lies outside the plate's map frame",
            "shift the frame, take a larger sheet, or add a sheet with match lines",
            geometry=beyond,
            role=role,
            distinct="off the plate",
        )


def _ground(site: Site, frame: MapFrame) -> BaseGeometry | None:
    """The ground of a frame in the site CRS; None where the plate does not tell."""
    if frame.ground_ft is None or site.crs is None:
        return None
    xy = np.array(frame.ground_ft, dtype=float)
    if frame.epsg is not None and crs_code(site.crs) != f"EPSG:{frame.epsg}":
        plate_crs = parse_crs(f"EPSG:{frame.epsg}")
        if not is_in_feet(plate_crs):
            return None
        xy = np.column_stack(transform_points(xy[:, 0], xy[:, 1], plate_crs, site.crs))
    area: BaseGeometry = shapely.Polygon(xy)
    return area if area.is_valid and area.area > 0 else None
