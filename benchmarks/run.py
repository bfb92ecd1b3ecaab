"""Ratios measured side by side, whole processes: what sitemap costs beside the least it could.

Each pair runs in turn (A B A B ...), so that a drifting machine drifts for both; the median of
the ratios is what to quote. CPU seconds (user + system) of the finished child, from the kernel.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = next((ROOT / "sample_sites").glob("*/site.toml"))
SITEMAP = str(Path(sys.executable).with_name("sitemap"))

READ_THE_SAME = f"""
import pathlib, pyogrio, geopandas
for path in sorted(pathlib.Path({str(SAMPLE.parent)!r}).rglob("*")):
    if path.suffix in (".gpkg", ".shp", ".geojson"):
        for name, _ in pyogrio.list_layers(path):
            geopandas.read_file(path, layer=name)
"""


@dataclass(frozen=True)
class Pair:
    """Two commands and what their ratio tells."""

    title: str
    ours: Sequence[str]
    other_title: str
    other: Sequence[str]


def pairs(folder: Path) -> list[Pair]:
    """What is compared; plates are written into `folder`."""
    python = [sys.executable, "-c"]
    read = [*python, READ_THE_SAME]
    plate = [SITEMAP, "plate", str(SAMPLE), "-o", str(folder / "plate.pdf"), "-q"]
    return [
        Pair("sitemap --help", [SITEMAP, "--help"], "python -c pass", [*python, "pass"]),
        Pair(
            "sitemap check (sample)", [SITEMAP, "check", str(SAMPLE), "-q"], "geopandas reads", read
        ),
        Pair("sitemap plate (sample)", plate, "geopandas reads", read),
    ]


def cost(command: Sequence[str]) -> tuple[float, float]:
    """CPU and wall seconds of one run of the command; its output is thrown away."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return used.ru_utime + used.ru_stime, time.perf_counter() - start


def compare(pair: Pair, runs: int) -> str:
    """One line: medians of both, median ratio of CPU time with its least and greatest."""
    cost(pair.ours), cost(pair.other)  # warm the disk
    ours, other = [], []
    for _ in range(runs):
        ours.append(cost(pair.ours))
        other.append(cost(pair.other))
    ratios = [a[0] / b[0] for a, b in zip(ours, other, strict=True)]
    mine, theirs = (statistics.median(x[0] for x in side) for side in (ours, other))
    wall = statistics.median(x[1] for x in ours)
    return (
        f"{pair.title:<26} {mine:6.2f} s CPU, {wall:6.2f} s wall | {pair.other_title:<16} "
        f"{theirs:6.2f} s CPU | ratio {statistics.median(ratios):.2f} "
        f"({min(ratios):.2f} to {max(ratios):.2f})"
    )


def main() -> None:
    """Print one line a pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--runs", type=int, default=5, help="counted runs of each command")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs(Path(folder)):
            print(compare(pair, runs), flush=True)


if __name__ == "__main__":
    main()
