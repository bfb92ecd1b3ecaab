"""Columns of placemarks: data, tables in descriptions, names, altitudes, days."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.intake.assemble import open_site
from tests.intake.makers import frame, square, words, write
from tests.intake.placemarks import (
    BOX,
    folder,
    kml,
    layer,
    line,
    mark,
    point,
    polygon,
    read,
    roles,
)


def test_data_of_a_schema_and_without_one_and_of_a_table_in_the_description(
    tmp_path: Path,
) -> None:
    schema = '<Schema id="c"><SimpleField type="double" name="ELEV"/></Schema>'
    typed = '<ExtendedData><SchemaData><SimpleData name="ELEV">842.0</SimpleData>'
    plain = '<ExtendedData><Data name="ELEV"><value>844</value></Data>'
    plain += '<Data name="CODE"><value>007</value></Data></ExtendedData>'
    table = (
        "<description><![CDATA[<html><body><table><tr><td>C-3</td></tr><tr><td><table>"
        "<tr><td>ELEV</td><td>846</td></tr><tr><td>SRC</td><td>&lt;Null&gt;</td></tr>"
        "</table></td></tr></table></body></html>]]></description>"
    )
    lines = [line((0, y), (4, y)) for y in (0, 1, 2)]
    site = read(
        tmp_path,
        kml(
            schema,
            folder(
                "contours existing",
                mark("C-1", lines[0], f"{typed}</SchemaData></ExtendedData>"),
                mark("C-2", lines[1], plain),
                mark("C-3", lines[2], table),
            ),
        ),
    )
    own = site.datasets[0].frame
    assert own["ELEV"].tolist() == [842.0, 844.0, 846.0]
    assert own["CODE"].tolist() == [None, "007", None]  # a code, no count
    assert own["SRC"].tolist() == [None, None, None]
    assert "description" not in own  # the table is taken apart
    assert site.layers["contours_existing"].frame["elevation"].tolist() == [842.0, 844.0, 846.0]


def test_only_an_altitude_above_the_sea_is_a_height(tmp_path: Path) -> None:
    """Google Earth writes 0 for what lies on the ground; absolute altitudes are metres."""
    at = "<LineString>{}<coordinates>-88.1,42.9,{z} -88.2,42.9,{z}</coordinates></LineString>"
    absolute = "<altitudeMode>absolute</altitudeMode>"
    marks = [mark("a", at.format(absolute, z=256.0)), mark("b", at.format(absolute, z=257.0))]
    site = read(tmp_path, kml(folder("contours existing", *marks)))
    lifted = site.layers["contours_existing"].frame["elevation"]
    assert lifted.tolist() == pytest.approx([256.0 / 0.3048, 257.0 / 0.3048])
    beside = mark("a", at.format(absolute, z=256.0).replace("absolute", "relativeToGround"))
    assert "elevation_m" not in read(tmp_path, kml(folder("contours", beside))).datasets[0].frame
    own = "<ExtendedData><Data name='ELEV_FT'><value>842</value></Data></ExtendedData>"
    both = read(
        tmp_path, kml(folder("contours existing", mark("a", at.format(absolute, z=256.0), own)))
    )
    assert "elevation_m" not in both.datasets[0].frame


CONTOURS = "contours existing"


@pytest.mark.parametrize(
    ("description", "column"),
    [
        ("<b>ELEV:</b> 842<br/><b>Source:</b> lidar<br/>", 842),  # county viewers
        ("ELEV = 842\nSOURCE = lidar", 842),  # Global Mapper
        (
            '<h4>lines</h4><ul class="textattributes"><li><strong><span class="atr-name">ELEV'
            '</span>:</strong> <span class="atr-value">842</span></li></ul>',  # GeoServer
            842,
        ),
        ("Surveyed: by hand", None),  # one line of prose is no list
        ("see http://example.org\nand call 10:30", None),
    ],
)
def test_lists_in_a_description_are_columns(
    tmp_path: Path, description: str, column: int | None
) -> None:
    text = f"<description><![CDATA[{description}]]></description>"
    site = read(tmp_path, kml(folder(CONTOURS, mark("a", line((0, 0), (1, 1)), text))))
    own = site.datasets[0].frame
    assert (own["ELEV"].tolist() if "ELEV" in own else None) == (column and [column])
    assert ("fields read out of the descriptions: ELEV" in words(site, "kml_table")) == (
        column is not None
    )


def test_contours_that_only_their_names_give_a_height(tmp_path: Path) -> None:
    lines = [mark(f"{842 + y} ft", line((0, y), (4, y))) for y in (0, 2)]
    site = read(tmp_path, kml(folder(CONTOURS, *lines)))
    assert site.layers["contours_existing"].frame["elevation"].tolist() == [842.0, 844.0]
    assert "taken from its name" in words(site, "kml_elevation_named")
    lines.append(mark("path 7", line((0, 5), (4, 5))))
    assert "elevation" not in read(tmp_path, kml(folder(CONTOURS, *lines))).datasets[0].frame


def test_the_type_of_a_control_stands_in_its_description_too(tmp_path: Path) -> None:
    said = "<description>Silt fence, 400 LF</description>"
    site = read(
        tmp_path,
        kml(
            folder(
                "BMPs",
                mark("SF-1", line((0, 0), (1, 0)), said),
                mark("Inlet protection", point(1, 1)),
            )
        ),
    )
    controls = site.layers["controls"].frame
    assert controls["type"].tolist() == ["SF", "IP"]
    assert layer(site, "BMPs").frame["kml_description"].tolist() == ["Silt fence, 400 LF", None]


def test_the_days_of_a_placemark_are_columns(tmp_path: Path) -> None:
    """LIBKML writes columns called begin and end as a TimeSpan; a view has days of its own."""
    span = "<TimeSpan><begin>2027-04-12</begin><end>2027-07-30</end></TimeSpan>"
    view = "<LookAt><gx:TimeStamp><when>1999-01-01</when></gx:TimeStamp></LookAt>"
    stamp = "<TimeStamp><when>2027-05-01</when></TimeStamp>"
    marks = [mark("D-1", polygon(*BOX), view + span), mark("D-2", polygon(*BOX), stamp)]
    own = read(tmp_path, kml(folder("Limits of disturbance", *marks))).datasets[0].frame
    days = {name: own[name].tolist() for name in ("when", "begin", "end")}
    assert days == {
        "when": [None, "2027-05-01"],
        "begin": ["2027-04-12", None],
        "end": ["2027-07-30", None],
    }


def test_placemarks_under_the_name_of_a_schema_are_read(tmp_path: Path) -> None:
    """KML 2.0 and 2.1: <Schema name="S" parent="Placemark"> and then <S> with its fields."""
    schema = '<Schema name="S_cont" parent="Placemark"><SimpleField name="ELEV" type="double"/>'
    own = f"<S_cont><name>a</name><ELEV>842</ELEV>{line((0, 0), (1, 1))}</S_cont>"
    site = read(tmp_path, kml(f"{schema}</Schema>", folder(CONTOURS, own)))
    assert site.layers["contours_existing"].frame["elevation"].tolist() == [842.0]


WRITING = """
import sys, geopandas, pyogrio
data = geopandas.read_file(sys.argv[1]).to_crs(4326)
pyogrio.write_dataframe(data, sys.argv[2], layer="wetlands", driver=sys.argv[3])
"""


@pytest.mark.parametrize("driver", ["LIBKML", "KML"])
def test_what_gdal_writes_comes_back(tmp_path: Path, driver: str) -> None:
    """By a Python of its own: in ours these drivers are switched off."""
    shapes: list[BaseGeometry | None] = [square(100, 0, 0), square(80, 200, 0)]
    given = write(frame(shapes, wet_id=["W-1", "W-2"], acres=[0.2296, 0.1469]), tmp_path / "a.fgb")
    out = tmp_path / "out.kml"
    free = {name: value for name, value in os.environ.items() if name != "OGR_SKIP"}
    subprocess.run([sys.executable, "-c", WRITING, given, out, driver], check=True, env=free)
    site = open_site(out)
    assert roles(site) == {"wetlands": "wetlands"}
    own = site.layers["wetlands"].frame
    assert sorted(zip(own["id"], own["acres"], strict=True)) == [("W-1", 0.2296), ("W-2", 0.1469)]
    areas = np.sort(shapely.area(site.layers["wetlands"].shapes))
    assert np.allclose(areas, [6_400.0, 10_000.0], rtol=1e-4)  # decimals of a degree
