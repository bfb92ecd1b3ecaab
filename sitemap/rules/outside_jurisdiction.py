"""CRS007: the site lies outside the land that the ordinance applies to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import geopandas
import numpy as np
import shapely
from shapely.geometry import MultiPolygon
from shapely.geometry.base import BaseGeometry

from sitemap.crs import area_of_use, crs_label, lonlat, parse_crs
from sitemap.finding import Quantity, Severity
from sitemap.measures.cover import acres, acres_tolerance_of, dissolved, uncovered
from sitemap.measures.records import sources
from sitemap.ordinance import Ordinance
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Said, rule
from sitemap.site import RoleLayer, Site
from sitemap.units import Area, Length

OFF_DEG = 0.25  # the area of a CRS is a box around counties
KINDS = ("city", "village", "town", "township", "c", "v", "t")


@rule("CRS007", clauses=("map",), needs=("boundary",), uses=("jurisdiction",))
def outside_jurisdiction(
    site: Site,
    jurisdiction: RoleLayer | None,
    ordinance: Ordinance,
    sliver_width: Length,
    acres_tolerance_pct: float,
    acres_tolerance: Area,
) -> Iterator[Said]:
    """The map has a site that lies outside the jurisdiction.

    Why
        Outside its limits the ordinance does not apply, and another one does. A site in the next
        county is more often a wrong coordinate system than a wrong office.

    How it is measured
        The part of the site boundary's area that the jurisdiction layer does not cover, in acres,
        without strips thinner than the sliver width. Where the layer holds several municipalities,
        those whose name stands in site.toml (municipality) or in the pack's jurisdiction count:
        the whole name, so that the City of Waukesha is not its county, nor a town the city.
        Municipal limits of a reference go before those that were handed in with the map.
        Error when the whole site lies outside; warning when a part does that is larger than the
        acre tolerance (the larger of the percentage of the site and the acres). Without a layer of
        limits a person is asked where the middle of the site lies more than 0.25 degrees outside
        the area that the ordinance's own CRS is made for.

    When it does not apply
        Without a jurisdiction layer, in the map or among the references, to a site in that area.

    How to fix
        Look first whether boundary and limits are in the coordinate systems that they state
        (CRS003). If so, ask the other municipality too; an ordinance may reach beyond its limits.

    References
        § 162-4B (applicability and jurisdiction).
    """
    boundary = site.boundary
    frame = _limits(site, jurisdiction)
    if boundary is None or frame is None or frame.empty:
        yield _by_the_crs(boundary, site, ordinance) or NotApplicable(
            "no jurisdiction layer was handed in, and no reference holds one"
        )
        return
    land = _ours(site, ordinance, frame)
    if land is None:
        names = ", ".join(sorted({str(n) for n in frame["name"].dropna()})[:8])
        yield Ask(
            f"the jurisdiction layer holds several municipalities ({names}) and neither "
            "site.toml nor the pack names one of them: does the site lie in the right one?",
            "map",
            geometry=boundary,
        )
        return
    rest = uncovered(boundary, dissolved(land.geometry.to_numpy()), sliver_width.to(site.foot))
    whole, out = acres(boundary.area, site.foot), acres(rest.area, site.foot)
    allowed = acres_tolerance_of(whole, acres_tolerance_pct, acres_tolerance.acres)
    yield Checked(f"{whole - out:,.2f} of {whole:,.2f} acres lie in the jurisdiction", len(land))
    if out > allowed:
        yield _fault(site, land, rest.parts, whole, out)


def _by_the_crs(boundary: BaseGeometry | None, site: Site, ordinance: Ordinance) -> Ask | None:
    """A question where the site lies outside the area of the CRS that the ordinance names."""
    if boundary is None or site.crs is None or not ordinance.default_crs:
        return None
    area = area_of_use(crs := parse_crs(ordinance.default_crs))
    middle = boundary.envelope.centroid
    lon, lat = (float(v) for v in lonlat(middle.x, middle.y, site.crs))
    if area is None or max(area[0] - lon, lon - area[2], area[1] - lat, lat - area[3]) <= OFF_DEG:
        return None
    here = f"{abs(lat):.2f} {'N' if lat >= 0 else 'S'}, {abs(lon):.2f} {'W' if lon < 0 else 'E'}"
    return Ask(
        f"the site lies at {here}, outside the area of {crs_label(crs)}, which the ordinance of "
        f"{ordinance.jurisdiction} names: are the coordinate systems of all files those in which "
        "their numbers are, and is this the ordinance?",
        "map",
        geometry=boundary,
    )


def _limits(site: Site, jurisdiction: RoleLayer | None) -> geopandas.GeoDataFrame | None:
    """The municipal limits to judge by: a reference's where one holds any here."""
    known = site.reference.frame("jurisdiction")
    if known is not None and len(known):
        return known
    return jurisdiction.usable if jurisdiction is not None else None


def _ours(
    site: Site, ordinance: Ordinance, frame: geopandas.GeoDataFrame
) -> geopandas.GeoDataFrame | None:
    """The features of the municipality that judges; None where several could be meant."""
    if len(frame) == 1:
        return frame
    said = f"{site.project.project.municipality or ''}, {ordinance.jurisdiction}"
    pieces = [_called(piece) for piece in re.split(r"[,;(]", said)]
    names = [_called(str(name)) if name else _called("") for name in frame["name"]]
    for alike in (_same_place, _begins_with):
        ours = np.array([any(alike(name, piece) for piece in pieces) for name in names])
        if ours.any():
            return frame[ours]
    return frame if len(set(names)) == 1 else None


@dataclass(frozen=True)
class _Called:
    """What a place is called: its words, without the first letter of what kind it is (c, v, t)."""

    words: tuple[str, ...]
    kind: str


def _called(text: str) -> _Called:
    """'City of Muskego' and 'MUSKEGO (C)' are muskego, of kind c."""
    words = re.findall(r"[^\W_]+", text.casefold())
    kinds = [word[0] for word in words if word in KINDS]
    own = tuple(word for word in words if word not in KINDS and word not in ("of", "the"))
    return _Called(own, kinds[0] if kinds else "")


def _same_place(name: _Called, said: _Called) -> bool:
    """Waukesha is not Waukesha County, nor the town the city."""
    alike = name.kind == said.kind or not (name.kind and said.kind)
    return bool(name.words) and name.words == said.words and alike


def _begins_with(name: _Called, said: _Called) -> bool:
    """'Muskego' for 'Muskego WI'; never for a county."""
    return "county" not in said.words and _same_place(
        name, _Called(said.words[: len(name.words)], said.kind)
    )


def _fault(
    site: Site, land: geopandas.GeoDataFrame, parts: np.ndarray, whole: float, out: float
) -> Fault:
    names = " and ".join(sorted({str(name) for name in land["name"].dropna()})) or "the layer"
    outside: BaseGeometry = parts[0] if len(parts) == 1 else MultiPolygon(parts.tolist())
    all_of_it = out >= whole * (1 - 1e-6)
    if all_of_it:
        away = float(shapely.distance(land.geometry.to_numpy(), site.boundary).min())
        words = f"the site lies {away:,.0f} ft outside the jurisdiction ({names})"
    else:
        words = (
            f"{out:,.2f} of the site's {whole:,.2f} acres lie outside the jurisdiction ({names})"
        )
    return Fault(
        words,
        "look whether both layers are in the coordinate systems that they state; if so, ask the "
        "municipality on the other side too",
        geometry=outside,
        measured=Quantity(round(out, 3), "acres"),
        role="boundary",
        source=sources(site.layers["boundary"].usable)[0],
        related=tuple(sources(land.iloc[:4])),
        severity=Severity.ERROR if all_of_it else Severity.WARNING,
        distinct="outside",
    )
