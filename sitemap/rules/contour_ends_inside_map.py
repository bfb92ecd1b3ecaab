"""CON009: an existing contour that ends inside the map."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import MultiLineString, MultiPoint, Point
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Severity
from sitemap.measures.contour_ends import Ends, ends_inside, ends_near, label_gaps, open_ends
from sitemap.measures.contours import Contours, contours_in
from sitemap.measures.records import sources
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.shown import elevation_layer
from sitemap.terrain.surface import Surface
from sitemap.units import Length

MOST_ENDS = 25
VOID_CELLS = 3  # contours keep half a cell off a void, and lose specks beside it
CUT_BY = ("boundary", "disturbance", "waterbodies", "finished_surfaces", "roads", "streams")


@rule(
    "CON009",
    clauses=("contours",),
    needs=("contours_existing",),
    uses=("contours_proposed",),
)
def contour_ends_inside_map(
    site: Site,
    contours_existing: RoleLayer,
    contours_proposed: RoleLayer | None,
    position_tolerance: Length,
) -> Iterator[Said]:
    """The map has an existing contour that ends inside the mapped ground.

    Why
        A level runs on until it closes or leaves the map. Where it stops, ground is missing or a
        piece of the line was lost.

    How it is measured
        Every end of an existing contour that meets no end of its own level within the position
        tolerance. It is inside when it lies neither on the hull of the layer, nor on the outline
        of boundary, disturbance, water, roads or buildings (what contours are cut at), nor on a
        proposed contour of its level, and when rays from it find contours all round: nothing
        drawn over 120 degrees means the rim of the mapped ground. Two ends of one level that
        face each other within 100 ft are a gap for a label: information. Where an elevation model
        was handed in, ends within three of its cells of a void in it are told apart: a person
        says what the ground is there.

    When it does not apply
        To proposed contours, which end where they meet existing ground (reading 4).

    How to fix
        Join the line to its continuation, or draw it on to the edge of the map. Keep a line whole
        under its label and mask it when plotting.

    References
        § 162-11B(4)(a), existing topography.
    """
    tolerance = position_tolerance.to(site.foot)
    contours = contours_in(contours_existing)
    if len(contours) == 0:
        yield Skip("no contour has an elevation: see CON003")
        return
    ends = open_ends(contours, tolerance)
    if contours_proposed is not None:
        ends = ends.keep(~ends_near(ends, contours_in(contours_proposed), tolerance))
    every = len(ends)
    ends = ends.keep(ends_inside(contours, ends, tolerance, _cut_lines(site)))
    void = _at_voids(ends, elevation_layer(site))
    at_void, ends = ends.keep(void), ends.keep(~void)
    gaps = label_gaps(contours, ends)
    at_label = _at(ends, gaps.ends_xy)
    yield Checked(
        f"{len(contours)} existing contours: {every} open ends, {len(ends)} of them inside the "
        f"map, {int(at_label.sum())} at gaps for labels; {len(at_void)} at voids in the elevation",
        len(contours),
    )
    if len(at_void):
        yield Ask(
            f"{plural(len(at_void), 'existing contour')} end at ground without elevation data: "
            "what is the topography there?",
            "a",
            MultiPoint(at_void.xy),
        )
    if len(gaps.bridges):
        width = shapely.length(gaps.bridges)
        yield Fault(
            f"existing contours are broken at {plural(len(gaps.bridges), 'place')} as for a label, "
            f"over {width.min():.0f} to {width.max():.0f} ft",
            "keep the lines whole and mask them behind their labels",
            geometry=MultiLineString(list(gaps.bridges)),
            role="contours_existing",
            severity=Severity.INFO,
            distinct="label gaps",
        )
    yield from _faults(contours_existing, contours, ends.keep(~at_label))


def _at_voids(ends: Ends, surface: Surface | None) -> np.ndarray:
    """True for ends beside cells without a height, from which no contour can be drawn on."""
    if surface is None or surface.of_contours or not len(ends):
        return np.zeros(len(ends), dtype=bool)
    reach = np.arange(-VOID_CELLS, VOID_CELLS + 1) * surface.cell_ft
    around = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    heights = surface.heights_at((ends.xy[:, None, :] + around).reshape(-1, 2))
    return np.asarray(np.isnan(heights).reshape(len(ends), -1).any(axis=1))


def _cut_lines(site: Site) -> list[BaseGeometry]:
    """Outlines that contours are usually cut at."""
    layers = [layer for role in CUT_BY if (layer := site.role(role)) is not None]
    return [
        shape
        for layer in layers
        for shape in layer.usable.geometry.make_valid()
        if shape.geom_type not in ("Point", "MultiPoint")
    ]


def _at(ends: Ends, xy: np.ndarray) -> np.ndarray:
    """True for ends that stand in a list of places."""
    places = xy.reshape(-1, 2)
    return np.isin(ends.xy[:, 0] + 1j * ends.xy[:, 1], places[:, 0] + 1j * places[:, 1])


def _faults(layer: RoleLayer, contours: Contours, ends: Ends) -> Iterator[Fault]:
    where = sources(layer.frame)
    order = np.lexsort([ends.xy[:, 1], ends.xy[:, 0], ends.level_ft])
    for end in order[:MOST_ENDS].tolist():
        level = float(ends.level_ft[end])
        yield Fault(
            f"existing contour {level:g} ft ends inside the map",
            "join it to its continuation, or draw it on to the edge of the map",
            geometry=Point(ends.xy[end]),
            role="contours_existing",
            source=where[contours.rows[ends.line[end]]],
            distinct=f"{level:g} at {ends.xy[end][0]:.0f},{ends.xy[end][1]:.0f}",
        )
    if len(order) > MOST_ENDS:
        yield Fault(
            f"{len(order) - MOST_ENDS} more existing contours end inside the map",
            "look at the whole layer: it may be cut in tiles that do not meet",
            geometry=MultiPoint(ends.xy[order[MOST_ENDS:]]),
            role="contours_existing",
            distinct="more ends",
        )
