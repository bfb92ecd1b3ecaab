"""Which role each dataset serves, by site.toml or by inference, and its canonical columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely

from sitemap.catalogue import Catalogue, LayerSpec
from sitemap.errors import ConfigurationError
from sitemap.intake.canonical import Canonical, canonical_columns
from sitemap.intake.conversion import StatedUnit
from sitemap.intake.formats import CAD, DRAWINGS, KML, LANDXML
from sitemap.intake.geometry_detective import geometry_kinds
from sitemap.intake.kinds_fitting import listed
from sitemap.intake.landxml import HEIGHT_UNIT
from sitemap.intake.merge import Member
from sitemap.intake.named import Named, Opened, named_for
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.role_names import DRAWN_ASIDE
from sitemap.intake.roles import FieldMatch, choose_role, map_fields, type_in_name
from sitemap.intake.vector import Read
from sitemap.layer import CONDITION, GONE, Layer, Oddity, Raster, RoleChoice
from sitemap.project import LayerPath, Project
from sitemap.units import LengthUnit

_GIS = 0  # the rank of what is no drawing
_NAMED_TYPES = ("type", "kind")  # fields whose value a name may state for all features


def members_of(
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
    if read.said is not None:
        spec = catalogue[read.said.role] if read.said.role else None
        fields = map_fields(_user_columns(read), spec).field_map if spec is not None else {}
        return replace(read.said, field_map=fields)
    if provenance.driver == CAD and (group := DRAWN_ASIDE.search(provenance.layer)):
        words = f"the National CAD Standard keeps texts and patterns on -{group[1]}, no features"
        return RoleChoice(None, words)
    return choose_role(
        provenance.file,
        provenance.layer,
        _user_columns(read),
        _kinds(read),
        catalogue,
        read.frame,
    )


def _kinds(read: Read) -> tuple[str, ...]:
    """The kinds of geometry; triangles with heights in a drawing are a surface."""
    shapes = read.frame.geometry.to_numpy()
    if read.provenance.driver == CAD and len(shapes):
        corners = shapely.get_num_coordinates(shapes) == 4
        if (corners & (shapely.get_dimensions(shapes) == 2) & shapely.has_z(shapes)).all():
            return ("tin",)
    return geometry_kinds(shapes)


def kinds_taken(opened: Opened, catalogue: Catalogue) -> Callable[[str, str], Sequence[str] | None]:
    """Of a layer of a drawing, by file and name: the kinds that its role, or type, takes."""

    def taken(file: str, layer: str) -> Sequence[str] | None:
        named = named_for(opened.named, file, layer, True)
        role = named[0].role if named else None
        if role is None and not opened.project.layers and not DRAWN_ASIDE.search(layer):
            role = choose_role(file, layer, (), (), catalogue).role
        if role is None or role not in catalogue:
            return None
        spec = catalogue[role]
        kind = type_in_name(file, layer, spec) if spec.types else None
        own = spec.types[kind].geometry if kind is not None else ()
        return own or tuple("polygon" if one == "tin" else one for one in spec.geometry)

    return taken


def drawings_give_way(members: list[Member], rasters: Sequence[Raster]) -> list[Member]:
    """Drawings serve no role that a GIS file serves, unless site.toml names them; CAD layers and
    folders none that LandXML serves, which says more: inverts, faces.

    The drawing from which a submission was exported often comes with it: what it shows again
    would count twice.
    """
    others: list[Layer | Raster] = [*(member.layer for member in members), *rasters]
    served: dict[str | None, tuple[int, str]] = {}
    for one in others:
        if one.role is not None:
            own = _rank(one), one.provenance.file
            served[one.role] = min(own, served.get(one.role, own), key=lambda pair: pair[0])

    def settled(member: Member) -> Member:
        layer, choice = member.layer, member.layer.choice
        rank, file = served.get(layer.role, (_GIS, ""))
        if choice.named or layer.role is None or _rank(layer) <= rank:
            return member
        words = f"{choice.reason}; but {file} serves {layer.role}, and it counts"
        what = DRAWINGS[layer.provenance.driver]
        away = RoleChoice(None, f"{words}. Name the {what} in site.toml if it is meant")
        return Member(Layer(None, layer.frame, layer.provenance, away, unbuilt=layer.unbuilt), None)

    return [settled(member) for member in members]


def _rank(one: Layer | Raster) -> int:
    """The lower, the more it counts. A surface of LandXML is no drawing, and is a design's ground
    beside a raster of today's.
    """
    driver = one.provenance.driver
    if driver not in DRAWINGS or (driver == LANDXML and one.role == "elevation"):
        return _GIS
    return 1 if driver == LANDXML else 2


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
    plain = None if named.said.fields else match
    return _member(read, choice, named.said, project, catalogue, plain)


def _member(
    read: Read,
    choice: RoleChoice,
    said: LayerPath | None,
    project: Project,
    catalogue: Catalogue,
    match: FieldMatch | None = None,
) -> Member:
    """The layer in its role; match is what its columns are by themselves, where that is known."""
    provenance = read.provenance
    if choice.role is None:
        return Member(Layer(None, read.frame, provenance, choice, unbuilt=read.unbuilt), None)
    spec = catalogue[choice.role]
    geometries = read.frame.geometry.to_numpy()
    made = canonical_columns(
        read.frame, geometries, spec, choice.field_map, _stated_unit(read, said, project)
    )
    _type_by_name(read, spec, choice, made)
    notes: list[Oddity] = [*provenance.oddities, *made.oddities, *_gone(read, choice, made)]
    match = match or map_fields(_user_columns(read), spec)
    for name, claims in match.collisions.items():
        if name not in choice.field_map:
            words = f"{' and '.join(claims)} both look like {name}; neither is used"
            notes.append(odd("field_names_collide", f"{words}. Say fields.{name} in site.toml"))
    told = replace(provenance, oddities=tuple(notes))
    layer = Layer(spec, read.frame, told, choice, made.units, read.unbuilt)
    return Member(layer, made.columns)


def _gone(read: Read, choice: RoleChoice, made: Canonical) -> list[Oddity]:
    """Features that the data themselves call abandoned or removed: they are on file, not there."""
    conditions = made.columns.get(CONDITION)
    gone = conditions == GONE if conditions is not None else np.zeros(0, dtype=bool)
    if not gone.any():
        return []
    column = choice.field_map[CONDITION]
    said = Counter(read.frame[column].to_numpy()[gone].astype(str).tolist())
    words = f"{count_of(int(gone.sum()), 'feature')} of {len(gone):,} by field {column}"
    return [odd("features_gone", f"{words}, {listed(said)}: neither judged nor drawn")]


def _type_by_name(read: Read, spec: LayerSpec, choice: RoleChoice, made: Canonical) -> None:
    """silt_fence.shp without a type column: all its features are silt fence.

    Subtypes of a floodplain and covers are left: a file of floods or fields holds several.
    """
    field = spec.type_field
    if field not in _NAMED_TYPES or field not in spec.fields or field in choice.field_map:
        return
    kind = type_in_name(read.provenance.file, read.provenance.layer, spec)
    if kind is not None:
        made.columns[field][:] = kind
        whose = {CAD: "layer", LANDXML: "layer", KML: "folder"}.get(read.provenance.driver, "file")
        made.units[field] = f"{kind}, from the {whose}'s name"


def _stated_unit(read: Read, said: LayerPath | None, project: Project) -> StatedUnit | None:
    own = read.frame[HEIGHT_UNIT].iloc[0] if read.provenance.driver == LANDXML else None
    if own is not None:
        return StatedUnit(LengthUnit.parse(str(own)), "the LandXML file")
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


def _picture_choice(file: str, layer: str, catalogue: Catalogue) -> RoleChoice:
    """An aerial image by its name; never heights, whatever the name says."""
    choice = choose_role(file, layer, (), ("raster",), catalogue)
    if choice.role is not None and catalogue[choice.role].pictures:
        return choice
    return RoleChoice(None, "a picture, not heights")


def raster_with_role(raster: Raster, opened: Opened, catalogue: Catalogue) -> Raster:
    """The raster with its role, and the unit of heights that site.toml states for it."""
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
        choice = _picture_choice(file, layer, catalogue)
    else:
        choice = choose_role(file, layer, (), ("raster",), catalogue)
    return replace(raster, choice=choice)
