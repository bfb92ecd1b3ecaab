"""CRS004: lengths and areas taken in Web Mercator, where a foot is not a foot."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.crs import Crs, crs_label, is_web_mercator, parse_crs
from sitemap.errors import CrsError
from sitemap.finding import Limit, Quantity, Severity
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.crs_shifts import scale_error
from sitemap.measures.records import all_data, dataset_source, dataset_words
from sitemap.measures.whereabouts import whereabouts
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length

WEB_MERCATOR = parse_crs("EPSG:3857")


@rule("CRS004", clauses=("map",))
def web_mercator_used_for_measure(
    site: Site, plate: MeasuredPlate | None, discharge_distance: Length
) -> Iterator[Said]:
    """The map has Web Mercator where it is measured.

    Why
        Web Mercator stretches lengths by one over the cosine of the latitude: 1.37 times in
        Muskego. A "quarter mile" in it is 967 ft of ground, and a plate at 1 in = 100 ft shows 73.

    How it is measured
        The map CRS that site.toml states, the CRS of the site and the CRS of every frame of the
        plate are errors. A dataset that says it is in Web Mercator is reprojected and named as
        information. The stretch is measured at the middle of the site against the site CRS.

    When it does not apply
        To a site without any CRS.

    How to fix
        State a State Plane system in feet as the map CRS and set the plate's layout to it; export
        datasets from their source rather than from a web map.

    References
        § 162-11B(4), (4)(h); the reading "Web Mercator" of the pack.
    """
    stated = _stated(site)
    pages = [(page, frame) for page in (plate.pages if plate else ()) for frame in page.frames]
    data = [d for d in all_data(site) if d.crs is not None]
    if not (data or pages or stated is not None or site.crs is not None):
        yield NotApplicable("nothing here states a CRS")
        return
    stretch = _stretch(site)
    if is_web_mercator(stated) or is_web_mercator(site.crs):
        yield _error(
            f"the map CRS is {crs_label(stated or site.crs)}",
            'write in site.toml: [map] crs = "EPSG:6609", or the State Plane system of the site',
            stretch,
            discharge_distance,
            "map",
        )
    for page, frame in pages:
        if frame.epsg == 3857 or is_web_mercator(_parsed(frame.crs)):
            yield _error(
                f"frame {frame.name} on page {page.number} of the plate is in Web Mercator",
                "set the CRS of the map frame to the State Plane system of the site, plot again",
                stretch,
                discharge_distance,
                f"page {page.number} {frame.name}",
            )
    for each in data:
        if is_web_mercator(each.crs):
            name = dataset_words(each.provenance)
            yield Fault(
                f"{name} is in Web Mercator, where lengths are {stretch:.3f} times too long here; "
                f"it was brought into {site.crs_name} before anything was measured",
                "nothing need be done; better is an export from the source in State Plane",
                measured=Quantity(round(stretch, 4), "times the length"),
                role=each.role,
                source=dataset_source(each.provenance),
                severity=Severity.INFO,
                distinct=name,
            )
    count = len(data) + len(pages)
    yield Checked(f"the CRS of {len(data)} datasets and {len(pages)} plate frames", count)


def _error(what: str, fix: str, stretch: float, distance: Length, distinct: str) -> Fault:
    ground_ft = distance.feet / stretch
    return Fault(
        f"{what}, where lengths are {stretch:.3f} times too long here: {distance.feet:,.0f} ft "
        f"measured in it are {ground_ft:,.0f} ft of ground",
        fix,
        measured=Quantity(round(stretch, 4), "times the length"),
        limit=Limit(1, "times the length", "=="),
        severity=Severity.ERROR,
        distinct=distinct,
    )


def _stated(site: Site) -> Crs | None:
    return _parsed(site.project.map.crs)


def _parsed(text: str | None) -> Crs | None:
    """The CRS of a text, None where it is none (site.toml's own check tells that)."""
    try:
        return parse_crs(text) if text else None
    except CrsError:
        return None


def _stretch(site: Site) -> float:
    """Web Mercator's stretch at the middle of the site; 1 where there is no place to measure."""
    place = whereabouts(site)
    if place is None or is_web_mercator(place.crs):
        return 1.0
    return scale_error(WEB_MERCATOR, place.crs, place.geometry.centroid)
