"""LandXML: triangles with heights, units as stated, hostile and empty files refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
import shapely

from sitemap.intake.assemble import open_site
from sitemap.terrain.ground import ground_of
from tests.intake.makers import X0, Y0, frame, square, write

POINTS = [(0.0, 0.0, 800.0), (400.0, 0.0, 810.0), (400.0, 400.0, 830.0), (0.0, 400.0, 820.0)]


def landxml(
    *,
    name: str = "EG",
    unit: str = 'Imperial linearUnit="USSurveyFoot"',
    faces: str = "<F>1 2 3</F><F>1 3 4</F>",
    crs: str = '<CoordinateSystem epsgCode="6609"/>',
    head: str = "",
    points: list[tuple[float, float, float]] | None = None,
    more: str = "",
) -> str:
    """A square of two triangles: 2.5 % up to the east, 5 % to the north."""
    listed = "".join(
        f'<P id="{i}">{Y0 + y} {X0 + x} {z}</P>' for i, (x, y, z) in enumerate(points or POINTS, 1)
    )
    return (
        f'<?xml version="1.0"?>{head}<LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2">'
        f"<Units><{unit}/></Units>{crs}<Surfaces><Surface name={name!r}>{more}"
        f'<Definition surfType="TIN"><Pnts>{listed}</Pnts><Faces>{faces}</Faces></Definition>'
        "</Surface></Surfaces></LandXML>"
    )


def submit(folder: Path, text: str, name: str = "ground.xml") -> Path:
    write(frame([square(400.0)]), folder / "boundary.shp")
    (folder / name).write_text(text)
    return folder


def heights(folder: Path) -> np.ndarray:
    ground = ground_of(open_site(folder)).existing
    assert ground is not None, ground_of(open_site(folder)).why_no_existing
    return ground.heights_at(np.array([[X0 + 100.0, Y0 + 50.0], [X0 + 350.0, Y0 + 350.0]]))


EXPECTED = [800.0 + 2.5 + 2.5, 800.0 + 8.75 + 17.5]


def test_a_surface_becomes_a_layer_and_the_ground(tmp_path: Path) -> None:
    folder = submit(tmp_path, landxml())
    site = open_site(folder)
    (layer,) = [d for d in site.datasets if d.provenance.driver == "LandXML"]
    assert layer.role == "elevation"
    assert len(layer.frame) == 2
    assert heights(folder) == pytest.approx(EXPECTED, abs=1e-6)
    ground = ground_of(site).existing
    assert ground.vertical_unit_how == "unit of the LandXML file"


def test_metres_are_converted_and_the_crs_too(tmp_path: Path) -> None:
    """Heights in metres over coordinates in feet: elevationUnit stands for the heights only."""
    metric = [(x, y, z * 0.3048) for x, y, z in POINTS]
    unit = 'Imperial linearUnit="USSurveyFoot" elevationUnit="meter"'
    folder = submit(tmp_path, landxml(unit=unit, points=metric))
    assert heights(folder) == pytest.approx(EXPECTED, abs=1e-6)


def test_level_faces_are_read_in_the_unit_that_the_file_states(tmp_path: Path) -> None:
    """A terrace at 250 m is at 820.21 ft: the unit is the file's, and nobody is asked for it."""
    flat = [(x, y, 250.0) for x, y, _ in POINTS]
    folder = submit(tmp_path, landxml(unit='Metric linearUnit="meter"', points=flat))
    layer = open_site(folder).role("elevation")
    assert layer.frame["elevation"].tolist() == pytest.approx([250.0 / 0.3048] * 2)
    (member,) = layer.members
    assert "vertical_unit_unstated" not in {one.kind for one in member.provenance.oddities}
    assert "the LandXML file" in member.units["elevation"]


def test_a_unit_stated_nowhere_is_asked_for(tmp_path: Path) -> None:
    folder = submit(tmp_path, landxml(unit="Imperial"))
    assert "is not stated" in ground_of(open_site(folder)).why_no_existing


def test_without_faces_points_and_breaklines_are_triangulated(tmp_path: Path) -> None:
    line = f"{Y0 + 200.0} {X0} 810 {Y0 + 200.0} {X0 + 400.0} 820"
    source = (
        f"<SourceData><Breaklines><Breakline><PntList3D>{line}</PntList3D></Breakline>"
        "</Breaklines></SourceData>"
    )
    folder = submit(tmp_path, landxml(faces="", more=source))
    assert heights(folder) == pytest.approx(EXPECTED, abs=1e-6)


def test_invisible_faces_are_left_out(tmp_path: Path) -> None:
    folder = submit(tmp_path, landxml(faces='<F>1 2 3</F><F i="1">1 3 4</F>'))
    site = open_site(folder)
    assert len(site.role("elevation").frame) == 1


def test_design_and_existing_are_told_apart_by_name(tmp_path: Path) -> None:
    submit(tmp_path, landxml(name="EG"))
    raised = [(x, y, z + 3.0) for x, y, z in POINTS]
    submit(tmp_path, landxml(name="FG", points=raised), "design.xml")
    write(frame([square(400.0)], id=["D-1"]), tmp_path / "disturbance.shp")
    ground = ground_of(open_site(tmp_path))
    at = np.array([[X0 + 100.0, Y0 + 50.0]])
    assert ground.existing.heights_at(at) == pytest.approx([EXPECTED[0]], abs=1e-6)
    assert ground.proposed.heights_at(at) == pytest.approx([EXPECTED[0] + 3.0], abs=1e-6)


def test_out_of_an_archive(tmp_path: Path) -> None:
    folder = submit(tmp_path / "in", landxml())
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    assert heights(tmp_path / "in.zip") == pytest.approx(EXPECTED, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (landxml(head='<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'), "XML entities"),
        (landxml()[:-40], "not well formed"),
        (landxml(faces="<F>1 2 9</F>"), "names point '9', which is not there"),
        (landxml(faces="<F>1 2</F>"), "a face without three corners"),
        (landxml().replace("800.0</P>", "high</P>"), "points that are not numbers"),
        (landxml().replace(" 800.0</P>", "</P>"), "not three numbers each"),
        ("<LandXML><Surfaces/></LandXML>", "holds no surface"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, text: str, reason: str) -> None:
    site = open_site(submit(tmp_path, text))
    (bad,) = site.unreadable
    assert reason in bad.reason
    assert bad.file == "ground.xml"


def test_other_xml_is_no_dataset(tmp_path: Path) -> None:
    site = open_site(submit(tmp_path, "<metadata><title>x</title></metadata>", "notes.xml"))
    assert site.unreadable == ()
    assert "notes.xml" in site.ignored


@pytest.mark.real_data
def test_real_surfaces(shared_data: Path) -> None:
    """Surfaces of Civil 3D: as many triangles as they state area, heights as they state them."""
    folder = shared_data / "5-cad-survey" / "landxml-metric"
    site = open_site(folder / "3D_modell_underlag_skyfall_20230915.xml")
    (layer,) = site.datasets
    assert layer.provenance.crs_how == "file"
    assert shapely.area(layer.frame.geometry.to_numpy()).sum() == pytest.approx(
        92134.6306831, rel=1e-6
    )
    ground = ground_of(site).existing
    assert ground.range_ft == pytest.approx((71.0 / 0.3048, 105.0 / 0.3048), abs=0.5)
    three = open_site(folder / "Example_Clean.xml", crs="EPSG:3007")
    assert [len(d.frame) for d in three.datasets] == [45, 138, 179]
