"""Ratios measured side by side, whole processes: what sitemap costs beside the least it could."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from pairs import PYTHON, SITEMAP, Pair, compare, reading

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = next((ROOT / "sample_sites").glob("*/site.toml"))


def pairs(folder: Path) -> list[Pair]:
    """What is compared; plates are written into `folder`."""
    plate = [SITEMAP, "plate", str(SAMPLE), "-o", str(folder / "plate.pdf"), "-q"]
    read = reading(SAMPLE.parent)
    return [
        Pair("sitemap --help", [SITEMAP, "--help"], "python -c pass", [*PYTHON, "pass"]),
        Pair("sitemap plate (sample)", plate, "geopandas reads", read),
    ]


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
