"""site.toml: what is read, and that a fault names file, key, what was found, what is accepted."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from sitemap.errors import ConfigurationError
from sitemap.project import load_project


def written(folder: Path, text: str) -> Path:
    path = folder / "site.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_role_may_be_a_path_a_list_or_tables(tmp_path: Path) -> None:
    project = load_project(
        written(
            tmp_path,
            """
            [layers]
            boundary = "gis/boundary.shp"
            roads = ["a.shp", { path = "b.gpkg", layer = "lanes" }]
            [layers.contours_existing]
            path = "topo.shp"
            unit = "m"
            fields = { elevation = "Z_VAL" }
            [[layers.streams]]
            path = "s1.shp"
            [[layers.streams]]
            path = "s2.shp"
            """,
        )
    )
    assert [entry.path for entry in project.layers["boundary"]] == ["gis/boundary.shp"]
    assert [(e.path, e.layer) for e in project.layers["roads"]] == [
        ("a.shp", None),
        ("b.gpkg", "lanes"),
    ]
    contours = project.layers["contours_existing"][0]
    assert (contours.unit, contours.fields) == ("m", {"elevation": "Z_VAL"})
    assert [entry.path for entry in project.layers["streams"]] == ["s1.shp", "s2.shp"]


def test_facts_dates_and_declarations(tmp_path: Path) -> None:
    project = load_project(
        written(
            tmp_path,
            """
            ordinance = "muskego"
            [project]
            name = "Kettle"
            start = 2026-05-01
            site_acres = 25
            [plate]
            scale = 50
            [declared_none.streams]
            by = "A. Vale, P.E."
            source = "field walk"
            date = 2026-04-02
            """,
        )
    )
    assert project.project.start == dt.date(2026, 5, 1)
    assert project.project.site_acres == 25.0
    assert project.plate.scale == 50
    assert project.declared_none["streams"].date == dt.date(2026, 4, 2)
    assert project.path == tmp_path / "site.toml"


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("[project]\nownr = 'x'", "project.ownr", ["did you mean owner?", "receiving_water"]),
        ("[project]\nstart = 'soon'", "project.start", ["'soon'", "2026-05-01"]),
        ("[project]\nsite_acres = -1", "project.site_acres", ["-1", "greater than 0"]),
        ("[project]\nname = 7", "project.name", ["7", "text in quotes"]),
        (
            "[declared_none.streams]\nby = 'x'\ndate = 2026-01-01",
            "declared_none.streams.source",
            ["is missing", "by, source, date"],
        ),
        (
            "[declared_none.streams]\nby = ' '\nsource = 'walk'\ndate = 2026-01-01",
            "declared_none.streams.by",
            ["is empty"],
        ),
        (
            "[[waivers]]\nrule = 'DOC001'\nreason = ''\nauthority = 'x'\ndate = 2026-01-01",
            "waivers.reason",
            ["is empty"],
        ),
        ("[layers.roads]\nlayer = 'x'", "layers.roads.path", ["is missing", "path"]),
        ("[layers]\nroads = 5", "layers.roads", ["found 5", "a path in quotes"]),
        ("[layers]\nroads = ['a.shp', 5]", "layers.roads (entry 2)", ["a path in quotes"]),
        ("[plate]\nscale = 'big'", "plate.scale", ["'big'", "accepted: a number or 'auto'"]),
        ("[plate]\nrotation = 500", "plate.rotation", ["number of at most 180 or 'auto', 'up'"]),
        ("[project]\nsite_acres = inf", "project.site_acres", ["a finite number"]),
        ("[check]\nselect = 5", "check.select", ["a list in square brackets"]),
        (
            "[[plate.revisions]]\nmark = 'A'\ndate = 'x'\nwords = 'y'\n"
            "[[plate.revisions]]\nmark = 'B'\nwords = 'y'",
            "plate.revisions (entry 1).date",
            ["a date such as", "And 1 more: plate.revisions (entry 2).date"],
        ),
        ("wishes = 1", "wishes", ["no such key", "declared_none", "layers"]),
    ],
)
def test_a_fault_names_key_found_and_accepted(
    tmp_path: Path, text: str, key: str, words: list[str]
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigurationError) as caught:
        load_project(path)
    assert caught.value.path == str(path)
    assert caught.value.key.startswith(key)
    for word in words:
        assert word in str(caught.value)


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="line 2"):
        load_project(written(tmp_path, "[project]\nname = Kettle\n"))


def test_a_file_from_notepad_with_a_mark_and_one_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_bytes(b"\xef\xbb\xbf[project]\nname = 'K'\n")
    assert load_project(path).project.name == "K"
    path.write_bytes("[project]\nname = 'Chiên'\n".encode("cp1252"))
    with pytest.raises(ConfigurationError, match="save it as UTF-8"):
        load_project(path)


def test_an_empty_site_toml_is_an_empty_project(tmp_path: Path) -> None:
    project = load_project(written(tmp_path, ""))
    assert project.layers == {}
    assert project.project.name is None


def test_an_archived_site_toml_is_shown_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"sub\.zip/site\.toml"):
        load_project(written(tmp_path, "x = 1"), "sub.zip/site.toml")
