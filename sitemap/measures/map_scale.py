"""The scale of a map: measured on its plate, else stated, else what the sheet asked for allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sitemap.errors import UsageError
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.print_size import nearest_larger, printed_at
from sitemap.measures.sheets import fit_scale, parse_sheet
from sitemap.site import Site
from sitemap.units import MapScale

Known = Literal["measured", "stated on the plate", "stated", "computed"]


@dataclass(frozen=True)
class SheetScale:
    """Feet per inch of one sheet and how it is known; page is 0 where there is no plate."""

    scale: MapScale
    known: Known
    words: str  # where it comes from: "page 1, by its georeference"
    page: int = 0
    is_half_print: bool = False  # the page itself is a half-size print
    unit_taken: bool = False  # nothing names the unit, neither the page's geometry nor its words

    @property
    def is_measured(self) -> bool:
        """True when it was read off the page's own geometry."""
        return self.known == "measured"


def plate_scales(plate: MeasuredPlate) -> tuple[SheetScale, ...]:
    """One scale per map page: its main frame as measured, else the smallest stated one.

    Sheet indexes and sheets of notes are no map pages.
    """
    found = [
        SheetScale(
            MapScale(frame.feet_per_inch),
            "measured",
            f"page {page.number}, {frame.how}",
            page.number,
            is_half_print=(printed := printed_at(page, frame)) is not None and printed.is_half_size,
            unit_taken=frame.unit_taken and not page.stated_feet_per_inch,
        )
        for page, frame in plate.main_frames
    ]
    measured = {scale.page for scale in found}
    for page in plate.pages:
        if page.is_map and page.number not in measured and page.stated_feet_per_inch:
            stated = MapScale(max(page.stated_feet_per_inch))
            larger = nearest_larger(page)
            words = f"page {page.number}, in words only"
            if larger is not None:
                shrunk = MapScale(stated.feet_per_inch / larger.factor)
                words += f"; the page has {larger}, at which it would be {shrunk}"
            found.append(SheetScale(stated, "stated on the plate", words, page.number))
    return tuple(sorted(found, key=lambda scale: scale.page))


def wished_scale(site: Site, extent_ft: tuple[float, float] | None) -> SheetScale | None:
    """The scale that site.toml states; for "auto" the largest at which the extent fits the sheet.

    extent_ft is width and height of the ground in the frame, margin included (map_extent.py).
    None when nothing is stated, nothing is there to show, or no scale fits.
    """
    wishes = site.project.plate
    if wishes.scale != "auto":
        return SheetScale(
            MapScale(float(wishes.scale)), "stated", "site.toml, stated, not measured"
        )
    if extent_ft is None or site.project.path is None:
        return None
    try:
        sheet = parse_sheet(wishes.sheet)
    except UsageError:
        return None
    scale = fit_scale(*extent_ft, sheet)
    if scale is None:
        return None
    return SheetScale(scale, "computed", f"computed for {sheet}, not measured")


def plot_scale(
    site: Site,
    plate: MeasuredPlate | None,
    largest: MapScale,
    extent_ft: tuple[float, float] | None,
) -> SheetScale:
    """The scale by which inches of paper are judged: the plate's, the wished one, else `largest`.

    Of several map pages the one that draws largest counts; extent_ft as in wished_scale.
    """
    on_plate = plate_scales(plate) if plate is not None else ()
    if on_plate:
        return min(on_plate, key=lambda each: each.scale)
    wished = wished_scale(site, extent_ft)
    return wished or SheetScale(largest, "stated", "the limit of the law; no scale is stated")
