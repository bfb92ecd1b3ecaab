"""Numbers that stand for "not known" in tables of agencies and cities: -999, 1e38, an invert of 0.

They are missing here, and said; contour elevations are left as they are, since a rule of their
own (CON003) names each line.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity

# as NHDPlus, the NFHL, the soil survey and rasters write them
FILLS = (-999.0, -8888.0, -9998.0, -9999.0, -99999.0, -32768.0)
FILL_HEIGHTS = ("bfe", "rim_ft", "invert_ft", "invert_up_ft", "invert_down_ft")
_NO_NUMBER = 1e30  # beyond any height, length or area: what a float can hold at most
_FAR_FROM_ZERO = 100.0  # units of the column: a 0 with no other height so near is no height


def without_fills(numbers: np.ndarray, name: str, column: str) -> tuple[np.ndarray, list[Oddity]]:
    """The numbers of a canonical field with NaN for fill values, and the words for them.

    0 is one in a field of heights where no other lies within 100 units of it: 0 beside 789.6.
    """
    if name == "elevation":
        return numbers, []
    fills = np.isin(numbers, FILLS) | (np.abs(numbers) >= _NO_NUMBER)
    zero = (numbers == 0) & (name in FILL_HEIGHTS)
    others = numbers[np.isfinite(numbers) & ~fills & ~zero]
    if not (np.abs(others) < _FAR_FROM_ZERO).any():
        fills |= zero
    if not fills.any():
        return numbers, []
    found = Counter(numbers[fills].tolist())
    shown = ", ".join(f"{value:g} ({count:,})" for value, count in found.most_common(5))
    words = (
        f"field {column}: counted as missing, since it means that nothing is known: {shown} "
        f"of {count_of(len(numbers), 'value')}"
    )
    return np.where(fills, np.nan, numbers), [odd("fill_values", words)]
