"""Where the data come from: the rows of the table of sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sitemap.layer import Provenance
from sitemap.plate.schedules import NONE, Row
from sitemap.site import Site


def source_rows(site: Site, drawn_roles: set[str]) -> list[Row]:
    """Layers, source, date of the data, file, operation; layers that share the rest in one row."""
    found: dict[Row, list[str]] = {}
    for role, title, provenance in _drawn(site, drawn_roles):
        file, name = provenance.file, provenance.layer
        wished = site.project.layers.get(role, ())
        said = next((w for w in wished if _same_file(w.path, file, w.layer, name)), None)
        source = said.source if said is not None and said.source else NONE
        date = said.date if said is not None and said.date else NONE
        titles = found.setdefault((source, date, file, _operation(site, file, name)), [])
        if title not in titles:
            titles.append(title)
    rows = sorted(found.items(), key=lambda item: -len(item[1]))
    common = _common_folder([key[2] for key, _ in rows])
    return [
        (_capital(", ".join(titles)), source, date, file[common:], operation)
        for (source, date, file, operation), titles in rows
    ]


def _drawn(site: Site, drawn_roles: set[str]) -> Iterator[tuple[str, str, Provenance]]:
    """Role, what is drawn of it, and where each dataset of it comes from; pictures last."""
    for role, layer in site.layers.items():
        for member in layer.members if role in drawn_roles else ():
            yield role, role.replace("_", " "), member.provenance
    pictures = {"elevation": "shaded relief", "aerial": "aerial image"}
    wished = {"relief": ("elevation",), "aerial": ("aerial",), "both": tuple(pictures)}
    for raster in site.rasters:
        if raster.role in wished.get(site.project.plate.underlay, ()):
            yield raster.role, pictures[raster.role], raster.provenance


def _common_folder(files: Sequence[str]) -> int:
    """How many characters of the folder all files share."""
    folders = [file.split("/")[:-1] for file in files]
    shared = 0
    for names in zip(*folders, strict=False):
        if len(set(names)) > 1:
            break
        shared += len(names[0]) + 1
    return shared


def _operation(site: Site, file: str, layer: str) -> str:
    """How a dataset came into the CRS of the map."""
    moved = site.transformations.get(f"{file}:{layer}") or site.transformations.get(file)
    return "none" if moved is None or not moved.operation else moved.operation


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _same_file(wished: str, file: str, wished_layer: str | None, layer: str) -> bool:
    same = file.replace("\\", "/").endswith(wished.replace("\\", "/").removeprefix("./"))
    return same and (wished_layer is None or wished_layer == layer)
