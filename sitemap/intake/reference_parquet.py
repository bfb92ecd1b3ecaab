"""GeoParquet by window: only the row groups whose bounding boxes meet it are read.

Needs pyarrow (the extra `parquet`). GeoParquet 1.1: bounding boxes stand in a covering column,
whose least and greatest values every row group states.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sitemap.crs import Bounds
from sitemap.errors import DatasetError
from sitemap.intake.reference_files import NO_INDEX
from sitemap.intake.reference_store import Head, Identity, Rows, identity_of_files
from sitemap.intake.role_evidence import kinds_of
from sitemap.layer import Unreadable

LARGEST_UNSORTED = 256 * 1024 * 1024  # without boxes all of a file has to be read
ENDINGS = (".parquet", ".geoparquet", ".pq")
_ROWS_A_PIECE = 512
_SIDES = ("xmin", "ymin", "xmax", "ymax")


@dataclass(frozen=True, eq=False)
class ParquetStore:
    """One GeoParquet file."""

    path: Path
    given: str
    name: str
    driver: str = "GeoParquet"
    metadata: tuple[Path, ...] = ()
    lost: list[Unreadable] = field(default_factory=list)
    _kept: dict[str, Any] = field(default_factory=dict)

    def heads(self) -> list[Head]:
        """Its one layer; DatasetError without pyarrow, or when it is no GeoParquet."""
        file, geo = self._file, self._geo
        boxes = self._covering
        box = geo.get("bbox")
        extent = None
        if box is not None and len(box) in (4, 6):
            half = len(box) // 2
            extent = float(box[0]), float(box[1]), float(box[half]), float(box[half + 1])
        columns = [n for n in file.schema_arrow.names if n not in (self._column, *boxes[:1])]
        crs = geo.get("crs", "OGC:CRS84")
        return [
            Head(
                layer=self.path.stem,
                columns=tuple(columns),
                kinds=kinds_of(geo.get("geometry_types", [])),
                crs=json.dumps(crs) if isinstance(crs, dict) else crs,
                extent=extent,
                rows=int(file.metadata.num_rows),
                index=f"bounding boxes of {file.metadata.num_row_groups:,} row groups"
                if boxes
                else NO_INDEX,
            )
        ]

    def window(self, head: Head, columns: Sequence[str], bounds: Bounds) -> Rows:
        """The rows whose box meets the bounds, out of the row groups whose boxes do."""
        if not self._covering and self.path.stat().st_size > LARGEST_UNSORTED:
            raise DatasetError(
                self.name,
                "no_index",
                "has no bbox column, so that all of it would have to be read: write it anew with "
                "one (GeoParquet 1.1, covering bbox)",
            )
        found = [
            (group, rows, start)
            for group, start in self._groups(bounds)
            if len(rows := self._rows(group, bounds))
        ]
        if not found:
            nothing = np.array([], dtype=object)
            return Rows(dict.fromkeys(columns, nothing), nothing, np.array([], dtype=np.int64))
        return self._read(found, list(columns))

    def matching(self, head: Head, column: str, values: Sequence[str]) -> Mapping[str, Any]:
        """GeoParquet holds no tables beside its layer."""
        return {}

    def identity(self) -> Identity:
        """Of the file."""
        return identity_of_files([self.path])

    def _rows(self, group: int, bounds: Bounds) -> np.ndarray:
        """The rows of a group whose box meets the bounds; all of them where boxes are not kept.

        Boxes are read ahead of the rest: of most groups near the bounds no row meets them.
        """
        if not self._covering:
            return np.arange(self._file.metadata.row_group(group).num_rows)
        table = self._file.read_row_group(group, list(self._covering), use_threads=False)
        boxes = table.column(0).combine_chunks()
        xmin, ymin, xmax, ymax = (boxes.field(side).to_numpy(False) for side in _SIDES)
        near = (xmin <= bounds[2]) & (xmax >= bounds[0])
        return np.flatnonzero(near & (ymin <= bounds[3]) & (ymax >= bounds[1]))

    def _read(self, found: list[tuple[int, np.ndarray, int]], columns: list[str]) -> Rows:
        """Some rows of some groups, given as (group, rows in it, its first row)."""
        from pyarrow import Table

        wanted = [*columns, self._column]
        pieces = [one for group, rows, _ in found for one in self._taken(group, rows, wanted)]
        table = Table.from_batches(pieces)
        named = {name: table.column(name).to_pandas().to_numpy() for name in columns}
        wkb = np.array(table.column(self._column).to_pylist(), dtype=object)
        return Rows(named, wkb, np.concatenate([rows + start for _, rows, start in found]))

    def _taken(self, group: int, rows: np.ndarray, columns: list[str]) -> Iterator[Any]:
        """Some rows of a group in order, piece by piece, and no further than the last of them.

        A group read whole and then taken from costs twice as much, since it does not stay in the
        processor's cache.
        """
        start = 0
        for piece in self._file.iter_batches(
            _ROWS_A_PIECE, row_groups=[group], columns=columns, use_threads=False
        ):
            here = rows[(rows >= start) & (rows < start + len(piece))] - start
            if len(here):
                yield piece.take(here)
            start += len(piece)
            if start > rows[-1]:
                return

    def _groups(self, bounds: Bounds) -> list[tuple[int, int]]:
        """Number and first row of each row group whose stated boxes meet the bounds."""
        meta, boxes = self._file.metadata, self._covering
        places = {meta.schema.column(i).path: i for i in range(meta.num_columns)}
        sides = [places[f"{boxes[0]}.{side}"] for side in _SIDES] if boxes else []
        found, start = [], 0
        for number in range(meta.num_row_groups):
            group = meta.row_group(number)
            if _meets(group, sides, bounds):
                found.append((number, start))
            start += group.num_rows
        return found

    @property
    def _file(self) -> Any:
        if "file" not in self._kept:
            try:
                from pyarrow import ArrowException
                from pyarrow.parquet import ParquetFile
            except ImportError:
                raise DatasetError(
                    self.name, "library_missing",
                    "GeoParquet needs pyarrow: pip install 'sitemap[parquet]'",
                ) from None  # fmt: skip
            try:
                self._kept["file"] = ParquetFile(self.path)
            except (ArrowException, OSError) as error:
                words = str(error).splitlines()[0]
                raise DatasetError(self.name, "damaged", f"cannot be read ({words})") from None
        return self._kept["file"]

    @property
    def _column(self) -> str:
        return str(self._stated["primary_column"])

    @property
    def _stated(self) -> dict[str, Any]:
        if "geo" not in self._kept:
            held = self._file.schema_arrow.metadata or {}
            if b"geo" not in held:
                words = "is a Parquet table without geometry (no GeoParquet metadata)"
                raise DatasetError(self.name, "no_geometry", words)
            self._kept["geo"] = json.loads(held[b"geo"])
        stated: dict[str, Any] = self._kept["geo"]
        return stated

    @property
    def _geo(self) -> dict[str, Any]:
        geo: dict[str, Any] = self._stated["columns"][self._column]
        if geo.get("encoding") != "WKB":
            words = f"keeps its geometry as {geo.get('encoding')!r}; accepted is WKB: write it anew"
            raise DatasetError(self.name, "format_not_read", words)
        return geo

    @property
    def _covering(self) -> tuple[str, ...]:
        """The column of boxes, where one is stated in the usual form; else empty."""
        sides = self._geo.get("covering", {}).get("bbox", {})
        columns = {side: sides.get(side) for side in _SIDES}
        name = next((c[0] for c in columns.values() if c), None)
        sound = all(c == [name, side] for side, c in columns.items())
        return (name,) if name and sound else ()


def _meets(group: Any, sides: Sequence[int], bounds: Bounds) -> bool:
    """Whether the least and greatest sides of the boxes in a row group meet the bounds.

    Sides are looked at one by one, since each costs a call and most groups fail the first.
    """
    xmin, ymin, xmax, ymax = bounds
    most = (xmax, ymax, -xmin, -ymin)
    for place, (column, limit) in enumerate(zip(sides, most, strict=False)):
        stated = group.column(column).statistics
        side = None if stated is None else stated.min if place < 2 else stated.max
        if side is None:
            return True
        if (side if place < 2 else -side) > limit:
            return False
    return True
