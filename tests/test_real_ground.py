"""Invented sites on real ground: derived, drawn, measured and checked, each in one go."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

from sitemap.finding import Severity, Status
from sitemap.measured_plate import INSET_FRAME
from sitemap.measures.contours import contours_in
from tests.real_ground import GROUNDS, Drawn, RealGround, derived_site

pytestmark = pytest.mark.real_data

# nothing is said of controls and of cover after construction: the sites have none
INVENTED = {"SUB001", "DST006", "BMP010", "BMP011"}
# what is wrong with the real waters themselves, and is not derived
REAL_WATERS = {"CRS003", "HYD007", "TOP003", "GEO001"}


@pytest.fixture(scope="module", params=GROUNDS, ids=lambda ground: ground.name)
def drawn(
    request: pytest.FixtureRequest, shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RealGround, Drawn]:
    ground: RealGround = request.param
    if not (shared_data / ground.folder / ground.elevation).is_file():
        pytest.skip(f"{ground.folder} is not among the real files")
    return ground, derived_site(ground, shared_data, tmp_path_factory.mktemp(ground.name))


def test_the_derived_site_passes_its_own_check_or_says_why(
    drawn: tuple[RealGround, Drawn],
) -> None:
    _, done = drawn
    errors = {
        finding.rule
        for outcome in done.checked.outcomes
        for finding in outcome.findings
        if finding.severity is Severity.ERROR
    }
    assert errors <= INVENTED | REAL_WATERS
    assert "SUB001" in errors


def test_the_plate_measures_as_its_law_asks(drawn: tuple[RealGround, Drawn]) -> None:
    _, done = drawn
    statuses = {o.rule: o.status for o in done.checked.outcomes}
    for code in ("SCL001", "SCL002", "GRD001", "GRD003", "PLT001", "PLT003", "PLT004", "CON001"):
        assert statuses[code] is Status.PASSED, code
    assert done.plate.control.error_ppm < 1.0
    assert done.plate.unplaced == ()


def test_contours_fill_the_frame_as_far_as_the_ground_is_known(
    drawn: tuple[RealGround, Drawn],
) -> None:
    """Every level between the heights of the frame is drawn in it, but for specks at the ends."""
    from sitemap.terrain.ground import ground_of

    _, done = drawn
    site = done.checked.site
    surface = ground_of(site).existing
    frame = shapely.Polygon(done.plate.measured.main_frames[0][1].ground_ft)
    contours = contours_in(site.layers["contours_existing"])
    low, high = surface.range_ft
    assert contours.levels_ft.min() >= low - 1e-6
    assert contours.levels_ft.max() <= high + 1e-6
    xmin, ymin, xmax, ymax = frame.bounds
    x, y = np.meshgrid(np.linspace(xmin, xmax, 30)[1:-1], np.linspace(ymin, ymax, 30)[1:-1])
    heights = surface.heights_at(np.column_stack([x.ravel(), y.ravel()]))
    known = heights[np.isfinite(heights)]
    step = float(np.median(np.diff(contours.levels)))
    levels = np.arange(np.ceil(known.min() / step), np.floor(known.max() / step) + 1) * step
    lacking = set(levels) - set(contours.within(frame.bounds).levels)
    assert all(min(one - known.min(), known.max() - one) < 2.0 * step for one in lacking)


def test_voids_and_insets_are_where_they_must_be(drawn: tuple[RealGround, Drawn]) -> None:
    """Ground beyond the data is hatched; ways beyond the map have an inset."""
    from sitemap.plate.inset import leaves_map
    from sitemap.plate.traced_ways import traced_ways
    from sitemap.plate.voids import VOID, voids_in
    from sitemap.terrain.ground import ground_of

    _, done = drawn
    site, measured = done.checked.site, done.plate.measured
    from sitemap import load_ordinance
    from sitemap.measures.sheets import sheet_layout
    from sitemap.plate.map_frame import map_frame

    pack = load_ordinance(None, site)
    frame = map_frame(site, pack, sheet_layout("ARCH D"), "auto")
    void = voids_in(ground_of(site).existing, frame)
    share = void.area / shapely.Polygon(frame.corners_ft).area
    assert (VOID.title in measured.layers) is (share >= 0.0005)
    insets = [f for page in measured.pages for f in page.frames if f.name == INSET_FRAME]
    ways = traced_ways(site, pack)
    assert bool(insets) is leaves_map(ways, [frame])
