"""What is known of a dataset while its role is sought: kinds, public schemas, steps of levels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sitemap.catalogue import Catalogue, LayerSpec, SchemaSpec, StrangerSpec
from sitemap.column_names import plain_name
from sitemap.intake.fields import find_column

Values = Mapping[str, Iterable[Any]]  # column -> its values; a data frame serves
KIND_PLURALS = {"point": "points", "line": "lines", "polygon": "polygons", "tin": "triangles"}
_GDAL_KINDS = (
    ("collection", "collection"),
    ("point", "point"),
    ("line", "line"),
    ("polygon", "polygon"),
    ("curve", "line"),
    ("surface", "polygon"),
    ("raster", "raster"),
    ("tin", "tin"),
    ("triangle", "tin"),
)
_STEPS = (100.0, 50.0, 40.0, 25.0, 20.0, 15.0, 10.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.5, 0.25, 0.1)
_ENOUGH_LEVELS = 3  # fewer elevations are no steps
_LEVEL_SHARE = 0.95  # of the levels must be multiples of the step


@dataclass(frozen=True)
class Dataset:
    """What is known of one dataset while its role is sought."""

    file: str
    layer: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    catalogue: Catalogue
    values: Values | None

    def fits(self, spec: LayerSpec | StrangerSpec) -> bool:
        """True when the geometry is of a kind that the role takes, or is not known."""
        accepted: tuple[str, ...] = spec.geometry
        return not self.kinds or not accepted or any(kind in accepted for kind in self.kinds)

    def possible(self, spec: LayerSpec) -> bool:
        """False for a raster where lines are drawn, and for lines where a raster is meant."""
        if not self.kinds or self.fits(spec):
            return True
        return "raster" not in self.kinds and bool(
            {"point", "line", "polygon"} & set(spec.geometry)
        )

    @property
    def shape_words(self) -> str:
        """'lines', 'points and polygons', 'a raster'; empty when not known."""
        if self.kinds == ("raster",):
            return "a raster"
        return " and ".join(KIND_PLURALS.get(kind, kind) for kind in self.kinds)


@dataclass(frozen=True)
class SchemaHit:
    """A public schema that the columns are; spec is None where it serves no role."""

    spec: LayerSpec | None
    schema: SchemaSpec | StrangerSpec
    columns: tuple[str, ...]
    share: float  # of the values that the schema is about

    @property
    def words(self) -> str:
        """'columns FLD_ZONE, SFHA_TF as in FEMA NFHL S_FLD_HAZ_AR'."""
        several = "columns" if len(self.columns) > 1 else "column"
        return f"{several} {', '.join(self.columns)} as in {self.schema.name}"


def kinds_of(names: Iterable[str]) -> tuple[str, ...]:
    """GDAL's or our names of geometry as our kinds; 'Unknown' is left out."""
    kinds = (
        next((kind for word, kind in _GDAL_KINDS if word in name.lower()), None) for name in names
    )
    return tuple(dict.fromkeys(kind for kind in kinds if kind is not None))


def schema_hits(data: Dataset) -> list[SchemaHit]:
    """Public schemas that the columns are, from the most telling: most columns, most values."""
    known: list[tuple[LayerSpec | None, SchemaSpec | StrangerSpec]] = [
        (spec, schema) for spec in data.catalogue.specs for schema in spec.schemas
    ]
    known += [(None, stranger) for stranger in data.catalogue.strangers]
    hits = []
    for spec, schema in known:
        place = spec if spec is not None else schema
        if not schema.recognise or isinstance(place, SchemaSpec) or not data.fits(place):
            continue
        columns = [find_column(data.columns, wanted) for wanted in schema.recognise]
        share = _share(schema, data)
        if all(columns) and share > 0:
            hits.append(SchemaHit(spec, schema, tuple(c for c in columns if c), share))
    return sorted(
        hits, key=lambda hit: (hit.share, _is_narrow(hit), len(hit.columns)), reverse=True
    )


def _is_narrow(hit: SchemaHit) -> bool:
    return isinstance(hit.schema, SchemaSpec) and bool(hit.schema.only)


def _share(schema: SchemaSpec | StrangerSpec, data: Dataset) -> float:
    """The least share of values that a schema's `only` accepts; 0 where they are not known."""
    shares = [1.0]
    for wanted, accepted in schema.only.items() if isinstance(schema, SchemaSpec) else ():
        column = find_column(data.columns, wanted)
        held = column_values(data, column)
        plain = {plain_name(word) for word in accepted}
        good = [plain_name(_as_text(value)) in plain for value in held]
        shares.append(sum(good) / len(good) if good else 0.0)
    return min(shares)


def column_values(data: Dataset, column: str | None) -> list[Any]:
    """The known values of a column; empty where none were read."""
    if data.values is None or column is None:
        return []
    held = data.values.get(column)
    return [] if held is None else [v for v in held if v is not None and not _is_nan(v)]


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _as_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def level_step(values: Iterable[Any]) -> float | None:
    """The step of which nearly all values are multiples, as contours are; None for other numbers.

    Values and step are in the column's own unit.
    """
    try:
        numbers = np.asarray([float(value) for value in values])
    except (TypeError, ValueError):
        return None
    levels = np.unique(np.round(numbers[np.isfinite(numbers)], 3))
    if len(levels) < _ENOUGH_LEVELS:
        return None
    for step in (
        100.0,
        50.0,
        40.0,
        25.0,
        20.0,
        15.0,
        10.0,
        5.0,
        4.0,
        3.0,
        2.0,
        1.0,
        0.5,
        0.25,
        0.1,
    ):
        off = np.abs(levels / step - np.round(levels / step)) * step
        if np.mean(off < 0.01) >= _LEVEL_SHARE:
            return step
    return None
