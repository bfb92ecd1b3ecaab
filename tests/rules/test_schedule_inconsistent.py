"""DOC002: dates of the work, the order of phases, idle ground, controls before the work."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from sitemap.finding import Severity
from sitemap.measures.schedule import day_of, idle_ground, phase_number
from sitemap.rules.rule import Checked, NotApplicable, Skip
from sitemap.rules.schedule_inconsistent import schedule_inconsistent as rule
from sitemap.site import Site
from tests.clean_ground import rectangle
from tests.clean_site import (
    add_feature,
    clean_site,
    faults_of,
    passes,
    run,
    set_value,
    with_facts,
    with_layer,
    without,
)


def work(field: str, value: object, record: int = 0, site: Site | None = None) -> Site:
    return set_value(site or clean_site(), "disturbance", record, field, value)


def two_phases(start: str, phase: str = "2") -> Site:
    """A second area of 0.69 acres beside the first, within the dates of the project."""
    return add_feature(
        clean_site(), "disturbance", rectangle(550, 200, 650, 500),
        id="D-2", phase=phase, start=start, end="2026-10-15",
    )  # fmt: skip


def covered(site: Site, mulched: str | None, seed: str | None) -> Site:
    """The north half of the area is mulched, a strip south of it seeded, the rest is left."""
    mulch = {"geometry": [rectangle(150, 350, 550, 500)], "id": ["ST-1"], "date": [mulched]}
    strip = {"geometry": [rectangle(150, 270, 550, 350)], "id": ["RV-1"], "date": [seed]}
    site = with_layer(site, "stabilization", mulch)
    return without(with_layer(site, "revegetation", strip), "finished_surfaces")


def seeded(day: str | None, mulched: str | None = "2026-10-15") -> Site:
    """The work ends on Oct 1."""
    return covered(work("end", "2026-10-01"), mulched, day)


def test_passes_and_says_what_was_compared() -> None:
    assert passes(rule, clean_site())
    words = [s.words for s in run(rule, clean_site()) if isinstance(s, Checked)]
    assert words == [
        "1 of 1 disturbed areas have dates",
        "idle ground after the work on 1 disturbed areas",
    ]


def test_found_an_end_before_the_start() -> None:
    (fault,) = faults_of(rule, work("end", "2026-05-31", site=work("start", "2026-06-02")))[:1]
    assert fault.message == "the work on D-1 ends on 2026-05-31, before its start on 2026-06-02"
    assert (fault.measured.value, fault.limit.value, fault.limit.operator) == (-2, 0, ">=")
    assert (fault.field_name, fault.clauses, fault.source.user_id) == ("end", ("3c",), "D-1")


def test_at_the_limit_work_of_one_day_and_of_the_whole_project_passes() -> None:
    assert passes(rule, work("end", "2026-10-15", site=work("start", "2026-10-15")))
    assert passes(rule, work("start", "2026-06-01"))


def test_just_over_one_day_before_and_after_construction_is_found() -> None:
    (early,) = faults_of(rule, work("start", "2026-05-31"))
    assert "1 day before construction starts (2026-06-01)" in early.message
    (late,) = faults_of(rule, work("end", "2026-10-16"))
    assert "1 day after construction ends (2026-10-15)" in late.message
    assert late.severity is None
    assert (late.measured.value, late.limit.value) == (1, 0)


def test_project_dates_that_are_not_stated_bind_nothing() -> None:
    """DOC001 asks for them."""
    assert passes(rule, with_facts(work("start", "2020-01-01"), start=None))


def test_found_a_phase_before_its_predecessor() -> None:
    site = work("start", "2026-07-01", site=two_phases("2026-06-21"))
    (fault,) = faults_of(rule, site)
    assert fault.message == (
        "phase 2 (D-2) starts on 2026-06-21, 10 days before phase 1 (D-1, 2026-07-01)"
    )
    assert fault.severity is Severity.WARNING
    assert [s.user_id for s in (fault.source, *fault.related)] == ["D-2", "D-1"]


def test_at_the_limit_two_phases_may_start_on_one_day() -> None:
    assert passes(rule, two_phases("2026-06-01"))


def test_a_phase_without_number_is_in_no_sequence() -> None:
    assert passes(rule, work("start", "2026-07-01", site=two_phases("2026-06-21", "north")))


def test_at_the_limit_fourteen_days_pass() -> None:
    assert passes(rule, seeded("2026-10-15"))


def test_just_over_fifteen_days_are_found_with_the_ground() -> None:
    """400 by 80 ft wait for their seed; the mulched half does not."""
    (fault,) = faults_of(rule, seeded("2026-10-16"))
    assert fault.message == (
        "0.73 acres of D-1 lie idle from 2026-10-01 to 2026-10-16, 15 days, without temporary "
        "stabilization; at most 14 days are allowed"
    )
    assert fault.geometry.equals(rectangle(150, 270, 550, 350))
    assert (fault.measured.value, fault.limit.value) == (15, 14)
    assert fault.severity is Severity.WARNING


def test_temporary_stabilization_in_time_ends_the_wait() -> None:
    site = add_feature(
        seeded("2026-11-20"), "stabilization", rectangle(150, 270, 550, 350),
        id="TS-1", type="TS", term="temporary", date="2026-10-10",
    )  # fmt: skip
    assert passes(rule, site)


def test_of_two_late_covers_the_first_to_come_ends_the_wait() -> None:
    site = add_feature(
        seeded("2026-11-20"), "stabilization", rectangle(150, 270, 550, 350),
        id="TS-1", type="TS", term="temporary", date="2026-10-20",
    )  # fmt: skip
    (fault,) = faults_of(rule, site)
    assert fault.measured.value == 19


def test_the_next_work_on_the_ground_ends_the_wait_or_comes_too_late() -> None:
    site = covered(work("end", "2026-07-01"), None, None)

    def second(start: str) -> Site:
        return add_feature(
            site, "disturbance", rectangle(150, 200, 350, 500),
            id="D-2", phase="2", start=start, end="2026-10-15",
        )  # fmt: skip

    assert passes(rule, second("2026-07-15"))
    (fault,) = faults_of(rule, second("2026-07-16"))
    assert fault.measured.value == 15
    # the basin for infiltration is finished when the work ends
    assert fault.geometry.area == pytest.approx(200 * 300 - 70 * 50)


def test_ground_with_no_dated_cover_is_not_judged() -> None:
    assert passes(rule, seeded(None, None))


def fence(day: str, phase: str | None = "1", record: int = 0) -> Site:
    site = set_value(clean_site(), "controls", record, "date", day)
    return set_value(site, "controls", record, "phase", phase)


def test_passes_with_the_fence_set_on_the_first_day() -> None:
    assert passes(rule, fence("2026-06-01"))


@pytest.mark.parametrize("phase", ["1", None])
def test_just_over_a_fence_set_a_day_late_is_found(phase: str | None) -> None:
    (fault,) = faults_of(rule, fence("2026-06-02", phase))
    assert fault.message == (
        "SF-1 is installed on 2026-06-02, 1 day after the disturbance of D-1 starts (2026-06-01)"
    )
    assert (fault.role, fault.field_name, fault.source.user_id) == ("controls", "date", "SF-1")


def test_a_fence_of_another_phase_and_a_basin_that_is_dug_are_not_late() -> None:
    assert passes(rule, fence("2026-06-02", "2"))
    assert passes(rule, fence("2026-06-10", record=1))


@pytest.mark.parametrize("field", ["start", "end"])
def test_found_text_that_is_no_date(field: str) -> None:
    (fault,) = faults_of(rule, work(field, "late spring"))
    assert (
        fault.message
        == f"the {field} of the work on D-1, 'late spring', is no date that can be read"
    )
    assert fault.how_to_fix == f"write {field} as 2027-05-31"


def test_found_even_where_no_date_can_be_read_at_all() -> None:
    faults = faults_of(rule, work("end", "13/13/2027", site=work("start", "tbd")))
    assert [fault.field_name for fault in faults] == ["start", "end"]


def test_not_applicable_without_dates() -> None:
    (said,) = run(rule, work("end", None, site=work("start", None)))
    assert isinstance(said, NotApplicable)


def test_skipped_without_disturbance() -> None:
    assert isinstance(run(rule, without(clean_site(), "disturbance"))[0], Skip)


@pytest.mark.parametrize(
    ("value", "number"),
    [("2", 2), ("Phase 10", 10), ("B", 2), ("stage c", 3), ("north", None), (None, None)],
)
def test_phases_by_number_or_letter(value: object, number: int | None) -> None:
    assert phase_number(value) == number


def test_what_is_no_date_is_none() -> None:
    assert day_of("2026-06-01").isoformat() == "2026-06-01"  # type: ignore[union-attr]
    assert [day_of(v) for v in ("June", "2026-02-30", None, 3.0)] == [None] * 4


def test_many_areas_are_held_against_what_lies_on_them_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """200 strips, each mulched 31 days late: held against themselves and both neighbours."""
    strips = [rectangle(x, 200, x + 2, 500) for x in np.arange(150.0, 550.0, 2.0)]
    work = {
        "geometry": strips,
        "id": [f"D-{i}" for i in range(200)],
        "start": ["2026-06-01"] * 200,
        "end": ["2026-07-01"] * 200,
    }
    mulch = {"geometry": strips, "date": ["2026-08-01"] * 200}
    site = with_layer(with_layer(clean_site(), "disturbance", work), "stabilization", mulch)
    site = without(site, "revegetation", "finished_surfaces", "infiltration", "controls")
    module = import_module(rule.body.__module__)
    asked: list[tuple[int, int]] = []

    def counted(number, works, covers, *limits):  # type: ignore[no-untyped-def]
        asked.append((len(works), len(covers)))
        return idle_ground(number, works, covers, *limits)

    monkeypatch.setattr(module, "idle_ground", counted)
    found = faults_of(rule, site)
    assert len(found) == len(asked) == 200
    assert max(asked) == (3, 3)
    assert {f.measured.value for f in found} == {31}


def test_found_once_where_two_areas_of_one_ground_end_together() -> None:
    """Neither is the next work on that ground: it lies idle after both."""
    site = seeded("2026-11-01", mulched="2026-11-01")
    assert len(faults_of(rule, site)) == 1
    (area,) = site.layers["disturbance"].frame.geometry
    twin = add_feature(
        site, "disturbance", area, id="D-2", phase="1", start="2026-06-01", end="2026-10-01"
    )
    (fault,) = faults_of(rule, twin)
    assert fault.source.user_id == "D-1"
