"""Repairs -> a folder: repaired.gpkg, site.toml, proposals.gpkg, rasters as they were.

Everything is made in a folder of its own and moved into place when it is whole.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import os
import shutil
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas
import pyogrio
import shapely

from sitemap.crs import for_files, is_plain
from sitemap.errors import UsageError
from sitemap.intake.files import stem_of, suffix_of
from sitemap.layer import Raster
from sitemap.repair.changes import Proposal, RepairedLayer, Repairs
from sitemap.repair.site_toml import FACTORS, GEOPACKAGE, crs_words, site_toml
from sitemap.site import Site
from sitemap.soil_factors import COLUMNS, SoilFactors

PROPOSALS = "proposals.gpkg"
RASTERS = "rasters"
_RASTER_COMPANIONS = (".aux.xml", ".ovr", ".tfw", ".tifw", ".tfwx", ".prj", ".ige", ".rrd", ".aux")


def check_target(out: Path, submission: Path) -> None:
    """UsageError when the folder cannot take a copy: not empty, or inside the submission."""
    target, origin = out.resolve(), submission.resolve()
    home = origin.parent if origin.suffix.lower() == ".toml" else origin
    if target == home or home in target.parents:
        raise UsageError(
            f"{out}: this lies inside the submission {submission}, which is never written to; "
            "give a folder elsewhere with -o"
        )
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{out}: exists and is not an empty folder; give a new name with -o")
    if not target.parent.is_dir():
        raise UsageError(f"{out}: the folder {out.parent} does not exist; make it first")


@contextmanager
def folder_in_place(out: Path) -> Iterator[Path]:
    """A new folder beside `out`, moved to its name when the block ends without an error."""
    target = out.resolve()
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise UsageError(f"{out}: cannot write there ({error.strerror})") from None
    try:
        yield made
        os.chmod(made, 0o777 & ~_umask())
        try:
            if target.exists():
                target.rmdir()
            os.replace(made, target)
        except OSError as error:  # another program wrote there meanwhile
            raise UsageError(f"{out}: the copy cannot be put there ({error.strerror})") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def write_copy(repairs: Repairs, site: Site, folder: Path, now: dt.date) -> None:
    """Write the layers, site.toml, factors, rasters and proposals of a copy into a folder."""
    with dated(now):
        for layer in repairs.layers:
            _write_layer(layer, folder / GEOPACKAGE)
    rasters = _copy_rasters(site, folder)
    if site.project.soil_factors is not None:
        (folder / FACTORS).write_bytes(factors_csv(site.project.soil_factors).encode("utf-8"))
    text = site_toml(site, repairs.layers, rasters)
    (folder / "site.toml").write_bytes(text.encode("utf-8"))


@contextmanager
def dated(day: dt.date) -> Iterator[None]:
    """GDAL writes this day instead of the clock's while the block runs.

    SQLite need not wait for the disk after each layer: the folder is moved into place whole.
    """
    wanted = {
        "OGR_CURRENT_DATE": f"{day.isoformat()}T00:00:00.000Z",
        "OGR_SQLITE_SYNCHRONOUS": "OFF",
    }
    before = {name: pyogrio.get_gdal_config_option(name) for name in wanted}
    pyogrio.set_gdal_config_options(wanted)
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options(before)


def _write_layer(layer: RepairedLayer, path: Path) -> None:
    frame: Any = layer.frame
    options: dict[str, Any] = {"layer": layer.name, "driver": "GPKG", "append": path.exists()}
    if layer.is_table:
        frame = pandas.DataFrame(frame.drop(columns=frame.geometry.name))
        if frame.columns.empty:
            return  # a table without a column says nothing, and no file holds it
    else:
        kinds = set(shapely.get_type_id(frame.geometry.to_numpy()).tolist()) - {-1}
        options["promote_to_multi"] = kinds in ({0, 4}, {1, 5}, {3, 6})
        if not kinds:
            options["geometry_type"] = "Unknown"
        if frame.crs is not None and not is_plain(frame.crs):
            frame = frame.set_crs(None, allow_override=True)  # the check of the copy says so
        frame = frame.set_crs(for_files(frame.crs), allow_override=True)
    with warnings.catch_warnings():
        # a dataset without a CRS is copied without one; wild coordinates are copied as they are
        warnings.simplefilter("ignore")
        pyogrio.write_dataframe(frame, path, **options)


def write_proposals(repairs: Repairs, folder: Path, now: dt.date) -> None:
    """proposals.gpkg: points, lines and areas that a person may accept, apart from the data."""
    with dated(now):
        _write_proposals(repairs, folder / PROPOSALS)


def _write_proposals(repairs: Repairs, path: Path) -> None:
    rows: list[Proposal] = list(repairs.proposals)
    foot = [float(p.geometry.length) for p in rows]
    table = {
        "number": np.arange(1, len(rows) + 1),
        "geometry_kind": ["proposal"] * len(rows),
        "rule": [p.rule for p in rows],
        "role": [p.role for p in rows],
        "reason": [p.reason for p in rows],
        "values": ["; ".join(f"{k} = {v}" for k, v in p.values.items()) for p in rows],
        "length_ft": foot,
        "area_acres": [float(p.geometry.area) / 43560.0 for p in rows],
    }
    frame = geopandas.GeoDataFrame(table, geometry=[p.geometry for p in rows])
    frame = frame.set_crs(for_files(repairs.crs), allow_override=True)
    dimension = shapely.get_dimensions(frame.geometry.to_numpy())
    for name, wanted in (("proposals_point", 0), ("proposals_line", 1), ("proposals_area", 2)):
        part = frame[dimension == wanted]
        if len(part):
            pyogrio.write_dataframe(
                part,
                path,
                layer=name,
                driver="GPKG",
                promote_to_multi=bool(wanted),
                append=path.exists(),
            )


def factors_csv(factors: SoilFactors) -> str:
    """The factors as the user gave them, row by row."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for row in factors.rows:
        rows.writerow((row.name, row.key, repr(row.value), row.unit, row.source))
    return text.getvalue()


def _copy_rasters(site: Site, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Rasters that serve a role, byte for byte; and what site.toml says of each."""
    tables: dict[str, list[dict[str, Any]]] = {}
    used: set[str] = set()
    for raster in site.rasters:
        if raster.role is None:
            continue
        stem = stem_of(raster.provenance.file)
        while stem.casefold() in used:
            stem += "_"
        used.add(stem.casefold())
        (folder / RASTERS).mkdir(exist_ok=True)
        main = f"{RASTERS}/{stem}{suffix_of(raster.provenance.file)}"
        for ending, content in _raster_files(raster):
            with (folder / RASTERS / f"{stem}{ending}").open("wb") as out:
                shutil.copyfileobj(content, out, 1 << 20)
        table: dict[str, Any] = {"path": main}
        if raster.provenance.crs_how in ("site.toml", "option") and raster.crs is not None:
            table["crs"] = crs_words(raster.crs)
        said = site.project.layers.get(raster.role, ())
        same = [s for s in said if raster.provenance.file.endswith(s.path.replace("\\", "/"))]
        for key in ("unit", "source", "date"):
            value = getattr(same[0], key) if same else None
            if value is not None:
                table[key] = value
        tables.setdefault(raster.role, []).append(table)
    return tables


def _raster_files(raster: Raster) -> Iterator[tuple[str, Any]]:
    """(ending, open file) of a raster and of the files that belong to it."""
    if raster.path.startswith("/vsizip/{"):
        archive, member = raster.path.removeprefix("/vsizip/{").split("}/", 1)
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                ending = _ending(name, member)
                if ending is not None:
                    with opened.open(name) as content:
                        yield ending, content
        return
    path = Path(raster.path)
    for beside in sorted(path.parent.iterdir()):
        ending = _ending(beside.name, path.name)
        if ending is not None and beside.is_file():
            with beside.open("rb") as content:
                yield ending, content


def _ending(name: str, main: str) -> str | None:
    """What stands behind the raster's stem, for the raster and its companions; else None."""
    stem = main.rsplit(".", 1)[0]
    if name == main:
        return main[len(stem) :].lower()
    for whole in (main, stem):
        rest = name[len(whole) :].lower()
        if name.startswith(whole) and rest in _RASTER_COMPANIONS:
            return (main[len(stem) :].lower() if whole == main else "") + rest
    return None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
