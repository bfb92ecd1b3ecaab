"""CON003: contours without an elevation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import MultiLineString

from sitemap.finding import Quantity, Severity
from sitemap.layer import Layer, Oddity
from sitemap.measures.contour_survey import CONTOUR_ROLES, wrong_zero
from sitemap.measures.contours import count_the_records
from sitemap.measures.records import (
    dataset_source,
    dataset_words,
    oddities_of,
    record_words,
    sources,
)
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
from sitemap.site import RoleLayer

IDLE = "elevation_field_idle"  # kind of intake/oddities.py


@rule("CON003", clauses=("contours",), needs=("contours_existing",), uses=("contours_proposed",))
def elevation_missing_or_zero(
    contours_existing: RoleLayer, contours_proposed: RoleLayer | None
) -> Iterator[Said]:
    """The map has contours whose elevation is missing or zero.

    Why
        A line without its height is no contour: neither the interval nor a slope can be read.

    How it is measured
        The elevation of every contour that has a geometry. Missing is an empty value, one that
        is no number or not finite. Zero counts as missing where it stands far from all other
        levels (more than five usual steps): on a coast it is right. A layer whose elevations are
        all missing, or all zero, is one finding; where the coordinates hold heights (Z) instead,
        these are taken, and that the field is idle is a warning. Where they only count the records
        (1, 2, 3 ... from the first to the last), a person says whether they are elevations at all;
        until then no rule believes them.

    When it does not apply
        To lines without a geometry (GEO002).

    How to fix
        Fill the elevation field; from CAD, export the Z of the polyline. If the field has another
        name, say so in site.toml: fields = { elevation = "YOUR_FIELD" }.

    References
        § 162-11B(4), contour interval.
    """
    for role, layer in zip(CONTOUR_ROLES, (contours_existing, contours_proposed), strict=True):
        if layer is None or layer.usable.empty:
            continue
        level = layer.usable["elevation"].to_numpy(dtype=float, na_value=np.nan)
        title = role.replace("_", " ")
        for member in layer.members:
            for oddity in oddities_of(member, (IDLE,)):
                yield _idle(member, oddity, role)
        known = np.isfinite(level)
        zero = known & (level == 0)
        yield Checked(f"{title}: {int(known.sum())} of {len(level)} have an elevation", len(level))
        if count_the_records(level):
            yield Ask(
                f"{title}: are the elevations those of the ground? They run {level[0]:g}, "
                f"{level[1]:g}, {level[2]:g} ... {level[-1]:g} ft with the records, as numbers of "
                "records do. Name the right field in site.toml: "
                'fields = { elevation = "YOUR_FIELD" }',
                "contours",
                _lines(layer.usable.geometry.to_numpy()),
            )
        elif not known.any():
            yield _fault(role, layer, ~known, f"none of the {len(level)} {title} has an elevation")
        elif zero[known].all():
            words = f"all {int(zero.sum())} {title} have the elevation 0"
            yield _fault(role, layer, zero, words)
        else:
            if not known.all():
                words = f"{int((~known).sum())} of {len(level)} {title} have no elevation"
                yield _fault(role, layer, ~known, words)
            if wrong_zero(level[known]):
                others = level[known & ~zero]
                words = (
                    f"{int(zero.sum())} of {len(level)} {title} have the elevation 0 among "
                    f"{others.min():g} to {others.max():g} ft"
                )
                yield _fault(role, layer, zero, words)


def _idle(member: Layer, oddity: Oddity, role: str) -> Fault:
    name = dataset_words(member.provenance)
    return Fault(
        f"{name}: {oddity.message}; who reads the field alone sees no ground",
        "write the Z of the coordinates into the elevation field (sitemap fix does)",
        role=role,
        source=dataset_source(member.provenance),
        field_name="elevation",
        severity=Severity.WARNING,
        distinct=f"idle {name}",
    )


def _fault(role: str, layer: RoleLayer, mask: np.ndarray, words: str) -> Fault:
    records = layer.usable[mask]
    where = sources(records)
    numbers = record_words(s.feature for s in where if s.feature is not None)
    return Fault(
        f"{words} ({numbers})",
        "fill the elevation field, or name the right one in site.toml: "
        'fields = { elevation = "YOUR_FIELD" }',
        geometry=_lines(records.geometry.to_numpy()),
        measured=Quantity(float(mask.sum()), "contours"),
        role=role,
        source=where[0],
        related=tuple(where[1:50]),
        field_name="elevation",
        distinct="zero" if "elevation 0" in words else "missing",
    )


def _lines(geometry: np.ndarray) -> MultiLineString:
    parts = shapely.get_parts(shapely.force_2d(geometry))
    return MultiLineString(list(parts[np.isin(shapely.get_type_id(parts), (1, 2))]))
