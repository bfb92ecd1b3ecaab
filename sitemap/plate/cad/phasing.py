"""Phases of construction in CAD: a layer for each set of phases that features stand in.

Its last sign, the status of the National CAD Standard, is the number of the phase; a set of
several phases has the next free number, and the layer's description names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sitemap.measures.phases import Phases

SIGNS = "123456789BCGHIJKLOPQRSUVWYZ"  # those that mean no other status
PhaseSet = tuple[str, ...]  # names in their order; () stands throughout


@dataclass(eq=False)
class Phasing:
    """The phases of a site, and the layers that were made for sets of them."""

    phases: Phases | None
    _signs: dict[PhaseSet, str] = field(default_factory=dict)
    _layers: dict[str, PhaseSet] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.phases.names if self.phases is not None else ():
            self.sign((name,))

    def sign(self, names: PhaseSet) -> str:
        """The sign of a set of phases; "" for what stands throughout."""
        if not names:
            return ""
        if names not in self._signs:
            self._signs[names] = SIGNS[min(len(self._signs), len(SIGNS) - 1)]
        return self._signs[names]

    def split(self, role: str, rows: np.ndarray) -> Iterator[tuple[PhaseSet, np.ndarray]]:
        """Rows of a role by the phases in which they stand."""
        standing = self.phases.stands.get(role) if self.phases is not None else None
        if self.phases is None or standing is None:
            yield (), rows
            return
        sets, which = np.unique(standing[rows], axis=0, return_inverse=True)
        for number, stands in enumerate(sets):
            there = zip(self.phases.names, stands, strict=True)
            names = () if stands.all() else tuple(name for name, here in there if here)
            yield names, rows[which.ravel() == number]

    def keep(self, layer: str, names: PhaseSet) -> str:
        """Remember that a layer stands in some phases only."""
        if names:
            self._layers[layer] = names
        return layer

    def frozen(self, phase: str) -> list[str]:
        """The layers that a sheet of one phase does not show."""
        return [layer for layer, names in self._layers.items() if phase not in names]


def phase_words(legend: str, names: Sequence[str]) -> str:
    """A layer's description with its phases."""
    return f"{legend}; phase: {', '.join(names)}" if names else legend
