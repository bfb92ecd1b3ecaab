"""GRD003: each cell has a name of its own, where the reader looks for it."""

from __future__ import annotations

import pytest

from sitemap.rules.labels_broken import labels_broken as rule
from sitemap.rules.rule import Ask, NotApplicable
from sitemap.site import Site
from tests.clean_site import (
    clean_site,
    faults_of,
    line,
    passes,
    replace_features,
    run,
    set_value,
    with_layer,
    without,
)
from tests.measured_plates import LETTERS, NUMBERS, clean_plate, frame_of, marks_across, plate_of

NO_CASE = {
    "at_the_limit": "a label is right or not",
    "just_over": "a label is right or not",
    "skipped": "a grid that is there can always be looked at, or a person is asked",
}
GRIDLESS = without(clean_site(), "grid")


def relabelled(change) -> Site:
    """The clean grid's labels (A1 to K8) made by change(letters, number)."""

    def apply(frame):
        frame["label"] = [change(text[0], int(text[1:])) for text in frame["label"]]
        return frame

    return replace_features(clean_site(), "grid", apply)


def test_passes_letters_across_and_numbers_down() -> None:
    assert passes(rule, clean_site())


@pytest.mark.parametrize(
    "change",
    [
        lambda c, n: f"{n}{c}",
        lambda c, n: f"{c}-{n}",
        lambda c, n: f"{c.lower()} {n}",
        lambda c, n: f"{c}{9 - n}",
        lambda c, n: f"{chr(64 + n)}{ord(c) - 64 - (c > 'I')}",
        lambda c, n: f"{'ABCDEFGHIJ'['ABCDEFGHJK'.index(c)]}{n}",
    ],
    ids=["4C", "C-4", "c 4", "numbers rise", "letters down", "with the letter I"],
)
def test_passes_an_equivalent_lettering(change) -> None:
    assert passes(rule, relabelled(change))


def test_found_one_label_on_two_cells() -> None:
    faults = faults_of(rule, set_value(clean_site(), "grid", 5, "label", "A1"))
    assert faults[0].message == "2 cells are called A1"
    assert (faults[0].source.feature, faults[0].related[0].feature) == (0, 5)


def test_found_a_cell_without_a_label() -> None:
    (fault,) = faults_of(rule, set_value(clean_site(), "grid", 5, "label", None))
    assert fault.message == "1 cell has no label"
    assert fault.source.feature == 5


def test_found_labels_that_are_numbers_only() -> None:
    faults = faults_of(rule, relabelled(lambda c, n: str((ord(c) - 64) * 100 + n)))
    assert [f.message[:38] for f in faults] == ["labels are not letters with a number: "]


def test_found_two_columns_exchanged() -> None:
    swap = {"C": "D", "D": "C"}
    (fault,) = faults_of(rule, relabelled(lambda c, n: f"{swap.get(c, c)}{n}"))
    assert fault.message == "labels are not in order across: B is followed by D"


def test_found_one_cell_in_the_wrong_column() -> None:
    faults = faults_of(rule, set_value(clean_site(), "grid", 2, "label", "Z1"))
    assert [f.message for f in faults] == ["column C holds labels with Z"]
    assert faults[0].source.feature == 2


def test_found_no_label_at_all() -> None:
    (fault,) = faults_of(rule, relabelled(lambda c, n: None))
    assert fault.message == "no cell has a label"


def test_found_on_a_plate() -> None:
    plate = plate_of(frame_of(), columns=marks_across(["A", "B", "D", "C", *LETTERS[4:]]))
    faults = faults_of(rule, GRIDLESS, plate)
    assert [f.message for f in faults] == [
        "page 1: top edge: B is followed by D",
        "page 1: bottom edge: B is followed by D",
    ]
    assert passes(rule, GRIDLESS, clean_plate())


def test_found_numbers_on_all_four_edges_of_a_plate() -> None:
    numbers = marks_across([*NUMBERS, "10", "11"])
    (fault,) = faults_of(rule, GRIDLESS, plate_of(frame_of(), columns=numbers))
    assert "both numbers" in fault.message


def test_a_grid_of_lines_needs_a_person() -> None:
    across = [line((x, 0), (x, 600)) for x in (0, 400, 800)]
    down = [line((0, y), (800, y)) for y in (0, 300, 600)]
    (ask,) = run(rule, with_layer(clean_site(), "grid", {"geometry": across + down}))
    assert isinstance(ask, Ask)
    assert "4 cells" in ask.question


def test_not_applicable_without_a_grid() -> None:
    (said,) = run(rule, GRIDLESS)
    assert isinstance(said, NotApplicable)
