"""What else a LandXML file holds: pipe networks, parcels, features, alignments, survey points."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import shapely

from sitemap.intake.assemble import open_site
from sitemap.layer import Layer
from sitemap.site import Site
from tests.intake import drawings
from tests.intake.landxml_files import (
    METRIC,
    STRUCTS,
    at,
    document,
    features,
    line,
    network,
    parcels,
)
from tests.intake.makers import X0, Y0, frame, square, write
from tests.intake.test_landxml import landxml
from tests.repair.on_disk import copy_of, fixed

RING = line((0, 0), (400, 0), (400, 400), (0, 400), (0, 0))


def opened(folder: Path, text: str) -> Site:
    (folder / "design.xml").write_text(text)
    return open_site(folder)


def dataset(site: Site, name: str) -> Layer:
    (found,) = [one for one in site.datasets if one.provenance.layer == name]
    return found


def plan(shape: shapely.Geometry) -> list[tuple[float, float]]:
    """Corners from the corner of the makers' ground, which is in the map's CRS already."""
    return [(x - X0, y - Y0) for x, y in shapely.get_coordinates(shape).round(6).tolist()]


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


def arc(rot: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<CoordGeom><Curve rot="{rot}" crvType="arc"><Start>{at(*start)}</Start>'
        f"<Center>{at(100, 100)}</Center><End>{at(*end)}</End></Curve></CoordGeom>"
    )


def test_heights_run_evenly_along_an_arc(tmp_path: Path) -> None:
    """A quarter from 800 to 810: half way it is at 805; the end is where the file says."""
    piece = arc("ccw", (150, 100), (100, 150))
    for place, z in (((150, 100), 800), ((100, 150), 810)):
        piece = piece.replace(at(*place), at(*place, z))
    (shape,) = opened(tmp_path, document(features(("Wall", piece)))).datasets[0].frame.geometry
    z = shapely.get_coordinates(shape, include_z=True)[:, 2]
    assert (z[0], z[-1]) == (800.0, 810.0)
    assert (np.diff(z) > 0).all()
    assert shape.interpolate(0.5, normalized=True).z == pytest.approx(805.0, abs=0.2)


@pytest.mark.parametrize(("rot", "share"), [("ccw", 0.25), ("cw", 0.75)])
def test_an_arc_turns_as_it_says(tmp_path: Path, rot: str, share: float) -> None:
    """From east to north about a middle: a quarter by the left, three quarters by the right."""
    text = document(features(("Wall", arc(rot, (150, 100), (100, 150)))))
    (shape,) = opened(tmp_path, text).datasets[0].frame.geometry
    assert shape.length == pytest.approx(np.pi * 100.0 * share, rel=1e-3)
    middle = shapely.Point(X0 + 100, Y0 + 100)
    assert shapely.hausdorff_distance(shape, middle.buffer(50, 720).exterior) < 100.0
    off = shapely.distance(shapely.points(shapely.get_coordinates(shape)), middle)
    assert off.tolist() == pytest.approx([50.0] * len(off))
    assert shapely.distance(shape, middle) > 49.989  # chords are within a hundredth


def test_a_spiral_is_followed_from_line_to_arc(tmp_path: Path) -> None:
    """A clothoid of L = 200 ft from a line north into R = 500 ft, by its series: aside by
    L^2/6R (1 - L^2/56R^2), ahead by L (1 - L^2/40R^2); half way along, aside by an eighth.
    """
    long, radius = 200.0, 500.0
    aside = long**2 / (6 * radius) * (1 - long**2 / (56 * radius**2))
    ahead = long * (1 - long**2 / (40 * radius**2))
    piece = (
        f'<Spiral rot="cw" radiusStart="INF" radiusEnd="{radius}" length="{long}" '
        f'spiType="clothoid"><Start>{at(0, 0)}</Start><PI>{at(0, 133.6)}</PI>'
        f"<End>{at(aside, ahead)}</End></Spiral>"
    )
    text = document(features(("Wall", f"<CoordGeom>{piece}</CoordGeom>")))
    (shape,) = opened(tmp_path, text).datasets[0].frame.geometry
    assert shape.length == pytest.approx(long, abs=0.01)
    half = shape.interpolate(0.5, normalized=True)
    assert half.x - X0 == pytest.approx((long / 2) ** 3 / (6 * radius * long), abs=0.01)


def spiral(length: float, radius: float, end: tuple[float, float]) -> str:
    return (
        f'<CoordGeom><Spiral rot="ccw" radiusStart="INF" radiusEnd="{radius}" length="{length}">'
        f"<Start>{at(0, 0)}</Start><PI>{at(9, 0)}</PI><End>{at(*end)}</End></Spiral></CoordGeom>"
    )


def test_a_tight_spiral_is_as_true_as_an_arc(tmp_path: Path) -> None:
    """200 ft from a line into R = 40: at its end a chord of c lies c^2/8R off, so at most 1.79 ft
    long; the bends of its chords come to the 143 degrees through which it turns.
    """
    text = document(features(("Wall", spiral(200, 40, (100, 90)))))
    (shape,) = opened(tmp_path, text).datasets[0].frame.geometry
    chords = np.diff(shapely.get_coordinates(shape), axis=0)
    assert np.hypot(*chords.T).max() <= np.sqrt(8 * 0.01 * 40) * 1.5  # spread to its end as well
    assert len(chords) >= 200 / np.sqrt(8 * 0.01 * 40)


@pytest.mark.parametrize("far", [1e7, 1e12, 1e15, 1e300])
def test_a_curve_of_damaged_numbers_is_no_flood_of_corners(tmp_path: Path, far: float) -> None:
    """A middle or a radius out in space: a verdict, and no million corners."""
    piece = arc("cw", (150, 100), (100, 150)).replace(at(100, 100), f"{far} {-far}")
    tight = spiral(200, 1.0 / far, (100, 90))
    site = opened(tmp_path, document(features(("Wall", piece), ("Wall", tight))))
    counts = shapely.get_num_coordinates(site.datasets[0].frame.geometry.to_numpy())
    assert counts.max() <= 10_001


def test_pieces_that_do_not_meet_are_lines_of_their_own(tmp_path: Path) -> None:
    pieces = line((0, 0), (10, 0)) + line((10, 0), (20, 0)) + line((50, 0), (60, 0))
    joined = pieces.replace("</CoordGeom><CoordGeom>", "")
    site = opened(tmp_path, document(features(("Wall", joined))))
    assert [plan(one) for one in site.datasets[0].frame.geometry] == [
        [(0, 0), (10, 0), (20, 0)],
        [(50, 0), (60, 0)],
    ]


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


def test_corners_named_by_points_of_the_file(tmp_path: Path) -> None:
    points = "".join(
        f'<CgPoint name="{n}">{at(x, y)}</CgPoint>' for n, (x, y) in enumerate([(0, 0), (9, 5)])
    )
    geom = '<CoordGeom><Line><Start pntRef="0"/><End pntRef="1"/></Line></CoordGeom>'
    chain = "<CoordGeom><Chain>1 0</Chain></CoordGeom>"
    text = document(features(("Wall", geom), ("Wall", chain)), f"<CgPoints>{points}</CgPoints>")
    site = opened(tmp_path, text)
    shapes = dataset(site, "PlanFeatures/Design").frame.geometry
    assert [plan(one) for one in shapes] == [[(0, 0), (9, 5)], [(9, 5), (0, 0)]]


def surface(source: str, faces: str = "", name: str = "EG") -> str:
    return (
        f'<Surfaces><Surface name="{name}"><SourceData>{source}</SourceData>'
        f"<Definition><Pnts/><Faces>{faces}</Faces></Definition></Surface></Surfaces>"
    )


def test_a_surface_of_source_data_alone(tmp_path: Path) -> None:
    """Data points are points and no line through them; contours carry their height beside them."""
    source = (
        f"<DataPoints><PntList3D>{at(0, 0, 800)} {at(400, 0, 801)} {at(0, 400, 802)}</PntList3D>"
        f'</DataPoints><Contours><Contour elev="810"><PntList2D>{at(0, 200)} {at(400, 200)}'
        f"</PntList2D></Contour></Contours><Breaklines><Breakline><PntList3D>{at(0, 0, 800)} "
        f"{at(9, 9, 803)}</PntList3D></Breakline></Breaklines>"
    )
    shapes = opened(tmp_path, document(surface(source))).role("elevation").frame.geometry
    z = [shapely.get_coordinates(one, include_z=True)[:, 2].tolist() for one in shapes]
    assert z == [[800], [801], [802], [800, 803], [810, 810]]


def test_faces_of_a_grid_are_two_triangles(tmp_path: Path) -> None:
    """Three faces of a row: two of four corners, and between them one of three."""
    points = [(x, y, 800.0) for x in (0.0, 100.0, 200.0, 300.0) for y in (0.0, 100.0)]
    faces = "<F>1 3 4 2</F><F>3 5 6</F><F>5 7 8 6</F>"
    text = landxml(points=points, faces=faces)
    shapes = opened(tmp_path, text).role("elevation").frame.geometry
    assert shapes.area.tolist() == pytest.approx([5_000.0] * 5)
    assert shapely.union_all(shapes.to_numpy()).area == pytest.approx(25_000.0)


@pytest.mark.parametrize(
    "ids", [("7", "3", "90", "4"), ("A1", "B", "C", "D-4"), ("1", "2", "3", "X")]
)
def test_points_by_any_id_in_any_order(tmp_path: Path, ids: tuple[str, ...]) -> None:
    """The square of two triangles, whatever its corners are called."""
    text = landxml(faces=f"<F>{ids[0]} {ids[1]} {ids[2]}</F><F>{ids[0]} {ids[2]} {ids[3]}</F>")
    for number, name in enumerate(ids, start=1):
        text = text.replace(f'<P id="{number}">', f'<P id="new {name}">', 1)
    text = text.replace('<P id="new ', '<P id="')
    shapes = opened(tmp_path, text).role("elevation").frame.geometry
    assert shapely.union_all(shapes.to_numpy()).equals(square(400.0))
    heights = shapely.get_coordinates(shapes.iloc[1], include_z=True)[:3, 2].tolist()
    assert heights == [800.0, 830.0, 820.0]


def test_comments_between_numbers_are_none(tmp_path: Path) -> None:
    text = landxml(faces="<F>1 <!-- a --> 2 3</F><F>1 3 4</F>").replace(
        " 800.0</P>", " <!---->800</P>"
    )
    assert len(opened(tmp_path, text).role("elevation").frame) == 2


def test_a_face_of_blanks_makes_no_point(tmp_path: Path) -> None:
    site = opened(tmp_path, landxml(faces="<F>1 2 3</F><F> </F>"))
    assert "a face without three corners" in site.unreadable[0].reason


def test_one_damaged_surface_leaves_the_rest_readable(tmp_path: Path) -> None:
    damaged = surface("", faces="<F>1 2 9</F>", name="FG")
    site = opened(tmp_path, document(damaged, network(drawn_down=True)))
    (bad,) = site.unreadable
    assert (bad.layer, bad.kind) == ("FG", "damaged")
    assert len(site.role("storm_sewers").frame) == 2


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
