"""SCL001: a scale of more than 100 feet per inch."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Limit, Quantity
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.map_extent import core_ground, size_ft
from sitemap.measures.map_scale import SheetScale, plate_scales, wished_scale
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import Site
from sitemap.units import Length, LengthUnit, MapScale, plain_number

FEET_PER_METRE = float(LengthUnit.METRE.metres / LengthUnit.FOOT.metres)
EXACT = 1e-4  # a drawing's own numbers are rounded; a hundredth of a percent is none


@rule("SCL001", clauses=("scale",))
def feet_per_inch_too_many(
    site: Site,
    plate: MeasuredPlate | None,
    max_scale: MapScale,
    scale_tolerance_pct: float,
    adjacent_distance: Length,
) -> Iterator[Said]:
    """The map has more feet to the inch than the ordinance allows.

    Why
        "Not greater than 100 feet per inch" is a ceiling on the feet that one inch may stand for:
        on a sheet of 1 in = 200 ft a silt fence cannot be told from the limits it stands on.

    How it is measured
        With a plate: feet per inch of the main map frame of each page, from the page's own
        georeference or calibration, else from its graphic bar: the length that is drawn against
        its labels; of a picture from its place and its dots per inch. Insets have scales of their
        own. Over the limit by no more than the scale tolerance (0.5 %): a person decides. A page
        without any of these is judged by its words, and a person must measure it; so must one
        whose place names no unit, where metres for feet would be too many. Without a plate:
        the scale in site.toml, or for "auto" the engineer's scale at which the site fits the
        sheet; the evidence says that it was not measured. Where half-size prints are submitted,
        their scale is judged: twice the feet.

    When it does not apply
        Never. With neither plate nor site.toml there is nothing to measure: a person decides.

    How to fix
        Draw at a larger scale (fewer feet per inch), on a larger sheet or on several sheets.

    References
        § 162-11B(4), "scale not greater than 100 feet per inch"; NR 152 App. A, S.10*(2)(d).
    """
    half = site.project.plate.half_size_submitted
    if plate is not None:
        scales = plate_scales(plate)
        for trouble in () if scales else (plate.trouble or ("no map frame was found",)):
            yield Ask(f"the plate's scale could not be measured ({trouble}): measure it", "scale")
        for scale in scales:
            yield from _judge(scale, max_scale, scale_tolerance_pct, half)
        return
    wished = wished_scale(site, size_ft(core_ground(site, adjacent_distance)))
    if wished is not None:
        yield from _judge(wished, max_scale, scale_tolerance_pct, half)
    elif site.project.path is not None:
        yield Skip(
            f"no plate to measure, and no engineer's scale up to {max_scale} holds the site on "
            f"{site.project.plate.sheet}: see SCL005"
        )
    else:
        yield Ask(
            "nothing states the scale: hand in the plate (--plate FILE.pdf), or state sheet and "
            "scale in site.toml; else measure the drawing",
            "scale",
        )


def _judge(
    scale: SheetScale, limit: MapScale, tolerance_pct: float, half: bool
) -> Iterator[Fault | Ask | Checked]:
    doubled = half and not scale.is_half_print
    judged = scale.scale.at_half_size() if doubled else scale.scale
    size = " at half size, as submitted" if half else ""
    over = judged.feet_per_inch / limit.feet_per_inch - 1.0
    spread = judged.feet_per_inch * tolerance_pct / 100.0 if scale.is_measured else None
    yield Checked(f"{judged}{size} ({scale.words}); at most {limit} allowed", 1)
    if scale.is_measured and EXACT < over <= tolerance_pct / 100.0:
        yield Ask(
            f"{scale.words}: {plain_number(judged.feet_per_inch)} feet per inch{size}, over "
            f"{plain_number(limit.feet_per_inch)} by less than the page can be measured "
            f"({tolerance_pct:g} %)",
            "scale",
        )
    elif over > (EXACT if scale.is_measured else 0.0):
        yield Fault(
            f"{judged}{size} ({scale.words}); at most "
            f"{plain_number(limit.feet_per_inch)} feet per inch are allowed",
            "draw at fewer feet per inch, on a larger sheet or on several sheets",
            measured=Quantity(round(judged.feet_per_inch, 4), "ft/in", spread),
            limit=Limit(limit.feet_per_inch, "ft/in"),
            distinct=f"page {scale.page}",
        )
    elif scale.unit_taken and (metres := judged.feet_per_inch * FEET_PER_METRE) > (
        limit.feet_per_inch
    ):
        yield Ask(
            f"{scale.words}: nothing names the unit of its ground; in feet it is {judged}, in "
            f"metres it would be 1 in = {plain_number(round(metres, 2))} ft: measure a known "
            "length on it",
            "scale",
        )
    elif scale.known == "stated on the plate":
        yield Ask(
            f"{scale.words}: it states {scale.scale} and carries neither georeference nor a "
            "graphic bar that can be read: measure a known length on it",
            "scale",
        )
