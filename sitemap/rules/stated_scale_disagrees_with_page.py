"""SCL002: the scale that is stated against the scale of the page."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity
from sitemap.measured_plate import MapFrame, MeasuredPlate, PlatePage
from sitemap.measures.print_size import printed_at
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import Site
from sitemap.units import MapScale, plain_number


@rule("SCL002", clauses=("scale",))
def stated_scale_disagrees_with_page(
    site: Site, plate: MeasuredPlate | None, scale_tolerance_pct: float
) -> Iterator[Said]:
    """The map has a stated scale that the page itself does not have.

    Why
        Whoever lays a scale on the sheet trusts the words in the title block. "Fit to page" in a
        print dialog makes them false.

    How it is measured
        Feet per inch of the main frame from its georeference, calibration or graphic bar, against
        each scale in the page's text and the one in site.toml, to within the scale tolerance
        (0.5 %). One scale of the page must agree; others may belong to insets. The scale across
        must equal the scale up to within the same tolerance.

    When it does not apply
        Without a plate, or where no scale is stated anywhere (the bar scale is then the only
        word).

    How to fix
        Plot again at full size, without fitting to the paper, or correct the words.

    References
        § 162-11B(4), scale.
    """
    if plate is None:
        yield NotApplicable("no plate was handed in to hold the stated scale against")
        return
    if not plate.main_frames:
        trouble = "; ".join(plate.trouble) or "no map frame was found"
        yield Skip(f"the plate's scale could not be measured: {trouble}")
        return
    wished = site.project.plate.scale
    compared = 0
    for page, frame in plate.main_frames:
        yield from _stretched(page, frame, scale_tolerance_pct)
        compared += 1
        if page.stated_feet_per_inch:
            stated = page.stated_feet_per_inch
            if site.project.plate.half_size_submitted:
                stated += page.stated_half_size
            yield from _compare(page, frame, stated, "states", scale_tolerance_pct)
        if wished != "auto":
            printed = printed_at(page, frame)
            half = site.project.plate.half_size_submitted and printed and printed.is_half_size
            meant = (float(wished) * (2.0 if half else 1.0),)
            yield from _compare(page, frame, meant, "should be, by site.toml,", scale_tolerance_pct)
    with_words = sum(bool(page.stated_feet_per_inch) for page, _ in plate.main_frames)
    yield Checked(
        f"{plural(compared, 'page')} measured, {with_words} of them with a scale in words", compared
    )


def _compare(
    page: PlatePage, frame: MapFrame, stated: tuple[float, ...], verb: str, tolerance_pct: float
) -> Iterator[Fault]:
    measured = frame.feet_per_inch
    nearest = min(stated, key=lambda number: abs(number - measured))
    if abs(nearest - measured) <= measured * tolerance_pct / 100.0:
        return
    printed = printed_at(page, frame) if verb == "states" else None
    ratio = printed or f"{nearest / measured:.1%} of it"
    yield Fault(
        f"page {page.number} {verb} {MapScale(nearest)}, but the page itself is "
        f"{plain_number(measured)} feet per inch ({frame.how})",
        f"plot the sheet at full size (this one is {ratio}), or correct the words",
        measured=Quantity(round(measured, 4), "ft/in", round(measured * tolerance_pct / 100.0, 4)),
        limit=Limit(nearest, "ft/in", "=="),
        distinct=f"page {page.number} {verb}",
    )


def _stretched(page: PlatePage, frame: MapFrame, tolerance_pct: float) -> Iterator[Fault]:
    percent = abs(frame.anisotropy_ppm) / 1e4
    if percent > tolerance_pct:
        yield Fault(
            f"page {page.number} is stretched: its scales across and up differ by {percent:.2f} %",
            "plot again with the same scale both ways",
            measured=Quantity(round(percent, 4), "pct"),
            limit=Limit(tolerance_pct, "pct"),
            distinct=f"page {page.number} stretched",
        )
