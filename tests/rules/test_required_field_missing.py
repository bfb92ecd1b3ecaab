"""SUB009: a required field under no name that is recognised, or without a value."""

from __future__ import annotations

from dataclasses import replace

import geopandas as gpd

from sitemap.layer import Layer
from sitemap.rules.required_field_missing import required_field_missing as rule
from sitemap.rules.rule import NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    clean_features,
    clean_site,
    faults_of,
    layer_frame,
    passes,
    run,
    with_layer,
    without,
)

NO_CASE = {
    "at_the_limit": "a field is there or not",
    "just_over": "a field is there or not",
    "skipped": "it looks at every dataset that serves a role",
}


def with_columns(site: Site, role: str, **columns: str) -> Site:
    """The site as read when a role's file has its fields under names that nobody knows."""
    features = {n: v for n, v in clean_features()[role].items() if n not in columns}
    changed = with_layer(site, role, features)
    values = clean_features()[role]
    member = changed.layers[role].members[0]
    frame: gpd.GeoDataFrame = member.frame.assign(
        **{column: values[name] for name, column in columns.items()}
    )
    read = Layer(member.spec, frame, member.provenance, member.choice)
    merged = replace(changed.layers[role], members=(read,))
    return replace(
        changed,
        layers={**changed.layers, role: merged},
        datasets=tuple(read if d is member else d for d in changed.datasets),
    )


def test_passes_with_all_required_fields() -> None:
    assert passes(rule, clean_site())


def test_found_with_the_nearest_names() -> None:
    site = with_columns(clean_site(), "contours_existing", elevation="ELVTN_FOOT")
    (fault,) = faults_of(rule, site)
    assert "contours_existing.shp" in fault.message
    assert "the nearest names are ELVTN_FOOT" in fault.message
    assert 'fields = { elevation = "ELVTN_FOOT" }' in fault.how_to_fix
    assert fault.field_name == "elevation"
    assert fault.role == "contours_existing"


def test_found_lists_the_columns_when_none_is_near() -> None:
    (fault,) = faults_of(rule, with_columns(clean_site(), "controls", type="QQQ"))
    assert "QQQ" in fault.message
    assert fault.field_name == "type"


def test_found_when_two_columns_claim_the_field() -> None:
    """Two cuts that collide are not decided by the program."""
    site = with_columns(clean_site(), "contours_existing", elevation="ELEV")
    member = site.layers["contours_existing"].members[0]
    member.frame["ELEVATION"] = member.frame["ELEV"]
    (fault,) = faults_of(rule, site)
    assert "ELEV and ELEVATION both claim it" in fault.message


def test_found_when_the_column_holds_no_value() -> None:
    features = {**clean_features()["grid"], "label": [None] * 80}
    site = with_layer(clean_site(), "grid", features)
    merged = site.layers["grid"]
    member = merged.members[0]
    choice = replace(member.choice, field_map={"label": "CELL"})
    read = replace(member, choice=choice)
    site = replace(
        site,
        layers={**site.layers, "grid": replace(merged, members=(read,))},
        datasets=tuple(read if d is member else d for d in site.datasets),
    )
    (fault,) = faults_of(rule, site)
    assert "column CELL is empty in all 80 records" in fault.message


def test_passes_when_reading_took_the_value_from_elsewhere() -> None:
    """Elevations from the Z of the lines: no column, and nothing missing."""
    features = clean_features()["contours_existing"]
    site = with_layer(clean_site(), "contours_existing", features)
    merged = site.layers["contours_existing"]
    member = merged.members[0]
    read = Layer(
        member.spec,
        member.frame.drop(columns="elevation"),
        member.provenance,
        replace(member.choice, field_map={}),
    )
    site = replace(
        site,
        layers={**site.layers, "contours_existing": replace(merged, members=(read,))},
        datasets=tuple(read if d is member else d for d in site.datasets),
    )
    assert passes(rule, site)


def test_an_empty_dataset_is_left_to_sub004() -> None:
    assert passes(rule, with_layer(clean_site(), "grid", layer_frame("grid", {"geometry": []})))


def test_not_applicable_without_a_role_that_requires_a_field() -> None:
    site = clean_site()
    asking = [
        role
        for role in site.layers
        if any(field.required for field in site.catalogue[role].fields.values())
    ]
    assert isinstance(run(rule, without(site, *asking))[0], NotApplicable)
