"""A site's streams, sewers, culverts and, where asked, its diversions as reaches of a network."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import LineString

from sitemap.measures.practices import CHANNELS
from sitemap.site import RoleLayer, Site
from sitemap.terrain.network import Network, build_network
from sitemap.terrain.reaches import Reach
from sitemap.terrain.surface import Surface

STATED = {"digitized": 1, "reversed": -1}
UNDERGROUND = ("underground",)


def network_of(
    site: Site, snap_ft: float, surface: Surface | None, *, diversions: bool = False
) -> Network:
    """The network of a site; with its diversions and waterways, which lead water during the work.

    Records are rows of the usable frame of their role.
    """
    reaches = [*_streams(site.role("streams")), *_pipes(site, "storm_sewers")]
    reaches += _pipes(site, "culverts")
    if diversions:
        reaches += _diversions(site.role("controls"))
    heights = None if surface is None else surface.heights_at
    error = 0.0 if surface is None else surface.stated_error_ft
    return build_network(reaches, snap_ft, heights, error)


def _lines(layer: RoleLayer | None) -> Iterator[tuple[int, LineString, dict[str, object]]]:
    if layer is None:
        return
    frame = layer.usable
    shapes = shapely.force_2d(frame.geometry.to_numpy())
    columns = {c: frame[c].tolist() for c in frame.columns if not c.startswith("_")}
    for row in np.flatnonzero(shapely.get_dimensions(shapes) == 1).tolist():
        said = {name: values[row] for name, values in columns.items()}
        for part in shapely.get_parts(shapes[row]):
            if isinstance(part, LineString) and part.length > 0:
                yield row, part, said


def _streams(layer: RoleLayer | None) -> Iterator[Reach]:
    for row, line, said in _lines(layer):
        kind = _text(said.get("kind"))
        stated = STATED.get(_text(said.get("flow_direction")) or "", 0)
        yield Reach(
            line, "streams", row, _text(said.get("name")), kind, stated,
            underground=kind in UNDERGROUND,
        )  # fmt: skip


def _pipes(site: Site, role: str) -> Iterator[Reach]:
    """Pipes; one whose inverts say nothing flows as it is drawn, if the ground does not object."""
    for row, line, said in _lines(site.role(role)):
        up, down = _number(said.get("invert_up_ft")), _number(said.get("invert_down_ft"))
        yield Reach(
            line, role, row, _text(said.get("id")), _text(said.get("kind")), 0, up, down,
            underground=True,
        )  # fmt: skip


def _diversions(layer: RoleLayer | None) -> Iterator[Reach]:
    for row, line, said in _lines(layer):
        if _text(said.get("type")) in CHANNELS:
            yield Reach(line, "controls", row, _text(said.get("id")), _text(said.get("type")))


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
