"""Files to which CAD exports all its layers, taken apart by the column that names them.

A drawing saved as "polylines.shp" keeps contours, boundary and silt fence in one table, told apart
by LAYER alone. Nothing is taken apart whose own name says a role, or that site.toml names whole.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas
import shapely

from sitemap.catalogue import Catalogue
from sitemap.column_names import plain_name
from sitemap.intake.geometry_detective import geometry_kinds
from sitemap.intake.named import Opened
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.role_names import DRAWN_ASIDE
from sitemap.intake.roles import choose_role
from sitemap.intake.vector import Read
from sitemap.layer import SOURCE_FID

COLUMNS = ("layer", "cadlayer", "layername", "acadlayer", "dwglayer")  # as plain_name has them
MOST_LAYERS = 300  # more values are no layers of a drawing


def by_cad_layer(read: Read, opened: Opened, catalogue: Catalogue) -> list[Read]:
    """The dataset; one for each CAD layer, and one for labels, where any of them says a role."""
    column = _column(read)
    if column is None or _named_whole(read, opened):
        return [read]
    own = read.provenance
    names = read.frame[column].astype(object).where(read.frame[column].notna(), "")
    names = names.astype(str).str.strip()
    layers = [str(name) for name in pandas.unique(names) if name]
    if not 1 <= len(layers) <= MOST_LAYERS or _role(read, own.layer, own.file, catalogue):
        return [read]
    asked = {one.said.layer for one in opened.named if one.file == own.file}
    drawn = [name for name in layers if not DRAWN_ASIDE.search(name)]
    parts = [_part(read, (names == name).to_numpy(), name) for name in drawn]
    if not any(
        name in asked or (not opened.project.layers and _role(part, name, f"{name}.shp", catalogue))
        for name, part in zip(drawn, parts, strict=True)
    ):
        return [read]
    rest = ~names.isin(drawn).to_numpy()
    if rest.any():
        parts.append(_part(read, rest, own.layer))
    words = f"column {column} holds {count_of(len(layers), 'CAD layer')}, each a layer here"
    if len(drawn) < len(layers):
        words += (
            f"; labels ({', '.join(name for name in layers if name not in drawn)}) are left apart"
        )
    first = parts[0].provenance
    told = replace(first, oddities=(*first.oddities, odd("cad_layers_apart", words)))
    return [replace(parts[0], provenance=told), *parts[1:]]


def _column(read: Read) -> str | None:
    """The one column that names CAD layers; None for other datasets."""
    if read.is_table or read.frame.empty or read.provenance.driver == "DXF":
        return None
    found = [c for c in read.frame.columns if plain_name(str(c)) in COLUMNS]
    return str(found[0]) if len(found) == 1 else None


def _named_whole(read: Read, opened: Opened) -> bool:
    """Whether site.toml names the dataset without saying a layer, or by its own layer's name."""
    own = read.provenance
    return any(one.file == own.file and one.said.layer in (None, own.layer) for one in opened.named)


def _role(read: Read, layer: str, file: str, catalogue: Catalogue) -> str | None:
    columns = [str(c) for c in read.frame.columns if not str(c).startswith("_")]
    kinds = geometry_kinds(read.frame.geometry.to_numpy())
    columns.remove(read.frame.geometry.name)
    return choose_role(file, layer, columns, kinds, catalogue, read.frame).role


def _part(read: Read, mask: np.ndarray, layer: str) -> Read:
    """The rows of a mask as a dataset of this layer name; records keep their numbers."""
    frame = read.frame[mask].reset_index(drop=True)
    records = set(frame[SOURCE_FID].tolist())
    null = int(shapely.is_missing(frame.geometry.to_numpy()).sum())
    # counted over the whole file: untrue of a part
    own = tuple(o for o in read.provenance.oddities if o.kind != "has_z")
    provenance = replace(
        read.provenance, layer=layer, features_read=len(frame), features_null=null, oddities=own
    )
    unbuilt = {record: wkb for record, wkb in read.unbuilt.items() if record in records}
    return replace(read, frame=frame, provenance=provenance, unbuilt=unbuilt)
