"""What to write in site.toml to put a dataset right, so that it can be pasted as it stands."""

from __future__ import annotations

import json

from sitemap.finding import Source
from sitemap.layer import Provenance
from sitemap.measures.records import dataset_source
from sitemap.site import Site


def in_site_toml(site: Site, provenance: Provenance, role: str | None, keys: str = "") -> str:
    """'in site.toml: [layers] roads = { path = "a.gpkg", layer = "roads", crs = "EPSG:..." }'.

    keys: what to say of the dataset, as TOML. Where there is no site.toml, `sitemap init` comes
    first: one that names a single layer would leave all others without a role.
    """
    entry = _entry(dataset_source(provenance), keys)
    return f"in {site_toml(site)}: [layers] {role or '<role>'} = {entry}"


def site_toml(site: Site) -> str:
    """'site.toml', and where it comes from when there is none."""
    return "site.toml" if site.project.path is not None else "site.toml (sitemap init makes it)"


def _entry(source: Source, keys: str) -> str:
    parts = [f"path = {_quoted(source.file or '')}"]
    if source.layer:
        parts.append(f"layer = {_quoted(source.layer)}")
    if keys:
        parts.append(keys)
    return f"{{ {', '.join(parts)} }}" if len(parts) > 1 else _quoted(source.file or "")


def _quoted(text: str) -> str:
    """A basic string of TOML, which escapes as JSON does."""
    return json.dumps(text, ensure_ascii=False)
