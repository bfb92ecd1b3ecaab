"""The scripts of others that the page carries, with their licences; see vendor/vendored.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

import tomli

_LAST_LINE = 2000  # characters
_SOURCE_MAP = re.compile(r"\n?//# sourceMappingURL=\S+\s*\Z")


@dataclass(frozen=True)
class Vendored:
    """One script: what it is, its text as it stands in its package, its licence's text."""

    name: str
    package: str
    version: str
    licence: str
    licence_file: str
    file: str
    sha256: str
    home: str

    @property
    def raw(self) -> bytes:
        """The file as it was published."""
        return folder().joinpath(self.file).read_bytes()

    @cached_property
    def text(self) -> str:
        """The script for a page: without the pointer to a source map that the page has not.

        The pointer is the last line; a search through all of a script costs a tenth of a second.
        """
        script = self.raw.decode("utf-8")
        end = max(0, len(script) - _LAST_LINE)
        return script[:end] + _SOURCE_MAP.sub("\n", script[end:])

    @property
    def licence_text(self) -> str:
        """The words of its licence."""
        return folder().joinpath(self.licence_file).read_text(encoding="utf-8")


def folder() -> Traversable:
    """Where the scripts lie."""
    return files("sitemap.desk").joinpath("vendor")


@cache
def vendored() -> tuple[Vendored, ...]:
    """All scripts, in the order in which the page loads them."""
    table = tomli.loads(folder().joinpath("vendored.toml").read_text(encoding="utf-8"))
    return tuple(Vendored(**entry) for entry in table["script"])
