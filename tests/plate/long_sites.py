"""Sites that no single sheet holds: a road of 6,000 ft, and one with the shape of an L."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import shapely

from sitemap.site import Site
from tests.clean_ground import at, contour_features, contours, line, point
from tests.clean_site import (
    clean_site,
    layer_frame,
    role_layer,
    the_catalogue,
    with_facts,
    with_plate_wishes,
)

ROAD_FT = 6_000.0
DECLARED = ("wetlands", "floodplain", "waterbodies")


def _made(features: dict[str, dict[str, Any]], name: str) -> Site:
    catalogue = the_catalogue()
    layers = {
        role: role_layer(role, layer_frame(role, one), catalogue=catalogue)
        for role, one in features.items()
    }
    members = tuple(layer.members[0] for layer in layers.values())
    site = replace(clean_site(), name=name, layers=layers, datasets=members)
    return with_plate_wishes(with_facts(site, name=name), scale="auto")


def _bend(x: np.ndarray) -> np.ndarray:
    return 260.0 * np.sin(x / ROAD_FT * 2.5 * np.pi)


def _rolling(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 800.0 + 0.02 * y + 14.0 * np.sin(x / 700.0) + 6.0 * np.cos(y / 260.0)


@lru_cache(maxsize=1)
def road_corridor() -> Site:
    """A road of 6,000 ft with a fence along its lower side that runs over all sheets."""
    x = np.arange(0.0, ROAD_FT + 1.0, 25.0)
    middle = shapely.LineString(np.column_stack([x, _bend(x)]))
    fence = shapely.offset_curve(middle, -48.0)
    checks = [middle.interpolate(s) for s in np.arange(300.0, ROAD_FT, 600.0)]
    controls = [("SF-1", "SF", at(fence))]
    controls += [
        (f"DC-{i}", "DC", line((p.x - 8, p.y - 30), (p.x + 8, p.y - 30)))
        for i, p in enumerate(checks, start=1)
    ]
    extent = (-200.0, -700.0, ROAD_FT + 200.0, 700.0)
    return _made(
        {
            "boundary": {"geometry": [at(middle.buffer(66.0))], "name": ["Right of way"]},
            "disturbance": {"geometry": [at(middle.buffer(45.0))], "id": ["D-1"]},
            "contours_existing": contour_features(contours(_rolling, extent)),
            "roads": {"geometry": [at(middle)], "name": ["Ridge Road"]},
            "controls": {
                "geometry": [shape for _, _, shape in controls],
                "id": [name for name, _, _ in controls],
                "type": [kind for _, kind, _ in controls],
            },
            "inlets": {
                "geometry": [point(p.x, p.y + 20.0) for p in checks],
                "id": [f"IN-{i}" for i in range(1, len(checks) + 1)],
            },
        },
        "Ridge Road",
    )


@lru_cache(maxsize=1)
def l_shape() -> Site:
    """Two legs of 3,400 ft, 700 ft wide; a diversion and a stream run round the corner."""
    legs = shapely.union_all([shapely.box(0, 0, 3400, 700), shapely.box(0, 0, 700, 3400)])
    graded = legs.buffer(-80.0, join_style="mitre")
    extent = (-200.0, -200.0, 3600.0, 3600.0)
    notch = shapely.box(1000.0, 1000.0, 4000.0, 4000.0)
    lines = [
        (piece, level)
        for shape, level in contours(_rolling, extent)
        for piece in shapely.get_parts(shapely.difference(shape, at(notch)))
    ]
    return _made(
        {
            "boundary": {"geometry": [at(legs)], "name": ["Corner field"]},
            "disturbance": {"geometry": [at(graded)], "id": ["D-1"]},
            "contours_existing": contour_features(lines),
            "streams": {
                "geometry": [line((350, 3300), (300, 1800), (420, 420), (1800, 300), (3300, 380))],
                "name": ["Corner Creek"],
            },
            "controls": {
                "geometry": [
                    line((120, 3200), (140, 140), (3200, 130)),
                    line((560, 3200), (575, 600), (3200, 590)),
                ],
                "id": ["SF-1", "DV-1"],
                "type": ["SF", "MPC"],
            },
        },
        "Corner field",
    )
