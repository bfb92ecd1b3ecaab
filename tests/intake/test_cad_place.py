"""Where a drawing lies: .prj, GEODATA, units; nothing is guessed."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
import shapely

from sitemap.crs import linear_unit
from sitemap.intake.assemble import open_site
from tests.intake.drawings import at, box, geodata, of_layer, plan, said, submit
from tests.intake.makers import X0, Y0


def test_geodata_says_where_the_drawing_lies(tmp_path: Path) -> None:
    site = open_site(submit(tmp_path, plan, geodata(6609, (0, 0), (0, 0)), prj=False))
    assert site.crs_name.endswith("(EPSG:6609)")
    assert site.boundary is not None
    assert site.boundary.equals(shapely.Polygon(box(0, 0, 600)))


def test_a_drawing_on_a_local_grid_is_turned_and_moved_as_its_geodata_says(tmp_path: Path) -> None:
    """North lies along +x of the drawing, its origin at X0, Y0: (x, y) stands for (-y, x)."""

    def draw(drawing: Any) -> None:
        corners = [(0, 0), (400, 0), (400, 100), (0, 100)]
        lot = {"layer": "V-PROP-BNDY"}
        drawing.modelspace().add_lwpolyline(corners, close=True, dxfattribs=lot)

    turned = geodata(6609, (0, 0), (X0, Y0), north=(1.0, 0.0))
    site = open_site(submit(tmp_path, draw, turned, prj=False))
    assert site.boundary is not None
    wanted = shapely.Polygon(at((0, 0), (0, 400), (-100, 400), (-100, 0)))
    assert site.boundary.equals_exact(wanted.normalize(), 1e-6) or wanted.equals(site.boundary)


def test_geodata_in_metres_over_a_system_in_feet_is_converted(tmp_path: Path) -> None:
    """30.48 m are 99.9998 US survey feet."""

    def draw(drawing: Any) -> None:
        lot = {"layer": "V-PROP-BNDY"}
        corners = [(0, 0), (30.48, 0), (30.48, 30.48), (0, 30.48)]
        drawing.modelspace().add_lwpolyline(corners, close=True, dxfattribs=lot)

    placed = geodata(6609, (0, 0), (X0, Y0), metres=1.0)
    site = open_site(submit(tmp_path, draw, placed, prj=False, units=6))
    assert site.boundary is not None
    assert site.boundary.length == pytest.approx(4 * 30.48 * 3937 / 1200, rel=1e-9)


def test_a_drawing_that_does_not_say_where_it_lies_is_not_guessed(tmp_path: Path) -> None:
    site = open_site(submit(tmp_path, plan, prj=False))
    assert site.crs is None
    assert said(site.datasets[0], "crs_missing")
    given = open_site(tmp_path, crs="EPSG:6609")
    assert given.role("boundary") is not None


def test_a_unit_that_contradicts_the_coordinate_system_is_said(tmp_path: Path) -> None:
    site = open_site(submit(tmp_path, plan, units=6))
    words = said(of_layer(site, "V-PROP-BNDY"), "crs_unit_disagrees")
    assert "in metres ($INSUNITS 6)" in words
    assert linear_unit(of_layer(site, "V-PROP-BNDY").crs).symbol in words
    feet = open_site(submit(tmp_path, plan, units=2))  # either foot
    assert not said(of_layer(feet, "V-PROP-BNDY"), "crs_unit_disagrees")


def test_a_zipped_drawing_is_read_with_its_prj(tmp_path: Path) -> None:
    submit(tmp_path, plan)
    packed = tmp_path / "submittal.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("plan.dxf", "plan.prj"):
            archive.write(tmp_path / name, f"CAD/{name}")
    site = open_site(packed)
    assert site.role("boundary") is not None
    assert site.crs_name.endswith("(EPSG:6609)")
