"""Citations as a person writes them: those of one section together, runs as (a) to (l)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

_LAST = re.compile(r"^(?P<stem>.*?)(?:\((?P<letter>[a-z])\)|(?P<number>\d+)\.)$")


def joined_citations(citations: Iterable[str]) -> str:
    """'§ 1(3)(c), (e) to (g); § 1(6)' from the citations one by one, in their order."""
    parts = []
    for stem, group in groupby((_split(c) for c in citations), key=lambda part: part[0]):
        ranks = [rank for _, rank in group if rank is not None]
        parts.append(stem + ", ".join(_runs(ranks)))
    return "; ".join(parts)


def _split(citation: str) -> tuple[str, tuple[int, bool] | None]:
    """The section, and the rank of its last item with whether that is a letter."""
    match = _LAST.match(citation)
    if match is None:
        return citation, None
    if match["letter"]:
        return match["stem"], (ord(match["letter"]), True)
    return match["stem"], (int(match["number"]), False)


def _runs(ranks: list[tuple[int, bool]]) -> list[str]:
    words: list[str] = []
    start = 0
    for end in range(1, len(ranks) + 1):
        goes_on = end < len(ranks) and ranks[end][0] == ranks[end - 1][0] + 1
        if goes_on:
            continue
        run = ranks[start:end]
        if len(run) > 2:
            words.append(f"{_item(run[0])} to {_item(run[-1])}")
        else:
            words += [_item(rank) for rank in run]
        start = end
    return words


def _item(rank: tuple[int, bool]) -> str:
    number, is_letter = rank
    return f"({chr(number)})" if is_letter else f"{number}."
