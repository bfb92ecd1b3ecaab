"""SUB005: a role that takes one dataset has several, or the same features came twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity
from sitemap.layer import SOURCE_FILE, SOURCE_LAYER, Layer
from sitemap.measures.cures import site_toml
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.measures.twins import same_features
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Length, LengthUnit


@rule("SUB005", clauses=("map",))
def two_files_claim_one_role(site: Site, position_tolerance: Length) -> Iterator[Said]:
    """The map has two files for one role.

    Why
        boundary.shp and boundary_old.shp cannot both be the boundary; to pick one would be a
        guess. Features that come twice are counted twice: disturbed acres double.

    How it is measured
        Datasets per role are counted where layers/ lets the role have one. In every role, two
        datasets are the same when they hold equally many features and each lies, with the same
        length, within the position tolerance of one of the other (site CRS).

    When it does not apply
        Roles that may have many datasets (controls, roads, streams, ...) with different features.

    How to fix
        Name the right file in site.toml under [layers], or take the other one out.

    References
        § 162-11B(4); the reading "Roles" of the pack.
    """
    by_role: dict[str, list[Layer]] = {}
    for layer in site.datasets:
        if layer.role is not None:
            by_role.setdefault(layer.role, []).append(layer)
    if not by_role:
        yield NotApplicable("no dataset serves a role")
        return
    tolerance_ft = position_tolerance.to(LengthUnit.FOOT)
    for role, layers in by_role.items():
        twins = _twins(site.role(role), layers, tolerance_ft)
        for first, second in twins:
            yield _same(site, role, first, second)
        if not site.catalogue[role].many and len(layers) - len(twins) > 1:
            yield _several(site, role, layers)
    count = sum(len(layers) for layers in by_role.values())
    yield Checked(f"{count} datasets serve {len(by_role)} roles", count)


def _several(site: Site, role: str, layers: list[Layer]) -> Fault:
    named = [dataset_words(layer.provenance) for layer in layers]
    why = "; ".join(
        f"{name}: {layer.choice.reason}" for name, layer in zip(named, layers, strict=True)
    )
    return Fault(
        f"{site.catalogue[role].title}: {len(layers)} datasets claim the role ({why})",
        f"take the others out, or name the right one in {site_toml(site)}: [layers] {role} = ...",
        measured=Quantity(len(layers), "datasets"),
        limit=Limit(1, "dataset"),
        role=role,
        source=dataset_source(layers[0].provenance),
        related=tuple(dataset_source(layer.provenance) for layer in layers[1:]),
        distinct="several",
    )


def _same(site: Site, role: str, first: Layer, second: Layer) -> Fault:
    names = dataset_words(first.provenance), dataset_words(second.provenance)
    count = len(second.frame)
    what = "feature stands" if count == 1 else "features stand"
    return Fault(
        f"{site.catalogue[role].title}: the same {count} {what} in {names[0]} and in {names[1]}",
        f"take one of the two files out, or name one in {site_toml(site)}: [layers] {role} = ...",
        measured=Quantity(count, "features twice"),
        role=role,
        source=dataset_source(second.provenance),
        related=(dataset_source(first.provenance),),
        distinct="|".join(names),
    )


def _twins(
    merged: RoleLayer | None, layers: list[Layer], tolerance_ft: float
) -> list[tuple[Layer, Layer]]:
    """(kept, repeated) pairs of datasets with the same features; each dataset repeats once."""
    if merged is None or len(layers) < 2:
        return []
    keys = merged.frame[SOURCE_FILE].astype(str) + "\n" + merged.frame[SOURCE_LAYER].astype(str)
    shapes = {
        id(layer): _shapes(merged, (keys == _key(layer)).to_numpy())
        for layer in layers
        if layer in merged.members
    }
    found: list[tuple[Layer, Layer]] = []
    for first, second in combinations([layer for layer in layers if id(layer) in shapes], 2):
        if any(second is repeated or first is repeated for _, repeated in found):
            continue
        if same_features(shapes[id(first)], shapes[id(second)], tolerance_ft):
            found.append((first, second))
    return found


def _key(layer: Layer) -> str:
    return f"{layer.provenance.file}\n{layer.provenance.layer}"


def _shapes(merged: RoleLayer, mask: np.ndarray) -> np.ndarray:
    geometry: np.ndarray = merged.frame.geometry.to_numpy()[mask]
    return np.asarray(geometry[~(shapely.is_missing(geometry) | shapely.is_empty(geometry))])
