"""make rule and make layer write files that load, and never over one that is there."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from sitemap.catalogue import load_catalogue
from sitemap.rules import RULES
from sitemap.rules.rule import PAGE_HEADINGS, Rule


def _skeleton(root: Path, checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / "docs" / "skeleton.py", *arguments, "--root", checkout],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """The folders that the skeletons go into, with the rules that exist."""
    for folder in ("sitemap/rules", "tests/rules", "layers"):
        (tmp_path / folder).mkdir(parents=True)
    for source in (root / "sitemap" / "rules").glob("*.py"):
        (tmp_path / "sitemap" / "rules" / source.name).write_bytes(source.read_bytes())
    return tmp_path


def test_a_rule_gets_the_next_number_of_its_family_and_a_whole_page(
    root: Path, checkout: Path
) -> None:
    done = _skeleton(root, checkout, "rule", "contours_wander")
    assert done.returncode == 0, done.stderr
    path = checkout / "sitemap" / "rules" / "contours_wander.py"
    spec = importlib.util.spec_from_file_location("contours_wander", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Rule = module.contours_wander
    used = {int(r.code[3:]) for r in RULES if r.code.startswith("CON")}
    assert made.code == f"CON{max(used) + 1:03d}"
    assert all(f"\n{heading}\n" in made.page for heading in PAGE_HEADINGS)
    assert (checkout / "tests" / "rules" / "test_contours_wander.py").exists()
    assert "make docs check" in done.stdout


def test_a_layer_s_toml_is_read_by_the_catalogue(root: Path, checkout: Path) -> None:
    import tomllib

    from sitemap.catalogue import LayerSpec

    assert _skeleton(root, checkout, "layer", "retaining_walls").returncode == 0
    text = (checkout / "layers" / "retaining_walls.toml").read_text(encoding="utf-8")
    spec = LayerSpec.model_validate(tomllib.loads(text))
    assert (spec.role, spec.title) == ("retaining_walls", "Retaining walls")
    assert "retaining_walls" not in load_catalogue()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rule", "purple_cows"], "give FAMILY="),
        (["rule", "Contours-Wander"], "lower_case_words"),
        (["rule", "contours_cross"], "exists already"),
    ],
)
def test_what_cannot_be_written_is_said(
    root: Path, checkout: Path, arguments: list[str], words: str
) -> None:
    done = _skeleton(root, checkout, *arguments)
    assert done.returncode == 2
    assert words in done.stderr
