"""What `sitemap check` costs beside reading the same layers with geopandas: time and memory.

The sample site with all its rules, and a big one (big_site.py) with all rules on geometry. "The
data" of the memory ratio is what reading adds: the greatest memory of a Python that imports
geopandas and holds all layers, less that of one that only imports it.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from pairs import PYTHON, SITEMAP, Compared, Cost, Pair, compare, cost, reading

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = next((ROOT / "sample_sites").glob("*/site.toml"))
BIG_SITE = Path(__file__).with_name("big_site.py")
RULES = ("GEO", "TOP", "CON")  # on geometry
MOST_MEMORY = 3.0  # times the data


def checking(site: Path, rules: tuple[str, ...] = ()) -> list[str]:
    """The check of a site, by all rules or by some."""
    chosen = [word for rule in rules for word in ("--select", rule)]
    return [SITEMAP, "check", str(site), "-q", *chosen]


def memory_line(compared: Compared) -> str:
    """What the check holds at its peak, in multiples of the data."""
    bare = statistics.median(cost([*PYTHON, "import geopandas"]).peak_mb for _ in range(3))
    ours, read = (_peak_mb(runs) for runs in (compared.ours, compared.other))
    data = read - bare
    return (
        f"{'memory of the big check':<28} {ours:6.0f} MB at its peak | the data {data:.0f} MB "
        f"({read:.0f} MB with them read, {bare:.0f} MB without) | "
        f"{(ours - bare) / data:.2f} times the data; promised {MOST_MEMORY:g}"
    )


def _peak_mb(runs: tuple[Cost, ...]) -> float:
    return statistics.median(run.peak_mb for run in runs)


def main() -> None:
    """Print one line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--runs", type=int, default=5, help="counted runs of each command")
    parser.add_argument("--vertices", type=int, default=1_000_000, help="of contours")
    parser.add_argument("--polygons", type=int, default=100_000, help="soils and wetlands")
    asked = parser.parse_args()
    read_title = "geopandas reads"
    sample = Pair("check, sample site", checking(SAMPLE), read_title, reading(SAMPLE.parent), 1.6)
    print(compare(sample, asked.runs), flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = ["--vertices", str(asked.vertices), "--polygons", str(asked.polygons)]
        # by another process: the kernel counts the memory of this one to its children's peak
        subprocess.run([sys.executable, BIG_SITE, folder, *sizes], check=True)
        big = Pair(
            "check, big site",
            checking(folder / "site.toml", RULES),
            read_title,
            reading(folder),
            2.5,
        )
        compared = compare(big, asked.runs)
        print(compared, flush=True)
        print(memory_line(compared), flush=True)


if __name__ == "__main__":
    main()
