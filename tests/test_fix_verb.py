"""`sitemap fix` as a verb: the folder it writes, --diff, what it says and takes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import shapely
from typer.testing import CliRunner

from sitemap import load_ordinances
from sitemap.cli import app
from sitemap.errors import UsageError
from sitemap.fix import fix_site
from sitemap.intake.assemble import open_site
from sitemap.repair.account import SHOWN, to_text
from tests.clean_ground import NOW, rectangle
from tests.repair.on_disk import (
    DATA_RULES,
    bow_tie,
    copy_of,
    fixed,
    one,
    preview,
    rules,
    spike,
    sums,
    write_site,
)

# ------------------------------------------------------------------ the folder, the command line


def test_the_copy_never_lies_in_the_submission_or_over_something(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    site = open_site(submission)
    packs = load_ordinances(None, site)
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    for out, words in (
        (submission / "repaired", "inside the submission"),
        (submission, "inside the submission"),
        (full, "not an empty folder"),
        (tmp_path / "no" / "such", "does not exist"),
    ):
        with pytest.raises(UsageError, match=words):
            fix_site(site, packs, out, submission=submission, now=NOW)
    with pytest.raises(UsageError, match="inside the submission"):
        fix_site(site, packs, submission / "x", submission=submission / "site.toml", now=NOW)
    assert (full / "mine.txt").read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["full", "in"]  # nothing half-made


def test_diff_shows_each_feature_and_writes_nothing(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", {"disturbance": bow_tie}, toml=DATA_RULES)
    before = sums(tmp_path)
    run = CliRunner().invoke(
        app, ["fix", str(submission), "--diff", "--unsafe", "--now", "2026-05-04"]
    )
    assert run.exit_code == 0, run.output
    assert "outline rebuilt (unsafe;" in run.stdout
    assert "disturbance.shp, id D-1, record 0" in run.stdout
    assert "REFUSED: disturbed acres" in run.stdout
    assert sums(tmp_path) == before


def test_the_verb_writes_and_says_where(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", {"wetlands": spike}, toml=DATA_RULES)
    out = tmp_path / "out"
    run = CliRunner().invoke(
        app, ["fix", str(submission), "-o", str(out), "--unsafe", "--now", "2026-05-04", "-q"]
    )
    assert run.exit_code == 0, run.output
    assert "outline rebuilt" in run.stdout
    assert f"sitemap check {out / 'site.toml'}" in run.stdout
    assert {p.name for p in out.iterdir()} >= {"repaired.gpkg", "site.toml", "repairs.json"}
    assert CliRunner().invoke(app, ["fix", str(submission)]).exception is not None


def test_what_cannot_be_read_is_said_to_be_missing_from_the_copy(tmp_path: Path) -> None:
    submission = write_site(tmp_path / "in", toml=DATA_RULES)
    (submission / "extra.dwg").write_bytes(b"AC1032" + b"\0" * 100)
    account = fixed(submission, tmp_path / "out")
    assert any(words.startswith("extra.dwg") for words in account.repairs.left_out)
    assert account.comparison is not None
    assert "SUB002" in rules(account.comparison.left_out)
    assert "SUB002" not in rules(account.comparison.gone)


def test_a_change_that_leads_to_a_new_finding_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made certain by a rebuild that throws the wetland across the map."""
    from sitemap.repair import unsafe
    from sitemap.repair.geometry import Rebuilt

    def thrown(geometry: Any) -> Rebuilt:
        far = shapely.transform(shapely.make_valid(geometry), lambda xy: xy + 40_000.0)
        return Rebuilt(far, geometry.area, geometry.area)

    monkeypatch.setattr(unsafe, "rebuild", thrown)
    submission = write_site(tmp_path / "in", {"wetlands": spike}, toml=DATA_RULES)
    account = fixed(submission, tmp_path / "out", unsafe=True)  # no new finding is left
    assert "taken back" in one(account, "outline rebuilt").refused
    shape = copy_of(tmp_path / "out").layers["wetlands"].frame.geometry.iloc[0]
    assert shape.distance(rectangle(560, 60, 700, 120)) < 1.0


def test_diff_shows_every_feature_and_a_copy_the_first_of_many(tmp_path: Path) -> None:
    """Without a copy there is no repairs.json that could list the rest."""

    def repeated(columns: dict[str, Any]) -> None:
        boxes = [rectangle(x, 10, x + 5, 15) for x in range(0, 400, 10)]
        corners = [list(box.exterior.coords) for box in boxes]
        columns["geometry"] = [shapely.Polygon([ring[0], *ring]) for ring in corners]
        for name in set(columns) - {"geometry"}:
            columns[name] = [columns[name][0]] * len(boxes)

    submission = write_site(tmp_path / "in", {"wetlands": repeated}, toml=DATA_RULES)
    shown = to_text(preview(submission))
    assert shown.count("repeated vertex left out") == 40
    assert "repairs.json" not in shown
    said = to_text(fixed(submission, tmp_path / "out"))
    assert said.count("repeated vertex left out") == SHOWN
    assert "and 15 more; repairs.json lists all" in said
