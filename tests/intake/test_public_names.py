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
        ("S_WTR_LN", "DFIRM_ID WTR_LN_ID WTR_NM", "line", "streams"),
        ("S_WTR_AR", "DFIRM_ID WTR_AR_ID WTR_NM", "polygon", "waterbodies"),
        ("S_POL_AR", "DFIRM_ID POL_AR_ID POL_NAME1", "polygon", "jurisdiction"),
        ("S_SUBBASINS", "DFIRM_ID SUBBAS_NM", "polygon", None),  # of the flood study
        ("S_HYDRO_REACH", "DFIRM_ID HYDRO_ID", "line", None),
        ("S_NODES", "DFIRM_ID NODE_ID", "point", None),
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


@pytest.mark.parametrize(
    ("file", "layer", "columns", "kind", "said"),
    [
        ("S_SUBBASINS.shp", "S_SUBBASINS", "DFIRM_ID SUBBAS_NM", "polygon", "subbasins of a flood"),
        ("S_PFD_LN.shp", "S_PFD_LN", "DFIRM_ID PFD_LN_ID", "line", "points of a flood map"),
        ("nhd.gdb", "NHDPoint", "Permanent_Identifier FType", "point", "points of the NHD"),
        ("nhd.gdb", "NHDLine", "Permanent_Identifier FType", "line", "points of the NHD"),
        ("nhd.gdb", "WBDLine", "HUMod HUDigit", "line", "Watershed Boundary Dataset"),
        ("nhd.gdb", "NHDPlusSink", "NHDPlusID PurpDesc", "point", "points of the NHD"),
    ],
)
def test_the_rest_of_a_national_data_set_is_named(
    file: str, layer: str, columns: str, kind: str, said: str
) -> None:
    """What belongs to a known data set and serves no role says so, and serves none by a word."""
    choice = choose_role(file, layer, columns.split(), [kind], CATALOGUE)
    assert choice.role is None
    assert said in choice.reason
