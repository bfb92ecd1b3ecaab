"""Builds the sample site: `python build.py [FOLDER]` writes the layers into FOLDER/layers.

Everything follows from terrain.py and a fixed seed; two runs give the same content.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from writing import write_all

import layers


def build(folder: Path) -> None:
    """Write layers/ under the folder; what stood there goes only when the new ones are whole."""
    drawn = layers.draw()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        fresh = Path(made) / "layers"
        fresh.mkdir()
        write_all(drawn, fresh)
        target = folder / "layers"
        if target.exists():
            shutil.rmtree(target)
        fresh.rename(target)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
