"""Which class of reference a dataset is, unasked: public schema, then names, then geometry."""

from __future__ import annotations

from functools import lru_cache

from sitemap.catalogue import Catalogue, layers_folder, load_catalogue
from sitemap.column_names import name_words
from sitemap.intake.fields import find_column, map_fields
from sitemap.intake.reference_store import Head, Wanted
from sitemap.intake.role_names import ANY_SHAPE, dataset_names, name_hits, says_contour
from sitemap.intake.roles import choose_role, named_role
from sitemap.layer import RoleChoice
from sitemap.reference import ROLES

_NOT_STRANGE = "zoning, lots or tax parcels"  # a reference may be just that


@lru_cache(maxsize=1)
def reference_catalogue() -> Catalogue:
    """The roles that a reference can serve: those of the map among them, and parcels."""
    whole = load_catalogue()
    parcels = load_catalogue(layers_folder() / "reference")
    return Catalogue(
        specs=tuple(spec for spec in (*whole.specs, *parcels.specs) if spec.role in ROLES),
        strangers=tuple(s for s in whole.strangers if s.name != _NOT_STRANGE),
    )


@lru_cache(maxsize=1)
def _every_role() -> Catalogue:
    """All roles of the map with parcels, so that a layer of another class is known as such."""
    mine = reference_catalogue()
    others = tuple(spec for spec in load_catalogue().specs if spec.role not in mine)
    return Catalogue(specs=(*mine.specs, *others), strangers=mine.strangers)


def reference_role(name: str, head: Head, wanted: Wanted) -> RoleChoice:
    """The role of one layer, why, and the columns behind its fields.

    name is the file as its owner knows it. Contours of a reference are those of the ground.
    """
    catalogue = reference_catalogue()
    if wanted.role is not None:
        return named_role(wanted.role, head.columns, catalogue, wanted.fields)
    if head.is_table:
        return RoleChoice(None, "a table without geometry")
    chosen = choose_role(name, head.layer, head.columns, head.kinds, _every_role())
    if chosen.role is None:
        return _contours(name, head) or chosen
    by_name = bool(name_hits(name, head.layer, _every_role(), ANY_SHAPE))
    if chosen.role not in catalogue:
        words = f"{chosen.role.replace('_', ' ')}: no class of reference"
        chosen = RoleChoice(None, f"{words} ({chosen.reason})")
    elif lacking := _lacking(chosen, catalogue):
        words = f"it has no column for {lacking}, without which it is no {chosen.role} layer"
        chosen = RoleChoice(None, words)
    elif not by_name and not schema_of(chosen.role or "", head.columns):
        words = "neither its name nor a public schema says a class of reference"
        chosen = RoleChoice(None, words)
    return chosen


def _lacking(chosen: RoleChoice, catalogue: Catalogue) -> str:
    """The first field that the role must have and that no column holds; empty where none lacks."""
    fields = catalogue[chosen.role or ""].fields
    return next((n for n, f in fields.items() if f.required and n not in chosen.field_map), "")


def _contours(name: str, head: Head) -> RoleChoice | None:
    """Contours that do not say of which ground: a reference shows the ground as it is."""
    spec = reference_catalogue()["contours_existing"]
    fields = map_fields(head.columns, spec).field_map
    if _are_contours(name, head) and "elevation" in fields:
        return RoleChoice(spec.role, "its name says contours", field_map=fields)
    return None


def _are_contours(name: str, head: Head) -> bool:
    names = dataset_names(name, head.layer)
    return "polygon" not in head.kinds and any(says_contour(name_words(n)) for _, n in names)


def schema_of(role: str, columns: tuple[str, ...]) -> str:
    """The public schema that the columns follow; empty where none."""
    if role not in reference_catalogue():
        return ""
    for schema in reference_catalogue()[role].schemas:
        if all(find_column(columns, wanted) is not None for wanted in schema.recognise):
            return schema.name
    return ""
