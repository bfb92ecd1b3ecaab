"""SUB002: a file that looks like data and cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Severity, Source
from sitemap.intake.role_names import role_said_by_name
from sitemap.layer import Layer, Raster, Unreadable
from sitemap.measures.records import dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, Said, rule
from sitemap.site import Site

REMEDIES = {
    "web_page": "download the file again from its source and open it once before sending it",
    "empty": "export the file again; what was sent has no bytes in it",
    "dwg": "save the drawing as DXF (R2000 or later) or export its layers to a shapefile",
    "truncated": "copy or export the file again; its end is missing",
    "encrypted": "send the file without a password",
    "named_file_missing": "correct the path in site.toml, or hand the file in",
    "named_layer_missing": "correct the layer's name in site.toml",
    "service_error": "download the file again; what was saved is the answer to a failed request",
}
IN_PART = "could be read only in part"
# Oddities (intake/oddities.py) of what is not whole, each with its words and what to do.
PARTS = {
    "shp_cut_off": (IN_PART, "copy or export the shapefile again; its end is missing"),
    "download_incomplete": (IN_PART, "download the rest, or ask for a file of the whole"),
    "raster_cells_unreadable": (
        IN_PART,
        "copy or export the raster again; only its header is whole",
    ),
    "cad_recovered": (IN_PART, "run AUDIT and RECOVER on the drawing in CAD and save it again"),
    "cad_object_unread": (
        IN_PART,
        "export the drawing to plain AutoCAD entities (Civil 3D: EXPORTTOAUTOCAD), surfaces as "
        "LandXML",
    ),
    "cad_block_missing": (IN_PART, "bind the external references and save the drawing again"),
    "kml_recovered": (IN_PART, "save the place or folder again in Google Earth"),
    "kml_unread": (IN_PART, "open the links where they lead, and send what they show as files"),
    "features_gone": (
        "holds what is no longer there",
        "take it out of the layer, or correct the field where it is still there",
    ),
    "nodata_undeclared": (
        "does not declare the value of its gaps",
        "write the value of the gaps into the raster as its nodata value",
    ),
}


@rule("SUB002", clauses=("map",))
def file_unreadable(site: Site) -> Iterator[Said]:
    """The map has a file behind it that cannot be read.

    Why
        What cannot be read cannot be checked or drawn, and a reviewer who does not know of it
        takes the rest for the whole.

    How it is measured
        Every file that looks like data by its name or its first bytes is opened, in bulk and if
        that is refused record by record. One finding per file or layer, with the plain reason:
        a saved web page, no bytes, a drawing format, a truncated file, a format not known. One,
        too, per dataset of which only a part could be read or was sent, and per raster whose gaps
        are filled with a value that it does not declare: an error where it serves a role, else
        information. Of a drawing or a KML it is an error that it is damaged; objects, links and
        external references that are not in it are a warning. Storm sewers, inlets, culverts and
        outfalls that their own field calls abandoned, removed or the like are named
        (information): cities keep them on file, and they are neither judged nor drawn.

    When it does not apply
        To reports, pictures and other files that carry no layer; `sitemap inventory` lists them.

    How to fix
        As the finding says: download again, export again, or save in a format that is read
        (shapefile, GeoPackage, GeoJSON, FlatGeobuf, FileGDB, DXF, LandXML, KML).

    References
        § 162-11B(4); real cases: a county's open-data page saved as .geojson, rasters of 0 bytes.
    """
    for unreadable in site.unreadable:
        what = unreadable.file + (f", layer {unreadable.layer}" if unreadable.layer else "")
        yield Fault(
            f"{what} cannot be read: {unreadable.reason.rstrip('.')}",
            _remedy(unreadable),
            role=_role_named(site, unreadable),
            source=Source(unreadable.file, unreadable.layer or None),
            distinct=what,
        )
    datasets: tuple[Layer | Raster, ...] = (*site.datasets, *site.rasters)
    for dataset in datasets:
        yield from _in_part(dataset)
    read = len(site.datasets) + len(site.rasters)
    yield Checked(f"{read} datasets were read, {len(site.unreadable)} could not be", read)


def _in_part(dataset: Layer | Raster) -> Iterator[Fault]:
    """One finding for each way in which a dataset is only a part."""
    for oddity in dataset.provenance.oddities:
        if oddity.kind in PARTS:
            name = dataset_words(dataset.provenance)
            words, remedy = PARTS[oddity.kind]
            yield Fault(
                f"{name} {words}: {oddity.message}",
                remedy,
                role=dataset.role,
                source=dataset_source(dataset.provenance),
                severity=_severity(oddity.kind, dataset.role),
                distinct=f"{name} {oddity.kind}",
            )


def _severity(kind: str, role: str | None) -> Severity:
    if kind.startswith(("cad_", "kml_")):  # of the whole drawing, whichever of its layers says so
        return Severity.ERROR if kind.endswith("_recovered") else Severity.WARNING
    return Severity.ERROR if role and kind != "features_gone" else Severity.INFO


def _remedy(unreadable: Unreadable) -> str:
    """What to do, by kind; a general word where the kind has none of its own."""
    return REMEDIES.get(
        unreadable.kind,
        "export it again as shapefile, GeoPackage or GeoJSON, or take it out of the submission",
    )


def _role_named(site: Site, unreadable: Unreadable) -> str | None:
    """The role for which site.toml names this file, else the one that its name speaks for.

    By its name only while nothing else serves that role: it is then what is missing.
    """
    for role, paths in site.project.layers.items():
        if any(unreadable.file.endswith(entry.path) for entry in paths):
            return role
    told = role_said_by_name(unreadable.file, unreadable.layer, site.catalogue)
    return told if told is not None and told not in site.layers else None
