"""SCL003: a sheet whose half-size print breaks the limit."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Limit, Quantity, Severity
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.map_extent import core_ground, size_ft
from sitemap.measures.map_scale import plate_scales, wished_scale
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import Site
from sitemap.units import Length, MapScale, plain_number


@rule("SCL003", clauses=("scale",), severity=Severity.INFO)
def half_size_print_breaks_limit(
    site: Site, plate: MeasuredPlate | None, max_scale: MapScale, adjacent_distance: Length
) -> Iterator[Said]:
    """The map has a scale whose half-size print breaks the limit.

    Why
        Plans are reduced to 11 x 17 for the field and the file. A sheet of 1 in = 60 ft becomes
        1 in = 120 ft.

    How it is measured
        Twice the feet per inch of each sheet, measured or stated, against the limit. Information
        only: the law speaks of the map that is submitted.

    When it does not apply
        Where site.toml says that half-size prints are submitted: then SCL001 judges that size.

    How to fix
        Draw at half the limit (1 in = 50 ft) or larger, or print at full size only.

    References
        § 162-11B(4), scale; reading 12.
    """
    if site.project.plate.half_size_submitted:
        yield NotApplicable("half-size prints are submitted: SCL001 judges that size")
        return
    wished = wished_scale(site, size_ft(core_ground(site, adjacent_distance)))
    stated = () if wished is None else (wished,)
    scales = plate_scales(plate) if plate is not None else stated
    if not scales:
        yield Skip("no scale is known: see SCL001")
        return
    limit = max_scale.feet_per_inch
    yield Checked(", ".join(f"half size: {s.scale.at_half_size()}" for s in scales), len(scales))
    for scale in scales:
        if scale.is_half_print:  # SCL001 judges it as it is
            continue
        half = scale.scale.at_half_size()
        if half.feet_per_inch > limit * (1.0 + 1e-4):
            yield Fault(
                f"printed at half size the map is {half} ({scale.words}); at most "
                f"{plain_number(limit)} feet per inch are allowed",
                f"submit full-size prints only, or draw at {MapScale(limit / 2.0)} or larger",
                measured=Quantity(round(half.feet_per_inch, 4), "ft/in"),
                limit=Limit(limit, "ft/in"),
                severity=Severity.INFO,
                distinct=f"page {scale.page}",
            )
