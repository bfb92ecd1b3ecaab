"""What a zip archive holds: its files, the members refused by name, and archives that are bombs.

Members are never unpacked under their own names, so none of them could leave the temporary
folder; a name that tries to is refused all the same, because nobody honest writes one.
"""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sitemap.errors import DatasetError
from sitemap.intake.files import (
    GDB_CATALOGUE,
    DiskFile,
    Entry,
    GdbFolder,
    Workspace,
    ZippedFile,
    folder_of,
    read_head,
    suffix_of,
)
from sitemap.intake.formats import ARCHIVES, KINDS, REFUSED, WORLD_FILES
from sitemap.intake.sniff import WORDS, sniff
from sitemap.layer import Unreadable

MAX_UNPACKED_BYTES = 16 << 30  # an archive that swells beyond this is refused
MAX_RATIO = (
    200  # unpacked : packed, over the whole archive; maps in a zip shrink to a half or a tenth
)
FREE_BYTES = 1 << 30  # an archive that unpacks to less may be of any ratio
MAX_MEMBERS = 100_000
_UNIX, _LOCAL_HEADER_BYTES = 3, 30
_DRIVE = re.compile(r"[A-Za-z]:")


def with_archives(entries: Iterable[Entry], work: Workspace) -> list[Entry | Unreadable]:
    """Entries of a folder with every archive replaced by what is in it."""
    listed: list[Entry | Unreadable] = []
    for entry in entries:
        if suffix_of(entry.name) in ARCHIVES and not is_dust(entry.name):
            listed.extend(archive_or_reason(entry, f"{entry.name}/", work))
        else:
            listed.append(entry)
    return listed


def archive_or_reason(entry: Entry, prefix: str, work: Workspace) -> list[Entry | Unreadable]:
    """What is in an archive on disk, or the one reason why nothing can be taken out of it."""
    assert isinstance(entry, DiskFile)
    head = read_head(entry)
    if not head or sniff(head) in ("web page", "rar", "7z", "gzip", "lfs"):
        kind = sniff(head)
        return [Unreadable(entry.name, kind.replace(" ", "_"), WORDS[kind])]
    try:
        members = zip_entries(work.archive(entry.path), entry.name, prefix)
    except DatasetError as error:
        return [Unreadable(entry.name, error.kind, error.reason)]
    files = [member for member in members if not isinstance(member, Unreadable)]
    names = [member.name for member in files]
    if not any(isinstance(m, GdbFolder) or _is_data(m.name) for m in files):
        nested = any(suffix_of(name) in ARCHIVES for name in names)
        if not nested and len(names) == len(members):
            return [Unreadable(entry.name, "archive_without_data", "the archive holds no dataset")]
    return list(members)


def _is_data(name: str) -> bool:
    suffix = suffix_of(name)
    known = suffix in KINDS or suffix in REFUSED or suffix in (".dbf", *WORLD_FILES)
    return known and not is_dust(name)


def is_dust(name: str) -> bool:
    """Files that archivers and desktops leave behind: __MACOSX, ._ twins, .DS_Store."""
    parts = name.split("/")
    return (
        "__MACOSX" in parts
        or parts[-1].startswith("._")
        or parts[-1] in (".DS_Store", "Thumbs.db", "desktop.ini")
    )


def is_zip(path: Path) -> bool:
    """True by the first bytes, whatever the name."""
    return sniff(read_head(DiskFile(path.name, path))) == "zip"


def zip_entries(archive: zipfile.ZipFile, name: str, prefix: str = "") -> list[Entry | Unreadable]:
    """Every file of an archive, in order of name; a geodatabase is one entry, whatever its name.

    Members with a path upwards, an absolute path or a link come back as Unreadable. DatasetError
    for an archive that would swell beyond the limits above, or whose members lie one in another.
    """
    _refuse_bomb(archive, name)
    members: list[ZippedFile] = []
    refused: list[Entry | Unreadable] = []
    for info in archive.infolist():
        if info.is_dir():
            continue
        reason = _refusal(info)
        if reason:
            shown = prefix + _typed_name(info)
            refused.append(Unreadable(shown, "unsafe_member", f"{reason}; it was not opened"))
        else:
            members.append(ZippedFile(prefix + _member_name(info), archive, info))
    members.sort(key=lambda member: member.name)
    catalogues = (m for m in members if m.name.lower().rsplit("/", 1)[-1] == GDB_CATALOGUE)
    geodatabases = {folder_of(member.name) for member in catalogues}
    plain: list[Entry | Unreadable] = []
    tables: dict[str, list[Entry]] = {}
    for member in members:
        folder = folder_of(member.name)
        if folder in geodatabases or folder.lower().endswith(".gdb"):
            if suffix_of(member.name) != ".lock":
                tables.setdefault(folder, []).append(member)
        else:
            plain.append(member)
    found = [GdbFolder(folder or name, tuple(parts)) for folder, parts in tables.items()]
    return plain + found + refused


def _refuse_bomb(archive: zipfile.ZipFile, name: str) -> None:
    """DatasetError with the limit that an archive breaks."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        reason = f"holds {len(infos):,} files; at most {MAX_MEMBERS:,} are taken"
        raise DatasetError(name, "archive_too_large", f"{reason}. Send the folder instead")
    unpacked = sum(info.file_size for info in infos)
    packed = max(1, sum(info.compress_size for info in infos))
    if unpacked > MAX_UNPACKED_BYTES:
        raise DatasetError(
            name,
            "archive_too_large",
            f"would unpack to {unpacked / 2**30:.0f} GiB; at most {MAX_UNPACKED_BYTES >> 30} GiB "
            "are taken. Send the folder instead",
        )
    if unpacked > FREE_BYTES and unpacked > MAX_RATIO * packed:
        raise DatasetError(
            name,
            "archive_bomb",
            f"would swell {unpacked / packed:,.0f} times to {unpacked / 2**30:.1f} GiB; at most "
            f"{MAX_RATIO} times are taken. Send the folder instead",
        )
    _refuse_overlap(infos, name)


def _refuse_overlap(infos: list[zipfile.ZipInfo], name: str) -> None:
    """Members that share their bytes are the other way to make a bomb."""
    end = 0
    for info in sorted(infos, key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise DatasetError(
                name, "archive_bomb", f"{info.filename} lies inside another member of the archive"
            )
        end = info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size


def _refusal(info: zipfile.ZipInfo) -> str:
    """Why a member is not opened; empty for one that is."""
    name = _typed_name(info)
    if info.create_system == _UNIX and stat.S_ISLNK(info.external_attr >> 16):
        return "a link to another place instead of a file; send the file itself"
    if name.startswith("/") or _DRIVE.match(name):
        return "its name in the archive is an absolute path; pack it with relative names"
    if ".." in name.split("/"):
        return "its name in the archive leads upwards (..); pack it without"
    return ""


def _typed_name(info: zipfile.ZipInfo) -> str:
    """The name as typed, with forward slashes: old archivers store UTF-8 without saying so."""
    name = info.filename
    if not info.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _member_name(info: zipfile.ZipInfo) -> str:
    return "/".join(part for part in PurePosixPath(_typed_name(info)).parts if part != ".")
