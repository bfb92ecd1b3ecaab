"""Terrain and flow beside their peers, each in a process of its own, in turn.

Figures are medians of CPU seconds (user and system, of all threads), since shared cores make wall
time drift; bytes a cell are what the process grew by over the grid itself. Peers that are not
installed (extra `peers`; gdal_contour on PATH) are left out by name.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from made_ground import heights_m, write_dem, write_site, write_wetlands
from pairs import Cost, cost

Made = TypeVar("Made")
CHILD = """
import json, statistics, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
z = np.load({grid!r}, mmap_mode="r")
def peak_kb():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
def surface(z):
    from affine import Affine
    from sitemap.crs import parse_crs
    from sitemap.terrain.surface import Surface
    grid = Affine(1.0, 0.0, 0.0, 0.0, -1.0, float(len(z)))
    return Surface(z, grid, parse_crs("EPSG:6609"), "", "ft", "", None, 0.3, "")
{code}
warm = np.array(z[:600, :600])
run(prepared(warm))
given = prepared(np.array(z))
open("/proc/self/clear_refs", "w").write("5")  # forget the peak so far
low = peak_kb()
times = []
for _ in range({runs}):
    start = time.process_time()
    own = run(given)  # the figure itself where it is the median of many small things
    times.append(time.process_time() - start if own is None else own)
grown = peak_kb() - low
print(json.dumps([statistics.median(times), 1024 * grown / z.size]))
"""
AS_IS = "prepared = lambda z: z\n"
DOUBLE = "prepared = lambda z: z.astype(float)\n"
OURS = "prepared = lambda z: surface(z.astype(float))\n"
LEVELS = "levels = np.arange(np.ceil(z.min() / 5) * 5, z.max(), 5.0)\n"

CONDITIONING = {
    "sitemap": AS_IS
    + """
from sitemap.terrain.compiled_flood import added_up, flooded
from sitemap.terrain.ways_down import rim_of
def run(z):
    out = np.flatnonzero(rim_of(z))
    receiver, spill = flooded(z, out, z.ravel()[out].astype(float))
    added_up(receiver, np.ones(z.size))
""",
    "surtgis": DOUBLE
    + """
import surtgis
def run(z):
    fill = surtgis.fill_depressions(z, 1.0)
    surtgis.flow_accumulation_d8(surtgis.flow_direction_d8(fill, 1.0), 1.0)
""",
    "py-richdem": AS_IS
    + """
import richdem
def run(z):
    dem = richdem.rdarray(z, no_data=-9999.0)
    fill = richdem.FillDepressions(dem, epsilon=True, in_place=False)
    richdem.FlowAccumulation(fill, method="D8")
""",
    "pyflwdir": AS_IS
    + """
import pyflwdir
def run(z):
    pyflwdir.from_dem(z, nodata=-9999.0, outlets="edge").upstream_area()
""",
    "pysheds": DOUBLE
    + """
np.in1d = getattr(np, "in1d", np.isin)  # pysheds #306
from pysheds.sgrid import sGrid
from pysheds.view import Raster, ViewFinder
def run(z):
    view = ViewFinder(shape=z.shape, nodata=np.float64(-9999.0))
    dem, grid = Raster(z, view), sGrid(view)
    flat = grid.resolve_flats(grid.fill_depressions(grid.fill_pits(dem)))
    grid.accumulation(grid.flowdir(flat))
""",
}
CONTOURS = {
    "sitemap": OURS
    + LEVELS
    + """
from sitemap.terrain.contours import contour_lines
from sitemap.terrain import contours
contours.WORTH_COMPILED = 0
def run(s): contour_lines(s, levels)
""",
    "contourpy": DOUBLE
    + LEVELS
    + """
import contourpy, shapely
def run(z):
    made = contourpy.contour_generator(z=z, line_type=contourpy.LineType.ChunkCombinedOffset)
    for level in levels:
        for points, offsets in zip(*made.lines(level)):
            if points is not None:
                owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets.astype(int)))
                shapely.linestrings(points, indices=owner)
""",
}
SLOPES = {
    "sitemap": OURS
    + """
from sitemap.terrain import slopes
slopes.WORTH_COMPILED = 0
def run(s): slopes.slope_pct(s) >= 20.0
""",
    "numpy": DOUBLE
    + """
def run(z): np.hypot(*np.gradient(z)) >= 0.2
""",
}
TRACE = """
from sitemap.terrain.noise import Noise
from sitemap.terrain.trace import Relief
from sitemap.terrain import corridor
random = np.random.default_rng(4)
def prepared(z):
    relief = Relief(z.astype(float), np.zeros(z.shape, np.int32), 0.0, float(len(z)), 1.0)
    starts = random.uniform(0.3, 0.7, (STARTS, 2)) * len(z)
    return relief, [tuple(xy) for xy in starts.tolist()]
def median_of(do, given):
    spent = []
    for xy in given[1]:
        start = time.process_time()
        do(given[0], xy)
        spent.append(time.process_time() - start)
    return statistics.median(spent)
"""
TRACES = {
    name: TRACE.replace("STARTS", "100")
    + f"""
def one(relief, xy): relief.trace(xy, 402.336, compiled={fast})
def run(given): return median_of(one, given)
"""
    for name, fast in (("plain Python", False), ("compiled", True))
}
CORRIDORS = {
    name: TRACE.replace("STARTS", "10")
    + f"corridor.compiled_trace.pays = lambda cells: {fast}\n"
    + """
def one(relief, xy):
    nominal = relief.trace(xy, 402.336, compiled=False)
    start = time.process_time()
    corridor.realisations(relief, nominal, 402.336, Noise(0.05, 9.0), 100)
    return time.process_time() - start
def run(given): return statistics.median(one(given[0], xy) for xy in given[1])
"""
    for name, fast in (("compiled", True), ("plain Python", False))
}
USUAL_WAY = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np
np.in1d = getattr(np, "in1d", np.isin)
import geopandas
from pysheds.grid import Grid
from shapely.geometry import LineString
dem_path, wetlands_path = sys.argv[1:3]
outfalls = np.array(sys.argv[3:], float).reshape(-1, 2)
grid = Grid.from_raster(dem_path)
dem = grid.read_raster(dem_path)
flat = grid.resolve_flats(grid.fill_depressions(grid.fill_pits(dem)))
flow = grid.flowdir(flat)
area = grid.accumulation(flow)
wetlands = geopandas.read_file(wetlands_path)
ways = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
step = dict(zip((64, 128, 1, 2, 4, 8, 16, 32), ways))
for x, y in outfalls:
    column, row = (int(v) for v in ~grid.affine @ (x, y))
    cells = [(column, row)]
    while len(cells) < 402 and int(flow[row, column]) in step:
        down, right = step[int(flow[row, column])]
        row, column = row + down, column + right
        cells.append((column, row))
    path = LineString([grid.affine @ (c + 0.5, r + 0.5) for c, r in cells])
    wetlands[wetlands.intersects(path)]
"""


@dataclass(frozen=True)
class Figure:
    """CPU seconds and bytes a cell of one way to do a thing; the title is its name."""

    title: str
    seconds: float
    per_cell: float


def measured(title: str, code: str, grid: Path, runs: int) -> Figure | None:
    """The figure of a snippet in a process of its own; None, and a word, where it cannot run."""
    text = CHILD.format(grid=str(grid), code=code, runs=runs)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  {title:<14} left out: {done.stderr.strip().splitlines()[-1][:90]}", flush=True)
        return None
    seconds, per_cell = json.loads(done.stdout.splitlines()[-1])
    return Figure(title, seconds, per_cell)


def table(title: str, ways: dict[str, str], grid: Path, runs: int) -> None:
    """Print each way with its ratio to the first."""
    print(title, flush=True)
    first: Figure | None = None
    for name, code in ways.items():
        own = measured(name, code, grid, runs)
        if own is None:
            continue
        first = first or own
        print(
            f"  {name:<14} {own.seconds:9.4f} s CPU   {own.per_cell:6.1f} B/cell"
            f"   x {own.seconds / first.seconds:.2f}",
            flush=True,
        )


def gdal_contour(dem: Path, folder: Path, runs: int) -> None:
    """The whole process, which reads the DEM and writes the lines."""
    program = shutil.which("gdal_contour")
    if program is None:
        print("  gdal_contour   left out: not on PATH")
        return
    seconds = []
    for number in range(runs):
        out = folder / f"contours{number}.fgb"
        seconds.append(cost([program, "-q", "-i", "5", "-f", "FlatGeobuf", str(dem), str(out)])[0])
    print(f"  gdal_contour   {statistics.median(seconds):9.4f} s CPU   with reading and writing")


def quarter_mile(folder: Path, dems: dict[int, Path], runs: int) -> None:
    """Five outfalls, cold: sitemap on the large DEM beside pysheds and geopandas on the small."""
    small, large = min(dems), max(dems)
    wetlands, site = folder / "wetlands.fgb", folder / "site"
    _apart(write_wetlands, wetlands, 1_000_000)
    _apart(write_site, site, dems[large])
    places = _apart(write_site, folder / "small", dems[small])
    sitemap = str(Path(sys.executable).with_name("sitemap"))
    ours = [sitemap, "check", str(site), "--reference", str(wetlands), "--select", "HYD", "-q"]
    # compiled by the run that is not counted; numba's own cache was found to be one that fails
    theirs = ["env", f"NUMBA_CACHE_DIR={folder / 'numba'}", sys.executable, "-c", USUAL_WAY]
    theirs += [str(dems[small]), str(wetlands)]
    theirs += [str(v) for xy in places for v in xy]
    print("quarter mile, 5 outfalls, 1,000,000 wetlands, whole process")
    named = {f"sitemap, {large}²": ours, f"pysheds, {small}²": theirs}
    got: dict[str, list[Cost]] = {name: [] for name in named}
    for turn in range(runs + 1):  # in turn, after one of each that is not counted
        for name, command in named.items():
            own = cost(command, (0, 1, 3) if command is ours else (0,))
            if turn:
                got[name].append(own)
    for name, costs in got.items():
        seconds, least = (f([c.cpu_s for c in costs]) for f in (statistics.median, min))
        memory = statistics.median(c.peak_mb for c in costs)
        print(
            f"  {name:<16} {seconds:7.2f} s CPU (least {least:.2f})   {memory:7.0f} MB", flush=True
        )


def _apart(made_by: Callable[..., Made], *arguments: object) -> Made:
    """Made by a process of its own: the kernel counts our own memory to our children's peak."""
    with multiprocessing.get_context("spawn").Pool(1) as one:
        return one.apply(made_by, arguments)


def write_ground(folder: Path, cells: int) -> Path:
    """A DEM of some cells a side, as GeoTIFF and as an array; the path of the first."""
    z, dem = heights_m(cells), folder / f"{cells}.tif"
    write_dem(dem, z)
    np.save(folder / f"{cells}.npy", z)
    return dem


def main() -> None:
    """Print one table a group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--runs", type=int, default=3, help="counted runs of each")
    parser.add_argument("--sizes", default="2000,5000", help="sides of the DEMs in cells")
    parser.add_argument("--only", default="", help="groups: first letters of their titles")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dems = {size: _apart(write_ground, folder, size) for size in sizes}
        for size in sizes:
            groups = {
                "drainage": ("fill, directions, accumulation", CONDITIONING),
                "contours": ("contours at 5 m", CONTOURS),
                "slopes": ("ground of 20 % and more", SLOPES),
                "traces": ("one trace of a quarter mile, median of 100", TRACES),
                "corridors": ("corridor of 100 runs, median of 10", CORRIDORS),
            }
            for group, (title, ways) in groups.items():
                if group.startswith(given.only):
                    table(f"{title}, {size}²", ways, folder / f"{size}.npy", given.runs)
                    if group == "contours":
                        gdal_contour(dems[size], folder, given.runs)
        if "quarter".startswith(given.only):
            quarter_mile(folder, dems, given.runs)


if __name__ == "__main__":
    main()
