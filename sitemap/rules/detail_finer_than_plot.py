"""GEO006: vertices closer together than a plotter can draw them."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Limit, Quantity, Severity
from sitemap.layer import Layer
from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.fineness import Fineness, fineness
from sitemap.measures.map_extent import core_ground, size_ft
from sitemap.measures.map_scale import SheetScale, plot_scale
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site
from sitemap.units import Length, LengthUnit, MapScale

MOST_PCT = 50.0  # of the length: arcs and corners have short segments in any drawing


@rule("GEO006", clauses=("map",), severity=Severity.INFO)
def detail_finer_than_plot(
    site: Site,
    plate: MeasuredPlate | None,
    max_scale: MapScale,
    plot_fineness: Length,
    adjacent_distance: Length,
) -> Iterator[Said]:
    """The map has detail that is finer than it can be plotted.

    Why
        Contours straight from a laser scan have a vertex every few inches: files grow, drawing
        slows, and on paper nobody can see it. A feature smaller than a pen stroke is a dot.

    How it is measured
        Length of segments on paper, at the plate's own scale, else at the scale that site.toml
        asks for, else at the limit of the law: shorter than the pack's plot fineness. Found per
        dataset where more than half of the length of its lines and outlines runs in segments that
        short, or where lines or areas are smaller than that as a whole. Always information.

    When it does not apply
        To points.

    How to fix
        Nothing must be done. Simplify to half the plot fineness, on a copy, keeping shared edges.

    References
        § 162-11B(4); a hundredth of an inch is about the width of a thin plotted line (0.25 mm).
    """
    scale = plot_scale(site, plate, max_scale, size_ft(core_ground(site, adjacent_distance)))
    least_ft = scale.scale.ground_ft(plot_fineness.to(LengthUnit.INCH))
    looked_at = 0
    for layer in site.layers.values():
        for member, shapes in layer.shapes_by_dataset:
            found = fineness(shapes, least_ft)
            looked_at += found.segments
            if found.short_pct > MOST_PCT or found.dots:
                yield _fault(member, found, scale, least_ft)
    if not looked_at:
        yield NotApplicable("no layer has a line or an area")
        return
    yield Checked(f"{looked_at:,} segments at {scale.scale} ({scale.words})", looked_at)


def _fault(layer: Layer, found: Fineness, scale: SheetScale, least_ft: float) -> Fault:
    name, said = dataset_words(layer.provenance), []
    if found.short_pct > MOST_PCT:
        said.append(
            f"{found.short_pct:.0f} % of the length runs in segments shorter than {least_ft:g} ft "
            f"({found.short:,} of {found.segments:,})"
        )
    if found.dots:
        said.append(
            f"{found.dots:,} of {found.features:,} features are smaller than {least_ft:g} ft"
        )
    return Fault(
        f"{name}: {' and '.join(said)}, which cannot be told apart on paper at {scale.scale}",
        "nothing must be done; simplified to half that length the file draws the same",
        measured=Quantity(round(found.short_pct, 1), "pct of length"),
        limit=Limit(MOST_PCT, "pct of length"),
        role=layer.role,
        source=dataset_source(layer.provenance),
        severity=Severity.INFO,
        distinct=name,
    )
