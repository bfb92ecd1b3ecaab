"""SUB003: a shapefile came without one of the files that make it whole."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Limit, Quantity, Severity
from sitemap.layer import Layer
from sitemap.measures.records import dataset_source, dataset_words, is_table, oddities_of
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

UNDECLARED = ("bytes are valid UTF-8", "guess")  # how intake/encoding.py knows an encoding then


@rule("SUB003", clauses=("map",))
def companion_file_missing(site: Site) -> Iterator[Said]:
    """The map has a shapefile without one of its companion files.

    Why
        A shapefile is several files. Without .dbf its features have no attributes, without .prj
        its numbers stand for no place, without .cpg its text is a guess, without .shx other
        programs refuse it.

    How it is measured
        For each shapefile: .shx and .dbf present and fitting, .prj (or .qpj) present, .cpg present
        where the text goes beyond ASCII and the .dbf itself does not name its encoding. A companion
        that is a saved web page, or damaged in its archive, counts as missing. One finding per
        shapefile. Error when the .dbf is missing and the role requires a field; information for a
        .cpg, for a .prj whose place was taken by a CRS of the user's, and for files that serve no
        role; else warning.

    When it does not apply
        To other formats, and to attribute tables that were never meant to have geometries.

    How to fix
        Send all files of the same name together, best as one archive.

    References
        § 162-11B(4); ESRI Shapefile Technical Description (1998); mbloch/mapshaper issue 371
        (".prj got separated"); Fiona issue 548 (.shx).
    """
    shapefiles = [
        layer
        for layer in site.datasets
        if layer.provenance.driver == "ESRI Shapefile" and not is_table(layer)
    ]
    if not shapefiles:
        yield NotApplicable("no dataset is a shapefile")
        return
    whole = 0
    for layer in shapefiles:
        missing = _missing(layer)
        whole += not missing
        if missing:
            yield _fault(layer, missing)
    yield Checked(f"{whole} of {len(shapefiles)} shapefiles are whole", len(shapefiles))


def _missing(layer: Layer) -> dict[str, tuple[str, Severity]]:
    """Ending -> what its absence means and how grave that is."""
    provenance = layer.provenance
    here = set(provenance.companions)
    unusable = _unusable(layer, here)
    here -= set(unusable)
    missing: dict[str, tuple[str, Severity]] = {}
    if ".shx" not in here:
        missing[".shx"] = "its record index was rebuilt on a copy", Severity.WARNING
    elif oddities_of(layer, ["shx_rebuilt"]):
        missing[".shx"] = "the one sent does not fit and was rebuilt on a copy", Severity.WARNING
    if ".dbf" not in here or oddities_of(layer, ["dbf_missing"]):
        required = _required(layer)
        words = "no feature has an attribute"
        words += f", and the role requires {' and '.join(required)}" if required else ""
        missing[".dbf"] = words, Severity.ERROR if required else Severity.WARNING
    if not here & {".prj", ".qpj"}:
        missing[".prj"] = (
            ("the numbers stand for no place, see CRS001", Severity.WARNING)
            if layer.crs is None
            else (f"the CRS is from {provenance.crs_how}", Severity.INFO)
        )
    if not here & {".cpg", ".cst"} and provenance.encoding_how.startswith(UNDECLARED):
        missing[".cpg"] = f"the text was read as {provenance.encoding}", Severity.INFO
    return {
        end: (f"{words}; {unusable[end]}" if end in unusable else words, severity)
        for end, (words, severity) in missing.items()
    }


def _unusable(layer: Layer, here: set[str]) -> dict[str, str]:
    """Ending -> what is the matter with a companion that was sent and cannot be used."""
    found = {}
    for kind, says, words in (
        ("companion_web_page", "is a saved web page", "what was sent is a saved web page"),
        ("companion_unreadable", "cannot be read", "what was sent cannot be read"),
    ):
        messages = " ".join(o.message for o in oddities_of(layer, [kind])).lower()
        found.update({end: words for end in here if f"{end} {says}" in messages})
    return found


def _required(layer: Layer) -> list[str]:
    """The fields that the role requires and that only a table can hold."""
    fields = layer.spec.fields if layer.spec is not None else {}
    from_file = {"type"}  # silt_fence.shp: taken from the file's name
    return [name for name, known in fields.items() if known.required and name not in from_file]


def _fault(layer: Layer, missing: dict[str, tuple[str, Severity]]) -> Fault:
    name = dataset_words(layer.provenance)
    why = "; ".join(f"{end}: {words}" for end, (words, _) in missing.items())
    gravest = max(severity for _, severity in missing.values())
    return Fault(
        f"{name} came without {' and '.join(missing)} ({why})",
        f"send {' and '.join(missing)} of the same name together with the .shp",
        measured=Quantity(len(missing), "companion files missing"),
        limit=Limit(0, "companion files missing"),
        role=layer.role,
        source=dataset_source(layer.provenance),
        severity=gravest if layer.role else Severity.INFO,
        distinct=f"{name} {' '.join(missing)}",
    )
