"""Plates beside QGIS's layouts of the same contours, whole processes in turn.

Medians of CPU seconds, peak memory and size of the PDF; then what a further sheet of a set costs.
QGIS is left out by name where its Python (Debian: python3-qgis) is not installed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contour_site import write_site
from run import SAMPLE, SITEMAP

HERE = Path(__file__).resolve().parent
VERTICES = (99_000, 2_150_000)
FEET_PER_INCH = "50"
MOST_CPU_S = 600  # of one process: labels of lidar contours may take QGIS an hour
SET_SCALES = ("50", "20")  # the sample on one sheet, and on several


@dataclass(frozen=True)
class Cost:
    """CPU seconds, peak memory and what was written, of one finished process."""

    cpu_s: float
    peak_mb: float
    pdf_mb: float
    ended: bool = True  # False: stopped at the limit, so that all three are the least it takes


def cost(command: Sequence[str], pdf: Path, most_s: int = MOST_CPU_S) -> Cost:
    """Run a command that writes a PDF, for so many seconds of CPU at most; RuntimeError when it
    does not write one.
    """
    child = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (most_s, most_s))
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    spent_s, peak_mb = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024.0
    if child.returncode < 0 and spent_s > most_s - 1:
        return Cost(spent_s, peak_mb, 0.0, ended=False)
    if child.returncode != 0 or not pdf.is_file():
        raise RuntimeError(f"exit code {child.returncode}: {' '.join(command)}")
    size = pdf.stat().st_size / 1e6
    return Cost(spent_s, peak_mb, size)


def qgis_python() -> str | None:
    """The Python that has QGIS, or None."""
    python = shutil.which("python3", path="/usr/bin")
    if python is None:
        return None
    probe = subprocess.run([python, "-c", "import qgis.core"], capture_output=True, check=False)
    return python if probe.returncode == 0 else None


def beside_qgis(folder: Path, vertices: int, runs: int) -> str:
    """One line of the table for a map of so many contour vertices."""
    data = write_site(folder / str(vertices), vertices)
    pdf = folder / "plate.pdf"
    ours = [SITEMAP, "plate", str(data.parent), "-o", str(pdf), "--scale", FEET_PER_INCH, "-q"]
    python = qgis_python()
    other = [python, str(HERE / "qgis_layout.py"), str(data), str(pdf), FEET_PER_INCH]
    pairs = []
    for _ in range(runs):
        pdf.unlink(missing_ok=True)
        mine = cost(ours, pdf)
        pdf.unlink(missing_ok=True)
        pairs.append((mine, cost([str(v) for v in other], pdf) if python else None))
    words = f"{vertices:>9,} vertices | sitemap plate {_middle([m for m, _ in pairs])}"
    theirs = [other for _, other in pairs if other is not None]
    if not theirs:
        return f"{words} | QGIS is not installed"
    ratio = statistics.median(m.cpu_s / o.cpu_s for m, o in pairs if o is not None)
    return f"{words} | QGIS {_middle(theirs)} | ratio of CPU {ratio:.2f}"


def _middle(costs: Sequence[Cost]) -> str:
    cpu = statistics.median(c.cpu_s for c in costs)
    peak = statistics.median(c.peak_mb for c in costs)
    pdf = statistics.median(c.pdf_mb for c in costs)
    least = "" if all(c.ended for c in costs) else "stopped at the limit, at least "
    return f"{least}{cpu:6.2f} s CPU, {peak:5.0f} MB, PDF {pdf:5.2f} MB"


def further_sheets(folder: Path, runs: int) -> str:
    """What each sheet of a set costs more than the one sheet of a smaller scale."""
    from sitemap.plate.read import measure_plate

    medians, pages = [], []
    for scale in SET_SCALES:
        pdf = folder / f"set{scale}.pdf"
        command = [SITEMAP, "plate", str(SAMPLE), "-o", str(pdf), "--scale", scale, "-q"]
        medians.append(statistics.median(cost(command, pdf).cpu_s for _ in range(runs)))
        pages.append(len(measure_plate(pdf).pages))
    each = (medians[1] - medians[0]) / max(1, pages[1] - pages[0])
    size = (folder / f"set{SET_SCALES[1]}.pdf").stat().st_size / 1e6
    return (
        f"sample: {pages[0]} page {medians[0]:.2f} s CPU, {pages[1]} pages {medians[1]:.2f} s CPU "
        f"({size:.2f} MB): {each:.2f} s for each further page"
    )


def main() -> None:
    """Print one line a map and one for the set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--runs", type=int, default=3, help="counted runs of each command")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        for vertices in VERTICES:
            print(beside_qgis(Path(folder), vertices, runs), flush=True)
        print(further_sheets(Path(folder), runs))


if __name__ == "__main__":
    sys.exit(main())
