"""open_site: a submission on disk -> a Site, every layer in one projected CRS in feet.

Each file is opened once and projected once. Where one role has several datasets, all are
merged, also for roles that take one: choosing between them would be a guess, so every rule
sees what was submitted and SUB005 says that there are two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sitemap.catalogue import Catalogue, LayerSpec, load_catalogue
from sitemap.crs import parse_crs
from sitemap.errors import ConfigurationError
from sitemap.intake.canonical import Canonical, StatedUnit, canonical_columns
from sitemap.intake.crs_detective import datum_oddities
from sitemap.intake.discover import Found
from sitemap.intake.encoding import given_codec
from sitemap.intake.files import DiskFile, Entry, GdbFolder, ZippedFile, stem_of, workspace
from sitemap.intake.geometry_detective import geometry_kinds
from sitemap.intake.merge import Member, choose_crs, merge
from sitemap.intake.named import Named, Opened, named_for, open_submission
from sitemap.intake.oddities import odd
from sitemap.intake.raster import read_raster
from sitemap.intake.roles import choose_role, map_fields, type_in_name
from sitemap.intake.vector import Given, Read, read_vector
from sitemap.layer import Layer, Oddity, Provenance, Raster, RoleChoice, Unreadable
from sitemap.project import LayerPath, Project
from sitemap.site import Site
from sitemap.units import LengthUnit


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
    with workspace() as work:
        opened = open_submission(submission, work, known)
        unreadable = list(opened.discovery.unreadable)
        members: list[Member] = []
        rasters: list[Raster] = []
        for found in opened.discovery.found:
            given_for = _given_for(opened, options)
            if found.kind == "raster":
                raster = read_raster(found, given_for(found.name, stem_of(found.name)))
                if isinstance(raster, Unreadable):
                    unreadable.append(raster)
                else:
                    rasters.append(_raster_with_role(raster, opened, known))
                continue
            read, failed = read_vector(found, work, given_for)
            unreadable.extend(failed)
            for one in read:
                members.extend(_members(one, read, opened, known))
        files = _input_files(opened)
    return _site(submission, opened, options, known, members, rasters, unreadable, files)


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
    name = project.project.name or (
        submission.absolute().parent.name if submission.suffix == ".toml" else submission.stem
    )
    return Site(
        name=name,
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


def _given_for(opened: Opened, options: _Options):  # type: ignore[no-untyped-def]
    """What the user says of one layer: site.toml, else the options."""

    def given(file: str, layer: str) -> Given:
        said = [one.said for one in opened.named if one.file == file]
        exact = [one for one in said if one.layer in (None, layer)]
        crs = next((one.crs for one in exact if one.crs), None)
        encoding = next((one.encoding for one in said if one.encoding), None)
        return Given(crs, encoding or options.encoding, options.crs)

    return given


def _members(
    read: Read, siblings: Sequence[Read], opened: Opened, catalogue: Catalogue
) -> list[Member]:
    """The layer once for each role that it serves; once without role where it serves none."""
    provenance = read.provenance
    spatial = [one for one in siblings if not one.is_table]
    several = len(spatial if not read.is_table else siblings) > 1
    named = named_for(opened.named, provenance.file, provenance.layer, several)
    unsaid = [one for one in opened.named if one.file == provenance.file and one.said.layer is None]
    if unsaid and several:
        names = ", ".join(repr(one.provenance.layer) for one in spatial)
        raise ConfigurationError(
            opened.project.path or "site.toml",
            f"layers.{unsaid[0].role}",
            f"{provenance.file} holds {len(spatial)} layers; add layer = ... with one of {names}",
        )
    if named:
        return [_member_named(read, one, opened.project, catalogue) for one in named]
    choice = _inferred(read, opened, catalogue)
    return [_member(read, choice, None, opened.project, catalogue)]


def _inferred(read: Read, opened: Opened, catalogue: Catalogue) -> RoleChoice:
    if read.is_table:
        return RoleChoice(None, "an attribute table without geometry serves no role")
    if opened.project.layers:
        return RoleChoice(None, "site.toml does not name it")
    provenance = read.provenance
    return choose_role(
        provenance.file,
        provenance.layer,
        _user_columns(read),
        geometry_kinds(read.frame.geometry.to_numpy()),
        catalogue,
        read.frame,
    )


def _user_columns(read: Read) -> list[str]:
    geometry = read.frame.geometry.name
    return [c for c in read.frame.columns if c != geometry and not c.startswith("_")]


def _member_named(read: Read, named: Named, project: Project, catalogue: Catalogue) -> Member:
    columns = _user_columns(read)
    match = map_fields(columns, catalogue[named.role], named.said.fields)
    if match.absent:
        canonical, wanted = next(iter(match.absent.items()))
        near = match.nearest.get(canonical, ())
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise ConfigurationError(
            project.path or "site.toml",
            f"layers.{named.role}.fields.{canonical}",
            f"{named.file} has no column {wanted!r}{hint}; its columns: {', '.join(columns)}",
        )
    unknown = [name for name in named.said.fields if name not in catalogue[named.role].fields]
    if unknown:
        accepted = ", ".join(catalogue[named.role].fields)
        raise ConfigurationError(
            project.path or "site.toml",
            f"layers.{named.role}.fields.{unknown[0]}",
            f"the role has no such field; accepted: {accepted}",
        )
    choice = RoleChoice(named.role, "named in site.toml", True, match.field_map)
    return _member(read, choice, named.said, project, catalogue)


def _member(
    read: Read,
    choice: RoleChoice,
    said: LayerPath | None,
    project: Project,
    catalogue: Catalogue,
) -> Member:
    provenance = read.provenance
    if choice.role is None:
        return Member(Layer(None, read.frame, provenance, choice), None)
    spec = catalogue[choice.role]
    geometries = read.frame.geometry.to_numpy()
    made = canonical_columns(
        read.frame, geometries, spec, choice.field_map, _stated_unit(said, project)
    )
    _type_by_name(read, spec, choice, made)
    notes: list[Oddity] = [*provenance.oddities, *made.oddities]
    for name, claims in map_fields(_user_columns(read), spec).collisions.items():
        if name not in choice.field_map:
            words = f"{' and '.join(claims)} both look like {name}; neither is used"
            notes.append(odd("field_names_collide", f"{words}. Say fields.{name} in site.toml"))
    layer = Layer(spec, read.frame, replace(provenance, oddities=tuple(notes)), choice, made.units)
    return Member(layer, made.columns)


def _type_by_name(read: Read, spec: LayerSpec, choice: RoleChoice, made: Canonical) -> None:
    """silt_fence.shp without a type column: all its features are silt fence."""
    if "type" not in spec.fields or "type" in choice.field_map or not spec.types:
        return
    kind = type_in_name(read.provenance.file, read.provenance.layer, spec)
    if kind is not None:
        made.columns["type"][:] = kind
        made.units["type"] = f"{kind}, from the file's name"


def _stated_unit(said: LayerPath | None, project: Project) -> StatedUnit | None:
    where = project.path or "site.toml"
    if said is not None and said.unit is not None:
        return StatedUnit(_length_unit(said.unit, where, "layers unit"), "site.toml")
    if project.map.vertical_unit is not None:
        unit = _length_unit(project.map.vertical_unit, where, "map.vertical_unit")
        return StatedUnit(unit, "site.toml [map]")
    return None


def _length_unit(text: str, where: Path | str, key: str) -> LengthUnit:
    try:
        return LengthUnit.parse(text)
    except ValueError as error:
        raise ConfigurationError(where, key, str(error)) from None


def _raster_with_role(raster: Raster, opened: Opened, catalogue: Catalogue) -> Raster:
    file, layer = raster.provenance.file, raster.provenance.layer
    named = named_for(opened.named, file, layer, False)
    if named:
        said = named[0].said
        choice = RoleChoice(named[0].role, "named in site.toml", True)
        if said.unit is not None:
            unit = _length_unit(said.unit, opened.project.path or "site.toml", "layers unit")
            stated = tuple(
                o for o in raster.provenance.oddities if o.kind != "vertical_unit_unstated"
            )
            provenance = replace(raster.provenance, oddities=stated)
            raster = replace(raster, vertical_unit=unit.symbol, provenance=provenance)
    elif opened.project.layers:
        choice = RoleChoice(None, "site.toml does not name it")
    elif any(o.kind == "raster_is_picture" for o in raster.provenance.oddities):
        choice = RoleChoice(None, "a picture, not heights")
    else:
        choice = choose_role(file, layer, (), ("raster",), catalogue)
    return replace(raster, choice=choice)


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
    return tuple(sorted(paths))


def _files(found: Found) -> tuple[Entry, ...]:
    return found.main.parts if isinstance(found.main, GdbFolder) else found.entries
