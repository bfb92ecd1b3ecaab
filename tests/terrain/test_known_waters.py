"""The flow meets what only a reference shows."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.rules.discharge_not_shown import discharge_not_shown as rule
from sitemap.terrain.downstream import flow_of
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.terrain.known_waters import with_known_waters
from tests.clean_site import clean_site, faults_of, line, passes, rectangle, the_ordinance, without
from tests.references import known, known_land

ACCURACY_FT = 40.0


def test_a_site_without_references_is_itself() -> None:
    assert with_known_waters(clean_site(), ACCURACY_FT) is clean_site()


def test_what_is_drawn_already_is_not_added() -> None:
    site = known_land(clean_site())
    mapped = with_known_waters(site, ACCURACY_FT)
    for role in ("streams", "wetlands"):
        assert len(mapped.layers[role]) == len(site.layers[role])


def test_discharge_into_a_wetland_that_only_the_inventory_shows_is_not_shown() -> None:
    """OF-1 lies at 500, 150 ft and drains south to the creek at about 26 ft; a wetland between."""
    marsh = {"geometry": [rectangle(400, 80, 550, 120)], "class": ["E2K"]}
    site = known(clean_site(), "wetlands", marsh)
    assert passes(rule, clean_site())
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("water from OF-1 enters wetland E2K of wwi.gpkg after ")
    assert fault.measured is not None
    assert fault.measured.value == pytest.approx(30.0, abs=3.0)  # from 150 to 120 ft north
    assert [source.file for source in fault.related] == ["wwi.gpkg"]


def test_discharge_into_a_creek_that_only_the_hydrography_shows() -> None:
    """Without the drawn creek the water meets the one of the reference, at the same place."""
    creek = {"geometry": [line((-1500, 40), (300, 30), (900, 20), (2300, 10))], "kind": ["stream"]}
    site = known(without(clean_site(), "streams"), "streams", {**creek, "name": [None]})
    flow = flow_of(site, FlowLimits.of(the_ordinance().limits, site))
    (trace,) = flow.outfalls
    met = trace.course.first[0]
    assert flow.water(met.water).name == "stream of nhd.gdb, record 0"
    assert met.distance_ft == pytest.approx(124.0, abs=6.0)  # as the clean site states it


def test_a_stream_goes_on_where_the_drawing_ends() -> None:
    """The reference runs 30 ft beside the drawn creek; only its ends are added, joined to it."""
    beside = line((-1400, 70), (-100, 70), (900, 50), (2200, 50))
    site = known(clean_site(), "streams", {"geometry": [beside], "kind": ["stream"], "name": ["A"]})
    frame = with_known_waters(site, ACCURACY_FT).layers["streams"].usable
    assert len(frame) == 2
    drawn, added = frame.geometry.iloc[0], frame.geometry.iloc[1]
    parts = list(added.geoms)
    assert len(parts) == 2
    assert max(part.distance(drawn) for part in parts) == pytest.approx(0.0, abs=1e-6)
    total = sum(part.length for part in parts)
    assert total == pytest.approx(1300 + 1300, abs=2 * ACCURACY_FT)


def test_doubtful_wetlands_lead_to_nothing() -> None:
    marsh = {
        "geometry": [rectangle(400, 80, 550, 120)], "class": ["U"], "doubt": ["it is upland"],
    }  # fmt: skip
    mapped = with_known_waters(known(clean_site(), "wetlands", marsh), ACCURACY_FT)
    assert len(mapped.layers["wetlands"]) == 1
    assert np.isfinite(mapped.layers["wetlands"].frame["acres"].astype(float)).all()
