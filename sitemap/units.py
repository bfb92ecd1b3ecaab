"""Lengths, areas and map scales that know their unit; both feet, exactly.

Comparisons are made on exact rationals, so "not greater than 100" passes at
exactly 100 and 1,320 ft equals a quarter mile. Imports nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import total_ordering


class LengthUnit(Enum):
    """A unit of length; the value is (symbol, exact metres per unit)."""

    METRE = ("m", Fraction(1))
    FOOT = ("ft", Fraction(3048, 10000))  # international foot, the foot of law since 2023
    US_SURVEY_FOOT = ("ftUS", Fraction(1200, 3937))  # State Plane in Wisconsin
    INCH = ("in", Fraction(254, 10000))
    MILE = ("mi", Fraction(1609344, 1000))
    POINT = ("pt", Fraction(254, 720000))  # 1/72 in, the unit of PDF

    @property
    def symbol(self) -> str:
        """The short sign as printed: m, ft, ftUS, in, mi, pt."""
        return self.value[0]

    @property
    def metres(self) -> Fraction:
        """Exact metres in one unit."""
        return self.value[1]

    @property
    def is_foot(self) -> bool:
        """True for either foot."""
        return self in (LengthUnit.FOOT, LengthUnit.US_SURVEY_FOOT)

    @classmethod
    def parse(cls, text: str) -> LengthUnit:
        """Read a unit's name or symbol; ValueError lists what is accepted."""
        unit = _LENGTH_NAMES.get(" ".join(text.strip().lower().replace("_", " ").split()))
        if unit is None:
            known = ", ".join(sorted(_LENGTH_NAMES))
            raise ValueError(f"unknown unit of length {text!r}; accepted: {known}")
        return unit

    @classmethod
    def from_metres(cls, metres_per_unit: float) -> LengthUnit | None:
        """The unit with this factor, told apart to 1 part in 10 million; else None.

        The two feet differ by 2 parts in a million.
        """
        for unit in cls:
            if abs(float(unit.metres) / metres_per_unit - 1.0) < 1e-7:
                return unit
        return None


_LENGTH_NAMES: dict[str, LengthUnit] = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), LengthUnit.METRE),
    **dict.fromkeys(("ft", "foot", "feet", "'", "international foot"), LengthUnit.FOOT),
    **dict.fromkeys(
        ("ftus", "us ft", "us-ft", "us survey foot", "us survey feet", "usft", "foot us"),
        LengthUnit.US_SURVEY_FOOT,
    ),
    **dict.fromkeys(("in", "inch", "inches", '"'), LengthUnit.INCH),
    **dict.fromkeys(("mi", "mile", "miles"), LengthUnit.MILE),
    **dict.fromkeys(("pt", "point", "points"), LengthUnit.POINT),
}


@total_ordering
@dataclass(frozen=True, eq=False)
class Length:
    """A length with its unit; compares exactly across units."""

    value: float
    unit: LengthUnit

    def to(self, unit: LengthUnit) -> float:
        """The number of `unit` in this length."""
        if unit is self.unit:
            return self.value
        return float(self._metres / unit.metres)

    @property
    def feet(self) -> float:
        """International feet; a US survey foot of interval counts as one foot (2 ppm)."""
        return self.to(LengthUnit.FOOT)

    @property
    def _metres(self) -> Fraction:
        return Fraction(repr(float(self.value))) * self.unit.metres

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Length) and self._metres == other._metres

    def __hash__(self) -> int:
        return hash(self._metres)

    def __lt__(self, other: Length) -> bool:
        return self._metres < other._metres

    def __str__(self) -> str:
        return f"{plain_number(self.value)} {self.unit.symbol}"


class AreaUnit(Enum):
    """A unit of area; the value is (symbol, exact square metres per unit)."""

    SQUARE_FOOT = ("sq ft", LengthUnit.FOOT.metres**2)
    ACRE = ("acres", 43560 * LengthUnit.FOOT.metres**2)
    SQUARE_METRE = ("sq m", Fraction(1))

    @property
    def symbol(self) -> str:
        """The short sign as printed."""
        return self.value[0]

    @property
    def square_metres(self) -> Fraction:
        """Exact square metres in one unit."""
        return self.value[1]

    @classmethod
    def parse(cls, text: str) -> AreaUnit:
        """Read a unit's name or symbol; ValueError lists what is accepted."""
        names = {
            "sq ft": cls.SQUARE_FOOT,
            "square feet": cls.SQUARE_FOOT,
            "ft2": cls.SQUARE_FOOT,
            "acre": cls.ACRE,
            "acres": cls.ACRE,
            "ac": cls.ACRE,
            "sq m": cls.SQUARE_METRE,
            "m2": cls.SQUARE_METRE,
        }
        try:
            return names[text.strip().lower()]
        except KeyError:
            raise ValueError(
                f"unknown unit of area {text!r}; accepted: {', '.join(names)}"
            ) from None


@total_ordering
@dataclass(frozen=True, eq=False)
class Area:
    """An area with its unit; compares exactly across units."""

    value: float
    unit: AreaUnit

    def to(self, unit: AreaUnit) -> float:
        """The number of `unit` in this area."""
        if unit is self.unit:
            return self.value
        return float(self._square_metres / unit.square_metres)

    @property
    def acres(self) -> float:
        """This area in acres of 43,560 sq ft."""
        return self.to(AreaUnit.ACRE)

    @property
    def _square_metres(self) -> Fraction:
        return Fraction(repr(float(self.value))) * self.unit.square_metres

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Area) and self._square_metres == other._square_metres

    def __hash__(self) -> int:
        return hash(self._square_metres)

    def __lt__(self, other: Area) -> bool:
        return self._square_metres < other._square_metres

    def __str__(self) -> str:
        digits = {AreaUnit.ACRE: 2, AreaUnit.SQUARE_FOOT: 0, AreaUnit.SQUARE_METRE: 1}
        return f"{self.value:,.{digits[self.unit]}f} {self.unit.symbol}"


@total_ordering
@dataclass(frozen=True)
class MapScale:
    """Feet on the ground per inch of paper; *smaller* numbers draw larger.

    A rule that says "not greater than 100 feet per inch" is a ceiling on this
    number, whatever cartographers call a large or a small scale.
    """

    feet_per_inch: float

    @property
    def ratio(self) -> float:
        """The denominator of 1:n (1 in = 100 ft is 1:1200)."""
        return self.feet_per_inch * 12.0

    def at_half_size(self) -> MapScale:
        """The scale of a print reduced to half length: twice the feet per inch."""
        return MapScale(self.feet_per_inch * 2.0)

    def paper_in(self, ground_ft: float) -> float:
        """Inches of paper for a ground length in feet."""
        return ground_ft / self.feet_per_inch

    def ground_ft(self, paper_in: float) -> float:
        """Feet of ground for a paper length in inches."""
        return paper_in * self.feet_per_inch

    def __lt__(self, other: MapScale) -> bool:
        return self.feet_per_inch < other.feet_per_inch

    def __str__(self) -> str:
        return f"1 in = {plain_number(self.feet_per_inch)} ft"


def plain_number(number: float) -> str:
    """A number as a person writes it: 5, 2.5, 1,320, at most 3 decimals."""
    text = f"{number:,.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
