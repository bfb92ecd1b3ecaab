"""Sheet numbers that stay when the site changes."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from sitemap.errors import UsageError
from sitemap.plate.numbering import (
    SheetChanges,
    SheetLock,
    following,
    lock_path,
    number_sheets,
    read_lock,
    write_lock,
)

ROW = [(0.0, 0.0), (1000.0, 0.0), (2000.0, 0.0)]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("C-501", ["C-501", "C-502", "C-503"]),
        ("ES-09", ["ES-09", "ES-10", "ES-11"]),
        ("C5.1a", ["C5.1a", "C5.2a", "C5.3a"]),
        ("EROSION", ["EROSION", "EROSION-2", "EROSION-3"]),
    ],
)
def test_numbers_follow_the_first_one(first: str, then: list[str]) -> None:
    assert list(islice(following(first), 3)) == then


def test_first_set_is_numbered_in_order_index_first() -> None:
    lock, changes, free = number_sheets("C-501", ROW, 300.0, None)
    assert lock.index == "C-501"
    assert list(lock.maps) == ["C-502", "C-503", "C-504"]
    assert next(free) == "C-505"
    assert changes == SheetChanges()


def test_sheets_keep_their_numbers_and_a_new_one_takes_the_next_free() -> None:
    """One more sheet to the left of the others, and one of the old ones gone."""
    before = SheetLock(
        {"C-502": ROW[0], "C-503": ROW[1], "C-504": ROW[2]}, "C-501", ("C-505", "C-506")
    )
    centres = [(-1000.0, 0.0), (0.0, 40.0), (1000.0, 0.0)]
    lock, changes, free = number_sheets("C-501", centres, 300.0, before)
    assert list(lock.maps) == ["C-507", "C-502", "C-503"]
    assert (lock.index, lock.notes) == ("C-501", ("C-505", "C-506"))
    assert changes.added == ("C-507",)
    assert changes.removed == ("C-504",)
    assert changes.moved == (("C-502", 40.0),)
    assert changes.words == (
        "sheets added: C-507",
        "sheets removed: C-504",
        "sheets moved: C-502 by 40 ft",
    )
    assert next(free) == "C-508"


def test_of_two_sheets_near_one_number_the_nearer_keeps_it() -> None:
    before = SheetLock({"C-502": (0.0, 0.0)}, "C-501")
    lock, _, _ = number_sheets("C-501", [(250.0, 0.0), (10.0, 0.0)], 300.0, before)
    assert list(lock.maps) == ["C-503", "C-502"]


def test_number_of_a_removed_sheet_is_not_given_to_other_ground() -> None:
    """Within one run: what is in the lock is taken."""
    before = SheetLock({"C-502": (0.0, 0.0)}, "C-501")
    lock, changes, _ = number_sheets("C-501", [(9000.0, 0.0)], 300.0, before)
    assert list(lock.maps) == ["C-503"]
    assert changes.removed == ("C-502",)


def test_lock_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = lock_path(tmp_path / "plate.pdf")
    assert path.name == "plate.sheets.json"
    assert read_lock(path) is None
    lock = SheetLock({"C-502": (2469500.25, 335400.5)}, "C-501", ("C-503",))
    write_lock(path, lock)
    assert read_lock(path) == lock


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "maps": [{"number": "C-1"}]}']
)
def test_lock_that_is_none_is_named_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plate.sheets.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="put it right, or delete it"):
        read_lock(path)
