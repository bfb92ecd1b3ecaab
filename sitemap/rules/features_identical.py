"""GEO003: the same feature stands in a layer twice."""

from __future__ import annotations

from collections.abc import Iterator

import geopandas
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import LayerSpec
from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.measures.cover import acres
from sitemap.measures.records import sources
from sitemap.measures.repeats import repeated
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site

SAME_FT = 0.01  # copies keep their coordinates; another CRS on the way rounds them


@rule("GEO003", clauses=("map",))
def features_identical(site: Site) -> Iterator[Said]:
    """The map has features that are identical.

    Why
        Acres are summed and controls are counted: what stands twice counts twice, and on the
        plate nobody sees it.

    How it is measured
        Features of one role with the same shape (coordinates rounded to 0.01 ft in the site CRS,
        direction and starting vertex set aside) and the same values in all fields of the role
        apart from the id. One finding for each set. Error for areas of a role that states acres,
        since they are summed; else warning.

    When it does not apply
        Contours of different levels that lie on one line (CON010), and whole datasets that were
        handed in twice (SUB005).

    How to fix
        Delete all but one of the features.

    References
        § 162-11B(4); real case: 6 of 5,192 storm pipes of a campus stand twice.
    """
    looked_at = 0
    for layer in site.layers.values():
        spec, frame = site.catalogue[layer.role], layer.usable
        looked_at += len(frame)
        if len(frame) < 2:
            continue
        fields = frame[[n for n in spec.fields if n != spec.id_field and n in frame.columns]]
        sets = repeated(layer.shapes, fields, SAME_FT)
        sets = _in_place(sets, frame)
        where = [sorted(sources(frame.iloc[rows]), key=_by_id) for rows in sets]
        for rows, own in _not_whole_datasets(layer, sets, where):
            yield _fault(site, spec, layer.shapes[int(rows[0])], own)
    if not looked_at:
        yield NotApplicable("no layer has a feature with a geometry")
        return
    yield Checked(f"{looked_at} features of {len(site.layers)} layers", looked_at)


def _in_place(sets: list[np.ndarray], frame: geopandas.GeoDataFrame) -> list[np.ndarray]:
    """The sets by place: the order of the records in a file says nothing."""
    firsts = frame.geometry.to_numpy()[[int(rows[0]) for rows in sets]]
    order = np.lexsort(shapely.bounds(firsts).T[::-1]) if sets else ()
    return [sets[at] for at in order]


def _by_id(source: Source) -> tuple[str, str, str, int]:
    return source.user_id or "", source.file or "", source.layer or "", source.feature or 0


def _not_whole_datasets(
    layer: RoleLayer, sets: list[np.ndarray], where: list[list[Source]]
) -> list[tuple[np.ndarray, list[Source]]]:
    """The sets without those in which a dataset repeats another one as a whole."""
    both = list(zip(sets, where, strict=True))
    counts = [len(frame) for _, frame in layer.by_dataset]
    if len(counts) < 2:
        return both
    files = [frozenset((source.file, source.layer) for source in own) for own in where]

    def is_whole(number: int) -> bool:
        shared = files.count(files[number])
        return len(files[number]) == len(sets[number]) > 1 and shared in counts

    return [pair for number, pair in enumerate(both) if not is_whole(number)]


def _fault(site: Site, spec: LayerSpec, shape: BaseGeometry, where: list[Source]) -> Fault:
    summed = shape.area > 0 and "acres" in spec.fields
    again = f", {acres(shape.area, site.foot):,.2f} acres each" if shape.area > 0 else ""
    more = f" and {len(where) - 6} more" if len(where) > 6 else ""
    named = "; ".join(str(source) for source in where[:6])
    return Fault(
        f"{spec.title}: {len(where)} features are the same feature ({named}{more}){again}",
        "delete all but one of them",
        geometry=shape,
        measured=Quantity(len(where), "times the same feature"),
        limit=Limit(1, "times the same feature"),
        role=spec.role,
        source=where[0],
        related=tuple(where[1:]),
        severity=Severity.ERROR if summed else Severity.WARNING,
        distinct="|".join(source.user_id or "" for source in where),
    )
