"""Where a drawing lies: its coordinate system and its unit, as far as it says so itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from ezdxf.entities.geodata import InvalidGeoDataException
from ezdxf.lldxf.const import DXFError

from sitemap.crs import Crs, linear_unit, parse_crs
from sitemap.errors import CrsError
from sitemap.intake.oddities import odd
from sitemap.layer import Oddity
from sitemap.units import LengthUnit

LOCAL, PROJECTED = 1, 2  # coordinate types of GEODATA that a plane can be laid on
SAME = 1e-9
_UNIT_NAMES = {  # $INSUNITS; 2 does not say which foot
    1: "inches", 2: "feet", 3: "miles", 4: "millimetres", 5: "centimetres", 6: "metres",
    7: "kilometres", 10: "yards", 14: "decimetres", 21: "US survey feet",
}  # fmt: skip
_UNITS = {
    2: (LengthUnit.FOOT, LengthUnit.US_SURVEY_FOOT),
    6: (LengthUnit.METRE,),
    21: (LengthUnit.US_SURVEY_FOOT,),
}


@dataclass(frozen=True, eq=False)
class Placed:
    """What GEODATA of a drawing says: a code, and how its coordinates become those of the code."""

    code: str | None = None
    matrix: np.ndarray | None = None  # (3, 2): turn and scale, then shift; None: they are the same
    oddities: tuple[Oddity, ...] = ()

    def moved(self, xyz: np.ndarray) -> np.ndarray:
        """Coordinates (N, 3) of the drawing in those of the code; heights stay as they are."""
        if self.matrix is None:
            return xyz
        xy = xyz[:, :2] @ self.matrix[:2] + self.matrix[2]
        return np.column_stack([xy, xyz[:, 2:]])


def placed(drawing: Any) -> Placed:
    """What the drawing's GEODATA says of its place; empty where it has none that can be used."""
    try:
        said = drawing.modelspace().get_geodata()
        if said is None:
            return Placed()
        if "<!ENTITY" in said.coordinate_system_definition:
            return _unusable("it declares XML entities, which are not read")
        number, eastings_first = said.get_crs()
        crs = parse_crs(f"EPSG:{number}")
    except (InvalidGeoDataException, CrsError, DXFError, ValueError, AttributeError) as error:
        return _unusable(str(error).split("\n", 1)[0].rstrip(":."))
    unit, metres = linear_unit(crs), float(said.dxf.horizontal_unit_scale)
    if said.dxf.coordinate_type not in (LOCAL, PROJECTED) or unit is None or metres <= 0:
        why = f"EPSG:{number} is no projected grid"
    elif said.dxf.scale_estimation_method != 1 and not _is_one(said.dxf.user_scale_factor):
        why = "it is scaled from ground to grid"
    elif not eastings_first:
        why = f"EPSG:{number} lists northings first"
    else:
        return Placed(f"EPSG:{number}", _matrix(said.dxf, metres / float(unit.metres)))
    return _unusable(why)


def _is_one(factor: float) -> bool:
    return abs(factor - 1.0) < SAME


def _matrix(said: Any, factor: float) -> np.ndarray | None:
    """From the design point to the reference point, north turned upright, units changed.

    Source: DXF reference, GEODATA, groups 10, 11, 12 and 40.
    """
    north = np.array(tuple(said.north_direction)[:2], dtype=float)
    length = float(np.hypot(*north))
    x, y = north / length if length > 0 else (0.0, 1.0)
    turn = (1.0 if _is_one(factor) else factor) * np.array([[y, x], [-x, y]])
    design = np.array(tuple(said.design_point)[:2])
    shift = np.array(tuple(said.reference_point)[:2]) - design @ turn
    if np.allclose(turn, np.eye(2), atol=SAME) and np.allclose(shift, 0.0, atol=SAME):
        return None
    return np.vstack([turn, shift])


def _unusable(why: str) -> Placed:
    words = f"the drawing's geodata cannot be used ({why}); name its coordinate system"
    return Placed(oddities=(odd("crs_unreadable", words),))


def unit_oddities(drawing: Any, crs: Crs | None) -> list[Oddity]:
    """$INSUNITS where it contradicts the coordinate system; it is told, never applied."""
    code = int(drawing.header.get("$INSUNITS", 0) or 0)
    unit = linear_unit(crs) if crs is not None else None
    if code not in _UNIT_NAMES or unit is None or unit in _UNITS.get(code, ()):
        return []
    return [
        odd(
            "crs_unit_disagrees",
            f"the drawing says that it is in {_UNIT_NAMES[code]} ($INSUNITS {code}), its "
            f"coordinate system is in {unit.symbol}; the coordinates are taken as those of the "
            "coordinate system",
        )
    ]
