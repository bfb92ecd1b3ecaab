"""Google Earth files: which folders and placemarks are datasets, and their shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap.intake.assemble import open_site
from sitemap.intake.kml_shapes import read_coordinates
from tests.intake.makers import frame, square, words, write
from tests.intake.placemarks import (
    BOX,
    HAND,
    LAT,
    LON,
    corners,
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
