"""PLT002: a page that was shrunk or cropped, or is another sheet than the one asked for."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.errors import UsageError
from sitemap.finding import Limit, Quantity, Severity
from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.measures.print_size import nearest_larger, same_shape
from sitemap.measures.sheets import PAPER_IN, half_size_of, parse_sheet, sheet_of_size
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.site import Site


@rule("PLT002", clauses=("scale",), severity=Severity.WARNING)
def page_is_not_the_sheet(site: Site, plate: MeasuredPlate | None) -> Iterator[Said]:
    """The map has a page that is not the sheet it was drawn for.

    Why
        "Fit to page" turns 1 in = 50 ft into 1 in = 62 ft, and no stated scale notices; a cropped
        page has lost a part of the map.

    How it is measured
        Width and height of each page with a map (of each page where none has one), as shown,
        against the sheets of ANSI A to E and ARCH A to E, upright or lying, to 0.02 in; and
        against the sheet that site.toml names in [plate] sheet. A page of the same proportions is
        named as shrunk or enlarged, with the factor. Half size passes where site.toml says that
        half-size prints are submitted.

    When it does not apply
        Without a plate.

    How to fix
        Print to PDF at 100 percent on the sheet's own paper size, or name the sheet in site.toml.

    References
        § 162-11B(4), scale; ANSI/ASME Y14.1, sheet sizes.
    """
    if plate is None:
        yield NotApplicable("no plate was handed in (--plate FILE.pdf)")
        return
    pages = [page for page in plate.pages if page.frames] or list(plate.pages)
    if not pages:
        yield Skip("no page could be read: see PLT001")
        return
    wished = _wished(site)
    yield Checked(", ".join(_words(page) for page in pages), len(pages))
    for page in pages:
        sheet = sheet_of_size(page.width_in, page.height_in)
        allowed = {wished}
        if wished is not None and site.project.plate.half_size_submitted:
            allowed.add(half_size_of(wished))
        if sheet is None or (wished is not None and sheet not in allowed):
            yield _fault(page, sheet, wished)


def _wished(site: Site) -> str | None:
    """The sheet that site.toml itself names."""
    wishes = site.project.plate
    if "sheet" not in wishes.model_fields_set:
        return None
    try:
        return parse_sheet(wishes.sheet)
    except UsageError:
        return None


def _words(page: PlatePage) -> str:
    sheet = sheet_of_size(page.width_in, page.height_in)
    named = f" ({sheet})" if sheet else ""
    return f"page {page.number}: {page.width_in:.5g} x {page.height_in:.5g} in{named}"


def _fault(page: PlatePage, sheet: str | None, wished: str | None) -> Fault:
    larger = nearest_larger(page)
    meant = wished or (larger.sheet if larger else None)
    size = f"{page.width_in:.5g} x {page.height_in:.5g} in"
    what = f"{sheet}, {size}" if sheet else f"{size}, which is no known sheet"
    factor = same_shape(page, meant) if meant else None
    if factor is not None:
        how = "shrunk" if factor < 1.0 else "enlarged"
        what += f": {meant} {how} to {factor:.1%}"
    elif wished is not None:
        what += f"; site.toml asks for {wished}"
    width = PAPER_IN[meant][0] if meant else None
    return Fault(
        f"page {page.number} is {what}",
        f"print to PDF at 100 percent on {meant or 'a known sheet'}, or name it in site.toml",
        measured=Quantity(round(max(page.width_in, page.height_in), 3), "in"),
        limit=Limit(width, "in", "==") if width else None,
        distinct=f"page {page.number}",
    )
