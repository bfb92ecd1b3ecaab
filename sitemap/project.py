"""site.toml -> Project: facts, CRS, sheet wishes, layer paths and what was declared none."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Facts(_Strict):
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


class MapWishes(_Strict):
    """The coordinate and height systems of the map, and the contour interval it states."""

    crs: str | None = None
    vertical_datum: str | None = None
    vertical_unit: str | None = None
    contour_interval_ft: float | None = Field(default=None, gt=0)


class Revision(_Strict):
    """One row of the title block's revision table."""

    mark: str
    date: dt.date
    words: str


class PlateWishes(_Strict):
    """The sheet asked for. scale in feet per inch, or "auto"."""

    sheet: str = "ARCH D"
    scale: float | Literal["auto"] = "auto"
    margin_ft: float | None = Field(default=None, ge=0)
    sheet_title: str = "Erosion and sediment control site map"
    sheet_number: str = "C-501"
    drawn_by: str | None = None
    checked_by: str | None = None
    date: dt.date | None = None
    half_size_submitted: bool = False
    revisions: tuple[Revision, ...] = ()
    notes: tuple[str, ...] = ()


class LayerPath(_Strict):
    """One dataset for a role: path relative to site.toml, and what the file itself does not say."""

    path: str
    layer: str | None = None
    crs: str | None = None
    encoding: str | None = None
    unit: str | None = None  # unit of the elevation field
    fields: dict[str, str] = Field(default_factory=dict)  # canonical -> column
    source: str | None = None  # printed on the plate: "City of Muskego GIS"
    date: str | None = None  # date of the data, as words


class DeclaredNone(_Strict):
    """A role that must be shown but does not exist here: who looked, where, when."""

    by: str
    source: str
    date: dt.date
    note: str | None = None


class Project(_Strict):
    """Everything that site.toml says; an empty one when there is no site.toml."""

    path: Path | None = None  # the site.toml it came from
    ordinance: str | None = None
    project: Facts = Facts()
    map: MapWishes = MapWishes()
    plate: PlateWishes = PlateWishes()
    layers: dict[str, tuple[LayerPath, ...]] = Field(default_factory=dict)
    declared_none: dict[str, DeclaredNone] = Field(default_factory=dict)
    sequence: tuple[str, ...] = ()  # B(3)(c), printed on the notes
