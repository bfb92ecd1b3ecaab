"""Numbers in LandXML: northing, easting and height, as its standard lays down."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from sitemap.intake.landxml_stream import NotReadError


def numbers(texts: Sequence[str], kind: type = float) -> np.ndarray:
    """All numbers of some texts, one behind the other; NotReadError where a word is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it stops at such a word, and warns
        try:
            text = " ".join(texts).strip()  # of mere blanks it would make a number
            found: np.ndarray = np.fromstring(text, dtype=kind, sep=" ")
        except (DeprecationWarning, ValueError):
            raise NotReadError("it holds points that are not numbers") from None
    return found


def rows(texts: Sequence[str], width: int = 3) -> np.ndarray:
    """Texts of numbers as rows (N, width) of easting, northing and height. NotReadError else."""
    flat = numbers(texts)
    if len(flat) % width or len(flat) < width * len(texts):
        words = {2: "two", 3: "three"}[width]
        raise NotReadError(f"it holds points that are not {words} numbers each")
    return flat.reshape(-1, width)[:, [1, 0, 2][:width]]


def place(text: str | None) -> np.ndarray | None:
    """One point as easting, northing and height, which is NaN where it has none; None for none."""
    try:
        numbers = [float(word) for word in (text or "").split()]
    except ValueError:
        return None
    if len(numbers) not in (2, 3) or not np.isfinite(numbers[:2]).all():
        return None
    return np.array([numbers[1], numbers[0], *(numbers[2:] or [np.nan])])
