"""The SHA-256 of a file on disk, worked out once a run: intake names by it, the manifest proves."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

_KEPT = 4096  # files; more than that in one run are hashed where they are asked for again


def sha256_of_file(path: Path) -> str:
    """Its SHA-256 as hexadecimal digits, as `sha256sum` prints it; OSError where it is gone.

    Worked out again when the file's size or time of change is another than before.
    """
    known = path.stat()
    return _digest(os.fspath(path.absolute()), known.st_size, known.st_mtime_ns, known.st_ino)


@lru_cache(maxsize=_KEPT)
def _digest(path: str, size: int, changed_ns: int, node: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
