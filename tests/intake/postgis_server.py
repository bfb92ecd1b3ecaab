"""A PostGIS database to test with: one that is named, else a server of its own for the run."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NAMED = "SITEMAP_TEST_POSTGIS"  # an empty database that may be written into


@contextmanager
def database() -> Iterator[str]:
    """The address of an empty database; skips, with the reason, where there can be none."""
    pytest.importorskip("psycopg", reason="PostGIS is read with the extra postgis")
    if named := os.environ.get(NAMED):
        yield named
        return
    programs = _programs()
    if programs is None:
        pytest.skip(f"no PostgreSQL server with PostGIS is installed, and {NAMED} names none")
    folder = Path(tempfile.mkdtemp(prefix="postgis"))
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses root
    if user:
        shutil.chown(folder, user)

    def run(program: str, *words: str) -> None:
        command = [str(programs / program), "-D", str(folder / "data"), *words]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, user=user)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    try:
        run("initdb", "-A", "trust", "-U", "postgres")
        run("pg_ctl", "-w", "-o", options, "-l", str(folder / "log"), "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    """Where the server's programs are, when PostGIS lies beside them."""
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/local/pgsql").glob("bin")]
    if found := shutil.which("pg_ctl"):
        places.append(Path(found).resolve().parent)
    for place in places:
        shared = subprocess.run(
            [place / "pg_config", "--sharedir"], capture_output=True, text=True, check=False
        ).stdout.strip()
        if (place / "initdb").exists() and (Path(shared) / "extension/postgis.control").exists():
            return place
    return None
