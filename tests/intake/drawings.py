"""Drawings made for tests: a small plan by the CAD standard, with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ezdxf
import pyproj
from ezdxf.entities import GeoData

from sitemap.layer import Layer
from sitemap.site import Site
from tests.intake.makers import X0, Y0

Draw = Callable[[Any], None]


def at(*corners: tuple[float, float]) -> list[tuple[float, float]]:
    return [(X0 + x, Y0 + y) for x, y in corners]


def box(x: float, y: float, size: float) -> list[tuple[float, float]]:
    return at((x, y), (x + size, y), (x + size, y + size), (x, y + size))


def plan(drawing: Any) -> None:
    """A boundary with a bearing and an iron, contours, an inlet, a pipe, a wetland, controls."""
    space = drawing.modelspace()
    space.add_lwpolyline(box(0, 0, 600), close=True, dxfattribs={"layer": "V-PROP-BNDY"})
    space.add_text("N 89 E", dxfattribs={"layer": "V-PROP-BNDY"}).set_placement((X0, Y0))
    drawing.blocks.new("IRON").add_circle((0, 0), 2)
    space.add_blockref("IRON", (X0, Y0), dxfattribs={"layer": "V-PROP-BNDY"})
    space.add_lwpolyline(box(100, 100, 300), close=True, dxfattribs={"layer": "C-EROS-LIMT"})
    for number in range(10):
        layer = "V-TOPO-MAJR" if number % 5 == 0 else "V-TOPO-MINR"
        ends = at((-50, 60 * number), (650, 60 * number + 20))
        space.add_lwpolyline(ends, dxfattribs={"layer": layer, "elevation": 800 + 2 * number})
    top = {"layer": "V-TOPO-MINR", "elevation": 822}
    space.add_lwpolyline(box(300, 300, 20), close=True, dxfattribs=top)
    inlet = drawing.blocks.new("CB")
    inlet.add_lwpolyline([(0, 0), (2, 0), (2, 2)], close=True)
    inlet.add_attdef("ID", (0, 0))
    inlet.add_attdef("RIM", (0, 1))
    placed = space.add_blockref("CB", at((200, 200))[0], dxfattribs={"layer": "C-STRM-INLT"})
    placed.add_auto_attribs({"ID": "IN-1", "RIM": "818.2"})
    space.add_line(*at((200, 200), (300, 100)), dxfattribs={"layer": "C-STRM-PIPE"})
    wet = box(420, 420, 150)
    space.add_lwpolyline(wet, close=True, dxfattribs={"layer": "V-WETL-BNDY"})
    fill = space.add_hatch(dxfattribs={"layer": "V-WETL-BNDY"})
    fill.paths.add_polyline_path(wet, is_closed=True)
    fence = at((100, 90), (250, 80), (400, 90))
    space.add_lwpolyline(fence, dxfattribs={"layer": "C-EROS-SILT"})


def submit(folder: Path, *draw: Draw, prj: bool = True, units: int = 21) -> Path:
    """A drawing made by the functions, with a .prj of EPSG:6609 beside it."""
    drawing = ezdxf.new("R2013")
    drawing.header["$INSUNITS"] = units
    for one in draw:
        one(drawing)
    drawing.saveas(folder / "plan.dxf")
    if prj:
        (folder / "plan.prj").write_text(pyproj.CRS(6609).to_wkt("WKT1_ESRI"))
    return folder


def of_layer(site: Site, name: str) -> Layer:
    return next(one for one in site.datasets if one.provenance.layer == name)


def said(layer: Layer, kind: str) -> str:
    return "; ".join(one.message for one in layer.provenance.oddities if one.kind == kind)


def geodata(
    code: int,
    design: tuple[float, float],
    reference: tuple[float, float],
    north: tuple[float, float] = (0.0, 1.0),
    metres: float = 1200 / 3937,
) -> Draw:
    def draw(drawing: Any) -> None:
        made: GeoData = drawing.modelspace().new_geodata()
        made.coordinate_system_definition = (
            '<?xml version="1.0"?><Dictionary><ProjectedCoordinateSystem id="x"/>'
            f'<Alias id="{code}" type="CoordinateSystem"><ObjectId>x</ObjectId>'
            "<Namespace>EPSG Code</Namespace></Alias><Axis><CoordinateSystemAxis>"
            "<AxisOrder>1</AxisOrder><AxisAbbreviation>E</AxisAbbreviation>"
            "</CoordinateSystemAxis></Axis></Dictionary>"
        )
        made.dxf.coordinate_type = GeoData.LOCAL_GRID
        made.dxf.design_point = (*design, 0)
        made.dxf.reference_point = (*reference, 0)
        made.dxf.north_direction = north
        made.dxf.horizontal_unit_scale = metres
        made.dxf.scale_estimation_method = GeoData.NONE

    return draw
