"""CON009: a level runs on until it closes or leaves the map."""

from __future__ import annotations

import sys

import numpy as np
import shapely
from affine import Affine
from shapely.ops import substring

from sitemap.finding import Severity
from sitemap.rules.contour_ends_inside_map import contour_ends_inside_map as rule
from sitemap.rules.rule import Ask, Fault, Skip
from sitemap.site import Site
from sitemap.terrain.surface import Surface
from tests.clean_site import (
    CRS,
    EAST_FT,
    GRADED,
    NORTH_FT,
    clean_site,
    faults_of,
    passes,
    rectangle,
    replace_features,
    run,
    without,
)

module = sys.modules["sitemap.rules.contour_ends_inside_map"]  # its name is that of its rule
NO_CASE = {"not_applicable": "a map without existing contours is SUB001's; the engine skips"}
EXISTING_ONLY = without(clean_site(), "contours_proposed")


def cut(area, *levels: float, site: Site = EXISTING_ONLY) -> Site:
    """Existing contours (of some levels) without their parts in an area."""

    def change(frame):
        these = frame["elevation"].isin(levels) if levels else np.full(len(frame), True)
        shapes = frame.geometry.where(~these, frame.geometry.difference(area))
        return frame.set_geometry(shapes)

    return replace_features(site, "contours_existing", change)


def clipped(area) -> Site:
    return replace_features(
        EXISTING_ONLY,
        "contours_existing",
        lambda f: f.set_geometry(f.geometry.intersection(area)).loc[lambda g: ~g.geometry.is_empty],
    )


def test_passes_where_lines_end_at_the_edge_of_the_map() -> None:
    assert passes(rule, clean_site())


def test_found_both_ends_of_a_missing_stretch() -> None:
    faults = faults_of(rule, cut(rectangle(250, -200, 540, 900), 820.0))
    assert [f.message for f in faults] == ["existing contour 820 ft ends inside the map"] * 2
    assert [round(f.geometry.x - EAST_FT) for f in faults] == [250, 540]
    assert {f.source.feature for f in faults} == {11}


def test_found_one_end_of_a_line_that_stops() -> None:
    (fault,) = faults_of(rule, cut(rectangle(400, -200, 1000, 900), 820.0))
    assert round(fault.geometry.x - EAST_FT) == 400
    assert 300 < fault.geometry.y - NORTH_FT < 420


def test_at_the_limit_a_gap_of_a_hundred_feet_is_for_a_label() -> None:
    (fault,) = faults_of(rule, cut(rectangle(353, -200, 449, 900), 820.0))
    assert fault.severity is Severity.INFO
    assert "broken at 1 place as for a label, over 99 to 99 ft" in fault.message
    assert fault.geometry.geom_type == "MultiLineString"


def test_just_over_a_hundred_feet_is_missing_ground() -> None:
    faults = faults_of(rule, cut(rectangle(349, -200, 451, 900), 820.0))
    assert len(faults) == 2
    assert all(f.severity is None for f in faults)


def test_passes_where_one_line_is_drawn_in_two_parts() -> None:
    def split(frame):
        parts = [
            (substring(g, 0.0, 0.4, True), substring(g, 0.4, 1.0, True)) for g in frame.geometry
        ]
        return frame.set_geometry([shapely.MultiLineString(pair) for pair in parts], crs=frame.crs)

    assert passes(rule, replace_features(EXISTING_ONLY, "contours_existing", split))


def test_passes_where_existing_contours_are_cut_out_of_the_graded_area() -> None:
    assert passes(rule, cut(rectangle(*GRADED), site=clean_site()))


def test_passes_where_the_layer_is_clipped_to_another_shape() -> None:
    """A circle, and an L whose inner corner has mapped ground on two sides."""
    middle = shapely.Point(EAST_FT + 400, NORTH_FT + 300)
    assert passes(rule, clipped(middle.buffer(350.0)))
    tall, wide = rectangle(-100, -100, 300, 700), rectangle(-100, -100, 900, 250)
    assert passes(rule, clipped(tall.union(wide)))


def ground_surface(height) -> Surface:
    """A surface of cells of 5 ft around the clean site, by a function of x and y."""
    left, top = EAST_FT - 500.0, NORTH_FT + 1500.0
    x = left + (np.arange(600) + 0.5) * 5.0
    y = top - (np.arange(500) + 0.5) * 5.0
    z = np.asarray(height(*np.meshgrid(x, y)), dtype=float)
    grid = Affine(5.0, 0.0, left, 0.0, -5.0, top)
    return Surface(z, grid, CRS, "a test", "ft", "the test's", "NAVD88", 0.1, "the test's")


def test_a_person_says_what_the_ground_is_at_voids(monkeypatch) -> None:
    """Contours that end beside cells without a height are asked about, and are no faults."""
    void = rectangle(250, -200, 540, 900)
    site = cut(void, 820.0)
    rim = void.buffer(1.0)
    surface = ground_surface(lambda x, y: np.where(shapely.contains_xy(rim, x, y), np.nan, 820.0))
    monkeypatch.setattr(module, "elevation_layer", lambda _: surface)
    said = run(rule, site)
    assert not [s for s in said if isinstance(s, Fault)]
    (ask,) = [s for s in said if isinstance(s, Ask)]
    assert "2 existing contours end at ground without elevation data" in ask.question
    assert sorted(round(p.x - EAST_FT) for p in ask.geometry.geoms) == [250, 540]


def test_ends_far_from_voids_stay_faults(monkeypatch) -> None:
    surface = ground_surface(lambda x, y: np.where(x > EAST_FT + 2000.0, np.nan, 820.0))
    monkeypatch.setattr(module, "elevation_layer", lambda _: surface)
    assert len(faults_of(rule, cut(rectangle(250, -200, 540, 900), 820.0))) == 2


def test_skipped_without_elevations() -> None:
    def change(frame):
        frame["elevation"] = np.nan
        return frame

    (said,) = run(rule, replace_features(EXISTING_ONLY, "contours_existing", change))
    assert isinstance(said, Skip)
