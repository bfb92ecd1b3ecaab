"""The files of a submission as SARIF artifacts: relative addresses, hashes, members of archives."""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePath
from urllib.parse import quote

from sitemap.finding import JsonDict
from sitemap.layer import Layer, Raster
from sitemap.report.submitted import submitted_file
from sitemap.report.words import plain
from sitemap.site import Site

ROOT = "%SRCROOT%"  # where the program was started; whoever reads the log knows where that is


class Artifacts:
    """Every file that was read or could not be, numbered once."""

    def __init__(self, site: Site) -> None:
        self._site = site
        datasets: tuple[Layer | Raster, ...] = (*site.datasets, *site.rasters)
        self._hashes = {d.provenance.file: d.provenance.sha256 for d in datasets}
        self._index: dict[str, int] = {}
        self._rows: list[JsonDict] = []
        for file in (*self._hashes, *(lost.file for lost in site.unreadable)):
            self._number(file)

    @cached_property
    def base_ids(self) -> JsonDict:
        """What relative addresses stand on."""
        words = "the folder in which the program was started"
        return {ROOT: {"description": {"text": words}}}

    @property
    def as_list(self) -> list[JsonDict]:
        """run.artifacts, as far as files have been named up to now."""
        return self._rows

    def location(self, file: str) -> JsonDict:
        """An artifactLocation for a file inside the submission."""
        index = self._number(file)
        return {**self._rows[index]["location"], "index": index}

    def _number(self, file: str) -> int:
        if file not in self._index:
            found = submitted_file(self._site, file)
            if found.inside is None:
                self._add(file, {"location": _address(found.path)})
            else:
                # section 3.24.3: a member's address begins with a slash and has no base
                inside = {"uri": _quoted("/" + found.inside.lstrip("/"))}
                container = self._container(found.path)
                self._add(file, {"location": inside, "parentIndex": container})
        return self._index[file]

    def _container(self, path: str) -> int:
        key = f"archive {path}"
        if key not in self._index:
            self._add(key, {"location": _address(path)})
        return self._index[key]

    def _add(self, key: str, row: JsonDict) -> None:
        digest = self._hashes.get(key)
        more = {"hashes": {"sha-256": digest}} if digest else {}
        self._index[key] = len(self._rows)
        self._rows.append({**row, "roles": ["analysisTarget"], **more})


def _address(path: str) -> JsonDict:
    if PurePath(path).is_absolute():
        return {"uri": "file://" + _quoted(path)}
    return {"uri": _quoted(path), "uriBaseId": ROOT}


def _quoted(path: str) -> str:
    return quote(plain(path), safe="/")
