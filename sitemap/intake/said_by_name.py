"""What the names of folders and placemarks in a file say: thousands of them, each kind once."""

from __future__ import annotations

import re

from sitemap.catalogue import Catalogue
from sitemap.intake.role_names import ANY_SHAPE, name_hits
from sitemap.intake.roles import choose_role, type_in_name

_NUMBER = re.compile(r"\d+")


class SaidByName:
    """Answers by name. Names that differ only by numbers which no role speaks of are one."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._numbers = _numbers_said(catalogue)
        self._roles: dict[tuple[str, str], str | None] = {}
        self._kinds: dict[tuple[str, str, str], str | None] = {}

    def plain(self, name: str) -> str:
        """The name with each number that only counts things as 0: Silt fence 0, Lot 0."""
        return _NUMBER.sub(lambda hit: hit[0] if hit[0] in self._numbers else "0", name)

    def role(self, file: str, name: str) -> str | None:
        """The role that a name says; None where it says none, or two."""
        name = self.plain(name)
        if (file, name) not in self._roles:
            hits = name_hits(file, name, self._catalogue, ANY_SHAPE)
            by_own = any(hit.where == "layer name" for hit in hits)
            choice = choose_role(file, name, (), (), self._catalogue) if by_own else None
            self._roles[file, name] = choice.role if choice is not None else None
        return self._roles[file, name]

    def kind(self, file: str, name: str, role: str | None) -> str | None:
        """The type of a role with types (silt fence) that a name says."""
        spec = self._catalogue.by_role.get(role or "")
        if spec is None or not spec.types:
            return None
        key = file, self.plain(name), spec.role
        if key not in self._kinds:
            self._kinds[key] = type_in_name(file, key[1], spec)
        return self._kinds[key]


def _numbers_said(catalogue: Catalogue) -> frozenset[str]:
    """Numbers in the phrases of any role: the 100 of a 100-year floodplain."""
    phrases: list[str] = []
    for spec in catalogue.specs:
        phrases += [*spec.file_names, *spec.not_names]
        for key, kind in spec.types.items():
            phrases += [key, kind.name, *kind.aliases]
    for stranger in catalogue.strangers:
        phrases += stranger.file_names
    return frozenset(number for phrase in phrases for number in _NUMBER.findall(phrase))
