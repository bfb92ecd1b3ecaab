"""Whatever lies in a layer, no rule on waters, slopes, controls or infiltration fails to run."""

from __future__ import annotations

import pytest

from sitemap.check import check_site
from sitemap.finding import Status
from sitemap.ordinance import load_ordinance
from sitemap.rules import RULES
from tests.clean_site import NOW, add_feature, clean_site, with_layer
from tests.rules.test_odd_geometries import ODD

OURS = ("WET002", "WET003", "FLD002", "SLP001", "SLP002", "INF001", "CON005", "CON010", "DST003",
        "DST004", "DST005", "DST006", "BMP001", "BMP002", "BMP003", "BMP004", "BMP005", "BMP007",
        "BMP008", "BMP009", "BMP012")  # fmt: skip
JUDGED = tuple(rule for rule in RULES if rule.code in OURS)
ROLES = (
    "boundary", "disturbance", "contours_existing", "streams", "wetlands", "floodplain", "inlets",
    "drainage_areas", "flow_arrows", "outfalls", "controls", "stabilization", "revegetation",
    "infiltration", "activities", "soils", "waterbodies", "finished_surfaces", "steep_slopes",
)  # fmt: skip
FIELDS = {
    "controls": ("type", ("SF", "ST", "SB", "OP")),
    "activities": ("type", ("SP", "CE")),
    "stabilization": ("term", ("permanent",)),
    "floodplain": ("subtype", ("floodway", None)),
    "inlets": ("kind", ("inlet",)),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "beside"])
def test_no_rule_fails_to_run(name: str, alone: bool) -> None:
    site = clean_site()
    for role in ROLES:
        field, values = FIELDS.get(role, ("id", ("X",)))
        if role == "contours_existing":
            field, values = "elevation", (821.0,)
        if alone or site.role(role) is None:
            data = {"geometry": [ODD[name]] * len(values), field: list(values)}
            site = with_layer(site, role, data)
        else:
            for value in values:
                site = add_feature(site, role, ODD[name], **{field: value})
    checked = check_site(site, load_ordinance("muskego"), now=NOW, rules=JUDGED)
    failed = {o.rule: o.trace for o in checked.outcomes if o.status is Status.FAILED}
    assert failed == {}
