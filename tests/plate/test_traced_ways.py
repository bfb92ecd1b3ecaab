"""What the flow trace found, read back from the finished plate: ways, entries, inset, table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pikepdf
import pytest
import shapely

from sitemap.check import check_site
from sitemap.finding import Status
from sitemap.measured_plate import INSET_FRAME
from sitemap.ordinance import load_ordinance
from sitemap.plate.discharge_rows import NOT_SHOWN, discharge_rows
from sitemap.plate.draw import DrawnPlate, draw_plates
from sitemap.plate.inset import leaves_map
from sitemap.plate.read import measure_plate
from sitemap.plate.traced_ways import TracedWays, traced_ways
from sitemap.plate.ways_on_map import BAND, ENTRY, WAY
from sitemap.report.measured import to_text
from sitemap.site import Site
from tests.clean_site import NOW, clean_site, with_layer, without

MUSKEGO = load_ordinance("muskego")
LONG_FT = 2000.0


def long_creek() -> Site:
    """The clean site with one creek that leads from its outfall far out of the map, due east."""
    site = clean_site()
    start = site.layers["outfalls"].usable.geometry.iloc[0]
    creek = shapely.LineString([(start.x, start.y), (start.x + LONG_FT, start.y)])
    streams = {"geometry": [creek], "name": ["Long Creek"], "kind": ["stream"],
               "flow_direction": ["digitized"]}  # fmt: skip
    site = without(site, "wetlands", "waterbodies", "culverts", "storm_sewers")
    site = with_layer(site, "streams", streams)
    shown = {"id": ["DP-1"], "outfall": [site.layers["outfalls"].usable["id"].iloc[0]],
             "receiving_water": ["Long Creek"], "distance_ft": [0.0],
             "geometry": [start]}  # fmt: skip
    return with_layer(site, "discharges", shown)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> DrawnPlate:
    out = tmp_path_factory.mktemp("ways") / "plate.pdf"
    return draw_plates(long_creek(), MUSKEGO, out, sheet="ARCH D", now=NOW)


@pytest.fixture(scope="module")
def ways() -> TracedWays:
    found = traced_ways(long_creek(), MUSKEGO)
    assert found is not None
    return found


def texts(path: Path) -> str:
    import pypdfium2

    pages = pypdfium2.PdfDocument(path)
    return " ".join(page.get_textpage().get_text_bounded() for page in pages)


def test_a_way_is_cut_at_a_quarter_mile_and_told_every_quarter_of_it(ways: TracedWays) -> None:
    """A straight creek: 330 ft marks lie 330 ft apart along it, the last at 1,320 ft."""
    own = [m for m in ways.marks if m.words.startswith("OF-1") and m.kind != "entry"]
    start = long_creek().layers["outfalls"].usable.geometry.iloc[0]
    far = sorted(round(m.point.x - start.x, 3) for m in own)
    assert far == pytest.approx([330.0, 660.0, 990.0, 1320.0], rel=1e-5)  # US survey feet
    assert [m.kind for m in own if "1,320" in m.words] == ["end"]
    assert sum(part.length for part in ways.lines) == pytest.approx(1320.0, rel=1e-5)


def test_the_way_is_drawn_where_it_lies_in_a_layer_of_its_own(drawn: DrawnPlate) -> None:
    traced = [t for t in drawn.measured.traced if t.layer == WAY.title and t.page == 1]
    start = long_creek().layers["outfalls"].usable.geometry.iloc[0]
    frame = shapely.Polygon(drawn.measured.main_frames[0][1].ground_ft)
    assert traced
    assert all(shapely.LineString(path).intersects(frame.buffer(6.0)) for path in traced[0].lines)
    along = [path for path in traced[0].lines if shapely.LineString(path).within(frame.buffer(1))]
    longest = max(along, key=lambda path: np.ptp(path[:, 0]))
    assert np.abs(longest[:, 1] - start.y).max() < 0.1  # 0.002 in at 1 in = 50 ft
    assert abs(longest[:, 0].min() - start.x) < 0.1


def test_distances_and_entry_are_printed(drawn: DrawnPlate) -> None:
    said = texts(drawn.path)
    for words in ("OF-1, 0 ft to Long Creek", "OF-1, 330 ft", "OF-1, 1,320 ft"):
        assert words in said, words


def test_the_inset_has_its_own_scale_and_georeference(drawn: DrawnPlate) -> None:
    """By its own viewport it shows boundary and way whole, at the scale that it states."""
    page = next(p for p in drawn.measured.pages if any(f.name == INSET_FRAME for f in p.frames))
    inset = next(f for f in page.frames if f.name == INSET_FRAME)
    main = drawn.measured.main_frames[0][1]
    assert inset.how == "georeference"
    assert inset.epsg == main.epsg == 6609
    assert inset.feet_per_inch > main.feet_per_inch
    assert round(inset.feet_per_inch) in page.stated_feet_per_inch
    stated = {scale for one in drawn.measured.pages for scale in one.stated_feet_per_inch}
    assert stated == {main.feet_per_inch, inset.feet_per_inch}  # no label reads as a scale
    ground = shapely.Polygon(inset.ground_ft)
    start = long_creek().layers["outfalls"].usable.geometry.iloc[0]
    assert ground.contains(shapely.Point(start.x + 1320.0, start.y))
    assert ground.contains(clean_site().boundary)
    assert not shapely.Polygon(main.ground_ft).contains(shapely.Point(start.x + 1320.0, start.y))
    left, _, right, _ = inset.box_in
    width = np.hypot(*np.subtract(inset.ground_ft[3], inset.ground_ft[0]))
    assert width / (right - left) == pytest.approx(inset.feet_per_inch, rel=1e-5)


def test_the_inset_never_lies_on_the_map(drawn: DrawnPlate) -> None:
    for page in drawn.measured.pages:
        boxes = [shapely.box(*f.box_in) for f in page.frames if f.how == "georeference"]
        for i, a in enumerate(boxes):
            assert not any(a.intersects(b) for b in boxes[i + 1 :])


def test_measure_lists_both_and_takes_the_map_for_the_map(drawn: DrawnPlate) -> None:
    words = to_text(measure_plate(drawn.path))
    assert "frame Map Layers:" in words
    assert f"frame {INSET_FRAME}:" in words
    assert "not the site map" in words.split(f"frame {INSET_FRAME}:")[1]
    (main,) = drawn.measured.main_frames
    assert main[1].name == "Map Layers"


def test_it_says_that_it_is_not_the_map(drawn: DrawnPlate) -> None:
    assert "not the site map" in texts(drawn.path).lower()


def test_the_rules_of_the_plate_pass(drawn: DrawnPlate) -> None:
    checked = check_site(long_creek(), (MUSKEGO,), plate=drawn.measured, now=NOW)
    judged = {o.rule: o for o in checked.outcomes if o.rule[:3] in ("PLT", "SCL", "GRD")}
    bad = {code: o.findings for code, o in judged.items() if o.status is Status.FOUND}
    assert set(bad) <= {"SCL003"}  # the half-size print, which is a note
    assert judged["SCL001"].status is Status.PASSED


def test_layers_of_the_ways_can_be_switched(drawn: DrawnPlate) -> None:
    with pikepdf.open(drawn.path) as pdf:
        names = {str(group["/Name"]) for group in pdf.Root.OCProperties.OCGs}
    assert {WAY.title, INSET_FRAME} <= names


def test_the_legend_explains_the_way(drawn: DrawnPlate) -> None:
    legend = drawn.measured.pages[0].legend
    assert legend is not None
    assert WAY.legend in " ".join(legend)


def test_no_inset_where_the_map_holds_all_ways(ways: TracedWays) -> None:
    from dataclasses import replace

    from sitemap.measures.sheets import sheet_layout
    from sitemap.plate.map_frame import map_frame

    frame = map_frame(long_creek(), MUSKEGO, sheet_layout("ARCH D"), None)
    assert leaves_map(ways, [frame])
    wide = replace(frame, feet_per_inch=1000.0, origin_ft=tuple(np.subtract(frame.origin_ft, 8e3)))
    assert not leaves_map(ways, [wide])
    assert not leaves_map(None, [frame])


def test_without_limits_of_flow_nothing_is_traced() -> None:
    bare = MUSKEGO.model_copy(
        update={"limits": {k: v for k, v in MUSKEGO.limits.items() if k != "corridor_runs"}}
    )
    assert traced_ways(long_creek(), bare) is None


# ------------------------------------------------------------------------ table and corridors


def test_the_table_tells_kind_method_and_confidence(ways: TracedWays) -> None:
    from sitemap.measures.grid import grid_over

    grid = grid_over(clean_site().boundary.buffer(3000.0).bounds)
    rows = discharge_rows(long_creek(), grid, ways=ways)
    own = next(row for row in rows if row[0] == "DP-1")
    assert own[1:7] == ("OF-1", "Long Creek", "0", "stream", "network", "mapped")


def test_a_water_that_no_point_shows_is_listed_as_not_shown() -> None:
    from sitemap.measures.grid import grid_over

    site = without(long_creek(), "discharges")
    ways = traced_ways(site, MUSKEGO)
    grid = grid_over(clean_site().boundary.buffer(3000.0).bounds)
    rows = discharge_rows(site, grid, ways=ways)
    assert (NOT_SHOWN, "OF-1", "Long Creek") in [row[:3] for row in rows]


def test_a_corridor_to_confirm_is_a_band_with_its_share(root: Path) -> None:
    """Kettle Ridge: the way from OF-2 over its meadow is not sure of wetland W-1."""
    from sitemap.intake.assemble import open_site

    (sample,) = (root / "sample_sites").glob("*/site.toml")
    ways = traced_ways(open_site(sample), MUSKEGO)
    assert ways is not None
    asked = [r for r in ways.to_show if ways.to_confirm(r)]
    assert len(ways.bands) == len({r.trace.outlet for r in asked}) == 1
    ((band, words),) = ways.bands
    (one,) = asked
    limits = ways.flow.limits
    assert limits.lower_pct < one.first_pct < limits.upper_pct
    assert f"{round(one.first_pct)} of 100 runs" in words
    assert band.buffer(1.0).covers(one.trace.corridor)
    assert not {BAND.title, ENTRY.title} & {WAY.title}
