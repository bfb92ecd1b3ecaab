"""What the review costs: windows out of statewide references, a whole review of the sample site.

Windows: the same ground read from 10,000 and from 1,000,000 invented wetlands, in turn (A B A B
...), in each format that has an index; CPU milliseconds of all that --reference does with one layer
(find, recognise, read, transform, cut, identify). The whole review: CPU seconds and greatest memory
of the finished process, from the kernel.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import geopandas
import numpy as np
import shapely

from sitemap import open_site
from sitemap.crs import to_crs
from sitemap.intake.reference import with_reference
from sitemap.intake.reference_store import Wanted
from sitemap.site import Site

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample_sites" / "kettle-ridge"
KNOWN = ROOT / "sample_sites" / "kettle-ridge-reference"
SITEMAP = str(Path(sys.executable).with_name("sitemap"))
WTM = "EPSG:3071"
FEW, MANY = 10_000, 1_000_000
APART_M = 400.0
SEED = 162
ROWS_A_GROUP = 5_000  # of GeoParquet
CODES = ("E2K", "T3K", "S3/E1K", "T5K", "E1H")


def wetlands(count: int, middle: tuple[float, float]) -> geopandas.GeoDataFrame:
    """Wetlands of 20 corners on a square lattice around a place, jittered; in Hilbert order."""
    random = np.random.default_rng(SEED)
    side = int(np.ceil(np.sqrt(count)))
    number = np.arange(count)
    column, row = number % side - side // 2, number // side - side // 2
    turn = np.linspace(0.0, 2.0 * np.pi, 21)
    place = np.hypot(column, row)  # the same shapes around the middle, however many there are
    shape = np.sin(place[:, None] * 12.9898 + turn[None, :] * 3.0) * 0.2 + 1.0
    shape[:, -1] = shape[:, 0]
    radius = (60.0 + 60.0 * np.abs(np.sin(column * 7.1 + row * 3.3)))[:, None] * shape
    x = middle[0] + column[:, None] * APART_M + radius * np.cos(turn)
    y = middle[1] + row[:, None] * APART_M + radius * np.sin(turn)
    frame = geopandas.GeoDataFrame(
        {"WETCODE": random.choice(CODES, count), "PLS": number.astype(str)},
        geometry=shapely.polygons(np.stack([x, y], axis=-1)),
        crs=WTM,
    )
    return frame.iloc[np.argsort(frame.hilbert_distance().to_numpy())].reset_index(drop=True)


def written(frame: geopandas.GeoDataFrame, folder: Path) -> dict[str, Path]:
    """The wetlands in every format with an index; GeoParquet only where pyarrow is there."""
    stem = f"wetlands_{len(frame)}"
    files = {
        "FlatGeobuf": folder / f"{stem}.fgb",
        "GeoPackage": folder / f"{stem}.gpkg",
        "shapefile with .qix": folder / f"{stem}.shp",
    }
    for name, path in files.items():
        if not path.exists():
            more = {"SPATIAL_INDEX": "YES"} if path.suffix == ".shp" else {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                frame.to_file(path, engine="pyogrio", **more)
            print(f"wrote {name}, {len(frame):,} wetlands", file=sys.stderr, flush=True)
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return files
    path = folder / f"{stem}.parquet"
    if not path.exists():
        frame.to_parquet(path, write_covering_bbox=True, row_group_size=ROWS_A_GROUP)
    return {**files, "GeoParquet with bbox": path}


def cpu_ms(call: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    gc.collect()
    start = time.process_time()
    call()
    return 1e3 * (time.process_time() - start)


def windows(site: Site, folder: Path, runs: int) -> None:
    """One line a format: milliseconds from few and from many, and their ratio."""
    assert site.boundary is not None
    spot = geopandas.GeoDataFrame(geometry=[site.boundary.centroid], crs=site.crs)
    point = to_crs(spot, spot.set_crs(WTM, allow_override=True).crs)[0].geometry.iloc[0]
    middle = float(point.x), float(point.y)
    few = written(wetlands(FEW, middle), folder)
    large = {
        name: path.with_name(path.name.replace(str(FEW), str(MANY))) for name, path in few.items()
    }
    if not all(path.exists() for path in large.values()):
        written(wetlands(MANY, middle), folder)
    for name in few:
        found = [_read(site, path) for path in (few[name], large[name])]
        assert found[0] == found[1] > 0, f"{name}: {found} features"
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(runs):
            for kept, path in zip(times, (few[name], large[name]), strict=True):
                kept.append(cpu_ms(lambda path=path: _read(site, path)))  # type: ignore[misc]
        ratios = [b / a for a, b in zip(*times, strict=True)]
        small, big = (statistics.median(side) for side in times)
        print(
            f"{name:<22} {found[0]:3d} features | {FEW:,}: {small:6.1f} ms | {MANY:,}: "
            f"{big:6.1f} ms | ratio {big / small:.2f} (pairs {min(ratios):.2f} to "
            f"{max(ratios):.2f})",
            flush=True,
        )


def _read(site: Site, path: Path) -> int:
    found = with_reference(replace(site), [Wanted(str(path))]).reference
    assert not found.unread, found.unread
    return sum(len(layer) for layer in found.layers)


def whole_review(runs: int) -> None:
    """CPU seconds, wall seconds and greatest memory of whole processes."""
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "check": [SITEMAP, "check", str(SAMPLE), "-q"],
            "check --reference": [SITEMAP, "check", str(SAMPLE), "--reference", str(KNOWN), "-q"],
            "review (HTML desk)": [
                SITEMAP, "review", str(SAMPLE), "--reference", str(KNOWN), "-q", "-o",
                f"{folder}/review.html",
            ],
        }  # fmt: skip
        for name, command in commands.items():
            costs = [cost(command) for _ in range(runs)]
            cpu, wall, memory = (statistics.median(c[i] for c in costs) for i in range(3))
            print(f"{name:<22} {cpu:5.2f} s CPU, {wall:5.2f} s wall, {memory:,.0f} MB", flush=True)


def cost(command: list[str]) -> tuple[float, float, float]:
    """CPU and wall seconds and greatest resident MB of one run of the command."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == 2:
        raise SystemExit(f"{' '.join(command)} could not run")
    return used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss / 1024.0


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--runs", type=int, default=15, help="counted windows of each size")
    parser.add_argument("--folder", type=Path, help="where the wetlands are kept (2.5 GB)")
    parser.add_argument("--only", choices=("windows", "whole"), help="one half of it")
    said = parser.parse_args()
    if said.only != "whole":
        with tempfile.TemporaryDirectory() as made:
            folder = said.folder or Path(made)
            folder.mkdir(parents=True, exist_ok=True)
            windows(open_site(SAMPLE), folder, said.runs)
    if said.only != "windows":
        whole_review(3)


if __name__ == "__main__":
    main()
