"""CRS001: a dataset does not say in which coordinate system its numbers are."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sitemap.crs import Bounds, Crs
from sitemap.finding import Severity
from sitemap.layer import Layer, Raster
from sitemap.measures.crs_shifts import (
    REACH_FT,
    Landing,
    between,
    candidates,
    looks_like_degrees,
    miles,
    ranked,
    spread_ft,
)
from sitemap.measures.records import all_data, dataset_source, dataset_words
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
        (else the other datasets, else the area of the map CRS): State Plane, county, state and UTM
        on NAD27, NAD83 and its readjustments, in metres and feet; or degrees. Each is listed with
        its distance from the boundary and its offset from the first, nearest first, in the site
        CRS. Systems that put the
        numbers within 10 ft of each other are listed together: extent cannot tell them apart.
        None is ever chosen.

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
    role = data.role or "<role>"
    return Fault(
        f"{name} {said}; its numbers run {numbers}. {_hint(site, box, place)}",
        "ask the source which one it is, then send the .prj or write in site.toml: "
        f'[layers] {role} = {{ path = "{data.provenance.file}", crs = "EPSG:..." }}',
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


def _hint(site: Site, box: Bounds, place: Whereabouts | None) -> str:
    """The candidates in words; never one of them alone as the answer."""
    if place is None:
        what = "degrees" if looks_like_degrees(box) else "feet or metres of a projected system"
        return f"They look like {what}; nothing else here says where the site is."
    systems = candidates(box, place.crs, place.geometry)
    used = [data.crs for data in all_data(site) if data.crs is not None]
    reach_ft = math.inf if looks_like_degrees(box) else REACH_FT
    groups = ranked(box, systems, place.crs, place.geometry, [*used, place.crs], reach_ft)
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
    listed = "; ".join(
        f"{number}. {_words(groups[0][0], group, place)}"
        for number, group in enumerate(groups[:SHOWN], start=1)
    )
    more = f"; and {len(groups) - SHOWN} farther off" if len(groups) > SHOWN else ""
    return f"Candidates, nearest first: {listed}{more}."


def _words(nearest: Landing, group: tuple[Landing, ...], place: Whereabouts) -> str:
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
    if not rest:
        return f"{first.name}, {where}"
    others = ", ".join(there.name for there in rest)
    return (
        f"{first.name}, {where} (or {others}: they differ by less than {spread_ft(group):.0f} ft "
        "here and cannot be told apart by extent)"
    )
