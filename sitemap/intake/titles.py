"""Which dataset a thing belongs to in a file of folders in folders: by their names and its own.

A dataset is the nearest folder whose name says a role, else the one that the thing lies in; things
of a folder that says none are taken by what their own names say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from sitemap.intake.files import stem_of

_MOST_NAMES = 1_000  # that the things of a folder may have and still be looked at
_SEVERAL = 3  # roles that the things of one folder say: it is a title, and shows no one thing

Path = tuple[str, ...]  # names of the folders round a thing, from the outermost


class Titled(NamedTuple):
    """A thing by its own name, "" for none, and the folders round it."""

    path: Path
    name: str


class Says(Protocol):
    """What the name of a folder or thing of a file says; None for nothing."""

    def plain(self, name: str) -> str:
        """The name without the numbers that only count things."""

    def role(self, file: str, name: str) -> str | None:
        """The role."""

    def kind(self, file: str, name: str, role: str | None) -> str | None:
        """The type of a role with types."""


def dataset_names(file: str, things: Sequence[Titled], says: Says) -> list[str]:
    """The name of the dataset of each thing."""
    own = _roles_said(file, things, says)
    telling = {path: _telling(file, path, says) for path, _ in things}
    said: dict[Path, set[str]] = {}
    for (path, _), role in zip(things, own, strict=True):
        said.setdefault(path[: telling[path]], set()).update([role] if role else ())
    names: list[str] = []
    spelled: dict[tuple[Path, str, str | None], str] = {}
    for (path, thing), role in zip(things, own, strict=True):
        folder = path[: telling[path]]
        # a folder of things that say this and that is a title: "Pine Hill erosion control"
        is_title = telling[path] is None or len(said[folder]) >= _SEVERAL
        name = "/".join(folder) or stem_of(file)
        if role is not None and is_title:
            key = folder, role, says.kind(file, thing, role)
            name = spelled.setdefault(key, "/".join([*folder, thing.replace("/", " ")]))
        names.append(name)
    return names


def _roles_said(file: str, things: Sequence[Titled], says: Says) -> list[str | None]:
    """The role that each thing's own name says; none in a folder of too many different names:
    nobody draws a plan of a thousand, they are the owners of parcels.
    """
    different: dict[Path, set[str]] = {}
    for path, name in things:
        different.setdefault(path, set()).add(says.plain(name))
    return [
        says.role(file, name) if name and len(different[path]) <= _MOST_NAMES else None
        for path, name in things
    ]


def _telling(file: str, path: Path, says: Says) -> int | None:
    """How many folders deep the nearest one lies whose name says a role."""
    deep = range(len(path), 0, -1)
    return next((depth for depth in deep if says.role(file, path[depth - 1]) is not None), None)
