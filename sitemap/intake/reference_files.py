"""Reference files that GDAL reads by window: .shp, .gpkg, .gdb, .fgb, .geojson.

Files are linked under plain names, with their spatial index, and opened read-only; none is read
whole and nothing is written beside them.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
from pyogrio import raw

from sitemap.crs import Bounds
from sitemap.errors import DatasetError
from sitemap.intake.bulk import REFUSALS
from sitemap.intake.discover import Found
from sitemap.intake.files import (
    DiskFile,
    Entry,
    GdbFolder,
    Workspace,
    ZippedFile,
    stem_of,
    suffix_of,
)
from sitemap.intake.geojson_lines import as_collection
from sitemap.intake.reference_shapefile import record_count, small_shapefile
from sitemap.intake.reference_store import Head, Identity, Rows, identity_of_files
from sitemap.intake.role_evidence import kinds_of
from sitemap.intake.staging import DRIVERS
from sitemap.intake.vector import holds_tiles
from sitemap.layer import Oddity, Unreadable

INDEXES = {
    "ESRI Shapefile": "spatial index (.qix or .sbn)",
    "GPKG": "spatial index (R-tree)",
    "OpenFileGDB": "spatial index (.spx)",
    "FlatGeobuf": "spatial index (packed R-tree)",
}
NO_INDEX = "no spatial index: all of it was read through"
LARGEST_UNPACKED = 256 * 1024 * 1024
_SHAPE_PARTS = (".shx", ".dbf", ".prj", ".cpg", ".qix", ".sbn", ".sbx")


@dataclass(frozen=True, eq=False)
class FileStore:
    """One dataset on disk, or unpacked from an archive."""

    found: Found
    given: str
    name: str
    work: Workspace
    lost: list[Unreadable] = field(default_factory=list)
    _kept: dict[str, str] = field(default_factory=dict)
    _state: dict[str, Identity] = field(default_factory=dict)  # hashed once, for all its layers

    @property
    def driver(self) -> str:
        """GDAL's driver."""
        return DRIVERS[self.found.kind]

    @property
    def _path(self) -> str:
        """Where GDAL opens it; of a shapefile with a .qix an empty one of the same make."""
        if "path" not in self._kept:
            self._kept["path"] = self._staged()
        return self._kept["path"]

    def _staged(self) -> str:
        if self._quadtree:
            return str(small_shapefile(self._quadtree, self.work.new_folder(), None)[0])
        return _staged(self.found, self.work)

    @property
    def _quadtree(self) -> dict[str, Path]:
        """The files of a shapefile on disk that has a .qix; empty for all else."""
        if self.found.kind != "shapefile" or not isinstance(self.found.main, DiskFile):
            return {}
        parts = _shape_parts(self.found)
        on_disk = {end: one.path for end, one in parts.items() if isinstance(one, DiskFile)}
        on_disk[".shp"] = self.found.main.path
        return on_disk if {".qix", ".shx"} <= set(on_disk) else {}

    @property
    def metadata(self) -> tuple[Path, ...]:
        """The .xml beside it: layer.shp.xml, layer.xml."""
        main = self.found.main
        path = main.path if isinstance(main, DiskFile | GdbFolder) else None
        if path is None:
            return ()
        near = (path.with_name(path.name + ".xml"), path.with_suffix(".xml"))
        return tuple(one for one in near if one.is_file())

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """What finding the files noticed."""
        return self.found.oddities

    def heads(self) -> list[Head]:
        """Every layer; DatasetError when the file cannot be opened, or its only layer not."""
        several = self.found.kind in ("gpkg", "filegdb")
        heads: list[Head] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                names = [str(name) for name, _ in pyogrio.list_layers(self._path)]
            except (*REFUSALS, OSError) as error:
                raise self._unreadable(error) from None
            for name in names:
                try:
                    heads.append(self._head(name if several else None))
                except (*REFUSALS, OSError) as error:
                    fault = self._unreadable(error)
                    if len(names) == 1:
                        raise fault from None
                    self.lost.append(Unreadable(self.name, fault.kind, fault.reason, name))
        return heads

    def _head(self, layer: str | None) -> Head:
        info = pyogrio.read_info(self._path, layer=layer, **self._options)
        kind = info["geometry_type"]
        box = info["total_bounds"]
        known = box is not None and np.isfinite(box).all()
        fast = info["capabilities"]["fast_spatial_filter"] or bool(self._quadtree)
        rows = record_count(self._quadtree[".shx"]) if self._quadtree else info["features"]
        return Head(
            layer=layer or stem_of(self.found.name),
            columns=tuple(str(name) for name in info["fields"]),
            kinds=kinds_of([kind]) if kind and kind != "Unknown" else (),
            crs=info["crs"],
            extent=tuple(float(v) for v in box) if known else None,  # type: ignore[arg-type]
            rows=int(rows) if rows >= 0 else None,
            index=INDEXES.get(self.driver, NO_INDEX) if fast else NO_INDEX,
            is_table=kind is None,
        )

    @property
    def _options(self) -> dict[str, str]:
        """SQLite would put its lock beside the file; an unchanging file needs none."""
        return {"IMMUTABLE": "YES"} if self.found.kind == "gpkg" else {}

    def window(self, head: Head, columns: Sequence[str], bounds: Bounds) -> Rows:
        """The rows whose box meets the bounds, through the spatial index where there is one."""
        wanted = {"columns": list(columns), "bbox": bounds}
        if not self._quadtree:
            return self._rows(self._path, head, **wanted)
        try:
            small, numbers = small_shapefile(self._quadtree, self.work.new_folder(), bounds)
        except (OSError, ValueError, struct.error) as error:
            raise DatasetError(
                self.name, "damaged", f"its .qix, .shx and .shp do not fit together ({error})"
            ) from None
        rows = self._rows(str(small), head, **wanted)
        return Rows(rows.columns, rows.wkb, numbers[rows.fids])

    def matching(self, head: Head, column: str, values: Sequence[str]) -> Mapping[str, Any]:
        """The rows of a table whose column holds one of the values (keys of the soil survey)."""
        quoted = ", ".join("'" + str(v).replace("'", "''") + "'" for v in values)
        return self._rows(
            self._path, head, where=f'"{column}" IN ({quoted})', read_geometry=False
        ).columns

    def _rows(self, path: str, head: Head, **what: Any) -> Rows:
        layer = head.layer if self.found.kind in ("gpkg", "filegdb") else None
        for encoding in (None, "ISO-8859-1"):  # the second reads any bytes
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    meta, fids, wkb, data = raw.read(
                        path, layer=layer, encoding=encoding, return_fids=True,
                        datetime_as_string=True, **what, **self._options,
                    )  # fmt: skip
            except UnicodeDecodeError:
                continue
            except (*REFUSALS, OSError) as error:
                raise self._unreadable(error) from None
            named = dict(zip((str(name) for name in meta["fields"]), data, strict=True))
            none = np.full(len(fids), None, dtype=object)
            return Rows(named, none if wkb is None else wkb, np.asarray(fids, dtype=np.int64))
        raise DatasetError(self.name, "damaged", "its text cannot be decoded")

    def _unreadable(self, error: Exception) -> DatasetError:
        if self.found.kind == "gpkg" and holds_tiles(self._path):
            return DatasetError(self.name, "only_tiles", "holds map tiles (pictures), no features")
        words = str(error).replace(self._path, "the file").splitlines()[0]
        words = words.split("; It might help to specify")[0]  # of GDAL, to who writes programs
        if "disk image is malformed" in words:  # of SQLite, after the statement that met it
            words = "the database is damaged, or a download that broke off: get it anew"
        return DatasetError(self.name, "damaged", f"cannot be read ({words})")

    def identity(self) -> Identity:
        """Of the user's own files, not of the links to them."""
        if "identity" not in self._state:
            own = [own_path(entry) for entry in self.found.entries]
            self._state["identity"] = identity_of_files(dict.fromkeys(own))
        return self._state["identity"]


def own_path(entry: Entry) -> Path:
    """The file that the user has: of a member of an archive the archive."""
    if isinstance(entry, ZippedFile):
        return Path(str(entry.archive.filename))
    return entry.path if isinstance(entry, DiskFile) else Path(entry.gdal_path)


def _staged(found: Found, work: Workspace) -> str:
    """A plain path of the dataset; DatasetError where it cannot be read by window."""
    folder = work.new_folder()
    _refuse_large_archive(found)
    if found.kind == "shapefile":
        if ".shx" not in found.companions:
            raise DatasetError(
                found.name, "shx_missing", "the .shx is missing; without it no window can be read"
            )
        found.main.stage(folder / "layer.shp")
        for end, entry in _shape_parts(found).items():
            entry.stage(folder / f"layer{end}")
        return str(folder / "layer.shp")
    if found.kind == "gpkg" and isinstance(found.main, DiskFile):
        log = found.main.path.with_name(found.main.path.name + "-wal")
        if log.is_file() and log.stat().st_size:
            words = "changes wait in its -wal file: close the program that has it open"
            raise DatasetError(found.name, "in_use", words)
    target = folder / f"layer{suffix_of(found.name)}"
    found.main.stage(target)
    if found.kind == "geojson":
        as_collection(target)
    return f"{DRIVERS[found.kind]}:{target}" if found.kind == "geojson" else str(target)


def _refuse_large_archive(found: Found) -> None:
    packed = [entry for entry in found.entries if not isinstance(entry, DiskFile)]
    size = sum(entry.size for entry in packed)
    if size > LARGEST_UNPACKED:
        words = f"{size / 1e6:,.0f} MB inside an archive cannot be read by window: unpack it"
        raise DatasetError(found.name, "archive_too_large", words)


def _shape_parts(found: Found) -> dict[str, Entry]:
    """Companions and the spatial index, which discovery leaves aside."""
    parts = {end: entry for end, entry in found.companions.items() if end in _SHAPE_PARTS}
    main = found.main
    if isinstance(main, DiskFile):
        for path in main.path.parent.iterdir():
            end = path.suffix.lower()
            if end in _SHAPE_PARTS and path.stem.lower() == main.path.stem.lower():
                parts.setdefault(end, DiskFile(path.name, path))
    return parts
