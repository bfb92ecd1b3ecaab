"""Google Earth files: folders and placemarks as datasets, their columns, KMZ, what is refused."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.intake.assemble import open_site
from sitemap.intake.kml_shapes import read_coordinates
from sitemap.layer import Layer
from sitemap.site import Site
from tests.intake.makers import frame, kinds, square, words, write

LON, LAT = -88.13, 42.904  # in the City of Muskego


def corners(*xy: tuple[float, float]) -> str:
    """Places some thousandths of a degree from a corner of the site, as KML writes them."""
    return " ".join(f"{LON + x / 1000:.6f},{LAT + y / 1000:.6f},0" for x, y in xy)


BOX = ((0, 0), (4, 0), (4, 3), (0, 3), (0, 0))


def line(*xy: tuple[float, float]) -> str:
    return f"<LineString><coordinates>{corners(*xy)}</coordinates></LineString>"


def polygon(*xy: tuple[float, float], hole: tuple[tuple[float, float], ...] = ()) -> str:
    ring = "<LinearRing><coordinates>{}</coordinates></LinearRing>"
    outer = f"<outerBoundaryIs>{ring.format(corners(*xy))}</outerBoundaryIs>"
    inner = f"<innerBoundaryIs>{ring.format(corners(*hole))}</innerBoundaryIs>" if hole else ""
    return f"<Polygon>{outer}{inner}</Polygon>"


def point(x: float, y: float) -> str:
    return f"<Point><coordinates>{corners((x, y))}</coordinates></Point>"


def mark(name: str, shape: str, more: str = "") -> str:
    return f"<Placemark><name>{name}</name>{more}{shape}</Placemark>"


def folder(name: str, *inside: str) -> str:
    return f"<Folder><name>{name}</name>{''.join(inside)}</Folder>"


def kml(*inside: str) -> str:
    head = '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2">'
    return f"{head}<Document><name>plan.kml</name>{''.join(inside)}</Document></kml>"


HAND = kml(
    folder(
        "Pine Hill erosion control",
        mark("Site boundary", line(*BOX)),  # a closed path
        mark("Limits of disturbance", polygon((1, 1), (3, 1), (3, 2), (1, 2), (1, 1))),
        mark("Silt fence 1", line((1, 0.9), (3, 0.9))),
        mark("Silt fence 2", line((0.9, 1), (0.9, 1.5))),
        mark("Inlet protection IP-1", point(2, 1.5)),
        mark("Outfall A", point(2, 0.1)),
        folder("Wetlands", folder("Emergent", mark("W-1", polygon(*BOX[:3], BOX[0])))),
    )
)


def read(tmp_path: Path, text: str, name: str = "plan.kml") -> Site:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return open_site(tmp_path / name)


def layer(site: Site, name: str) -> Layer:
    return next(one for one in site.datasets if one.provenance.layer.endswith(name))


def roles(site: Site) -> dict[str, str | None]:
    return {one.provenance.layer.rsplit("/", 1)[-1]: one.role for one in site.datasets}


# ------------------------------------------------------------------------ what is a dataset


def test_placemarks_under_a_title_are_taken_by_their_own_names(tmp_path: Path) -> None:
    site = read(tmp_path, HAND)
    assert roles(site) == {
        "Site boundary": "boundary",
        "Limits of disturbance": "disturbance",
        "Silt fence 1": "controls",
        "Inlet protection IP-1": "controls",
        "Outfall A": "outfalls",
        "Wetlands": "wetlands",
    }
    controls = site.layers["controls"].frame
    assert sorted(zip(controls["type"], controls["id"], strict=True)) == [
        ("IP", "Inlet protection IP-1"), ("SF", "Silt fence 1"), ("SF", "Silt fence 2"),
    ]  # fmt: skip
    assert site.boundary is not None  # of 4 by 3 thousandths of a degree, measured on the plane
    assert site.boundary.area == pytest.approx(1071.4 * 1092.9, rel=0.01)
    assert layer(site, "Wetlands").frame["folder"].tolist() == ["Emergent"]


def test_a_folder_that_says_a_role_keeps_placemarks_of_other_names(tmp_path: Path) -> None:
    site = read(
        tmp_path,
        kml(
            folder("BMPs", mark("Silt fence 9", line((0, 0), (1, 0))), mark("X-1", point(1, 1))),
            folder("Wetlands", mark("by the stream", polygon(*BOX))),
        ),
    )
    assert roles(site) == {"BMPs": "controls", "Wetlands": "wetlands"}
    assert site.layers["controls"].frame["type"].tolist()[:1] == ["SF"]


def test_without_folder_the_document_or_the_file_names_the_dataset(tmp_path: Path) -> None:
    one = f'<kml xmlns="http://earth.google.com/kml/2.1">{mark("no words", polygon(*BOX))}</kml>'
    site = read(tmp_path, one, "site_boundary.kml")
    assert roles(site) == {"site_boundary": "boundary"}
    assert roles(read(tmp_path, kml(mark("", polygon(*BOX))))) == {"plan.kml": None}


def test_its_system_is_wgs84_by_the_standard(tmp_path: Path) -> None:
    site = read(tmp_path, kml(folder("boundary", mark("b", polygon(*BOX)))))
    only = site.datasets[0]
    assert only.crs is not None
    assert (only.crs.to_epsg(), only.provenance.crs_how) == (4326, "file")
    west, south, east, north = only.frame.total_bounds
    assert (west, south) == pytest.approx((LON, LAT))
    assert (east, north) == pytest.approx((LON + 0.004, LAT + 0.003))


def test_folders_give_way_to_a_gis_file_of_the_same_role(tmp_path: Path) -> None:
    (tmp_path / "plan.kml").write_text(HAND, encoding="utf-8")
    write(frame([square(800)], crs=6609), tmp_path / "boundary.shp")
    site = open_site(tmp_path)
    assert layer(site, "Site boundary").role is None
    assert "boundary.shp serves boundary" in layer(site, "Site boundary").choice.reason
    assert layer(site, "Limits of disturbance").role == "disturbance"


# ---------------------------------------------------------------------------------- columns


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


# ----------------------------------------------------------------------------------- shapes


def test_holes_labels_and_several_parts(tmp_path: Path) -> None:
    hole = ((1, 1), (2, 1), (2, 2), (1, 1))
    several = f"<MultiGeometry>{polygon(*BOX)}{polygon((5, 0), (6, 0), (6, 1), (5, 0))}"
    labelled = f"<MultiGeometry>{point(1, 1)}{polygon(*BOX, hole=hole)}</MultiGeometry>"
    site = read(
        tmp_path,
        kml(
            folder("wetlands", mark("W-1", labelled), mark("W-2", f"{several}</MultiGeometry>")),
            folder("streams", mark("S", line((0, 0), (1, 1))), mark("label", point(0, 0))),
        ),
    )
    first, second = layer(site, "wetlands").frame.geometry
    assert (first.geom_type, len(first.interiors)) == ("Polygon", 1)
    assert (second.geom_type, len(second.geoms)) == ("MultiPolygon", 2)
    assert "1 shape beside another" in words(site, "kml_left_out")
    assert len(layer(site, "streams").frame) == 1
    assert "points (1) on a layer of" in words(site, "kml_left_out")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("-88.13,42.9", [[-88.13, 42.9, 0.0]]),
        ("-88.13,42.9,250 -88.12,42.8", [[-88.13, 42.9, 250.0], [-88.12, 42.8, 0.0]]),
        ("-88.13,42.9 , 250", [[-88.13, 42.9, 250.0]]),
        (",", None),
        ("1,2,3,4", None),
        ("\n -88.13, 42.9, 250 \n\t-88.12 ,42.8,251", [[-88.13, 42.9, 250], [-88.12, 42.8, 251]]),
        ("-88.13,42.9, -88.12,42.8", None),  # a comma between two places: which belong together?
        ("88W,42N", None),
        ("", None),
    ],
)
def test_lists_of_coordinates(text: str, rows: list[list[float]] | None) -> None:
    made = read_coordinates(text)
    assert (made.tolist() if made is not None else None) == rows


def test_shapes_without_sense_are_lost_and_counted(tmp_path: Path) -> None:
    bad = "<LineString><coordinates>here there</coordinates></LineString>"
    short = f"<LineString><coordinates>{corners((0, 0))}</coordinates></LineString>"
    good = mark("b", line((0, 0), (1, 1)))
    site = read(tmp_path, kml(folder("streams", mark("a", bad), mark("c", short), good)))
    assert "2 shapes whose coordinates make none" in words(site, "features_lost")
    assert len(site.datasets[0].frame) == 1
    bare = mark("text only", "")
    site = read(tmp_path, kml(folder("streams", good, bare, bare)))
    assert "left out, since they hold no shape: 2 placemarks" in words(site, "kml_left_out")


# ------------------------------------------------------------------- packed, linked, damaged


def packed(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/") + ".kml", text)
    return path


def test_a_kmz_is_read_by_its_doc_kml_also_within_a_zip(tmp_path: Path) -> None:
    other = kml(folder("streams", mark("s", line((0, 0), (1, 1)))))
    kmz = packed(tmp_path / "plan.kmz", a=other, doc=HAND, files__more=other)
    assert "Site boundary" in roles(open_site(kmz))
    submittal = tmp_path / "submittal.zip"
    with zipfile.ZipFile(submittal, "w") as archive:
        archive.write(kmz, "maps/plan.kmz")
    site = open_site(submittal)
    assert {one.provenance.file for one in site.datasets} == {"maps/plan.kmz"}
    assert site.input_files == (submittal,)
    named = kmz.rename(tmp_path / "renamed.kml")  # an archive under the other name
    assert "Site boundary" in roles(open_site(named))


def test_links_are_not_followed_and_are_said(tmp_path: Path) -> None:
    link = "<NetworkLink><Link><href>file:///etc/passwd</href></Link></NetworkLink>"
    picture = "<GroundOverlay><Icon><href>a.png</href></Icon></GroundOverlay>"
    site = read(tmp_path, kml(link, picture, folder("streams", mark("s", line((0, 0), (1, 1))))))
    told = words(site, "kml_unread")
    assert "link to another file or server (1), picture laid on the ground (1)" in told
    only = read(tmp_path, kml(link))
    assert only.unreadable[0].kind == "no_layers"
    assert "link to another file or server (1)" in only.unreadable[0].reason


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('<!DOCTYPE kml [<!ENTITY a "b">]><kml>&a;</kml>', "XML entities"),
        ("<gpx><wpt/></gpx>", "not KML (its root is gpx)"),
        ("<kml><Document>", "not well formed"),
        ("<kml>" + "<Folder>" * 300, "more than 200 deep"),
        ("<!doctype html><html>login</html>", "web page"),
        ("<kml/>", "no placemarks"),
    ],
)
def test_what_is_refused_says_why(tmp_path: Path, text: str, word: str) -> None:
    site = read(tmp_path, text)
    assert [word in one.reason for one in site.unreadable] == [True]


def test_of_a_file_that_breaks_off_the_whole_placemarks_are_read(tmp_path: Path) -> None:
    text = HAND[: HAND.index("Silt fence 2")]
    site = read(tmp_path, text)
    assert set(roles(site)) >= {"Limits of disturbance", "Silt fence 1"}
    assert any("kml_recovered" in kinds(one) for one in site.datasets)


@pytest.mark.parametrize("seed", range(12))
def test_random_damage_has_a_verdict(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(HAND.encode())
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(3)] = bytes([chance.randrange(256)])
    (tmp_path / "plan.kml").write_bytes(bytes(data[: chance.randrange(40, len(data) + 1)]))
    site = open_site(tmp_path / "plan.kml")
    assert site.datasets or site.unreadable


# ------------------------------------------------------------- as other programs write it


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


# ------------------------------------------------ what was noticed on the way, and several texts


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


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (("\n  " + HAND).encode(), "something stands before it"),
        (HAND.replace("Outfall A", "Outfall caf\u00e9").encode("cp1252"), "Windows-1252"),
        (HAND.replace("Outfall A", "Outfall A & B").encode(), "1 & that stands alone"),
        (HAND.replace("Outfall A", "Outfall \x02").encode(), "1 control character left out"),
    ],
)
def test_small_faults_of_the_xml_lose_nothing(tmp_path: Path, data: bytes, word: str) -> None:
    (tmp_path / "plan.kml").write_bytes(data)
    site = open_site(tmp_path / "plan.kml")
    assert len(roles(site)) == len(roles(read(tmp_path, HAND, "whole.kml"))) == 6
    assert word in words(site, "kml_mended")


def test_what_is_taken_otherwise_than_drawn_is_said(tmp_path: Path) -> None:
    open_ring = mark("o", polygon((0, 0), (1, 0), (1, 1), (0, 1)))
    off = mark("v", polygon(*BOX), "<visibility>0</visibility>")
    short_hole = mark("h", polygon(*BOX, hole=((1, 1), (2, 1))))
    rise = "<LineString><altitudeMode>absolute</altitudeMode><coordinates>{}</coordinates>"
    lifted = mark("r", rise.format("-88.13,42.9,250 -88.12,42.9,251") + "</LineString>")
    numbers = "<LineString><coordinates>nan,42 -88,42 1_0,2</coordinates></LineString>"
    site = read(
        tmp_path,
        kml(
            folder("wetlands", open_ring, off, short_hole),
            folder("streams", lifted, mark("n", numbers)),
        ),
    )
    assert "1 outline closed by a straight line" in words(site, "kml_ring_closed")
    assert "1 placemark switched off" in words(site, "kml_hidden")
    assert "altitudes of 1 shape left out" in words(site, "kml_heights")
    assert "2 shapes whose coordinates make none" in words(site, "features_lost")  # hole, numbers
    assert len(layer(site, "streams").frame) == 1


def test_what_a_kmz_links_to_within_itself_is_read_and_the_rest_is_named(tmp_path: Path) -> None:
    link = "<NetworkLink><name>{}</name><Link><href>{}</href></Link></NetworkLink>"
    links = link.format("marsh", "files/a%20b.kml") + link.format("", "doc.kml")
    links += link.format("out", "../../etc/x.kml")
    inner = kml(folder("wetlands", mark("w", polygon(*BOX))), link.format("", "a b.kml"))
    path = tmp_path / "plan.kmz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("doc.kml", kml(links))
        archive.writestr("files/a b.kml", inner)
        archive.writestr("forgotten.kml", kml(folder("streams", mark("s", line((0, 0), (1, 1))))))
        archive.writestr("../up.kml", HAND)
    site = open_site(path)
    assert [(one.provenance.layer, one.role) for one in site.datasets] == [
        ("marsh/wetlands", "wetlands")
    ]
    told = words(site, "kml_unread")
    assert "The links lead to ../../etc/x.kml" in told
    assert "doc.kml does not link to it: forgotten.kml" in told
    assert "../up.kml in the archive: its name in the archive leads upwards" in told


def test_a_kmz_of_several_files_without_a_main_one_gives_each(tmp_path: Path) -> None:
    streams = kml(folder("streams", mark("s", line((0, 0), (1, 1)))))
    path = packed(tmp_path / "plan.kmz", boundary=kml(mark("", polygon(*BOX))), b=streams, c="<a/>")
    site = open_site(path)
    assert roles(site) == {"boundary": "boundary", "streams": "streams"}
    assert "c.kml in the archive: it is XML, but not KML" in words(site, "kml_unread")


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_kmz_has_a_verdict(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(packed(tmp_path / "whole.kmz", doc=HAND).read_bytes())
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    hurt = tmp_path / "plan.kmz"
    hurt.write_bytes(bytes(data[: chance.randrange(len(data) // 2, len(data) + 1)]))
    site = open_site(hurt)
    assert site.datasets or site.unreadable


# -------------------------------------------------------------------------- names in numbers


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


def test_a_folder_of_a_thousand_names_is_no_title(tmp_path: Path) -> None:
    """Parcels by their owners: the ones called Marsh and Wetland among them are no wetlands."""
    odd = [mark(f"{name} farm", polygon(*BOX)) for name in ("Wetlands", "Streams", "Boundary")]

    def owners(count: int) -> list[str]:
        names = [f"{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}q" for i in
                 range(count)]  # fmt: skip
        return [mark(name, polygon(*BOX)) for name in names]

    few = read(tmp_path, kml(folder("Pine Hill", *odd, *owners(20))))
    assert roles(few)["Wetlands farm"] == "wetlands"
    with_many = kml(folder("Pine Hill", *odd, *owners(1_100)))
    assert roles(read(tmp_path, with_many)) == {"Pine Hill": None}
    numbered = [mark(f"Silt fence {i}", line((0, 0), (1, 0))) for i in range(1_100)]
    assert roles(read(tmp_path, kml(folder("Pine Hill", *numbered)))) == {
        "Silt fence 0": "controls"
    }


@pytest.mark.parametrize(
    ("outer", "inner", "role"),
    [
        ("Contours", "Existing", "contours_existing"),
        ("Existing", "Contours", "contours_existing"),
        ("Proposed conditions", "Contours", "contours_proposed"),
    ],
)
def test_folders_in_folders_say_it_together(
    tmp_path: Path, outer: str, inner: str, role: str
) -> None:
    contour = mark("842", line((0, 0), (1, 1)))
    site = read(tmp_path, kml(folder("Plan", folder(outer, folder(inner, contour)))))
    assert [one.role for one in site.datasets] == [role]
    assert site.layers[role].frame["elevation"].tolist() == [842.0]


def test_placemarks_under_the_name_of_a_schema_are_read(tmp_path: Path) -> None:
    """KML 2.0 and 2.1: <Schema name="S" parent="Placemark"> and then <S> with its fields."""
    schema = '<Schema name="S_cont" parent="Placemark"><SimpleField name="ELEV" type="double"/>'
    own = f"<S_cont><name>a</name><ELEV>842</ELEV>{line((0, 0), (1, 1))}</S_cont>"
    site = read(tmp_path, kml(f"{schema}</Schema>", folder(CONTOURS, own)))
    assert site.layers["contours_existing"].frame["elevation"].tolist() == [842.0]


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
