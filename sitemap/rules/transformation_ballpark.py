"""CRS005: a layer came into the map CRS by a transformation that is too rough for the plate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sitemap.crs import Crs, Transformation, crs_label, datum_name, plan_transformation
from sitemap.errors import CrsError
from sitemap.finding import Limit, Quantity, Severity
from sitemap.layer import Layer, Raster
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.map_extent import core_ground, size_ft
from sitemap.measures.map_scale import SheetScale, plot_scale
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length, LengthUnit, MapScale

SAME_ELLIPSOID_M = 10.0  # GRS 80 and WGS 84 differ by nothing, Clarke 1866 by 69 m
NAMED = 4


@dataclass(frozen=True, eq=False)
class _Way:
    """One operation, and everything that was brought in by it."""

    account: Transformation
    source: Crs
    data: tuple[Layer | Raster, ...]


@rule("CRS005", clauses=("map",))
def transformation_ballpark(
    site: Site,
    plate: MeasuredPlate | None,
    max_scale: MapScale,
    adjacent_distance: Length,
    transformation_tolerance: Length,
    realisation_shift: Length,
) -> Iterator[Said]:
    """The map has a layer whose transformation is rougher than the plate can show.

    Why
        Between NAD27 and NAD83 lie tens to hundreds of feet. Where the grid for the shift is not
        installed, PROJ takes a mean (12 m) or leaves the shift out ("ballpark") and says so to
        nobody. A wetland may then lie on the wrong side of the limits of disturbance.

    How it is measured
        The operation by which each dataset came into the map CRS, with PROJ's stated accuracy, in
        inches at the plate's scale (else the wished one, else the limit of the law), against the
        pack's transformation tolerance. Where the shift between two realisations of one datum is
        left out, no accuracy is stated: the pack's order of magnitude is taken. One finding per
        operation. An error where the ellipsoids differ (NAD27): places change beyond every
        tolerance. Between realisations (NAD83, HARN, NSRS2007, 2011, WGS 84) areas and lengths do
        not change, only places against layers of another realisation: a warning; and where all
        datasets are of one realisation, so that nothing moved against anything, information.

    When it does not apply
        Where everything is in the map CRS already.

    How to fix
        Send the data in the map CRS, transformed by the program of their source; or install the
        grids named: projsync --file <grid>.

    References
        § 162-11B(4); OSGeo/PROJ issue 3613; NOAA NADCON 5; `sitemap doctor` lists the grids.
    """
    ways, placed = _ways(site)
    if not placed:
        yield NotApplicable("no layer of the map has a CRS")
        return
    scale = plot_scale(site, plate, max_scale, size_ft(core_ground(site, adjacent_distance)))
    datums = {datum_name(each.crs) for each in placed if each.crs is not None}
    rough = 0
    for way in ways:
        error = _error_ft(way, site, realisation_shift)
        tolerance_ft = scale.scale.ground_ft(transformation_tolerance.to(LengthUnit.INCH))
        if error is not None and error <= tolerance_ft:
            continue
        rough += 1
        yield _fault(site, way, error, scale, transformation_tolerance, len(datums) == 1)
    words = "; ".join(str(way.account) for way in ways) or "all are in the map CRS"
    yield Checked(f"{len(placed)} datasets, {rough} operations too rough: {words}", len(placed))


def _ways(site: Site) -> tuple[list[_Way], list[Layer | Raster]]:
    """Operations that moved something, and all datasets on the map."""
    groups: dict[tuple[str, str], _Way] = {}
    placed: list[Layer | Raster] = []
    for data, account in _accounts(site):
        placed.append(data)
        if account.operation == "none" or data.crs is None:
            continue
        key = account.source, account.operation
        before = groups[key].data if key in groups else ()
        groups[key] = _Way(account, data.crs, (*before, data))
    return list(groups.values()), placed


def _accounts(site: Site) -> Iterator[tuple[Layer | Raster, Transformation]]:
    for layer in site.datasets:
        merged = site.role(layer.role) if layer.role else None
        if merged is None or layer not in merged.members or layer.crs is None:
            continue
        file, name = layer.provenance.file, layer.provenance.layer
        account = site.transformations.get(f"{file}:{name}") or site.transformations.get(file)
        same = crs_label(layer.crs)
        yield layer, account or Transformation(same, same, "none", 0.0, False)
    for raster in site.rasters:
        if raster.role is None or raster.crs is None or site.crs is None:
            continue
        try:
            yield raster, plan_transformation(raster.crs, site.crs, raster.bounds)
        except CrsError:
            continue  # a local system: CRS001


def _one_family(way: _Way, site: Site) -> bool:
    """True when both datums are on the same ellipsoid: realisations of one, feet apart at most."""
    ours = site.crs.ellipsoid if site.crs is not None else None
    its = way.source.ellipsoid
    if ours is None or its is None:
        return False
    return bool(abs(ours.semi_major_metre - its.semi_major_metre) < SAME_ELLIPSOID_M)


def _error_ft(way: _Way, site: Site, realisation_shift: Length) -> float | None:
    """How far off the places may be, in feet; None where nobody can say."""
    stated = way.account.accuracy_ft
    if stated is not None and not way.account.ballpark:
        return stated
    return realisation_shift.feet if _one_family(way, site) else None


def _fault(
    site: Site,
    way: _Way,
    error_ft: float | None,
    scale: SheetScale,
    tolerance: Length,
    alike: bool,
) -> Fault:
    first, count = way.data[0], len(way.data)
    names = ", ".join(dataset_words(d.provenance) for d in way.data[:NAMED])
    more = f" and {count - NAMED} more" if count > NAMED else ""
    family = _one_family(way, site)
    limit_in = tolerance.to(LengthUnit.INCH)
    if error_ft is None:
        size = "the shift between the two datums, tens to hundreds of feet, is left out"
        paper_in = None
    else:
        paper_in = scale.scale.paper_in(error_ft)
        size = (
            f"places may be off by {error_ft:.1f} ft, {paper_in:.2f} in at {scale.scale}, more "
            f"than {limit_in:g} in"
        )
    if family and alike:
        size += "; all datasets moved alike, so that their places against each other are exact"
    roles = {data.role for data in way.data}
    severity = Severity.ERROR
    if family:
        severity = Severity.INFO if alike else Severity.WARNING
    return Fault(
        f"{names}{more}: {way.account}; {size}",
        _remedy(site, way),
        measured=None if paper_in is None else Quantity(round(paper_in, 3), "in"),
        limit=Limit(limit_in, "in"),
        role=roles.pop() if len(roles) == 1 else None,
        source=dataset_source(first.provenance),
        related=tuple(dataset_source(data.provenance) for data in way.data[1:]),
        severity=severity,
        distinct=f"{way.account.source} {way.account.operation}",
    )


def _remedy(site: Site, way: _Way) -> str:
    grids = way.account.missing_grids
    send = f"send the data in {site.crs_name}, transformed by the program of their source"
    return f"{send}; or install {', '.join(grids)} (projsync --file <grid>)" if grids else send
