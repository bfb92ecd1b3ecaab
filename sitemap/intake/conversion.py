"""In which unit a column is, by whose word, and exact conversion to the unit of the catalogue."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sitemap.column_names import name_words
from sitemap.intake.fields import unit_in_name
from sitemap.units import AreaUnit, LengthUnit

_HEIGHTS = ("elevation", "bfe", "rim_ft", "invert_ft", "invert_up_ft", "invert_down_ft")


_NAME_UNITS = {"sqft": "sq ft", "sqm": "sq m", "ftus": "ftUS", "usft": "ftUS"}


@dataclass(frozen=True)
class StatedUnit:
    """The unit of heights as the user states it, and where: site.toml's layer or map."""

    unit: LengthUnit
    how: str


def unit_named(text: str | None) -> LengthUnit | AreaUnit | None:
    """The unit of length or area of this name; None when there is none."""
    for parse in (LengthUnit.parse, AreaUnit.parse):
        with suppress(ValueError):
            return parse(text or "")
    return None


def source_unit(
    name: str, column: str, stated: StatedUnit | None
) -> tuple[LengthUnit | AreaUnit | None, str]:
    """The unit a column is in: the user's word for heights, else the end of its name."""
    from_layer = stated is not None and "[map]" not in stated.how
    if stated is not None and from_layer and name in _HEIGHTS:
        return stated.unit, stated.how
    unit = unit_named(unit_in_name(column) or _unit_word(column))
    if unit is not None:
        return unit, f"the column name {column}"
    if stated is not None and name in _HEIGHTS:
        return stated.unit, stated.how
    return None, ""


def _unit_word(column: str) -> str:
    """A unit of area, or the survey foot, at the end of a column's name."""
    words = name_words(column)
    if words[-2:] in (("us", "ft"), ("ft", "us")):
        return "ftUS"
    return _NAME_UNITS.get(words[-1], words[-1]) if len(words) > 1 else ""


def factor_between(source: LengthUnit | AreaUnit, target: LengthUnit | AreaUnit) -> Fraction:
    """What to multiply by, exactly; 1 between the two feet."""
    if isinstance(source, LengthUnit) and isinstance(target, LengthUnit):
        # A height in survey feet is a height in feet: 2 parts in a million, 0.002 ft in 850.
        both_feet = source.is_foot and target.is_foot
        return Fraction(1) if both_feet else source.metres / target.metres
    assert isinstance(source, AreaUnit)
    assert isinstance(target, AreaUnit)
    return source.square_metres / target.square_metres


def scaled(numbers: np.ndarray, factor: Fraction) -> np.ndarray:
    """Exact for the decimal numbers of maps: 1.524 m is 5 ft, not 4.999999."""
    scaled: np.ndarray = np.round(numbers * factor.numerator / factor.denominator, 9)
    return scaled
