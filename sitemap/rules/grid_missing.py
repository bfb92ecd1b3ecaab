"""GRD001: a map without a site grid."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.measured_plate import MeasuredPlate
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
from sitemap.site import RoleLayer


@rule("GRD001", clauses=("j",), uses=("grid",))
def grid_missing(grid: RoleLayer | None, plate: MeasuredPlate | None) -> Iterator[Said]:
    """The map has no alphanumeric grid.

    Why
        "The silt fence in C4" is how inspector, contractor and letter speak of one place.

    How it is measured
        A grid layer with features is one. On a plate, each page with a map frame must carry
        letters and numbers along the frame. The plate that this program draws always has its
        grid; a submission without a grid layer and without a plate has none yet.

    When it does not apply
        Never. A plate whose map frame cannot be found, or that is a picture, needs a person.

    How to fix
        Run `sitemap plate`: it draws the grid over the whole map. Or hand in a grid layer with
        one labelled cell per feature.

    References
        § 162-11B(4)(j), alphanumeric or equivalent grid overlying the entire site map; reading 1.
    """
    cells = 0 if grid is None else len(grid.usable)
    if cells:
        yield Checked(f"grid layer with {cells} features", cells)
    if plate is None:
        if not cells:
            yield Fault(
                "there is no site grid: neither a grid layer nor a plate that draws one",
                "run `sitemap plate`, which draws the grid over the whole map, and check again "
                "with --plate; or hand in a grid layer",
                role="grid",
            )
        return
    pages = plate.main_frames
    if not pages:
        trouble = "; ".join(plate.trouble) or "no map frame was found"
        yield Ask(f"is an alphanumeric grid on the plate? It could not be read ({trouble})", "j")
    for page, _ in pages:
        across, down = len(page.grid_columns), len(page.grid_rows)
        if across and down:
            yield Checked(
                f"page {page.number}: {across} column and {down} row marks", across + down
            )
        elif not page.has_text:
            yield Ask(
                f"is an alphanumeric grid on page {page.number} of the plate? It is a picture, of "
                "which no letters can be read",
                "j",
            )
        else:
            lacking = [w for w, n in (("across", across), ("down", down)) if not n]
            yield Fault(
                f"page {page.number} of the plate has no grid references {' or '.join(lacking)}",
                "draw the plate with `sitemap plate`, or letter the grid along the map frame",
                role="grid",
                distinct=f"page {page.number}",
            )
