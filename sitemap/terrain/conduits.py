"""A site's streams, sewers, culverts and, where asked, its diversions as reaches of a network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry import LineString, Point

from sitemap.measures.flow_evidence import Routing
from sitemap.measures.practices import CHANNELS
from sitemap.site import RoleLayer, Site
from sitemap.terrain.continuity import Stops
from sitemap.terrain.network import Network, build_network
from sitemap.terrain.reaches import Reach
from sitemap.terrain.routing import routing_of
from sitemap.terrain.surface import Surface

STATED = {"digitized": 1, "reversed": -1}
UNDERGROUND = ("underground",)
REACHES = ("streams", "storm_sewers", "culverts")
STOPS = ("inlets", "outfalls", "culverts", "discharges", "infiltration")
_NO_INTAKE = ("endwall", "end wall", "end section", "outlet", "headwall", "manhole")
WATERS = ("waterbodies", "wetlands")


def network_of(
    site: Site, snap_ft: float, surface: Surface | None, *, diversions: bool = False
) -> Network:
    """The network of a site; with its diversions and waterways, which lead water during the work.

    Records are rows of the usable frame of their role.
    """
    routing, leads = routing_of(site)
    reaches = [*_streams(site.role("streams"), routing), *_pipes(site, "storm_sewers")]
    reaches += _pipes(site, "culverts")
    if diversions:
        reaches += _diversions(site.role("controls"))
    heights = None if surface is None else surface.heights_at
    error = 0.0 if surface is None else surface.stated_error_ft
    inlets = inlets_of(site)[0]
    return build_network(reaches, snap_ft, heights, error, leads, stops_of(site), inlets)


def stops_of(site: Site) -> Stops:
    """Everything at which water may come or go without a reach."""
    return Stops(_areas_and_points(site, STOPS), _areas_and_points(site, WATERS))


def inlets_of(site: Site) -> tuple[list[Point], list[str]]:
    """The points at which water falls into a sewer, and their names; no end walls or manholes."""
    layer = site.role("inlets")
    if layer is None or layer.usable.empty:
        return [], []
    frame = layer.usable
    kind = frame["kind"].fillna("").astype(str).str.lower()
    shapes = shapely.force_2d(frame.geometry.to_numpy())
    takes = (shapely.get_type_id(shapes) == 0) & ~kind.isin(_NO_INTAKE).to_numpy()
    return list(shapes[takes]), [str(name or "inlet") for name in frame["id"][takes].tolist()]


def _areas_and_points(site: Site, roles: tuple[str, ...]) -> np.ndarray:
    found: list[np.ndarray] = []
    for name in roles:
        layer = site.role(name)
        if layer is not None:
            shapes = shapely.force_2d(layer.shapes)
            found.append(shapes[shapely.get_dimensions(shapes) != 1])
    return np.concatenate(found) if found else np.empty(0, dtype=object)


def _lines(layer: RoleLayer | None) -> Iterator[tuple[int, LineString, dict[str, object]]]:
    if layer is None:
        return
    frame = layer.usable
    shapes = frame.geometry.to_numpy()
    columns = {c: frame[c].tolist() for c in frame.columns if not c.startswith("_")}
    parts, owner = shapely.get_parts(shapes, return_index=True)
    kept = (shapely.get_type_id(parts) == 1) & (shapely.length(parts) > 0)
    for row, part in zip(owner[kept].tolist(), parts[kept].tolist(), strict=True):
        yield row, part, {name: values[row] for name, values in columns.items()}


def _streams(layer: RoleLayer | None, routing: Sequence[Routing]) -> Iterator[Reach]:
    for row, line, said in _lines(layer):
        kind = _text(said.get("kind"))
        stated = STATED.get(_text(said.get("flow_direction")) or "", 0)
        first, last = _own_heights(line)
        yield Reach(
            shapely.force_2d(line), "streams", row, _text(said.get("name")), kind, stated,
            underground=kind in UNDERGROUND, z_first=first, z_last=last, routing=routing[row],
        )  # fmt: skip


def _own_heights(line: LineString) -> tuple[float, float]:
    """The heights of the end vertices; 0 is what programs write that know none."""
    if not line.has_z:
        return np.nan, np.nan
    first, last = float(line.coords[0][2]), float(line.coords[-1][2])
    return (np.nan, np.nan) if 0.0 in (first, last) else (first, last)


def _pipes(site: Site, role: str) -> Iterator[Reach]:
    """Pipes: the upper invert is that of the first end, unless the neighbours tell otherwise."""
    routing, _ = routing_of(site, role)
    for row, line, said in _lines(site.role(role)):
        up, down = _number(said.get("invert_up_ft")), _number(said.get("invert_down_ft"))
        own = replace(routing[row], high=float(np.fmax(up, down)), low=float(np.fmin(up, down)))
        yield Reach(
            shapely.force_2d(line), role, row, _text(said.get("id")), _text(said.get("kind")), 0,
            up, down, underground=True, routing=own,
        )  # fmt: skip


def _diversions(layer: RoleLayer | None) -> Iterator[Reach]:
    for row, line, said in _lines(layer):
        if _text(said.get("type")) in CHANNELS:
            flat = shapely.force_2d(line)
            yield Reach(flat, "controls", row, _text(said.get("id")), _text(said.get("type")))


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
