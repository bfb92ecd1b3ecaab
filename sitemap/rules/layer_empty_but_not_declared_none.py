"""SUB004: a layer is there, has nothing in it, and nobody says that this is meant."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.finding import Quantity, Severity
from sitemap.layer import Layer
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site


@rule("SUB004", clauses=tuple("abcdefghi"))
def layer_empty_but_not_declared_none(site: Site) -> Iterator[Said]:
    """The map has an empty layer that is not declared none.

    Why
        An empty wetlands layer may mean that somebody looked and found none, or that an export
        went wrong. A check that takes it for "none" would pass a map that shows nothing.

    How it is measured
        Per role: the features of all its datasets that have a geometry are counted. None at all
        is the finding, unless site.toml declares the role none. Optional roles: information.

    When it does not apply
        To a role with one empty dataset beside others that hold features, and to datasets that
        serve no role.

    How to fix
        Export the layer again, or declare the role none in site.toml with who looked, in which
        source and on which date.

    References
        § 162-11B(4)(a) to (i); the reading "Roles" of the pack; buildingSMART IDS issue 42 on
        requirements that pass because there was nothing to check.
    """
    by_role: dict[str, list[Layer]] = {}
    for layer in site.datasets:
        if layer.role is not None:
            by_role.setdefault(layer.role, []).append(layer)
    if not by_role:
        yield NotApplicable("no dataset serves a role")
        return
    filled = 0
    for role, layers in by_role.items():
        records = sum(len(layer.frame) for layer in layers)
        if any(_with_geometry(layer) for layer in layers):
            filled += 1
        elif site.declared_none(role) is None:
            yield _empty(site, role, layers, records)
    meant = len(by_role) - filled
    yield Checked(f"{filled} layers hold features, {meant} hold none", len(by_role))


def _with_geometry(layer: Layer) -> int:
    return int((~(shapely.is_missing(layer.shapes) | shapely.is_empty(layer.shapes))).sum())


def _empty(site: Site, role: str, layers: list[Layer], records: int) -> Fault:
    spec = site.catalogue[role]
    files = " and ".join(dataset_words(layer.provenance) for layer in layers)
    held = "no records" if records == 0 else f"{records} records, none with a geometry"
    fix = "export the layer again"
    if spec.presence != "required":
        fix += (
            f"; if there is none on the site, write in site.toml: "
            f"[declared_none.{role}] by = ..., source = ..., date = ..."
        )
    return Fault(
        f"{spec.title}: {files} is empty ({held}) and the role is not declared none",
        fix,
        measured=Quantity(0, "features"),
        role=role,
        clauses=spec.items,
        source=dataset_source(layers[0].provenance),
        related=tuple(dataset_source(layer.provenance) for layer in layers[1:]),
        severity=Severity.INFO if spec.presence == "optional" else None,
    )
