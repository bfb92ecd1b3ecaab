"""A dataset that bulk reading refuses, read record by record; what is lost is named.

Slow by nature, so it is used only where `vector.py` has failed.
"""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import fiona
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.errors import DatasetError


@dataclass(frozen=True, eq=False)
class Salvaged:
    """What could be read. records are 0-based numbers in the file.

    lost: records that no reader could give, with the reader's reason; bare: records whose
    geometry could be read but whose attributes could not.
    """

    columns: dict[str, list[Any]]
    geometries: list[BaseGeometry | None]
    records: np.ndarray
    crs: str | None
    lost: tuple[tuple[int, str], ...]
    bare: tuple[tuple[int, str], ...]


def read_record_by_record(
    path: str, layer: str | None, driver: str, encoding: str | None, name: str
) -> Salvaged:
    """Read every record that can be read; DatasetError when not even the layer opens."""
    plain = path.split(":", 1)[1] if path.startswith(("GeoJSON:", "ESRIJSON:")) else path
    options: dict[str, Any] = {"layer": layer, "enabled_drivers": [driver]}
    if encoding:
        options["encoding"] = encoding
    try:
        with ExitStack() as stack:
            source = stack.enter_context(fiona.open(plain, **options))
            shapes = None
            with suppress(fiona.errors.FionaError, RuntimeError):  # not every driver can
                shapes = stack.enter_context(fiona.open(plain, include_fields=[], **options))
            return _walk(source, shapes)
    except Exception as error:  # drivers raise private types of many families
        raise DatasetError(name, "damaged", f"no reader could open it ({_first(error)})") from None


def _walk(source: Any, shapes: Any) -> Salvaged:
    """Go through the records; begin anew behind each one that fails."""
    columns: dict[str, list[Any]] = {field: [] for field in source.schema["properties"]}
    geometries: list[BaseGeometry | None] = []
    records: list[int] = []
    lost: list[tuple[int, str]] = []
    bare: list[tuple[int, str]] = []

    def keep(feature: Any, number: int) -> None:
        geometry = _geometry(feature)
        for field, values in columns.items():
            values.append(_plain(feature.properties.get(field)))
        geometries.append(geometry)
        records.append(number)

    total, number, last_id = len(source), 0, -1
    while number < total:
        try:
            for feature in source.filter(number, total):
                keep(feature, number)
                number, last_id = number + 1, int(feature.id)
            break
        except Exception as error:  # whatever a driver raises on one record costs that record
            try:
                if shapes is None:
                    raise error
                keep(next(shapes.filter(number, number + 1)), number)
                bare.append((number, _first(error)))
            except Exception as worse:
                lost.append((number, _first(worse)))
            number += 1
    for place in range(number, total):  # a driver that stops early says nothing: ask by id
        feature = _by_id(source, last_id + 1 + place - number)
        if feature is None:
            lost.append((place, "the file is damaged there"))
        else:
            keep(feature, place)
    return Salvaged(
        columns,
        geometries,
        np.asarray(records, np.int64),
        _crs_of(source),
        tuple(lost),
        tuple(bare),
    )


def _crs_of(source: Any) -> str | None:
    try:
        return str(source.crs.to_wkt()) if source.crs else None
    except Exception:  # a definition that PROJ cannot read is none
        return None


def _by_id(source: Any, number: int) -> Any:
    try:
        return source.get(number)
    except Exception:  # as above: one record
        return None


def _geometry(feature: Any) -> BaseGeometry | None:
    if feature.geometry is None:
        return None
    shape: BaseGeometry = shapely.geometry.shape(feature.geometry.__geo_interface__)
    return shape


def _plain(value: Any) -> Any:
    """A cell that a table can hold: lists and objects become their JSON text."""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, bytes):
        return value.hex()
    return value


def _first(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0][:160] if lines else type(error).__name__
