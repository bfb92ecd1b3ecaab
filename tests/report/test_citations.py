"""Citations joined as a person writes them."""

from __future__ import annotations

import pytest

from sitemap.report.citations import joined_citations


@pytest.mark.parametrize(
    ("one_by_one", "together"),
    [
        (["§ 1(3)(c)", "§ 1(3)(e)", "§ 1(3)(f)", "§ 1(3)(g)"], "§ 1(3)(c), (e) to (g)"),
        (["§ 1(5)(a)", "§ 1(5)(b)"], "§ 1(5)(a), (b)"),
        (["S.10*(2)(c)3.", "S.10*(2)(c)4.", "S.10*(2)(c)5."], "S.10*(2)(c)3. to 5."),
        (["§ 1(6)", "§ 2(a)"], "§ 1(6); § 2(a)"),
        ([], ""),
    ],
)
def test_citations_of_one_section_stand_together(one_by_one: list[str], together: str) -> None:
    assert joined_citations(one_by_one) == together
