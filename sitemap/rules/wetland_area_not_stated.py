"""WET002: a wetland on the site without its area."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.measures.cover import acres, mended
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site


@rule("WET002", clauses=("h",), needs=("wetlands",), uses=("boundary",))
def wetland_area_not_stated(
    site: Site, wetlands: RoleLayer, boundary: RoleLayer | None
) -> Iterator[Said]:
    """The map has a wetland on the site whose area is not stated.

    Why
        The paragraph asks for areas and locations of wetland: the reader must not have to measure
        the paper, and a wetland too small to draw has no area but the one that is stated.

    How it is measured
        Each wetland that meets the boundary of the site (all of them where there is none) must
        have acres greater than zero in its acres field. One finding per wetland, with the acres
        that were drawn.

    When it does not apply
        To wetlands beside the site, which only have to be shown.

    How to fix
        Fill the acres field from the delineation report.

    References
        § 162-11B(4)(h), "Areas and locations of wetland on the construction site".
    """
    frame = wetlands.usable
    shapes = mended(frame.geometry.to_numpy())
    ground = site.boundary
    on_site = np.ones(len(shapes), bool) if ground is None else shapely.intersects(shapes, ground)
    if not on_site.any():
        yield NotApplicable("no wetland lies on the site")
        return
    stated = frame["acres"].to_numpy(dtype=float, na_value=np.nan)
    silent = on_site & ~(stated > 0)
    yield Checked(
        f"{plural(int(on_site.sum()), 'wetland')} on the site, "
        f"{int((on_site & ~silent).sum())} with stated acres",
        int(on_site.sum()),
    )
    where = sources(frame)
    for index in np.flatnonzero(silent).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        drawn = acres(float(shapes[index].area), site.foot)
        words = f"; {drawn:,.2f} acres are drawn" if drawn > 0 else ""
        yield Fault(
            f"wetland {name} has no stated area{words}",
            "fill its acres from the delineation report",
            geometry=shapes[index],
            role="wetlands",
            source=where[index],
            field_name="acres",
        )
