"""CRS006: heights that do not say in which unit, or above which zero, they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas
import shapely

from sitemap.finding import Severity
from sitemap.layer import Layer, Raster
from sitemap.measures.cures import in_site_toml
from sitemap.measures.intervals import interval_in_force
from sitemap.measures.records import (
    dataset_source,
    dataset_words,
    oddities_of,
)
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length, LengthUnit

HEIGHTS = ("contours_existing", "contours_proposed", "spot_elevations")
FEET = 'unit = "ft"'
UNSTATED = "vertical_unit_unstated"  # kind of intake/oddities.py
FEET_PER_METRE = float(1 / LengthUnit.FOOT.metres)
NEAR_FT = 100.0  # heights of one site lie this near to each other


@dataclass(frozen=True, eq=False)
class _Levels:
    """The heights of one dataset in feet as taken, with the length that each is drawn in."""

    layer: Layer
    level_ft: np.ndarray
    length_ft: np.ndarray
    stated: bool

    @property
    def range_ft(self) -> tuple[float, float]:
        return float(self.level_ft.min()), float(self.level_ft.max())


@rule("CRS006", clauses=("map",), uses=(*HEIGHTS, "elevation"))
def vertical_unit_or_datum_unstated(site: Site, max_contour_interval: Length) -> Iterator[Said]:
    """The map has heights whose unit or datum is stated nowhere.

    Why
        An interval of 2 is 2 ft or 6.6 ft: one passes, the other fails. Between NGVD 29 and NAVD 88
        lie inches to feet, which decide what a base flood elevation covers.

    How it is measured
        Unit: per dataset of contours, spot elevations and the elevation raster, stated by the
        values ("842 ft"), the name of the column, the raster's tag or vertical CRS, or site.toml;
        never taken from the horizontal unit. Where it is not, feet are assumed and that is found:
        as an error where the contour interval passes in feet and fails in metres, since then the
        unit decides the clause, or where the heights fit those of a dataset that states its unit
        only when read in metres; as a warning elsewhere, and where they fit only in feet. Datum:
        stated in site.toml [map] vertical_datum, or by the raster; a warning once for the site,
        since intervals and slopes do not hang on it.

    When it does not apply
        Where nothing has a height. Inverts and rims are in feet by the name of their fields.

    How to fix
        Write in site.toml: [map] vertical_unit = "ft", vertical_datum = "NAVD88"; or unit = "ft"
        for the layer.

    References
        § 162-11B(4), contour interval; stac-3dep-1m issue 34: 2,006 tiles in metres that say feet.
    """
    levels = list(_levels(site))
    rasters = [raster for raster in site.rasters if raster.role == "elevation"]
    if not levels and not rasters:
        yield NotApplicable("no layer has a height")
        return
    for each in levels:
        if not each.stated:
            yield _unit(site, each, levels, max_contour_interval)
    for raster in rasters:
        if raster.vertical_unit is None:
            yield _raster_unit(site, raster)
    without = _without_datum(site, levels, rasters)
    if without:
        yield _datum(without)
    yield Checked(
        f"unit and datum of the heights in {len(levels) + len(rasters)} datasets",
        len(levels) + len(rasters),
    )


def _levels(site: Site) -> Iterator[_Levels]:
    for role in HEIGHTS:
        layer = site.role(role)
        for member, frame in layer.by_dataset if layer is not None else ():
            level = pandas.to_numeric(frame["elevation"], errors="coerce").to_numpy(float)
            known = np.isfinite(level)
            if known.any():
                length = shapely.length(frame.geometry.to_numpy())
                stated = not oddities_of(member, [UNSTATED])
                yield _Levels(member, level[known], length[known], stated)


def _unit(site: Site, own: _Levels, every: list[_Levels], limit: Length) -> Fault:
    name = dataset_words(own.layer.provenance)
    low, high = own.range_ft
    words, severity = _what_hangs_on_it(own, every, limit.feet)
    return Fault(
        f"{name}: the unit of its heights ({low:g} to {high:g}) is stated nowhere; they are taken "
        f"as feet. {words}",
        f'write {in_site_toml(site, own.layer.provenance, own.layer.role, FEET)} (or "m")',
        role=own.layer.role,
        source=dataset_source(own.layer.provenance),
        field_name="elevation",
        severity=severity,
        distinct=name,
    )


def _what_hangs_on_it(own: _Levels, every: list[_Levels], limit_ft: float) -> tuple[str, Severity]:
    """What speaks for feet or metres, and whether the interval hangs on it."""
    others = [each.range_ft for each in every if each.stated]
    if others:
        low, high = min(o[0] for o in others) - NEAR_FT, max(o[1] for o in others) + NEAR_FT
        in_feet = own.range_ft[0] <= high and own.range_ft[1] >= low
        in_metres = (
            own.range_ft[0] * FEET_PER_METRE <= high and own.range_ft[1] * FEET_PER_METRE >= low
        )
        if in_feet and not in_metres:
            return "They fit the other heights of the site only in feet.", Severity.WARNING
        if in_metres and not in_feet:
            return "They fit the other heights of the site only in metres.", Severity.ERROR
    interval = None
    if own.layer.role != "spot_elevations":
        interval = interval_in_force(own.level_ft, own.length_ft)
    if interval is None or interval.step_ft > limit_ft:
        return "Nothing else here tells which it is.", Severity.WARNING
    in_metres_ft = interval.step_ft * FEET_PER_METRE
    if in_metres_ft <= limit_ft:
        return (
            f"Their interval of {interval.step_ft:g} passes in either unit.",
            Severity.WARNING,
        )
    return (
        f"Their interval of {interval.step_ft:g} passes in feet; in metres it is "
        f"{in_metres_ft:.2f} ft, more than {limit_ft:g} ft.",
        Severity.ERROR,
    )


def _raster_unit(site: Site, raster: Raster) -> Fault:
    name = dataset_words(raster.provenance)
    return Fault(
        f"{name}: the unit of its heights is stated neither by the file nor in site.toml",
        f'write {in_site_toml(site, raster.provenance, "elevation", FEET)} (or "m")',
        role="elevation",
        source=dataset_source(raster.provenance),
        severity=Severity.WARNING,
        distinct=name,
    )


def _without_datum(
    site: Site, levels: list[_Levels], rasters: list[Raster]
) -> list[Layer | Raster]:
    """Everything with heights, where neither site.toml nor the dataset names their zero."""
    if site.project.map.vertical_datum:
        return []
    layers = [e.layer for e in levels if e.layer.crs is None or not e.layer.crs.is_compound]
    return [*layers, *(raster for raster in rasters if raster.vertical_datum is None)]


def _datum(without: list[Layer | Raster]) -> Fault:
    names = ", ".join(dataset_words(data.provenance) for data in without[:4])
    more = f" and {len(without) - 4} more" if len(without) > 4 else ""
    roles = {data.role for data in without}
    return Fault(
        f"the zero of the heights in {names}{more} is stated nowhere (NAVD 88, NGVD 29 or a "
        "benchmark of its own)",
        'write in site.toml: [map] vertical_datum = "NAVD88", once the source has confirmed it',
        role=roles.pop() if len(roles) == 1 else None,
        source=dataset_source(without[0].provenance),
        related=tuple(dataset_source(data.provenance) for data in without[1:]),
        severity=Severity.WARNING,
        distinct="datum",
    )
