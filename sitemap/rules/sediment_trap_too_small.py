"""BMP009: a sediment trap with too little surface for what drains to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import plural
from sitemap.finding import Limit, Quantity, Source
from sitemap.measures.cover import acres
from sitemap.measures.practices import of_types, shapes_of
from sitemap.measures.records import sources
from sitemap.measures.texture import texture_class
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site

LEAST_SHARE = 0.01  # of the drained ground whose soil may be unknown
CLAUSE = "9c1c"
SQFT_PER_ACRE = 43560.0


@rule("BMP009", clauses=(CLAUSE,), needs=("controls",), uses=("drainage_areas", "soils"))
def sediment_trap_too_small(
    site: Site,
    controls: RoleLayer,
    trap_coarse: float,
    trap_medium: float,
    trap_fine: float,
    acres_tolerance_pct: float,
) -> Iterator[Said]:
    """The map has a sediment trap that is too small for the ground that drains to it.

    Why
        Soil settles where water stands still for long enough over a large enough floor. A trap
        that is too small fills with clean sand and lets the silt through.

    How it is measured
        The drawn surface of each trap (type ST) against 625 sq ft per acre drained on coarse
        soils, 1,560 on medium and 5,300 on fine ones. What drains to it are the drainage areas
        that name the trap as their outfall, else the one it lies in. The texture is read in the
        names of the soil map units; where several lie in the drained ground each counts for its
        acres. A shortage within the acre tolerance needs a person.

    When it does not apply
        Where no trap is drawn. Where drainage area or texture are not known, or the trap is a
        point, a person decides, with the three sizes before him.

    How to fix
        Enlarge the trap, lead less ground to it, or build a basin (WDNR 1064).

    References
        WDNR technical standard 1063, As = 625, 1560 or 5300 A for 80 % of suspended solids;
        § 162-9C(1)(c).
    """
    frame = of_types(controls, ("ST",))
    if frame is None or frame.empty:
        yield NotApplicable("no sediment trap is drawn")
        return
    needed = {"coarse": trap_coarse, "medium": trap_medium, "fine": trap_fine}
    shapes, where = shapes_of(controls, ("ST",)), sources(frame)
    yield Checked(
        f"{plural(len(frame), 'sediment trap')} against the ground that drains to it", len(frame)
    )
    for trap, source in zip(shapes, where, strict=True):
        yield from _judged(site, trap, source, needed, acres_tolerance_pct)


@dataclass(frozen=True)
class _Drained:
    """Acres that drain to a trap, by texture; unknown are those without one."""

    by_texture: Mapping[str, float]
    unknown: float

    @property
    def total(self) -> float:
        return sum(self.by_texture.values()) + self.unknown


def _judged(
    site: Site, trap: BaseGeometry, source: Source, needed: Mapping[str, float], within_pct: float
) -> Iterator[Fault | Ask]:
    name = source.user_id or f"record {source.feature}"
    ground = _drained_ground(site, trap, source.user_id)
    if ground is None:
        yield Ask(
            f"trap {name}: which ground drains to it? No drainage area holds it or names it",
            CLAUSE,
            trap,
        )
        return
    drained = _by_texture(site, ground)
    has = acres(float(trap.area), site.foot) * SQFT_PER_ACRE
    least = sum(needed[kind] * size for kind, size in drained.by_texture.items())
    if trap.area <= 0 or (drained.unknown > LEAST_SHARE * drained.total and least <= has):
        sizes = ", ".join(f"{k} {v * drained.total:,.0f}" for k, v in needed.items())
        drawn = f"has {has:,.0f} sq ft" if has else "is drawn without an area"
        yield Ask(
            f"trap {name} {drawn}; {drained.total:,.2f} acres drain to it, "
            f"{drained.unknown:,.2f} of unknown soil texture: is it large enough? It needs, in sq "
            f"ft, on soil that is {sizes}",
            CLAUSE,
            trap,
        )
        return
    if least <= has:
        return
    soils = " and ".join(f"{size:,.2f} acres of {k}" for k, size in drained.by_texture.items())
    words = f"trap {name} has {has:,.0f} sq ft; {soils} soil that drain to it need {least:,.0f}"
    if least - has <= within_pct / 100.0 * least:
        yield Ask(f"{words}, within the tolerance: is it large enough?", CLAUSE, trap)
        return
    yield Fault(
        words,
        f"enlarge it to {least:,.0f} sq ft, or lead less ground to it",
        geometry=trap,
        measured=Quantity(round(has), "sq ft"),
        limit=Limit(round(least), "sq ft", ">="),
        role="controls",
        source=source,
    )


def _drained_ground(site: Site, trap: BaseGeometry, trap_id: str | None) -> BaseGeometry | None:
    """The drainage areas that name the trap, else those it lies in."""
    layer = site.role("drainage_areas")
    if layer is None or layer.usable.empty:
        return None
    shapes = shapes_of(layer)
    outfall = layer.usable["outfall"].fillna("").str.strip().str.casefold().to_numpy()
    mine = (outfall == trap_id.strip().casefold()) if trap_id else np.zeros(len(shapes), dtype=bool)
    if not mine.any():
        mine = shapely.intersects(shapes, trap.representative_point())
    return shapely.union_all(shapes[mine]) if mine.any() else None


def _by_texture(site: Site, ground: BaseGeometry) -> _Drained:
    """Acres of each texture class in the ground, by the names of the soil map units."""
    layer = site.role("soils")
    total = acres(float(ground.area), site.foot)
    if layer is None or layer.usable.empty:
        return _Drained({}, total)
    size = shapely.area(shapely.intersection(shapes_of(layer), ground))
    found: dict[str, float] = {}
    for name, area in zip(layer.usable["name"], size.tolist(), strict=True):
        kind = texture_class(name if isinstance(name, str) else None)
        if kind is not None and area > 0:
            found[kind] = found.get(kind, 0.0) + acres(area, site.foot)
    return _Drained(found, max(0.0, total - sum(found.values())))
