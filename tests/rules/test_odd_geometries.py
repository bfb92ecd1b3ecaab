"""Whatever lies in a layer, no rule on data, scale, contours, boundary or grid fails to run."""

from __future__ import annotations

import math
import warnings

import pytest
import shapely
from shapely.geometry import GeometryCollection, LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from sitemap.check import check_site
from sitemap.finding import Status
from sitemap.ordinance import load_ordinance
from sitemap.rules import RULES
from tests.clean_site import (
    NOW,
    add_feature,
    at,
    clean_site,
    line,
    point,
    rectangle,
    with_layer,
)
from tests.measured_plates import clean_plate

FAMILIES = ("SUB", "GEO", "TOP", "SCL", "CON", "BND", "DST", "GRD")
JUDGED = tuple(rule for rule in RULES if rule.code[:3] in FAMILIES)
ROLES = (
    "boundary", "disturbance", "contours_existing", "contours_proposed", "controls", "grid",
    "streams", "soils", "drainage_areas",
)  # fmt: skip
BOW = at(Polygon([(0, 0), (9, 9), (9, 0), (0, 9)]))

with warnings.catch_warnings():  # numbers that are not finite are meant
    warnings.simplefilter("ignore", RuntimeWarning)
    ODD: dict[str, BaseGeometry | None] = {
        "null": None,
        "empty": Polygon(),
        "point": point(3, 3),
        "line": line((0, 0), (50, 50)),
        "line without length": line((5, 5), (5, 5)),
        "area without size": at(Polygon([(0, 0), (9, 9), (0, 0)])),
        "self-crossing": BOW,
        "overlapping parts": MultiPolygon([rectangle(0, 0, 5, 5), rectangle(3, 3, 9, 9)]),
        "collection": GeometryCollection(
            [point(1, 1), rectangle(0, 0, 5, 5), line((0, 0), (9, 9))]
        ),
        "with height": shapely.force_3d(rectangle(0, 0, 9, 9), 5.0),
        "far away": shapely.box(1e30, 1e30, 2e30, 2e30),
        "infinite line": LineString([(0, 0), (math.inf, 1)]),
        "infinite area": Polygon([(0, 0), (math.inf, 0), (1, 1)]),
        "not a number": Polygon([(0, 0), (math.nan, 0), (1, 1), (0, 2)]),
    }


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "beside"])
def test_no_rule_fails_to_run(name: str, alone: bool) -> None:
    site = clean_site()
    for role in ROLES:
        fields = {"elevation": 821.0, "label": "Z9", "acres": 1.0}
        if alone:
            data = {"geometry": [ODD[name]], **{k: [v] for k, v in fields.items()}}
            site = with_layer(site, role, data)
        else:
            site = add_feature(site, role, ODD[name], **fields)
    checked = check_site(
        site, load_ordinance("muskego"), plate=clean_plate(), now=NOW, rules=JUDGED
    )
    failed = {o.rule: o.trace for o in checked.outcomes if o.status is Status.FAILED}
    assert failed == {}
