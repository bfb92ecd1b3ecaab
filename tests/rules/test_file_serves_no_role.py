"""SUB006: data that no role takes are named, as information."""

from __future__ import annotations

from dataclasses import replace

from sitemap.finding import Severity
from sitemap.rules.file_serves_no_role import file_serves_no_role as rule
from sitemap.rules.rule import NotApplicable
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

NO_CASE = {
    "at_the_limit": "a file serves a role or none",
    "just_over": "a file serves a role or none",
    "skipped": "it needs no role",
}


def test_passes_when_all_data_serve_a_role() -> None:
    assert passes(rule, clean_site())


def test_found_with_the_reason() -> None:
    frame = layer_frame("roads", clean_features()["roads"])
    stray = dataset(frame, file="zoning.shp", reason="no name or field of any role fits.")
    (fault,) = faults_of(rule, with_dataset(clean_site(), stray))
    assert fault.message == "zoning.shp serves no role: no name or field of any role fits"
    assert fault.source.file == "zoning.shp"
    assert 'zoning.shp"' in fault.how_to_fix
    assert rule.default_severity is Severity.INFO


def test_not_applicable_when_nothing_could_be_read() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
