"""The SHA-256 of a file: as `sha256sum` prints it, and anew once the file is another."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from sitemap.hashes import sha256_of_file


def test_is_the_sum_over_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "layer.gpkg"
    path.write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256_of_file(path) == known


def test_a_file_of_the_same_size_that_was_written_later_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "layer.gpkg"
    path.write_bytes(b"before")
    before = sha256_of_file(path)
    path.write_bytes(b"after!")
    later = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))
    assert sha256_of_file(path) == hashlib.sha256(b"after!").hexdigest() != before


def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    path = tmp_path / "gone.shp"
    path.write_bytes(b"x")
    sha256_of_file(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        sha256_of_file(path)
