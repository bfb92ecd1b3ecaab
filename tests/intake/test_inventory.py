"""The inventory and the proposed site.toml of what was opened."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import shapely

from sitemap.catalogue import load_catalogue
from sitemap.intake.assemble import open_site
from sitemap.intake.oddities import ODDITIES, numbered, odd
from sitemap.intake.propose import propose_site_toml
from sitemap.project import load_project
from sitemap.report.inventory import json_schema, to_dict, to_json, to_text
from tests.intake.makers import X0, Y0, frame, square, write, zipped

LINE = shapely.LineString([(X0, Y0), (X0 + 500, Y0)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as engineers send it: two roads, a doubt, a lie, a lost .prj, a table."""
    home = tmp_path / 'Lot 5 "A"'
    write(frame([square(), None], name=["Lot 5", "?"]), home / "boundary.shp")
    write(frame([LINE], name=["Elm"]), home / "roads_a.gpkg", layer="roads")
    write(frame([LINE], name=["Oak"]), home / "gis" / "roads_b.shp")
    write(frame([LINE], GROUND_ELE=[840.0]).to_crs(3069), home / "existing_contours.shp")
    write(frame(), home / "wetlands.shp")
    (home / "wetlands.prj").unlink()
    write(frame([shapely.box(0, 0, 1, 1)], what=["?"]), home / "xyz.gpkg", layer="xyz")
    (home / "stream.geojson").write_text("<html>404</html>")
    (home / "notes.txt").write_text("hello")
    return home


def test_text_says_each_thing_within_100_columns(folder: Path) -> None:
    text = to_text(open_site(folder))
    for words in (
        "boundary.shp  ->  boundary",
        "2 read, 1 null, 0 lost: Polygon 1",
        "NAD83(2011) / Wisconsin South (ftUS) (EPSG:6609), stated by the file",
        "unit ftUS",
        "elevation = GROUND_ELE",
        "elevation: not stated, taken as ft",
        "North American Datum 1927",
        "xyz.gpkg  ->  no role",
        "CRS       not stated",
        "stream.geojson: this is a web page",
        "notes.txt",
        "encoding  utf-8",
    ):
        assert words in text, words
    assert all(len(line) <= 100 for line in text.splitlines())


def test_json_keeps_to_its_schema(folder: Path) -> None:
    site = open_site(folder)
    document = to_dict(site)
    jsonschema.validate(document, json_schema(), jsonschema.Draft202012Validator)
    boundary = document["datasets"][0]
    assert (boundary["role"], boundary["features_null"]) == ("boundary", 1)
    assert boundary["crs"]["code"] == "EPSG:6609"
    assert to_json(site) == to_json(open_site(folder))  # the same bytes each time


def test_an_empty_submission_has_an_inventory(tmp_path: Path) -> None:
    site = open_site(tmp_path)
    assert "0 datasets" in to_text(site)
    jsonschema.validate(to_dict(site), json_schema(), jsonschema.Draft202012Validator)


def test_invalid_rings_are_counted_by_reason(tmp_path: Path) -> None:
    bow_tie = shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    shapes = [shapely.affinity.translate(bow_tie, X0, Y0), square()]
    text = to_text(open_site(write(frame(shapes, name=["a", "b"]), tmp_path / "boundary.gpkg")))
    assert "1 of 2 features are invalid: Self-intersection 1; record 0" in text


def test_names_cannot_steer_a_terminal(tmp_path: Path) -> None:
    write(frame(**{"na\x1b[31mme": ["x"]}), tmp_path / "a.gpkg")
    assert "\x1b" not in to_text(open_site(tmp_path))


def test_the_proposal_reads_back_to_the_same_site(folder: Path) -> None:
    first = open_site(folder)
    (folder / "site.toml").write_text(propose_site_toml(first, folder), encoding="utf-8")
    second = open_site(folder)
    assert {r: len(v) for r, v in first.layers.items()} == {
        r: len(v) for r, v in second.layers.items()
    }
    assert first.crs == second.crs
    named = {d.provenance.file: d.choice.field_map for d in second.datasets if d.role}
    assert named == {d.provenance.file: d.choice.field_map for d in first.datasets if d.role}


def test_the_proposal_gives_reasons_and_leaves_doubts_out(folder: Path) -> None:
    text = propose_site_toml(open_site(folder))
    assert "# file name says 'boundary'" in text
    assert '# [[layers.ROLE]]\n# path = "xyz.gpkg"' in text
    assert "# [declared_none.floodplain]" in text
    assert "MISSING: disturbance" in text
    assert '# crs = "EPSG:..."' in text
    for spec in load_catalogue().specs:
        if spec.presence == "declarable":
            assert f"layers.{spec.role}]]" in text or f"declared_none.{spec.role}]" in text


def test_two_claims_on_one_role_are_commented_out(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.shp")
    write(frame(), tmp_path / "boundary_old.shp")
    text = propose_site_toml(open_site(tmp_path))
    assert "2 datasets claim this role" in text
    (tmp_path / "p.toml").write_text(text, encoding="utf-8")
    assert load_project(tmp_path / "p.toml").layers == {}


def test_a_proposal_for_an_archive_is_saved_beside_it(tmp_path: Path) -> None:
    write(frame(), tmp_path / "in" / "boundary.shp")
    (tmp_path / "sub").mkdir()
    archive = zipped(tmp_path / "in", tmp_path / "sub" / "s.zip")
    text = propose_site_toml(open_site(archive), tmp_path)
    (tmp_path / "site.toml").write_text(text, encoding="utf-8")
    site = open_site(tmp_path / "site.toml")
    assert set(site.layers) == {"boundary"}
    assert 'path = "sub/s.zip/boundary.shp"' in text


def test_kinds_of_oddities_are_listed() -> None:
    with pytest.raises(KeyError):
        odd("no such kind", "words")
    assert all((meaning and meaning[0].islower()) or meaning[0].isdigit() or meaning.startswith(".")
               for meaning in ODDITIES.values())  # fmt: skip
    assert numbered(list(range(12))) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"


def test_what_site_toml_says_already_stays_in_the_proposal(folder: Path) -> None:
    """Units, sources and days of the layers, and the heights of the map."""
    toml = folder / "site.toml"
    toml.write_text(
        '[map]\nvertical_datum = "NAVD88"\nvertical_unit = "m"\ncontour_interval_ft = 2\n'
        '[layers]\nboundary = { path = "boundary.shp", unit = "ft", source = "survey", '
        'date = "May 2026" }\n',
        encoding="utf-8",
    )
    again = folder / "again.toml"
    again.write_text(propose_site_toml(open_site(toml), folder), encoding="utf-8")
    before, after = load_project(toml), load_project(again)
    assert after.map.vertical_datum == "NAVD88"
    assert (after.map.vertical_unit, after.map.contour_interval_ft) == ("m", 2.0)
    (old,), (new,) = before.layers["boundary"], after.layers["boundary"]
    assert (new.unit, new.source, new.date) == (old.unit, old.source, old.date)
