"""CRS008: a CRS whose definition, code and name do not give one unit."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.crs import Bounds, Crs, crs_label, linear_unit
from sitemap.finding import Quantity, Severity
from sitemap.layer import Layer, Raster
from sitemap.measures.crs_shifts import Landing, extent, landing, miles
from sitemap.measures.crs_units import UnitClaim, contradicting_claims, with_unit
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import all_data, dataset_source, dataset_words, oddities_of
from sitemap.measures.whereabouts import Whereabouts, data_bounds, whereabouts
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length, LengthUnit

MATCHED = "crs_unit_disagrees"  # kind of intake/oddities.py: the reader's match, not the text


@rule("CRS008", clauses=("map",))
def unit_disagrees_with_code(
    site: Site, position_tolerance: Length, discharge_distance: Length
) -> Iterator[Said]:
    """The map has a dataset whose CRS gives one unit in its definition and another elsewhere.

    Why
        Programs that go by the code read feet as metres: 23 acres become 247. The two feet differ
        by 2 parts in a million, which is 5 ft on the State Plane.

    How it is measured
        The unit of the definition, by which the numbers are read here, against the unit of the
        code written into it, of the code that the reading library matched, and of its name
        ("(ftUS)", "_Feet", "_Meters"). In the other unit are the numbers alone, or the false
        origin of the definition too. Both readings are laid against the boundary (the other
        layers, for the boundary itself): a warning when only the definition's own unit puts the
        numbers within a quarter mile, or when both put them there less than the position
        tolerance apart; else an error.

    When it does not apply
        To systems in degrees and datasets without CRS.

    How to fix
        State the system by its code in site.toml (crs = "EPSG:..."), or send a .prj that agrees
        with itself.

    References
        § 162-11B(4); OSGeo/gdal issue 990: the foot lost for the metre of the matched code.
    """
    data = [d for d in all_data(site) if d.crs is not None and linear_unit(d.crs) is not None]
    if not data:
        yield NotApplicable("no dataset is in a projected CRS")
        return
    for each in data:
        claims = contradicting_claims(each.crs) if each.crs is not None else []
        matched = oddities_of(each, [MATCHED])
        if claims or matched:
            words = [f"{claim.by} says {claim.unit.symbol}" for claim in claims]
            words += [oddity.message for oddity in matched]
            yield _fault(site, each, claims, words, position_tolerance, discharge_distance)
    yield Checked(f"the unit of the CRS of {len(data)} datasets", len(data))


def _fault(
    site: Site,
    data: Layer | Raster,
    claims: list[UnitClaim],
    words: list[str],
    tolerance: Length,
    near: Length,
) -> Fault:
    crs = data.crs
    assert crs is not None  # the caller left the others out
    defined = linear_unit(crs)
    assert defined is not None
    other = claims[0].unit if claims else _other_than(defined)
    name = dataset_words(data.provenance)
    verdict, severity = _where(site, data, defined, other, tolerance, near)
    return Fault(
        f"{name}: the definition of its CRS, {crs_label(crs)}, is in {defined.symbol}, but "
        f"{'; '.join(words)}. {verdict}",
        "find out which is right, then write "
        + in_site_toml(site, data.provenance, data.role, 'crs = "EPSG:..."'),
        measured=Quantity(round(float(other.metres / defined.metres), 6), "times the length"),
        role=data.role,
        source=dataset_source(data.provenance),
        severity=severity if data.role else Severity.INFO,
        distinct=name,
    )


def _other_than(unit: LengthUnit) -> LengthUnit:
    """The unit that a reader's match puts in place of this one."""
    return LengthUnit.METRE if unit.is_foot else LengthUnit.US_SURVEY_FOOT


def _where(
    site: Site,
    data: Layer | Raster,
    defined: LengthUnit,
    other: LengthUnit,
    tolerance: Length,
    near: Length,
) -> tuple[str, Severity]:
    """Which of the two units the numbers speak for, in words, and how grave that is."""
    place, box = _place(site, data), data_bounds(data)
    if place is None or box is None or data.crs is None:
        return "Nothing else here tells which is right.", Severity.ERROR
    own = landing(box, data.crs, place.crs, place.geometry)
    its = _in_other_unit(box, data.crs, (defined, other), place)
    if own is None or its is None:
        return "Nothing else here tells which is right.", Severity.ERROR
    apart_ft = ((own.east_ft - its.east_ft) ** 2 + (own.north_ft - its.north_ft) ** 2) ** 0.5
    limit = near.to(site.foot)
    fits, its_fits = own.gap_ft <= limit, its.gap_ft <= limit
    if fits and not its_fits:
        return (
            f"Read in {defined.symbol} the numbers lie at {place.words}, in {other.symbol} "
            f"{miles(its.gap_ft)} off: {defined.symbol} it is.",
            Severity.WARNING,
        )
    if its_fits and not fits:
        return (
            f"Read in {other.symbol} the numbers would lie at {place.words}, in {defined.symbol} "
            f"they lie {miles(own.gap_ft)} off.",
            Severity.ERROR,
        )
    if not fits and not its_fits:
        return (
            f"Read in {defined.symbol} the numbers lie {miles(own.gap_ft)} off {place.words}, in "
            f"{other.symbol} {miles(its.gap_ft)} off: neither can be right.",
            Severity.ERROR,
        )
    grave = Severity.ERROR if apart_ft > tolerance.to(site.foot) else Severity.WARNING
    return (
        f"The two readings lie {apart_ft:,.1f} ft apart, and {place.words} cannot tell which is "
        "right.",
        grave,
    )


def _in_other_unit(
    box: Bounds, crs: Crs, units: tuple[LengthUnit, LengthUnit], place: Whereabouts
) -> Landing | None:
    """Where the numbers lie in the other unit: they alone are in it, or all of the definition is,
    its false origin with it. The reading that comes nearer to the place.
    """
    defined, other = units
    found = [landing(box, crs, place.crs, place.geometry, float(other.metres / defined.metres))]
    rewritten = with_unit(crs, other)
    if rewritten is not None:
        found.append(landing(box, rewritten, place.crs, place.geometry))
    return min((one for one in found if one is not None), key=lambda one: one.gap_ft, default=None)


def _place(site: Site, data: Layer | Raster) -> Whereabouts | None:
    """The boundary; for the boundary itself, where the other layers are."""
    if data.role != "boundary" or site.crs is None:
        return whereabouts(site)
    others = [
        extent(tuple(layer.usable.total_bounds.tolist()))
        for role, layer in site.layers.items()
        if role != "boundary" and not layer.usable.empty
    ]
    return Whereabouts(site.crs, shapely.union_all(others), "the other layers") if others else None
