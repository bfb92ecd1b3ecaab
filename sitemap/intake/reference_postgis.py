"""Tables of a PostGIS database as reference, by window through their own index; read-only.

Needs psycopg (the extra `postgis`). Takes a PostgreSQL address (postgresql://host/database) or
GDAL's form (PG:host=... dbname=...; tables= and schemas= narrow it). A password is best left to
PGPASSWORD or the password file; one that is given is never printed nor kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from sitemap.crs import Bounds
from sitemap.errors import DatasetError
from sitemap.intake.reference_files import NO_INDEX
from sitemap.intake.reference_store import Head, Identity, Rows
from sitemap.intake.role_evidence import kinds_of

PREFIXES = ("PG:", "postgresql://", "postgres://", "postgis://")
SECONDS = 60
_PAIR = re.compile(r"(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)")
_SECRET = re.compile(r"(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)", re.IGNORECASE)
_LISTED = """
    SELECT g.f_table_schema, g.f_table_name, g.f_geometry_column, g.srid, g.type,
           s.auth_name, s.auth_srid, s.srtext,
           EXISTS (SELECT 1 FROM pg_index i
                   JOIN pg_class k ON k.oid = i.indexrelid JOIN pg_am m ON m.oid = k.relam
                   JOIN pg_attribute a ON a.attrelid = k.oid
                   WHERE i.indrelid = format('%I.%I', g.f_table_schema, g.f_table_name)::regclass
                   AND m.amname IN ('gist', 'spgist', 'brin') AND a.attname = g.f_geometry_column)
    FROM geometry_columns g LEFT JOIN spatial_ref_sys s ON s.srid = g.srid ORDER BY 1, 2, 3
"""


def is_database(path: str) -> bool:
    """Whether a reference is given as an address of PostgreSQL."""
    return path.lower().startswith(tuple(prefix.lower() for prefix in PREFIXES))


def without_password(address: str) -> str:
    """The address as it may be printed and kept."""
    if address.lower().startswith("pg:"):
        return _SECRET.sub(r"\1***", address)
    parts = urlsplit(address)
    host = parts.hostname or ""
    host += f":{parts.port}" if parts.port else ""
    user = f"{parts.username}@" if parts.username else ""
    query = _SECRET.sub(r"\1***", parts.query)
    return urlunsplit((parts.scheme, f"{user}{host}", parts.path, query, ""))


@dataclass(frozen=True, eq=False)
class PostgisStore:
    """The spatial tables of one database."""

    address: str
    driver: str = "PostGIS"
    metadata: tuple[Path, ...] = ()
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
        """Every table with a geometry column, or those that tables= and schemas= name."""
        return [self._head(*row) for row in self._all(_LISTED) if self._is_wanted(row[0], row[1])]

    def _is_wanted(self, schema: str, table: str) -> bool:
        tables = self._narrowed("tables")
        schemas = self._narrowed("schemas")
        return (not tables or table in tables or f"{schema}.{table}" in tables) and (
            not schemas or schema in schemas
        )

    def _narrowed(self, key: str) -> list[str]:
        pairs = dict(_PAIR.findall(self.address)) if self.address.lower().startswith("pg:") else {}
        return [one.strip() for one in pairs.get(key, "").strip("'").split(",") if one.strip()]

    def _head(
        self, schema: str, table: str, geometry: str, srid: int, kind: str,
        authority: str | None, code: int | None, wkt: str | None, indexed: bool,
    ) -> Head:  # fmt: skip
        columns = [
            name
            for (name,) in self._all(
                "SELECT column_name FROM information_schema.columns "
                "WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position",
                (schema, table),
            )
            if name != geometry
        ]
        layer = f"{schema}.{table}" if schema != "public" else table
        self._kept[layer] = (schema, table, geometry, srid)
        ((rows,),) = self._all(f"SELECT count(*) FROM {self._table(layer)}")
        return Head(
            layer=layer,
            columns=tuple(columns),
            kinds=kinds_of([kind]) if kind not in ("GEOMETRY", "GEOMETRYCOLLECTION") else (),
            crs=f"{authority}:{code}" if authority in ("EPSG", "ESRI") else wkt,
            extent=self._extent(layer),
            rows=int(rows),
            index="spatial index (GiST)" if indexed else NO_INDEX,
        )

    def _extent(self, layer: str) -> Bounds | None:
        """As the database's own statistics state it; None before the table was analysed."""
        schema, table, geometry, _ = self._kept[layer]
        box = "ST_EstimatedExtent(%s, %s, %s)"
        sides = ", ".join(f"ST_{side}({box})" for side in ("XMin", "YMin", "XMax", "YMax"))
        try:
            ((*found,),) = self._all(f"SELECT {sides}", (schema, table, geometry) * 4)
        except DatasetError:
            return None
        return None if None in found else tuple(float(v) for v in found)  # type: ignore[return-value]

    def window(self, head: Head, columns: Sequence[str], bounds: Bounds) -> Rows:
        """The rows whose box meets the bounds."""
        _, _, geometry, srid = self._kept[head.layer]
        names = ", ".join([*map(_quoted, columns), f"ST_AsBinary(ST_Force2D({_quoted(geometry)}))"])
        found = self._all(
            f"SELECT {names} FROM {self._table(head.layer)} "
            f"WHERE {_quoted(geometry)} && ST_MakeEnvelope(%s, %s, %s, %s, %s)",
            (*bounds, srid),
        )
        table = list(zip(*found, strict=True)) if found else [()] * (len(columns) + 1)
        wkb = np.empty(len(found), dtype=object)
        wkb[:] = [bytes(one) if one is not None else None for one in table[-1]]
        named = {name: _column(table[i]) for i, name in enumerate(columns)}
        return Rows(named, wkb, np.arange(len(found)))

    def matching(self, head: Head, column: str, values: Sequence[str]) -> Mapping[str, Any]:
        """Tables without geometry are not listed."""
        return {}

    def identity(self) -> Identity:
        """A database has no hash and no date of change; its rows are counted per table."""
        return Identity()

    def _table(self, layer: str) -> str:
        schema, table, _, _ = self._kept[layer]
        return f"{_quoted(schema)}.{_quoted(table)}"

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        driver, connection = self._connection
        try:
            return list(connection.execute(sql, values or None).fetchall())
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


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _column(values: Sequence[Any]) -> np.ndarray:
    """A column as numbers where all of it is, else as it came; dates as text."""
    held = [value for value in values if value is not None]
    if held and all(isinstance(v, int | float) and not isinstance(v, bool) for v in held):
        return np.array([np.nan if v is None else float(v) for v in values])
    made = np.empty(len(values), dtype=object)
    made[:] = [v.isoformat() if hasattr(v, "isoformat") else v for v in values]
    return made
