"""DST004: soil disturbed in a wetland."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, dissolved, mended, shared
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length


@rule("DST004", clauses=("9c1c",), needs=("disturbance", "wetlands"))
def disturbance_in_wetland(
    site: Site, disturbance: RoleLayer, wetlands: RoleLayer, sliver_width: Length
) -> Iterator[Said]:
    """The map has soil disturbed inside a wetland.

    Why
        Wetlands are waters of the state: sediment from ground that is torn up in one is in the
        water already, and no practice can stand between.

    How it is measured
        Each wetland's area that the disturbed areas (dissolved) cover, in the site CRS, in acres;
        strips that are nowhere as wide as the sliver width are left out. A wetland drawn as a
        point counts when it lies inside a disturbed area, one drawn as a line when more of it than
        the sliver width does. One finding per wetland.

    When it does not apply
        Where wetlands are declared none.

    How to fix
        Draw the limits of disturbance back to the wetland's edge. Where state and federal permits
        allow the fill, waive the finding with their numbers.

    References
        § 162-9C(1)(c), sediment from disturbed areas into adjacent waters of the state.
    """
    ground = dissolved(disturbance.shapes)
    if ground.area <= 0:
        yield Skip("the disturbance layer encloses no area")
        return
    frame = wetlands.usable
    shapes = mended(frame.geometry.to_numpy())
    width = sliver_width.to(site.foot)
    torn = shared(shapes, ground, width)
    shapely.prepare(ground)
    hit = np.flatnonzero((shapely.area(torn) > 0) | _without_area(shapes, ground, width))
    yield Checked(
        f"{plural(len(frame), 'wetland')}, {len(hit)} of them disturbed "
        f"({acres(float(shapely.area(torn).sum()), site.foot):,.2f} acres)",
        len(frame),
    )
    where = sources(frame)
    for index in hit.tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        size = acres(float(torn[index].area), site.foot)
        what = f"{size:,.3f} acres of wetland {name} are" if size else f"wetland {name} is"
        yield Fault(
            f"{what} inside the limits of disturbance",
            "draw the limits of disturbance back to the edge of the wetland",
            geometry=torn[index] if size else shapes[index],
            measured=Quantity(round(size, 4), "acres") if size else None,
            limit=Limit(0.0, "acres") if size else None,
            role="wetlands",
            source=where[index],
        )


def _without_area(shapes: np.ndarray, ground: BaseGeometry, width: float) -> np.ndarray:
    """True for points inside the ground, and for lines with more than the width inside."""
    dimension = shapely.get_dimensions(shapes)
    found = (dimension < 2) & shapely.intersects(ground, shapes)
    lines = found & (dimension == 1)
    found[lines] = shapely.length(shapely.intersection(shapes[lines], ground)) > width
    return np.asarray(found)
