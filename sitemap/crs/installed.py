"""PROJ as it is installed: version, register, datum grids."""

from __future__ import annotations

import pyproj
import pyproj.database
from pyproj.datadir import get_data_dir, get_user_data_dir  # type: ignore[attr-defined]
from pyproj.network import is_network_enabled  # type: ignore[attr-defined]

# Grids that turn a guess into a transformation in Wisconsin: datum and height shifts.
WANTED_GRIDS = (
    ("us_noaa_nadcon5_nad27_nad83_1986_conus.tif", "NAD27 to NAD83"),
    ("us_noaa_nadcon5_nad83_harn_nad83_fbn_conus.tif", "NAD83(HARN) to NAD83(2011)"),
    ("us_noaa_vertcone.tif", "NGVD29 to NAVD88 heights"),
)


def proj_state() -> list[tuple[str, str, bool]]:
    """Rows of (what, found, in order) on PROJ, its database and the datum grids, for `doctor`."""
    from pathlib import Path

    folders = [Path(get_data_dir()), Path(get_user_data_dir())]
    rows = [
        ("PROJ", pyproj.proj_version_str, True),
        ("EPSG database", str(pyproj.database.get_database_metadata("EPSG.VERSION")), True),
        ("PROJ network", "on" if is_network_enabled() else "off", True),
    ]
    for grid, use in WANTED_GRIDS:
        there = any((folder / grid).exists() for folder in folders)
        rows.append((f"grid {grid}", "present" if there else f"missing ({use} is rough)", there))
    return rows
