"""Writing results: to a temporary name first, then moved into place; never over an input."""

from __future__ import annotations

import datetime as dt
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sitemap.errors import UsageError


def refuse_inputs(target: Path, inputs: Iterable[Path]) -> None:
    """UsageError when `target` is one of the inputs, or lies inside one (a .gdb folder)."""
    resolved = target.resolve()
    for source in inputs:
        known = source.resolve()
        inside = known.suffix.lower() == ".gdb" and known in resolved.parents
        if resolved == known or inside:
            raise UsageError(
                f"{target}: this is an input of the run, and inputs are never written to; "
                "give another name with -o"
            )


@contextmanager
def written_in_place(target: Path) -> Iterator[Path]:
    """A temporary path beside `target`, moved onto it when the block ends without an error.

    UsageError when the folder does not exist or cannot be written to.
    """
    folder = target.parent
    if not folder.is_dir():
        raise UsageError(f"{target}: the folder {folder} does not exist; make it first")
    if target.is_dir():
        raise UsageError(f"{target}: this is a folder; give the name of a file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.stem}-", suffix=target.suffix, dir=folder)
    except OSError as error:
        raise UsageError(f"{target}: cannot write there ({error.strerror})") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except PermissionError as error:
        raise UsageError(
            f"{target}: cannot be replaced ({error.strerror}); close the program that holds it"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_text_file(target: Path, text: str) -> None:
    """Write text as UTF-8 with newline ends, through a temporary name."""
    with written_in_place(target) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def dated_geopackage(day: dt.date) -> Iterator[None]:
    """GDAL writes this day instead of the clock's into GeoPackages while the block runs."""
    import pyogrio

    name = "OGR_CURRENT_DATE"
    before = pyogrio.get_gdal_config_option(name)
    pyogrio.set_gdal_config_options({name: f"{day.isoformat()}T00:00:00.000Z"})
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options({name: before})
