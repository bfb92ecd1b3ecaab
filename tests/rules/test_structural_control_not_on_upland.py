"""BMP002: practices stand on upland soils."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
import shapely

from sitemap.rules.rule import NotApplicable, Skip
from sitemap.rules.structural_control_not_on_upland import (
    structural_control_not_on_upland as rule,
)
from sitemap.site import Site
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    line,
    passes,
    point,
    rectangle,
    replace_features,
    run,
    with_layer,
    without,
)


def more(geometry, kind: str, structural: str | None = "yes") -> Site:
    """One more control; the wetland of the clean site is 560 to 700 by 60 to 120."""
    return add_feature(
        clean_site(), "controls", geometry, id="X-1", type=kind, structural=structural
    )


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_a_basin_with_its_acres_and_ground() -> None:
    (fault,) = faults_of(rule, more(rectangle(540, 100, 600, 160), "SB"))
    assert fault.message == "0.018 acres of control X-1 (SB) lie in a wetland"
    assert fault.measured.value == pytest.approx(40 * 20 / 43560, abs=1e-4)
    assert fault.geometry.equals(rectangle(560, 100, 600, 120))


def test_found_a_fence_with_its_length() -> None:
    (fault,) = faults_of(rule, more(line((500, 100), (600, 100)), "SF"))
    assert fault.message == "40 ft of control X-1 (SF) lie in a wetland"


def test_found_a_point() -> None:
    (fault,) = faults_of(rule, more(point(600, 100), "IP"))
    assert fault.message == "control X-1 (IP) lies in a wetland"


def test_at_the_limit_half_a_foot_is_digitizing() -> None:
    assert passes(rule, more(line((500, 100), (560.5, 100)), "SF"))
    assert passes(rule, more(rectangle(500, 100, 560.49, 110), "SB"))


def test_just_over_half_a_foot_is_found() -> None:
    assert faults_of(rule, more(line((500, 100), (560.6, 100)), "SF"))
    assert faults_of(rule, more(rectangle(500, 100, 560.52, 110), "SB"))


def test_passes_what_is_not_structural_or_made_for_water() -> None:
    assert passes(rule, more(rectangle(560, 60, 600, 100), "VB", "no"))
    assert passes(rule, more(rectangle(560, 60, 600, 100), "VB", None))
    assert passes(rule, more(line((570, 100), (600, 100)), "TB"))


def test_found_by_its_type_where_the_field_is_empty() -> None:
    assert faults_of(rule, more(rectangle(560, 60, 600, 100), "SB", None))


def test_passes_a_basin_whose_pool_is_drawn_as_water() -> None:
    site = with_layer(
        more(rectangle(650, 400, 750, 500), "WD"),
        "waterbodies",
        {"geometry": [rectangle(660, 410, 740, 490)]},
    )
    assert passes(rule, site)


def test_found_a_basin_in_a_lake() -> None:
    site = with_layer(
        more(rectangle(650, 400, 750, 500), "WD"),
        "waterbodies",
        {"geometry": [rectangle(700, 410, 800, 490)]},
    )
    (fault,) = faults_of(rule, site)
    assert "lie in water" in fault.message


def test_not_applicable_without_a_structural_control() -> None:
    def only_buffers(frame):
        frame["type"], frame["structural"] = "VB", "no"
        return frame

    (said,) = run(rule, replace_features(clean_site(), "controls", only_buffers))
    assert isinstance(said, NotApplicable)


def test_skipped_while_wetlands_are_wanting() -> None:
    (said,) = run(rule, without(clean_site(), "wetlands"))
    assert isinstance(said, Skip)


def test_skipped_where_the_wetlands_layer_holds_no_shape() -> None:
    site = replace_features(clean_site(), "wetlands", lambda f: f.set_geometry([None] * len(f)))
    (said,) = run(rule, site)
    assert isinstance(said, Skip), "against nothing, nothing was looked at"


def test_each_control_is_held_against_the_wetlands_that_it_meets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 300 fences and 3,001 wetlands eleven meet one: ten cross it, one only touches it."""
    east, north = np.meshgrid(np.arange(2000.0, 5000.0, 50.0), np.arange(0.0, 2500.0, 50.0))
    lakes = [rectangle(x, y, x + 30, y + 30) for x, y in zip(east.flat, north.flat, strict=True)]
    fences = [line((x, 10.0), (x + 20.0, 10.0)) for x in np.arange(0.0, 600.0, 2.0)]
    site = with_layer(clean_site(), "wetlands", {"geometry": [*lakes, rectangle(300, 0, 301, 20)]})
    site = with_layer(site, "controls", {"geometry": fences, "type": ["SF"] * len(fences)})
    module = import_module(rule.body.__module__)
    inside, cut = module._inside, []

    def counted(shape, water, width):  # type: ignore[no-untyped-def]
        cut.append(len(shapely.get_parts(water)))
        return inside(shape, water, width)

    monkeypatch.setattr(module, "_inside", counted)
    found = faults_of(rule, site)
    assert len(found) == 10  # those that begin at 282 to 300 ft cross it
    assert cut == [1] * 11
