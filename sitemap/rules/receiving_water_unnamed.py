"""HYD006: a discharge that does not say which water receives it."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.checked import plural
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.terrain.downstream import Flow

USES = ("outfalls", "streams", "waterbodies", "wetlands", "storm_sewers", "culverts", "boundary")


@rule("HYD006", clauses=("3h",), needs=("discharges",), uses=USES)
def receiving_water_unnamed(site: Site, flow: Flow, discharges: RoleLayer) -> Iterator[Said]:
    """The map has a discharge without the name of the water that receives it.

    Why
        The law asks for the name of the immediate receiving water; by it the reviewer knows which
        standards hold downstream.

    How it is measured
        The field receiving_water of each discharge that is drawn; one finding for each that is
        empty. Where the flow can be followed, the remedy names the water that it enters.

    When it does not apply
        To waters that have no name on the map: the words for them ("wetland W-1", "unnamed
        tributary of Marl Creek") are a name.

    How to fix
        Fill in the water that receives the discharge.

    References
        § 162-11B(3)(h); § 162-11B(4)(h).
    """
    frame = discharges.usable
    for source, water, shape in zip(
        sources(frame), frame["receiving_water"], frame.geometry, strict=True
    ):
        if isinstance(water, str) and water.strip():
            continue
        name = source.user_id or f"record {source.feature}"
        yield Fault(
            f"discharge {name} does not name its receiving water",
            _remedy(flow, shapely.force_2d(shape)),
            geometry=shapely.force_2d(shape),
            role="discharges",
            source=source,
            field_name="receiving_water",
        )
    words = plural(len(frame), "discharge")
    yield Checked(f"{words} looked at for the name of the receiving water", len(frame))


def _remedy(flow: Flow, point: shapely.Geometry) -> str:
    """The water that is nearest to the point, when it lies there."""
    plain = "fill in the water that receives the discharge"
    waters = flow.waters.waters
    near = min(waters, key=lambda water: water.shape.distance(point), default=None)
    if near is None or near.shape.distance(point) > flow.limits.snap_ft:
        return plain
    return f"{plain}; it lies at {near.name}"
