"""PLT005: lettering that cannot be read in the field."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Limit, Quantity, Severity
from sitemap.measured_plate import LetterSize, MeasuredPlate
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.units import Length, LengthUnit, plain_number

READ_TO_IN = 0.0005  # heights are read to a thousandth of an inch


@rule("PLT005", clauses=("map",), severity=Severity.WARNING)
def lettering_too_small(
    plate: MeasuredPlate | None, lettering_height: Length, border_lettering_height: Length
) -> Iterator[Said]:
    """The map has lettering that is too small.

    Why
        Plans are copied, reduced to half and read in the rain; capitals under 0.08 inch do not
        survive that.

    How it is measured
        Height of a capital on each page of the file, letter by letter: font size times the scale
        of the text, times the height of a flat capital in the embedded font. Under 0.08 in (the
        pack's lettering_height) is a fault; for lettering in the margin, within half an inch of
        the paper's edge (the line of the program or of the printer), under 0.06 in. One finding
        per height, with how many letters have it and an example.

    When it does not apply
        Without a plate. Lettering that was turned into lines or pictures cannot be read: skipped
        where a plate has no other.

    How to fix
        Set the text at 0.08 in or larger for the scale of the sheet, or draw on a larger sheet.

    References
        § 162-11B(4): the site map shall include and show the items; drafting practice of 0.08 in.
    """
    if plate is None:
        yield NotApplicable("no plate was handed in (--plate FILE.pdf)")
        return
    lettered = [page for page in plate.pages if page.lettering]
    if not lettered:
        yield Skip("no lettering of the plate can be read: it has none, or only as lines")
        return
    for page in lettered:
        smallest = min(size.cap_in for size in page.lettering)
        count = sum(size.letters for size in page.lettering)
        yield Checked(
            f"page {page.number}: {count} letters, the smallest {plain_number(smallest)} in",
            count,
        )
        for size in page.lettering:
            limit = border_lettering_height if size.in_margin else lettering_height
            least = limit.to(LengthUnit.INCH)
            if size.cap_in < least - READ_TO_IN:
                yield _fault(size, page.number, least)


def _fault(size: LetterSize, page: int, least_in: float) -> Fault:
    where = f"at {size.x_in:.1f} in from the left and {size.y_in:.1f} in from the bottom"
    letters = "letter is" if size.letters == 1 else "letters are"
    return Fault(
        f'page {page}: {size.letters} {letters} {plain_number(size.cap_in)} in high ("{size.words}"'
        f", {where}); at least {plain_number(least_in)} in are asked for",
        f"set this text with capitals of {plain_number(least_in)} in or more",
        measured=Quantity(size.cap_in, "in"),
        limit=Limit(least_in, "in", ">="),
        distinct=f"page {page} {size.cap_in} {size.in_margin}",
    )
