"""Phases of construction: in which of them each control stands.

A control stands from the phase that it names to the one its field `until` names, else to the
last; one that lists several stands in those alone; one that names none stands throughout.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sitemap.site import Site

INITIAL, INTERIM, FINAL = "initial", "interim", "final"
ALIASES = {
    INITIAL: r"pre-?\s?construction|initially|initial|first|clearing",
    INTERIM: r"intermediate|interim|during construction",
    FINAL: r"post-?\s?construction|finally|final|last",
}
ALL_WORDS = frozenset(("all", "all phases", "throughout", "every"))
_FILLER = re.compile(r"\b(?:phases?|ph|stages?|no|number)\b[.:#]?|#")
_LIST = re.compile(r"\s*(?:[,;/&+]|\band\b)\s*")
_RANGE = re.compile(r"\s*(?:[-–]|\bto\b|\bthrough\b|\bthru\b|\buntil\b)\s*")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

Rank = tuple[int, int, str]  # sorts phases
Span = tuple[Rank, Rank]


@dataclass(frozen=True, eq=False)
class Phases:
    """The phases of a site in their order, and for each role which of its usable features stand
    in which: shape (features, phases).
    """

    names: tuple[str, ...]
    stands: Mapping[str, np.ndarray]

    def words(self, role: str, row: int) -> str:
        """The numbers of the phases of a feature: "1-2", "1, 3", "all"."""
        standing = self.stands.get(role)
        if standing is None or standing[row].all():
            return "all"
        numbers = np.flatnonzero(standing[row]) + 1
        runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
        return ", ".join(f"{r[0]}" if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in runs)

    @property
    def key(self) -> str:
        """What the numbers mean: "1 initial, 2 interim, 3 final"."""
        if all(name == f"phase {i}" for i, name in enumerate(self.names, start=1)):
            return ", ".join(self.names)
        return ", ".join(f"{i} {name}" for i, name in enumerate(self.names, start=1))


def site_phases(site: Site) -> Phases | None:
    """The phases that the features of a site name; None where they name fewer than two."""
    said: dict[str, list[tuple[list[Span], list[Span]]]] = {}
    for role, layer in site.layers.items():
        frame = layer.usable
        if frame.empty or not {"phase", "until"} <= set(site.catalogue[role].fields):
            continue
        columns = [
            frame[name].tolist() if name in frame.columns else [None] * len(frame)
            for name in ("phase", "until")
        ]
        said[role] = [(_named(a), _named(b)) for a, b in zip(*columns, strict=True)]
    spans = [span for rows in said.values() for pair in rows for part in pair for span in part]
    known = sorted({rank for span in spans for rank in span})
    if len(known) < 2:
        return None
    stands = {
        role: np.array([_standing(first, last, known) for first, last in rows], dtype=bool)
        for role, rows in said.items()
    }
    return Phases(tuple(_title(rank) for rank in known), stands)


def _standing(first: list[Span], last: list[Span], known: list[Rank]) -> list[bool]:
    """Whether a feature stands in each of the phases."""
    alone = len(first) == 1 and first[0][0] == first[0][1]
    if first and not alone and not last:
        return [any(low <= rank <= high for low, high in first) for rank in known]
    start = min((low for low, _ in first), default=known[0])
    end = max((high for _, high in last), default=known[-1])
    return [start <= rank <= max(start, end) for rank in known]


def _named(value: object) -> list[Span]:
    """The phases that a value names, each as first and last of a range."""
    if value is None or value != value:  # noqa: PLR0124, not a number is not itself
        return []
    text = f"{value:g}" if isinstance(value, float) else str(value)
    text = " ".join(text.lower().replace("_", " ").split())
    if text in ALL_WORDS:
        return []
    for name, pattern in ALIASES.items():
        text = re.sub(rf"\b(?:{pattern})\b", name, text)
    text = " ".join(_FILLER.sub(" ", text).split())
    found: list[Span] = []
    for part in _LIST.split(text):
        ends = sorted(_rank(token) for token in _RANGE.split(part) if token.strip())
        if ends:
            found.append((ends[0], ends[-1]))
    return found


def _rank(token: str) -> Rank:
    """What sorts a phase: initial, those with a number, interim, others by name, final."""
    token = token.strip()
    if token in (INITIAL, INTERIM, FINAL):
        return {INITIAL: 0, INTERIM: 2, FINAL: 4}[token], 0, token
    if re.fullmatch(r"\d{1,3}", token):
        return 1, int(token), ""
    if token in _ROMAN:
        return 1, _ROMAN.index(token) + 1, ""
    if re.fullmatch(r"[a-z]", token):
        return 1, ord(token) - ord("a") + 1, ""
    return 3, 0, token


def _title(rank: Rank) -> str:
    return f"phase {rank[1]}" if rank[0] == 1 else rank[2]
