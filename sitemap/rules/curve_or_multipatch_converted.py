"""GEO008: arcs and 3D surfaces, which reading turned into something else."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Severity
from sitemap.layer import Layer, Oddity
from sitemap.measures.records import dataset_source, dataset_words, oddities_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

CURVES, SURFACES = "curves_linearised", "multipatch_converted"  # kinds of intake/oddities.py
REMEDIES = {
    CURVES: "compare areas and holes with the original; better is an export with arcs turned into "
    "segments by the program that drew them",
    SURFACES: "export the footprint as an area (in ArcGIS: Multipatch Footprint), or a TIN as "
    "contours or a raster",
}


@rule("GEO008", clauses=("map",))
def curve_or_multipatch_converted(site: Site) -> Iterator[Said]:
    """The map has curves or 3D surfaces that were converted while reading.

    Why
        Arcs become chords and elliptical holes have been filled without a word, so areas differ
        from the drawing; a multipatch or TIN has no outline at all on a flat map.

    How it is measured
        The geometry types that each file declares and holds, before decoding: circular strings,
        compound curves and curved polygons; multipatches, TINs and polyhedral surfaces. One
        finding per dataset and kind. Curves are a warning. Surfaces are an error, because those
        features are left out of every measure. Information where the dataset serves no role.

    When it does not apply
        To formats without curves, and to arcs that were exported as short straight lines.

    How to fix
        Curves: compare areas and holes with the original. Surfaces: export their footprint.

    References
        § 162-11B(4); OSGeo/gdal issue 14277 (an elliptical hole filled when read).
    """
    if not site.datasets:
        yield NotApplicable("no dataset was read")
        return
    for layer in site.datasets:
        for oddity in oddities_of(layer, (CURVES, SURFACES)):
            yield _fault(layer, oddity)
    yield Checked(f"the geometry types of {len(site.datasets)} datasets", len(site.datasets))


def _fault(layer: Layer, oddity: Oddity) -> Fault:
    name = dataset_words(layer.provenance)
    severity = Severity.ERROR if oddity.kind == SURFACES else Severity.WARNING
    return Fault(
        f"{name}: {oddity.message}",
        REMEDIES[oddity.kind],
        role=layer.role,
        source=dataset_source(layer.provenance),
        severity=severity if layer.role else Severity.INFO,
        distinct=f"{name} {oddity.kind}",
    )
