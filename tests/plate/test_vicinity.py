"""Where the site is: on a single sheet, where roads go beyond what the map shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from sitemap.measured_plate import MAIN_FRAME
from sitemap.plate.marks import Areas, Text
from sitemap.plate.vicinity import SITE_SHADE, VICINITY_NAME
from sitemap.site import Site
from tests.clean_ground import line
from tests.clean_site import clean_site, layer_frame, role_layer, the_catalogue, without
from tests.plate.composed import compose_sheet

FAR_FT = 4000.0


def on_roads(*roads: tuple[str, Any]) -> Site:
    """The clean site with these roads only, and nothing that flows off the map."""
    features = {"geometry": [shape for _, shape in roads], "name": [name for name, _ in roads]}
    layer = role_layer("roads", layer_frame("roads", features), catalogue=the_catalogue())
    site = clean_site()
    for role in ("outfalls", "discharges"):
        site = without(site, role)
    return replace(site, layers={**site.layers, "roads": layer})


@pytest.mark.parametrize("rotation_deg", [0.0, 90.0])
def test_roads_that_go_far_are_shown_with_the_site_among_them(rotation_deg: float) -> None:
    site = on_roads(
        ("Long Lane", line((-FAR_FT, 100), (FAR_FT, 100))),
        ("Cross Road", line((900, -FAR_FT), (900, FAR_FT))),
    )
    sheet = compose_sheet(site, sheet="ARCH E", rotation_deg=rotation_deg)
    assert [frame.name for frame in sheet.frames] == [MAIN_FRAME, VICINITY_NAME]
    main, vicinity = sheet.frames
    assert vicinity.feet_per_inch > main.feet_per_inch
    assert vicinity.rotation_deg == main.rotation_deg
    (shade,) = [m for m in sheet.marks if isinstance(m, Areas) and m.fill == SITE_SHADE]
    drawn = shapely.Polygon(shade.polygons[0][0])
    assert site.boundary is not None
    on_ground = shapely.transform(site.boundary, vicinity.to_paper)
    assert drawn.symmetric_difference(on_ground).area < 1e-9
    left, bottom, right, top = vicinity.box_in
    inside = [
        m.text
        for m in sheet.marks
        if isinstance(m, Text) and left < m.x_in < right and bottom < m.y_in < top
    ]
    assert {"Long Lane", "Cross Road"} <= set(inside)
    ends = vicinity.to_paper(site.role("roads").usable.get_coordinates().to_numpy())  # type: ignore[union-attr]
    assert (ends > np.array([left, bottom])).all()
    assert (ends < np.array([right, top])).all()


def test_roads_that_end_at_the_site_need_no_vicinity_map() -> None:
    sheet = compose_sheet(on_roads(("Lane", line((0, 100), (800, 100)))), sheet="ARCH E")
    assert [frame.name for frame in sheet.frames] == [MAIN_FRAME]
