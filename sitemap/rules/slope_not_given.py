"""SLP002: a flow arrow or drainage area without its slope."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from sitemap.checked import plural
from sitemap.measures.records import sources
from sitemap.rules.rule import Checked, Fault, Said, rule
from sitemap.site import RoleLayer, Site


@rule("SLP002", clauses=("c",), needs=("flow_arrows",), uses=("drainage_areas",))
def slope_not_given(
    site: Site, flow_arrows: RoleLayer, drainage_areas: RoleLayer | None
) -> Iterator[Said]:
    """The map has a flow arrow or a drainage area without its slope after grading.

    Why
        An arrow says where water goes; only with its slope does one know how fast.

    How it is measured
        Each flow arrow needs a slope in percent, its own or that of the drainage area that its
        from_area names. Each drainage area needs one, its own or that of an arrow from it. A
        negative slope is none. One finding per arrow or area.

    When it does not apply
        Where flow arrows are declared none.

    How to fix
        Fill slope_pct: approximate slopes are enough.

    References
        § 162-11B(4)(c), "approximate slopes anticipated after major grading activities".
    """
    areas = {} if drainage_areas is None else _by_id(drainage_areas, "id")
    arrows = _by_id(flow_arrows, "from_area")
    yield from _judged(flow_arrows, "from_area", areas, "flow arrow")
    if drainage_areas is not None:
        yield from _judged(drainage_areas, "id", arrows, "drainage area")


def _given(layer: RoleLayer) -> np.ndarray:
    """True for the features with a slope of their own."""
    slope = layer.usable["slope_pct"].to_numpy(dtype=float, na_value=np.nan)
    return np.asarray(slope >= 0)


def _key(value: object) -> str:
    return "" if value is None or value != value else str(value).strip().casefold()  # noqa: PLR0124


def _by_id(layer: RoleLayer, field: str) -> dict[str, bool]:
    """Whether any feature of each area has a slope."""
    found: dict[str, bool] = {}
    for value, given in zip(layer.usable[field], _given(layer).tolist(), strict=True):
        found[_key(value)] = found.get(_key(value), False) or given
    found.pop("", None)
    return found


def _judged(
    layer: RoleLayer, field: str, others: dict[str, bool], title: str
) -> Iterator[Checked | Fault]:
    frame, given = layer.usable, _given(layer)
    borrowed = np.array([others.get(_key(value), False) for value in frame[field]], dtype=bool)
    if len(frame) == 0:
        return
    yield Checked(
        f"{plural(len(frame), title)}, {int((given | borrowed).sum())} with a slope", len(frame)
    )
    where = sources(frame)
    shapes = np.asarray(shapely.force_2d(frame.geometry.to_numpy()))
    for index in np.flatnonzero(~(given | borrowed)).tolist():
        name = where[index].user_id or f"record {where[index].feature}"
        yield Fault(
            f"{title} {name} has no slope",
            "fill slope_pct with the approximate slope after grading",
            geometry=shapes[index],
            role=layer.role,
            source=where[index],
            field_name="slope_pct",
        )
