"""Where the features of a frame stand in the user's files, and lists of records in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from sitemap.crs import moved_to
from sitemap.errors import CrsError
from sitemap.finding import Source
from sitemap.layer import (
    SOURCE_FID,
    SOURCE_FILE,
    SOURCE_LAYER,
    USER_ID,
    Layer,
    Oddity,
    Provenance,
    Raster,
)
from sitemap.site import RoleLayer, Site, of_dataset

if TYPE_CHECKING:
    import geopandas

TABLES = ("no_geometry", "shp_missing")  # kinds of intake/oddities.py


def all_data(site: Site) -> tuple[Layer | Raster, ...]:
    """Every dataset of a submission as read, vector and raster."""
    return (*site.datasets, *site.rasters)


def dataset_words(provenance: Provenance) -> str:
    """The file as the user knows it, with the layer where the file can hold several."""
    layer = _telling_layer(provenance.file, provenance.layer)
    return f"{provenance.file}, layer {layer}" if layer else provenance.file


def dataset_source(provenance: Provenance) -> Source:
    """The dataset as a whole as a Source."""
    return Source(provenance.file, _telling_layer(provenance.file, provenance.layer))


def _telling_layer(file: str | None, layer: str | None) -> str | None:
    """The layer's name where it says more than the file's (a shapefile's layer is its file)."""
    stem = (file or "").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return layer if layer and layer != stem else None


def in_site_crs(frame: geopandas.GeoDataFrame, site: Site) -> np.ndarray | None:
    """The geometries of some features of a dataset in the site CRS; None where none is known."""
    if frame.crs is None or site.crs is None:
        return None
    try:
        return moved_to(site.crs, frame.geometry.to_numpy(), frame.crs)[0]
    except CrsError:
        return None


def sources(frame: geopandas.GeoDataFrame, file: str = "", layer: str = "") -> list[Source]:
    """One Source per feature, in order; file and layer where the frame itself has none."""
    count = len(frame)
    files = _column(frame, SOURCE_FILE, [file] * count)
    layers = _column(frame, SOURCE_LAYER, [layer] * count)
    ids = _column(frame, USER_ID, [None] * count)
    return [
        Source(_text(f), _telling_layer(_text(f), _text(name)), record, _text(user))
        for f, name, record, user in zip(
            files, layers, record_numbers(frame).tolist(), ids, strict=True
        )
    ]


def record_numbers(frame: geopandas.GeoDataFrame) -> np.ndarray:
    """The 0-based number of each record in its file; its place in the frame where unknown."""
    if SOURCE_FID in frame.columns:
        numbers: np.ndarray = frame[SOURCE_FID].to_numpy().astype(int)
        return numbers
    return np.arange(len(frame))


def record_words(numbers: Iterable[int], most: int = 12) -> str:
    """'record 4' or 'records 1-3, 7 and 9': runs joined, at most `most` runs, the rest counted."""
    ordered = np.unique(np.fromiter(numbers, dtype=int))
    if not ordered.size:
        return "no record"
    breaks = np.flatnonzero(np.diff(ordered) > 1) + 1
    runs = [
        f"{run[0]}" if run.size == 1 else f"{run[0]}{'-' if run.size > 2 else ', '}{run[-1]}"
        for run in np.split(ordered, breaks)
    ]
    word = "record" if ordered.size == 1 else "records"
    if len(runs) > most:
        rest = sum(run.size for run in np.split(ordered, breaks)[most:])
        return f"{word} {', '.join(runs[:most])} and {rest} more"
    return f"{word} {', '.join(runs)}"


def _column(frame: geopandas.GeoDataFrame, name: str, default: list[Any]) -> list[Any]:
    values: list[Any] = frame[name].tolist() if name in frame.columns else default
    return values


def _text(value: object) -> str | None:
    """None for None, NaN and blanks."""
    if value is None or value != value or value == "":  # noqa: PLR0124  # NaN is not itself
        return None
    return str(value)


def oddities_of(data: Layer | Raster, kinds: Iterable[str]) -> list[Oddity]:
    """What reading noticed about a dataset, of certain kinds (see intake/oddities.py)."""
    wanted = set(kinds)
    return [oddity for oddity in data.provenance.oddities if oddity.kind in wanted]


def is_table(layer: Layer) -> bool:
    """True for an attribute table without geometry, which is no map layer."""
    return bool(oddities_of(layer, TABLES))


def areas_in(layer: RoleLayer) -> geopandas.GeoDataFrame:
    """The usable features of a role that are areas; the frame itself, where all are."""
    frame = layer.usable
    areal = np.isin(shapely.get_type_id(layer.shapes), (3, 6))
    return frame if areal.all() else frame[areal]


def as_placed(layer: Layer, site: Site) -> np.ndarray | None:
    """The geometries of a dataset in the site CRS, as merging has moved them; None where it is not.

    All of its features, in the order in which they were read.
    """
    merged = site.role(layer.role) if layer.role else None
    if merged is None or layer not in merged.members:
        return None
    if merged.usable is merged.frame:
        return next(shapes for member, shapes in merged.shapes_by_dataset if member is layer)
    geometries: np.ndarray = of_dataset(merged.frame, layer).geometry.to_numpy()
    return geometries
