"""SUB002: one finding per file that cannot be read, with its plain reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.intake.oddities import odd
from sitemap.project import LayerPath
from sitemap.rules.file_unreadable import file_unreadable as rule
from tests.clean_site import clean_site, faults_of, passes, with_project, with_unreadable, without
from tests.intake.makers import frame, points, write

NO_CASE = {
    "at_the_limit": "a file is read or not",
    "just_over": "a file is read or not",
    "not_applicable": "every submission has files",
    "skipped": "it needs no role",
}


def test_passes_when_all_files_were_read() -> None:
    assert passes(rule, clean_site())


def test_found_says_the_reason_and_what_to_do() -> None:
    site = with_unreadable(
        clean_site(), "gis/landuse.geojson", "web_page", "this is a saved web page."
    )
    (fault,) = faults_of(rule, site)
    assert fault.message == "gis/landuse.geojson cannot be read: this is a saved web page"
    assert "download the file again" in fault.how_to_fix
    assert fault.source.file == "gis/landuse.geojson"
    assert fault.role is None


def test_found_per_layer_and_with_the_role_that_names_the_file() -> None:
    site = with_unreadable(clean_site(), "site.gdb", "odd", "its index is damaged", "wetlands")
    site = with_unreadable(site, "plan.dwg", "dwg", "AutoCAD drawing")
    site = with_project(site, layers={"roads": (LayerPath(path="plan.dwg"),)})
    first, second = faults_of(rule, site)
    assert "site.gdb, layer wetlands" in first.message
    assert first.source.layer == "wetlands"
    assert second.role == "roads"
    assert "DXF" in second.how_to_fix


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("kml/wetlands.kml", "wetlands"),
        ("Existing Contours.dxf", "contours_existing"),
        ("contours.dxf", None),  # existing or proposed
        ("topo_final.dwg", None),
        ("roads.kml", None),  # another file serves that role
    ],
)
def test_found_a_file_whose_name_speaks_for_a_role_that_is_missing(
    file: str, role: str | None
) -> None:
    gone = without(clean_site(), "wetlands", "contours_existing", "contours_proposed")
    site = with_unreadable(gone, file, "format_not_read", "it is not read")
    (fault,) = faults_of(rule, site)
    assert fault.role == role


@pytest.mark.parametrize(
    ("name", "severity"), [("wetlands", Severity.ERROR), ("parcels_of_1998", Severity.INFO)]
)
def test_found_a_dataset_of_which_only_a_part_is_there(
    name: str, severity: Severity, tmp_path: Path
) -> None:
    """Its table is cut off with it, so that no other rule would miss the rest."""
    path = write(frame(points(9), id=list("abcdefghi")), tmp_path / f"{name}.shp")
    path.write_bytes(path.read_bytes()[:-40])
    path.with_suffix(".shx").unlink()
    path.with_suffix(".dbf").unlink()
    (fault,) = faults_of(rule, open_site(tmp_path))
    assert f"{name}.shp could be read only in part" in fault.message
    assert "7 whole records can be read" in fault.message
    assert fault.severity is severity


def test_a_layer_that_site_toml_names_and_the_file_has_not_is_found() -> None:
    site = with_unreadable(
        clean_site(), "plan.gpkg", "named_layer_missing", "no such layer", "outfalls"
    )
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("plan.gpkg, layer outfalls cannot be read")
    assert fault.how_to_fix == "correct the layer's name in site.toml"


@pytest.mark.parametrize(
    ("kind", "severity"),
    [("cad_recovered", Severity.ERROR), ("cad_object_unread", Severity.WARNING)],
)
def test_a_drawing_that_was_not_read_whole_is_found(kind: str, severity: Severity) -> None:
    site = clean_site()
    layer = site.layers["boundary"].members[0]
    told = replace(layer.provenance, oddities=(odd(kind, "3 AECC_TIN_SURFACE"),))
    drawn = replace(site, datasets=(replace(layer, provenance=told), *site.datasets[1:]))
    (fault,) = faults_of(rule, drawn)
    assert fault.severity is severity
    assert "could be read only in part: 3 AECC_TIN_SURFACE" in fault.message
