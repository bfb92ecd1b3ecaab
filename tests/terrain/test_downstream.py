"""The sample submission followed downstream: what its own layer says, and what the ground says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap.ordinance import load_ordinance
from sitemap.site import Site
from sitemap.terrain.downstream import Flow, Trace
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.terrain.flow_tables import discharge_table, path_table


@pytest.fixture(scope="module")
def site(root: Path) -> Site:
    from sitemap.intake.assemble import open_site

    return open_site(root / "sample_sites" / "kettle-ridge")


@pytest.fixture(scope="module")
def flow(site: Site) -> Flow:
    return Flow(site, FlowLimits.of(load_ordinance("muskego").limits, site))


def trace(flow: Flow, outlet: str) -> Trace:
    return next(t for t in flow.traces if t.outlet == outlet)


def distances(flow: Flow, outlet: str) -> dict[str, float]:
    found = trace(flow, outlet).course.meetings
    return {flow.water(m.water).name: m.distance_ft for m in found}


@pytest.mark.parametrize("outlet", ["OF-1", "OF-3"])
def test_what_the_ground_says_is_what_the_submission_says(flow: Flow, outlet: str) -> None:
    layer = flow.site.layers["discharges"].usable
    own = layer[layer["outfall"] == outlet]
    found = {name.lower(): feet for name, feet in distances(flow, outlet).items()}
    for water, feet, point in zip(
        own["receiving_water"], own["distance_ft"], own.geometry, strict=True
    ):
        assert found[water.lower()] == pytest.approx(feet, abs=20.0)
        meeting = next(
            m
            for m in trace(flow, outlet).course.meetings
            if flow.water(m.water).name.lower() == water.lower()
        )
        assert meeting.point.distance(point) < 20.0


def test_the_creek_goes_through_its_culvert_under_the_road(flow: Flow) -> None:
    """CU-1 lies beside the creek's own line; both lead on, the shorter one counts."""
    west = flow.network.nearest(flow.network.edges[0].line.interpolate(0), 5.0)
    assert west is not None
    steps = flow.network.downstream(*west, 1320.0)
    assert {flow.network.edges[s.edge].reach.role for s in steps} == {"streams", "culverts"}
    assert max(s.end_ft for s in steps) == pytest.approx(1320.0)
    assert not flow.network.turned


def test_the_pond_without_outlet_ends_the_way(flow: Flow) -> None:
    (leaf,) = trace(flow, "OF-3").course.leaves
    assert leaf.leaf == "in a water without an outlet drawn"


def test_a_tie_between_ditch_and_meadow_is_told_as_a_share(flow: Flow) -> None:
    """From OF-2 the ground leaves it open whether the ditch or the wetland gets the water."""
    shares = {flow.water(n).name: s for n, s in trace(flow, "OF-2").shares.items()}
    assert 5 < shares["wetland W-1"].first_pct < 95
    assert shares["wetland W-1"].first_pct + shares["Marl Creek"].first_pct == pytest.approx(100)


def test_the_table_has_the_canonical_fields_and_one_row_per_water(flow: Flow) -> None:
    table = discharge_table(flow)
    wanted = {"id", "outfall", "receiving_water", "distance_ft"}
    assert wanted <= set(table.columns)
    assert len(table) == sum(len(t.course.meetings) for t in flow.traces)
    assert table["distance_ft"].between(0, 1320).all()
    assert path_table(flow).geometry.length.sum() > 1000


def test_another_distance_cuts_every_branch_there(site: Site, flow: Flow) -> None:
    short = Flow(site, replace(flow.limits, distance_ft=100.0))
    assert all(leg.end_ft <= 100.0 + 1e-6 for t in short.traces for leg in t.course.legs)
    assert set(distances(short, "OF-1")) == {"wetland W-1"}


def test_a_site_without_elevation_follows_what_touches_the_network(site: Site) -> None:
    from tests.clean_site import without

    bare = without(replace(site, rasters=()), "contours_existing", "contours_proposed", "elevation")
    bare = without(bare, "spot_elevations")
    flow = Flow(bare, FlowLimits.of(load_ordinance("muskego").limits, bare))
    assert flow.surface is None
    assert [t.outlet for t in flow.traces] == ["OF-1", "OF-2"]  # at ends of pipes; no way on
    assert all(t.runs == 0 for t in flow.traces)
