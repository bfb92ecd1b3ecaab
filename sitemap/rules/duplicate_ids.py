"""SUB011: one id on two features of a role."""

from __future__ import annotations

from collections.abc import Iterator

import geopandas
import numpy as np
import shapely
from shapely.geometry import GeometryCollection

from sitemap.finding import Limit, Quantity
from sitemap.layer import USER_ID
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site


@rule("SUB011", clauses=("map",))
def duplicate_ids(site: Site) -> Iterator[Said]:
    """The map has two features of one role with the same id.

    Why
        The BMP schedule, the discharge table and every later letter speak of SF-1 or DP-2. When
        two features carry the name, nobody on the site knows which one is meant.

    How it is measured
        Ids of each role that layers/ says must be unique, over all its datasets; case and blanks
        are set aside ("SF 1" is "sf1"). One finding per id, with every feature that carries it.

    When it does not apply
        To features without an id, and to roles without an id field.

    How to fix
        Give each feature an id of its own.

    References
        § 162-11B(4)(e), (h); § 162-11B(5)(a) (schedule of practices).
    """
    roles = [
        layer
        for role, layer in site.layers.items()
        if site.catalogue[role].id_field and site.catalogue[role].unique_ids
    ]
    looked_at = 0
    for layer in roles:
        keys = _keys(layer)
        looked_at += int((keys != "").sum())
        repeated, counts = np.unique(keys[keys != ""], return_counts=True)
        for key in repeated[counts > 1].tolist():
            yield _fault(site, layer, np.flatnonzero(keys == key))
    if not looked_at:
        yield NotApplicable("no feature of a role with ids has an id")
        return
    yield Checked(f"{looked_at} ids in {len(roles)} layers", looked_at)


def _in_place(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """The features by spelling and place: the order of the records in a file says nothing."""
    box = np.nan_to_num(shapely.bounds(frame.geometry.to_numpy()))
    spelled = frame[USER_ID].astype(str).to_numpy(str)
    return frame.iloc[np.lexsort((*box.T[::-1], spelled))]


def _keys(layer: RoleLayer) -> np.ndarray:
    """The id of each feature without blanks and case; "" where it has none, or is no longer there:
    what takes the place of an abandoned pipe often takes its id.
    """
    ids = layer.frame[USER_ID]
    text = ids.where(ids.notna() & ~layer.is_gone, "").astype(str)
    folded: np.ndarray = text.str.replace(r"\s+", "", regex=True).str.casefold().to_numpy(str)
    return folded


def _fault(site: Site, layer: RoleLayer, rows: np.ndarray) -> Fault:
    frame = _in_place(layer.frame.iloc[rows])
    found = sources(frame)
    shapes = frame.geometry.to_numpy()
    shapes = shapes[~(shapely.is_missing(shapes) | shapely.is_empty(shapes))]
    files = {source.file for source in found}
    where = "; ".join(str(source) for source in found[:6])
    more = f" and {len(found) - 6} more" if len(found) > 6 else ""
    return Fault(
        f"{site.catalogue[layer.role].title}: id {found[0].user_id} stands on {len(rows)} features"
        f"{' of ' + str(len(files)) + ' files' if len(files) > 1 else ''} ({where}{more})",
        "give each feature an id of its own",
        geometry=GeometryCollection(shapes.tolist()) if len(shapes) else None,
        measured=Quantity(len(rows), "features"),
        limit=Limit(1, "feature per id"),
        role=layer.role,
        source=found[0],
        related=tuple(found[1:]),
        field_name=site.catalogue[layer.role].id_field,
    )
