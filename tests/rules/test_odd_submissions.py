"""Whatever lies in a dataset, no rule on submission, CRS, geometry or facts fails to run."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pytest

from sitemap.check import check_site
from sitemap.crs import parse_crs
from sitemap.finding import Status
from sitemap.ordinance import load_ordinance
from sitemap.rules import RULES
from sitemap.site import Site
from tests.clean_site import (
    NOW,
    add_feature,
    add_member,
    clean_site,
    dataset,
    with_dataset,
    with_layer,
)
from tests.rules.test_odd_geometries import ODD

FAMILIES = ("SUB", "CRS", "GEO", "DOC")
JUDGED = tuple(rule for rule in RULES if rule.code[:3] in FAMILIES)
ROLES = ("boundary", "disturbance", "contours_existing", "controls", "streams", "grid")


def failures(site: Site) -> dict[str, str | None]:
    checked = check_site(site, load_ordinance("muskego"), now=NOW, rules=JUDGED)
    return {o.rule: o.trace for o in checked.outcomes if o.status is Status.FAILED}


@pytest.mark.parametrize("name", ODD)
def test_no_rule_fails_on_an_odd_feature(name: str) -> None:
    beside = alone = clean_site()
    for role in ROLES:
        beside = add_feature(beside, role, ODD[name], id="X-1")
        alone = with_layer(alone, role, {"geometry": [ODD[name]]})
    twice = add_member(alone, "streams", {"geometry": [ODD[name]]}, file="again.shp")
    assert failures(beside) == {}
    assert failures(alone) == {}
    assert failures(twice) == {}


@pytest.mark.parametrize("crs", [None, "EPSG:4326", "EPSG:3857", "EPSG:6609", "EPSG:32054"])
@pytest.mark.parametrize("role", [None, "soils"])
def test_no_rule_fails_on_odd_data_in_any_crs(crs: str | None, role: str | None) -> None:
    """All odd shapes in one dataset that was not brought onto the map."""
    shapes = np.array(list(ODD.values()), dtype=object)
    frame = gpd.GeoDataFrame(geometry=shapes, crs=None if crs is None else parse_crs(crs))
    site = clean_site()
    spec = site.catalogue[role] if role else None
    site = with_dataset(site, dataset(frame, file="odd.shp", role=role, spec=spec))
    assert failures(site) == {}
