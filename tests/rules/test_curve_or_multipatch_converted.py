"""GEO008: curves and surfaces, from real files and from what reading notes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.layer import Layer, Oddity
from sitemap.rules.curve_or_multipatch_converted import curve_or_multipatch_converted as rule
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.site import Site
from tests.clean_site import clean_site, faults_of, passes, run

NO_CASE = {
    "at_the_limit": "a geometry is a curve or not",
    "just_over": "a geometry is a curve or not",
    "skipped": "it looks at every dataset",
}


def noted(kind: str, words: str, role: str = "wetlands") -> Site:
    """The clean site when reading noted something about a role's file."""
    clean = clean_site()
    member = clean.layers[role].members[0]
    provenance = replace(member.provenance, oddities=(Oddity(kind, words),))
    odd = Layer(member.spec, member.frame, provenance, member.choice)
    return replace(clean, datasets=tuple(odd if d is member else d for d in clean.datasets))


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def test_passes_plain_geometries() -> None:
    assert passes(rule, clean_site())


def test_found_curves_as_a_warning() -> None:
    fault = only(noted("curves_linearised", "CURVEPOLYGON: curves are drawn as short lines"))
    assert fault.message == "wetlands.shp: CURVEPOLYGON: curves are drawn as short lines"
    assert fault.severity is Severity.WARNING
    assert fault.role == "wetlands"
    assert "compare areas and holes" in fault.how_to_fix


def test_found_surfaces_as_an_error() -> None:
    """Their features have no geometry left: no rule can judge them."""
    fault = only(noted("multipatch_converted", "4 features with a 3D surface"))
    assert fault.severity is Severity.ERROR
    assert "export the footprint" in fault.how_to_fix


@pytest.mark.real_data
def test_found_in_real_geodatabases(shared_data: Path) -> None:
    folder = shared_data / "3-broken" / "gdal-filegdb"
    found = [f for p in sorted(folder.glob("*curve*")) for f in faults_of(rule, open_site(p))]
    assert found
    assert all(f.severity is Severity.INFO for f in found)  # they serve no role
    assert any("CURVE" in f.message for f in found)


@pytest.mark.real_data
def test_found_real_multipatches(shared_data: Path) -> None:
    site = open_site(shared_data / "3-broken" / "shapelib")
    assert any("multipatch" in f.message for f in faults_of(rule, site))


def test_not_applicable_without_a_dataset() -> None:
    (said,) = run(rule, replace(clean_site(), layers={}, datasets=()))
    assert isinstance(said, NotApplicable)
