"""Derived drainage areas share out the ground: one cover, common edges, no holes, no slits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from affine import Affine

from sitemap.measures.neighbours import gaps
from sitemap.terrain.drainage import Drainage, drainage
from sitemap.terrain.enclosed_ground import areas_between
from sitemap.terrain.flow_field import flow_field
from sitemap.terrain.shared_cover import shared_out
from sitemap.terrain.surface import Surface
from tests.clean_site import clean_site, without
from tests.terrain.grounds import of_cells

SITE = without(
    clean_site(), "storm_sewers", "culverts", "inlets", "streams", "wetlands", "waterbodies",
    "outfalls",
)  # fmt: skip
AROUND_FT = 500.0
ACRE = 43_560.0


def hills(cell_ft: float, seed: int, *, voids: int = 0) -> Surface:
    """Rough ground around the site, the sum of five noises; some voids of up to 5 by 5 cells."""
    rng = np.random.default_rng(seed)
    left, bottom, right, top = SITE.boundary.buffer(AROUND_FT).bounds
    rows, columns = int((top - bottom) / cell_ft), int((right - left) / cell_ft)
    z = np.full((rows, columns), 800.0)
    for k in range(5):
        step = 2 ** (k + 2)
        knots = rng.normal(size=(rows // step + 3, columns // step + 3)) * step**0.9
        z += 0.05 * min(cell_ft, 5.0) * np.kron(knots, np.ones((step, step)))[:rows, :columns]
        z = (z + np.roll(z, 1, axis=0) + np.roll(z, 1, axis=1)) / 3.0
    for _ in range(voids):
        row, column = rng.integers(0, rows - 6), rng.integers(0, columns - 6)
        z[row : row + rng.integers(1, 6), column : column + rng.integers(1, 6)] = np.nan
    grid = Affine(cell_ft, 0.0, left, 0.0, -cell_ft, top)
    return replace(of_cells(z, cell_ft), transform=grid, crs=SITE.crs)


def derived(surface: Surface) -> tuple[Drainage, np.ndarray]:
    made = drainage(SITE, surface, after_grading=False)
    return made, np.array([area.shape for area in made.areas], dtype=object)


@pytest.mark.parametrize(
    ("cell_ft", "voids"), [(2.0, 15), (5.0, 0), (12.0, 15), (40.0, 0), (100.0, 0)]
)
def test_areas_are_one_cover_without_holes_or_slits(cell_ft: float, voids: int) -> None:
    for seed in range(3):
        made, shapes = derived(hills(cell_ft, seed, voids=voids))
        assert len(shapes) > 0
        assert shapely.is_valid(shapes).all()
        assert shapely.coverage_is_valid(shapes)
        assert gaps(shapes, 5.0, 0.5) == []
        whole = shapely.union_all(shapes)
        assert shapely.area(shapes).sum() == pytest.approx(whole.area, rel=1e-9)
        assert sum(a.acres for a in made.areas) == pytest.approx(whole.area / ACRE, abs=0.05)


def test_a_small_void_is_led_round_and_told() -> None:
    """One of 5 by 5 cells of 5 ft, 0.014 acres, on the side of a valley to the south."""
    y = np.repeat((np.arange(320)[::-1] * 5.0)[:, None], 360, axis=1)
    x = np.repeat((np.arange(360) * 5.0)[None], 320, axis=0)
    z = 800.0 + 0.05 * y + 0.10 * np.abs(x - 900.0)
    left, _, _, top = SITE.boundary.buffer(AROUND_FT).bounds
    ground = replace(
        of_cells(z, 5.0), transform=Affine(5.0, 0.0, left, 0.0, -5.0, top), crs=SITE.crs
    )
    whole, _ = derived(ground)
    z[150:155, 185:190] = np.nan
    holed, shapes = derived(replace(ground, z_ft=z))
    assert holed.areas[0].acres > 20.0
    assert holed.areas[0].acres == pytest.approx(whole.areas[0].acres, abs=0.1)
    assert any(note.startswith("water is led round 0.01 acres of voids") for note in holed.notes)
    assert not [ring for part in shapely.get_parts(shapes) for ring in part.interiors]


def test_a_large_void_takes_water_and_stays_open() -> None:
    """Of 60 by 60 cells, 2.1 acres: nobody knows where its water goes."""
    ground = hills(5.0, 2)
    z = ground.z_ft.copy()
    z[130:190, 150:210] = np.nan
    made, shapes = derived(replace(ground, z_ft=z))
    left, top = ground.transform.c, ground.transform.f
    void = shapely.box(left + 755.0, top - 945.0, left + 1045.0, top - 655.0)
    assert not any(note.startswith("water is led round") for note in made.notes)
    assert shapely.union_all(shapes).intersection(void).area == 0.0
    assert any("where no elevation is known, are in none" in note for note in made.notes) == bool(
        gaps(shapes, 5.0, 0.5)
    )
    assert any("of the site are in none" in note for note in made.notes)


def test_small_holes_and_slits_go_to_the_neighbour_with_the_longest_common_edge() -> None:
    """Four areas around a hole of 10 by 10 ft, all sides alike but the one of three, and a slit."""
    around = shapely.box(0, 0, 30, 30) - shapely.box(10, 10, 20, 20)
    west = around.intersection(shapely.box(0, 0, 12, 30))
    east = around - west
    beside = shapely.box(32.0, 0.0, 60.0, 30.0)
    found = shared_out([west, east, beside], most_sqft=1e6, slit_ft=5.0, sliver_ft=0.5)
    assert found.given_sqft == pytest.approx(100.0 + 60.0, abs=0.1)
    assert found.left == []
    assert found.shapes[1].contains(shapely.Point(15.0, 15.0)), "26 ft of edge against 14"
    assert found.shapes[0].area == pytest.approx(west.area, abs=0.1)
    assert shapely.coverage_is_valid(np.array(found.shapes))
    assert shapely.union_all(found.shapes).equals(shapely.box(0, 0, 60, 30))


def test_a_large_hole_is_left_and_told() -> None:
    ring = shapely.box(0, 0, 300, 300) - shapely.box(50, 50, 250, 250)
    halves = [ring.intersection(shapely.box(0, 0, 150, 300)), ring - shapely.box(0, 0, 150, 300)]
    found = shared_out(halves, most_sqft=21_780.0, slit_ft=5.0, sliver_ft=0.5)
    (hole,) = found.left
    assert hole.area == pytest.approx(40_000.0)
    assert found.given_sqft == 0.0


def test_a_large_hole_of_known_ground_is_an_area_of_its_own() -> None:
    """Four cells of 100 ft that fall to the south-east: their water leaves over that corner."""
    y, x = np.mgrid[0:6, 0:6].astype(float)
    field = flow_field(of_cells(800.0 - x - y, 100.0))
    label = np.ones((6, 6), dtype=np.int32)
    label[2:4, 2:4] = 0
    (found,) = areas_between(field, label, [shapely.box(200.0, 200.0, 400.0, 400.0)], 5)
    assert found.number == 5
    assert (label[2:4, 2:4] == 5).all()
    assert found.cell.tolist() == [3 * 6 + 3]
    assert found.xy == pytest.approx((350.0, 250.0))


def test_a_hole_over_a_void_is_no_area() -> None:
    """Nor is one with a rim of known cells, whose water the void takes."""
    y, x = np.mgrid[0:6, 0:6].astype(float)
    z = 800.0 - x - y
    z[2:4, 2:4] = np.nan
    label = np.where(np.isnan(z), 0, 1).astype(np.int32)
    hole = shapely.box(200.0, 200.0, 400.0, 400.0)
    assert areas_between(flow_field(of_cells(z, 100.0)), label, [hole], 5) == []
    label[2:4, 1] = 0
    wider = shapely.box(100.0, 200.0, 400.0, 400.0)
    assert areas_between(flow_field(of_cells(z, 100.0)), label, [wider], 5) == []
    assert (label[2:4, 1] == 0).all()
