"""What the codes of public datasets mean, and that unknown is never none."""

from __future__ import annotations

import numpy as np
import pytest

from sitemap.intake.fields import canonical_value
from sitemap.intake.reference_kinds import Kinds, kinds_of_rows
from sitemap.intake.reference_roles import reference_catalogue


def sorted_rows(role: str, raw: dict[str, list[object]], **canonical: list[object]) -> Kinds:
    spec = reference_catalogue()[role]
    count = len(next(iter(raw.values())))
    columns = {}
    for name, field in spec.fields.items():
        numeric = field.type in ("number", "integer")
        values = canonical.get(name, [np.nan if numeric else None] * count)
        columns[name] = np.array(values, dtype=float if numeric else object)
    return kinds_of_rows(
        role, {k: np.array(v, object) for k, v in raw.items()}, columns, reference_catalogue()
    )


@pytest.mark.parametrize(
    ("code", "role"),
    [
        ("E2Kg", "wetlands"), ("T3/E1K", "wetlands"), ("S3K", "wetlands"), ("A1H", "wetlands"),
        ("F0K", "wetlands"), ("M4K", "wetlands"), ("W0Hx", "waterbodies"),
        ("W0H/W0Hx", "waterbodies"),
        ("E2H/W0H", "wetlands"),
    ],
)  # fmt: skip
def test_old_classes_of_the_wisconsin_inventory(code: str, role: str) -> None:
    assert sorted_rows("wetlands", {"WETCODE": [code]}).role.tolist() == [role]


@pytest.mark.parametrize(
    ("code", "words", "role", "kind"),
    [
        ("PEM1C", "Freshwater Emergent Wetland", "wetlands", None),
        ("PFO1/SS1C", "Freshwater Forested/Shrub Wetland", "wetlands", None),
        ("PUBHx", "Freshwater Pond", "waterbodies", "pond"),
        ("L1UBH", "Lake", "waterbodies", "lake"),
        ("R2UBH", "Riverine", "waterbodies", "river"),
        ("E2EM1P", "Estuarine and Marine Wetland", "wetlands", None),
        ("E1UBL", "Estuarine and Marine Deepwater", "waterbodies", "pond"),
    ],
)
def test_classes_of_the_national_inventory(
    code: str, words: str, role: str, kind: str | None
) -> None:
    found = sorted_rows("wetlands", {"ATTRIBUTE": [code], "WETLAND_TYPE": [words]})
    assert found.role.tolist() == [role]
    assert found.columns.get("kind", np.array([None])).tolist() == [kind]


def test_upland_is_left_to_a_person() -> None:
    found = sorted_rows("wetlands", {"ATTRIBUTE": ["U", "PEM1C"]})
    assert found.doubt.tolist() == ["its class is U, which is upland", None]


def test_flood_zones_that_say_nothing_are_open() -> None:
    zones = ["AE", "X", "D", "AE", "X", "AREA NOT INCLUDED", None, "X", "VE"]
    flags = ["T", "F", "U", "F", "T", "F", None, "U", "T"]
    found = sorted_rows("floodplain", {"FLD_ZONE": zones, "SFHA_TF": flags}, zone=zones)
    said = [doubt is not None for doubt in found.doubt]
    assert said == [False, False, True, True, True, True, True, True, False]
    assert found.doubt[3] == "zone AE, but SFHA_TF is F"
    assert "SFHA_TF U" in found.doubt[7]


@pytest.mark.parametrize(
    ("column", "flags"),
    [
        ("SFHA_TF", "TFUTF"), ("sfha", ["IN", "OUT", "Unknown", "IN", "OUT"]),
        ("In_SFHA", ["yes", "no", "U", "Y", "N"]), ("SpecialFloodHazard", "10u10"),
        ("FLD_AR_SFHA", ["True", "False", "undetermined", "t", "f"]),
    ],
)  # fmt: skip
def test_the_flag_of_the_hazard_area_is_found_under_other_names(column: str, flags: object) -> None:
    zones: list[object] = ["AE", "X", "X", "X", "A"]
    raw = {"FLD_ZONE": zones, column: list(flags)}  # type: ignore[call-overload]
    said = sorted_rows("floodplain", raw, zone=zones).doubt.tolist()
    assert said[:2] == [None, None]
    unknown = "whether it is a special flood hazard area is unknown"
    assert said[2] == f"zone X, {column} U: {unknown}"
    assert said[3:] == [f"zone X, but {column} is T", f"zone A, but {column} is F"]


def test_a_flag_that_says_nothing_casts_no_doubt() -> None:
    zones: list[object] = ["AE", "AE", "X"]
    found = sorted_rows("floodplain", {"FLD_ZONE": zones, "sfha": [None, "NA", ""]}, zone=zones)
    assert found.doubt.tolist() == [None, None, None]


def flood(zone: object, subtype: object = None, column: str = "FLD_ZONE") -> Kinds:
    """One record of a flood map, read through the words of the catalogue."""
    spec = reference_catalogue()["floodplain"]
    raw = {column: np.array([zone], object), "ZONE_SUBTY": np.array([subtype], object)}
    columns = {
        "zone": np.array([canonical_value(spec, "zone", zone)], object),
        "subtype": np.array([canonical_value(spec, "subtype", subtype)], object),
    }
    return kinds_of_rows("floodplain", raw, columns, reference_catalogue(), {"zone": column})


@pytest.mark.parametrize(
    ("zone", "known"),
    [
        ("A1", "AE"), ("A30", "AE"), ("V12", "VE"), ("AR/AE", "AR"), ("X500", "X"), ("B", "X"),
        ("AE", "AE"), ("OPEN WATER", "OPEN WATER"),
    ],
)  # fmt: skip
def test_zones_of_older_flood_maps_are_known(zone: str, known: str) -> None:
    """Numbered zones are those with base flood elevations: 44 CFR 64.3."""
    found = flood(zone)
    assert (found.columns["zone"][0], found.doubt[0]) == (known, None)


@pytest.mark.parametrize(
    "subtype",
    [
        "FLOODWAY", "FLOODWAY CONTAINED IN CHANNEL", "ADMINISTRATIVE FLOODWAY",
        "STATE ENCROACHMENT AREA", "1 PCT CONTAINED IN STRUCTURE, FLOODWAY",
        "COLORADO RIVER FLOODWAY", "FLOWAGE EASEMENT AREA",
        "1 PCT CONTAINED IN STRUCTURE, COMMUNITY ENCROACHMENT",
    ],
)  # fmt: skip
def test_all_subtypes_of_floodway_are_floodway(subtype: str) -> None:
    found = flood("AE", subtype)
    assert (found.columns["subtype"][0], found.doubt[0]) == ("floodway", None)


def test_a_floodway_of_the_future_is_asked_about() -> None:
    found = flood("X", "1 PCT FUTURE CONDITIONS, FLOODWAY")
    assert found.columns["subtype"][0] == "floodway"
    assert found.doubt[0].endswith("whether it is floodway is not known")


@pytest.mark.parametrize("column", ["FLD_ZONE", "category"])
def test_a_zone_that_no_flood_map_has_is_open_and_not_dry(column: str) -> None:
    assert flood("Q7", column=column).doubt[0] == "zone Q7: none of the flood map's zones"
    assert flood("FW", column=column).columns["subtype"][0] == "floodway"
    assert flood("FW", column=column).doubt[0] is None


def test_sentinels_are_no_heights() -> None:
    zones = ["AE", "AE"]
    found = sorted_rows("floodplain", {"FLD_ZONE": zones}, zone=zones, bfe=[-9999.0, 812.0])
    assert np.isnan(found.columns["bfe"][0])
    assert found.columns["bfe"][1] == 812.0


def test_finer_codes_tell_intermittent_streams() -> None:
    nhd = sorted_rows("streams", {"FCODE": [46006, 46003, 46007, 55800]},
                      kind=["stream", "stream", "stream", "path through water"])  # fmt: skip
    assert nhd.columns["kind"].tolist() == [
        "stream", "intermittent stream", "intermittent stream", "path through water",
    ]  # fmt: skip
    wdnr = sorted_rows("streams", {"HYDROCODE": ["100", "110", "210"]}, kind=["stream"] * 3)
    assert wdnr.columns["kind"].tolist() == ["stream", "intermittent stream", "intermittent stream"]


def test_dams_and_bridges_among_areas_are_no_water() -> None:
    raw: dict[str, list[object]] = {"FTYPE": [460, 318, 343, 403, 466]}
    found = sorted_rows("waterbodies", raw, kind=["river", None, None, None, "marsh"])
    assert found.role.tolist() == ["waterbodies", "", "", "", "wetlands"]
