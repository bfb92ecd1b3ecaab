"""The JSON report keeps to its published schema and never changes by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator
from shapely.geometry import (
    GeometryCollection,
    LinearRing,
    LineString,
    MultiPoint,
    Point,
    Polygon,
)
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.finding import Limit, Quantity, Source
from sitemap.report.json import exit_code, json_schema, to_dict, to_json
from sitemap.rules.rule import Ask, Checked, Said, Skip
from tests.tiny_site import X0, Y0, check, clause, fault, make_rule, pack, says, site, spot, square

LAW = pack(
    clause("scale", "SCL001"),
    clause("d", "DST001", person="Look.", person_always=True),
    clause("j", "GRD001"),
    clause("3a", "DOC001", on_map=False),
)
VALIDATOR = Draft202012Validator(json_schema(), format_checker=Draft202012Validator.FORMAT_CHECKER)


def broken() -> Iterator[Said]:
    raise RuntimeError("a secret of the machine")
    yield Checked("never", 1)


@pytest.fixture(scope="module")
def checked() -> CheckedSite:
    return check(
        make_rule("SCL001", says(Skip("no plate")), "scale"),
        make_rule("DST001", says(fault(), Ask("Is it?", geometry=spot(1, 1))), "d"),
        make_rule("GRD001", broken, "j"),
        make_rule("DOC001", says(Checked("owner", 1)), "3a"),
        law=LAW,
    )


def faults(of: dict[str, object]) -> list[str]:
    return [f"{list(e.path)}: {e.message}" for e in VALIDATOR.iter_errors(of)]


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


def test_a_check_keeps_to_the_schema(checked: CheckedSite) -> None:
    assert faults(to_dict(checked)) == []


def test_a_site_without_anything_keeps_to_the_schema() -> None:
    from dataclasses import replace

    empty = replace(site({}), crs=None)
    assert faults(to_dict(check(law=LAW, of=empty))) == []


def test_the_schema_refuses_what_it_does_not_know(checked: CheckedSite) -> None:
    broken_dict = to_dict(checked)
    broken_dict["approved"] = True
    assert len(faults(broken_dict)) == 1


def test_text_and_dictionary_say_the_same(checked: CheckedSite) -> None:
    assert json.loads(to_json(checked)) == to_dict(checked)
    assert to_json(checked) == to_json(checked)
    assert to_json(checked).endswith("}\n")


def test_geometry_is_geojson_in_the_sites_feet_with_a_point_in_degrees(
    checked: CheckedSite,
) -> None:
    (finding,) = to_dict(checked)["findings"]
    assert finding["geometry"]["type"] == "Polygon"
    assert [X0 + 250, Y0 + 150] in finding["geometry"]["coordinates"][0]
    assert finding["place"]["lon"] == pytest.approx(-88.13, abs=0.01)
    assert finding["measured"] == {"value": 0.23, "unit": "acres", "tolerance": None}
    assert finding["limit"] == {"value": 0.0, "unit": "acres", "operator": "<="}


@pytest.mark.parametrize(
    "geometry",
    [
        Point(X0, Y0, 820.5),
        MultiPoint([(X0, Y0), (X0 + 1, Y0)]),
        LineString([(X0, Y0), (X0 + 1 / 3, Y0)]),
        LinearRing([(X0, Y0), (X0 + 1, Y0), (X0, Y0 + 1)]),
        GeometryCollection([Point(X0, Y0), square(0, 0)]),
        Polygon(),
        Point(float("inf"), 0.0),
        None,
    ],
)
def test_every_kind_of_geometry_can_be_written(geometry: BaseGeometry | None) -> None:
    rule = make_rule("DST001", says(fault(geometry=geometry)), "d")
    report = to_dict(check(rule, law=LAW))
    assert faults(report) == []
    assert "Infinity" not in to_json(check(rule, law=LAW))


def test_numbers_that_json_cannot_hold_are_left_out() -> None:
    rule = make_rule(
        "DST001",
        says(fault(measured=Quantity(float("nan"), "ft"), limit=Limit(5, "ft"))),
        "d",
    )
    report = to_dict(check(rule, law=LAW))
    assert report["findings"][0]["measured"] is None
    assert faults(report) == []


def test_numpy_numbers_are_written() -> None:
    import numpy as np

    rule = make_rule(
        "DST001",
        says(fault(measured=Quantity(np.float64(2.5), "ft"), source=Source(feature=np.int64(3)))),  # type: ignore[arg-type]
        "d",
    )
    assert json.loads(to_json(check(rule, law=LAW)))["findings"][0]["source"]["feature"] == 3


def test_clauses_point_at_findings_by_number(checked: CheckedSite) -> None:
    report = to_dict(checked)
    row = next(c for c in report["clauses"] if c["id"] == "d")
    assert row["findings"] == [report["findings"][0]["number"]] == [1]
    assert row["confirmations"] == ["Look.", "Is it?"]
    assert report["counts"] == {
        "error": 1,
        "warning": 0,
        "info": 0,
        "waived": 0,
        "confirmations": 2,
    }


def test_traces_are_kept_out(checked: CheckedSite) -> None:
    assert checked.outcomes[2].trace is not None
    assert "Traceback" not in to_json(checked)


def test_the_exit_code_is_at_the_same_door(checked: CheckedSite) -> None:
    from sitemap.finding import Severity

    assert exit_code(checked, Severity.ERROR) == 1
