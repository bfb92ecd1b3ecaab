"""What was looked at and found good, kept as pictures: a plate may not come out otherwise unseen.

Made anew with `python -m tests.plate.test_goldens` after a change that is meant; then look at
them. Pictures are small and grey, so another release of the rasterizer moves no more than a shade.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from sitemap import draw_plate, open_site
from sitemap.site import Site
from tests.clean_site import clean_site
from tests.plate.long_sites import l_shape

FOLDER = Path(__file__).with_name("goldens")
ROOT = Path(__file__).resolve().parent.parent.parent
NOW = dt.date(2026, 5, 1)
DPI = 30
GREYS = 16  # that are kept
BLOCK = 14  # pixels along a side of what is compared: 0.47 in of paper
SHADE = 10.0  # of 255: what the mean of a block may be off
OFF_SHARE = 0.01  # of the blocks that may be off by more: a label that found another place
MEAN_SHADE = 0.8  # what the whole page may be off


def kettle_ridge() -> Site:
    return open_site(next((ROOT / "sample_sites").glob("kettle-ridge/site.toml")))


PLATES: dict[str, tuple[Callable[[], Site], dict[str, Any]]] = {
    "kettle-ridge": (kettle_ridge, {"sheet": "ARCH D", "scale": 50.0}),
    "kettle-ridge-turned": (kettle_ridge, {"sheet": "ARCH D", "scale": 60.0, "rotation": "30"}),
    "kettle-ridge-relief": (kettle_ridge, {"sheet": "ANSI D", "scale": 60.0, "underlay": "relief"}),
    "clean-site": (clean_site, {"sheet": "ANSI B", "scale": "auto"}),
    "l-shape": (l_shape, {"sheet": "ARCH D", "scale": 100.0}),
}


def pages(name: str, folder: Path) -> Iterator[tuple[str, np.ndarray]]:
    """The pages of a plate, drawn now: their labels and their grey, 30 pixels to the inch."""
    make, wishes = PLATES[name]
    out = folder / f"{name}.pdf"
    draw_plate(make(), out, "muskego", now=NOW, **wishes)
    document = pypdfium2.PdfDocument(out)
    try:
        for number in range(min(2, len(document))):
            picture = document[number].render(scale=DPI / 72.0).to_pil().convert("L")
            step = 256 // GREYS
            yield f"{name}-{number + 1}", np.asarray(picture) // step * (step + 1)
    finally:
        document.close()


def blocks(grey: np.ndarray) -> np.ndarray:
    """Means of square blocks."""
    rows, columns = (n // BLOCK for n in grey.shape)
    cut = grey[: rows * BLOCK, : columns * BLOCK].astype(float)
    return np.asarray(cut.reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3)))


def faults(now: np.ndarray, then: np.ndarray) -> list[str]:
    """In which way two pages differ by more than is tolerated."""
    if now.shape != then.shape:
        return [f"it is {now.shape} pixels instead of {then.shape}"]
    off = np.abs(blocks(now) - blocks(then))
    found = []
    if off.mean() > MEAN_SHADE:
        found.append(f"it differs by {off.mean():.2f} shades in the mean")
    if (share := float((off > SHADE).mean())) > OFF_SHARE:
        row, column = np.unravel_index(int(off.argmax()), off.shape)
        place = f"{column * BLOCK / DPI:.1f} in from the left, {row * BLOCK / DPI:.1f} from the top"
        found.append(f"{share:.1%} of it looks otherwise, most of all {place}")
    return found


@pytest.mark.parametrize("name", PLATES)
def test_the_plate_looks_as_it_did(name: str, tmp_path: Path) -> None:
    seen = 0
    for page, now in pages(name, tmp_path):
        with Image.open(FOLDER / f"{page}.png") as kept:
            said = faults(now, np.asarray(kept.convert("L")))
        Image.fromarray(now).save(tmp_path / f"{page}.png")
        assert said == [], f"{page}: see {tmp_path}; if it is meant, make the goldens anew"
        seen += 1
    assert seen == len(list(FOLDER.glob(f"{name}-[12].png")))


def test_what_is_missing_moved_or_heavier_is_seen() -> None:
    with Image.open(FOLDER / "kettle-ridge-1.png") as kept:
        then = np.asarray(kept.convert("L")).copy()
    assert faults(then, then) == []
    height, width = then.shape
    without_table = then.copy()
    without_table[height // 4 : height // 2, int(width * 0.81) : int(width * 0.98)] = 255
    assert faults(without_table, then)
    moved = np.roll(then, DPI // 4, axis=1)  # by a quarter of an inch
    assert faults(moved, then)
    heavier = np.clip(then.astype(float) * 1.6 - 0.6 * 255, 0, 255)
    assert faults(heavier.astype(np.uint8), then)


def main() -> None:
    """Draw all plates and keep them."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in PLATES:
            for page, grey in pages(name, Path(folder)):
                Image.fromarray(grey).save(FOLDER / f"{page}.png", optimize=True)
                print(FOLDER / f"{page}.png")


if __name__ == "__main__":
    main()
