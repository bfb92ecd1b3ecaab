"""Layers whose own name says that what they show is gone: historic wetlands, abandoned sewers."""

from __future__ import annotations

import pytest

from tests.intake.test_roles import role_of


@pytest.mark.parametrize(
    ("file", "kind", "role", "past"),
    [
        ("WI_Historic_Wetlands.shp", "polygon", "wetlands", "historic"),
        ("wetlands_historical.shp", "polygon", "wetlands", "historical"),
        ("FormerStreams.shp", "line", "streams", "former"),
        ("abandoned_storm_sewer.shp", "line", "storm_sewers", "abandoned"),
        ("floodplain_superseded_1986.shp", "polygon", "floodplain", "superseded"),
    ],
)
def test_what_its_name_says_is_gone_serves_no_role(
    file: str, kind: str, role: str, past: str
) -> None:
    told = role_of(file, kind)
    assert told.role is None
    assert f"{past!r} beside" in told.reason
    assert f"name the role {role} in site.toml" in told.reason


def test_a_schema_does_not_bring_back_what_is_gone() -> None:
    columns = ("ATTRIBUTE", "WETLAND_TYPE", "ACRES")
    assert role_of("CONUS_wetlands.shp", "polygon", *columns).role == "wetlands"
    assert role_of("Historic_Wetlands.shp", "polygon", *columns).role is None


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("historic_mill_wetlands.shp", "wetlands"),  # at a place that is historic
        ("HistoricMillSite_boundary.shp", "boundary"),
        ("wetlands.shp", "wetlands"),
    ],
)
def test_a_historic_place_has_a_map_of_today(file: str, role: str) -> None:
    assert role_of(file, "polygon").role == role
