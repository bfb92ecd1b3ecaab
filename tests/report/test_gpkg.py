"""findings.gpkg read back: geometry, attributes, counts, styles; QGIS opens it where installed."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree as ET
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyogrio
import pytest
import shapely

from sitemap.report import write
from sitemap.report.gpkg import COLUMNS, LAYERS, UNPLACED
from sitemap.report.styles import LOOKS, WAIVED, layer_style
from tests.report import faulty
from tests.tiny_site import X0, Y0


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gpkg") / "findings.gpkg"
    write(faulty.every_kind(), "gpkg", path)
    return path


def layer(file: Path, name: str) -> gpd.GeoDataFrame:
    return pyogrio.read_dataframe(file, layer=name)


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(query).fetchall()


def test_layers_are_there_in_the_site_crs(file: Path) -> None:
    names = pyogrio.list_layers(file)[:, 0].tolist()
    assert names == [*(name for name, _, _ in LAYERS.values()), UNPLACED, "layer_styles"]
    for name, _, _ in LAYERS.values():
        frame = layer(file, name)
        assert frame.crs.to_epsg() == 6609
        assert list(frame.columns) == [*COLUMNS, "geometry"]


def test_every_finding_is_in_it_and_severities_count_the_same(file: Path) -> None:
    checked = faulty.every_kind()
    found: dict[int, str] = {}
    for name in (*(n for n, _, _ in LAYERS.values()), UNPLACED):
        frame = layer(file, name)
        found.update(zip(frame["number"].tolist(), frame["severity"].tolist(), strict=True))
    assert found == {n: str(f.severity) for n, f in enumerate(checked.findings, start=1)}


def test_geometry_is_within_a_hundredth_of_a_foot(file: Path) -> None:
    areas = layer(file, "findings_areas").set_index("message").geometry
    square = shapely.box(X0 + 150, Y0 + 150, X0 + 250, Y0 + 250)
    assert areas["It is too big."].hausdorff_distance(square) < 0.01
    lines = layer(file, "findings_lines").set_index("message").geometry
    assert lines["a line is wrong"].hausdorff_distance(faulty.a_line(20, 50)) < 0.01
    assert set(areas.index) == {"It is too big.", "a bit of all", "let stand"}


def test_a_collection_stands_in_each_layer_under_one_number(file: Path) -> None:
    numbers = {
        frame.loc[frame["message"] == "a bit of all", "number"].item()
        for name, _, _ in LAYERS.values()
        for frame in (layer(file, name),)
    }
    assert len(numbers) == 1


def test_wild_geometry_is_a_point_at_its_place_and_none_is_a_row(file: Path) -> None:
    points = layer(file, "findings_points").set_index("message").geometry
    assert points["far out"].distance(shapely.Point(X0, Y0)) < 0.01
    table = layer(file, UNPLACED)
    assert table["message"].tolist() == ["owner is not stated"]
    assert table["how_to_fix"].tolist() == ["Make it smaller."]


def test_attributes_say_what_the_finding_says(file: Path) -> None:
    row = layer(file, "findings_lines").set_index("message").loc["a line is wrong"]
    assert row["measured"] == "10 ± 0.5 ft"
    assert (row["measured_value"], row["measured_unit"]) == (10.0, "ft")
    assert (row["limit"], row["limit_value"]) == ("at most 5 ft", 5.0)
    assert (row["clause"], row["citation"]) == ("contours", "§ 1(contours)")
    assert (row["source_file"], row["source_layer"], row["record"]) == (
        "contours.shp", "contours", 7,
    )  # fmt: skip
    assert "C-8" in row["related"]
    assert row["lon"] == pytest.approx(-88.13, abs=0.05)
    waived = layer(file, "findings_areas").set_index("message").loc["let stand"]
    assert waived["waiver"].startswith("old pond (City Engineer")
    assert waived["severity"] == "error"


def test_styles_are_found_by_the_query_that_qgis_asks(file: Path) -> None:
    for name, _, kind in LAYERS.values():
        (row,) = rows(
            file,
            "SELECT styleQML, useAsDefault FROM layer_styles WHERE f_table_schema='' AND "
            f"f_table_name='{name}' AND f_geometry_column='geom'",
        )
        assert row[1] == 1
        assert row[0] == layer_style(kind, {n: title for n, (_, title) in COLUMNS.items()})
    assert rows(file, "SELECT data_type FROM gpkg_contents WHERE table_name='layer_styles'") == [
        ("attributes",)
    ]
    assert set(rows(file, "SELECT table_name, column_name FROM gpkg_geometry_columns")) == {
        (name, "geom") for name, _, _ in LAYERS.values()
    }


def test_a_style_has_a_symbol_for_every_severity() -> None:
    for kind in ("marker", "line", "fill"):
        root = ET.fromstring(layer_style(kind, {"number": "No."}))  # type: ignore[arg-type]
        renderer = root.find("renderer-v2")
        assert renderer is not None
        categories = {c.get("value"): c.get("symbol") for c in renderer.iter("category")}
        assert set(categories) == {*(look.name for look in LOOKS.values()), WAIVED.name}
        symbols = {s.get("name"): s.get("type") for s in renderer.iter("symbol")}
        assert symbols == dict.fromkeys(categories.values(), kind)


def test_no_severity_is_told_by_colour_alone() -> None:
    looks = [*LOOKS.values(), WAIVED]
    for trait in ("marker", "pen", "brush", "label", "ink"):
        assert len({getattr(look, trait) for look in looks}) == len(looks)


def test_no_clock_is_in_the_file(file: Path) -> None:
    dates = rows(file, "SELECT last_change FROM gpkg_contents")
    assert set(dates) == {("2026-05-04T00:00:00.000Z",)}
    assert set(rows(file, "SELECT update_time FROM layer_styles")) == {
        ("2026-05-04T00:00:00.000Z",)
    }
    assert pyogrio.get_gdal_config_option("OGR_CURRENT_DATE") is None


def test_the_database_is_sound_and_indexed(file: Path) -> None:
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]
    assert rows(file, "PRAGMA foreign_key_check") == []
    extensions = rows(file, "SELECT table_name FROM gpkg_extensions")
    assert {name for name, _, _ in LAYERS.values()} <= {row[0] for row in extensions}


def test_hostile_names_are_only_values(tmp_path: Path) -> None:
    path = tmp_path / "findings.gpkg"
    checked = faulty.hostile()
    write(checked, "gpkg", path)
    areas = layer(path, "findings_areas")
    assert len(areas) == len(checked.findings)
    ids = set(areas["user_id"])
    assert {"<script>alert(1)</script>", "=cmd|' /C calc'!A0", "]]><x/>"} <= ids
    assert any(len(value) > 40_000 for value in ids)  # a layer has room for all of it
    assert len(rows(path, "SELECT * FROM layer_styles")) == 3


def test_a_site_without_findings_or_crs_is_written_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "findings.gpkg"
    write(faulty.clean(), "gpkg", path)
    assert [len(layer(path, name)) for name, _, _ in LAYERS.values()] == [0, 0, 0]
    checked = faulty.every_kind()
    write(replace(checked, site=replace(checked.site, crs=None)), "gpkg", path)
    assert len(layer(path, "findings_areas")) == 3


READ_BY_QGIS = """
import sys
from qgis.core import QgsApplication, QgsVectorLayer
app = QgsApplication([], False)
app.initQgis()
for name in sys.argv[2:]:
    layer = QgsVectorLayer(sys.argv[1] + "|layername=" + name, name, "ogr")
    renderer = layer.renderer()
    print(name, layer.isValid(), layer.featureCount(), renderer.type(), len(renderer.categories()),
          layer.labelsEnabled(), layer.crs().authid(), flush=True)
    del renderer, layer  # QGIS stops with a fault where a layer outlives it
app.exitQgis()
"""


def test_qgis_opens_it_styled(file: Path) -> None:
    python = shutil.which("python3", path="/usr/bin")
    probe = python and subprocess.run(
        [python, "-c", "import qgis.core"], capture_output=True, check=False
    )
    if not python or not probe or probe.returncode != 0:
        pytest.skip("QGIS is not installed (Debian: python3-qgis)")
    names = [name for name, _, _ in LAYERS.values()]
    done = subprocess.run(
        [python, "-c", READ_BY_QGIS, str(file), *names],
        capture_output=True,
        text=True,
        env={"QT_QPA_PLATFORM": "offscreen", "PATH": "/usr/bin:/bin"},
        check=True,
        timeout=120,
    )
    counts = [len(layer(file, name)) for name in names]
    assert done.stdout.splitlines() == [
        f"{name} True {count} categorizedSymbol 4 True EPSG:6609"
        for name, count in zip(names, counts, strict=True)
    ]


def test_numbers_stay_numbers(file: Path) -> None:
    frame = layer(file, "findings_points")
    assert frame["number"].dtype.kind == "i"
    assert np.issubdtype(frame["x_ft"].dtype, np.floating)
