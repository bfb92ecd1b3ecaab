"""Whether a page was printed smaller or larger than its sheet: by its words and its own scale."""

from __future__ import annotations

from dataclasses import dataclass

from sitemap.measured_plate import MapFrame, PlatePage
from sitemap.measures.sheets import PAPER_IN, sheet_of_size

SAME = 0.005  # relative difference of two scales that agree
SHEET_IN = 0.15  # of a page's size divided by its factor from a sheet: margins of a print
SAME_SHAPE = 0.01  # relative difference of the two sides


@dataclass(frozen=True)
class PrintSize:
    """A page that is not at full size: by which factor it was printed, and from which sheet.

    sheet is None where no sheet has the size that full size would have.
    """

    factor: float
    sheet: str | None

    @property
    def is_half_size(self) -> bool:
        """True for half the length and width of a known sheet."""
        return self.sheet is not None and abs(self.factor - 0.5) <= 0.5 * SAME

    def __str__(self) -> str:
        half = " (half size)" if self.is_half_size else ""
        return f"{self.factor:.1%} of {self.sheet or 'its size'}{half}"


def printed_at(page: PlatePage, frame: MapFrame) -> PrintSize | None:
    """How a page whose words state other feet per inch than it has was printed; else None."""
    stated = page.stated_feet_per_inch
    if not stated or min(abs(number / frame.feet_per_inch - 1.0) for number in stated) <= SAME:
        return None
    nearest = min(stated, key=lambda number: abs(number - frame.feet_per_inch))
    factor = nearest / frame.feet_per_inch
    width, height = page.width_in / factor, page.height_in / factor
    return PrintSize(factor, sheet_of_size(width, height, SHEET_IN))


def nearest_larger(page: PlatePage) -> PrintSize | None:
    """The next larger sheet of a page's proportions, for a page that is no sheet itself."""
    if sheet_of_size(page.width_in, page.height_in) is not None:
        return None
    found = {name: same_shape(page, name) for name in PAPER_IN}
    shrunk = {name: factor for name, factor in found.items() if factor is not None and factor < 1.0}
    if not shrunk:
        return None
    name = max(shrunk, key=lambda one: shrunk[one])
    return PrintSize(shrunk[name], name)


def same_shape(page: PlatePage, sheet: str) -> float | None:
    """By how much a sheet would have to be scaled to be the page; None where its shape differs."""
    long, short = PAPER_IN[sheet]
    across = max(page.width_in, page.height_in) / long
    up = min(page.width_in, page.height_in) / short
    return across if abs(across / up - 1.0) <= SAME_SHAPE else None
