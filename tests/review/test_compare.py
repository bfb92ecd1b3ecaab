"""Two submissions compared: what became of findings, what changed on the map."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from shapely.affinity import translate
from shapely.geometry import LineString, Point, Polygon, box

import sitemap
from sitemap.checked import CheckedSite
from sitemap.comparison import Comparison
from sitemap.errors import CrsError
from sitemap.finding import Limit, Severity
from sitemap.project import WaiverEntry
from sitemap.report.compared import render_comparison
from sitemap.report.json import to_dict
from sitemap.review.compare import compare
from sitemap.review.saved_check import load_check
from sitemap.rules.rule import Checked, Fault, Said, Skip
from sitemap.site import Site
from tests.tiny_site import (
    CRS,
    NOW,
    X0,
    Y0,
    check,
    clause,
    fault,
    layer,
    make_rule,
    pack,
    says,
    site,
    spot,
    square,
)

LAW = pack(clause("d", "DST001"), clause("j", "GRD001"))
LAW_ON_INLETS = pack(clause("d", "BMP003"))


def judged(*said: Said, of: Site | None = None, **more: Any) -> CheckedSite:
    rules = (make_rule("DST001", says(*said), "d"), make_rule("GRD001", says(Checked("x", 1)), "j"))
    return check(*rules, law=LAW, of=of, **more)


def seen(name: str, x: float, **more: Any) -> Fault:
    """A fault known by its place alone."""
    from sitemap.finding import Source

    given = {"geometry": square(x, 0, 40), "source": Source("disturbance.shp"), "message": name}
    return fault(**{**given, **more})


def validator() -> Draft202012Validator:
    """Of the comparison's schema, which leans on that of a check beside it."""
    named = {
        name: json.loads(files("sitemap.report").joinpath(name).read_text("utf-8"))
        for name in ("comparison.schema.json", "check.schema.json")
    }
    for schema in named.values():
        Draft202012Validator.check_schema(schema)
    known = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in named.items()
    )
    return Draft202012Validator(named["comparison.schema.json"], registry=known)


def states(comparison: Comparison) -> dict[str, str]:
    return {change.finding.message: change.state for change in comparison.findings}


def test_findings_are_new_cured_still_there_and_moved() -> None:
    old = judged(
        seen("stays", 0), seen("goes", 200), seen("moves", 400, geometry=square(400, 0, 40))
    )
    new = judged(
        seen("stays", 0.2), seen("comes", 900), seen("moves", 0, geometry=square(420, 0, 40))
    )
    found = compare(old, new)
    assert states(found) == {
        "stays": "still there", "goes": "cured", "moves": "moved", "comes": "new",
    }  # fmt: skip
    (moved,) = found.with_state("moved")
    assert (moved.old_number, moved.new_number) == (3, 3)
    assert moved.distance_ft == pytest.approx(20.0)
    assert found.is_worse


def test_a_rule_that_could_not_judge_has_cured_nothing() -> None:
    found = compare(judged(seen("hidden", 0)), judged(Skip("no such layer")))
    assert states(found) == {"hidden": "not judged"}
    assert found.findings[0].note == "no such layer"
    back = compare(judged(Skip("no such layer")), judged(seen("hidden", 0)))
    assert states(back) == {"hidden": "new"}
    assert "did not judge" in back.findings[0].note


def test_a_waiver_and_its_end_are_told() -> None:
    plain = judged(seen("pond", 0))
    waiver = {"rule": "DST001", "reason": "r", "authority": "a", "date": "2026-05-01"}
    entry = WaiverEntry.model_validate(waiver)
    project = site().project.model_copy(update={"waivers": (entry,)})
    waived = judged(seen("pond", 0), of=replace(site(), project=project))
    assert states(compare(plain, waived)) == {"pond": "waived"}
    back = compare(waived, plain)
    assert states(back) == {"pond": "came back"}
    assert back.is_worse
    assert [f.name for f in back.facts] == ["waiver 1"]


def test_what_an_older_check_knew_came_back(tmp_path: Path) -> None:
    first, second = judged(seen("pond", 0)), judged(Checked("all", 1))
    file = tmp_path / "first.json"
    file.write_text(json.dumps(to_dict(first)), encoding="utf-8")
    assert states(compare(second, first)) == {"pond": "new"}
    assert states(compare(second, first, (load_check(file),))) == {"pond": "came back"}


def test_findings_without_a_place_are_matched_by_their_words() -> None:
    owner, dates = (fault(message=m, geometry=None, distinct=m) for m in ("owner", "dates"))
    other = fault(message="dates", geometry=None, distinct="another print")
    found = compare(judged(owner, dates), judged(other))
    assert states(found) == {"dates": "still there", "owner": "cured"}


def with_disturbance(shapes: list[Any], **fields: Any) -> Site:
    drawn = {"boundary": layer("boundary", [square(0, 0, 900)])}
    return site({**drawn, "disturbance": layer("disturbance", shapes, **fields)})


def kinds(comparison: Comparison) -> list[tuple[str, str]]:
    return [(change.kind, change.identity) for change in comparison.changes]


def test_features_added_removed_moved_reshaped_and_renamed() -> None:
    old_ids = ["same", "gone", "moved", "grown", "said"]
    new_ids = ["new", "said", "grown", "moved", "same"]
    at = {name: square(150 * i, 0, 60) for i, name in enumerate(old_ids)}
    now = {
        **at,
        "new": square(0, 500, 80),
        "moved": translate(at["moved"], 3, 4),
        "grown": box(X0 + 450, Y0, X0 + 530, Y0 + 60),
    }
    acres = [1.0, 2.0, 3.0, 4.0, 5.0]
    before = with_disturbance([at[n] for n in old_ids], id=old_ids, acres=acres)
    after = with_disturbance([now[n] for n in new_ids], id=new_ids, acres=[9.0, 5.5, 4.0, 3.0, 1.0])
    found = compare(judged(of=before), judged(of=after))
    assert set(kinds(found)) == {
        ("added", "new"), ("removed", "gone"), ("attributes", "said"),
        ("moved", "moved"), ("reshaped", "grown"),
    }  # fmt: skip
    assert len(found.changes) == 5
    by_name = {change.identity: change for change in found.changes}
    assert by_name["moved"].shift_ft == pytest.approx((3.0, 4.0))
    assert (by_name["grown"].gained, by_name["grown"].lost) == (pytest.approx(20 * 60), 0.0)
    assert by_name["new"].new_measure is not None
    assert by_name["new"].new_measure.value == pytest.approx(6400)
    assert [(f.name, f.old, f.new) for f in by_name["said"].fields] == [("acres", "5", "5.5")]
    (changed,) = [x for x in found.layers if x.changes]
    assert (changed.role, changed.unchanged, changed.shift_ft) == ("disturbance", 1, None)


@pytest.mark.parametrize("back", [False, True])
def test_what_was_split_or_joined_is_told_as_such(back: bool) -> None:
    """90 ft cut at 60 ft: nothing is lost and nothing gained; a third area elsewhere is new."""
    whole = [box(X0, Y0, X0 + 90, Y0 + 60), square(300, 0, 60)]
    parts = [box(X0, Y0, X0 + 60, Y0 + 60), box(X0 + 60, Y0, X0 + 90, Y0 + 60), square(300, 0, 60)]
    before, after = (
        with_disturbance(whole, id=["A", "B"]),
        with_disturbance(parts, id=["A", "C", "B"]),
    )
    if back:
        before, after = after, before
    found = compare(judged(of=before), judged(of=after))
    together = (2, 1) if back else (1, 2)
    assert [change.together for change in found.changes] == [together, together]
    text = " ".join(render_comparison(found, "text").split())
    words = "joined: 2 became 1" if back else "split: 1 became 2"
    assert text.count(f"{words}, together the same ground") == 2
    assert "lost" not in text
    validator().validate(json.loads(render_comparison(found, "json")))


def test_an_area_that_is_split_and_loses_ground_is_no_mere_split() -> None:
    before = with_disturbance([box(X0, Y0, X0 + 90, Y0 + 60)], id=["A"])
    after = with_disturbance(
        [box(X0, Y0, X0 + 60, Y0 + 60), box(X0 + 60, Y0, X0 + 85, Y0 + 60)], id=["A", "C"]
    )
    found = compare(judged(of=before), judged(of=after))
    assert [change.together for change in found.changes] == [(0, 0), (0, 0)]


def test_a_change_that_a_finding_asked_for_is_told_apart() -> None:
    before = with_disturbance([square(0, 0), square(300, 0)], id=["a", "b"])
    after = with_disturbance([square(0, 0, 80), square(300, 0, 80)], id=["a", "b"])
    asking = seen("too big", 0, geometry=square(10, 10, 20))
    found = compare(judged(asking, of=before), judged(of=after))
    assert {c.identity: c.asked for c in found.changes} == {"a": (1,), "b": ()}
    assert [c.identity for c in found.unasked] == ["b"]


def test_what_stands_within_the_limit_of_a_finding_s_rule_may_answer_it() -> None:
    """An inlet without protection within 10 ft: the one put 8 ft away answers, at 30 ft none."""
    inlets = layer("inlets", [spot(200, 200)], id=["IN-1"])
    fence = layer("controls", [spot(10, 10)], type=["SF"], id=["C-0"])
    put = layer(
        "controls", [spot(10, 10), spot(208, 200), spot(230, 200)],
        type=["SF", "IP", "IP"], id=["C-0", "C-1", "C-2"],
    )  # fmt: skip
    rule = make_rule(
        "BMP003",
        says(fault(geometry=spot(200, 200), limit=Limit(10.0, "ft"), role="inlets")),
        "d",
        default_severity=Severity.ERROR,
    )
    before = check(rule, law=LAW_ON_INLETS, of=site({"inlets": inlets, "controls": fence}))
    after = check(rule, law=LAW_ON_INLETS, of=site({"inlets": inlets, "controls": put}))
    found = compare(before, after)
    assert {c.identity: c.asked for c in found.changes} == {"C-1": (1,), "C-2": ()}


def test_a_layer_that_went_one_way_as_a_whole_is_told() -> None:
    places = [spot(137 * i, (i * i * 31) % 400) for i in range(5)]
    moved = [translate(p, 1.5, -2.0) for p in places]
    before, after = (with_disturbance(p, id=list("abcde")) for p in (places, moved))
    found = compare(judged(of=before), judged(of=after))
    (changed,) = [x for x in found.layers if x.changes]
    assert changed.words == "5 moved"
    assert changed.shift_ft == pytest.approx((1.5, -2.0))
    for form in ("text", "html"):  # five times the same words would tell no more
        text = render_comparison(found, form)
        assert text.count("1.5 ft east") == 1
        assert "5 that only went that way" in text


def test_without_a_crs_nothing_can_be_compared() -> None:
    with pytest.raises(CrsError, match="--crs"):
        compare(judged(of=replace(site({}), crs=None)), judged())


# --- round trips through files -----------------------------------------------------------------

Edit = Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame]


def _frames() -> Iterator[tuple[str, gpd.GeoDataFrame]]:
    corner = Polygon([(X0, Y0), (X0 + 800, Y0), (X0 + 760, Y0 + 600), (X0 + 30, Y0 + 640)])
    yield "boundary", gpd.GeoDataFrame({"name": ["Tiny"]}, geometry=[corner], crs=CRS)
    areas = [square(100, 100, 150), square(700, 200, 180), square(400, 300, 90)]
    named = {
        "id": ["D-1", "D-2", "D-3"],
        "phase": ["1", "1", "2"],
        "acres": [0.5165, 0.7438, 0.186],
    }
    yield "disturbance", gpd.GeoDataFrame(named, geometry=areas, crs=CRS)
    steps = ((0, 5), (40, 60), (50, 300))
    bent = [[(X0 + 90 * i + x, Y0 + y) for x, y in steps] for i in range(6)]
    heights = [800.0 + 2 * i for i in range(6)]
    lines = gpd.GeoDataFrame(
        {"elevation": heights}, geometry=[LineString(b) for b in bent], crs=CRS
    )
    yield "contours_existing", lines
    points = [Point(X0 + 60 * i + 7 * i * i, Y0 + 33 * i) for i in range(5)]
    yield "outfalls", gpd.GeoDataFrame({"id": list("vwxyz")}, geometry=points, crs=CRS)


def written(folder: Path, suffix: str, edit: Edit = lambda frame: frame) -> Path:
    folder.mkdir()
    for name, frame in _frames():
        changed = edit(frame)
        if suffix == "gpkg":
            changed.to_file(folder / "all.gpkg", layer=name)
        else:
            changed.to_file(folder / f"{name}.{suffix}")
    return folder


def turned(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Every line and ring the other way round, records in the other order."""
    return frame.set_geometry(frame.geometry.reverse()).iloc[::-1].reset_index(drop=True)


def without_ids(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    return frame.drop(columns=["id"], errors="ignore")


EDITS: dict[str, tuple[str, Edit]] = {
    "the same again": ("shp", lambda frame: frame),
    "GeoPackage": ("gpkg", lambda frame: frame),
    "GeoJSON in degrees": ("geojson", lambda frame: frame.to_crs(4326)),
    "UTM in metres": ("gpkg", lambda frame: frame.to_crs(26916)),
    "vertices and records turned": ("shp", turned),
    "ids dropped": ("shp", without_ids),
    "all at once": ("gpkg", lambda frame: without_ids(turned(frame)).to_crs(26916)),
}


@pytest.mark.parametrize("name", EDITS)
def test_everything_is_matched_again_after(name: str, tmp_path: Path) -> None:
    suffix, edit = EDITS[name]
    folders = written(tmp_path / "old", "shp"), written(tmp_path / "new", suffix, edit)
    checks = []
    for folder in folders:
        opened = sitemap.open_site(folder, crs=None if folder == folders[0] else "EPSG:6609")
        checks.append(sitemap.check_site(opened, now=NOW, select=["DST001", "BND001", "CON001"]))
    assert [f.rule for f in checks[0].findings] == ["DST001"]  # D-2 reaches over the boundary
    found = compare(*checks)
    assert [c.state for c in found.findings] == ["still there"]
    assert sum(la.old_count for la in found.layers) == 15
    assert {c.kind for c in found.changes} <= {"attributes"}
    dropped = [(f.name, f.new) for c in found.changes for f in c.fields]
    assert set(dropped) == ({("id", "")} if "id" in name or "all" in name else set())


def test_another_site_crs_is_brought_into_that_of_the_new(tmp_path: Path) -> None:
    folder = written(tmp_path / "old", "shp")
    checks = [
        sitemap.check_site(sitemap.open_site(folder, crs=crs), now=NOW, select=["DST001"])
        for crs in ("EPSG:7642", "EPSG:6609")  # Waukesha County, State Plane
    ]
    assert checks[0].site.crs != checks[1].site.crs
    found = compare(*checks)
    assert (found.changes, [c.state for c in found.findings]) == ((), ["still there"])
    assert found.crs_words.startswith("old submission brought in:")
