"""CRS006: heights that do not say in which unit, or above which zero, they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import geopandas
import numpy as np
import pandas
import shapely

from sitemap.column_names import plain_name
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
VAGUE = {"", "MSL", "USGS", "IGLD", "local datum"}  # words of layers/ that name no one zero
NEAR_FT = 100.0  # heights of one site lie this near to each other


@dataclass(frozen=True, eq=False)
class _Levels:
    """The heights of one dataset in feet as taken, with the length that each is drawn in."""

    layer: Layer
    level_ft: np.ndarray
    length_ft: np.ndarray
    stated: bool
    datums: tuple[str, ...] = ()  # that the elevations name themselves; "" where one names none

    @property
    def names_its_zero(self) -> bool:
        """Whether every elevation names a datum that can be compared."""
        return bool(self.datums) and not VAGUE.intersection(self.datums)

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
        stated in site.toml [map] vertical_datum, by the raster, or for each elevation in its own
        value ("842 ft NAVD 88") or in a column; a warning once for the site, since intervals and
        slopes do not hang on it. MSL, USGS, IGLD without a year and a local datum name no zero that
        can be compared. Datums that differ, from layer to layer or from site.toml, are named
        together.

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
        yield _datum(without, levels)
    yield from _differing(site, levels)
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
                yield _Levels(member, level[known], length[known], stated, _datums(frame[known]))


def _datums(frame: geopandas.GeoDataFrame) -> tuple[str, ...]:
    if "datum" not in frame.columns or frame["datum"].isna().all():
        return ()
    return tuple(sorted(set(frame["datum"].fillna("").astype(str))))


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
    layers = [
        e.layer
        for e in levels
        if (e.layer.crs is None or not e.layer.crs.is_compound) and not e.names_its_zero
    ]
    return [*layers, *(raster for raster in rasters if raster.vertical_datum is None)]


def _datum(without: list[Layer | Raster], levels: list[_Levels]) -> Fault:
    names = ", ".join(dataset_words(data.provenance) for data in without[:4])
    more = f" and {len(without) - 4} more" if len(without) > 4 else ""
    roles = {data.role for data in without}
    vague = sorted({d for e in levels for d in e.datums if d in VAGUE and e.layer in without})
    said = f"; {' and '.join(vague)} beside the elevations names none" if vague else ""
    return Fault(
        f"the zero of the heights in {names}{more} is stated nowhere (NAVD 88, NGVD 29 or a "
        f"benchmark of its own){said}",
        'write in site.toml: [map] vertical_datum = "NAVD88", once the source has confirmed it',
        role=roles.pop() if len(roles) == 1 else None,
        source=dataset_source(without[0].provenance),
        related=tuple(dataset_source(data.provenance) for data in without[1:]),
        severity=Severity.WARNING,
        distinct="datum",
    )


def _differing(site: Site, levels: list[_Levels]) -> Iterator[Fault]:
    """Heights above different zeros, as the map itself says."""
    stated = site.project.map.vertical_datum
    said = {
        dataset_words(e.layer.provenance): known
        for e in levels
        if (known := sorted(set(e.datums) - VAGUE))
    }
    named = {plain_name(datum) for known in said.values() for datum in known}
    if stated:
        named.add(plain_name(stated))
    if len(named) < 2:
        return
    words = [f"{name} says {' and '.join(known)}" for name, known in said.items()]
    words += [f"site.toml says {stated}"] if stated else []
    layers = [e.layer for e in levels if dataset_words(e.layer.provenance) in said]
    yield Fault(
        f"the heights are above different zeros: {'; '.join(words)}",
        "bring all heights to one datum (a program such as NOAA VDatum), and state it in "
        "site.toml: [map] vertical_datum",
        source=dataset_source(layers[0].provenance),
        related=tuple(dataset_source(layer.provenance) for layer in layers[1:]),
        severity=Severity.WARNING,
        distinct="datums",
    )
