"""Small maps as SVG paths: the overview of the site, and one window around each fault.

Grid north is up. Everything here is numbers and labels; the template writes the markup.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from markupsafe import Markup
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.crs import Bounds
from sitemap.finding import Finding
from sitemap.places import map_extent
from sitemap.report.faults import usable_geometry
from sitemap.report.map_grid import MOST_CELLS, MapGrid
from sitemap.report.map_window import Window, fitted

FINDING_SIZE = (372, 248)  # CSS pixels
OVERVIEW_WIDTH = 960
OVERVIEW_HEIGHTS = (300, 640)
LEAST_WINDOW_FT = 160.0
MARGIN = 0.22  # ground shown around a fault, as part of its size, on each side
BACKGROUND = ("waterbodies", "wetlands", "disturbance", "streams", "roads")
OVERVIEW = ("contours_existing", "contours_proposed", *BACKGROUND, "controls", "outfalls")
MOST_MARKERS = 400
MARKER_PX = 26
MARKERS_IN_ROW = 5


@dataclass(frozen=True)
class Shape:
    """An SVG path. kind is area, line or point; role is what it belongs to, ink its colour."""

    d: Markup
    kind: str
    role: str
    ink: str = ""


@dataclass(frozen=True)
class Label:
    """Words at a place in pixels."""

    words: str
    x: float
    y: float


@dataclass(frozen=True)
class Bar:
    """A scale bar: its length in pixels and the feet that it stands for."""

    px: float
    words: str


@dataclass(frozen=True)
class Marker:
    """A finding on the overview."""

    number: int
    finding: Finding
    x: float
    y: float


@dataclass(frozen=True)
class Map:
    """A drawn window: sizes in pixels, the ground in feet, shapes from the back to the front."""

    width: int
    height: int
    ground_ft: tuple[float, float]
    shapes: tuple[Shape, ...]
    fault: tuple[Shape, ...] = ()
    cell: Shape | None = None
    labels: tuple[Label, ...] = ()
    bar: Bar | None = None
    markers: tuple[Marker, ...] = ()
    left_out: int = 0  # findings that lie outside an overview, or are too many for it
    locator: tuple[Shape, ...] = ()
    boundary_in_view: bool = True


class MapMaker:
    """Draws the maps of one check; layers are read and indexed once."""

    def __init__(self, checked: CheckedSite) -> None:
        self._checked = checked
        self._site = checked.site
        self._layers: dict[str, tuple[np.ndarray, shapely.STRtree]] = {}
        self.grid = MapGrid(checked)

    @cached_property
    def extent(self) -> Bounds | None:
        """The ground that the overview shows, in feet."""
        bounds = map_extent(self._site)
        if bounds is None or self._site.crs is None:
            return None
        margin = 0.03 * max(bounds[2] - bounds[0], bounds[3] - bounds[1], 50.0)
        return bounds[0] - margin, bounds[1] - margin, bounds[2] + margin, bounds[3] + margin

    def overview(self) -> Map | None:
        """The whole site with its grid and a numbered marker for each finding; None without one."""
        if self.extent is None:
            return None
        left, bottom, right, top = self.extent
        low, high = OVERVIEW_HEIGHTS
        height = min(max(round(OVERVIEW_WIDTH * (top - bottom) / (right - left)), low), high)
        window = fitted(self.extent, OVERVIEW_WIDTH, height)
        cells = self.grid.cells
        shapes = [s for c in cells for s in _shapes(window, c.ground, "grid", "")]
        for role in (*OVERVIEW, "boundary"):
            shapes += self._role(window, role)
        return Map(
            *_frame(window),
            shapes=tuple(_merged(shapes)),
            labels=_cell_labels(window, self.grid) if len(cells) <= MOST_CELLS else (),
            markers=(markers := tuple(self._markers(window))),
            left_out=len(self._checked.findings) - len(markers),
            bar=_bar(window, 160),
        )

    def finding(self, finding: Finding) -> Map | None:
        """The window around a fault; None where it has no place."""
        fault = usable_geometry(finding)
        if fault is None and finding.place is not None:
            fault = shapely.Point(finding.place.x_ft, finding.place.y_ft)
        if fault is None or self._site.crs is None:
            return None
        window = _around(fault)
        shapes: list[Shape] = []
        for role in (*(r for r in BACKGROUND if r != finding.role), finding.role, "boundary"):
            if role is not None and not (role == "boundary" and finding.role == role):
                shapes += self._role(window, role)
        cell = self.grid.cell_at(finding.place)
        drawn = _shapes(window, cell.ground, "cell", "") if cell else []
        return Map(
            *_frame(window),
            shapes=tuple(_merged(shapes)),
            fault=tuple(_merged(_shapes(window, fault, "fault", ""))),
            cell=drawn[0] if drawn else None,
            labels=_labels_of_cell(window, cell.label, cell.ground) if cell else (),
            locator=self._locator(window),
            boundary_in_view=any(s.role == "boundary" for s in shapes),
            bar=_bar(window, 110),
        )

    def _role(self, window: Window, role: str) -> list[Shape]:
        geometries, tree = self._indexed(role)
        spec = self._site.catalogue.by_role.get(role)
        ink = spec.symbol.ink if spec is not None else "#444444"
        near = tree.query(shapely.box(*window.bounds))
        return [s for i in np.sort(near) for s in _shapes(window, geometries[i], role, ink)]

    def _indexed(self, role: str) -> tuple[np.ndarray, shapely.STRtree]:
        """The role's geometries that can be drawn, flat, and where they are."""
        if role not in self._layers:
            layer = self._site.role(role)
            found = np.array([], dtype=object) if layer is None else layer.shapes
            flat = shapely.force_2d(np.asarray(found, dtype=object))
            drawable = flat[np.isfinite(shapely.bounds(flat)).all(axis=-1)]
            self._layers[role] = (drawable, shapely.STRtree(drawable))
        return self._layers[role]

    def _markers(self, window: Window) -> Iterator[Marker]:
        taken: set[tuple[int, int]] = set()
        for number, finding in enumerate(self._checked.findings, start=1):
            place = finding.place
            if place and window.holds(place.x_ft, place.y_ft) and len(taken) < MOST_MARKERS:
                x, y = _free_spot(window, window.x(place.x_ft), window.y(place.y_ft), taken)
                yield Marker(number, finding, x, y)

    def _locator(self, window: Window) -> tuple[Shape, ...]:
        """The boundary with the window in it, where the window is a part of the site."""
        boundary = self._site.boundary
        if boundary is None or self.extent is None:
            return ()
        small = fitted(self.extent, 78, 58)
        box = shapely.box(*window.bounds)
        whole = shapely.box(*small.bounds)
        if not whole.intersects(box) or box.area > 0.6 * whole.area:
            return ()
        size = shapely.get_coordinates(boundary)
        if not np.isfinite(size).all():
            return ()
        shapes = _shapes(small, shapely.force_2d(boundary), "boundary", "#000000")
        return (*_merged(shapes), *_shapes(small, box, "window", ""))


def _free_spot(
    window: Window, x: float, y: float, taken: set[tuple[int, int]]
) -> tuple[float, float]:
    """The place itself, else the nearest free one to its right: marks never hide each other."""
    x = min(max(x, MARKER_PX / 2), window.width - MARKER_PX / 2)
    y = min(max(y, MARKER_PX), window.height - MARKER_PX / 2)
    for step in range(len(taken) + 1):
        across, down = step % MARKERS_IN_ROW, step // MARKERS_IN_ROW
        spot = x + across * MARKER_PX, y + down * MARKER_PX * 1.3
        slot = round(spot[0] / MARKER_PX), round(spot[1] / (MARKER_PX * 1.3))
        if slot not in taken:
            break
    taken.add(slot)
    return round(spot[0], 1), round(spot[1], 1)


def _frame(window: Window) -> tuple[int, int, tuple[float, float]]:
    left, bottom, right, top = window.bounds
    return window.width, window.height, (right - left, top - bottom)


def _around(fault: BaseGeometry) -> Window:
    left, bottom, right, top = fault.bounds
    margin = max(MARGIN * max(right - left, top - bottom), LEAST_WINDOW_FT / 2)
    return fitted((left - margin, bottom - margin, right + margin, top + margin), *FINDING_SIZE)


def _shapes(window: Window, geometry: BaseGeometry, role: str, ink: str) -> list[Shape]:
    return [Shape(Markup(d), kind, role, ink) for kind, d in window.path(geometry)]


def _merged(shapes: Sequence[Shape]) -> list[Shape]:
    """Neighbours of one look as one path, which keeps the page small."""
    merged: list[Shape] = []
    for shape in shapes:
        last = merged[-1] if merged else None
        if last and (last.kind, last.role, last.ink) == (shape.kind, shape.role, shape.ink):
            merged[-1] = Shape(last.d + shape.d, last.kind, last.role, last.ink)
        else:
            merged.append(shape)
    return merged


def _bar(window: Window, most_px: int) -> Bar:
    """A scale bar of 1, 2 or 5 times a power of ten feet, at most so many pixels long."""
    most_ft = most_px / window.px_per_ft
    power = 10.0 ** math.floor(math.log10(most_ft))
    length = max(d * power for d in (1, 2, 5) if d * power <= most_ft * (1 + 1e-9))
    return Bar(round(length * window.px_per_ft, 1), f"{length:,.6g} ft")


def _cell_labels(window: Window, grid: MapGrid) -> tuple[Label, ...]:
    return tuple(
        label for cell in grid.cells for label in _labels_of_cell(window, cell.label, cell.ground)
    )


def _labels_of_cell(window: Window, words: str, ground: BaseGeometry) -> tuple[Label, ...]:
    """The cell's name in the upper left corner of what is seen of it."""
    left, bottom, right, top = window.bounds
    x0, y0, x1, y1 = ground.bounds
    if not (x0 < right and x1 > left and y0 < top and y1 > bottom):
        return ()
    return (Label(words, window.x(max(x0, left)) + 3, window.y(min(y1, top)) + 10),)
