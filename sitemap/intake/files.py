"""One file of a submission, on disk or inside a zip, and the temporary place to read it from.

Readers never see the user's paths: every dataset is linked, or unpacked, under a plain name in
a temporary folder, so that odd names cannot mislead a driver and nothing is written beside the
user's files.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from sitemap.errors import DatasetError
from sitemap.hashes import sha256_of_file

HEAD_BYTES = 4096
GDB_CATALOGUE = "a00000001.gdbtable"  # the table of tables of a file geodatabase
# what a damaged archive raises: by its list, its end, or in the middle of a packed member
DAMAGED = (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError)
# and by the headers of its members: names that are no text, places before the beginning
_BAD_HEADERS = (ValueError, struct.error, OSError)
_CHUNK_BYTES = 1 << 20
LEADS_OUT = (
    "a link that leads out of the submission; it was not opened. Put the file itself there, or "
    "name its place in site.toml"
)


def suffix_of(name: str) -> str:
    """The lower-case ending with its dot ('.shp'); also of a file that has nothing before it."""
    tail = name.rsplit("/", 1)[-1]
    return "." + tail.rsplit(".", 1)[1].lower() if "." in tail else ""


def stem_of(name: str) -> str:
    """The name without folder and ending."""
    tail = name.rsplit("/", 1)[-1]
    return tail.rsplit(".", 1)[0] if "." in tail else tail


def folder_of(name: str) -> str:
    """The folder part of a name inside the submission, '' at the top."""
    return name.rsplit("/", 1)[0] if "/" in name else ""


class Entry(Protocol):
    """A file: `name` is its path inside the submission as the user knows it."""

    @property
    def name(self) -> str:
        """Path inside the submission, with forward slashes."""
        ...

    @property
    def size(self) -> int:
        """Bytes."""
        ...

    @property
    def gdal_path(self) -> str:
        """A path that GDAL opens and that outlives the temporary folder."""
        ...

    def open(self) -> BinaryIO:
        """Open for reading; DatasetError when the archive does not give it out."""
        ...

    def stage(self, target: Path) -> None:
        """Make the content readable at `target`, without touching the original."""
        ...


@dataclass(frozen=True)
class DiskFile:
    """A file on disk."""

    name: str
    path: Path

    @property
    def size(self) -> int:
        """Bytes."""
        return self.path.stat().st_size

    @property
    def gdal_path(self) -> str:
        """A path that GDAL opens."""
        return str(self.path.absolute())

    def open(self) -> BinaryIO:
        """Open for reading; DatasetError when the system does not allow it."""
        try:
            return self.path.open("rb")
        except OSError as error:
            reason = f"the system does not give it out ({error.strerror})"
            raise DatasetError(self.name, "locked", reason) from None

    def stage(self, target: Path) -> None:
        """Link it."""
        link_or_copy(self.path.absolute(), target)


@dataclass(frozen=True)
class ZippedFile:
    """A member of an open archive. Its stored name is never used as a path to write to."""

    name: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @property
    def size(self) -> int:
        """Bytes."""
        return self.info.file_size

    @property
    def gdal_path(self) -> str:
        """A path that GDAL opens."""
        inside = self.info.filename.replace("\\", "/")  # as GDAL lists what Windows programs pack
        return f"/vsizip/{{{Path(str(self.archive.filename)).absolute()}}}/{inside}"

    def open(self) -> BinaryIO:
        """Open for reading; DatasetError when it is locked or damaged."""
        if self.info.flag_bits & 1:
            raise DatasetError(
                self.name, "encrypted", "locked by a password; send the archive without one"
            )
        try:
            return self.archive.open(self.info)  # type: ignore[return-value]
        except NotImplementedError:  # Deflate64, which Windows takes for large files
            reason = f"packed by a method ({self.info.compress_type}) that is not read; pack it "
            raise DatasetError(
                self.name, "archive_method", reason + "again as a plain zip, or send the folder"
            ) from None
        except (*DAMAGED, *_BAD_HEADERS, RuntimeError) as error:
            raise DatasetError(
                self.name, "archive_damaged", f"cannot be taken out of its archive ({error})"
            ) from None

    def stage(self, target: Path) -> None:
        """Unpack it."""
        try:
            with self.open() as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, _CHUNK_BYTES)
        except DAMAGED as error:
            raise DatasetError(
                self.name, "archive_damaged", f"damaged inside its archive ({error})"
            ) from None


@dataclass(frozen=True)
class GdbFolder:
    """A file geodatabase: a folder that counts as one file."""

    name: str
    parts: tuple[Entry, ...]
    path: Path | None = None  # None inside a zip

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(part.size for part in self.parts)

    @property
    def gdal_path(self) -> str:
        """A path that GDAL opens."""
        return str(self.path.absolute()) if self.path else folder_of(self.parts[0].gdal_path)

    def open(self) -> BinaryIO:
        """Open for reading."""
        return self.parts[0].open()

    def stage(self, target: Path) -> None:
        """Link or unpack the tables; GDAL leaves no lock in a folder of links."""
        target.mkdir()
        for part in self.parts:
            part.stage(target / part.name.rsplit("/", 1)[-1])


def link_or_copy(source: Path, target: Path) -> None:
    """A symbolic link where the system allows it, else a copy."""
    try:
        os.symlink(source, target)
    except (OSError, NotImplementedError):  # Windows without the right to link
        shutil.copyfile(source, target)


def read_head(entry: Entry, count: int = HEAD_BYTES) -> bytes:
    """The first bytes of a file; of a locked or damaged one none, reading it will say why."""
    with suppress(DatasetError, *DAMAGED), entry.open() as stream:
        return stream.read(count)
    return b""


def sha256_of(entries: Sequence[Entry]) -> str:
    """SHA-256 over the bytes of the files in the given order, read in pieces.

    For a dataset of one file this is the sum that `sha256sum` prints.
    """
    if len(entries) == 1 and isinstance(entries[0], DiskFile):
        with suppress(OSError):
            return sha256_of_file(entries[0].path)
    digest = hashlib.sha256()
    for entry in entries:
        with suppress(DatasetError, *DAMAGED, OSError), entry.open() as stream:
            while piece := stream.read(_CHUNK_BYTES):
                digest.update(piece)
    return digest.hexdigest()


@dataclass
class Workspace:
    """The temporary folder and the open archives of one run; both end with `workspace()`."""

    folder: Path
    stack: ExitStack
    archives: dict[Path, zipfile.ZipFile] = field(default_factory=dict)
    _made: int = 0

    def new_folder(self) -> Path:
        """A fresh empty folder."""
        self._made += 1
        folder = self.folder / f"{self._made:04d}"
        folder.mkdir()
        return folder

    def archive(self, path: Path) -> zipfile.ZipFile:
        """The archive at `path`, opened once; DatasetError with the plain reason if it is none."""
        key = path.absolute()
        if key not in self.archives:
            try:
                opened = self.stack.enter_context(zipfile.ZipFile(key))
            except (zipfile.BadZipFile, EOFError, ValueError, struct.error) as error:
                raise DatasetError(
                    path.name, "archive_damaged", f"is not a zip archive or is cut off ({error})"
                ) from None
            self.archives[key] = opened
        return self.archives[key]


@contextmanager
def workspace() -> Iterator[Workspace]:
    """A Workspace that is removed, and whose archives are closed, at the end."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="sitemap-"))
        yield Workspace(Path(folder), stack)


def disk_entries(root: Path) -> Iterator[Entry]:
    """Every file below a folder, in order of name; a geodatabase is one entry.

    No link to a folder is followed: the files of one below `root` stand at their own place, and
    one that leads out of `root` is refused, as a link to a file there is (`out_of_reach`).
    """
    return _below(root, "", root.resolve())


def _below(folder: Path, prefix: str, root: Path) -> Iterator[Entry]:
    for path in _children(folder):
        name = f"{prefix}{path.name}"
        if path.is_dir():
            if path.is_symlink():
                continue
            if is_geodatabase(path):
                yield gdb_folder(path, name)
            else:
                yield from _below(path, f"{name}/", root)
        elif path.is_file() and not _leads_out(path, root):
            yield DiskFile(name, path)


def out_of_reach(root: Path) -> Iterator[tuple[str, str, str]]:
    """(name, kind, reason) of what lies below a folder and is not read: links that lead out of it
    or to nothing, and locked folders.
    """
    return _refused(root, "", root.resolve())


def _refused(folder: Path, prefix: str, root: Path) -> Iterator[tuple[str, str, str]]:
    for path in _children(folder):
        name = f"{prefix}{path.name}"
        if path.is_symlink() and not path.exists():
            yield name, "locked", "a link to a file that is not there; send the file"
        elif _leads_out(path, root):
            yield name, "unsafe_member", LEADS_OUT
        elif path.is_dir() and not path.is_symlink():
            if not os.access(path, os.R_OK | os.X_OK):
                yield name, "locked", "the system does not allow to look into this folder"
            yield from _refused(path, f"{name}/", root)


def _leads_out(path: Path, root: Path) -> bool:
    """Whether a link leads to a place outside the submission: what lies there was not handed in."""
    return path.is_symlink() and root not in (there := path.resolve()).parents and there != root


def _children(root: Path) -> list[Path]:
    """What lies in a folder, in order of name; nothing of one that the system keeps closed."""
    try:
        return sorted(root.iterdir(), key=lambda p: p.name)
    except OSError:
        return []


def is_geodatabase(path: Path) -> bool:
    """True for a folder that holds a geodatabase, whatever its name, or that is named like one."""
    inside = _children(path)
    if any(p.name.lower() == GDB_CATALOGUE for p in inside):
        return True
    return path.suffix.lower() == ".gdb" and not any(p.is_dir() for p in inside)


def gdb_folder(path: Path, name: str) -> GdbFolder:
    """A file geodatabase on disk; lock files of a running ArcGIS are left out."""
    root = path.resolve().parent  # a table that is a link elsewhere is none of this geodatabase
    files = sorted(
        p
        for p in _children(path)
        if p.is_file() and p.suffix.lower() != ".lock" and not _leads_out(p, root)
    )
    return GdbFolder(name, tuple(DiskFile(f"{name}/{p.name}", p) for p in files), path)
