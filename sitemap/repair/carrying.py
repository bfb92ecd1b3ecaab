"""What a dataset is called in the copy, and what the copy's site.toml says of it."""

from __future__ import annotations

from sitemap.intake.formats import LANDXML
from sitemap.intake.landxml import HEIGHT_UNIT
from sitemap.layer import Layer
from sitemap.project import LayerPath


def unit_of(layer: Layer, said: LayerPath | None, converted: bool) -> str | None:
    """The unit of the heights of the copy: feet where they were stated, else unsaid as before."""
    if not converted or layer.role == "elevation":  # the Z of triangles is copied as it is
        if layer.provenance.driver == LANDXML:
            stated = layer.frame[HEIGHT_UNIT].dropna()
            if len(stated):
                return str(stated.iloc[0])
        return said.unit if said else None
    known = [words for name, words in layer.units.items() if name in ("elevation", "bfe")]
    if any(not words.startswith("not stated") for words in known):
        return "ftUS" if any(words.startswith("ftUS") for words in known) else "ft"
    return None


def free_name(layer: Layer, names: dict[str, str]) -> str:
    """The dataset's own name; with its role, then a number, where it is taken.

    A line before it where a GeoPackage takes no such name: one of its own, or a sign in front.
    """
    own = layer.provenance.layer.replace("\0", "").strip() or "layer"
    is_sign = own[0].isascii() and not own[0].isalnum()
    if is_sign or own.lower().startswith(("gpkg", "sqlite_", "rtree_")):
        own = own if own[0] == "_" else f"_{own}"
    wanted = [own, f"{own}_{layer.role or 'no_role'}"]
    wanted += [f"{own}_{number}" for number in range(2, len(names) + 3)]
    name = next(one for one in wanted if one.casefold() not in names)
    names[name.casefold()] = name
    return name
