"""The clean site composed once, and the rectangles of its lettering: what several tests look at."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

import numpy as np
import shapely

from sitemap.checked import CheckedSite
from sitemap.measures.sheets import sheet_layout
from sitemap.ordinance import load_ordinance
from sitemap.plate.compose import ComposedMap, compose_map
from sitemap.plate.finished_sheet import finished_sheet
from sitemap.plate.fonts import text_width_in
from sitemap.plate.furniture import furniture_of
from sitemap.plate.marks import SheetMarks, Text
from sitemap.site import Site
from tests.clean_site import clean_site

NOW = dt.date(2026, 5, 4)


def compose_sheet(
    site: Site, *, sheet: str, scale: float | str = "auto", now: dt.date = NOW,
    checked: CheckedSite | None = None, rotation_deg: float = 0.0,
) -> SheetMarks:  # fmt: skip
    """The map sheet alone, whatever its margin has no room for."""
    pack = load_ordinance("muskego")
    composed = compose_map(site, pack, sheet_layout(sheet), scale, rotation_deg)
    return finished_sheet(furniture_of(site, pack, composed, now), checked=checked)


@lru_cache(maxsize=8)
def sheet(name: str = "ARCH D", scale: float | str = "auto") -> SheetMarks:
    return compose_sheet(clean_site(), sheet=name, scale=scale)


@lru_cache(maxsize=8)
def the_map(name: str = "ARCH D") -> ComposedMap:
    return compose_map(clean_site(), load_ordinance("muskego"), sheet_layout(name), "auto")


def texts(marks: SheetMarks) -> list[Text]:
    return [m for m in marks.marks if isinstance(m, Text)]


def words(marks: SheetMarks) -> set[str]:
    return {t.text for t in texts(marks)}


def rectangle(text: Text) -> shapely.Polygon:
    """What the capitals of a text cover, in inches; by the exact advances of its letters."""
    width = text_width_in(text.text, text.cap_in, text.bold, text.italic)
    start = {"left": 0.0, "center": -width / 2.0, "right": -width}[text.ha]
    low = {"baseline": 0.0, "center": -text.cap_in / 2.0, "top": -text.cap_in, "bottom": 0.0}
    y = low[text.va]
    corners = np.array(
        [[start, y], [start + width, y], [start + width, y + text.cap_in], [start, y + text.cap_in]]
    )
    turn = np.deg2rad(text.rotation_deg)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return shapely.Polygon(corners @ matrix.T + [text.x_in, text.y_in])


def overlaps(shapes: list[shapely.Polygon], least_sq_in: float = 1e-5) -> list[tuple[int, int]]:
    """Pairs that cover each other by more than a hair."""
    tree = shapely.STRtree(shapes)
    i, j = tree.query(np.array(shapes), predicate="intersects")
    pairs = [(a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True) if a < b]
    return [(a, b) for a, b in pairs if shapes[a].intersection(shapes[b]).area > least_sq_in]
