"""All that a desk shows, as one JSON object: site, layers, findings, clauses, decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sitemap.checked import CheckedSite, count_words
from sitemap.crs import Bounds, crs_code, proj_text
from sitemap.desk.budget import packed_layers, size_of
from sitemap.desk.drawn_layers import DrawnLayer, drawn_layers
from sitemap.desk.grid_cells import grid_cells
from sitemap.desk.many_findings import fitted_findings
from sitemap.desk.reference import (
    difference_dicts,
    not_compared,
    reference_layers,
    reference_sources,
)
from sitemap.desk.said import clause_dicts, drawing
from sitemap.desk.shapes import STEPS_PER_FT, Origin, packed_all
from sitemap.desk.traced import trace_dicts
from sitemap.errors import SitemapError
from sitemap.finding import JsonDict
from sitemap.layer import Layer, Raster
from sitemap.manifest import digest_of
from sitemap.places import map_extent
from sitemap.report.provenance import provenance_of
from sitemap.report.words import plain
from sitemap.site import Site
from sitemap.version import VERSION

if TYPE_CHECKING:
    from sitemap.decisions import Decisions

MOST_BYTES = 7_900_000  # of a page: what an e-mail takes as an attachment
MOST_NAMED = 4
MOST_BYTES_OF_FINDINGS = 4_500_000


def desk_content(
    checked: CheckedSite,
    decisions: Decisions | None = None,
    *,
    spent_bytes: int = 0,
) -> JsonDict:
    """The whole content; layers are cut until it fits beside `spent_bytes` of the page.

    checked is the check without the reviewer's decisions: the page puts them upon it.
    SitemapError for a site without a CRS or without anything to draw.
    """
    extent = map_extent(checked.site)
    if checked.site.crs is None or extent is None:
        raise SitemapError(_nothing_words(checked.site))
    origin = (float(round(extent[0])), float(round(extent[1])))
    layers = drawn_layers(checked.site)
    rest = _rest(checked, layers, origin, extent, decisions)
    every = (*layers, *reference_layers(checked))
    left = MOST_BYTES - spent_bytes - size_of(rest)
    try:
        drawn = packed_layers(every, origin, extent, left)
    except ValueError:
        raise SitemapError(
            f"{checked.site.submission}: the desk would be larger than {MOST_BYTES:,} bytes; "
            f"{len(checked.findings):,} findings leave no room for the map. Mend what the check "
            "finds most often first, or leave rules out in site.toml [check]"
        ) from None
    return {**rest, "layers": drawn}


def _nothing_words(site: Site) -> str:
    """Why there is no map, and what to do."""
    if not site.layers:
        read: tuple[Layer | Raster, ...] = (*site.datasets, *site.rasters)
        names = list(dict.fromkeys(one.provenance.file for one in read))
        lost = list(dict.fromkeys(one.file for one in site.unreadable))
        held = (
            f"of its files ({_some(names)}) none serves a role that is drawn"
            if names
            else "it has no layer"
        )
        held += f"; {_some(lost)} could not be read" if lost else ""
        todo = "name the layers in site.toml, where sitemap check lists what each may be"
    elif site.crs is None:
        held, todo = "no layer of it has a usable CRS", "give the CRS with --crs"
    else:
        held, todo = "no layer of it has coordinates", "see sitemap check"
    return f"{site.submission}: nothing can be drawn, since {held}; {todo}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(plain(name) for name in names[:MOST_NAMED])}{more}"


def _rest(
    checked: CheckedSite,
    layers: Sequence[DrawnLayer],
    origin: Origin,
    extent: Bounds,
    decisions: Decisions | None,
) -> JsonDict:
    """Everything but the layers."""
    said = None if decisions is None else decisions.model_dump(mode="json", by_alias=True)
    findings, cut = fitted_findings(checked, layers, origin, MOST_BYTES_OF_FINDINGS)
    return {
        "program": f"sitemap {VERSION}",
        "key": submission_key(checked),
        "site": _site(checked),
        "verdict": plain(checked.verdict_words),
        "verdictName": checked.verdict.name.lower(),
        "counts": count_words(checked.findings) or "no findings",
        "now": checked.now.isoformat(),
        "laws": [
            {"id": p.id, "title": plain(f"{p.title}, {p.jurisdiction}")} for p in checked.ordinances
        ],
        "origin": list(origin),
        "steps": STEPS_PER_FT,
        "extent": [round(v, 2) for v in extent],
        "grid": _grid(checked, origin),
        "boundary": drawing(checked.site.boundary, origin),
        "findings": findings,
        "findingsCut": cut,
        "findingsTotal": len(checked.findings),
        "clauses": clause_dicts(checked, origin),
        "traces": trace_dicts(checked, origin),
        "differences": difference_dicts(checked, origin),
        "notCompared": not_compared(checked),
        "references": reference_sources(checked),
        "decisions": said,
        "decisionsFile": "" if decisions is None else plain(decisions.file),
        "measured": [[plain(words) for words in row] for row in provenance_of(checked).rows],
    }


def _grid(checked: CheckedSite, origin: Origin) -> list[list[object]]:
    """Label and ground of each cell; hundreds of them, packed together."""
    cells = list(grid_cells(checked))
    grounds = np.empty(len(cells), dtype=object)
    grounds[:] = [ground for _, ground in cells]
    shapes = packed_all(grounds, origin)
    return [[plain(label), shape] for (label, _), shape in zip(cells, shapes, strict=True)]


def submission_key(checked: CheckedSite) -> str:
    """The hash of what was submitted: the same for the same files, whatever is decided of them."""
    site = checked.site
    datasets: tuple[Layer | Raster, ...] = (*site.datasets, *site.rasters)
    hashes = sorted({d.provenance.sha256 for d in datasets} | {site.name})
    return digest_of(hashes)[:32]


def _site(checked: CheckedSite) -> JsonDict:
    site = checked.site
    assert site.crs is not None
    return {
        "name": plain(site.name),
        "submission": plain(site.submission),
        "crsName": plain(site.crs_name),
        "crs": crs_code(site.crs) or plain(site.crs.name),
        "proj": proj_text(site.crs),
        "foot": site.foot.symbol,
        "metresPerFoot": float(site.foot.metres),
    }
