"""What to write in site.toml can be pasted as it stands."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from sitemap.intake.assemble import open_site
from sitemap.measures.cures import in_site_toml
from sitemap.site import Site
from tests.intake.makers import frame, points, write


def two_layers(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True)
    write(frame(), folder / "one.gpkg", layer="boundary")
    write(frame(points(3)), folder / "one.gpkg", layer="outfalls", mode="a")
    shutil.move(folder / "one.gpkg", folder / name)
    return folder


def said(site: Site, layer: str, keys: str) -> str:
    (own,) = (d for d in site.datasets if d.provenance.layer == layer)
    return in_site_toml(site, own.provenance, own.role, keys)


@pytest.mark.parametrize("name", ["site.gpkg", "Müller's 'final' #2.gpkg"])
def test_a_layer_among_several_is_named_with_its_layer(name: str, tmp_path: Path) -> None:
    home = two_layers(tmp_path / "in", name)
    words = said(open_site(home), "outfalls", 'crs = "EPSG:6609"')
    line = words.removeprefix("in site.toml (sitemap init makes it): [layers] ")
    (home / "site.toml").write_text(f"[layers]\n{line}\n", encoding="utf-8")
    assert tomllib.loads(line)["outfalls"]["path"] == name
    site = open_site(home / "site.toml")
    assert set(site.layers) == {"outfalls"}  # whence: sitemap init comes first
    assert said(site, "outfalls", "").startswith("in site.toml: [layers] outfalls = { path = ")


def test_a_file_of_one_layer_needs_its_path_only(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.shp")
    site = open_site(tmp_path)
    words = in_site_toml(site, site.datasets[0].provenance, None)
    assert words == 'in site.toml (sitemap init makes it): [layers] <role> = "boundary.shp"'
