"""SCL004: a scale that no engineer's scale has."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Quantity, Severity
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.map_extent import core_ground, size_ft
from sitemap.measures.map_scale import plate_scales, wished_scale
from sitemap.rules.rule import Checked, Fault, Said, Skip, rule
from sitemap.site import Site
from sitemap.units import Length

# the six faces of the triangular scale, its 40 face read double, and ten times each
ON_THE_SCALE = (10, 20, 30, 40, 50, 60, 80, 100, 200, 300, 400, 500, 600, 800, 1000)


@rule("SCL004", clauses=("scale",), severity=Severity.INFO)
def not_an_engineers_scale(
    site: Site, plate: MeasuredPlate | None, scale_tolerance_pct: float, adjacent_distance: Length
) -> Iterator[Said]:
    """The map has a scale that no engineer's scale has.

    Why
        A reviewer measures with a triangular scale: 10, 20, 30, 40, 50, 60 feet to the inch (80
        and 100 by doubling). On a sheet of 1 in = 45 ft every length must be computed.

    How it is measured
        Feet per inch of each sheet, measured (within the scale tolerance) or stated. Information
        only.

    When it does not apply
        Where no scale is known.

    How to fix
        Take the next engineer's scale.

    References
        House style; § 162-11B(4) sets only the ceiling.
    """
    wished = wished_scale(site, size_ft(core_ground(site, adjacent_distance)))
    stated = () if wished is None else (wished,)
    scales = plate_scales(plate) if plate is not None else stated
    if not scales:
        yield Skip("no scale is known: see SCL001")
        return
    yield Checked(", ".join(str(scale.scale) for scale in scales), len(scales))
    for scale in scales:
        number = scale.scale.feet_per_inch
        nearest = min(ON_THE_SCALE, key=lambda n: abs(n - number))
        allowed = number * scale_tolerance_pct / 100.0 if scale.is_measured else 1e-6
        if abs(nearest - number) > allowed:
            yield Fault(
                f"{scale.scale} ({scale.words}) is on no engineer's scale",
                f"draw at 1 in = {nearest} ft, or another of 10, 20, 30, 40, 50, 60, 80, 100",
                measured=Quantity(round(number, 4), "ft/in"),
                severity=Severity.INFO,
                distinct=f"page {scale.page}",
            )
