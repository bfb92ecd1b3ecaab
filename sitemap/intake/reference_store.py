"""What a reference is read from, whatever holds it: its layers, and the rows of a window."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sitemap.crs import Bounds
from sitemap.layer import Unreadable

HASHED_BYTES = 64 * 1024 * 1024  # larger files are known by size, date of change and rows
_PIECE_BYTES = 1 << 20


@dataclass(frozen=True)
class Head:
    """One layer before anything of it is read. extent in its own CRS; None where not known."""

    layer: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    crs: str | None
    extent: Bounds | None
    rows: int | None
    index: str
    is_table: bool = False


@dataclass(frozen=True, eq=False)
class Rows:
    """Records whose box meets a window: columns by name, WKB, and their numbers."""

    columns: Mapping[str, Any]
    wkb: np.ndarray
    fids: np.ndarray


@dataclass(frozen=True)
class Identity:
    """The state of a dataset. sha256 is None where it was not hashed."""

    sha256: str | None = None
    bytes: int | None = None
    modified: str | None = None


class Store(Protocol):
    """A dataset of one or several layers. Errors are DatasetError, with the plain reason."""

    @property
    def name(self) -> str:
        """As printed, without secrets."""
        ...

    @property
    def given(self) -> str:
        """What the user gave."""
        ...

    @property
    def driver(self) -> str:
        """Who reads it."""
        ...

    @property
    def metadata(self) -> tuple[Path, ...]:
        """Files of metadata that lie beside it."""
        ...

    @property
    def lost(self) -> list[Unreadable]:
        """Layers that heads() could not look at, each with its reason."""
        ...

    def heads(self) -> list[Head]:
        """Its layers."""
        ...

    def window(self, head: Head, columns: Sequence[str], bounds: Bounds) -> Rows:
        """The rows of a layer whose box meets the bounds (its own CRS), with these columns."""
        ...

    def matching(self, head: Head, column: str, values: Sequence[str]) -> Mapping[str, Any]:
        """All columns of the rows of a table whose column holds one of the values."""
        ...

    def identity(self) -> Identity:
        """Hash, or size and date of change."""
        ...


@dataclass(frozen=True)
class Wanted:
    """One reference as asked for: by --reference, or by an entry of site.toml."""

    path: str
    base: Path | None = None  # the folder that a relative path is seen from; None: from here
    layer: str | None = None
    role: str | None = None
    crs: str | None = None
    edition: str | None = None
    effective: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


def identity_of_files(paths: Iterable[Path]) -> Identity:
    """sha256 over all files in order where they are small together; size and latest change."""
    files = sorted(path for path in paths if path.is_file())
    facts = [path.stat() for path in files]
    total = sum(fact.st_size for fact in facts)
    latest = max((fact.st_mtime for fact in facts), default=0.0)
    modified = dt.datetime.fromtimestamp(latest, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if total > HASHED_BYTES:
        return Identity(None, total, modified)
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as stream:
            while piece := stream.read(_PIECE_BYTES):
                digest.update(piece)
    return Identity(digest.hexdigest(), total, modified)
