"""SUB008: the letters of a dataset's text are a guess."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Severity
from sitemap.layer import Layer
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import dataset_source, dataset_words, oddities_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

KINDS = ("encoding_unknown", "encoding_doubtful", "text_undecodable")  # of intake/oddities.py


@rule("SUB008", clauses=("map",))
def text_encoding_doubtful(site: Site) -> Iterator[Said]:
    """The map has a dataset whose text encoding is doubtful.

    Why
        Names are printed on the plate and owners and waters are known by them: "bassin n\u00ba 2"
        read in the wrong encoding becomes "bassin n\u00c2\u00ba 2".

    How it is measured
        The bytes of the text fields beyond ASCII are held against what the .cpg or the .dbf
        declares. Found is: a declaration that names no encoding, bytes that contradict it (UTF-8
        under a single-byte declaration), no declaration and bytes that are not UTF-8, and bytes
        that do not exist in the encoding. An encoding that the user gives settles the first
        three. One finding per dataset: a warning, since no measured quantity hangs on it;
        information where the dataset serves no role.

    When it does not apply
        To datasets without a text field that declares nothing about them (GeoPackage, GeoJSON and
        FlatGeobuf are UTF-8 by definition).

    How to fix
        Export again as UTF-8 with its .cpg, or say which it is: --encoding, or encoding = "..."
        for the layer in site.toml.

    References
        § 162-11B(4); Fiona issue 512; portolan-cli issue 783 (lying .cpg files).
    """
    layers = [layer for layer in site.datasets if layer.provenance.encoding is not None]
    if not layers:
        yield NotApplicable("no dataset holds text")
        return
    doubtful = 0
    for layer in layers:
        found = oddities_of(layer, KINDS)
        if found:
            doubtful += 1
            yield _fault(site, layer, [oddity.message for oddity in found])
    clear = len(layers) - doubtful
    yield Checked(f"the text of {clear} of {len(layers)} datasets is sure", len(layers))


def _fault(site: Site, layer: Layer, words: list[str]) -> Fault:
    name = dataset_words(layer.provenance)
    return Fault(
        f"{name}: {'; '.join(word.rstrip('.') for word in words)}",
        "export it again as UTF-8 with its .cpg, or give the encoding: --encoding, or "
        + in_site_toml(site, layer.provenance, layer.role, 'encoding = "..."'),
        role=layer.role,
        source=dataset_source(layer.provenance),
        severity=Severity.WARNING if layer.role else Severity.INFO,
        distinct=name,
    )
