"""SUB012: a field that should hold numbers holds text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap.finding import Severity
from sitemap.layer import Layer, Oddity
from sitemap.measures.records import dataset_source, dataset_words, oddities_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

PARSED, REFUSED = "number_kept_as_text", "number_text_refused"  # kinds of intake/oddities.py
NUMERIC = ("number", "integer")
FIELD = re.compile(r"field (?P<column>.+?) (?:keeps numbers|should be numbers)")


@rule("SUB012", clauses=("map",))
def number_kept_as_text(site: Site) -> Iterator[Said]:
    """The map has a field of numbers that is kept as text.

    Why
        Programs leave text out of arithmetic without a word: contours whose elevations are text
        have no interval, and areas whose acres are text sum to nothing.

    How it is measured
        Every numeric field of a role whose column is text is parsed, with thousands commas, a
        unit behind the number ("842.0", "842 ft", "842'"), the field's own name before it
        ("EL. 842") and for elevations a datum after it ("842 ft MSL"). A comma is a decimal mark
        where it can be nothing else ("842,5"). Parsed is a warning, since what is measured is the
        number meant. Where less than 95 % of the filled values are numbers none is used, and that
        is an error.

    When it does not apply
        Where no dataset has a numeric field of its role. Cells with nothing in them do not count.

    How to fix
        Make the field numeric and calculate it from the text; put the unit into its name.

    References
        § 162-11B(4); sosicon issue 10: contours without heights because the field was text.
    """
    looked_at = 0
    for layer in site.datasets:
        spec = layer.spec
        if spec is None:
            continue
        known = [spec.fields[name] for name in layer.choice.field_map if name in spec.fields]
        looked_at += sum(field.type in NUMERIC for field in known)
        for oddity in oddities_of(layer, (PARSED, REFUSED)):
            yield _fault(layer, oddity)
    if not looked_at:
        yield NotApplicable("no dataset has a numeric field of its role")
        return
    yield Checked(f"{looked_at} fields that should hold numbers", looked_at)


def _fault(layer: Layer, oddity: Oddity) -> Fault:
    name, refused = dataset_words(layer.provenance), oddity.kind == REFUSED
    match = FIELD.search(oddity.message)
    column = match["column"] if match else None
    return Fault(
        f"{name}: {oddity.message.rstrip('.')}",
        f"make {column or 'the field'} a numeric field"
        + (" and correct the values that are none" if refused else " and calculate it anew"),
        role=layer.role,
        source=dataset_source(layer.provenance),
        field_name=column,
        severity=Severity.ERROR if refused else Severity.WARNING,
        distinct=f"{name} {column or oddity.message}",
    )
