"""open_site: a submission on disk -> a Site, every layer in one projected CRS in feet.

Each file is opened once and projected once. Where one role has several datasets, all are
merged, also for roles that take one: choosing between them would be a guess, so every rule
sees what was submitted and SUB005 says that there are two.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sitemap.catalogue import Catalogue, load_catalogue
from sitemap.crs import parse_crs
from sitemap.intake.cad_columns import by_cad_layer
from sitemap.intake.crs_detective import datum_oddities
from sitemap.intake.discover import Found
from sitemap.intake.encoding import given_codec
from sitemap.intake.files import DiskFile, Entry, GdbFolder, ZippedFile, stem_of, workspace
from sitemap.intake.landxml import read_landxml
from sitemap.intake.merge import Member, choose_crs, merge
from sitemap.intake.named import Opened, layers_missing, open_submission
from sitemap.intake.said_by_name import SaidByName
from sitemap.intake.serving import (
    drawings_give_way,
    kinds_taken,
    members_of,
    raster_with_role,
)
from sitemap.intake.vector import Given, GivenFor, read_vector
from sitemap.intake.waiver_areas import read_area_files
from sitemap.layer import Provenance, Raster, Unreadable
from sitemap.site import Site


@dataclass(frozen=True)
class _Options:
    """What the command line says, for files that say nothing."""

    crs: str | None
    encoding: str | None


def open_site(
    submission: Path,
    *,
    crs: str | None = None,
    encoding: str | None = None,
    catalogue: Catalogue | None = None,
) -> Site:
    """Open a folder, archive, dataset or site.toml.

    crs: for datasets that state none, and the CRS of the map when it is projected in feet;
    encoding: for attribute tables, against what they declare. SubmissionError when there is
    nothing to open, ConfigurationError for a faulty site.toml, CrsError and UsageError for
    options that mean nothing. Files that cannot be read are in Site.unreadable.
    """
    known = catalogue if catalogue is not None else load_catalogue()
    if crs is not None:
        parse_crs(crs)
    if encoding is not None:
        given_codec(encoding)
    options = _Options(crs, encoding)
    # coordinates of a damaged file overflow; they are named as odd, no library need warn
    with workspace() as work, np.errstate(all="ignore"):
        opened = open_submission(submission, work, known)
        unreadable = list(opened.discovery.unreadable)
        members: list[Member] = []
        rasters: list[Raster] = []
        given_for = _given_for(opened, options)
        waived = read_area_files(opened, work, given_for)
        for found in opened.discovery.found:
            if found.name in waived.datasets:
                continue
            if found.kind == "raster":
                from sitemap.intake.raster import read_raster  # brings a second GDAL: 17 MB

                raster = read_raster(found, given_for(found.name, stem_of(found.name)))
                if isinstance(raster, Unreadable):
                    unreadable.append(raster)
                else:
                    rasters.append(raster_with_role(raster, opened, known))
                continue
            if found.kind == "landxml":
                taken = kinds_taken(opened, known)
                read, failed = read_landxml(found, given_for, taken, SaidByName(known))
            elif found.kind == "dxf":
                from sitemap.intake.cad import read_cad  # a library that only drawings need

                read, failed = read_cad(found, work, given_for, kinds_taken(opened, known))
            elif found.kind == "kml":
                from sitemap.intake.kml import read_kml

                taken = kinds_taken(opened, known)
                read, failed = read_kml(found, work, given_for, taken, SaidByName(known))
            else:
                whole, failed = read_vector(found, work, given_for)
                read = [part for one in whole for part in by_cad_layer(one, opened, known)]
            unreadable.extend(failed)
            for one in read:
                members.extend(members_of(one, read, opened, known))
        members = drawings_give_way(members, rasters)
        layers = [(p.file, p.layer) for p in (one.layer.provenance for one in members)]
        unreadable.extend(layers_missing(opened.named, layers, unreadable))
        files = _input_files(opened)
        site = _site(submission, opened, options, known, members, rasters, unreadable, files)
    return replace(site, waiver_areas=waived.areas(site.crs))


def _site(
    submission: Path,
    opened: Opened,
    options: _Options,
    catalogue: Catalogue,
    members: list[Member],
    rasters: list[Raster],
    unreadable: list[Unreadable],
    files: tuple[Path, ...],
) -> Site:
    members, rasters = _with_datum_words(members, rasters)
    project = opened.project
    chosen = choose_crs(members, rasters, project, options.crs)
    layers, transformations = merge(members, chosen.crs, catalogue)
    return Site(
        name=project.project.name or _name_of(submission),
        submission=str(submission),
        crs=chosen.crs,
        crs_reason=chosen.reason,
        project=project,
        catalogue=catalogue,
        layers=layers,
        datasets=tuple(member.layer for member in members),
        rasters=tuple(rasters),
        unreadable=tuple(sorted(unreadable, key=lambda item: (item.file, item.layer))),
        transformations=transformations,
        ignored=opened.discovery.ignored,
        input_files=files,
    )


def _name_of(submission: Path) -> str:
    """The name of a site that states none: its folder's, as a whole, else its file's."""
    path = Path(os.path.abspath(submission))  # "." and ".." have no name of their own
    if path.suffix.lower() == ".toml":
        path = path.parent
    whole = path.is_dir() and path.suffix.lower() != ".gdb"
    return (path.name if whole else path.stem) or str(path)


def _given_for(opened: Opened, options: _Options) -> GivenFor:
    """What the user says of one layer: site.toml, else the options."""

    def given(file: str, layer: str) -> Given:
        said = [one.said for one in opened.named if one.file == file]
        exact = [one for one in said if one.layer in (None, layer)]
        crs = next((one.crs for one in exact if one.crs), None)
        encoding = next((one.encoding for one in said if one.encoding), None)
        return Given(crs, encoding or options.encoding, options.crs)

    return given


def _with_datum_words(
    members: list[Member], rasters: list[Raster]
) -> tuple[list[Member], list[Raster]]:
    """Add to each dataset a word when the submission mixes datums."""
    labelled = [(m.layer.provenance.file, m.layer.crs) for m in members]
    labelled += [(r.provenance.file, r.crs) for r in rasters]
    notes = datum_oddities(labelled)
    if not notes:
        return members, rasters

    def told(provenance: Provenance, index: int) -> Provenance:
        more = (notes[index],) if index in notes else ()
        return replace(provenance, oddities=(*provenance.oddities, *more))

    return (
        [
            replace(m, layer=replace(m.layer, provenance=told(m.layer.provenance, index)))
            for index, m in enumerate(members)
        ],
        [
            replace(r, provenance=told(r.provenance, index))
            for index, r in enumerate(rasters, start=len(members))
        ],
    )


def _input_files(opened: Opened) -> tuple[Path, ...]:
    """Every file on disk that was opened, archives included; nothing may be written over them."""
    paths: set[Path] = set()
    entries: list[Entry] = [e for found in opened.discovery.found for e in _files(found)]
    if opened.discovery.site_toml is not None:
        entries.append(opened.discovery.site_toml)
    for entry in entries:
        if isinstance(entry, DiskFile):
            paths.add(entry.path.absolute())
        elif isinstance(entry, ZippedFile):
            paths.add(Path(str(entry.archive.filename)).absolute())
    if opened.project.path is not None and opened.project.path.is_file():
        paths.add(opened.project.path.absolute())
        if opened.project.soil_loss.factors is not None:
            paths.add((opened.project.path.parent / opened.project.soil_loss.factors).absolute())
    return tuple(sorted(paths))


def _files(found: Found) -> tuple[Entry, ...]:
    return found.main.parts if isinstance(found.main, GdbFolder) else found.entries
