"""Findings in such numbers that they would fill the page: drawn coarser, then the gravest kept."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap.checked import CheckedSite
from sitemap.desk.budget import size_of
from sitemap.desk.drawn_layers import DrawnLayer
from sitemap.desk.said import MOST_VERTICES, finding_dicts
from sitemap.desk.shapes import Origin
from sitemap.finding import JsonDict

FEW_VERTICES = 40


def fitted_findings(
    checked: CheckedSite, layers: Sequence[DrawnLayer], origin: Origin, most_bytes: int
) -> tuple[list[JsonDict], list[str]]:
    """The findings of a page in their order, and what was left out of them, in words."""
    said: list[str] = []
    for most_vertices in (MOST_VERTICES, FEW_VERTICES):
        found = finding_dicts(checked, layers, origin, most_vertices)
        size = size_of(found)
        if most_vertices == FEW_VERTICES:
            said.append(f"Findings: their outlines have about {FEW_VERTICES} vertices at most.")
        if size <= most_bytes:
            return found, said
    kept = int(len(found) * most_bytes / size * 0.95)
    rank = [(not finding.counts, -finding.severity) for finding in checked.findings]
    gravest = sorted(range(len(found)), key=rank.__getitem__)
    said.append(
        f"Findings: {len(found) - kept:,} of {len(found):,} are not on this page, the least grave "
        "ones; all of them are in -f json and -f gpkg."
    )
    return [found[n] for n in sorted(gravest[:kept])], said
