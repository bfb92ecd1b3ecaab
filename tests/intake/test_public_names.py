"""Datasets as the Census, the USGS and cities name them: by name and columns, never by one file."""

from __future__ import annotations

import pytest

from sitemap.catalogue import load_catalogue
from sitemap.intake.roles import choose_role

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(
    ("name", "columns", "kind", "role"),
    [
        (
            "tl_2023_55133_areawater",
            "HYDROID FULLNAME MTFCC AWATER",
            "polygon",
            "waterbodies",
        ),
        ("tl_2023_55133_linearwater", "LINEARID FULLNAME ARTPATH MTFCC", "line", "streams"),
        ("tl_2023_55_place", "STATEFP PLACEFP NAME NAMELSAD LSAD", "polygon", "jurisdiction"),
        ("tl_2023_55133_roads", "LINEARID FULLNAME RTTYP MTFCC", "line", "roads"),
        ("Stormwater_Gravity_Mains", "FACILITYID DIAMETER MATERIAL", "line", "storm_sewers"),
        ("swGravityMain", "FACILITYID DIAMETER", "line", "storm_sewers"),
        ("ssGravityMain", "FACILITYID DIAMETER", "line", None),  # a sanitary sewer
        ("swOpenDrain", "FACILITYID", "line", "streams"),
    ],
)
def test_roles_by_the_names_of_publishers(
    name: str, columns: str, kind: str, role: str | None
) -> None:
    choice = choose_role(f"{name}.shp", name, columns.split(), [kind], CATALOGUE)
    assert choice.role == role, choice.reason


@pytest.mark.parametrize(
    ("name", "kind"),
    [("NHDPlusBurnWaterbody", "polygon"), ("NHDPlusBurnLineEvent", "line"), ("NHDPlusWall", "line"),
     ("BurnAddLine", "line")],
)  # fmt: skip
def test_what_burns_streams_into_a_terrain_is_no_water_twice(name: str, kind: str) -> None:
    """NHDPlusBurnWaterbody holds the lakes of NHDWaterbody again."""
    choice = choose_role("x.gdb", name, ["Permanent_Identifier", "NHDPlusID"], [kind], CATALOGUE)
    assert choice.role is None
    assert "what burns streams into the terrain of NHDPlus" in choice.reason
