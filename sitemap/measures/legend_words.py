"""A plate's legend and layer names against the catalogue: which symbols they mean.

A symbol is a role with a type of its vocabulary, or with "" for the role itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import shapely

from sitemap.catalogue import Catalogue, LayerSpec
from sitemap.site import RoleLayer

MOST_LINES = 5  # of one entry
LEVELS_TYPES = ("contours_existing", "contours_proposed")  # their entries end in an interval
_NOT_WORDS = re.compile(r"[^\w%]+")


@dataclass(frozen=True, order=True)
class SymbolKey:
    """A role and a type of its vocabulary; type "" is the role itself."""

    role: str
    type: str = ""


def plain(words: str) -> str:
    """Small letters, digits and single blanks."""
    return _NOT_WORDS.sub(" ", words.lower()).strip()


def symbol_words(spec: LayerSpec, key: str) -> str:
    """What the legend says for a symbol."""
    entry = spec.types.get(key)
    return (entry.legend or entry.name) if entry is not None else spec.legend


class LegendWords:
    """The words of a catalogue, ready to be looked for."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._exact: dict[str, set[SymbolKey]] = {}
        self._begins: dict[str, SymbolKey] = {}
        self._titles: dict[str, str] = {}
        for spec in catalogue.specs:
            role = SymbolKey(spec.role)
            for words in (spec.legend, spec.title):
                self._exact.setdefault(plain(words), set()).add(role)
            self._titles.setdefault(plain(spec.title), spec.role)
            if spec.role in LEVELS_TYPES:
                self._begins[plain(spec.legend.split(",")[0])] = role
            for key, entry in spec.types.items():
                for words in filter(None, (entry.legend, entry.name)):
                    self._exact.setdefault(plain(words), set()).add(SymbolKey(spec.role, key))

    def role_of_layer(self, name: str) -> str | None:
        """The role whose title a layer of a PDF bears."""
        return self._titles.get(plain(name))

    def entries(self, lines: Sequence[str]) -> list[tuple[str, frozenset[SymbolKey]]]:
        """Entries of a legend that the catalogue knows, each with the symbols it may mean.

        An entry may run over several lines; lines that mean nothing here are passed over.
        """
        found = []
        start = 0
        while start < len(lines):
            count, symbols = self._longest(lines[start : start + MOST_LINES])
            if count:
                found.append((" ".join(lines[start : start + count]), symbols))
            start += max(count, 1)
        return found

    def _longest(self, lines: Sequence[str]) -> tuple[int, frozenset[SymbolKey]]:
        for count in range(len(lines), 0, -1):
            known = self._exact.get(plain(" ".join(lines[:count])))
            if known:
                return count, frozenset(known)
        first = plain(lines[0])
        for words, role in self._begins.items():
            if first.startswith(words):
                return 1, frozenset([role])
        return 0, frozenset()


def symbols_shown(
    spec: LayerSpec, layer: RoleLayer, frames: Iterable[shapely.Polygon]
) -> set[SymbolKey]:
    """The symbols of the features of a role whose points, lines or outlines lie in a frame.

    A value outside the vocabulary wears the symbol of the role.
    """
    usable = layer.usable
    shapes = shapely.force_2d(usable.geometry.to_numpy())
    areas = shapely.get_dimensions(shapes) == 2
    shapes = shapes.copy()
    shapes[areas] = shapely.boundary(shapes[areas])
    ground = shapely.union_all(list(frames))
    inside = shapely.intersects(shapes, ground)
    words: dict[str, str] = {}
    for key, entry in spec.types.items():
        for word in (key, entry.name, *entry.aliases):
            words.setdefault(plain(word), key)
    values = usable[spec.type_field] if spec.type_field in usable else [None] * len(usable)
    return {
        SymbolKey(spec.role, words.get(plain(str(value)), ""))
        for value, shown in zip(values, inside, strict=True)
        if shown
    }
