"""Shared fixtures; the header names the engines whose versions decide results."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"


# No test is timed: cores are shared, and a deadline of 200 ms a case fails where others are busy.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


def pytest_report_header(config: pytest.Config) -> list[str]:
    import fiona
    import pyogrio
    import pyproj
    import rasterio
    import shapely

    return [
        f"GEOS {shapely.geos_version_string}, PROJ {pyproj.proj_version_str}, "
        f"GDAL pyogrio {'.'.join(map(str, pyogrio.__gdal_version__))}, "
        f"rasterio {rasterio.__gdal_version__}, fiona {fiona.__gdal_version__}",
        f"real data: {'present' if SHARED_DATA.is_dir() else 'absent, tests on it are skipped'}",
    ]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real files that none of us made."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the folder of real files is not beside this checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium without WebGL: one for all tests, since a process can have only one."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no chromium (Debian: chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-webgl", "--disable-3d-apis"]
        )
        yield started
        started.close()
