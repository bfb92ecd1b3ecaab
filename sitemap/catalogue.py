"""layers/*.toml -> LayerSpec: the one list of layer roles, their fields and their symbols.

Reading and the schema are here; matching a user's file to a role is intake/roles.py.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

GeometryKind = Literal["point", "line", "polygon", "raster", "tin"]
Presence = Literal["required", "declarable", "optional"]
FieldType = Literal["text", "number", "integer", "date", "boolean"]


class _Strict(BaseModel):
    """A frozen table in which an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldSpec(_Strict):
    """One attribute: what it means, its unit, and the names users give it."""

    title: str
    type: FieldType = "text"
    unit: str | None = None  # ft, acres, pct, deg, sq ft, in; numbers without one say "none"
    required: bool = False
    domain: tuple[str, ...] = ()  # canonical values; empty: anything
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # domain value -> aliases
    aliases: tuple[str, ...] = ()


class Hatch(_Strict):
    """An area pattern drawn as clipped lines or marks. Sizes on paper."""

    kind: Literal["lines", "cross", "dots", "tufts", "weave", "dashes", "strokes", "waves"]
    angle_deg: float = 45.0
    spacing_in: float = 0.18
    weight_pt: float = 0.25
    ink: str | None = None  # default: the symbol's ink


class Symbol(_Strict):
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


class TypeSpec(_Strict):
    """One entry of a vocabulary (a control type, an activity): id is its key, such as SF."""

    name: str
    standard: str = ""  # "WDNR 1056"
    structural: bool | None = None
    permanent: bool = False
    geometry: tuple[GeometryKind, ...] = ()
    aliases: tuple[str, ...] = ()
    symbol: Symbol | None = None
    legend: str = ""


class SchemaSpec(_Strict):
    """A public schema that fills the role: recognised by its fields, mapped to canonical names."""

    name: str  # "FEMA NFHL S_FLD_HAZ_AR"
    source: str = ""
    recognise: tuple[str, ...]  # user columns that must all be present (case and cuts forgiven)
    fields: dict[str, str] = Field(default_factory=dict)  # canonical -> column of the schema
    only: dict[str, tuple[str, ...]] = Field(default_factory=dict)  # column -> values it must hold


class LayerSpec(_Strict):
    """One role: what it is, which clause items it serves, how it is named, kept and drawn."""

    role: str
    title: str
    description: str
    items: tuple[str, ...] = ()  # clause ids: "a" ... "j", "3f", "9c1"
    geometry: tuple[GeometryKind, ...]
    presence: Presence
    many: bool = False  # several datasets may serve the role
    id_field: str | None = None
    unique_ids: bool = True
    fields: dict[str, FieldSpec] = Field(default_factory=dict)
    file_names: tuple[str, ...] = ()  # words in a file or layer name, best first
    not_names: tuple[str, ...] = ()  # words that speak against the role
    cad_layers: tuple[str, ...] = ()  # ordered regular expressions
    schemas: tuple[SchemaSpec, ...] = ()
    types: dict[str, TypeSpec] = Field(default_factory=dict)  # vocabulary of the `type` field
    draw_order: int  # plate.md section 4; smaller is drawn first
    status: Literal["existing", "proposed", ""] = ""
    symbol: Symbol
    legend: str


class Catalogue(BaseModel):
    """All roles, in drawing-independent catalogue order (the order of rules.md section 1)."""

    model_config = ConfigDict(frozen=True)

    specs: tuple[LayerSpec, ...]

    @cached_property
    def by_role(self) -> dict[str, LayerSpec]:
        """Specs by role name."""
        return {spec.role: spec for spec in self.specs}

    def __getitem__(self, role: str) -> LayerSpec:
        return self.by_role[role]

    def __contains__(self, role: str) -> bool:
        return role in self.by_role
