"""The engine passes the clean site on every rule, and each pack: the ground of all rule tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sitemap.check import check_site
from sitemap.finding import Status, Verdict
from sitemap.ordinance import load_ordinance, ordinance_names
from sitemap.rules import RULES
from tests.clean_site import (
    CELL_FT,
    GRADED,
    MAP,
    NOW,
    clean_site,
    graded_ft,
    ground_ft,
    rectangle,
    with_facts,
    without,
)
from tests.measured_plates import clean_plate
from tests.references import known_land

# without a plate nothing can disagree with the page, and no other rule may stand aside
ONLY_WITH_A_PLATE = {"SCL002", "PLT001", "PLT002", "PLT003", "PLT004", "PLT005", "PLT006"}

# a map need not show the limits of its town, nor come with an elevation layer or with waivers
ONLY_WHERE_HANDED_IN = {"CRS007", "CON006", "WVR001", "WVR002", "WVR003"}
ONLY_WITH_A_REFERENCE = {"HYD001", "WET001", "FLD001", "BND003"}  # else skipped, never passed
ONLY_ON_SEVERAL_SHEETS = {"PLT006"}
WHOLE_LAWS = ("wi-nr152-appa", "muskego")  # the others leave out what they do not ask for


@pytest.mark.parametrize("name", WHOLE_LAWS)
def test_every_rule_passes_the_clean_site(name: str) -> None:
    checked = check_site(clean_site(), load_ordinance(name), now=NOW)
    said = {o.rule: (o.status, o.why, [f.message for f in o.findings]) for o in checked.outcomes}
    assert set(said) == {rule.code for rule in RULES}
    odd = {code: what for code, what in said.items() if what[0] is not Status.PASSED}
    _without_reference(odd)
    assert set(odd) <= ONLY_WITH_A_PLATE | ONLY_WHERE_HANDED_IN, odd
    assert all(what[0] is Status.NOT_APPLICABLE for what in odd.values()), odd
    assert checked.verdict is Verdict.COMPLIES_IF_CONFIRMED


@pytest.mark.parametrize("name", sorted(set(ordinance_names()) - set(WHOLE_LAWS)))
def test_other_laws_find_no_fault_and_say_what_they_do_not_ask(name: str) -> None:
    checked = check_site(clean_site(), load_ordinance(name), now=NOW)
    said = {o.rule: (o.status, o.why) for o in checked.outcomes}
    # Kenosha County asks for 200 ft of ground around the site: the clean map reaches 100 ft, and
    # with 200 ft it does not fit ARCH D at the 50 ft per inch that its site.toml states
    kenosha = name == "kenosha-county"
    assert [f.rule for f in checked.findings] == (["SCL005"] if kenosha else [])
    aside = {code: why for code, (status, why) in said.items() if status is Status.NOT_APPLICABLE}
    assert all(aside.values()), "a rule that stands aside says why"
    others = {code for code, (status, _) in said.items() if status is not Status.PASSED}
    others -= ONLY_WITH_A_REFERENCE
    assert others - set(aside) == ({"CON005", "SCL005"} if kenosha else set())


def test_every_rule_passes_the_clean_site_with_its_plate() -> None:
    checked = check_site(
        clean_site(), load_ordinance("wi-nr152-appa"), plate=clean_plate(), now=NOW
    )
    odd = {o.rule: (o.status, o.why) for o in checked.outcomes if o.status is not Status.PASSED}
    _without_reference(odd)
    assert set(odd) <= ONLY_WHERE_HANDED_IN | ONLY_ON_SEVERAL_SHEETS, odd
    assert all(what[0] is Status.NOT_APPLICABLE for what in odd.values()), odd


def _without_reference(odd: dict[str, Any]) -> None:
    """Takes out the rules that compare with a reference; each says that there is none."""
    for code in ONLY_WITH_A_REFERENCE:
        status, why, *_ = odd.pop(code)
        assert status is Status.SKIPPED
        assert why.startswith("no reference was given")


def test_every_rule_passes_the_clean_site_on_known_land() -> None:
    """References that show what the map shows: no rule finds a fault or asks a person more."""
    alone = check_site(clean_site(), load_ordinance("muskego"), now=NOW)
    checked = check_site(known_land(clean_site()), load_ordinance("muskego"), now=NOW)
    said = {o.rule: o.status for o in checked.outcomes}
    assert {said[code] for code in (*ONLY_WITH_A_REFERENCE, "CRS007")} == {Status.PASSED}
    assert checked.findings == ()
    assert len(checked.confirmations) == len(alone.confirmations)


def test_one_change_makes_one_clause_fail() -> None:
    """Gatekeepers: without the wetlands exactly items (a) and (h) fail, and nothing else."""
    checked = check_site(without(clean_site(), "wetlands"), load_ordinance("muskego"), now=NOW)
    assert {(f.rule, f.clauses) for f in checked.findings} == {
        ("SUB001", ("a",)),
        ("SUB001", ("h",)),
    }
    assert {line.clause.id for line in checked.clauses if line.status is Status.FOUND} == {"a", "h"}
    assert checked.verdict is Verdict.DOES_NOT_COMPLY


def test_changes_leave_the_clean_site_alone() -> None:
    with_facts(without(clean_site(), "boundary"), owner=None)
    assert clean_site().role("boundary") is not None
    assert clean_site().project.project.owner is not None


def test_the_ground_is_what_the_contours_say() -> None:
    """Each contour lies on the surface it was drawn from, within the chords of a 10 ft mesh."""
    for role, surface in (("contours_existing", ground_ft), ("contours_proposed", graded_ft)):
        frame = clean_site().layers[role].frame
        west, south = rectangle(0, 0, 1, 1).bounds[:2]
        for shape, level in zip(frame.geometry, frame["elevation"], strict=True):
            x, y = np.asarray(shape.coords).T
            assert surface(x - west, y - south) == pytest.approx(level, abs=0.01)


def test_grading_runs_out_at_its_limits() -> None:
    """Proposed contours end where they meet the existing one of their level."""
    xmin, ymin, xmax, ymax = GRADED
    edge = np.array([xmin, xmax, 300.0, 300.0]), np.array([300.0, 300.0, ymin, ymax])
    assert graded_ft(*edge) == pytest.approx(ground_ft(*edge), abs=1e-9)
    assert graded_ft(np.array([350.0]), np.array([350.0])) - ground_ft(
        np.array([350.0]), np.array([350.0])
    ) == pytest.approx(3.0)


def test_the_grid_covers_the_map_without_i_and_o() -> None:
    frame = clean_site().layers["grid"].frame
    assert len(frame) == (MAP[2] - MAP[0]) * (MAP[3] - MAP[1]) / CELL_FT**2
    assert frame.union_all().equals(rectangle(*MAP))
    assert not any("I" in label or "O" in label for label in frame["label"])
    assert list(frame["label"][:2]) == ["A1", "B1"]
