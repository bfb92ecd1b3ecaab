"""Which dataset each placemark belongs to, by the names of its folders and its own.

A dataset is the nearest folder whose name says a role, else the one that the placemark lies in;
placemarks of a folder that says none are taken by what their own names say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sitemap.intake.files import stem_of
from sitemap.intake.kml_stream import Placemark

_MOST_NAMES = 1_000  # that the placemarks of a folder may have and still be looked at
_SEVERAL = 3  # roles that the placemarks of one folder say: it is a title, and shows no one thing


class Says(Protocol):
    """What the name of a folder or placemark of a file says; None for nothing."""

    def plain(self, name: str) -> str:
        """The name without the numbers that only count things."""

    def role(self, file: str, name: str) -> str | None:
        """The role."""

    def kind(self, file: str, name: str, role: str | None) -> str | None:
        """The type of a role with types."""


def datasets_of(file: str, marks: Sequence[Placemark], says: Says) -> dict[str, list[Placemark]]:
    """Placemarks with a shape by the name of their dataset."""
    drawn = [(_path(mark), mark) for mark in marks if mark.shapes]
    own = _roles_said(file, drawn, says)
    telling = {path: _telling(file, path, says) for path, _ in drawn}
    said: dict[tuple[str, ...], set[str]] = {}
    for (path, _), role in zip(drawn, own, strict=True):
        said.setdefault(path[: telling[path]], set()).update([role] if role else ())
    groups: dict[str, list[Placemark]] = {}
    spelled: dict[tuple[tuple[str, ...], str, str | None], str] = {}
    for (path, mark), role in zip(drawn, own, strict=True):
        folder = path[: telling[path]]
        # a folder of placemarks that say this and that is a title: "Pine Hill erosion control"
        is_title = telling[path] is None or len(said[folder]) >= _SEVERAL
        name = "/".join(folder) or stem_of(file)
        if role is not None and is_title:
            key = folder, role, says.kind(file, mark.name, role)
            own_name = "/".join([*folder, mark.name.replace("/", " ")])
            name = spelled.setdefault(key, own_name)
        groups.setdefault(name, []).append(mark)
    return groups


def _roles_said(
    file: str, drawn: Sequence[tuple[tuple[str, ...], Placemark]], says: Says
) -> list[str | None]:
    """The role that each placemark's own name says; none in a folder of too many different names:
    nobody draws a plan of a thousand, they are the owners of parcels.
    """
    different: dict[tuple[str, ...], set[str]] = {}
    for path, mark in drawn:
        different.setdefault(path, set()).add(says.plain(mark.name))
    return [
        says.role(file, mark.name) if mark.name and len(different[path]) <= _MOST_NAMES else None
        for path, mark in drawn
    ]


def _path(mark: Placemark) -> tuple[str, ...]:
    """Names of the folders round a placemark; documents count where no folder has a name."""
    folders = [one.name for one in mark.folders if one.kind == "Folder" and one.name]
    documents = [one.name for one in mark.folders if one.kind == "Document" and one.name]
    return tuple(one.replace("/", " ") for one in folders or documents[-1:])


def _telling(file: str, path: tuple[str, ...], says: Says) -> int | None:
    """How many folders deep the nearest one lies whose name says a role."""
    deep = range(len(path), 0, -1)
    return next((depth for depth in deep if says.role(file, path[depth - 1]) is not None), None)


def below(mark: Placemark, name: str) -> str:
    """The folders between a dataset and its placemark."""
    path = "/".join(_path(mark))
    return path[len(name) + 1 :] if path.startswith(f"{name}/") else ""
