"""site.toml -> Project: facts, CRS, sheet wishes, layer paths and what was declared none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import tomli
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from sitemap.config_faults import explained
from sitemap.config_words import StrictTable
from sitemap.errors import ConfigurationError
from sitemap.soil_factors import SoilFactors, parse_soil_factors, read_soil_factors
from sitemap.waived_area import area_of, is_file_name


class _Table(StrictTable):
    model_config = ConfigDict(str_strip_whitespace=True)


class Facts(_Table):
    """Who, where, what and when: § 162-11B(3)(a), (b), (d), (h)."""

    name: str | None = None
    address: str | None = None
    municipality: str | None = None
    description: str | None = None
    owner: str | None = None
    owner_address: str | None = None
    consultant: str | None = None
    consultant_address: str | None = None
    contact: str | None = None
    start: dt.date | None = None
    end: dt.date | None = None
    receiving_water: str | None = None
    site_acres: float | None = Field(default=None, gt=0)
    disturbed_acres: float | None = Field(default=None, gt=0)


class MapWishes(_Table):
    """The coordinate and height systems of the map, and the contour interval it states."""

    crs: str | None = None
    vertical_datum: str | None = None
    vertical_unit: str | None = None
    vertical_error_ft: float | None = Field(default=None, gt=0)  # standard error of a height
    contour_interval_ft: float | None = Field(default=None, gt=0)


class Revision(_Table):
    """One row of the title block's revision table."""

    mark: str
    date: dt.date
    words: str


Rotation = Literal["auto", "up", "left", "right", "down", "longest"]
PhaseForm = Literal["layers", "sheets"]
Underlay = Literal["none", "relief", "aerial", "both"]


class PlateWishes(_Table):
    """The sheet asked for. scale in feet per inch, or "auto"."""

    sheet: str = "ARCH D"
    scale: float | Literal["auto"] = "auto"
    rotation: Annotated[float, Field(ge=-180, le=180)] | Rotation = "auto"  # north to the left
    margin_ft: float | None = Field(default=None, ge=0)
    sheet_title: str = "Erosion and sediment control site map"
    sheet_number: str = "C-501"
    drawn_by: str | None = None
    checked_by: str | None = None
    date: dt.date | None = None
    half_size_submitted: bool = False
    phases: PhaseForm = "layers"  # of construction: to switch, or a sheet each
    underlay: Underlay = "none"  # shaded relief, aerial image under the map
    revisions: tuple[Revision, ...] = ()
    notes: tuple[str, ...] = ()


class LayerPath(_Table):
    """One dataset for a role: path relative to site.toml, and what the file itself does not say."""

    in_words: ClassVar[str] = "a path in quotes, or a table with path"

    path: str
    layer: str | None = None
    crs: str | None = None
    encoding: str | None = None
    unit: str | None = None  # unit of the elevation field
    fields: dict[str, str] = Field(default_factory=dict)  # canonical -> column
    source: str | None = None  # printed on the plate: "City of Muskego GIS"
    date: str | None = None  # date of the data, as words


def _said(text: str) -> str:
    if not text:
        raise ValueError("is empty; nothing is declared or let stand by nobody, for no reason")
    return text


Said = Annotated[str, AfterValidator(_said)]  # what someone answers for: never blank


class DeclaredNone(_Table):
    """A role that must be shown but does not exist here: who looked, where, when."""

    by: Said
    source: Said
    date: dt.date
    note: str | None = None


class CoverFrom(_Table):
    """A cover of the ground from a day on, until the next one begins."""

    cover: str
    start: dt.date


class SoilLossArea(_Table):
    """One area of the soil loss calculation; what it leaves out is taken from its feature."""

    id: str  # of a drainage area or a disturbed area
    slope_length_ft: float | None = Field(default=None, gt=0)
    slope_pct: float | None = Field(default=None, ge=0)
    soil: str | None = None  # map unit
    covers: tuple[CoverFrom, ...] = ()
    end: dt.date | None = None  # final stabilization
    practices: tuple[str, ...] = ()  # keys of the factors file


class SoilLoss(_Table):
    """Factors file, covers and practices of the soil loss calculation; areas may say their own."""

    factors: str | None = None  # path of a CSV, relative to site.toml
    covers: tuple[CoverFrom, ...] = ()
    end: dt.date | None = None
    practices: tuple[str, ...] = ()
    areas: tuple[SoilLossArea, ...] = ()


class CheckWishes(_Table):
    """Which rules to judge and when to fail; the command line's own options go before these."""

    select: tuple[str, ...] = ()  # codes or prefixes: CON001, CON
    ignore: tuple[str, ...] = ()
    fail_on: Literal["error", "warning", "never"] | None = None

    @field_validator("select", "ignore", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


class ReferenceEntry(_Table):
    """One [reference]: where it lies, and what the dataset itself does not say.

    path is a folder or file, seen from site.toml. The rest is found out where it is left out; role
    is one of reference.ROLES.
    """

    in_words: ClassVar[str] = LayerPath.in_words

    path: str
    layer: str | None = None
    role: str | None = None
    crs: str | None = None
    edition: str | None = None
    effective: dt.date | None = None
    fields: dict[str, str] = Field(default_factory=dict)  # canonical -> column


class WaiverEntry(_Table):
    """One [[waivers]]: what is let stand, by whom, why, and until when.

    rule (code or prefix), fingerprint and area narrow it together; at least one is given. area is
    WKT or a list of corners in the map's own CRS, or the path of a polygon file beside site.toml.
    expires is the last day on which it holds; ordinance limits it to one law's pack.
    """

    rule: str | None = None
    fingerprint: str | None = None
    area: str | tuple[tuple[float, float], ...] | None = None
    ordinance: str | None = None
    reason: Said
    authority: Said
    date: dt.date
    expires: dt.date | None = None
    condition: str | None = None

    @field_validator("area", mode="before")
    @classmethod
    def _area_is_one(cls, value: Any) -> Any:
        if value is None or is_file_name(value):
            return value
        area_of(value)  # ValueError says what is wrong with it
        return value if isinstance(value, str) else tuple(tuple(map(float, xy)) for xy in value)

    @model_validator(mode="after")
    def _says_what_it_waives(self) -> WaiverEntry:
        if not (self.rule or self.fingerprint or self.area):
            raise ValueError("must name a rule, a fingerprint or an area that it is about")
        if self.expires is not None and self.expires < self.date:
            raise ValueError(f"expires on {self.expires}, before its date {self.date}")
        return self

    @property
    def area_file(self) -> str | None:
        """The path of the file that holds the area, seen from site.toml; None without one."""
        return self.area if isinstance(self.area, str) and is_file_name(self.area) else None

    @property
    def about(self) -> str:
        """What it waives, as printed: "CON001 inside an area"."""
        parts = [self.rule or "", f"finding {self.fingerprint}" if self.fingerprint else ""]
        words = " ".join(part for part in parts if part) or "all rules"
        return f"{words} inside an area" if self.area else words


class Project(_Table):
    """Everything that site.toml says; an empty one when there is no site.toml."""

    path: Path | None = None  # the site.toml it came from
    ordinance: tuple[str, ...] = ()  # packs; several laws are judged in one run
    project: Facts = Field(default_factory=Facts)
    map: MapWishes = Field(default_factory=MapWishes)
    plate: PlateWishes = Field(default_factory=PlateWishes)
    layers: dict[str, tuple[LayerPath, ...]] = Field(default_factory=dict)
    declared_none: dict[str, DeclaredNone] = Field(default_factory=dict)
    sequence: tuple[str, ...] = ()  # B(3)(c), printed on the notes
    check: CheckWishes = Field(default_factory=CheckWishes)
    waivers: tuple[WaiverEntry, ...] = ()
    reference: tuple[ReferenceEntry, ...] = ()  # a path, a table, or several of either

    @field_validator("ordinance", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    soil_loss: SoilLoss = Field(default_factory=SoilLoss)
    soil_factors: SoilFactors | None = None  # what the file of soil_loss.factors holds


NOT_KEYS = ("path", "soil_factors")  # of a Project, but not of site.toml
ReadBeside = Callable[[str], bytes]  # a file by its path relative to site.toml


def load_project(
    path: Path, shown: str | None = None, read_beside: ReadBeside | None = None
) -> Project:
    """Read a site.toml, and the factors file that it names.

    `shown` is the name to use in messages, when it is not the path; `read_beside` reads files
    named in it where they do not lie beside it on disk.

    A role's entry may be one path, a table, or a list of either:
    `boundary = "gis/boundary.shp"`, `roads = ["a.shp", "b.shp"]`,
    `[layers.contours_existing]` with path, unit, crs, fields.
    ConfigurationError names file, key, what was found and what is accepted.
    """
    name = shown or str(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        content = tomli.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            name, "", f"is not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
    except tomli.TOMLDecodeError as error:
        raise ConfigurationError(name, "", f"is not valid TOML: {error}") from None
    except OSError as error:
        raise ConfigurationError(name, "", f"cannot be read ({error.strerror})") from None
    for key in NOT_KEYS:
        if key in content:
            raise ConfigurationError(name, key, "is no key of site.toml; layers go into [layers]")
    if "reference" in content:
        content["reference"] = _layer_paths(content["reference"])
    layers = content.get("layers", {})
    if isinstance(layers, dict):
        content["layers"] = {role: _layer_paths(entry) for role, entry in layers.items()}
    try:
        project = Project.model_validate({**content, "path": path})
    except ValidationError as error:
        raise explained(error, name, Project, content, NOT_KEYS) from None
    factors = project.soil_loss.factors
    if factors is None:
        return project
    if read_beside is not None:
        read = parse_soil_factors(read_beside(factors), factors)
    else:
        read = read_soil_factors(path.parent / factors.replace("\\", "/"), factors)
    return project.model_copy(update={"soil_factors": read})


def _layer_paths(entry: Any) -> Any:
    """One path, one table or a list of these, as the list of tables that the model takes."""
    entries = entry if isinstance(entry, list) else [entry]
    return [{"path": one} if isinstance(one, str) else one for one in entries]
