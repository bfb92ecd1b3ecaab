"""site.toml's layers matched with the files found: which dataset serves which role by name."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sitemap.catalogue import Catalogue
from sitemap.errors import ConfigurationError, SubmissionError
from sitemap.intake.discover import Discovery, Found, discover
from sitemap.intake.files import DiskFile, Entry, Workspace, ZippedFile, folder_of, suffix_of
from sitemap.intake.formats import ARCHIVES
from sitemap.layer import Layer, Raster, Unreadable
from sitemap.project import LayerPath, Project, ReadBeside, load_project

LARGEST_FACTORS_BYTES = 1_000_000


@dataclass(frozen=True)
class Named:
    """A role and what site.toml says of one dataset for it; file is the name of the Found."""

    role: str
    said: LayerPath
    file: str


@dataclass(frozen=True)
class Opened:
    """A submission before anything is decoded: its files, its project and the roles it names."""

    discovery: Discovery
    project: Project
    named: tuple[Named, ...]


def open_submission(submission: Path, work: Workspace, catalogue: Catalogue) -> Opened:
    """Find the files and read site.toml, wherever it lies.

    A site.toml given by itself brings only the files that it names; one that names none stands
    for the folder in which it lies. ConfigurationError when it breaks its schema or names an
    unknown role; SubmissionError when there is nothing to open.
    """
    if submission.suffix.lower() == ".toml":
        if not submission.exists():
            raise SubmissionError(f"{submission} does not exist; give the path of a site.toml")
        project = load_project(submission)
        listed = Discovery((), (), (), None)
        if not project.layers:
            listed = replace(discover(submission.parent, work), site_toml=None)
        base, root = "", submission.parent
    else:
        listed = discover(submission, work)
        if listed.site_toml is None:
            return Opened(listed, Project(), ())
        project = _project_of(listed.site_toml, work)
        base, root = folder_of(listed.site_toml.name), None
        if isinstance(listed.site_toml, DiskFile):
            root = listed.site_toml.path.parent
    _check_roles(project, catalogue)
    return _match(listed, project, base, root, work)


def _project_of(entry: Entry, work: Workspace) -> Project:
    if isinstance(entry, DiskFile):
        return load_project(entry.path)
    target = work.new_folder() / "site.toml"
    entry.stage(target)
    project = load_project(target, entry.name, _beside_in_archive(entry))
    return project.model_copy(update={"path": Path(entry.name)})


def _beside_in_archive(entry: Entry) -> ReadBeside | None:
    """A reader of the members of an archive by their path relative to its site.toml."""
    if not isinstance(entry, ZippedFile):
        return None

    def read(path: str) -> bytes:
        here = posixpath.dirname(entry.info.filename)
        wanted = posixpath.normpath(posixpath.join(here, path.replace("\\", "/")))
        try:
            info = entry.archive.getinfo(wanted)
            if info.file_size > LARGEST_FACTORS_BYTES:
                raise ConfigurationError(entry.name, "soil_loss.factors", "names a file over 1 MB")
            with replace(entry, info=info).open() as member:
                return member.read()
        except KeyError:
            raise ConfigurationError(
                entry.name, "soil_loss.factors", f"names {path}, which is not in the archive"
            ) from None

    return read


def _check_roles(project: Project, catalogue: Catalogue) -> None:
    roles = list(catalogue.by_role)
    for table, named in (("layers", project.layers), ("declared_none", project.declared_none)):
        for role in named:
            if role not in catalogue:
                near = difflib.get_close_matches(role, roles, 1)
                hint = f" (did you mean {near[0]}?)" if near else ""
                raise ConfigurationError(
                    project.path or "site.toml",
                    f"{table}.{role}",
                    f"there is no such role{hint}; accepted: {', '.join(roles)}",
                )


def _match(
    listed: Discovery, project: Project, base: str, root: Path | None, work: Workspace
) -> Opened:
    found = {dataset.name: dataset for dataset in listed.found}
    unreadable = list(listed.unreadable)
    refused = {item.file for item in unreadable}
    named: list[Named] = []
    for role, paths in project.layers.items():
        for said in paths:
            wanted = posixpath.normpath(posixpath.join(base, said.path.replace("\\", "/")))
            name = _same_name(wanted, found)
            if name is None and wanted not in refused:
                more = dataset_beside(said.path, root, work)
                for dataset in more.found:
                    found.setdefault(dataset.name, dataset)
                unreadable.extend(item for item in more.unreadable if item.file not in refused)
                refused.update(item.file for item in more.unreadable)
                name = _same_name(said.path, {d.name: d for d in more.found})
                if name is None and said.path not in refused:
                    unreadable.append(_not_there(role, said, found))
                    refused.add(said.path)
            if name is not None:
                named.append(Named(role, said, name))
    discovery = replace(
        listed,
        found=tuple(sorted(found.values(), key=lambda dataset: dataset.name)),
        unreadable=tuple(unreadable),
    )
    return Opened(discovery, project, tuple(named))


def _same_name(wanted: str, found: Mapping[str, Found]) -> str | None:
    """The dataset of this name, in any case when only one fits."""
    if wanted in found:
        return wanted
    alike = [name for name in found if name.lower() == wanted.lower()]
    return alike[0] if len(alike) == 1 else None


def dataset_beside(path: str, root: Path | None, work: Workspace) -> Discovery:
    """A dataset that site.toml names outside what was listed: on disk, or inside an archive."""
    nothing = Discovery((), (), (), None)
    if root is None:
        return nothing
    steps = path.replace("\\", "/").split("/")
    for count in range(1, len(steps) + 1):
        place = root.joinpath(*steps[:count]) if steps[0] else Path("/", *steps[1:count])
        inside = "/".join(steps[:count])
        if count == len(steps) and place.exists():
            return _renamed(discover(place, work), path, place.name)
        if suffix_of(inside) in ARCHIVES and place.is_file():
            prefix = f"{inside}/"
            archive = discover(place, work)
            kept = [d for d in archive.found if f"{prefix}{d.name}".lower() == path.lower()]
            return Discovery(
                tuple(replace(d, name=f"{prefix}{d.name}") for d in kept), archive.unreadable, ()
            )
    return nothing


def _renamed(listed: Discovery, path: str, name: str) -> Discovery:
    """The one dataset of a listing under the name that site.toml gives it."""
    return Discovery(
        tuple(replace(d, name=path) for d in listed.found if d.name == name),
        tuple(replace(item, file=path) for item in listed.unreadable if item.file == name),
        (),
    )


def _not_there(role: str, said: LayerPath, found: Mapping[str, Found]) -> Unreadable:
    near = difflib.get_close_matches(said.path, list(found), 1)
    hint = f"; {near[0]} is there" if near else ""
    return Unreadable(
        said.path,
        "named_file_missing",
        f"site.toml names it for {role}, but there is no such file{hint}",
        said.layer or "",
    )


def layers_missing(
    named: Sequence[Named], layers: Iterable[tuple[str, str]], unreadable: Sequence[Unreadable]
) -> list[Unreadable]:
    """Layers that site.toml names in files that were read and hold no such layer.

    layers: file and layer of every dataset read.
    """
    held: dict[str, list[str]] = {}
    for file, name in layers:
        held.setdefault(file, []).append(name)
    failed = {(item.file, item.layer) for item in unreadable}
    missing = []
    for one in named:
        layer, there = one.said.layer, held.get(one.file, [])
        if layer is None or not there or layer in there or (one.file, layer) in failed:
            continue
        near = difflib.get_close_matches(layer, there, 1) or there[:6]
        words = f"site.toml names it for {one.role}, but there is no such layer; there is "
        missing.append(Unreadable(one.file, "named_layer_missing", words + ", ".join(near), layer))
    return missing


def named_for(named: Sequence[Named], file: str, layer: str, several: bool) -> list[Named]:
    """What site.toml says of one layer of a dataset; without `layer` the only one is meant."""
    return [
        one
        for one in named
        if one.file == file
        and (one.said.layer == layer or (one.said.layer is None and not several))
    ]


def said_of(project: Project, layer: Layer | Raster) -> LayerPath | None:
    """What site.toml says of a dataset."""
    entries = project.layers.get(layer.role or "", ())
    file, name = layer.provenance.file.lower(), layer.provenance.layer
    for said in entries:
        path = posixpath.normpath(said.path.replace("\\", "/")).lower()
        if said.layer in (None, name) and (file == path or file.endswith("/" + path)):
            return said
    return entries[0] if len(entries) == 1 else None
