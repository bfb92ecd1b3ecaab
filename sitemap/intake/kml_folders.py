"""The folders of a placemark by name, and the dataset that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap.intake.kml_stream import Placemark
from sitemap.intake.titles import Says, Titled, dataset_names


def datasets_of(file: str, marks: Sequence[Placemark], says: Says) -> dict[str, list[Placemark]]:
    """Placemarks with a shape by the name of their dataset."""
    drawn = [mark for mark in marks if mark.shapes]
    names = dataset_names(file, [Titled(_path(mark), mark.name) for mark in drawn], says)
    groups: dict[str, list[Placemark]] = {}
    for name, mark in zip(names, drawn, strict=True):
        groups.setdefault(name, []).append(mark)
    return groups


def _path(mark: Placemark) -> tuple[str, ...]:
    """Names of the folders round a placemark; documents count where no folder has a name."""
    folders = [one.name for one in mark.folders if one.kind == "Folder" and one.name]
    documents = [one.name for one in mark.folders if one.kind == "Document" and one.name]
    return tuple(one.replace("/", " ") for one in folders or documents[-1:])


def below(mark: Placemark, name: str) -> str:
    """The folders between a dataset and its placemark."""
    path = "/".join(_path(mark))
    return path[len(name) + 1 :] if path.startswith(f"{name}/") else ""
