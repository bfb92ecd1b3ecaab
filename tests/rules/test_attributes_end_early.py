"""SUB013: tables that are shorter or longer than the shapes."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.attributes_end_early import attributes_end_early as rule
from sitemap.rules.rule import Fault, NotApplicable
from tests.clean_site import clean_site, faults_of, passes, run
from tests.intake.makers import dbf, frame, square, write

NO_CASE = {"skipped": "it looks at every shapefile with a table"}


def parcels(folder: Path, shapes: int, rows: int, cut: int = 0, name: str = "boundary") -> Path:
    """A shapefile with so many shapes and table rows, the last `cut` rows cut off the file."""
    squares = [square(x=200.0 * i) for i in range(shapes)]
    path = write(frame(squares, name=["a"] * shapes), folder / f"{name}.shp")
    table = dbf([("NAME", 10)], [[b"lot"] for _ in range(rows)])
    path.with_suffix(".dbf").write_bytes(table[: len(table) - 1 - 11 * cut])
    return path


def found(folder: Path) -> list[Fault]:
    return faults_of(rule, open_site(folder))


def test_passes_when_they_fit() -> None:
    assert passes(rule, clean_site())


def test_at_the_limit_equal_counts_pass(tmp_path: Path) -> None:
    parcels(tmp_path, 10, 10)
    assert found(tmp_path) == []


def test_just_over_one_row_short_is_found(tmp_path: Path) -> None:
    """10 shapes, 9 rows (geojson.io issue 847): the last shape has nothing."""
    parcels(tmp_path, 10, 9)
    (fault,) = found(tmp_path)
    assert "attributes end at record 9 of 10" in fault.message
    assert fault.message.endswith("without attributes: record 9")
    assert (fault.measured.value, fault.limit.value) == (1, 0)
    assert fault.severity is Severity.ERROR
    assert fault.geometry.equals(square(x=1800.0))


def test_just_over_one_row_too_many_is_found(tmp_path: Path) -> None:
    parcels(tmp_path, 10, 11)
    (fault,) = found(tmp_path)
    assert "the .dbf holds 11 records, the .shp 10" in fault.message
    assert fault.measured is None


def test_found_a_table_cut_off_in_the_middle(tmp_path: Path) -> None:
    """The header says 10 records, the file holds 7 (OSGeo/gdal issue 937)."""
    path = parcels(tmp_path, 10, 10, cut=3)
    stated = struct.unpack("<I", path.with_suffix(".dbf").read_bytes()[4:8])[0]
    assert stated == 10
    (fault,) = found(tmp_path)
    assert "says 10 records but holds 7" in fault.message
    assert "attributes end at record 7 of 10" in fault.message


def test_found_as_information_without_a_role(tmp_path: Path) -> None:
    parcels(tmp_path, 4, 3, name="qqq")
    (fault,) = found(tmp_path)
    assert fault.severity is Severity.INFO


def test_not_applicable_to_other_formats(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.gpkg")
    (said,) = run(rule, open_site(tmp_path))
    assert isinstance(said, NotApplicable)


@pytest.mark.real_data
def test_passes_real_shapefiles(shared_data: Path) -> None:
    assert found(shared_data / "1-midwest" / "ozaukee-bluff-wi") == []


def test_found_a_table_whose_header_does_not_say_where_its_records_lie(tmp_path: Path) -> None:
    path = parcels(tmp_path, 10, 10)
    raw = bytearray(path.with_suffix(".dbf").read_bytes() + b"\x1a")
    raw[8] += 32
    path.with_suffix(".dbf").write_bytes(bytes(raw))
    (fault,) = found(tmp_path)
    assert "begin at byte 65, and were read from there" in fault.message
    assert fault.severity is Severity.ERROR
