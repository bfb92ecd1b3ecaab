"""--reference DIR, a file, a GDAL name or a database -> the datasets that lie there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitemap.errors import DatasetError, SubmissionError, UsageError
from sitemap.intake.discover import Found, discover
from sitemap.intake.files import Workspace, suffix_of
from sitemap.intake.reference_files import FileStore
from sitemap.intake.reference_parquet import ENDINGS, ParquetStore
from sitemap.intake.reference_postgis import PostgisStore, is_database, without_password
from sitemap.intake.reference_store import Store, Wanted
from sitemap.intake.reference_whole import KmlStore
from sitemap.intake.staging import DRIVERS
from sitemap.layer import Unreadable

ACCEPTED = (
    "a folder, a .zip, .gpkg, .gdb, .shp, .fgb, .geojson, .kml, .kmz, .parquet or raster, or a "
    "PostGIS database (postgresql://host/database, PG:host=... dbname=...)"
)
_WHOLE_ONLY = {"dxf": "a drawing", "landxml": "LandXML"}
_DRIVER = re.compile(rf"^({'|'.join(map(re.escape, DRIVERS.values()))}):(?=.)", re.IGNORECASE)
_ADDRESS = re.compile(r"^(https?|ftp|wfs|wms|/vsi(?!zip)\w+/)", re.IGNORECASE)


@dataclass
class Places:
    """What lies at one reference: datasets by window, rasters, and what cannot be read."""

    stores: list[Store] = field(default_factory=list)
    rasters: list[Found] = field(default_factory=list)
    unread: list[Unreadable] = field(default_factory=list)


def places_of(wanted: Wanted, work: Workspace) -> Places:
    """The datasets of one reference; UsageError when it is none that can be read."""
    if is_database(wanted.path):
        return Places([PostgisStore(wanted.path)])
    if _ADDRESS.match(wanted.path):
        raise UsageError(
            f"reference {wanted.path}: addresses on the network are not read; download it. "
            f"Accepted: {ACCEPTED}"
        )
    path = _path(wanted)
    if not path.exists():
        within = next((parent for parent in path.parents if parent.is_file()), None)
        if within is not None:
            raise UsageError(
                f"reference {path}: a part of {within.name} cannot be named alone; give "
                f"{within.name}, of which every layer is looked at"
            )
        raise UsageError(f"reference {path}: there is no such file or folder; accepted: {ACCEPTED}")
    if path.suffix.lower() in ENDINGS:
        return Places([ParquetStore(path, wanted.path, path.name)])
    return _listed(path, wanted, work)


def shown(path: str) -> str:
    """A reference as it may be printed and kept: without a password."""
    return without_password(path) if is_database(path) else path


def bare(path: str) -> str:
    """A reference in the file system without what GDAL writes before its path."""
    return re.sub(r"^/vsizip/\{?([^}]*)\}?", r"\1", _DRIVER.sub("", path))


def _path(wanted: Wanted) -> Path:
    text = bare(wanted.path)
    path = Path(text.replace("\\", "/")) if wanted.base is not None else Path(text)
    return path if wanted.base is None else wanted.base / path


def _listed(path: Path, wanted: Wanted, work: Workspace) -> Places:
    places = Places()
    if path.is_dir() and path.suffix.lower() != ".gdb":
        parquet = sorted(p for p in path.rglob("*") if p.suffix.lower() in ENDINGS)
        for one in parquet:
            name = one.relative_to(path).as_posix()
            places.stores.append(ParquetStore(one, wanted.path, name))
    try:
        listed = discover(path, work)
    except (SubmissionError, DatasetError) as error:
        if not places.stores:
            places.unread.append(Unreadable(shown(wanted.path), "damaged", str(error)))
        return places
    for found in listed.found:
        if found.kind == "raster":
            places.rasters.append(found)
        elif found.kind in DRIVERS and found.kind != "table":
            places.stores.append(FileStore(found, wanted.path, found.name, work))
        elif found.kind == "kml":
            places.stores.append(KmlStore(found, wanted.path, found.name, work))
        elif found.kind in _WHOLE_ONLY:
            words = (
                f"{_WHOLE_ONLY[found.kind]} is not read as a reference: it can only be read whole"
            )
            reason = f"{words}; save its layers as a GeoPackage"
            places.unread.append(Unreadable(found.name, "format_not_read", reason))
    places.unread += [
        replace(one, file=one.file)
        for one in listed.unreadable
        if suffix_of(one.file) not in ENDINGS
    ]
    if not (places.stores or places.rasters or places.unread):
        words = f"holds no layer that can be read; accepted: {ACCEPTED}"
        places.unread.append(Unreadable(shown(wanted.path), "empty", words))
    return places
