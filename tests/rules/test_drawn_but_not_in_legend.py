"""PLT003: the legend explains what is drawn, and only that."""

from __future__ import annotations

from dataclasses import replace

from sitemap.measured_plate import MeasuredPlate
from sitemap.measures.legend_words import LegendWords, SymbolKey
from sitemap.rules.drawn_but_not_in_legend import drawn_but_not_in_legend as rule
from sitemap.rules.rule import Checked, NotApplicable
from tests.clean_site import (
    clean_site,
    faults_of,
    passes,
    run,
    set_value,
    the_catalogue,
    without,
)
from tests.measured_plates import clean_plate

NO_CASE = {
    "skipped": "a plate whose marks cannot be told apart is not applicable",
    "just_over": "an entry is there or it is not",
}


def with_legend(*lines: str | None, without_words: str = "", drop_layer: str = "") -> MeasuredPlate:
    """The clean plate with lines added, and one entry or one layer taken away."""
    plate = clean_plate()
    page = plate.pages[0]
    joined = "\n".join(page.legend or ()).replace(without_words or "\0", "?")
    kept = tuple(layer for layer in page.drawn_layers if layer != drop_layer)
    legend = (*joined.split("\n"), *(line for line in lines if line))
    return replace(plate, layers=kept, pages=(replace(page, legend=legend, drawn_layers=kept),))


def test_passes_with_entries_that_run_over_two_lines() -> None:
    assert passes(rule, clean_site(), clean_plate())
    (checked,) = run(rule, clean_site(), clean_plate())
    assert isinstance(checked, Checked)
    assert "Discharge to surface" in (clean_plate().pages[0].legend or ())


def test_found_a_role_without_entry() -> None:
    (fault,) = faults_of(rule, clean_site(), with_legend(without_words="Site boundary"))
    assert fault.message == (
        '"Site boundary" of the layer "Site boundary" is drawn, and the legend does not explain it'
    )
    assert fault.role == "boundary"


def test_found_a_type_without_entry() -> None:
    (fault,) = faults_of(rule, clean_site(), with_legend(without_words="Silt fence (1056)"))
    assert '"Silt fence (1056)" of the layer "Erosion and sediment controls"' in fault.message


def test_found_an_entry_of_a_type_that_nothing_has() -> None:
    (fault,) = faults_of(rule, clean_site(), with_legend("Sediment bale barrier (1055)"))
    assert fault.message == (
        'the legend explains "Sediment bale barrier (1055)", and nothing of it is drawn'
    )
    assert fault.role == "controls"


def test_found_an_entry_of_a_role_that_is_not_on_the_page() -> None:
    faults = faults_of(
        rule, without(clean_site(), "streams"), with_legend(drop_layer=title("streams"))
    )
    assert [f.message for f in faults] == [
        'the legend explains "Stream, direction of flow", and nothing of it is drawn'
    ]


def title(role: str) -> str:
    return the_catalogue()[role].title


def test_found_no_legend_at_all() -> None:
    plate = clean_plate()
    bare = replace(plate, pages=(replace(plate.pages[0], legend=None),))
    (fault,) = faults_of(rule, clean_site(), bare)
    assert fault.message == "the plate has no legend"


def test_at_the_limit_capitals_and_punctuation_do_not_count() -> None:
    plate = with_legend("SITE BOUNDARY:", without_words="Site boundary")
    assert passes(rule, clean_site(), plate)


def test_at_the_limit_words_of_the_office_are_passed_over() -> None:
    assert passes(rule, clean_site(), with_legend("Proposed lot line", "PL"))


def test_a_value_outside_the_vocabulary_wears_the_symbol_of_the_role() -> None:
    site = set_value(clean_site(), "vegetation", 0, "cover", "moss")
    words = the_catalogue()["vegetation"].legend
    messages = [f.message for f in faults_of(rule, site, clean_plate())]
    assert messages[0].startswith(f'"{words}" of the layer "{title("vegetation")}" is drawn')


def ungrounded(plate: MeasuredPlate) -> MeasuredPlate:
    """The plate as printed by a program that keeps no georeference: measured by its bar."""
    page = plate.pages[0]
    frames = tuple(replace(f, ground_ft=None, how="graphic bar") for f in page.frames)
    return replace(plate, pages=(replace(page, frames=frames),))


def test_without_a_georeference_a_type_in_the_legend_explains_its_role() -> None:
    """Which controls are on the page cannot be told; that no legend names any still can."""
    assert passes(rule, clean_site(), ungrounded(clean_plate()))
    bare = ungrounded(with_legend(without_words="Site boundary"))
    (fault,) = faults_of(rule, clean_site(), bare)
    assert fault.role == "boundary"


def test_not_applicable_without_a_plate_or_without_layers_of_these_names() -> None:
    assert isinstance(run(rule, clean_site())[0], NotApplicable)
    plate = clean_plate()
    page = plate.pages[0]
    foreign = replace(plate, layers=("C-EROS",), pages=(replace(page, drawn_layers=("C-EROS",)),))
    (said,) = run(rule, clean_site(), foreign)
    assert isinstance(said, NotApplicable)
    assert "C-EROS" in said.why
    flat = replace(plate, layers=(), pages=(replace(page, drawn_layers=()),))
    assert "has no layers" in run(rule, clean_site(), flat)[0].why  # type: ignore[union-attr]


def test_one_text_may_stand_for_symbols_of_two_roles() -> None:
    """Mulching is a control and a stabilization."""
    ((text, symbols),) = LegendWords(the_catalogue()).entries(["Mulching", "(1058)"])
    assert text == "Mulching (1058)"
    assert {SymbolKey("controls", "MU"), SymbolKey("stabilization", "MU")} <= symbols


def test_the_longest_entry_counts() -> None:
    entries = LegendWords(the_catalogue()).entries(["Flow after grading,", "slope in percent", "x"])
    assert [text for text, _ in entries] == ["Flow after grading, slope in percent"]
