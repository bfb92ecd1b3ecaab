"""Small datasets written to disk for the tests of intake, and a way to break them."""

from __future__ import annotations

import shutil
import struct
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.layer import Layer
from sitemap.site import Site

X0, Y0 = 2_469_500.0, 335_400.0  # in the City of Muskego, EPSG:6609


def square(side: float = 100.0, x: float = 0.0, y: float = 0.0) -> BaseGeometry:
    """A square, its corner given in feet from X0, Y0."""
    return shapely.box(X0 + x, Y0 + y, X0 + x + side, Y0 + y + side)


def frame(
    geometries: list[BaseGeometry | None] | None = None, crs: Any = 6609, **columns: Any
) -> gpd.GeoDataFrame:
    """A frame of squares unless other geometries are given."""
    shapes = geometries if geometries is not None else [square()]
    return gpd.GeoDataFrame(columns or {"name": ["a"] * len(shapes)}, geometry=shapes, crs=crs)


def write(data: gpd.GeoDataFrame, path: Path, **options: Any) -> Path:
    """Write by the ending of the path, which may hold what drivers stumble over."""
    path.parent.mkdir(parents=True, exist_ok=True)
    driver = {".gdb": "OpenFileGDB", ".fgb": "FlatGeobuf"}.get(path.suffix)
    with tempfile.TemporaryDirectory() as safe, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data.to_file(Path(safe) / f"x{path.suffix}", engine="pyogrio", driver=driver, **options)
        for made in Path(safe).iterdir():
            shutil.move(made, path.with_name(path.stem + made.suffix))
    return path


def zipped(folder: Path, target: Path, prefix: str = "") -> Path:
    """All files of a folder in an archive, below `prefix`."""
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, prefix + path.relative_to(folder).as_posix())
    return target


def dbf(columns: list[tuple[str, int]], rows: list[list[bytes]], language: int = 0) -> bytes:
    """The bytes of a dBASE III table of character fields, byte for byte as given."""
    width = 1 + sum(size for _, size in columns)
    header = struct.pack("<BBBBIHH", 3, 124, 5, 1, len(rows), 33 + 32 * len(columns), width)
    header += b"\0" * 17 + bytes([language]) + b"\0\0"
    for name, size in columns:
        header += name.encode().ljust(11, b"\0") + b"C" + b"\0" * 4 + bytes([size]) + b"\0" * 15
    body = b"".join(
        b" " + b"".join(v.ljust(size) for v, (_, size) in zip(row, columns, strict=True))
        for row in rows
    )
    return header + b"\r" + body + b"\x1a"


def kinds(layer: Layer) -> set[str]:
    """The kinds of oddities of a dataset."""
    return {oddity.kind for oddity in layer.provenance.oddities}


def words(site: Site, kind: str) -> str:
    """All messages of one kind in a site, datasets and rasters."""
    every = [d.provenance for d in site.datasets] + [r.provenance for r in site.rasters]
    return " | ".join(o.message for p in every for o in p.oddities if o.kind == kind)


def listing(folder: Path) -> dict[str, tuple[int, float]]:
    """Every file of a folder with size and time of change, to prove that nothing was written."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, path.stat().st_mtime)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def points(count: int) -> list[BaseGeometry]:
    """Points on a line, one foot apart."""
    return list(shapely.points(X0 + np.arange(count), np.full(count, Y0)))
