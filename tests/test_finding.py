"""Measures and limits in words: one of a thing is one, and a unit that is a sign stays."""

from __future__ import annotations

import pytest

from sitemap.finding import Limit, Quantity


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Quantity(1, "features twice"), "1 feature twice"),
        (Quantity(2, "features twice"), "2 features twice"),
        (Quantity(1.0, "companion files missing"), "1 companion file missing"),
        (Quantity(1, "acres"), "1 acre"),
        (Quantity(1, "acres", 0.01), "1 ± 0.01 acres"),
        (Quantity(0.9999999, "acres"), "1 acre"),
        (Quantity(1, "times the length"), "1 times the length"),
        (Quantity(1, "ft/in"), "1 ft/in"),
        (Quantity(1, "feet"), "1 feet"),  # no rule counts in it: a word of a plug-in stays
        (Limit(1, "days"), "at most 1 day"),
        (Limit(1, "feature per id"), "at most 1 feature per id"),
        (Limit(14, "days", ">="), "at least 14 days"),
    ],
)
def test_numbers_in_words(said: Quantity | Limit, words: str) -> None:
    assert str(said) == words
