"""Shapefiles of CAD with all layers in one: taken apart by the column LAYER, and when not."""

from __future__ import annotations

from pathlib import Path

import pytest
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from sitemap.intake.assemble import open_site
from sitemap.intake.propose import propose_site_toml
from sitemap.layer import SOURCE_FID
from sitemap.site import Site
from tests.intake.makers import X0, Y0, frame, square, words, write

LINES: list[tuple[str, BaseGeometry, float]] = [
    ("V-TOPO-MAJR", LineString([(X0, Y0 + 10), (X0 + 90, Y0 + 10)]), 840.0),
    ("C-EROS-SILT", LineString([(X0, Y0), (X0 + 50, Y0)]), 0.0),
    ("V-TOPO-MINR", LineString([(X0, Y0 + 20), (X0 + 90, Y0 + 20)]), 842.0),
    ("V-TOPO-MAJR", LineString([(X0, Y0 + 50), (X0 + 90, Y0 + 50)]), 850.0),
    ("DEFPOINTS", LineString([(0, 0), (1, 1)]), 0.0),
]


def polylines(folder: Path, name: str = "C-SITE-BASE_polylines.shp", column: str = "LAYER") -> Path:
    columns = {column: [row[0] for row in LINES], "ELEVATION": [row[2] for row in LINES]}
    return write(frame([row[1] for row in LINES], **columns), folder / name)


def roles(site: Site) -> dict[str, str | None]:
    return {d.provenance.layer: d.role for d in site.datasets}


@pytest.mark.parametrize("column", ["LAYER", "Layer", "CADLayer"])
def test_each_layer_is_a_dataset_with_the_records_of_the_file(column: str, tmp_path: Path) -> None:
    site = open_site(polylines(tmp_path, column=column))
    assert roles(site) == {
        "V-TOPO-MAJR": "contours_existing",
        "V-TOPO-MINR": "contours_existing",
        "C-EROS-SILT": "controls",
        "DEFPOINTS": None,
    }
    contours = site.layers["contours_existing"].frame
    assert sorted(contours["elevation"]) == [840, 842, 850]
    assert sorted(contours[SOURCE_FID]) == [0, 2, 3]  # record numbers of the file, for messages
    assert site.layers["controls"].frame["type"].tolist() == ["SF"]
    assert f"column {column} holds 4 CAD layers" in words(site, "cad_layers_apart")


def test_what_init_proposes_is_read_the_same(tmp_path: Path) -> None:
    site = open_site(polylines(tmp_path).parent)
    (tmp_path / "site.toml").write_text(propose_site_toml(site), encoding="utf-8")
    again = open_site(tmp_path)
    for role in ("contours_existing", "controls"):
        assert len(again.layers[role].frame) == len(site.layers[role].frame)


def test_site_toml_may_name_one_layer_or_the_whole(tmp_path: Path) -> None:
    path = polylines(tmp_path)
    said = f'[[layers.contours_proposed]]\npath = "{path.name}"\n'
    (tmp_path / "site.toml").write_text(f'{said}layer = "V-TOPO-MINR"\n')
    assert open_site(tmp_path).layers["contours_proposed"].frame["elevation"].tolist() == [842]
    (tmp_path / "site.toml").write_text(said)
    assert len(open_site(tmp_path).layers["contours_proposed"].frame) == len(LINES)


def test_a_file_that_says_its_role_or_whose_layers_say_none_stays_whole(tmp_path: Path) -> None:
    whole = open_site(polylines(tmp_path / "a", "existing_contours.shp"))
    assert [(d.role, len(d.frame)) for d in whole.datasets] == [("contours_existing", len(LINES))]
    data = frame([square(), square(x=200)], LAYER=["1", "2"])
    other = open_site(write(data, tmp_path / "b" / "export.shp"))
    assert [(d.role, len(d.frame)) for d in other.datasets] == [(None, 2)]


def test_labels_of_a_thing_are_not_the_thing(tmp_path: Path) -> None:
    """C-STRM-OUTF-TEXT holds where the words stand, not where the water leaves."""
    points = [Point(X0, Y0), Point(X0 + 9, Y0), Point(X0, Y0 + 9)]
    named = ["C-STRM-OUTF", "C-STRM-OUTF-TEXT", ""]
    site = open_site(write(frame(points, Layer=named), tmp_path / "points.shp"))
    assert roles(site) == {"C-STRM-OUTF": "outfalls", "points": None}
    assert "labels (C-STRM-OUTF-TEXT) are left apart" in words(site, "cad_layers_apart")
    only = open_site(write(frame(points[:1], Layer=named[1:2]), tmp_path / "b" / "labels.shp"))
    assert roles(only) == {"labels": None}
