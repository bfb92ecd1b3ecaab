"""Columns of the user that no field of a role stands for, row by row, compared as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from sitemap.column_names import is_id_like, same_name
from sitemap.layer import SOURCE_FID, Layer
from sitemap.review.records import keys_of, word_of
from sitemap.site import RoleLayer

Own = Mapping[str, np.ndarray]  # the user's name of a column -> words (N), in the order of usable
_SAME = {"true": "1", "false": "0"}  # a shapefile keeps them as numbers


def own_columns(layer: RoleLayer | None) -> Own:
    """The columns of a layer's datasets that the check does not read, as words.

    Record numbers and the lengths and areas that programs keep up themselves are left out.
    """
    if layer is None:
        return {}
    read = set(map(str, layer.usable.columns))
    named = [(member, names) for member in layer.members if (names := _names(member, read))]
    if not named:
        return {}
    keys = keys_of(layer.usable)
    found: dict[str, np.ndarray] = {}
    for member, names in named:
        file, table = member.provenance.file, member.provenance.layer
        at = {fid: row for row, (f, la, fid) in enumerate(keys) if f == file and la in (table, "")}
        records = member.frame[SOURCE_FID].tolist()
        for name in names:
            column = found.setdefault(name, np.full(len(keys), "", dtype=object))
            for fid, value in zip(records, member.frame[name].tolist(), strict=True):
                if fid in at:
                    column[at[fid]] = word_of(value)
    return found


def _names(member: Layer, fields: set[str]) -> list[str]:
    behind = member.choice.field_map
    # a column named like a field is the field, but where site.toml takes that from another one
    own = {name for name in fields if behind.get(name, name) == name}
    read = {*own, *behind.values(), SOURCE_FID, member.frame.geometry.name}
    return [c for c in map(str, member.frame.columns) if c not in read and not is_id_like(c)]


class OwnColumns:
    """The columns of two submissions, brought together by name."""

    def __init__(self, old: Own, new: Own) -> None:
        """A name that a shapefile cut to ten characters is the same name."""
        self._old, self._new = old, new
        self._pairs: dict[str, str] = {}  # new -> old
        for name in new:
            close = [o for o in old if o == name] or [
                o for o in old if same_name(o, name) or same_name(name, o)
            ]
            if len(close) == 1 and close[0] not in self._pairs.values():
                self._pairs[name] = close[0]

    def changed(self, i: int, j: int) -> Iterator[tuple[str, str, str]]:
        """Name, old and new words of what differs in two records."""
        for new, old in self._pairs.items():
            was, now = str(self._old[old][i]), str(self._new[new][j])
            if _SAME.get(was.lower(), was) != _SAME.get(now.lower(), now):
                yield new, was, now

    @property
    def words(self) -> tuple[str, ...]:
        """'column notes is new', 'column size is gone'; columns without a word are not told."""
        paired = set(self._pairs.values())
        come = [n for n in self._new if n not in self._pairs and (self._new[n] != "").any()]
        gone = [n for n in self._old if n not in paired and (self._old[n] != "").any()]
        return (*(f"column {n} is new" for n in come), *(f"column {n} is gone" for n in gone))
