"""GEO004: areas thinner than a digitizing error, and outlines that run out and back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.catalogue import LayerSpec
from sitemap.finding import Limit, Quantity, Severity
from sitemap.measures.records import sources
from sitemap.measures.thinness import slivers, spikes
from sitemap.measures.vertices import parts_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule("GEO004", clauses=("map",))
def sliver_or_spike(site: Site, sliver_width: Length, spike_angle: float) -> Iterator[Said]:
    """The map has a feature that is a sliver or has a spike.

    Why
        Slivers are what an overlay left behind, spikes are slips of the hand. Both print as a
        line where there is nothing, and a spike across the boundary reads as a disturbance there.

    How it is measured
        In the site CRS, in feet. A sliver: a part of an area that nowhere holds a strip as wide
        as the pack's sliver width, and is larger than its square (less is rounding). A spike: a
        vertex of an outline or a line with an angle below the pack's spike angle, whose arms are
        both longer than the sliver width and less than it apart where the shorter one ends. One
        finding per feature and kind: a warning, since its area changes no measured quantity.

    When it does not apply
        To points. Outlines that go back on themselves exactly are invalid (GEO001).

    How to fix
        Delete the sliver or merge it with its neighbour; delete the vertex at the spike's tip.

    References
        § 162-11B(4); geofileops issue 774 (slivers of overlays).
    """
    width = sliver_width.to(site.foot)
    looked_at = 0
    for layer in site.layers.values():
        spec = site.catalogue[layer.role]
        looked_at += int((shapely.get_dimensions(layer.shapes) > 0).sum())
        yield from _slivers(spec, layer, width)
        yield from _spikes(spec, layer, width, spike_angle)
    if not looked_at:
        yield NotApplicable("no layer has a line or an area")
        return
    yield Checked(f"{looked_at} lines and areas", looked_at)


def _slivers(spec: LayerSpec, layer: RoleLayer, width: float) -> Iterator[Fault]:
    parts, owner = parts_of(layer.shapes)
    areal = shapely.get_type_id(parts) == 3
    if not areal.all():
        parts, owner = parts[areal], owner[areal]
    thin = slivers(parts, width)
    thin[thin] = shapely.area(parts[thin]) > width**2  # less are crumbs of rounding
    for row in np.unique(owner[thin]).tolist():
        where = sources(layer.usable.iloc[[row]])[0]
        own = parts[thin & (owner == row)]
        count = int((owner == row).sum())
        mean_ft = 2.0 * float(shapely.area(own).sum()) / float(shapely.length(own).sum())
        what = "is a sliver" if count == 1 else f"has {len(own)} slivers among its {count} parts"
        yield Fault(
            f"{where}: {what}, {mean_ft:.2f} ft wide on average, "
            f"{float(shapely.area(own).sum()):,.1f} sq ft",
            "delete the sliver, or merge it with its neighbour",
            geometry=own[0] if len(own) == 1 else shapely.multipolygons(own),
            measured=Quantity(round(mean_ft, 3), "ft"),
            limit=Limit(width, "ft", ">="),
            role=spec.role,
            source=where,
            severity=Severity.WARNING,
            distinct=f"sliver {where}",
        )


def _spikes(spec: LayerSpec, layer: RoleLayer, width: float, angle_deg: float) -> Iterator[Fault]:
    owner, tips, reach = spikes(layer.shapes, width, angle_deg)
    for row in np.unique(owner).tolist():
        where = sources(layer.usable.iloc[[row]])[0]
        own = owner == row
        count, longest = int(own.sum()), float(reach[own].max())
        x, y = tips[own][int(np.argmax(reach[own]))].tolist()
        what = "a spike" if count == 1 else f"{count} spikes, the longest"
        yield Fault(
            f"{where}: {what} of {longest:,.1f} ft, its tip at x {x:,.2f}, y {y:,.2f}",
            "delete the vertex at the tip",
            geometry=shapely.multipoints(tips[own]) if count > 1 else shapely.Point(x, y),
            measured=Quantity(round(longest, 2), "ft"),
            role=spec.role,
            source=where,
            severity=Severity.WARNING,
            distinct=f"spike {where}",
        )
