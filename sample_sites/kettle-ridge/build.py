"""Builds the sample site: `python build.py [FOLDER]` writes the layers into FOLDER/layers.

Everything follows from terrain.py and a fixed seed; two runs give the same content.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from writing import write_all

import layers


def build(folder: Path) -> None:
    """Write layers/ under the folder."""
    target = folder / "layers"
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    write_all(layers.draw(), target)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
