"""Two whole processes measured in turn (A B A B ...), so that a drifting machine drifts for both.

CPU seconds (user + system) and the greatest memory of the finished child, from the kernel. The
median of the ratios, pair by pair, is what to quote.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

SITEMAP = str(Path(sys.executable).with_name("sitemap"))
PYTHON = (sys.executable, "-c")
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True)
class Pair:
    """Two commands and what their ratio tells; most is the ratio promised, where one is."""

    title: str
    ours: Sequence[str]
    other_title: str
    other: Sequence[str]
    most: float | None = None


class Cost(NamedTuple):
    """What one run of a command took."""

    cpu_s: float
    wall_s: float
    peak_mb: float


def cost(command: Sequence[str], accepted: Collection[int] = (0, 1, 3)) -> Cost:
    """One run of the command; its output is thrown away. RuntimeError when it could not run.

    accepted are its exit codes when it could: findings and open questions are results, too.
    """
    # as a newcomer's machine: what the first run has compiled is there for the second
    kept = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    start = time.perf_counter()
    nowhere = subprocess.DEVNULL
    child = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=kept)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in accepted:
        raise RuntimeError(f"exit code {child.returncode}: {' '.join(command)}")
    wall_s = time.perf_counter() - start
    return Cost(used.ru_utime + used.ru_stime, wall_s, used.ru_maxrss / 1024.0)


@dataclass(frozen=True)
class Compared:
    """The runs of a pair."""

    pair: Pair
    ours: tuple[Cost, ...]
    other: tuple[Cost, ...]

    @property
    def ratios(self) -> list[float]:
        """CPU seconds of ours over those of the other, run by run."""
        return [a.cpu_s / b.cpu_s for a, b in zip(self.ours, self.other, strict=True)]

    def __str__(self) -> str:
        """One line: medians of both, median ratio of CPU time with its least and greatest."""
        mine, theirs = (statistics.median(c.cpu_s for c in x) for x in (self.ours, self.other))
        wall = statistics.median(c.wall_s for c in self.ours)
        promised = f"; promised {self.pair.most:g}" if self.pair.most is not None else ""
        return (
            f"{self.pair.title:<28} {mine:6.2f} s CPU, {wall:6.2f} s wall | "
            f"{self.pair.other_title:<20} {theirs:6.2f} s CPU | ratio "
            f"{statistics.median(self.ratios):.2f} ({min(self.ratios):.2f} to "
            f"{max(self.ratios):.2f}){promised}"
        )


def compare(pair: Pair, runs: int) -> Compared:
    """Run both in turn, after one run of each that is not counted and warms the disk."""
    cost(pair.ours), cost(pair.other)
    both = [(cost(pair.ours), cost(pair.other)) for _ in range(runs)]
    return Compared(pair, tuple(a for a, _ in both), tuple(b for _, b in both))


def reading(folder: Path) -> list[str]:
    """A fresh Python that imports geopandas and reads every vector layer below a folder."""
    return [
        *PYTHON,
        "import pathlib, pyogrio, geopandas\n"
        f"for path in sorted(pathlib.Path({str(folder)!r}).rglob('*')):\n"
        "    if path.suffix in ('.gpkg', '.shp', '.geojson'):\n"
        "        for name, _ in pyogrio.list_layers(path):\n"
        "            kept = globals().setdefault('kept', [])\n"
        "            kept.append(geopandas.read_file(path, layer=name))\n",
    ]
