"""DXF: a dataset for each CAD layer, areas where the role takes areas, heights as drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
import shapely
from affine import Affine
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap.intake.assemble import open_site
from sitemap.site import Site
from tests.intake.drawings import at, box, of_layer, plan, said, submit
from tests.intake.makers import X0, Y0, frame, square, write


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return open_site(submit(tmp_path, plan))


def test_each_layer_serves_the_role_that_its_name_says(site: Site) -> None:
    assert {one.provenance.layer: one.role for one in site.datasets} == {
        "V-PROP-BNDY": "boundary",
        "C-EROS-LIMT": "disturbance",
        "V-TOPO-MAJR": "contours_existing",
        "V-TOPO-MINR": "contours_existing",
        "C-STRM-INLT": "inlets",
        "C-STRM-PIPE": "storm_sewers",
        "V-WETL-BNDY": "wetlands",
        "C-EROS-SILT": "controls",
    }
    assert site.crs_name.endswith("(EPSG:6609)")


def test_a_closed_boundary_is_an_area_and_a_closed_contour_a_line(site: Site) -> None:
    assert site.boundary is not None
    assert site.boundary.equals(shapely.Polygon(box(0, 0, 600)))
    contours = site.layers["contours_existing"]
    assert set(shapely.get_type_id(contours.shapes)) == {shapely.GeometryType.LINESTRING}
    top = contours.usable[contours.usable["elevation"] == 822].geometry.iloc[0]
    assert shapely.is_closed(top)


def test_what_only_draws_a_symbol_is_left_out_and_said(site: Site) -> None:
    boundary = of_layer(site, "V-PROP-BNDY")
    assert "points (1) on a layer of areas" in said(boundary, "cad_left_out")
    first = min(site.datasets, key=lambda one: one.provenance.layer)
    assert said(first, "cad_annotation") == "left out as no features: 1 text or dimension"
    wet = of_layer(site, "V-WETL-BNDY")
    assert len(wet.frame) == 1, "its hatch is not a second wetland"
    assert "fill of an outline that is there: 1 hatch" in said(wet, "cad_left_out")


def test_the_attributes_of_a_block_are_its_fields(site: Site) -> None:
    inlets = site.layers["inlets"].usable
    assert inlets["id"].tolist() == ["IN-1"]
    assert inlets["rim_ft"].tolist() == [818.2]
    assert inlets.geometry.iloc[0].equals(shapely.Point(at((200, 200))[0]))


def test_a_cad_layer_states_the_type_of_its_controls(site: Site) -> None:
    assert site.layers["controls"].usable["type"].tolist() == ["SF"]


@pytest.mark.parametrize("kind", ["lwpolyline", "polyline2d", "polyline3d", "line", "spline"])
def test_heights_of_every_kind_of_line_are_read(tmp_path: Path, kind: str) -> None:
    """Elevation of a polyline (group 38), of its vertices, or of the ends of a line: 842 each."""
    flat = at((0, 0), (200, 10), (400, 0))
    high = [(x, y, 842.0) for x, y in flat]

    def draw(drawing: Any) -> None:
        space, layer = drawing.modelspace(), {"layer": "V-TOPO-MINR"}
        if kind == "lwpolyline":
            space.add_lwpolyline(flat, dxfattribs={**layer, "elevation": 842.0})
        elif kind == "polyline2d":
            space.add_polyline2d(flat, dxfattribs={**layer, "elevation": (0, 0, 842.0)})
        elif kind == "polyline3d":
            space.add_polyline3d(high, dxfattribs=layer)
        elif kind == "line":
            space.add_line(high[0], high[1], dxfattribs=layer)
        else:
            space.add_spline(high, dxfattribs=layer)

    contours = open_site(submit(tmp_path, draw)).layers["contours_existing"].usable
    assert contours["elevation"].tolist() == pytest.approx([842.0], abs=1e-9)


def test_an_arc_lies_within_a_hundredth_of_a_foot_and_is_said(tmp_path: Path) -> None:
    """A basin of two half circles of 25 ft: its area is that of the circle, 1,963.5 sq ft."""

    def draw(drawing: Any) -> None:
        bulges = [(X0, Y0, 1.0), (X0 + 50, Y0, 1.0)]
        basin = {"layer": "C-EROS-BASN"}
        drawing.modelspace().add_lwpolyline(bulges, format="xyb", close=True, dxfattribs=basin)

    site = open_site(submit(tmp_path, draw))
    (shape,) = site.layers["controls"].shapes
    assert shape.area == pytest.approx(np.pi * 25.0**2, rel=1e-3)
    assert shape.is_valid
    middle = shapely.Point(X0 + 25, Y0)
    away = shapely.hausdorff_distance(shape.exterior, middle.buffer(25.0, 400).exterior)
    assert away <= 0.011
    assert "1 curve" in said(of_layer(site, "C-EROS-BASN"), "curves_linearised")


def test_a_block_with_layers_of_its_own_is_taken_apart(tmp_path: Path) -> None:
    """Roads drawn in a block, turned by a quarter and moved; on layer 0 they take the insert's."""

    def draw(drawing: Any) -> None:
        block = drawing.blocks.new("ROADS")
        block.add_line((0, 0), (100, 0), dxfattribs={"layer": "C-ROAD-CNTR"})
        block.add_line((0, 0), (0, 50))
        placed = {"layer": "C-STRM-PIPE", "rotation": 90}
        drawing.modelspace().add_blockref("ROADS", (X0, Y0), dxfattribs=placed)

    site = open_site(submit(tmp_path, draw))
    (road,) = site.layers["roads"].shapes
    assert road.equals_exact(shapely.LineString(at((0, 0), (0, 100))), 1e-6)
    (pipe,) = site.layers["storm_sewers"].shapes
    assert pipe.equals_exact(shapely.LineString(at((0, 0), (-50, 0))), 1e-6)


def test_a_layer_spelled_in_two_cases_is_one(tmp_path: Path) -> None:
    """CAD tells no capitals apart in names of layers."""

    def draw(drawing: Any) -> None:
        for layer, y in (("C-ROAD-CNTR", 0.0), ("c-road-cntr", 50.0)):
            drawing.modelspace().add_line(*at((0, y), (100, y)), dxfattribs={"layer": layer})

    (roads,) = open_site(submit(tmp_path, draw)).datasets
    assert roads.provenance.layer == "C-ROAD-CNTR"
    assert len(roads.frame) == 2


def test_layers_that_are_off_or_frozen_and_lost_blocks_are_said(tmp_path: Path) -> None:
    def draw(drawing: Any) -> None:
        plan(drawing)
        space = drawing.modelspace()
        for name in ("OLD-BNDY", "ALT-BNDY"):
            drawing.layers.add(name)
            space.add_lwpolyline(box(0, 0, 500), close=True, dxfattribs={"layer": name})
        drawing.layers.get("OLD-BNDY").freeze()
        drawing.layers.get("ALT-BNDY").off()
        space.add_blockref("SURVEY-XREF", (0, 0))

    site = open_site(submit(tmp_path, draw))
    first = min(site.datasets, key=lambda one: one.provenance.layer)
    off = said(first, "cad_layer_off")
    assert "ALT-BNDY (1)" in off
    assert "OLD-BNDY (1)" in off
    assert "SURVEY-XREF (1)" in said(first, "cad_block_missing")
    assert len(site.layers["boundary"]) == 1


def test_the_drawing_gives_way_to_a_file_that_serves_the_same_role(tmp_path: Path) -> None:
    submit(tmp_path, plan)
    write(frame([square(500.0)]), tmp_path / "boundary.shp")
    site = open_site(tmp_path)
    assert [one.provenance.file for one in site.layers["boundary"].members] == ["boundary.shp"]
    away = of_layer(site, "V-PROP-BNDY")
    assert away.role is None
    assert "boundary.shp serves boundary" in away.choice.reason
    assert of_layer(site, "V-WETL-BNDY").role == "wetlands"


def test_the_triangles_of_a_drawing_give_way_to_an_elevation_raster(tmp_path: Path) -> None:
    def draw(drawing: Any) -> None:
        corners = [(X0, Y0, 800.0), (X0 + 400, Y0, 810.0), (X0, Y0 + 400, 820.0)]
        drawing.modelspace().add_3dface(corners, dxfattribs={"layer": "C-TINN-EG"})

    submit(tmp_path, draw)
    assert of_layer(open_site(tmp_path), "C-TINN-EG").role == "elevation"
    heights = np.linspace(800, 900, 2500, dtype="float32").reshape(1, 50, 50)
    grid = Affine(10, 0, X0, 0, -10, Y0 + 400)
    size = {"width": 50, "height": 50, "count": 1, "dtype": "float32"}
    with rasterio.open(tmp_path / "dem.tif", "w", crs="EPSG:6609", transform=grid, **size) as out:
        out.write(heights)
    site = open_site(tmp_path)
    assert [one.role for one in site.rasters] == ["elevation"]
    assert "dem.tif serves elevation" in of_layer(site, "C-TINN-EG").choice.reason


def test_site_toml_names_a_layer_of_the_drawing(tmp_path: Path) -> None:
    def draw(drawing: Any) -> None:
        lot = {"layer": "Parcel 7"}
        drawing.modelspace().add_lwpolyline(box(0, 0, 600), close=True, dxfattribs=lot)

    submit(tmp_path, draw)
    toml = tmp_path / "site.toml"
    toml.write_text('[layers]\nboundary = { path = "plan.dxf", layer = "Parcel 7" }\n')
    site = open_site(toml)
    assert site.boundary is not None
    assert site.boundary.area == 360_000.0
    toml.write_text('[layers]\nboundary = { path = "plan.dxf", layer = "Parcel 8" }\n')
    site = open_site(toml)
    assert site.boundary is None
    (item,) = site.unreadable
    assert (item.layer, item.kind) == ("Parcel 8", "named_layer_missing")
    assert "there is Parcel 7" in item.reason


def test_blocks_that_hold_each_other_without_end_are_refused(tmp_path: Path) -> None:
    """Ten in ten, seven deep: ten million lines out of a file of a few kilobytes."""

    def draw(drawing: Any) -> None:
        drawing.blocks.new("B0").add_line((0, 0), (1, 1), dxfattribs={"layer": "X"})
        for level in range(1, 8):
            block = drawing.blocks.new(f"B{level}")
            for _ in range(10):
                block.add_blockref(f"B{level - 1}", (0, 0), dxfattribs={"layer": "X"})
        drawing.modelspace().add_blockref("B7", (X0, Y0))

    (item,) = open_site(submit(tmp_path, draw)).unreadable
    assert "more than 200,000 entities within one another" in item.reason


def test_what_is_no_drawing_is_refused_by_name(tmp_path: Path) -> None:
    submit(tmp_path, plan)
    whole = (tmp_path / "plan.dxf").read_bytes()
    (tmp_path / "plan.dxf").write_bytes(whole[:40])
    (item,) = open_site(tmp_path).unreadable
    assert item.kind in ("damaged", "no_layers")
    empty = submit(tmp_path, lambda drawing: None)
    (item,) = open_site(empty).unreadable
    assert "holds no points, lines or areas" in item.reason


def test_a_drawing_that_is_cut_off_is_said_to_be_damaged(tmp_path: Path) -> None:
    """Cut behind its last entity, as by a download that broke off: what is whole is read."""
    submit(tmp_path, plan)
    whole = (tmp_path / "plan.dxf").read_bytes()
    (tmp_path / "plan.dxf").write_bytes(whole[: whole.index(b"OBJECTS")])
    site = open_site(tmp_path)
    found = {one.kind for layer in site.datasets for one in layer.provenance.oddities}
    assert "cad_recovered" in found
    assert len(site.datasets) == 8


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_a_drawing_with_wrong_bytes_is_read_or_refused(seed: int) -> None:
    """Bytes changed, taken out or put elsewhere: a verdict each time, and no other error."""
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = submit(Path(folder), plan) / "plan.dxf"
        content = bytearray(path.read_bytes())
        first, second = random.integers(0, len(content), 2).tolist()
        match int(random.integers(0, 3)):
            case 0:
                for at_byte in random.integers(0, len(content), 30).tolist():
                    content[at_byte] = int(random.integers(0, 256))
            case 1:
                del content[first : first + 2000]
            case _:
                content[first:first] = content[second : second + 500]
        path.write_bytes(bytes(content))
        site = open_site(Path(folder))
        assert site.datasets or site.unreadable


@pytest.mark.real_data
def test_real_drawings_have_a_verdict(shared_data: Path) -> None:
    """Each of some eighty drawings is read or refused by name, and none is silent."""
    drawings = sorted(
        path for path in (shared_data / "5-cad-survey").rglob("*") if path.suffix.lower() == ".dxf"
    )
    assert len(drawings) > 60
    for path in drawings:
        site = open_site(path)
        assert site.datasets or site.unreadable, path.name
        assert all(item.reason for item in site.unreadable), path.name


@pytest.mark.real_data
def test_real_drawings_hold_what_their_makers_say(shared_data: Path) -> None:
    """Counts as the catalogue of these files gives them (158 LWPOLYLINE and 18 SPLINE, flat)."""
    folder = shared_data / "5-cad-survey"
    topo = open_site(folder / "topo-contours" / "topo.dxf")
    kinds = [kind for one in topo.datasets for kind in one.frame["cad_entity"]]
    assert kinds.count("SPLINE") == 18
    assert not any(shapely.has_z(one.frame.geometry.to_numpy()).any() for one in topo.datasets)
    (shown,) = open_site(folder / "gdal-dxf" / "frozen-off.dxf").datasets
    assert shown.provenance.layer == "ONTHAW"
    assert said(shown, "cad_layer_off").count("(5)") == 3
    (states,) = open_site(folder / "ezdxf" / "usa.dxf").datasets
    assert set(states.frame.geometry.geom_type) == {"Polygon"}
