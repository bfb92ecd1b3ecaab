"""The index of a set: vicinity map, table of sheets on small paper, room for the seal."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shapely

from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.marks import Areas, SheetMarks, Text
from sitemap.plate.numbering import number_sheets
from sitemap.plate.plan import SetPlan, plan_sheets
from sitemap.plate.sheet_set import compose_set
from sitemap.plate.sheet_table import SheetRow, sheet_table
from sitemap.plate.signing_box import SEAL_CAPTION
from sitemap.plate.vicinity import SITE_SHADE
from sitemap.site import Site
from tests.clean_ground import at, line
from tests.clean_site import layer_frame, role_layer, the_catalogue
from tests.plate.composed import NOW, overlaps, rectangle, texts, words
from tests.plate.long_sites import l_shape, road_corridor

MUSKEGO = load_ordinance("muskego")


def among_roads(site: Site) -> Site:
    """Three roads that go on for a mile, and the city around most of them."""
    catalogue = the_catalogue()
    roads = {
        "geometry": [
            line((-4000, -900), (9000, -700)), line((-900, -4000), (-700, 9000)),
            line((-4000, 4200), (9000, 4600)),
        ],
        "name": ["Woods Road", "Racine Avenue", "Janesville Road"],
    }  # fmt: skip
    city = {"geometry": [at(shapely.box(-6000, -2500, 6000, 12000))], "name": ["City of Muskego"]}
    layers = {
        role: role_layer(role, layer_frame(role, one), catalogue=catalogue)
        for role, one in (("roads", roads), ("jurisdiction", city))
    }
    return replace(site, layers={**site.layers, **layers})


def composed(site: Site, sheet: str, scale: float, turn: float) -> tuple[SheetMarks, ...]:
    layout = sheet_layout(sheet)
    plan = plan_sheets(site, MUSKEGO, layout, scale, turn)
    assert isinstance(plan, SetPlan)
    lock, _, free = number_sheets("C-501", plan.centres_ft, plan.reach_ft, None)
    return compose_set(site, MUSKEGO, layout, plan, lock, free, now=NOW).sheets


@pytest.mark.parametrize("turn", [0.0, 25.0])
def test_vicinity_shows_roads_city_and_site_as_the_sheets_lie(turn: float) -> None:
    index = composed(among_roads(l_shape()), "ARCH D", 50.0, turn)[0]
    main, vicinity = index.frames
    assert vicinity.name == "Vicinity"
    assert vicinity.rotation_deg == main.rotation_deg == turn
    box = shapely.box(*vicinity.box_in)
    inside = {t.text for t in texts(index) if box.contains(rectangle(t))}
    assert {"Woods Road", "Racine Avenue", "Janesville Road", "City of Muskego"} <= inside
    assert f"1 in = {vicinity.feet_per_inch:,.0f} ft, vicinity only" in words(index)
    (shade,) = [m for m in index.marks if isinstance(m, Areas) and m.fill == SITE_SHADE]
    drawn = shapely.Polygon(shade.polygons[0][0])
    boundary = l_shape().boundary
    assert boundary is not None
    assert drawn.area * vicinity.feet_per_inch**2 == pytest.approx(boundary.area, rel=1e-6)
    assert box.contains(drawn)


def test_thirteen_sheets_on_small_paper_leave_title_and_seal_free() -> None:
    """Each part told in one line, nothing over the title block, and a place for the seal."""
    sheets = composed(road_corridor(), "ANSI B", 50.0, 0.0)
    assert len([s for s in sheets if s.kind == "map"]) >= 13
    for sheet in sheets:
        found = texts(sheet)
        pairs = overlaps([rectangle(t) for t in found])
        assert [(sheet.number, found[a].text, found[b].text) for a, b in pairs] == []
        assert SEAL_CAPTION in words(sheet), sheet.number
    assert "Part 2 of 14" in words(sheets[0])


LONG = "Erosion and sediment control site map of the corridor"


def rows(count: int) -> list[SheetRow]:
    parts = [SheetRow(f"C-{502 + i}", f"{LONG}, part {i + 1} of {count}", "SF-1")
             for i in range(count)]  # fmt: skip
    return [SheetRow("C-501", "Sheet index", "where"), *parts, SheetRow("C-599", "Notes", "all")]


def titles(height_in: float, count: int = 12) -> list[str]:
    block = sheet_table(rows(count), 3.6, height_in)
    assert block.height_in <= height_in
    return [mark.text for mark in block.marks if isinstance(mark, Text)]


def test_table_of_sheets_tells_as_much_as_there_is_room_for() -> None:
    """Fourteen lines of 0.18 in take about 3 in, three of them each three times that; joined there
    are three rows.
    """
    full = titles(9.0)
    assert "Part 3 of 12" not in full
    assert len(full) > len(titles(3.4))
    assert "Part 3 of 12" in titles(3.4)
    joined = titles(1.4)
    assert "C-502 to C-513" in joined
    assert "12 parts" in " ".join(joined)
