"""What else a LandXML file holds: parcels, features, alignments, survey points, whole files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sitemap.intake.assemble import open_site
from tests.intake.landxml_files import (
    METRIC,
    RING,
    arc,
    at,
    dataset,
    document,
    features,
    line,
    network,
    opened,
    parcels,
    surface,
)
from tests.intake.makers import frame, square, write
from tests.repair.on_disk import copy_of, fixed


def test_parcels_are_areas_and_lots_are_no_boundary(tmp_path: Path) -> None:
    lots = [("Lot 1", RING), ("Lot 2", line((0, 0), (100, 0), (100, 100)))]
    site = opened(tmp_path, document(parcels(("Site boundary", RING), *lots)))
    boundary = site.role("boundary").frame
    assert boundary.geometry.area.tolist() == pytest.approx([160_000.0])
    left = dataset(site, "Parcels/Site 1")
    assert left.role is None
    assert left.frame.geom_type.tolist() == ["Polygon", "LineString"]  # the second does not close
    assert left.frame["acres"].tolist() == [1.0, 1.0]  # as stated


def test_features_are_taken_by_what_their_names_say(tmp_path: Path) -> None:
    """A closed line is an area where its role takes areas, and stays a line where it does not."""
    named = [("Silt fence 1", line((0, 10), (400, 10))), ("Silt fence 2", line((0, 9), (9, 9)))]
    text = document(features(*named, ("Limits of disturbance", RING), ("Wall", RING)))
    site = opened(tmp_path, text)
    fences = site.role("controls").frame
    assert fences["type"].tolist() == ["SF", "SF"]
    assert site.role("disturbance").frame.geometry.area.tolist() == pytest.approx([160_000.0])
    assert dataset(site, "PlanFeatures/Design").frame.geom_type.tolist() == ["LineString"]


def test_an_alignment_is_a_road_where_its_name_says_so(tmp_path: Path) -> None:
    """Its profile is no plan; that it is not read is said."""
    profile = "<Profile><ProfAlign><PVI>0 800</PVI></ProfAlign></Profile>"
    text = document(
        f'<Alignments><Alignment name="CTH L centerline">{line((0, 0), (9, 0))}{profile}'
        "</Alignment></Alignments>"
    )
    site = opened(tmp_path, text)
    assert site.role("roads").frame["name"].tolist() == ["CTH L centerline"]
    told = {one.kind: one.message for one in site.datasets[0].provenance.oddities}
    assert told["landxml_unread"] == "no part of a plan, not read: profile (1)"


def test_survey_points_are_spot_elevations_where_their_group_says_so(tmp_path: Path) -> None:
    """By the group that holds them, or one that lists them; monuments are no ground."""
    own = f'<CgPoint name="1" desc="GS">{at(1, 1, 812.3)}</CgPoint>'
    rest = "".join(
        f'<CgPoint name="{n}" desc="{desc}">{at(n, n, z)}</CgPoint>'
        for n, desc, z in ((2, "GS", 813.5), (3, "IP FND", None))
    )
    text = document(
        f'<CgPoints name="Topo shots">{own}</CgPoints><CgPoints>{rest}</CgPoints>'
        '<CgPoints name="Spot elevations"><CgPoint name="2" pntRef="2"/></CgPoints>'
        '<CgPoints name="_All Points"><CgPoint pntRef="2"/><CgPoint pntRef="3"/></CgPoints>'
    )
    site = opened(tmp_path, text)
    spots = site.role("spot_elevations").frame
    assert sorted(spots["elevation"].tolist()) == [812.3, 813.5]
    assert dataset(site, "CgPoints").frame["desc"].tolist() == ["IP FND"]
    assert dataset(site, "CgPoints").role is None


@pytest.mark.parametrize(
    ("said", "how", "told"),
    [
        ('epsgCode="EPSG:6609"', "file", None),
        ('epsgCode="" horizontalCoordinateSystemName="WI83-SF"', "none", "'WI83-SF'"),
        ('epsgCode="99999"', "none", "99999"),
    ],
)
def test_the_coordinate_system_as_files_say_it(
    tmp_path: Path, said: str, how: str, told: str | None
) -> None:
    site = opened(tmp_path, document(network(drawn_down=True), crs=f"<CoordinateSystem {said}/>"))
    provenance = dataset(site, "North pipes").provenance
    assert provenance.crs_how == how
    unreadable = [o.message for o in provenance.oddities if o.kind == "crs_unreadable"]
    assert [told in one for one in unreadable if told] == ([True] if told else [])


def test_layers_that_site_toml_names(tmp_path: Path) -> None:
    write(frame([square(400.0)]), tmp_path / "boundary.shp")
    (tmp_path / "design.xml").write_text(document(features(("Wall", RING))))
    (tmp_path / "site.toml").write_text(
        '[layers]\nboundary = { path = "boundary.shp" }\n'
        'disturbance = { path = "design.xml", layer = "PlanFeatures/Design" }\n'
    )
    assert open_site(tmp_path).role("disturbance").frame.geometry.area.tolist() == pytest.approx(
        [160_000.0]
    )


def test_damage_of_any_kind_gets_a_verdict(tmp_path: Path) -> None:
    text = document(
        network(drawn_down=True), parcels(("Site boundary", RING)),
        features(("Wall", arc("cw", (150, 100), (100, 150)))), surface(""),
    ).encode()  # fmt: skip
    chance = random.Random(162)
    for number in range(60):
        damaged = bytearray(text)
        for _ in range(3):
            damaged[chance.randrange(200, len(damaged))] = chance.randrange(32, 127)
        if number % 3 == 0:
            del damaged[chance.randrange(300, len(damaged)) :]
        (tmp_path / "design.xml").write_bytes(damaged)
        site = open_site(tmp_path)
        assert site.datasets or site.unreadable


def test_elements_without_end_are_refused(tmp_path: Path) -> None:
    deep = "<Parcels><Parcel>" * 5_000
    site = opened(tmp_path, document(deep + "</Parcel></Parcels>" * 5_000))
    (bad,) = site.unreadable
    assert "more than 200 deep" in bad.reason


def test_a_copy_keeps_every_kind_of_layer(tmp_path: Path) -> None:
    """Names with a slash stand in a GeoPackage, and are found there again."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    text = document(network(drawn_down=True), parcels(("Site boundary", RING)), units=METRIC)
    (source / "design.xml").write_text(text)
    fixed(source, out)
    copied = copy_of(out)
    assert len(copied.role("boundary").frame) == 1
    inverts = copied.role("storm_sewers").frame["invert_up_ft"].tolist()
    assert inverts == pytest.approx([810.2 / 0.3048, 809.1 / 0.3048])  # once, not twice
    names = [one.provenance.layer for one in copied.datasets]
    assert "Parcels/Site 1/Site boundary" in names
