"""Pipe networks of LandXML: pipes that flow, structures with their inverts, and what they carry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

from sitemap.intake.assemble import open_site
from tests.intake import drawings
from tests.intake.landxml_files import (
    METRIC,
    STRUCTS,
    at,
    dataset,
    document,
    network,
    opened,
    plan,
)
from tests.intake.makers import X0, Y0, frame, write
from tests.intake.test_landxml import landxml


@pytest.mark.parametrize("drawn_down", [True, False])
def test_a_storm_network_is_pipes_that_flow_and_structures_with_their_inverts(
    tmp_path: Path, drawn_down: bool
) -> None:
    """However a pipe was drawn: the inverts say which way it flows."""
    site = opened(tmp_path, document(network(drawn_down=drawn_down)))
    pipes = site.role("storm_sewers").frame.set_index("id")
    assert plan(pipes.geometry["P-1"]) == [(100, 100), (200, 50)]
    assert plan(pipes.geometry["P-2"]) == [(200, 50), (300, 0)]
    assert pipes["invert_up_ft"].to_dict() == {"P-1": 810.2, "P-2": 809.1}
    assert pipes["invert_down_ft"].to_dict() == {"P-1": 809.2, "P-2": 807.9}
    assert pipes["size_in"].to_dict() == {"P-1": 15.0, "P-2": 18.0}
    assert pipes["from_node"].to_dict() == {"P-1": "CB-1", "P-2": "MH-2"}
    assert pipes["to_node"].to_dict() == {"P-1": "MH-2", "P-2": "EW-3"}
    structures = site.role("inlets").frame.set_index("id")
    assert structures["kind"].to_dict() == {"CB-1": "inlet", "MH-2": "manhole", "EW-3": "endwall"}
    assert structures["rim_ft"].to_dict() == {one[0]: one[3] for one in STRUCTS}
    assert structures["invert_ft"].to_dict() == {"CB-1": 810.2, "MH-2": 809.1, "EW-3": 807.9}
    assert plan(structures.geometry["EW-3"]) == [(300, 0)]


def test_a_metric_network_is_converted_once(tmp_path: Path) -> None:
    """375 mm is 14.764 in, and an invert of 810.2 m is 2,658.14 ft."""
    text = document(network(drawn_down=True), units=METRIC, crs="").replace('"15"', '"375"')
    (tmp_path / "design.xml").write_text(text)
    site = open_site(tmp_path, crs="EPSG:6609")
    pipe = site.role("storm_sewers").frame.set_index("id").loc["P-1"]
    assert pipe["size_in"] == pytest.approx(375 / 25.4, abs=1e-3)
    assert pipe["invert_up_ft"] == pytest.approx(810.2 / 0.3048, abs=1e-6)
    inlet = site.role("inlets").frame.set_index("id").loc["CB-1"]
    assert inlet["rim_ft"] == pytest.approx(815.2 / 0.3048, abs=1e-6)


@pytest.mark.parametrize(
    ("unit", "size"),
    [("inch", "15"), ("foot", "1.25"), ("USSurveyFoot", "1.25"), ("millimeter", "381"),
     ("centimeter", "38.1"), ("meter", "0.381")],
)  # fmt: skip
def test_diameters_by_the_unit_that_the_file_says(tmp_path: Path, unit: str, size: str) -> None:
    """A pipe of 15 in, however it is told; in no unit it is not told at all."""
    text = document(network(drawn_down=True)).replace('"15"', f'"{size}"')
    pipes = opened(tmp_path, text.replace('"inch"', f'"{unit}"')).role("storm_sewers").frame
    assert pipes.set_index("id")["size_in"]["P-1"] == pytest.approx(15.0)
    unsaid = opened(tmp_path, text.replace(' diameterUnit="inch"', "")).role("storm_sewers").frame
    assert unsaid["size_in"].isna().all()


@pytest.mark.parametrize("middle", [(200, 100), (100, 50)])
def test_a_bent_pipe_is_the_shorter_arc(tmp_path: Path, middle: tuple[float, float]) -> None:
    """From (100, 100) to (200, 50) about a corner of their box, on either side: not a quarter, as
    the radii differ, but never the way round; its ends stay where its structures are.
    """
    bent = f'refEnd="MH-2"><Center>{at(*middle)}</Center>'
    text = document(network(drawn_down=True)).replace('refEnd="MH-2">', bent, 1)
    pipe = opened(tmp_path, text).role("storm_sewers").frame.set_index("id").geometry["P-1"]
    corners = plan(pipe)
    assert (corners[0], corners[-1]) == ((100, 100), (200, 50))
    straight = np.hypot(100, 50)
    assert straight < pipe.length < 2.0 * straight


@pytest.mark.parametrize(
    ("name", "kind", "role", "why"),
    [
        ("North", ' pipeNetType="storm"', "storm_sewers", "of type storm in a LandXML file"),
        ("Storm Sewer", "", "storm_sewers", "its name, 'Storm Sewer', says what it carries"),
        ("Culverts", ' pipeNetType="storm"', "culverts", "of type storm"),
        ("North", "", None, "nothing says that it carries stormwater"),
        ("North", ' pipeNetType="sanitary"', None, "of type sanitary"),
        ("Sanitary", ' pipeNetType="storm"', None, "speaks of something else"),
    ],
)
def test_what_a_network_carries_is_said_and_never_guessed(
    tmp_path: Path, name: str, kind: str, role: str | None, why: str
) -> None:
    site = opened(tmp_path, document(network(name, kind, drawn_down=True)))
    pipes = dataset(site, f"{name} pipes")
    assert pipes.role == role
    assert why in pipes.choice.reason
    expected = "inlets" if role == "storm_sewers" else None
    assert dataset(site, f"{name} structures").role == expected


@pytest.mark.parametrize(
    ("old", "new"), [('desc="Concentric cylinder"', 'desc="Null Structure"'),
                     ('rim="814.0">', 'rim="814.0"><Connection/>')],
)  # fmt: skip
def test_a_null_structure_is_no_inlet_and_its_pipes_meet_there(
    tmp_path: Path, old: str, new: str
) -> None:
    """An inlet that is not built would need protection (BMP003)."""
    text = document(network(drawn_down=True)).replace("elevRim", "rim").replace(old, new)
    site = opened(tmp_path, text)
    assert site.role("inlets").frame["id"].tolist() == ["CB-1", "EW-3"]
    pipes = site.role("storm_sewers").frame.set_index("id")
    assert plan(pipes.geometry["P-2"]) == [(200, 50), (300, 0)]
    told = [o.message for d in site.datasets for o in d.provenance.oddities]
    assert "left out, 1 null structure, where pipes only meet: no inlets, no manholes" in told


def test_a_pipe_that_leads_nowhere_is_counted(tmp_path: Path) -> None:
    text = document(network(drawn_down=True)).replace('refEnd="EW-3"', 'refEnd="EW-9"')
    site = opened(tmp_path, text)
    assert site.role("storm_sewers").frame["id"].tolist() == ["P-1"]
    told = {one.kind: one.message for d in site.datasets for one in d.provenance.oddities}
    assert told["features_lost"].startswith("1 thing or piece ")


def test_a_gis_file_counts_and_a_surface_stands_beside_it(tmp_path: Path) -> None:
    """Pipes of the GIS file are the storm sewers; the surface is still the ground."""
    pipe = shapely.LineString([(X0, Y0), (X0 + 100, Y0)])
    write(frame([pipe], id=["G-1"]), tmp_path / "storm_sewer.shp")
    ground = landxml().replace("</LandXML>", network(drawn_down=True) + "</LandXML>")
    site = opened(tmp_path, ground)
    assert site.role("storm_sewers").frame["id"].tolist() == ["G-1"]
    assert "storm_sewer.shp serves storm_sewers" in dataset(site, "North pipes").choice.reason
    assert len(site.role("elevation").frame) == 2


def test_landxml_counts_where_a_dxf_shows_the_same(tmp_path: Path) -> None:
    """The pipe and the inlet of the drawing are those of the network, drawn without inverts."""
    site = opened(drawings.submit(tmp_path, drawings.plan), document(network(drawn_down=True)))
    assert site.role("storm_sewers").frame["id"].tolist() == ["P-1", "P-2"]
    assert site.role("inlets").frame["id"].tolist() == ["CB-1", "MH-2", "EW-3"]
    drawn = dataset(site, "C-STRM-PIPE")
    assert drawn.role is None
    assert "design.xml serves storm_sewers, and it counts" in drawn.choice.reason
    (outline,) = site.role("boundary").members
    assert outline.provenance.file == "plan.dxf"
