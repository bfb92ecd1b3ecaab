"""References in code: what is known of the land around the clean site, without a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import geopandas as gpd
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Transformation
from sitemap.intake.reference_roles import reference_catalogue
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID
from sitemap.reference import DOUBT, ReferenceLayer, ReferenceSet, ReferenceSource
from sitemap.site import Site
from tests.clean_ground import CRS, line, rectangle

WINDOW = rectangle(-1520, -1520, 2320, 2120)
FILES = {"wetlands": "wwi.gpkg", "floodplain": "nfhl.gdb", "streams": "nhd.gdb"}


def known(
    site: Site,
    role: str,
    features: Mapping[str, Any],
    *,
    file: str | None = None,
    reach: BaseGeometry | None = WINDOW,
) -> Site:
    """The site with one more reference layer: {"geometry": [...], field: [...]}, site feet."""
    name = file or FILES.get(role, f"{role}.gpkg")
    layer = ReferenceLayer(
        role=role,
        frame=reference_frame(role, features, name),
        source=ReferenceSource(name, name, role, "GPKG", role, "named in a test", rows=1),
        window=WINDOW,
        reach=reach,
        transformation=Transformation("a", "a", "none", 0.0, False),
    )
    before = site.reference
    return replace(
        site,
        reference=ReferenceSet(
            layers=(*before.layers, layer), given=(*before.given, name), window=WINDOW
        ),
    )


def reference_frame(role: str, features: Mapping[str, Any], name: str) -> gpd.GeoDataFrame:
    """A frame as intake makes it: canonical columns, then source and doubt."""
    spec = reference_catalogue()[role]
    count = len(features["geometry"])
    table: dict[str, Any] = {}
    for field, kind in spec.fields.items():
        numeric = kind.type in ("number", "integer")
        values = list(features.get(field, [np.nan if numeric else None] * count))
        table[field] = np.array(values, dtype=float if numeric else object)
    table[SOURCE_FILE] = np.full(count, name, dtype=object)
    table[SOURCE_LAYER] = np.full(count, role, dtype=object)
    table[SOURCE_FID] = np.arange(count)
    table[USER_ID] = table.get(spec.id_field or "", np.full(count, None, dtype=object))
    table[DOUBT] = np.array(features.get("doubt", [None] * count), dtype=object)
    shapes = np.empty(count, dtype=object)
    shapes[:] = [shapely.intersection(shape, WINDOW) for shape in features["geometry"]]
    return gpd.GeoDataFrame(table, geometry=shapes, crs=CRS)


def known_land(site: Site) -> Site:
    """The site with references that show what the clean site shows."""
    drawn = {
        "wetlands": {"geometry": [rectangle(560, 60, 700, 120)], "class": ["E2K"]},
        "floodplain": {
            "geometry": [rectangle(-1500, 45, 2300, 58), rectangle(-1500, 5, 2300, 45)],
            "zone": ["AE", "AE"],
            "subtype": [None, "floodway"],
        },
        "streams": {
            "geometry": [line((-100, 40), (300, 30), (900, 20))],
            "name": ["Tess Corners Creek"],
            "kind": ["stream"],
        },
        "parcels": {"geometry": [rectangle(0, 0, 800, 600)], "id": ["MSKC 1"]},
        "jurisdiction": {"geometry": [WINDOW], "name": ["Muskego"]},
    }
    for role, features in drawn.items():
        site = known(site, role, features)
    return site
