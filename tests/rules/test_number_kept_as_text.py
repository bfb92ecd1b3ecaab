"""SUB012: numbers kept as text, parsed or refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from shapely.geometry import LineString

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.number_kept_as_text import number_kept_as_text as rule
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.site import Site
from tests.clean_site import clean_site, faults_of, passes, run
from tests.intake.makers import X0, Y0, frame, write

NO_CASE = {"skipped": "it looks at every dataset that serves a role"}


def contours(folder: Path, elevations: list[str]) -> Site:
    lines = [LineString([(X0, Y0 + i), (X0 + 900, Y0 + i)]) for i in range(len(elevations))]
    write(frame(lines, ELEV_FT=elevations), folder / "contours_existing.shp")
    return open_site(folder)


def texts(good: int, bad: int) -> list[str]:
    return [*(f"{800 + i}.0" for i in range(good)), *["index"] * bad]


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_when_numbers_are_numbers() -> None:
    assert passes(rule, clean_site())


def test_found_parsed_with_a_warning(tmp_path: Path) -> None:
    site = contours(tmp_path, ["842.0", "844 ft", "846'", "1,002"])
    fault = only(site)
    assert fault.message == (
        "contours_existing.shp: field ELEV_FT keeps numbers as text; 4 values parsed"
    )
    assert fault.severity is Severity.WARNING
    assert fault.field_name == "ELEV_FT"
    assert fault.how_to_fix == "make ELEV_FT a numeric field and calculate it anew"
    assert site.role("contours_existing").frame["elevation"].tolist() == [842, 844, 846, 1002]


def test_at_the_limit_95_percent_are_used(tmp_path: Path) -> None:
    """19 of 20 is exactly 95 %: used, with the one that is no number named."""
    fault = only(contours(tmp_path, texts(19, 1)))
    assert fault.severity is Severity.WARNING
    assert "1 value not, such as 'index'" in fault.message


def test_just_over_none_is_used(tmp_path: Path) -> None:
    """18 of 19 is 94.7 %."""
    site = contours(tmp_path, texts(18, 1))
    fault = only(site)
    assert fault.severity is Severity.ERROR
    assert "only 18 of 19 values" in fault.message
    assert site.role("contours_existing").frame["elevation"].isna().all()


def test_not_applicable_without_a_numeric_field() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
