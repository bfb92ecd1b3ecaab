"""A big submission made by seed: contours of a hilly surface, soils that share out the ground,
wetlands on it, and a few faults of each kind, so that the rules find something too.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import contourpy
import geopandas
import numpy as np
import pandas
import shapely

CRS = "EPSG:6609"  # NAD83(2011) / Wisconsin South, US survey feet
WEST, SOUTH = 2_460_000.0, 330_000.0  # Muskego
SIDE_FT = 10_560.0  # two miles
INTERVAL_FT = 1.0
SITE_TOML = """\
[project]
name = "Big"

[map]
crs = "EPSG:6609"
vertical_unit = "ft"

[layers]
boundary = {{ path = "{file}", layer = "boundary" }}
contours_existing = {{ path = "{file}", layer = "contours" }}
soils = {{ path = "{file}", layer = "soils" }}
wetlands = {{ path = "{file}", layer = "wetlands" }}
"""


def write_big_site(folder: Path, vertices: int, polygons: int, seed: int = 162) -> Path:
    """Write big.gpkg and site.toml; the path of the latter. Counts are met to a few per cent."""
    chance = np.random.default_rng(seed)
    file = folder / "big.gpkg"
    edge = shapely.box(WEST, SOUTH, WEST + SIDE_FT, SOUTH + SIDE_FT)
    wetlands = polygons // 10
    layers = {
        "boundary": geopandas.GeoDataFrame({"name": ["Big"]}, geometry=[edge], crs=CRS),
        "contours": contours(seed, vertices),
        "soils": soils(chance, polygons - wetlands),
        "wetlands": ponds(chance, wetlands),
    }
    for name, frame in layers.items():
        frame.to_file(file, layer=name, driver="GPKG")
    site = folder / "site.toml"
    site.write_text(SITE_TOML.format(file=file.name), encoding="utf-8")
    return site


def contours(seed: int, vertices: int) -> geopandas.GeoDataFrame:
    """Contours of a hilly surface, as a program draws them from a grid of cells."""
    cells = 200
    count = _contoured(seed, cells)[1]
    cells = round(cells * vertices / count)  # a line crosses cells in proportion to their size
    lines, _, levels = _contoured(seed, cells)
    longest = int(np.argmax(shapely.get_num_coordinates(lines)))
    xy = shapely.get_coordinates(lines[longest])
    xy[len(xy) // 2] += 60.0  # one vertex astray: the line crosses its neighbours
    lines[longest] = shapely.linestrings(xy)
    return geopandas.GeoDataFrame({"elevation": levels}, geometry=lines, crs=CRS)


def _contoured(seed: int, cells: int) -> tuple[np.ndarray, int, np.ndarray]:
    """Lines, the number of their vertices and their levels over a grid of cells by cells."""
    chance = np.random.default_rng(seed)
    at = np.linspace(0.0, 1.0, cells)
    x, y = np.meshgrid(at, at)
    ground = 800.0 + 40.0 * x
    for _ in range(120):
        east, north, wide, high = chance.uniform((0, 0, 0.02, -30), (1, 1, 0.1, 45))
        ground += high * np.exp(-((x - east) ** 2 + (y - north) ** 2) / (2 * wide**2))
    drawer = contourpy.contour_generator(WEST + at * SIDE_FT, SOUTH + at * SIDE_FT, ground)
    lines, levels = [], []
    for level in np.arange(np.ceil(ground.min()), ground.max(), INTERVAL_FT):
        found = (np.round(np.asarray(line, dtype=float), 3) for line in drawer.lines(level + 1e-6))
        drawn = [shapely.linestrings(line) for line in found if len(line) > 3]
        lines += drawn
        levels += [level] * len(drawn)
    made = np.array(lines, dtype=object)
    return made, int(shapely.get_num_coordinates(made).sum()), np.array(levels)


def soils(chance: np.random.Generator, count: int) -> geopandas.GeoDataFrame:
    """Areas that share all their wavy edges; among them overlaps, gaps, a bow-tie and a copy."""
    side = round(count**0.5)
    steps = 4  # vertices along an edge
    at = np.linspace(0.0, SIDE_FT, side * steps + 1)
    x, y = np.meshgrid(WEST + at, SOUTH + at)
    size = SIDE_FT / side
    x += chance.uniform(-0.1, 0.1, x.shape) * size
    y += chance.uniform(-0.1, 0.1, y.shape) * size
    xy = np.round(np.dstack([x, y]), 3)
    low = np.arange(side) * steps
    row, column = (place.ravel() for place in np.meshgrid(low, low, indexing="ij"))
    along = np.arange(steps)
    rows = np.concatenate([0 * along, along, 0 * along + steps, steps - along])
    columns = np.concatenate([along, 0 * along + steps, steps - along, 0 * along])
    rings = xy[row[:, None] + rows, column[:, None] + columns]
    _spoil(rings, chance)
    shapes = shapely.polygons(rings)
    frame = geopandas.GeoDataFrame(
        {
            "id": np.char.add("S-", np.arange(len(shapes)).astype(str)).astype(object),
            "name": chance.choice(["Ozaukee silt loam", "Ashkum silty clay loam"], len(shapes)),
            "hsg": chance.choice(["B", "C", "D"], len(shapes)),
        },
        geometry=shapes,
        crs=CRS,
    )
    frame.loc[frame.index[-1], ["name", "hsg", "geometry"]] = frame.iloc[-2][
        ["name", "hsg", "geometry"]
    ]  # the same area twice
    return frame


def _spoil(rings: np.ndarray, chance: np.random.Generator) -> None:
    """Move single vertices of some areas: over the neighbour, away from it, across itself."""
    middle = rings.mean(axis=1)
    for number, place in enumerate(chance.choice(len(rings), 12, replace=False)):
        pull = (0.4, -0.3, 1.9)[number % 3]  # towards the middle, away from it, beyond it
        rings[place, 2] += pull * (middle[place] - rings[place, 2])


def ponds(chance: np.random.Generator, count: int) -> geopandas.GeoDataFrame:
    """Wetlands of rounded outline, one in each cell of a coarse net, so that none meets another."""
    side = int(np.ceil(count**0.5))
    cell = SIDE_FT / side
    place = np.stack(np.divmod(np.arange(count), side), axis=1) + 0.5
    middle = place * cell + np.array([WEST, SOUTH])
    turn = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    reach = cell * chance.uniform(0.2, 0.45, (count, 24))
    rings = middle[:, None] + reach[..., None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return geopandas.GeoDataFrame(
        {
            "id": np.char.add("W-", np.arange(count).astype(str)).astype(object),
            "acres": pandas.Series(shapely.area(shapely.polygons(rings)) / 43_560.0).round(3),
        },
        geometry=shapely.polygons(np.round(rings, 3)),
        crs=CRS,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vertices", type=int, default=1_000_000, help="of contours")
    parser.add_argument("--polygons", type=int, default=100_000, help="soils and wetlands")
    asked = parser.parse_args()
    print(write_big_site(asked.folder, asked.vertices, asked.polygons))
