"""CRS001: a dataset does not say in which coordinate system its numbers are."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from sitemap.crs import Bounds, Crs
from sitemap.finding import Severity
from sitemap.layer import Layer, Raster
from sitemap.measures.crs_shifts import (
    REACH_FT,
    Landing,
    between,
    candidates,
    exchanged,
    looks_like_degrees,
    miles,
    ranked,
    spread_ft,
)
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import all_data, dataset_source, dataset_words
from sitemap.measures.stated_places import SURE_FT, StatedPlaces, by_stated_places, stated_places
from sitemap.measures.whereabouts import Whereabouts, data_bounds, whereabouts
from sitemap.ordinance import Ordinance
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

UNPLACED = {"raster_not_placed", "raster_control_points"}  # kinds of intake/oddities.py
SHOWN = 4  # groups of candidates; those farther off are counted


@rule("CRS001", clauses=("map",))
def crs_missing(site: Site, ordinance: Ordinance) -> Iterator[Said]:
    """The map has a dataset without a coordinate reference system.

    Why
        Without it the numbers stand for no place; a guess puts the layer up to miles off and every
        later measure is wrong without a sign of it.

    How it is measured
        Datasets whose file, option or site.toml states no CRS, or only a local one tied to no
        place. The box of their numbers is read in every system registered around the boundary
        (else the other datasets, the county that site.toml names, the area of the map CRS): State
        Plane, county, state and UTM on NAD27, NAD83 and its readjustments, in metres and feet; or
        degrees; with x and y exchanged where nothing else is near. Each is listed with its
        distance from the boundary and its offset from the first, in the site CRS: those first
        that agree to 3 ft with longitudes and latitudes in the attributes, then the nearest, then
        those inside the jurisdiction. Systems that put the numbers within 10 ft of each other are
        listed together: extent cannot tell them apart. None is ever chosen.

    When it does not apply
        To datasets without a feature. One that serves no role is information.

    How to fix
        Ask the source of the data, then send the .prj, or write in site.toml
        [layers] <role> = { path = "...", crs = "EPSG:..." }, or give --crs.

    References
        § 162-11B(4); mbloch/mapshaper issue 371 (".prj got separated").
    """
    boxes = [(data, data_bounds(data)) for data in all_data(site)]
    with_numbers = [(data, box) for data, box in boxes if box is not None]
    if not with_numbers:
        yield NotApplicable("no dataset has a coordinate")
        return
    place = whereabouts(site, ordinance.default_crs, trust_data=True)
    for data, box in with_numbers:
        if not _placed(data.crs):
            yield _fault(site, data, box, place)
    placed = sum(_placed(data.crs) for data, _ in with_numbers)
    yield Checked(f"{placed} of {len(with_numbers)} datasets state their CRS", len(with_numbers))


def _placed(crs: Crs | None) -> bool:
    """True for a CRS that is tied to the earth."""
    return crs is not None and (crs.is_projected or crs.is_geographic)


def _fault(site: Site, data: Layer | Raster, box: Bounds, place: Whereabouts | None) -> Fault:
    name = dataset_words(data.provenance)
    if any(oddity.kind in UNPLACED for oddity in data.provenance.oddities):
        return _unplaced(data, name)
    said = "has no CRS" if data.crs is None else f"has a local CRS ({data.crs.name}) only"
    numbers = f"x {box[0]:,.8g} to {box[2]:,.8g}, y {box[1]:,.8g} to {box[3]:,.8g}"
    return Fault(
        f"{name} {said}; its numbers run {numbers}. {_hint(site, data, box, place)}",
        "ask the source which one it is, then send the .prj or write "
        + in_site_toml(site, data.provenance, data.role, 'crs = "EPSG:..."'),
        role=data.role,
        source=dataset_source(data.provenance),
        severity=None if data.role else Severity.INFO,
        distinct=name,
    )


def _unplaced(data: Layer | Raster, name: str) -> Fault:
    """A raster that counts cells: no system can be right for it."""
    return Fault(
        f"{name} has no CRS and no position on the ground: its corners are counted in cells",
        "georeference it (a world file and a .prj, or a GeoTIFF with both) and send it again",
        role=data.role,
        source=dataset_source(data.provenance),
        severity=None if data.role else Severity.INFO,
        distinct=name,
    )


def _hint(site: Site, data: Layer | Raster, box: Bounds, place: Whereabouts | None) -> str:
    """The candidates in words; never one of them alone as the answer."""
    if place is None:
        what = "degrees" if looks_like_degrees(box) else "feet or metres of a projected system"
        return f"They look like {what}; nothing else here says where the site is."
    groups = _groups(site, box, place)
    if groups and groups[0][0].gap_ft > REACH_FT:
        return (
            f"They look like degrees, but then they lie {miles(groups[0][0].gap_ft)} from "
            f"{place.words}; they may be of a local or assumed grid."
        )
    if not groups:
        return (
            f"No system registered around {place.words} puts them within 60 miles of it: they may "
            "be of a local or assumed grid."
        )
    stated = stated_places(data.frame) if isinstance(data, Layer) else None
    if stated is not None:
        groups = by_stated_places(groups, stated)
    listed = "; ".join(
        f"{number}. {_words(groups[0][0], group, place, stated)}"
        for number, group in enumerate(groups[:SHOWN], start=1)
    )
    more = f"; and {len(groups) - SHOWN} farther off" if len(groups) > SHOWN else ""
    return f"Candidates, nearest first: {listed}{more}.{_which(groups)}"


def _groups(site: Site, box: Bounds, place: Whereabouts) -> list[tuple[Landing, ...]]:
    """Ranked readings of the numbers as they stand; with x and y exchanged where none is near."""
    used = [data.crs for data in all_data(site) if data.crs is not None]
    limits = site.role("jurisdiction")
    land = None
    if limits is not None and site.crs is not None and place.crs == site.crs:
        land = shapely.union_all(shapely.make_valid(limits.shapes))
    found: list[list[tuple[Landing, ...]]] = []
    for swapped in (False, True):
        numbers = exchanged(box) if swapped else box
        systems = candidates(numbers, place.crs, place.geometry)
        reach_ft = math.inf if looks_like_degrees(numbers) and not swapped else REACH_FT
        found.append(
            ranked(
                box,
                systems,
                place.crs,
                place.geometry,
                [*used, *([site.crs] if site.crs is not None else [])],
                reach_ft,
                swapped=swapped,
                jurisdiction=land,
                same_datum=False,
            )
        )
        if found[0] and found[0][0][0].gap_ft <= REACH_FT:
            return found[0]
    return found[1] or found[0]


def _which(groups: list[tuple[Landing, ...]]) -> str:
    """Says so when several ranks put the numbers at the place equally well."""
    meeting = [group for group in groups if group[0].gap_ft == 0]
    sure = [group for group in groups if (group[0].residual_ft or math.inf) <= SURE_FT]
    if len(meeting) < 2 or sure:
        return ""
    return f" {len(meeting)} of them meet it: where the numbers lie cannot tell these apart."


def _words(
    nearest: Landing, group: tuple[Landing, ...], place: Whereabouts, stated: StatedPlaces | None
) -> str:
    """One rank: the systems, where they put the numbers, and what cannot be told apart."""
    first, rest = group[0], group[1:]
    where = (
        f"meets {place.words}"
        if first.gap_ft == 0
        else f"{miles(first.gap_ft)} {first.direction} of {place.words}"
    )
    if first is not nearest:
        offset = between(nearest, first)
        where += f", which is {miles(offset.off_ft)} {offset.direction} of where 1 puts them"
    if stated is not None and first.residual_ft is not None:
        where += (
            f", {first.residual_ft:,.1f} ft from the longitudes and latitudes in {stated.columns}"
        )
    if not rest:
        return f"{first.name}, {where}"
    others = ", ".join(there.name + _residual(there) for there in rest)
    told = [there.residual_ft for there in group if there.residual_ft is not None]
    apart_ft = max(spread_ft(group), math.ceil(max(told) - min(told)) if told else 0)
    return (
        f"{first.name}, {where} (or {others}: they differ by less than {apart_ft:.0f} ft here and "
        "cannot be told apart by extent)"
    )


def _residual(there: Landing) -> str:
    """How far off a system is by the dataset's own attributes, where these speak against it."""
    off = there.residual_ft
    return f", {off:,.1f} ft off by these" if off is not None and off > 0.1 else ""
