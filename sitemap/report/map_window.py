"""Ground on a picture: bounds in feet fitted to pixels, and geometries as SVG path data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import Bounds

SIMPLER_PX = 0.35  # vertices nearer to the line than this are left out


@dataclass(frozen=True)
class Window:
    """Ground bounds in feet on a picture in pixels."""

    bounds: Bounds
    width: int
    height: int

    @property
    def px_per_ft(self) -> float:
        """Pixels for a foot of ground."""
        return self.width / (self.bounds[2] - self.bounds[0])

    def x(self, x_ft: float) -> float:
        """Pixels from the left."""
        return round((x_ft - self.bounds[0]) * self.px_per_ft, 1)

    def y(self, y_ft: float) -> float:
        """Pixels from the top: north is up."""
        return round((self.bounds[3] - y_ft) * self.px_per_ft, 1)

    def holds(self, x_ft: float, y_ft: float) -> bool:
        """Whether a place lies in the window."""
        left, bottom, right, top = self.bounds
        return left <= x_ft <= right and bottom <= y_ft <= top

    def path(self, geometry: BaseGeometry) -> Iterator[tuple[str, str]]:
        """(kind, path) of what lies in the window."""
        for part in _flat(self._clipped(geometry)):
            if isinstance(part, shapely.Polygon):
                rings = (part.exterior, *part.interiors)
                yield "area", "".join(self._line(ring) + "Z" for ring in rings)
            elif isinstance(part, shapely.Point):
                yield "point", f"M{self.x(part.x):g} {self.y(part.y):g}h0"
            else:
                yield "line", self._line(part)

    def _clipped(self, geometry: BaseGeometry) -> BaseGeometry:
        pad = 8.0 / self.px_per_ft  # outlines of cut areas fall outside the picture
        left, bottom, right, top = self.bounds
        frame = (left - pad, bottom - pad, right + pad, top + pad)
        try:
            inside = shapely.clip_by_rect(geometry, *frame)
        except shapely.errors.GEOSException:
            inside = geometry  # the picture's own edge cuts it
        return inside.simplify(SIMPLER_PX / self.px_per_ft, preserve_topology=False)

    def _line(self, line: BaseGeometry) -> str:
        points = [f"{self.x(x):g} {self.y(y):g}" for x, y in shapely.get_coordinates(line)]
        return "M" + "L".join(p for i, p in enumerate(points) if i == 0 or p != points[i - 1])


def fitted(bounds: Bounds, width: int, height: int) -> Window:
    """The bounds widened to the shape of the picture, about the same middle."""
    left, bottom, right, top = bounds
    across, up = max(right - left, 1e-6), max(top - bottom, 1e-6)
    if across / up < width / height:
        across = up * width / height
    else:
        up = across * height / width
    x, y = (left + right) / 2, (bottom + top) / 2
    return Window((x - across / 2, y - up / 2, x + across / 2, y + up / 2), width, height)


def _flat(geometry: BaseGeometry) -> Iterator[BaseGeometry]:
    for part in shapely.get_parts(geometry):
        if part.is_empty:
            continue
        if part.geom_type == "GeometryCollection" or part.geom_type.startswith("Multi"):
            yield from _flat(part)
        else:
            yield part
