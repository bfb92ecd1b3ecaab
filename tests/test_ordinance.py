"""The packs say what the law says; a town overrides without code; the linter sees what is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sitemap.errors import ConfigurationError
from sitemap.ordinance import (
    PACKS,
    Clause,
    LimitSpec,
    Ordinance,
    RuleSetting,
    lint_ordinance,
    load_ordinance,
    ordinance_names,
)
from sitemap.units import Area, AreaUnit, Length, LengthUnit, MapScale

PROMISED = {
    "map", "scale", "contours", *"abcdefghij", *(f"3{i}" for i in "abcdefgh"),
    *(f"5{i}" for i in "abcdefghijkl"), "6", *(f"9c1{i}" for i in "abcdefghi"), "9c2a", "9c3c",
    "9c4",
}  # fmt: skip


@pytest.fixture(scope="module")
def muskego() -> Ordinance:
    return load_ordinance("muskego")


@pytest.fixture(scope="module")
def state() -> Ordinance:
    return load_ordinance("wi-nr152-appa")


@pytest.fixture(scope="module")
def chapter_162(root: Path) -> str:
    path = root.parent / "shared" / "ordinance" / "muskego-chapter-162.txt"
    if not path.is_file():
        pytest.skip("the text of the ordinance is not beside this checkout")
    return " ".join(path.read_text(encoding="utf-8").split())


def test_every_clause_of_muskego_has_the_exact_words_of_the_chapter(
    muskego: Ordinance, chapter_162: str
) -> None:
    wrong = [clause.id for clause in muskego.clauses if clause.text not in chapter_162]
    assert wrong == []


def test_muskego_changes_only_what_differs_from_the_state(state: Ordinance) -> None:
    raw = tomllib.loads((PACKS / "muskego.toml").read_text(encoding="utf-8"))
    for clause in raw["clauses"]:
        assert set(clause) <= {"id", "citation", "text", "text_seen"}, clause["id"]
        if "text" in clause:
            assert " ".join(clause["text"].split()) != state.by_id[clause["id"]].text


@pytest.mark.parametrize("name", ["muskego", "wi-nr152-appa"])
def test_packs_have_every_clause_once(name: str) -> None:
    ids = [clause.id for clause in load_ordinance(name).clauses]
    assert set(ids) >= PROMISED
    assert len(ids) == len(set(ids))


def test_the_matrix_begins_with_scale_contours_and_the_items(muskego: Ordinance) -> None:
    on_map = [clause.id for clause in muskego.clauses if clause.on_map]
    assert on_map == ["scale", "contours", *"abcdefghij", "map"]


def test_citations_follow_the_numbering_of_each_law(muskego: Ordinance, state: Ordinance) -> None:
    """Items 1 to 10 of the state are (a) to (j) of the City (regulation.md section 1.1)."""
    for number, letter in enumerate("abcdefghij", start=1):
        assert state.by_id[letter].citation == f"NR 152 App. A S.10*(2)(d){number}."
        assert muskego.by_id[letter].citation == f"§ 162-11B(4)({letter})"
    assert muskego.by_id["9c3c"].citation == "§ 162-9C(3)(c)"
    assert all(clause.citation.startswith("§ 162-") for clause in muskego.clauses)
    assert all(clause.citation.startswith("NR 152 App. A S.") for clause in state.clauses)


def test_the_states_own_words_do_not_name_the_city(state: Ordinance) -> None:
    assert not [c.id for c in state.clauses if "162" in c.text or "City" in c.text]


def test_limits_are_typed_as_the_law_counts(muskego: Ordinance) -> None:
    limits = {name: limit.typed for name, limit in muskego.limits.items()}
    assert limits["max_scale"] == MapScale(100)
    assert limits["max_contour_interval"] == Length(5, LengthUnit.FOOT)
    assert limits["discharge_distance"] == Length(1320, LengthUnit.FOOT)  # a quarter mile
    assert limits["acres_tolerance"] == Area(0.01, AreaUnit.ACRE)
    assert limits["steep_slope"] == 20
    assert limits["soil_loss"] == 5
    assert limits["delineation_years"] == 5


def test_numbers_that_the_text_does_not_give_say_how_they_are_read(muskego: Ordinance) -> None:
    for name in ("adjacent_distance", "delineation_years"):
        assert muskego.limits[name].reading


def test_local_facts_stand_in_the_towns_pack(muskego: Ordinance, state: Ordinance) -> None:
    assert muskego.default_crs == "EPSG:6609"
    assert state.default_crs is None
    assert len(muskego.readings) > len(state.readings)


def test_the_digest_names_the_law(muskego: Ordinance, state: Ordinance) -> None:
    assert muskego.digest == load_ordinance("muskego").digest != state.digest


def test_base_packs_are_listed_first() -> None:
    assert ordinance_names()[0] == "wi-nr152-appa"
    assert "muskego" in ordinance_names()


# ------------------------------------------------------------------------- a town's own file


HEAD = """
id = "elsewhere"
title = "Chapter 9"
jurisdiction = "Village of Elsewhere"
source = "its code"
version = "1"
based_on = "wi-nr152-appa"
"""


def town(folder: Path, text: str, name: str = "elsewhere.toml") -> str:
    path = folder / name
    path.write_text(HEAD + text, encoding="utf-8")
    return str(path)


def test_a_town_changes_one_number_and_keeps_the_rest(tmp_path: Path, state: Ordinance) -> None:
    changed = load_ordinance(
        town(tmp_path, '[[clauses]]\nid = "contours"\nlimits.max_contour_interval.value = 2\n')
    )
    limit = changed.limits["max_contour_interval"]
    assert (limit.value, limit.unit) == (2, "ft")
    assert changed.by_id["contours"].text == state.by_id["contours"].text
    assert changed.based_on == "wi-nr152-appa"
    assert [c.id for c in changed.clauses] == [c.id for c in state.clauses]


def test_a_town_adds_a_clause_and_leaves_one_out(tmp_path: Path) -> None:
    text = """
omit = ["i"]
[[clauses]]
id = "k"
added = true
title = "North arrow"
citation = "§ 9(k)"
text = "A north arrow."
person = "Is there a north arrow?"
"""
    pack = load_ordinance(town(tmp_path, text))
    assert "i" not in pack.by_id
    assert pack.by_id["k"].label == "(k)"


def test_a_town_may_stand_on_another_town(tmp_path: Path) -> None:
    town(tmp_path, "tolerances.sliver_width.value = 1.5\n", "first.toml")
    second = tmp_path / "second.toml"
    second.write_text(HEAD.replace("wi-nr152-appa", "first.toml"), encoding="utf-8")
    assert load_ordinance(str(second)).tolerances["sliver_width"].value == 1.5


def test_a_file_saved_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbf" + HEAD.encode())
    assert load_ordinance(str(path)).id == "elsewhere"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[clauses]]\nid = "3x"\ncitation = "§"\n', "'3x' is not a clause of wi-nr152-appa"),
        ('omit = ["contour"]\n', "did you mean contours"),
        (
            '[[clauses]]\nid = "h"\nverb = "must"\n',
            "clauses.h.verb: found 'must'; accepted: 'shall'",
        ),
        (
            '[[clauses]]\nid = "scale"\nlimits.max_scale.valu = 50\n',
            "clauses.scale.limits.max_scale.valu: there is no such key (did you mean value?)",
        ),
        ("[[clauses\n", "is not valid TOML"),
        ('colour = "red"\n', "colour"),
    ],
)
def test_a_broken_pack_names_file_and_key(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=r"elsewhere\.toml") as error:
        load_ordinance(town(tmp_path, text))
    assert words in str(error.value)


def test_packs_in_a_circle_are_refused(tmp_path: Path) -> None:
    for name, base in (("a.toml", "b.toml"), ("b.toml", "a.toml")):
        (tmp_path / name).write_text(HEAD.replace("wi-nr152-appa", base), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="circle"):
        load_ordinance(str(tmp_path / "a.toml"))


def test_an_unknown_pack_says_which_are_known() -> None:
    with pytest.raises(ConfigurationError, match="wi-nr152-appa, epa-cgp-2022"):
        load_ordinance("milwaukee")


# ----------------------------------------------------------------------------------- linter


def small(*clauses: Clause, **more: object) -> Ordinance:
    tolerances = {"width": LimitSpec(value=1, unit="ft")}
    given = {"id": "p", "title": "t", "jurisdiction": "j", "source": "s", "version": "1"}
    return Ordinance.model_validate({**given, "clauses": clauses, "tolerances": tolerances, **more})


def line(**more: object) -> Clause:
    given = {"id": "a", "title": "t", "citation": "c", "text": "w", "rules": ("SUB001",)}
    return Clause.model_validate({**given, **more})


FOOT = LimitSpec(value=1, unit="ft")


@pytest.mark.parametrize(
    ("pack", "words"),
    [
        (small(line(rules=("SUB001", "XYZ999"))), "clause a: unknown rule 'XYZ999'"),
        (small(line(), line(id="b", rules=())), "clause b: neither a rule nor words for a person"),
        (small(line(limits={"x": LimitSpec(value=1, unit=" ")})), "limit x has no unit"),
        (small(line(limits={"x": LimitSpec(value=1, unit="furlong")})), "unknown unit 'furlong'"),
        (small(line(limits={"width": FOOT})), "limit width stands already in tolerances"),
        (small(line(limits={"site": FOOT})), "limit name 'site' cannot be the argument"),
        (small(line(roles=("moat",))), "clause a: unknown role 'moat'"),
        (small(line(), line()), "clause a: stands twice"),
        (small(line(rules=(), person="look")), "rule SUB001: no clause names it"),
        (small(line(), rules={"XYZ999": RuleSetting()}), "rules: unknown rule 'XYZ999'"),
        (small(line(decided_by=("CON001",))), "decided_by names 'CON001'"),
        (small(line(person_always=True)), "person_always without words"),
        (small(line(text=" ")), "text or citation is empty"),
    ],
)
def test_the_linter_says_what_is_wrong(pack: Ordinance, words: str) -> None:
    found = lint_ordinance(pack, ["SUB001"], ["wetlands"])
    assert len(found) == 1
    assert found[0].startswith("p: ")
    assert words in found[0]


def test_a_sound_pack_has_nothing_to_say() -> None:
    assert lint_ordinance(small(line(limits={"x": FOOT})), ["SUB001"], ["wetlands"]) == []
