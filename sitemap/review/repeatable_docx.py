"""A Word document saved so that the same content is the same bytes."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from pathlib import Path
from typing import Any

ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
MADE = dt.datetime(2000, 1, 1)


def save_repeatably(page: Any, path: Path, moment: dt.datetime = MADE) -> None:
    """Save a document so that the same content is the same bytes: entries without a clock."""
    if hasattr(page, "core_properties"):
        page.core_properties.created = page.core_properties.modified = moment
    raw = io.BytesIO()
    page.save(raw)
    with (
        zipfile.ZipFile(raw) as source,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(name))
