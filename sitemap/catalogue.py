"""layers/*.toml -> LayerSpec: the one list of layer roles, their fields and their symbols.

Reading and the schema are here; what the schema cannot see is catalogue_faults.py; matching a
user's file to a role is intake/roles.py. layers/README.md explains every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import tomli
from pydantic import Field, ValidationError

from sitemap.config_faults import explained
from sitemap.config_words import StrictTable
from sitemap.errors import ConfigurationError

GeometryKind = Literal["point", "line", "polygon", "raster", "tin"]
Presence = Literal["required", "declarable", "optional"]
FieldType = Literal["text", "number", "integer", "date", "boolean"]


class FieldSpec(StrictTable):
    """One attribute: what it means, its unit, and the names users give it."""

    title: str
    type: FieldType = "text"
    unit: str | None = None  # ft, acres, pct, deg, sq ft, in; numbers without one say "none"
    required: bool = False
    domain: tuple[str, ...] = ()  # canonical values; empty: anything
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # domain value -> aliases
    aliases: tuple[str, ...] = ()
    tells_role: bool = True  # false for what tables of many kinds have: nodes, an order


class Hatch(StrictTable):
    """An area pattern drawn as clipped lines or marks. Sizes on paper."""

    kind: Literal["lines", "cross", "dots", "tufts", "weave", "dashes", "strokes", "waves"]
    angle_deg: float = 45.0
    spacing_in: float = 0.18
    weight_pt: float = 0.25
    ink: str | None = None  # default: the symbol's ink


class Symbol(StrictTable):
    """How a role or a control type looks. Sizes on paper; inks are #rrggbb.

    text is set along a line every text_every_in inches; marker and letters are for points.
    """

    ink: str = "#000000"
    weight_pt: float = 0.7
    index_weight_pt: float | None = None  # contours: every fifth
    dash_pt: tuple[float, ...] = ()
    fill: str | None = None
    fill_alpha: float = 1.0
    hatch: Hatch | None = None
    text: str = ""
    text_every_in: float = 4.0
    ticks_every_in: float | None = None
    ticks: Literal["", "downhill", "both", "left", "right"] = ""
    arrows: bool = False
    marker: Literal[
        "", "square", "circle", "half circle", "bar", "triangle", "cross", "diamond", "letters"
    ] = ""
    marker_size_in: float = 0.18
    letters: str = ""  # inside the marker
    label: str = ""  # format string over the canonical fields: "{id}", "{elevation:g}"
    label_priority: int = 50  # smaller is placed first (plate.md section 5)
    index_label_priority: int | None = None  # contours: every fifth is labelled before others


class TypeSpec(StrictTable):
    """One entry of a vocabulary (a control type, an activity): id is its key, such as SF."""

    name: str
    standard: str = ""  # "WDNR 1056"
    structural: bool | None = None
    permanent: bool = False
    geometry: tuple[GeometryKind, ...] = ()
    aliases: tuple[str, ...] = ()
    cad_layer: str = ""  # needed where the symbol is its own
    symbol: Symbol | None = None
    legend: str = ""


class SchemaSpec(StrictTable):
    """A public schema that fills the role: recognised by its fields, mapped to canonical names."""

    name: str  # "FEMA NFHL S_FLD_HAZ_AR"
    source: str = ""
    recognise: tuple[str, ...]  # user columns that must all be present (case and cuts forgiven)
    fields: dict[str, str] = Field(default_factory=dict)  # canonical -> column of the schema
    only: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # column -> values it must hold


class StrangerSpec(StrictTable):
    """A known dataset that serves no role, so that the inventory can say what it is and why."""

    name: str
    reason: str  # reads after "serves no role, "
    recognise: tuple[str, ...] = ()  # columns that must all be present
    file_names: tuple[str, ...] = ()  # words in a file or layer name
    geometry: tuple[GeometryKind, ...] = ()  # empty: any


class _Strangers(StrictTable):
    """layers/no_role.toml."""

    strangers: tuple[StrangerSpec, ...] = ()


class LayerSpec(StrictTable):
    """One role: what it is, which clause items it serves, how it is named, kept and drawn."""

    role: str
    title: str
    description: str
    items: tuple[str, ...] = ()  # clause ids: "a" ... "j", "3f", "9c1"
    geometry: tuple[GeometryKind, ...]
    presence: Presence
    pictures: bool = False  # rasters of colours, not of numbers
    many: bool = False  # several datasets may serve the role
    id_field: str | None = None
    unique_ids: bool = True
    fields: dict[str, FieldSpec] = Field(default_factory=dict)
    file_names: tuple[str, ...] = ()  # words in a file or layer name, best first
    not_names: tuple[str, ...] = ()  # words that speak against the role
    cad_layers: tuple[str, ...] = ()  # ordered regular expressions
    cad_layer: str = ""  # its layer in a DXF of ours, as the National CAD Standard names it
    cad_index_layer: str = ""  # contours: every fifth
    schemas: tuple[SchemaSpec, ...] = ()
    type_field: str = "type"  # the field whose values are the keys of `types`
    closed_types: bool = False  # a value that is none of `types` is a fault
    types: dict[str, TypeSpec] = Field(default_factory=dict)  # its vocabulary and symbols
    draw_order: int  # plate.md section 4; smaller is drawn first
    status: Literal["existing", "proposed", ""] = ""
    symbol: Symbol
    legend: str


@dataclass(frozen=True)
class Catalogue:
    """All roles, in drawing-independent catalogue order (the order of rules.md section 1)."""

    specs: tuple[LayerSpec, ...]
    strangers: tuple[StrangerSpec, ...] = ()

    @cached_property
    def by_role(self) -> dict[str, LayerSpec]:
        """Specs by role name."""
        return {spec.role: spec for spec in self.specs}

    def __getitem__(self, role: str) -> LayerSpec:
        return self.by_role[role]

    def __contains__(self, role: str) -> bool:
        return role in self.by_role


ROLE_ORDER = (
    "boundary",
    "disturbance",
    "contours_existing",
    "contours_proposed",
    "spot_elevations",
    "vegetation",
    "roads",
    "streams",
    "waterbodies",
    "wetlands",
    "floodplain",
    "storm_sewers",
    "inlets",
    "culverts",
    "drainage_areas",
    "flow_arrows",
    "steep_slopes",
    "outfalls",
    "controls",
    "stabilization",
    "revegetation",
    "discharges",
    "infiltration",
    "grid",
    "activities",
    "finished_surfaces",
    "soils",
    "elevation",
    "aerial",
    "jurisdiction",
)  # the order of the rule book, section 1

STRANGERS_FILE = "no_role.toml"
_Table = TypeVar("_Table", bound=StrictTable)


def layers_folder() -> Path:
    """The folder of the shipped catalogue: inside the wheel, else at the top of the checkout."""
    inside = Path(__file__).parent / "layers"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "layers"


@lru_cache(maxsize=16)
def load_catalogue(folder: Path | None = None) -> Catalogue:
    """Read every layers/*.toml, once per folder, in the order of the rule book.

    Raises ConfigurationError with file, key, what was found and what is allowed. A folder of
    one's own may hold fewer roles, or roles that the rule book does not know; they come last.
    """
    place = folder if folder is not None else layers_folder()
    files = sorted(path for path in place.glob("*.toml") if path.name != STRANGERS_FILE)
    if not files:
        raise ConfigurationError(
            place, "", "no layer files here; one <role>.toml is needed per role"
        )
    specs = [_read_spec(path) for path in files]
    rank = {role: number for number, role in enumerate(ROLE_ORDER)}
    specs.sort(key=lambda spec: (rank.get(spec.role, len(rank)), spec.role))
    strangers = place / STRANGERS_FILE
    known = _parse(_Strangers, strangers, _read_toml(strangers)) if strangers.is_file() else None
    return Catalogue(specs=tuple(specs), strangers=known.strangers if known else ())


def layer_schema() -> dict[str, Any]:
    """The JSON schema of one layers/<role>.toml, for editors that complete and check TOML."""
    return LayerSpec.model_json_schema()


def _read_spec(path: Path) -> LayerSpec:
    spec = _parse(LayerSpec, path, _with_vocabulary(_read_toml(path)))
    if spec.role != path.stem:
        raise ConfigurationError(
            path, "role", f"found {spec.role!r}; it must be the name of the file, {path.stem!r}"
        )
    return spec


def _with_vocabulary(table: dict[str, Any]) -> dict[str, Any]:
    """Give the type field its aliases (and domain) from `types`, so that they are written once."""
    types, fields = table.get("types"), table.get("fields")
    field = fields.get(table.get("type_field", "type")) if isinstance(fields, dict) else None
    if isinstance(types, dict) and isinstance(field, dict):
        if table.get("closed_types") is True:
            field.setdefault("domain", list(types))
        field.setdefault("values", {key: _words_for(entry) for key, entry in types.items()})
    return table


def _words_for(entry: Any) -> list[str]:
    """The name and the aliases of one table of `types`; the schema judges it later."""
    if not isinstance(entry, dict):
        return []
    return [str(entry.get("name", "")), *map(str, entry.get("aliases", []))]


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomli.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigurationError(path, "", f"not UTF-8 text, at byte {error.start}") from None
    except tomli.TOMLDecodeError as error:
        raise ConfigurationError(path, "", f"not valid TOML: {error}") from None


def _parse(model: type[_Table], path: Path, table: dict[str, Any]) -> _Table:
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise explained(error, path, model, table) from None
