"""A submission -> the datasets in it, what looks like data but is not, and what carries none.

Lists folders and archives itself, at any depth, and groups companion files by name in any
case. Nothing is decoded here beyond the first bytes.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sitemap.errors import SubmissionError
from sitemap.intake.archives import archive_or_reason, is_dust, is_zip, with_archives
from sitemap.intake.bystanders import bystander, impostor
from sitemap.intake.files import (
    DiskFile,
    Entry,
    GdbFolder,
    Workspace,
    disk_entries,
    folder_of,
    gdb_folder,
    is_geodatabase,
    out_of_reach,
    read_head,
    stem_of,
    suffix_of,
)
from sitemap.intake.formats import (
    ACCEPTED,
    ARCHIVES,
    IDLE_COMPANIONS,
    KINDS,
    MAYBE_LANDXML,
    PICTURES,
    REFUSED,
    SITE_TOML,
    SQLITE_LOGS,
    USED_COMPANIONS,
    Kind,
)
from sitemap.intake.oddities import odd
from sitemap.layer import Oddity, Unreadable


@dataclass(frozen=True)
class Found:
    """A dataset to be read: its files and what was noticed on the way."""

    kind: Kind
    name: str  # as the user knows it: path inside the submission
    main: Entry
    companions: Mapping[str, Entry] = field(default_factory=dict)  # by ending, '.dbf'
    oddities: tuple[Oddity, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All files of the dataset, the main one first."""
        own = self.main.parts if isinstance(self.main, GdbFolder) else (self.main,)
        return (*own, *(self.companions[end] for end in sorted(self.companions)))


@dataclass(frozen=True)
class Discovery:
    """What lies in a submission. site_toml is the file nearest to its top, if any."""

    found: tuple[Found, ...]
    unreadable: tuple[Unreadable, ...]
    ignored: tuple[str, ...]
    site_toml: Entry | None = None


def discover(submission: Path, work: Workspace) -> Discovery:
    """List a folder, archive or single dataset; SubmissionError when it is none of these."""
    if not submission.exists():
        raise SubmissionError(f"{submission} does not exist; give {ACCEPTED}")
    suffix = submission.suffix.lower()
    if submission.is_dir():
        if is_geodatabase(submission):
            return _sort([gdb_folder(submission, submission.name)])
        if not os.access(submission, os.R_OK | os.X_OK):
            raise SubmissionError(f"{submission}: the system does not allow to look into it")
        closed = [Unreadable(*what) for what in out_of_reach(submission)]
        return _sort([*closed, *with_archives(disk_entries(submission), work)])
    if not submission.is_file():
        raise SubmissionError(f"{submission} is neither a file nor a folder; give {ACCEPTED}")
    if suffix in ARCHIVES or (suffix not in KINDS and is_zip(submission)):
        return _sort(archive_or_reason(DiskFile(submission.name, submission), "", work))
    if suffix not in KINDS and suffix not in (".dbf", MAYBE_LANDXML):
        reason = REFUSED.get(suffix, "not data that can be read here")
        raise SubmissionError(f"{submission}: {reason}. Accepted: {ACCEPTED}")
    return _sort(_family(submission))


def _family(path: Path) -> list[Entry | Unreadable]:
    """A single dataset on disk with the companions that lie beside it."""
    if path.suffix.lower() == ".gpkg":
        logs = [path.with_name(path.name + end) for end in SQLITE_LOGS]
        return [DiskFile(p.name, p) for p in (path, *logs) if p.is_file()]
    if path.suffix.lower() not in (".shp", ".dbf", ".dxf"):
        return [DiskFile(path.name, path)]
    wanted = path.stem.lower()
    beside = sorted(p for p in path.parent.iterdir() if p.is_file())
    ends = (".prj",) if path.suffix.lower() == ".dxf" else (*USED_COMPANIONS, ".shp")
    return [
        DiskFile(p.name, p)
        for p in beside
        if p == path or (stem_of(p.name).lower() == wanted and suffix_of(p.name) in ends)
    ]


def _sort(entries: Iterable[Entry | Unreadable]) -> Discovery:
    """Tell datasets, impostors and bystanders apart."""
    listed = list(entries)
    unreadable = [item for item in listed if isinstance(item, Unreadable)]
    files = [item for item in listed if not isinstance(item, Unreadable)]
    ignored = [entry.name for entry in files if is_dust(entry.name)]
    files = [entry for entry in files if not is_dust(entry.name)]
    families: dict[tuple[str, str], list[Entry]] = {}
    for entry in files:
        families.setdefault(_family_key(entry.name), []).append(entry)
    found: list[Found] = []
    taken: set[str] = set()
    for family in families.values():
        for dataset in _datasets_of(family):
            taken.update(entry.name for entry in (dataset.main, *dataset.companions.values()))
            reason = impostor(dataset.kind, dataset.main)
            if reason is None:
                found.append(dataset)
            elif reason.kind == "not_geographic":
                ignored.append(dataset.name)
            else:
                unreadable.append(reason)
    tomls = [entry for entry in files if entry.name.rsplit("/", 1)[-1].lower() == SITE_TOML]
    tomls.sort(key=lambda entry: (entry.name.count("/"), entry.name))
    taken.update(entry.name for entry in tomls)
    for entry in files:
        if entry.name not in taken:
            family = families[_family_key(entry.name)]
            reason = bystander(entry, frozenset(suffix_of(one.name) for one in family))
            if reason is None:
                ignored.append(entry.name)
            else:
                unreadable.append(reason)
    found.sort(key=lambda dataset: dataset.name)
    unreadable.sort(key=lambda item: item.file)
    return Discovery(
        tuple(found), tuple(unreadable), tuple(sorted(ignored)), tomls[0] if tomls else None
    )


def _family_key(name: str) -> tuple[str, str]:
    return folder_of(name), stem_of(name).lower()


def _datasets_of(family: list[Entry]) -> list[Found]:
    """The datasets of files that share a folder and a name, each with its companions."""
    shapes = [entry for entry in family if suffix_of(entry.name) == ".shp"]
    datasets = [_shapefile(shape, family) for shape in shapes]
    if not shapes:
        datasets.extend(_table(entry, family) for entry in family if _is_table(entry))
    for entry in family:
        kind = _kind(entry)
        if kind is not None and kind != "shapefile":
            beside = _placing(family) if kind == "dxf" else _logs(entry, family)
            datasets.append(Found(kind, entry.name, entry, beside))
        elif world := _world_file(entry, family):
            datasets.append(Found("raster", entry.name, entry, world))
    return datasets


def _world_file(entry: Entry, family: list[Entry]) -> dict[str, Entry]:
    """Ending -> the world file that puts a picture on the ground; a mere photograph has none."""
    ends = PICTURES.get(suffix_of(entry.name), ())
    return {end: one for end in ends for one in family if suffix_of(one.name) == end}


def _kind(entry: Entry) -> Kind | None:
    if isinstance(entry, GdbFolder):
        return "filegdb"
    return "landxml" if _is_landxml(entry) else KINDS.get(suffix_of(entry.name))


def _is_landxml(entry: Entry) -> bool:
    """An .xml whose root is LandXML; other XML beside a dataset is metadata."""
    if suffix_of(entry.name) != MAYBE_LANDXML:
        return False
    head = read_head(entry, 1 << 16)  # a long comment may stand before the root
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        head = head.decode("utf-16", "ignore").encode()
    return re.search(rb"<(?:[\w.-]+:)?LandXML\b", head) is not None


def _logs(entry: Entry, family: list[Entry]) -> dict[str, Entry]:
    """Ending -> the log of a GeoPackage that was sent while it was open."""
    return {end: log for end in SQLITE_LOGS for log in family if log.name == entry.name + end}


def _placing(family: list[Entry]) -> dict[str, Entry]:
    """The .prj that some programs write beside a drawing."""
    texts = [one for one in family if suffix_of(one.name) == ".prj"]
    return {".prj": texts[0]} if texts else {}


def _is_table(entry: Entry) -> bool:
    return suffix_of(entry.name) == ".dbf"


def _shapefile(shape: Entry, family: list[Entry]) -> Found:
    companions: dict[str, Entry] = {}
    notes: list[Oddity] = []
    for end in USED_COMPANIONS:
        twins = [entry for entry in family if suffix_of(entry.name) == end]
        if not twins:
            continue
        twins.sort(key=lambda entry: _spelling(shape.name, entry.name))
        companions[end] = twins[0]
        shown = twins[0].name.rsplit("/", 1)[-1]
        if len(twins) > 1 and len([e for e in family if suffix_of(e.name) == ".shp"]) == 1:
            other = twins[1].name.rsplit("/", 1)[-1]
            notes.append(odd("companion_twins", f"{shown} is used, its twin {other} is not"))
        if stem_of(shown) != stem_of(shape.name) or shown.rsplit(".", 1)[1].isupper() != (
            shape.name.rsplit(".", 1)[1].isupper()
        ):
            notes.append(odd("companion_case", f"{shown} is spelled in another case; it is used"))
    idle = [e.name.rsplit("/", 1)[-1] for e in family if suffix_of(e.name) in IDLE_COMPANIONS]
    if idle:
        notes.append(odd("companion_ignored", f"not needed: {', '.join(sorted(idle))}"))
    return Found("shapefile", shape.name, shape, companions, tuple(notes))


def _table(table: Entry, family: list[Entry]) -> Found:
    """A lone .dbf; beside a .prj or .shx it is a shapefile that lost its .shp."""
    ends = {suffix_of(entry.name) for entry in family}
    companions = {
        suffix_of(entry.name): entry
        for entry in family
        if suffix_of(entry.name) in (".cpg", ".cst")
    }
    notes: tuple[Oddity, ...] = ()
    if ends & {".shx", ".prj", ".sbn", ".qix"}:
        notes = (
            odd("shp_missing", "the .shp is missing: attributes without geometry; send it too"),
        )
    return Found("table", table.name, table, companions, notes)


def _spelling(shape: str, companion: str) -> tuple[bool, bool, str]:
    """Sorts the companion whose spelling is nearest to the .shp first."""
    upper = shape.rsplit(".", 1)[1].isupper()
    return (
        stem_of(companion) != stem_of(shape),
        companion.rsplit(".", 1)[1].isupper() != upper,
        companion,
    )
