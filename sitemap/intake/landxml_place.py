"""Where a LandXML file lies and in which units, as far as it says so itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sitemap.crs import Crs, linear_unit
from sitemap.intake.crs_detective import settle_crs
from sitemap.intake.oddities import odd
from sitemap.intake.vector import Given
from sitemap.layer import Oddity
from sitemap.units import LengthUnit

_UNITS = {
    "foot": LengthUnit.FOOT,
    "ussurveyfoot": LengthUnit.US_SURVEY_FOOT,
    "meter": LengthUnit.METRE,
    "metre": LengthUnit.METRE,
}
_CODE = re.compile(r"(?:.*:)?(\d{4,6})")
_NAMED = ("horizontalCoordinateSystemName", "desc", "name")


@dataclass(frozen=True)
class Placed:
    """What the elements Units and CoordinateSystem of a file say."""

    units: Mapping[str, str]
    crs: Mapping[str, str]

    @property
    def unit(self) -> LengthUnit | None:
        """Of the coordinates; None where the file says none that maps are kept in."""
        return _UNITS.get(self.units.get("linearUnit", "").lower())

    @property
    def height_unit(self) -> LengthUnit | None:
        """Of the heights: that of the coordinates where the file says no other."""
        return _UNITS.get(self.units.get("elevationUnit", "").lower()) or self.unit

    @property
    def _code(self) -> str | None:
        """EPSG code or WKT, as far as the file says one."""
        hit = _CODE.fullmatch(self.crs.get("epsgCode", "").strip())
        return f"EPSG:{hit[1]}" if hit is not None else self.crs.get("ogcWktCode") or None

    def settled(
        self, given: Given, bounds: tuple[float, float, float, float] | None
    ) -> tuple[Crs | None, str, list[Oddity]]:
        """The CRS of a dataset of the file, how it is known, and what is odd of it and of units."""
        crs, how, words = settle_crs(self._code, given.crs, given.fallback_crs, bounds, None)
        notes = [*words, *self._of_units(linear_unit(crs) if crs is not None else None)]
        told = next((self.crs[key].strip() for key in _NAMED if self.crs.get(key, "").strip()), "")
        if crs is None and told:  # WI83-SF: of Autodesk's own list
            said = f"the file calls its coordinate system {told!r}, which is no registered code"
            notes.append(odd("crs_unreadable", f"{said}; name it by its EPSG code"))
        return crs, how, notes

    def _of_units(self, own: LengthUnit | None) -> list[Oddity]:
        """own: the unit of the coordinate system, which counts."""
        found: list[Oddity] = []
        if self.height_unit is None:
            said = self.units.get("elevationUnit") or self.units.get("linearUnit")
            words = f"the file says {said!r}, in which no map is kept" if said else ""
            words = words or "the file does not say in which unit it is"
            found.append(odd("vertical_unit_unstated", words))
        if own is not None and self.unit is not None and own is not self.unit:
            words = f"the file says {self.unit.symbol}, its coordinate system another unit; the"
            found.append(odd("crs_unit_disagrees", f"{words} coordinate system is taken"))
        return found
