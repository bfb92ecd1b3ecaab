"""Tables of a PostGIS database as reference, by window through their own index; read-only.

Needs psycopg (the extra `postgis`). Takes a PostgreSQL address (postgresql://host/database) or
GDAL's form (PG:host=... dbname=...; tables= and schemas= narrow it). A password is best left to
PGPASSWORD or the password file; one that is given is never printed nor kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from sitemap.crs import Bounds
from sitemap.errors import DatasetError
from sitemap.intake.reference_files import NO_INDEX
from sitemap.intake.reference_postgis_tables import (
    Table,
    postgis_schema,
    quoted,
    soil_tables,
    tables_with_shapes,
)
from sitemap.intake.reference_store import Head, Identity, Rows
from sitemap.intake.role_evidence import kinds_of
from sitemap.layer import Unreadable

PREFIXES = ("PG:", "postgresql://", "postgres://", "postgis://")
SECONDS = 60
_METHODS = {"gist": "GiST", "spgist": "SP-GiST", "brin": "BRIN"}
_PAIR = re.compile(r"(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)")
SHOWN = r"\1***"
_SECRET = re.compile(r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)", re.IGNORECASE)


def is_database(path: str) -> bool:
    """Whether a reference is given as an address of PostgreSQL."""
    return path.lower().startswith(tuple(prefix.lower() for prefix in PREFIXES))


def without_password(address: str) -> str:
    """The address as it may be printed and kept."""
    if address.lower().startswith("pg:"):
        return _SECRET.sub(SHOWN, address)
    scheme, _, rest = address.partition("://")
    place, mark, query = rest.partition("?")
    login, at, host = place.rpartition("@")  # the last one: a careless password may hold more
    return f"{scheme}://{login.split(':')[0]}{at}{host}{mark}{_SECRET.sub(SHOWN, query)}"


@dataclass(frozen=True, eq=False)
class PostgisStore:
    """The spatial tables of one database."""

    address: str
    driver: str = "PostGIS"
    metadata: tuple[Path, ...] = ()
    lost: list[Unreadable] = field(default_factory=list)
    _kept: dict[str, Any] = field(default_factory=dict)

    @property
    def given(self) -> str:
        """The address without its password."""
        return without_password(self.address)

    @property
    def name(self) -> str:
        """The address without its password."""
        return self.given

    def heads(self) -> list[Head]:
        """Every table with shapes, or those that tables= and schemas= name.

        What cannot be looked at stands in `lost`, each table by itself.
        """
        postgis = postgis_schema(self._all)
        if postgis is None:
            raise DatasetError(
                self.name, "no_geometry",
                "holds no PostGIS extension, so that none of its tables has shapes",
            )  # fmt: skip
        self._all(f"SELECT set_config('search_path', '\"$user\", public, {postgis}', false)")
        every = tables_with_shapes(self._all, postgis)
        wanted = [table for table in every if self._is_wanted(table.schema, table.name)]
        self._tell_missing(every)
        heads = []
        for table in wanted:
            try:
                heads.append(self._head(table))
            except DatasetError as error:
                self.lost.append(Unreadable(self.name, error.kind, error.reason, table.layer))
        return [*heads, *self._soil_heads()] if heads else heads

    def _tell_missing(self, every: Sequence[Table]) -> None:
        """What tables= and schemas= name and the database does not hold."""
        held = {
            "tables": {name for t in every for name in (t.name, f"{t.schema}.{t.name}")},
            "schemas": {t.schema for t in every},
        }
        for key, names in held.items():
            for name in self._narrowed(key):
                if name not in names:
                    there = ", ".join(sorted({t.layer for t in every})) or "none"
                    words = f"holds no {key[:-1]} {name!r} with shapes; its tables: {there}"
                    self.lost.append(Unreadable(self.name, "layer_missing", words))

    def _is_wanted(self, schema: str, table: str) -> bool:
        tables = self._narrowed("tables")
        schemas = self._narrowed("schemas")
        return (not tables or table in tables or f"{schema}.{table}" in tables) and (
            not schemas or schema in schemas
        )

    def _narrowed(self, key: str) -> list[str]:
        pairs = dict(_PAIR.findall(self.address)) if self.address.lower().startswith("pg:") else {}
        return [one.strip() for one in pairs.get(key, "").strip("'").split(",") if one.strip()]

    def _head(self, table: Table) -> Head:
        if not table.may_be_read:
            words = "the user of this connection may not read it: GRANT SELECT"
            raise DatasetError(self.name, "not_allowed", words)
        table = self._with_srid(table)
        self._kept[table.layer] = table
        ((rows,),) = self._all(f"SELECT count(*) FROM {table.quoted}")
        shape = table.shape.upper()
        index = _METHODS.get(table.index, "")
        return Head(
            layer=table.layer,
            columns=table.columns,
            kinds=kinds_of([shape]) if shape not in ("GEOMETRY", "GEOMETRYCOLLECTION") else (),
            crs=self._crs(table.srid),
            extent=self._extent(table),
            rows=int(rows),
            index=f"spatial index ({index})" if index else NO_INDEX,
        )

    def _with_srid(self, table: Table) -> Table:
        """Where a column takes shapes of any SRID, the one that its rows have."""
        if table.srid:
            return table
        found = self._all(
            f"SELECT ST_SRID({table.geometry}) FROM {table.quoted} "
            f"WHERE {quoted(table.column)} IS NOT NULL LIMIT 1"
        )
        return replace(table, srid=int(found[0][0])) if found else table

    def _crs(self, srid: int) -> str | None:
        said = self._all(
            "SELECT auth_name, auth_srid, srtext FROM spatial_ref_sys WHERE srid = %s", (srid,)
        )
        if not said:
            return None
        authority, code, wkt = said[0]
        return f"{authority}:{code}" if authority in ("EPSG", "ESRI") else wkt

    def _extent(self, table: Table) -> Bounds | None:
        """As the database's own statistics state it; None before the table was analysed."""
        if table.kind == "geography":  # whose statistics are of places on a globe
            return None
        box = "ST_EstimatedExtent(%s, %s, %s)"
        sides = ", ".join(f"ST_{side}({box})" for side in ("XMin", "YMin", "XMax", "YMax"))
        names = (table.schema, table.name, table.column)
        try:
            ((*found,),) = self._all(f"SELECT {sides}", names * 4)
        except DatasetError:
            return None
        return None if None in found else tuple(float(v) for v in found)  # type: ignore[return-value]

    def _soil_heads(self) -> list[Head]:
        """Tables of the soil survey without shapes of their own."""
        heads = []
        for schema, name, columns in soil_tables(self._all):
            self._kept[name] = f"{quoted(schema)}.{quoted(name)}"
            heads.append(Head(name, tuple(columns), (), None, None, None, "", is_table=True))
        return heads

    def window(self, head: Head, columns: Sequence[str], bounds: Bounds) -> Rows:
        """The rows whose box meets the bounds; curves as the lines that stand for them."""
        table: Table = self._kept[head.layer]
        shape = f"ST_Force2D({table.geometry})"
        flat = f"CASE WHEN ST_HasArc({shape}) THEN ST_CurveToLine({shape}) ELSE {shape} END"
        names = ", ".join([*map(quoted, columns), f"ST_AsBinary({flat})"])
        cast = "::geography" if table.kind == "geography" else ""
        found = self._all(
            f"SELECT {names} FROM {table.quoted} "
            f"WHERE {quoted(table.column)} && ST_MakeEnvelope(%s, %s, %s, %s, %s){cast}",
            (*bounds, table.srid),
        )
        held = list(zip(*found, strict=True)) if found else [()] * (len(columns) + 1)
        wkb = np.empty(len(found), dtype=object)
        wkb[:] = [bytes(one) if one is not None else None for one in held[-1]]
        named = {name: _column(held[i]) for i, name in enumerate(columns)}
        return Rows(named, wkb, np.arange(len(found)))

    def matching(self, head: Head, column: str, values: Sequence[str]) -> Mapping[str, Any]:
        """The rows of a table of the soil survey whose column holds one of the values."""
        names = ", ".join(map(quoted, head.columns))
        found = self._all(
            f"SELECT {names} FROM {self._kept[head.layer]} WHERE {quoted(column)}::text = ANY (%s)",
            (list(values),),
        )
        held = list(zip(*found, strict=True)) if found else [()] * len(head.columns)
        return {name: _column(held[i]) for i, name in enumerate(head.columns)}

    def identity(self) -> Identity:
        """A database has no hash and no date of change; its rows are counted per table."""
        return Identity()

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        driver, connection = self._connection
        try:
            return list(connection.execute(sql, tuple(values)).fetchall())
        except driver.Error as error:
            connection.rollback()
            words = str(error).splitlines()[0]
            raise DatasetError(self.name, "damaged", f"cannot be read ({words})") from None

    @property
    def _connection(self) -> tuple[Any, Any]:
        if "connection" not in self._kept:
            try:
                import psycopg
            except ImportError:
                raise DatasetError(
                    self.name, "library_missing",
                    "a PostGIS database needs psycopg: pip install 'sitemap[postgis]'",
                ) from None  # fmt: skip
            if "/" in self.address.partition("://")[2].partition("?")[0].rpartition("@")[0]:
                words = (
                    "holds a / before its @: write it as %2F, else part of it is taken for a host"
                )
                raise DatasetError(self.name, "no_connection", words)
            try:
                connection = psycopg.connect(
                    _dsn(self.address), connect_timeout=10,
                    options=f"-c statement_timeout={SECONDS * 1000}",
                )  # fmt: skip
            except psycopg.Error as error:
                words = " ".join(str(error).split())
                raise DatasetError(
                    self.name, "no_connection", f"cannot be opened ({words})"
                ) from None
            connection.read_only = True
            self._kept["connection"] = psycopg, connection
        driver, connection = self._kept["connection"]
        return driver, connection

    def close(self) -> None:
        """End the connection."""
        if "connection" in self._kept:
            self._kept.pop("connection")[1].close()


def _dsn(address: str) -> str:
    """What libpq understands: GDAL's prefix and its own keys taken off."""
    if address.lower().startswith("pg:"):
        pairs = _PAIR.findall(address[3:])
        own = ("tables", "schemas", "active_schema")
        return " ".join(f"{key}={value}" for key, value in pairs if key.lower() not in own)
    return re.sub(r"^(postgis|postgres)://", "postgresql://", address, flags=re.IGNORECASE)


def _column(values: Sequence[Any]) -> np.ndarray:
    """A column as numbers where all of it is, else as it came; dates as text."""
    values = [float(v) if isinstance(v, Decimal) else v for v in values]
    held = [value for value in values if value is not None]
    if held and all(isinstance(v, int | float) and not isinstance(v, bool) for v in held):
        return np.array([np.nan if v is None else float(v) for v in values])
    made = np.empty(len(values), dtype=object)
    made[:] = [v.isoformat() if hasattr(v, "isoformat") else v for v in values]
    return made
