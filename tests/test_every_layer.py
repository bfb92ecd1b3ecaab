"""What every role of the shipped catalogue must keep: names that work, symbols that read."""

from __future__ import annotations

import pytest

from sitemap.catalogue import LayerSpec, Symbol, load_catalogue
from sitemap.column_names import cuts
from sitemap.intake.fields import canonical_value, map_fields
from sitemap.intake.role_names import _cad_hit
from sitemap.intake.roles import choose_role

SPECS = load_catalogue().specs
every_role = pytest.mark.parametrize("spec", SPECS, ids=[spec.role for spec in SPECS])

# The canonical columns that rules, plate and reports read.
CANONICAL = {
    "boundary": "name",
    "disturbance": "id phase activity acres start end slope_pct slope_length_ft",
    "contours_existing": "elevation datum kind",
    "contours_proposed": "elevation datum kind",
    "spot_elevations": "elevation datum",
    "vegetation": "cover",
    "roads": "name surface",
    "streams": "name kind flow_direction reach from_node to_node sequence next_sequence order "
    "level_high level_low",
    "waterbodies": "name kind",
    "wetlands": "id class acres delineator delineation_date source",
    "floodplain": "zone subtype bfe panel effective_date",
    "storm_sewers": "id kind size_in material invert_up_ft invert_down_ft from_node to_node "
    "condition",
    "inlets": "id kind rim_ft invert_ft condition",
    "culverts": "id kind size_in invert_up_ft invert_down_ft condition",
    "drainage_areas": "id acres slope_pct slope_length_ft outfall",
    "flow_arrows": "id slope_pct from_area to_outfall",
    "steep_slopes": "id slope_pct",
    "outfalls": "id kind drainage_area acres condition",
    "controls": "id type structural standard phase until date",
    "stabilization": "id type term phase until date",
    "revegetation": "id type date",
    "discharges": "id outfall receiving_water distance_ft",
    "infiltration": "id type",
    "grid": "label",
    "activities": "id type days",
    "finished_surfaces": "id kind",
    "soils": "map_unit name k_factor hydrologic_group",
    "elevation": "elevation",
    "aerial": "",
    "jurisdiction": "name",
}

# Line weights of the plate's table, in points.
WEIGHT_PT = {
    "boundary": 2.0, "disturbance": 1.4, "contours_existing": 0.35, "contours_proposed": 0.7,
    "streams": 1.0, "waterbodies": 0.7, "wetlands": 0.9, "floodplain": 0.9, "vegetation": 0.5,
    "roads": 0.5, "finished_surfaces": 0.5, "storm_sewers": 1.0, "inlets": 0.7,
    "drainage_areas": 1.2, "flow_arrows": 0.8, "steep_slopes": 0.25, "activities": 0.8,
    "discharges": 1.2, "grid": 0.25,
}  # fmt: skip


def symbols(spec: LayerSpec) -> list[tuple[str, Symbol]]:
    own = [(key, entry.symbol) for key, entry in spec.types.items() if entry.symbol is not None]
    return [("", spec.symbol), *own]


@every_role
def test_the_fields_are_the_canonical_ones(spec: LayerSpec) -> None:
    assert " ".join(spec.fields) == CANONICAL[spec.role]


@every_role
def test_every_alias_finds_its_field_alone_and_cut_to_ten_characters(spec: LayerSpec) -> None:
    for name, field in spec.fields.items():
        for alias in (name, *field.aliases):
            for column in (alias, alias.upper(), alias[:10].upper(), f"{alias}  "):
                assert map_fields([column], spec).field_map == {name: column}


@every_role
def test_what_is_drawn_in_cad_has_a_layer_there_by_which_it_is_known_again(spec: LayerSpec) -> None:
    own = {key: entry.cad_layer for key, entry in spec.types.items() if entry.symbol is not None}
    names = [spec.cad_layer, spec.cad_index_layer, *own.values()]
    assert bool(spec.cad_layer) is not (set(spec.geometry) <= {"raster", "tin"})
    for name in filter(None, names):
        hits = {one.role for one in SPECS if _cad_hit(one, name, "layer")}
        assert hits == {spec.role}, name
    assert all(own.values())


@every_role
def test_no_alias_is_refused_as_an_id(spec: LayerSpec) -> None:
    for name, field in spec.fields.items():
        if field.type == "number":
            for column in ("OBJECTID", "FID", "ID_1", "SHAPE_Leng", "SHAPE_AREA", f"{name}_id"):
                assert name not in map_fields([column], spec).field_map


@every_role
def test_every_file_name_finds_its_role(spec: LayerSpec) -> None:
    columns = [name for name, field in spec.fields.items() if field.required]
    for phrase in spec.file_names:
        name = phrase.replace(" ", "_")
        choice = choose_role(f"{name}.shp", name, columns, spec.geometry, load_catalogue())
        assert choice.role == spec.role, (phrase, choice.reason)
        assert choice.reason


@every_role
def test_every_public_schema_finds_its_role_by_its_columns_alone(spec: LayerSpec) -> None:
    for schema in spec.schemas:
        columns = list(dict.fromkeys([*schema.recognise, *schema.only]))
        values = {column: list(accepted) for column, accepted in schema.only.items()}
        choice = choose_role("x1.shp", "x1", columns, spec.geometry[:1], load_catalogue(), values)
        assert choice.role == spec.role, choice.reason
        assert schema.name in choice.reason or "as in" in choice.reason


@every_role
def test_every_word_of_a_vocabulary_means_one_thing(spec: LayerSpec) -> None:
    for name, field in spec.fields.items():
        for value, aliases in field.values.items():
            for word in (value, *aliases):
                assert canonical_value(spec, name, word.upper()) == value


@every_role
def test_numbers_have_units_and_names_that_say_them(spec: LayerSpec) -> None:
    suffixes = {"_ft": "ft", "_in": "in", "_pct": "pct"}
    for name, field in spec.fields.items():
        assert (field.unit is not None) == (field.type == "number")
        for suffix, unit in suffixes.items():
            if name.endswith(suffix):
                assert field.unit == unit


@every_role
def test_the_symbol_has_the_weight_of_the_plate_s_table(spec: LayerSpec) -> None:
    if spec.role in WEIGHT_PT:
        assert spec.symbol.weight_pt == WEIGHT_PT[spec.role]


@every_role
def test_every_symbol_can_be_seen_at_half_size_in_black_and_white(spec: LayerSpec) -> None:
    for key, symbol in symbols(spec):
        inks = [symbol.ink] + ([symbol.hatch.ink] if symbol.hatch and symbol.hatch.ink else [])
        for ink in inks:
            red, green, blue = (int(ink[i : i + 2], 16) for i in (1, 3, 5))
            lightness = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
            assert lightness < 0.8, (key, ink)  # or it is lost on white paper
        drawn = symbol.weight_pt, *([symbol.hatch.weight_pt] if symbol.hatch else [])
        assert min(drawn) >= 0.2, key  # 0.1 pt at half size: the thinnest line that prints
        if symbol.hatch is not None:
            assert symbol.hatch.spacing_in >= 0.07, key  # closer than this the pattern fills


def appearance(symbol: Symbol) -> tuple[object, ...]:
    """What is left of a symbol without colour."""
    hatch = symbol.hatch
    pattern = (hatch.kind, hatch.angle_deg, hatch.spacing_in) if hatch else ()
    sign = (symbol.marker, symbol.marker_size_in, symbol.letters)
    area = symbol.fill_alpha if symbol.fill else 0.0
    return (symbol.weight_pt, symbol.dash_pt, symbol.text, symbol.ticks, sign, pattern, area)


@every_role
def test_types_of_one_role_are_told_apart_without_colour(spec: LayerSpec) -> None:
    seen: dict[tuple[object, ...], str] = {}
    for key, symbol in symbols(spec):
        if key:
            other = seen.setdefault(appearance(symbol), key)
            assert other == key, f"{key} looks like {other}"


def test_roles_that_lie_over_each_other_are_told_apart_without_colour() -> None:
    seen: dict[tuple[object, ...], str] = {}
    for spec in SPECS:
        if spec.role in ("elevation", "jurisdiction"):
            continue
        other = seen.setdefault(appearance(spec.symbol), spec.role)
        assert other == spec.role, f"{spec.role} looks like {other}"


def test_the_drawing_order_is_that_of_the_plate() -> None:
    order = [spec.role for spec in sorted(SPECS, key=lambda spec: spec.draw_order)]
    expected = [
        "grid", "elevation", "vegetation", "waterbodies", "wetlands", "floodplain",
        "contours_existing", "roads", "finished_surfaces", "contours_proposed", "storm_sewers",
        "drainage_areas", "disturbance", "controls", "discharges", "boundary",
    ]  # fmt: skip
    assert [role for role in order if role in expected] == expected
    assert len({spec.draw_order for spec in SPECS}) == len(SPECS)


def test_the_priority_of_labels_is_that_of_the_plate() -> None:
    roles = {spec.role: spec.symbol for spec in SPECS}
    ranks = [
        roles["controls"].label_priority,
        roles["discharges"].label_priority,
        roles["contours_existing"].index_label_priority or 0,
        roles["wetlands"].label_priority,
        roles["flow_arrows"].label_priority,
        roles["disturbance"].label_priority,
        roles["roads"].label_priority,
        roles["contours_existing"].label_priority,
        roles["spot_elevations"].label_priority,
    ]
    assert ranks == sorted(ranks)
    assert roles["outfalls"].label_priority == roles["controls"].label_priority


def test_the_control_types_are_the_whole_vocabulary() -> None:
    types = load_catalogue()["controls"].types
    wdnr = {entry.standard.split()[-1] for entry in types.values() if "WDNR" in entry.standard}
    # 1064 and 1065 are one basin: the state's appendix misnumbers it
    assert wdnr == {str(number) for number in range(1050, 1072) if number != 1065} | {"1001"}
    codes = {"342", "350", "382", "393", "412", "468", "484", "561", "620"}
    for code in codes:
        assert canonical_value(load_catalogue()["controls"], "type", code) is not None
    ids = "SF IP TP DC ST SB DV DW EM CEM MU TS PS VB TB SC SBB MPC OP VD DU SR PA WA WD SP CW"
    assert set(ids.split()) <= set(types)
    assert {"SP", "CE", "CW", "DW", "ST", "WX"} <= set(load_catalogue()["activities"].types)


def test_silt_fence_is_drawn_as_the_plate_s_table_says() -> None:
    fence = load_catalogue()["controls"].types["SF"].symbol
    assert fence is not None
    assert (fence.weight_pt, fence.text) == (1.2, "SF")
    assert (fence.ticks, fence.ticks_every_in) == ("downhill", 0.5)


def test_floodway_and_fringe_are_told_apart() -> None:
    types = load_catalogue()["floodplain"].types
    way, fringe = types["floodway"].symbol, types["floodfringe"].symbol
    assert way is not None
    assert fringe is not None
    assert (way.text, fringe.text) == ("FW", "FP")
    assert way.hatch is not None
    assert fringe.hatch is not None
    assert (way.hatch.kind, fringe.hatch.kind) == ("cross", "lines")


def test_cuts_are_ten_characters() -> None:
    assert cuts("ground_elevation") == {"groundele", "groundelev"}
    assert cuts("elev") == frozenset()
