"""The loader, its plain words for a broken file, and the linter of the layer catalogue."""

from __future__ import annotations

import shutil
from pathlib import Path

import jsonschema
import pytest

from sitemap.catalogue import (
    ROLE_ORDER,
    Catalogue,
    layer_schema,
    layers_folder,
    load_catalogue,
)
from sitemap.catalogue_faults import lint_catalogue
from sitemap.errors import ConfigurationError

MINIMAL = """
role = "{role}"
title = "Ponds"
description = "Open water."
items = ["a"]
geometry = ["polygon"]
presence = "declarable"
file_names = ["{word}"]
draw_order = 5
legend = "Pond"
{more}
[fields.name]
title = "Name"
aliases = ["pond_name"]
{fields}
[symbol]
ink = "#1f4e9e"
{symbol}
"""


def write(folder: Path, role: str = "ponds", word: str = "pond", **parts: str) -> Path:
    text = MINIMAL.format(
        role=parts.pop("key", role),
        word=word,
        more=parts.pop("more", ""),
        fields=parts.pop("fields", ""),
        symbol=parts.pop("symbol", ""),
    )
    for old, new in parts.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{role}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def lint(folder: Path) -> list[str]:
    load_catalogue.cache_clear()
    return lint_catalogue(folder)


def error_of(folder: Path) -> ConfigurationError:
    load_catalogue.cache_clear()
    with pytest.raises(ConfigurationError) as caught:
        load_catalogue(folder)
    return caught.value


# -------------------------------------------------------------------------------- the loader


def test_the_shipped_catalogue_holds_every_role_in_the_order_of_the_rule_book() -> None:
    assert tuple(spec.role for spec in load_catalogue().specs) == ROLE_ORDER
    assert len(ROLE_ORDER) == 30


def test_the_catalogue_is_read_once() -> None:
    assert load_catalogue() is load_catalogue()


def test_must_be_drawn_are_exactly_the_roles_of_reading_1() -> None:
    required = {spec.role for spec in load_catalogue().specs if spec.presence == "required"}
    assert required == {"boundary", "disturbance", "contours_existing", "controls"}


def test_every_other_role_of_a_to_i_that_is_not_reference_can_be_declared_none() -> None:
    declarable = {spec.role for spec in load_catalogue().specs if spec.presence == "declarable"}
    assert declarable == {
        "contours_proposed", "vegetation", "roads", "streams", "waterbodies", "wetlands",
        "floodplain", "storm_sewers", "inlets", "culverts", "drainage_areas", "flow_arrows",
        "steep_slopes", "outfalls", "stabilization", "revegetation", "discharges", "infiltration",
    }  # fmt: skip


def test_every_item_a_to_j_is_served_by_a_role() -> None:
    served = {item for spec in load_catalogue().specs for item in spec.items}
    assert set("abcdefghij") <= served


def test_a_folder_of_ones_own_may_hold_fewer_roles_and_strange_ones_come_last(
    tmp_path: Path,
) -> None:
    write(tmp_path, "ponds")
    shutil.copy(layers_folder() / "grid.toml", tmp_path)
    load_catalogue.cache_clear()
    assert [spec.role for spec in load_catalogue(tmp_path).specs] == ["grid", "ponds"]


def test_an_empty_folder_says_what_is_needed(tmp_path: Path) -> None:
    assert "<role>.toml" in str(error_of(tmp_path))


@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        ({"legend =": "legnd ="}, "legnd", "did you mean legend?"),
        ({'"declarable"': '"maybe"'}, "presence", "'declarable' or 'optional'"),
        ({'geometry = ["polygon"]': 'geometry = ["area"]'}, "geometry", "'point', 'line'"),
        ({"draw_order = 5": 'draw_order = "first"'}, "draw_order", "accepted: a whole number"),
        ({'title = "Name"': 'titel = "Name"'}, "fields.name", "title"),
        ({"fields": 'type = "real"'}, "fields.name.type", "found 'real'; accepted: 'text'"),
        ({"symbol": "weight = 2"}, "symbol.weight", "did you mean weight_pt?"),
        ({'aliases = ["pond_name"]': 'aliases = "pond_name"'}, "fields.name.aliases", "list"),
        ({"key": "lakes"}, "role", "name of the file, 'ponds'"),
        ({'title = "Ponds"': "title = Ponds"}, "", "not valid TOML"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_with_key_and_what_is_allowed(
    tmp_path: Path, change: dict[str, str], key: str, words: str
) -> None:
    path = write(tmp_path, **change)
    error = error_of(tmp_path)
    assert error.path == str(path)
    assert key in error.key
    assert words in str(error)


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    write(tmp_path, **{'legend = "Pond"': ""})
    error = error_of(tmp_path)
    assert (error.key, "is missing" in str(error)) == ("legend", True)


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "ponds.toml").write_bytes(b'role = "\xe9tang"')
    assert "not UTF-8" in str(error_of(tmp_path))


def test_types_give_the_type_field_its_words(tmp_path: Path) -> None:
    controls = load_catalogue()["controls"]
    assert controls.fields["type"].domain == tuple(controls.types)
    assert "Silt fence" in controls.fields["type"].values["SF"]
    # an open vocabulary gives aliases, but any other word is allowed
    assert load_catalogue()["vegetation"].fields["cover"].domain == ()


def test_the_schema_accepts_the_shipped_files() -> None:
    import tomllib

    schema = layer_schema()
    for path in sorted(layers_folder().glob("*.toml")):
        if path.name != "no_role.toml":
            jsonschema.validate(tomllib.loads(path.read_text("utf-8")), schema)


# -------------------------------------------------------------------------------- the linter


def test_the_shipped_catalogue_has_no_faults() -> None:
    assert lint_catalogue() == []


def test_a_sound_file_has_no_faults(tmp_path: Path) -> None:
    write(tmp_path)
    assert lint(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({'items = ["a"]': 'items = ["z"]'}, "ponds.toml: items: found 'z'"),
        ({'items = ["a"]': "items = []"}, "ponds.toml: items: empty"),
        ({'legend = "Pond"': 'legend = " "'}, "ponds.toml: legend: empty"),
        ({"more": 'id_field = "id"'}, "ponds.toml: id_field: 'id' is none of the fields: name"),
        ({"more": "cad_layers = ['(']"}, "ponds.toml: cad_layers.0: '(' is not a regular"),
        ({"more": 'cad_layer = "PONDS"'}, "ponds.toml: cad_layer: found 'PONDS'; must be a layer"),
        (
            {"more": 'cad_layers = ["POND"]\ncad_layer = "C-SITE-LAKE"'},
            "cad_layer: 'C-SITE-LAKE' fits none of cad_layers",
        ),
        (
            {"more": 'cad_layers = ["POND"]\ncad_layer = "C-POND"\ncad_index_layer = "C-POND"'},
            "cad_index_layer: 'C-POND' is also cad_layer",
        ),
        ({"more": 'not_names = ["--"]'}, "ponds.toml: not_names: '--' holds no word"),
        ({"fields": 'unit = "ft"'}, "fields.name.unit: found 'ft', but a field of type text"),
        (
            {"fields": '[fields.depth]\ntitle = "Depth"\ntype = "number"'},
            "ponds.toml: fields.depth.unit: missing",
        ),
        (
            {"fields": '[fields.depth]\ntitle = "Depth"\ntype = "number"\nunit = "furlongs"'},
            "fields.depth.unit: found 'furlongs'",
        ),
        (
            {"fields": '[fields.kind]\ntitle = "Kind"\naliases = ["Pond Name"]'},
            "fields.kind.aliases: 'Pond Name' is also a name of the field 'name'",
        ),
        (
            {
                "fields": '[fields.kind]\ntitle = "Kind"\naliases = ["delineation_date"]\n'
                '[fields.who]\ntitle = "Who"\naliases = ["delineation_source"]'
            },
            "'delineation_source' is 'delineatio' when cut to ten characters",
        ),
        (
            {"fields": 'domain = ["lake"]\nvalues = { bog = ["peat"] }'},
            "fields.name.values: 'bog' is not in the domain: lake",
        ),
        (
            {"fields": 'domain = ["lake", "pond"]\nvalues = { lake = ["mere"], pond = ["Mere"] }'},
            "'Mere' stands for two values, 'lake' and 'pond'",
        ),
        ({'ink = "#1f4e9e"': 'ink = "blue"'}, "symbol.ink: found 'blue'; must be #"),
        ({'ink = "#1f4e9e"': 'ink = "#1F4E9E"'}, "symbol.ink: found '#1F4E9E'"),
        ({"symbol": 'label = "{depth}"'}, "symbol.label: {depth} is none of the fields: name"),
        ({"symbol": 'label = "{name"'}, "symbol.label: '{name' is not a template"),
        ({"symbol": "dash_pt = [3]"}, "symbol.dash_pt: found [3.0]; must be pairs"),
        ({"symbol": "weight_pt = 0.0"}, "symbol.weight_pt: found 0"),
        ({"symbol": 'marker = "letters"'}, "symbol.letters: missing"),
        (
            {"more": '[[schemas]]\nname = "X"\nrecognise = []'},
            "schemas.0.recognise: empty",
        ),
        (
            {"more": '[[schemas]]\nname = "X"\nrecognise = ["A"]\nfields = { depth = "D" }'},
            "schemas.0.fields: 'depth' is none of the fields",
        ),
        (
            {
                "more": 'type_field = "name"\n[types.A]\nname = "Farm pond"\nlegend = "A"\n'
                '[types.B]\nname = "Pond"\naliases = ["farm_pond"]\nlegend = "B"'
            },
            "types.B.aliases: 'farmpond' also means the type 'A'",
        ),
        (
            {"more": 'type_field = "name"\n[types.A]\nname = "Farm pond"'},
            "types.A.legend: empty",
        ),
        (
            {"more": '[types.A]\nname = "Farm pond"\nlegend = "A"'},
            "type_field: 'type' is none of the fields",
        ),
    ],
)
def test_the_linter_names_the_fault(tmp_path: Path, change: dict[str, str], fault: str) -> None:
    write(tmp_path, **change)
    faults = lint(tmp_path)
    assert len(faults) == 1, faults
    assert fault in faults[0]


def test_the_linter_names_a_file_name_that_two_roles_claim(tmp_path: Path) -> None:
    write(tmp_path, "ponds", "farm pond")
    write(tmp_path, "lakes", "pond farm")
    (fault,) = lint(tmp_path)
    assert "farm" in fault
    assert "lakes.toml" in fault
    assert "ponds.toml" in fault


def test_a_role_that_is_missing_from_the_shipped_catalogue_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(layers_folder(), tmp_path / "layers")
    (tmp_path / "layers" / "grid.toml").unlink()
    monkeypatch.setattr("sitemap.catalogue.layers_folder", lambda: tmp_path / "layers")
    load_catalogue.cache_clear()
    try:
        assert lint_catalogue() == ["grid.toml: missing from the catalogue"]
    finally:
        load_catalogue.cache_clear()


def test_role_by_name() -> None:
    catalogue = load_catalogue()
    assert isinstance(catalogue, Catalogue)
    assert "controls" in catalogue
    assert "castles" not in catalogue
    assert catalogue["controls"].many
