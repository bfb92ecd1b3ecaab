"""SUB003: what a shapefile lacks, from files on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.layer import Oddity
from sitemap.rules.companion_file_missing import companion_file_missing as rule
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    clean_features,
    clean_site,
    dataset,
    faults_of,
    layer_frame,
    passes,
    run,
    with_dataset,
)
from tests.intake.makers import frame, words, write, zipped

NO_CASE = {
    "at_the_limit": "a companion is there or not",
    "just_over": "a companion is there or not",
    "skipped": "it looks at every shapefile",
}


def boundary(folder: Path, *gone: str, name: str = "Lot 1") -> list[Fault]:
    """What is said of a boundary on disk without some of its companions."""
    path = write(frame(name=[name]), folder / "boundary.shp")
    for end in gone:
        path.with_suffix(end).unlink()
    return faults_of(rule, open_site(folder))


def test_passes_when_all_are_there() -> None:
    assert passes(rule, clean_site())


def test_passes_without_cpg_when_all_text_is_ascii(tmp_path: Path) -> None:
    """Nothing in it could be read in two ways."""
    assert boundary(tmp_path, ".cpg") == []


def test_found_shx_missing_and_rebuilt_on_a_copy(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, ".shx")
    assert fault.message == (
        "boundary.shp came without .shx (.shx: its record index was rebuilt on a copy)"
    )
    assert fault.severity is Severity.WARNING
    assert (fault.measured.value, fault.limit.value) == (1, 0)
    assert not (tmp_path / "boundary.shx").exists()


def test_found_several_in_one_finding(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, ".shx", ".prj")
    assert fault.message.startswith("boundary.shp came without .shx and .prj")
    assert "the numbers stand for no place, see CRS001" in fault.message
    assert fault.measured.value == 2


def test_found_prj_missing_as_information_where_the_user_gives_the_crs(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "boundary.shp")
    path.with_suffix(".prj").unlink()
    (fault,) = faults_of(rule, open_site(tmp_path, crs="EPSG:6609"))
    assert fault.severity is Severity.INFO
    assert "the CRS is from option" in fault.message


def test_found_dbf_missing_as_an_error_where_the_role_requires_a_field(tmp_path: Path) -> None:
    lines = [row.boundary for row in frame().geometry]
    path = write(frame(lines, elevation=[820.0]), tmp_path / "contours_existing.shp")
    path.with_suffix(".dbf").unlink()
    (fault,) = faults_of(rule, open_site(tmp_path))
    assert fault.severity is Severity.ERROR
    assert "and the role requires elevation" in fault.message


def test_found_dbf_missing_as_a_warning_where_no_field_is_required(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, ".dbf")
    assert fault.severity is Severity.WARNING


def test_found_cpg_missing_when_text_goes_beyond_ascii(tmp_path: Path) -> None:
    (fault,) = boundary(tmp_path, ".cpg", name="Ch\u00eane")
    assert fault.severity is Severity.INFO
    assert "the text was read as utf-8" in fault.message


def test_found_a_web_page_in_place_of_the_prj(tmp_path: Path) -> None:
    path = write(frame(), tmp_path / "boundary.shp")
    path.with_suffix(".prj").write_text("<!DOCTYPE html><html><body>404</body></html>")
    (fault,) = faults_of(rule, open_site(tmp_path))
    assert fault.message.startswith("boundary.shp came without .prj")
    assert "what was sent is a saved web page" in fault.message


def test_found_as_information_where_the_file_serves_no_role() -> None:
    bare = dataset(
        layer_frame("roads", clean_features()["roads"]), file="zoning.shp", companions=(".shx",)
    )
    (fault,) = faults_of(rule, with_dataset(clean_site(), bare))
    assert fault.severity is Severity.INFO
    assert fault.measured.value == 2  # .dbf and .prj


def test_passes_a_table_that_was_never_meant_to_have_shapes() -> None:
    odd = Oddity("no_geometry", "an attribute table")
    table = dataset(
        layer_frame("roads", clean_features()["roads"]),
        file="PlusFlow.dbf",
        companions=(),
        oddities=(odd,),
    )
    assert passes(rule, with_dataset(clean_site(), table))


def test_not_applicable_to_other_formats(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.gpkg")
    (said,) = run(rule, open_site(tmp_path))
    assert isinstance(said, NotApplicable)


@pytest.mark.real_data
def test_found_in_real_files_without_prj(shared_data: Path) -> None:
    site: Site = open_site(shared_data / "2-real-us" / "methow-streams-wa-noprj")
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("Methow_Network.shp came without .prj")


def test_found_a_prj_that_is_damaged_in_its_archive(tmp_path: Path) -> None:
    """Nothing but the sum that the archive keeps of it tells that a byte was flipped."""
    write(frame(), tmp_path / "in" / "boundary.shp")
    path = zipped(tmp_path / "in", tmp_path / "a.zip")
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"PROJCS", b"PROJXS", 1))
    (fault,) = faults_of(rule, open_site(path))
    assert fault.message.startswith("boundary.shp came without .prj")
    assert "what was sent cannot be read" in fault.message
    assert "boundary.prj cannot be read" in words(open_site(path), "companion_unreadable")
