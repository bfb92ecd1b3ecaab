"""Which tables of a PostGIS database hold shapes: their columns, SRID, index and right to read.

geometry_columns is not asked: it leaves out geography columns and tables that may not be read,
and information_schema leaves out the columns of materialized views.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Ask = Callable[..., list[tuple[Any, ...]]]
SOIL_TABLES = ("muaggatt", "mapunit")  # of the soil survey: names and groups of its polygons
_EXTENSION = """
    SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'postgis'
"""
# The type of a shape, its SRID and its dimensions stand in the type modifier of its column.
_LISTED = """
    SELECT n.nspname, c.relname, a.attname, t.typname,
           {postgis}.postgis_typmod_srid(a.atttypmod), {postgis}.postgis_typmod_type(a.atttypmod),
           has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(n.oid, 'USAGE'),
           (SELECT array_agg(o.attname::text ORDER BY o.attnum) FROM pg_attribute o
            WHERE o.attrelid = c.oid AND o.attnum > 0 AND NOT o.attisdropped
            AND o.atttypid <> ALL (SELECT oid FROM pg_type
                                   WHERE typname IN ('geometry', 'geography', 'raster'))),
           (SELECT min(m.amname) FROM pg_index i
            JOIN pg_class k ON k.oid = i.indexrelid JOIN pg_am m ON m.oid = k.relam
            WHERE i.indrelid = c.oid AND a.attnum = ANY (i.indkey)
            AND m.amname IN ('gist', 'spgist', 'brin'))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
    WHERE t.typname IN ('geometry', 'geography') AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
    AND NOT c.relispartition AND NOT a.attisdropped
    AND n.nspname NOT LIKE 'pg\\_%%' AND n.nspname NOT IN ('information_schema', 'topology')
    ORDER BY 1, 2, a.attnum
"""
_TABLES = """
    SELECT n.nspname, c.relname, array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE lower(c.relname) = ANY (%s) AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
    AND has_table_privilege(c.oid, 'SELECT') GROUP BY 1, 2 ORDER BY 1, 2
"""


@dataclass(frozen=True)
class Table:
    """One column of shapes with the table around it. srid is 0 where only its rows say it."""

    schema: str
    name: str
    column: str
    kind: str  # geometry or geography
    srid: int
    shape: str  # MultiPolygon ..., Geometry where the column takes any
    may_be_read: bool
    columns: tuple[str, ...]
    index: str  # access method of its spatial index; empty without one
    others: int = 0  # columns of shapes in the same table

    @property
    def layer(self) -> str:
        """As printed: the schema unless it is public, the column where the table has several."""
        name = self.name if self.schema == "public" else f"{self.schema}.{self.name}"
        return f"{name} ({self.column})" if self.others else name

    @property
    def quoted(self) -> str:
        """The table as it stands in a statement."""
        return f"{quoted(self.schema)}.{quoted(self.name)}"

    @property
    def geometry(self) -> str:
        """The column as a geometry."""
        cast = "::geometry" if self.kind == "geography" else ""
        return f"{quoted(self.column)}{cast}"


def postgis_schema(ask: Ask) -> str | None:
    """The schema, quoted, in which PostGIS is installed; None where it is not."""
    found = ask(_EXTENSION)
    return str(found[0][0]) if found else None


def tables_with_shapes(ask: Ask, postgis: str) -> list[Table]:
    """Every column of shapes in tables, views, materialized views and foreign tables."""
    rows = ask(_LISTED.format(postgis=postgis))
    names = [(row[0], row[1]) for row in rows]
    return [
        Table(
            schema, name, column, kind, int(srid or 0), str(shape or "Geometry"), bool(may),
            tuple(columns or ()), index or "", names.count((schema, name)) - 1,
        )
        for schema, name, column, kind, srid, shape, may, columns, index in rows
    ]  # fmt: skip


def soil_tables(ask: Ask) -> list[tuple[str, str, Sequence[str]]]:
    """Schema, name and columns of the tables that the soil survey keeps beside its polygons."""
    return [(str(s), str(n), columns) for s, n, columns in ask(_TABLES, (list(SOIL_TABLES),))]


def quoted(name: str) -> str:
    """A name as it stands in a statement with parameters."""
    return '"' + name.replace('"', '""').replace("%", "%%") + '"'
