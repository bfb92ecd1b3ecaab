"""Surfaces of LandXML as files have them: source data, grids, ids of any kind, damage."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely

from tests.intake.landxml_files import (
    at,
    document,
    network,
    opened,
    surface,
)
from tests.intake.makers import square
from tests.intake.test_landxml import landxml


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
