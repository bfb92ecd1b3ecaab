"""Roles to model space: whole features in site coordinates, with the palette's pens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import Hatch, LayerSpec
from sitemap.plate.area_symbols import HATCH_ALPHA, TREE_WORDS
from sitemap.plate.cad.ground import Ground, on_ground
from sitemap.plate.cad.names import companion, role_layer
from sitemap.plate.cad.pens import colour, hatch_lines, lineweight, on_white
from sitemap.plate.cad.phasing import PhaseSet, Phasing, phase_words
from sitemap.plate.cad.sketch import Sketch
from sitemap.plate.cad.symbols import insert_points
from sitemap.plate.cad.tags import feature_tags, tag
from sitemap.plate.clip import GeometryArray, paths_of
from sitemap.plate.contour_lines import contour_styles, is_index
from sitemap.plate.downhill import Fall
from sitemap.plate.hatches import water_lines
from sitemap.plate.letters import TICK_IN
from sitemap.plate.line_symbols import arrow_heads
from sitemap.plate.lines import Chain, scallops, teeth, ticks
from sitemap.plate.styles import Style, styles_of

if TYPE_CHECKING:
    import geopandas
    from ezdxf.layouts import BaseLayout

    from sitemap.site import RoleLayer

SCALLOP_IN = 0.11


class FeatureSketch:
    """Draws roles into model space, one after the other."""

    def __init__(
        self, sketch: Sketch, space: BaseLayout, ground: Ground, fall: Fall | None,
        interval_ft: float | None, phasing: Phasing, cleared: BaseGeometry | None = None,
    ) -> None:  # fmt: skip
        self.sketch, self.space, self.ground = sketch, space, ground
        self.fall, self.interval_ft, self.phasing = fall, interval_ft, phasing
        self.cleared = cleared  # the disturbed ground in feet

    def role(self, spec: LayerSpec, layer: RoleLayer) -> None:
        """Everything of one role that lies on the ground of the sheets."""
        frame = layer.usable
        if frame.empty:
            return
        if spec.role in ("contours_existing", "contours_proposed"):
            self._contours(spec, frame)
            return
        for style, rows in styles_of(spec, frame):
            for phases, some in self.phasing.split(spec.role, rows):
                self._style(self._layer(spec, style, phases), style, frame.iloc[some])

    # ------------------------------------------------------------------------- contours

    def _contours(self, spec: LayerSpec, frame: geopandas.GeoDataFrame) -> None:
        lines, owner = self.ground.lines(frame.geometry.to_numpy())
        elevation = frame["elevation"].to_numpy(dtype=float)[owner]
        heavy = is_index(elevation, self.interval_ft)
        plain, index = contour_styles(spec, self.interval_ft)
        for style, rows in ((plain, np.flatnonzero(~heavy)), (index, np.flatnonzero(heavy))):
            if not len(rows):
                continue
            name = self._layer(spec, style)
            for path, height in zip(paths_of(lines[rows]), elevation[rows], strict=True):
                known = {"elevation": float(height)} if np.isfinite(height) else {}
                self.sketch.line(self.space, path, name, **known)

    # ---------------------------------------------------------------------------- styles

    def _style(self, name: str, style: Style, frame: geopandas.GeoDataFrame) -> None:
        shapes = frame.geometry.to_numpy()
        parts, owner = shapely.get_parts(shapes, return_index=True)
        inner, at = shapely.get_parts(parts, return_index=True)
        owner = owner[at]
        dimension = shapely.get_dimensions(inner)
        for size, draw in ((2, self._areas), (1, self._lines)):
            rows = np.flatnonzero(dimension == size)
            if len(rows):
                draw(name, style, frame, inner[rows], owner[rows])
        rows = np.flatnonzero(dimension == 0)
        if len(rows):
            places, which = self.ground.points(inner[rows])
            insert_points(
                self.sketch, self.space, name, style, frame, places, owner[rows][which],
                self.ground.frame.rotation_deg,
            )  # fmt: skip

    def _layer(self, spec: LayerSpec, style: Style, phases: PhaseSet = ()) -> str:
        symbol = style.symbol
        name = self.sketch.layer(
            role_layer(spec, style.key, self.phasing.sign(phases)), symbol.ink, symbol.weight_pt,
            symbol.dash_pt, symbol.text, symbol.text_every_in, phase_words(style.legend, phases),
        )  # fmt: skip
        self.phasing.keep(companion(name, "PATT"), phases)
        return self.phasing.keep(name, phases)

    def _lines(
        self, name: str, style: Style, frame: geopandas.GeoDataFrame, shapes: GeometryArray,
        owner: np.ndarray,
    ) -> None:  # fmt: skip
        lines, part = self.ground.lines(shapes)
        paths = paths_of(lines)
        for path, row in zip(paths, owner[part], strict=True):
            self.sketch.line(self.space, path, name)
            tag(self.space[-1], feature_tags(frame, int(row)))
        self._extras(name, style, paths)

    def _extras(self, name: str, style: Style, paths: tuple[np.ndarray, ...]) -> None:
        """Arrow heads, ticks and teeth, as short lines beside the line that they belong to."""
        symbol, paper = style.symbol, self.ground.frame
        chains = [Chain.of(paper.to_paper(path)) for path in paths]
        found: list[np.ndarray] = list(arrow_heads(style, chains)) if symbol.arrows else []
        for chain in chains if symbol.ticks else ():
            side = {"both": 0.0, "left": 1.0, "right": -1.0}.get(symbol.ticks, 1.0)
            if style.role == "drainage_areas":
                if self.fall is not None and chain.length > 0.5 and not self.fall.is_empty:
                    found += teeth(chain, 0.8, 0.06, -self.fall.side_of(chain))
                continue
            if symbol.ticks == "downhill" and self.fall is not None:
                side = self.fall.side_of(chain)
            found += ticks(chain, symbol.ticks_every_in or 0.5, TICK_IN, side)
        thin = {"linetype": "CONTINUOUS", "lineweight": lineweight(symbol.weight_pt * 0.7)}
        for path in on_ground(paper, found):
            self.sketch.line(self.space, path, name, **thin)

    def _areas(
        self, name: str, style: Style, frame: geopandas.GeoDataFrame, shapes: GeometryArray,
        owner: np.ndarray,
    ) -> None:  # fmt: skip
        polygons, _ = self.ground.areas(shapes)
        if not len(polygons):
            return
        filled = polygons
        if style.role == "vegetation" and self.cleared is not None:
            # what grows where the ground is opened keeps its outline and loses its pattern
            filled, _ = self.ground.areas(shapely.difference(polygons, self.cleared))
        self._surface(name, style, filled)
        lines, part = self.ground.lines(shapes)
        paths = paths_of(lines)
        wooded = style.role == "vegetation" and _is_wooded(style, frame)
        for path, row in zip(paths, owner[part], strict=True):
            outline = self._scalloped(path, shapes) if wooded else path
            self.sketch.line(self.space, outline, name)
            tag(self.space[-1], feature_tags(frame, int(row)))
        if not wooded:  # an edge that two areas share has its ticks once
            once = shapely.line_merge(shapely.union_all(lines))
            self._extras(name, style, paths_of(np.array([once])))

    def _surface(self, name: str, style: Style, polygons: GeometryArray) -> None:
        """Fill and pattern, on the layer of patterns that goes with the style's."""
        symbol, hatch = style.symbol, style.symbol.hatch
        if not symbol.fill and hatch is None:
            return
        layer = self.sketch.layer(companion(name, "PATT"), note="Fills and patterns of areas")
        for polygon in polygons if symbol.fill else ():
            rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(polygon)]
            self.sketch.fill(self.space, rings, layer, symbol.fill or "", symbol.fill_alpha)
        if hatch is None:
            return
        ink = on_white(hatch.ink or symbol.ink, HATCH_ALPHA)
        if hatch.kind == "waves":
            self._water_lines(layer, polygons, hatch, ink)
            return
        frame = self.ground.frame
        lines = hatch_lines(
            self._down_slope(style, hatch, polygons), frame.feet_per_inch, frame.origin_ft,
            -frame.rotation_deg,
        )  # fmt: skip
        for polygon in polygons:
            self.sketch.pattern(self.space, polygon, layer, hatch, lines, ink)

    def _water_lines(self, layer: str, polygons: GeometryArray, hatch: Hatch, ink: str) -> None:
        scale = self.ground.frame.feet_per_inch
        shrunk = shapely.transform(polygons, lambda xy: xy / scale)
        pen = {"lineweight": lineweight(hatch.weight_pt), **colour(ink)}
        for path in water_lines(shrunk, hatch.spacing_in):
            self.sketch.line(self.space, path * scale, layer, **pen)

    def _down_slope(self, style: Style, hatch: Hatch, polygons: GeometryArray) -> Hatch:
        """On steep ground the lines run down the slope; angles are those of the sheet."""
        if style.role != "steep_slopes" or self.fall is None:
            return hatch
        largest = polygons[int(np.argmax(shapely.area(polygons)))]
        middle = shapely.get_coordinates(shapely.point_on_surface(largest))
        x, y = self.ground.frame.to_paper(middle)[0]
        down = self.fall.at(float(x), float(y))
        if down is None:
            return hatch
        turned = float(np.degrees(np.arctan2(down[1], down[0])))
        return hatch.model_copy(update={"angle_deg": turned})

    def _scalloped(self, path: np.ndarray, shapes: GeometryArray) -> np.ndarray:
        """A tree line: bows that bulge out of the wood."""
        chain = Chain.of(self.ground.frame.to_paper(path))
        middle = chain.length / 2.0
        along = chain.direction(middle)[0]
        left = chain.point(middle) + np.array([[-along[1], along[0]]]) * 0.02
        (x, y), = self.ground.frame.to_ground(left)  # fmt: skip
        inside = shapely.intersects_xy(shapely.union_all(shapely.make_valid(shapes)), x, y)
        side = -1.0 if inside else 1.0
        return on_ground(self.ground.frame, [scallops(chain, SCALLOP_IN, side)])[0]


def _is_wooded(style: Style, frame: geopandas.GeoDataFrame) -> bool:
    said = f"{style.key} " + " ".join(str(v) for v in frame.get("cover", ()) if v is not None)
    return any(word in said.lower() for word in TREE_WORDS)
