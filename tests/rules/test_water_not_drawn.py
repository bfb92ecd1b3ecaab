"""HYD001: the creek behind the fence."""

from __future__ import annotations

import pytest

from sitemap.check import check_site
from sitemap.finding import Status
from sitemap.rules.rule import Ask, Checked
from sitemap.rules.water_not_drawn import water_not_drawn as rule
from sitemap.site import Site
from tests.clean_site import (
    NOW,
    clean_site,
    faults_of,
    line,
    passes,
    rectangle,
    run,
    the_ordinance,
    with_declared_none,
    with_layer,
    without,
    without_declaration,
)
from tests.references import known

NO_CASE = {"not_applicable": "with a reference there is always ground to look at"}
CREEK = line((-1500, 40), (300, 30), (2300, 10))  # as the clean site draws it, and beyond


def nhd(*shapes: object, site: Site | None = None, **fields: list[object]) -> Site:
    """The clean site, 800 by 600 ft with a creek along its south edge, and what NHD shows."""
    given = {"name": ["Muskego Creek"] * len(shapes), "kind": ["stream"] * len(shapes), **fields}
    return known(site or clean_site(), "streams", {"geometry": list(shapes), **given})


def lakes(*shapes: object, site: Site | None = None, **fields: list[object]) -> Site:
    given = {"name": ["Tess Lake"] * len(shapes), "kind": ["lake"] * len(shapes), **fields}
    return known(site or clean_site(), "waterbodies", {"geometry": list(shapes), **given})


def asks(site: Site) -> list[str]:
    assert not faults_of(rule, site)
    return [said.question for said in run(rule, site) if isinstance(said, Ask)]


def words(site: Site) -> str:
    (said,) = [s for s in run(rule, site) if isinstance(s, Checked)]
    return said.words


def test_passes_where_the_creek_is_drawn() -> None:
    site = nhd(CREEK)
    assert passes(rule, site)
    assert words(site).startswith("on or beside the site by nhd.gdb: 1 watercourse (what both")


def test_the_very_creek_that_is_drawn_lies_in_the_same_place() -> None:
    drawn = clean_site().layers["streams"].frame.geometry.tolist()
    said = words(nhd(*drawn))
    assert "what both show lies in the same place)" in said
    assert " 0 ft" not in said


def test_passes_where_the_line_runs_beside_it_within_the_accuracy() -> None:
    """30 ft farther north: told, not found."""
    site = nhd(line((-100, 70), (300, 60), (900, 50)))
    assert passes(rule, site)
    assert "lies up to 30 ft apart (offset 30 ft)" in words(site)


def test_found_with_its_name_and_length() -> None:
    """From 50 ft north of the site (y = 650) to within 40 ft of the creek drawn at y = 33."""
    (fault,) = faults_of(rule, nhd(line((200, 1500), (200, 33))))
    assert fault.message == (
        "nhd.gdb shows 577 ft of watercourse Muskego Creek on or beside the site, and none is "
        "drawn there"
    )
    assert fault.measured.value == pytest.approx(650 - 73, abs=1.0)
    assert fault.role == "streams"


def test_found_once_where_two_maps_show_one_creek_a_little_apart() -> None:
    """15 ft beside each other; what the second one shows more, farther east, is another finding."""
    fields = {"name": ["Muskego Creek"], "kind": ["stream"]}
    one, other = line((200, 1500), (200, 83)), line((215, 1500), (215, 83))
    site = known(nhd(one), "streams", {"geometry": [other], **fields}, file="24k.gpkg")
    (fault,) = faults_of(rule, site)
    assert fault.message.startswith("nhd.gdb and 24k.gpkg show 567 ft of watercourse")
    assert fault.measured.value == pytest.approx(650 - 83, abs=1.0)
    longer = line((215, 1500), (215, 300), (600, 300))
    site = known(nhd(one), "streams", {"geometry": [longer], **fields}, file="24k.gpkg")
    first, second = sorted(faults_of(rule, site), key=lambda f: f.measured.value)
    assert first.message.startswith("24k.gpkg shows 360 ft")  # beyond 40 ft from the first line
    assert second.message.startswith("nhd.gdb shows 567 ft")


def test_found_where_streams_are_declared_none() -> None:
    site = with_declared_none(without(clean_site(), "streams"), "streams")
    (fault,) = faults_of(rule, nhd(CREEK, site=site))
    assert fault.message == (
        "nhd.gdb shows 900 ft of watercourse Muskego Creek on or beside the site, and none is "
        "drawn there; streams are declared none by A. Surveyor, PLS, field walk, 2026-04-02"
    )


def test_found_a_lake_and_a_wetland_beside_the_site() -> None:
    site = lakes(
        rectangle(300, 300, 400, 400), site=without_declaration(clean_site(), "waterbodies")
    )
    site = known(site, "wetlands", {"geometry": [rectangle(805, 200, 900, 300)], "class": ["T3K"]})
    found = faults_of(rule, site)
    assert sorted(fault.message for fault in found) == [
        "waterbodies.gpkg shows 0.23 acres of water body Tess Lake on or beside the site, and none "
        "is drawn there",
        "wwi.gpkg shows 0.10 acres of wetland T3K on or beside the site, and none is drawn there",
    ]
    assert {fault.role for fault in found} == {"waterbodies", "wetlands"}


def test_passes_a_pond_that_is_drawn_as_a_wetland() -> None:
    assert passes(rule, lakes(rectangle(560, 60, 700, 120)))


def test_passes_a_stream_area_along_the_line_that_is_drawn() -> None:
    assert passes(rule, lakes(CREEK.buffer(15), kind=["river"]))


def test_passes_paths_through_lakes_and_pipes() -> None:
    ways = line((200, 500), (200, 200)), line((300, 500), (300, 200))
    assert passes(rule, nhd(*ways, kind=["path through water", "underground"]))


def test_at_the_limit_a_person_looks_at_the_rim() -> None:
    """50 ft are adjacent and the reference is right within 40: from 10 ft on nobody knows."""
    (question,) = asks(nhd(line((810, 100), (810, 500))))
    assert question == (
        "nhd.gdb shows 400 ft of watercourse Muskego Creek on or beside the site, at its rim: the "
        "reference is right within 40 ft. Is it adjacent?"
    )
    assert asks(nhd(line((851, 100), (851, 500)))) == []


def test_just_over_ten_feet_from_the_boundary_is_found() -> None:
    assert len(faults_of(rule, nhd(line((809, 100), (809, 500))))) == 1


def test_a_possible_flow_path_needs_a_person() -> None:
    (question,) = asks(nhd(line((200, 500), (200, 200)), name=[None], kind=["swale"]))
    assert question.endswith("a possible flow path only: is there water?")


def test_what_exceeds_a_drawn_pond_needs_a_person() -> None:
    pond = {"geometry": [rectangle(300, 300, 400, 400)], "name": ["Pond"], "kind": ["pond"]}
    site = with_layer(clean_site(), "waterbodies", pond)
    (question,) = asks(lakes(rectangle(300, 300, 400, 480), site=site))
    assert question.endswith("beyond the one that is drawn: where is its edge?")


def test_a_wetland_on_the_site_is_left_to_its_own_rule() -> None:
    site = known(
        clean_site(), "wetlands", {"geometry": [rectangle(700, 300, 900, 400)], "class": ["E2K"]}
    )
    assert faults_of(rule, site) == []


def test_skipped_without_a_reference() -> None:
    checked = check_site(clean_site(), the_ordinance(), now=NOW)
    (outcome,) = [o for o in checked.outcomes if o.rule == "HYD001"]
    assert outcome.status is Status.SKIPPED
    assert outcome.why.startswith("no reference was given")
