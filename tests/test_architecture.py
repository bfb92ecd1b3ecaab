"""ARCHITECTURE.md stays true; the command line stays light; the house rules on names hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

FORBIDDEN_NAMES = {"utils", "helpers", "common", "base", "manager"}
GEO_LIBRARIES = (
    "geopandas",
    "shapely",
    "pyogrio",
    "fiona",
    "rasterio",
    "pyproj",
    "numpy",
    "pandas",
    "matplotlib",
    "pikepdf",
    "pypdfium2",
)


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_top_level_module_and_package_is_named_on_the_page(root: Path, page: str) -> None:
    stops = page.split("## Import order", maxsplit=1)[0]
    names = {p.name for p in (root / "sitemap").glob("*.py")}
    names |= {f"{p.parent.name}/" for p in (root / "sitemap").glob("*/__init__.py")}
    missing = {name for name in names if f"`{name}`" not in stops}
    assert missing == set()


def test_every_module_named_on_the_page_exists(root: Path, page: str) -> None:
    named = set(re.findall(r"`([a-z_/]+\.py)`", page))
    assert named, "the page names no module"
    absent = {n for n in named if not (root / "sitemap" / n).exists() and not (root / n).exists()}
    assert absent == set()


def test_the_import_order_on_the_page_is_the_checked_contract(root: Path, page: str) -> None:
    written = next(line for line in page.splitlines() if line.startswith("`cli` >"))
    on_page = [{w.strip() for w in stop.strip("` ").split("|")} for stop in written.split(" > ")]
    contract = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contract["tool"]["importlinter"]["contracts"][0]["layers"]
    checked = [{w.strip() for w in layer.split("|")} for layer in layers]
    built = [{w for w in stop if not w.startswith("(")} for stop in checked]
    assert [stop for stop in built if stop] == on_page


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """Modules of ours that a file imports, anywhere in it, also only for types."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                found.add(inner if inner in modules else node.module)
    return found & modules


def test_no_modules_import_one_another_in_a_circle(root: Path) -> None:
    """The faces of packages are left out: they only hand on what their modules hold."""
    files = {
        ".".join(p.relative_to(root).with_suffix("").parts): p
        for p in (root / "sitemap").rglob("*.py")
        if p.name != "__init__.py"
    }
    graph = {name: imports_of(path, set(files)) - {name} for name, path in files.items()}
    assert len(graph["sitemap.check"]) > 3, "imports are seen at all"
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_no_module_is_named_for_nothing(root: Path) -> None:
    stems = {p.stem for p in (root / "sitemap").rglob("*.py")}
    assert stems & FORBIDDEN_NAMES == set()


def test_only_crs_knows_pyproj(root: Path) -> None:
    users = {
        p.relative_to(root / "sitemap").parts[0]
        for p in (root / "sitemap").rglob("*.py")
        if re.search(r"^\s*(import|from) pyproj", p.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert users == {"crs"}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--version"]])
def test_help_imports_no_geo_library(arguments: list[str]) -> None:
    code = (
        "import sys, sitemap.cli\n"
        f"sys.argv = ['sitemap', *{arguments!r}]\n"
        "try:\n    sitemap.cli.main()\nexcept SystemExit as stop:\n    assert not stop.code\n"
        f"print('LOADED', sorted(set(sys.modules) & set({GEO_LIBRARIES!r})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_no_path_of_a_machine_and_no_download_address_is_tracked(root: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    pattern = re.compile(r"https?://[^ \"')]+\.(whl|tgz|tar\.gz|deb)\b|/(home|root|Users)/\w+/")
    faults = []
    for name in filter(None, listed.stdout.split("\0")):
        path = root / name
        if path.suffix in {".ttf", ".tif", ".gpkg", ".shp", ".dbf", ".shx", ".png"}:
            continue
        if path == Path(__file__).resolve() or not path.is_file():
            continue
        if pattern.search(path.read_text(encoding="utf-8", errors="ignore")):
            faults.append(name)
    assert faults == []
