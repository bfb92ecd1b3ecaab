"""`sitemap fix`: what is mended on request only, and what is proposed and never merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyogrio
import pytest
import shapely
from shapely.geometry import LineString

from sitemap.intake.assemble import open_site
from tests.clean_ground import EAST_FT, at, rectangle
from tests.repair.on_disk import (
    DATA_RULES,
    SURVEY_FOOT,
    bow_tie,
    copy_of,
    fixed,
    one,
    preview,
    rules,
    spike,
    write_site,
)

# ------------------------------------------------------------------------------- unsafe repairs


def test_an_outline_is_rebuilt_only_on_request(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", {"wetlands": spike}, toml=DATA_RULES)
    safe = preview(submission)
    assert [c for c in safe.repairs.changes if c.kind == "outline rebuilt"] == []
    assert safe.further_unsafe == 1
    account = fixed(submission, tmp_path / "out", unsafe=True)
    change = one(account, "outline rebuilt")
    assert change.made
    assert change.acres_before == pytest.approx(140 * 60 / 43560, rel=SURVEY_FOOT)
    assert change.acres_after == pytest.approx(140 * 60 / 43560, rel=SURVEY_FOOT)
    assert account.comparison is not None
    assert "GEO001" in rules(account.comparison.gone)
    assert copy_of(tmp_path / "out").layers["wetlands"].frame.geometry.is_valid.all()


def test_a_rebuild_that_would_change_disturbed_acres_is_refused(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", {"disturbance": bow_tie}, toml=DATA_RULES)
    account = fixed(submission, tmp_path / "out", unsafe=True)
    change = one(account, "outline rebuilt")
    assert not change.made
    assert "disturbed acres of this feature would change by +1.3774 acres" in change.refused
    assert account.comparison is not None
    assert "GEO001" in rules(tuple(after for _, after in account.comparison.stayed))
    shape = copy_of(tmp_path / "out").layers["disturbance"].frame.geometry.iloc[0]
    assert shape.equals_exact(open_site(submission).layers["disturbance"].frame.geometry.iloc[0])


def test_the_same_bow_tie_of_vegetation_is_rebuilt_with_both_areas(tmp_path: Path) -> None:
    def tie(columns: dict[str, Any]) -> None:
        bow_tie(columns)
        columns["cover"] = ["woods"]

    submission = write_site(tmp_path / "in", {"vegetation": tie}, toml=DATA_RULES)
    change = one(preview(submission, unsafe=True), "outline rebuilt")
    assert change.made
    assert change.acres_before == pytest.approx(0.0, abs=1e-9)
    assert change.acres_after == pytest.approx(400 * 300 / 2 / 43560, rel=SURVEY_FOOT)


def test_slivers_beyond_the_boundary_are_cut_and_real_ground_is_not(tmp_path: Path) -> None:
    def sliver(columns: dict[str, Any]) -> None:
        columns["geometry"] = [rectangle(-0.2, 200, 400, 500)]
        columns["acres"] = [round(400 * 300 / 43560, 2)]

    submission = write_site(tmp_path / "in", {"disturbance": sliver}, toml=DATA_RULES)
    account = fixed(submission, tmp_path / "out", unsafe=True)
    change = one(account, "clipped")
    assert change.made
    cut = change.acres_before - change.acres_after
    assert cut == pytest.approx(0.2 * 300 / 43560, rel=SURVEY_FOOT)
    shape = copy_of(tmp_path / "out").layers["disturbance"].frame.geometry.iloc[0]
    assert shape.bounds[0] == pytest.approx(EAST_FT)

    def beyond(columns: dict[str, Any]) -> None:
        columns["geometry"] = [rectangle(-5, 200, 400, 500)]

    other = write_site(tmp_path / "other", {"disturbance": beyond}, toml=DATA_RULES)
    assert [c for c in preview(other, unsafe=True).repairs.changes if c.kind == "clipped"] == []


def test_a_clip_that_eats_acres_is_refused(tmp_path: Path) -> None:
    """Forty strips of 0.4 ft: each is a sliver, together they are ground."""

    def comb(columns: dict[str, Any]) -> None:
        columns["geometry"] = [rectangle(-0.45, 0, 60, 600)]

    submission = write_site(tmp_path / "in", {"disturbance": comb}, toml=DATA_RULES)
    change = one(preview(submission, unsafe=True), "clipped")
    assert not change.made  # 270 sq ft of 36,270: more than 0.1 %
    assert "disturbed acres" in change.refused


def test_an_outfall_near_its_stream_is_moved_onto_it(tmp_path: Path) -> None:
    def near(columns: dict[str, Any]) -> None:
        stream = LineString([(-100, 40), (300, 30), (900, 20)])
        on_it = stream.interpolate(400.0)
        columns["geometry"] = [at(shapely.Point(on_it.x, on_it.y + 12.0))]

    submission = write_site(tmp_path / "in", {"outfalls": near}, toml=DATA_RULES, also=("streams",))
    account = preview(submission, unsafe=True)
    change = one(account, "snapped")
    assert change.made
    assert "12.00 ft" in change.words
    snapped = next(x for x in account.repairs.layers if x.role == "outfalls").frame.geometry.iloc[0]
    stream = open_site(submission).layers["streams"].frame.geometry.iloc[0]
    assert snapped.distance(stream) < 1e-6


# ------------------------------------------------------------------------------------ proposals


def test_missing_fence_and_cover_are_proposed_and_never_merged(tmp_path: Path) -> None:
    def no_fence(columns: dict[str, Any]) -> None:
        kept = [kind not in ("SF", "SB", "ST") for kind in columns["type"]]
        for name, values in columns.items():
            columns[name] = [v for v, keep in zip(values, kept, strict=True) if keep]

    def half_covered(columns: dict[str, Any]) -> None:
        for name, values in columns.items():
            columns[name] = values[:1]
        columns["geometry"] = [rectangle(150, 300, 550, 350)]

    submission = write_site(
        tmp_path / "in",
        {"controls": no_fence, "revegetation": half_covered},
        toml={"check": {"select": ["SUB", "GEO", "DST006"]}},
        also=("stabilization", "infiltration"),
    )
    account = fixed(submission, tmp_path / "out")
    fences = [p for p in account.repairs.proposals if p.rule == "BMP011"]
    assert fences
    # the ground falls to the south: all of the south edge, at y = 200 ft, and nothing of the north
    south = at(LineString([(150, 200), (550, 200)]))
    assert sum(p.geometry.length for p in fences) == pytest.approx(south.length, rel=0.1)
    assert all(p.geometry.hausdorff_distance(p.geometry.intersection(south.buffer(1))) < 60
               for p in fences)  # fmt: skip
    bare = [p for p in account.repairs.proposals if p.rule == "DST006"]
    assert bare
    assert all("needs revegetation" in p.reason for p in bare)
    lines = pyogrio.read_dataframe(tmp_path / "out" / "proposals.gpkg", layer="proposals_line")
    assert set(lines["geometry_kind"]) == {"proposal"}
    copy = copy_of(tmp_path / "out")
    assert len(copy.layers["controls"]) == len(open_site(submission).layers["controls"])
    assert "proposals" not in (tmp_path / "out" / "site.toml").read_text()


def test_missing_grid_cells_get_the_labels_of_the_series(tmp_path: Path) -> None:
    def cut(columns: dict[str, Any]) -> None:
        keep = [label for label in columns["label"] if not label.startswith("K") and label != "C4"]
        shapes = dict(zip(columns["label"], columns["geometry"], strict=True))
        columns["label"], columns["geometry"] = keep, [shapes[label] for label in keep]

    whole: dict[str, Any] = {}

    def note(columns: dict[str, Any]) -> None:
        whole.update(zip(columns["label"], columns["geometry"], strict=True))
        cut(columns)

    submission = write_site(
        tmp_path / "in", {"grid": note}, toml={"check": {"select": ["GEO", "GRD002"]}}
    )
    account = fixed(submission, tmp_path / "out")
    proposed = {
        p.values.get("label"): p.geometry for p in account.repairs.proposals if p.rule == "GRD002"
    }
    assert "C4" in proposed
    for label, cell in proposed.items():
        assert label is not None
        assert cell.equals(shapely.set_precision(whole[label], 0.0)), label
