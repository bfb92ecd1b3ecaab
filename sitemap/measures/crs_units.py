"""What a CRS says of its own unit: by its definition, by the code that it claims, by its name."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from sitemap.crs import Crs, linear_unit, parse_crs
from sitemap.errors import CrsError
from sitemap.units import LengthUnit

FEET = (LengthUnit.FOOT, LengthUnit.US_SURVEY_FOOT)
# the first that fits decides; "Feet" alone may be either foot
NAMED = (
    (re.compile(r"ft_?us|feet_?us|us_?feet|foot_?us|us survey f", re.I), FEET[1:]),
    (re.compile(r"\(ft\)|(ft|feet|foot)_?intl|intl_?(ft|feet|foot)", re.I), FEET[:1]),
    (re.compile(r"(^|[_ ])(feet|foot|ft)($|[_ )])", re.I), FEET),
    (re.compile(r"(^|[_ ])(meters?|metres?)($|[_ )])|\(m\)", re.I), (LengthUnit.METRE,)),
)


@dataclass(frozen=True)
class UnitClaim:
    """A unit that something else than the definition gives, and what that is."""

    unit: LengthUnit
    by: str  # "the code EPSG:32154", "its name"


def unit_by_name(name: str) -> tuple[LengthUnit, ...]:
    """The units that a name can mean: 'Wisconsin South (ftUS)'; empty where it names none."""
    return next((units for pattern, units in NAMED if pattern.search(name)), ())


def claimed_code(crs: Crs) -> str | None:
    """The code written into the definition itself, right or wrong; None where there is none."""
    own = crs.to_json_dict().get("id")
    if not isinstance(own, dict) or "authority" not in own or "code" not in own:
        return None
    return f"{own['authority']}:{own['code']}"


def contradicting_claims(crs: Crs) -> list[UnitClaim]:
    """Units that the claimed code or the name give, where they differ from the definition's."""
    defined = linear_unit(crs)
    if defined is None:
        return []
    found = []
    code = claimed_code(crs)
    if code is not None:
        registered = _unit_of(code)
        if registered is not None and registered is not defined:
            found.append(UnitClaim(registered, f"the code {code}"))
    named = unit_by_name(crs.name)
    if named and defined not in named:
        found.append(UnitClaim(named[-1], "its name"))
    return found


def _unit_of(code: str) -> LengthUnit | None:
    try:
        return linear_unit(parse_crs(code))
    except CrsError:
        return None


def with_unit(crs: Crs, unit: LengthUnit) -> Crs | None:
    """The same definition with its unit struck out and another one written in its place.

    The numbers of the false origin stay as they are written, in the new unit; the ellipsoid stays.
    That is what a .prj says whose unit alone is wrong. None for a system that is not plainly
    projected.
    """
    definition = crs.to_json_dict()
    if definition.get("type") != "ProjectedCRS":
        return None
    written = {"type": "LinearUnit", "name": unit.name, "conversion_factor": float(unit.metres)}
    for axis in definition["coordinate_system"]["axis"]:
        axis["unit"] = written
    for parameter in definition["conversion"].get("parameters", []):
        if _is_length(parameter.get("unit")):
            parameter["unit"] = written
    definition.pop("id", None)
    try:
        return parse_crs(json.dumps(definition))
    except CrsError:
        return None


def _is_length(unit: object) -> bool:
    return unit == "metre" or (isinstance(unit, dict) and unit.get("type") == "LinearUnit")
