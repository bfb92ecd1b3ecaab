"""BND003: the site boundary against the tax map."""

from __future__ import annotations

import pytest
from shapely.geometry.base import BaseGeometry

from sitemap.check import check_site
from sitemap.finding import Severity, Status
from sitemap.rules.boundary_off_the_parcels import boundary_off_the_parcels as rule
from sitemap.rules.rule import Ask, Checked, Skip
from sitemap.site import Site
from tests.clean_site import NOW, clean_site, faults_of, passes, rectangle, run, the_ordinance
from tests.references import WINDOW, known

NO_CASE = {"not_applicable": "every site lies on some parcel"}
NEIGHBOUR = rectangle(800, 0, 1600, 600)


def parcels(*shapes: BaseGeometry, reach: BaseGeometry = WINDOW) -> Site:
    """The clean site, 800 by 600 ft, on these parcels."""
    ids = [f"MSKC {number}" for number in range(1, len(shapes) + 1)]
    return known(
        clean_site(), "parcels", {"geometry": list(shapes), "id": ids}, file="tax.gpkg", reach=reach
    )


def test_passes_where_the_site_is_two_whole_parcels() -> None:
    site = parcels(rectangle(0, 0, 300, 600), rectangle(300, 0, 800, 600), NEIGHBOUR)
    assert passes(rule, site)
    (checked,) = run(rule, site)
    assert isinstance(checked, Checked)
    assert checked.words == (
        "2 parcels of tax.gpkg make up the site; outlines up to 0.0 ft apart; 0 slivers thinner "
        "than 5 ft left aside"
    )


def test_found_on_either_side() -> None:
    """The parcel ends 50 ft west of the boundary and reaches 20 ft farther north."""
    found = faults_of(rule, parcels(rectangle(0, 0, 750, 620), NEIGHBOUR))
    assert [fault.message for fault in found] == [
        "0.34 acres (15,000 sq ft) of the parcels lie outside the boundary (tax.gpkg); the "
        "outlines lie up to 50 ft apart",
        "0.69 acres (30,000 sq ft) inside the boundary are no part of these parcels (tax.gpkg); "
        "the outlines lie up to 50 ft apart",
    ]
    assert [fault.measured.value for fault in found] == [
        pytest.approx(750 * 20 / 43560, abs=1e-4),
        pytest.approx(50 * 600 / 43560, abs=1e-4),
    ]
    assert [str(source) for source in found[0].related] == [
        "tax.gpkg, layer parcels, id MSKC 1, record 0"
    ]


def test_at_the_limit_a_strip_of_five_feet_is_a_sliver() -> None:
    site = parcels(rectangle(0, 0, 805, 600))
    assert passes(rule, site)
    (checked,) = run(rule, site)
    assert "1 sliver thinner than 5 ft left aside" in checked.words  # type: ignore[union-attr]


def test_just_over_five_feet_is_found_as_a_warning() -> None:
    (fault,) = faults_of(rule, parcels(rectangle(0, 0, 805.1, 600)))
    assert "(3,060 sq ft) of the parcels" in fault.message
    checked = check_site(parcels(rectangle(0, 0, 805.1, 600)), the_ordinance(), now=NOW)
    assert [f.severity for f in checked.findings if f.rule == "BND003"] == [Severity.WARNING]


def test_a_part_of_a_parcel_needs_a_person() -> None:
    (ask,) = [s for s in run(rule, parcels(rectangle(0, 0, 1700, 600))) if isinstance(s, Ask)]
    assert ask.question == (
        "the site takes in less than half of each parcel that it lies on (MSKC 1): is a part of a "
        "parcel meant?"
    )


def test_skipped_without_parcels_and_where_they_are_not_known() -> None:
    checked = check_site(clean_site(), the_ordinance(), now=NOW)
    (outcome,) = [o for o in checked.outcomes if o.rule == "BND003"]
    assert outcome.status is Status.SKIPPED
    assert isinstance(run(rule, parcels(NEIGHBOUR, reach=NEIGHBOUR.buffer(-10)))[0], Skip)
    assert isinstance(run(rule, parcels(NEIGHBOUR.buffer(-1)))[0], Skip)
