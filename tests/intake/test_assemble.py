"""open_site: roles, fields, units and the one CRS in feet; nothing guessed, everything said."""

from __future__ import annotations

from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import shapely

from sitemap.crs import crs_code, parse_crs, to_crs
from sitemap.errors import ConfigurationError, CrsError, SitemapError
from sitemap.intake.assemble import open_site
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID
from tests.intake.makers import X0, Y0, frame, kinds, points, square, words, write, zipped

FT_PER_M = 1 / 0.3048
LINE = shapely.LineString([(X0, Y0), (X0 + 500, Y0)])


def contours(**columns: object) -> gpd.GeoDataFrame:
    count = len(next(iter(columns.values())))  # type: ignore[arg-type]
    lines = [shapely.LineString([(X0, Y0 + 9 * i), (X0 + 500, Y0 + 9 * i)]) for i in range(count)]
    return frame(lines, **columns)


def moved(data: gpd.GeoDataFrame, code: int) -> gpd.GeoDataFrame:
    """In another CRS by our own operation: geopandas takes a coarser one between NAD83s."""
    return to_crs(data, parse_crs(f"EPSG:{code}"))[0]


def toml(folder: Path, text: str) -> Path:
    path = folder / "site.toml"
    path.write_text(text, encoding="utf-8")
    return path


# ------------------------------------------------------------------------- roles and columns


def test_roles_are_inferred_with_reasons_and_columns_are_canonical(tmp_path: Path) -> None:
    write(frame(LotName=["Lot 5"]), tmp_path / "boundary.shp")
    write(contours(GROUND_ELE=[840.0, 842.0]), tmp_path / "existing_contours.shp")
    write(frame(what=["?"]), tmp_path / "xyz.shp")
    site = open_site(tmp_path)
    assert set(site.layers) == {"boundary", "contours_existing"}
    layer = site.layers["contours_existing"]
    assert list(layer.frame["elevation"]) == [840.0, 842.0]
    assert list(layer.frame[SOURCE_FILE]) == ["existing_contours.shp"] * 2
    assert list(layer.frame[SOURCE_LAYER]) == ["existing_contours"] * 2
    assert list(layer.frame[SOURCE_FID]) == [0, 1]
    assert layer.frame["kind"].isna().all()
    assert all(d.choice.reason for d in site.datasets)
    stranger = next(d for d in site.datasets if d.provenance.file == "xyz.shp")
    assert (stranger.role, stranger.spec) == (None, None)


def test_a_multipoint_of_one_is_the_point_that_it_is(tmp_path: Path) -> None:
    """As GeoPackages keep points; several points of one feature stay together."""
    one, two = shapely.MultiPoint([(X0, Y0)]), shapely.MultiPoint([(X0, Y0), (X0 + 9, Y0)])
    write(frame([one, two], id=["OF-1", "OF-2"]), tmp_path / "outfalls.gpkg", layer="outfalls")
    kept = open_site(tmp_path).layers["outfalls"].frame.geometry
    assert [shape.geom_type for shape in kept] == ["Point", "MultiPoint"]
    assert kept.iloc[0].distance(shapely.Point(X0, Y0)) < 0.01


def test_several_datasets_of_one_role_are_merged_with_their_sources(tmp_path: Path) -> None:
    write(frame([LINE], name=["Elm"]), tmp_path / "roads_a.gpkg", layer="roads")
    write(frame([LINE, LINE], ROAD_NAME=["Oak", None]), tmp_path / "roads_b.shp")
    layer = open_site(tmp_path).layers["roads"]
    assert list(layer.frame["name"]) == ["Elm", "Oak", None]
    assert [m.provenance.file for m in layer.members] == ["roads_a.gpkg", "roads_b.shp"]


def test_what_programs_write_for_nothing_is_no_name(tmp_path: Path) -> None:
    names = ["nan", "None", "<Null>", " NULL ", "Nan", "Oak"]
    write(frame([LINE] * len(names), ROAD_NAME=names), tmp_path / "roads.shp")
    layer = open_site(tmp_path).layers["roads"]
    assert list(layer.frame["name"]) == [None, None, None, None, "Nan", "Oak"]


def test_two_files_for_a_role_of_one_are_both_kept(tmp_path: Path) -> None:
    write(frame([square(100)]), tmp_path / "boundary.shp")
    write(frame([square(120)]), tmp_path / "boundary_old.shp")
    layer = open_site(tmp_path).layers["boundary"]
    assert len(layer.members) == 2
    assert len(layer.frame) == 2


def test_null_and_empty_geometries_stay_for_the_rules_to_name(tmp_path: Path) -> None:
    shapes = [square(), None, shapely.Polygon()]
    layer = open_site(write(frame(shapes, name=list("abc")), tmp_path / "boundary.gpkg")).layers[
        "boundary"
    ]
    assert len(layer.frame) == 3
    assert len(layer.usable) == 1


def test_the_users_id_is_text_without_decimals(tmp_path: Path) -> None:
    data = frame(points(2), inlet_id=[1.0, 2.0])
    layer = open_site(write(data, tmp_path / "storm_inlets.gpkg")).layers["inlets"]
    assert list(layer.frame[USER_ID]) == ["1", "2"]


def test_a_file_named_for_a_type_gives_all_its_features_that_type(tmp_path: Path) -> None:
    layer = open_site(write(frame([LINE], n=[1]), tmp_path / "silt_fence.shp")).layers["controls"]
    assert list(layer.frame["type"]) == ["SF"]


# ------------------------------------------------------------------------- numbers and units


@pytest.mark.parametrize(
    ("columns", "unit", "levels", "how"),
    [
        ({"elev_ft": [840.0, 842.0]}, None, [840.0, 842.0], "column name elev_ft"),
        ({"elev_m": [256.032, 256.6416]}, None, [840.0, 842.0], "column name elev_m"),
        ({"elev": [256.032, 256.6416]}, "m", [840.0, 842.0], "site.toml"),
        ({"elev": [840.0, 842.0]}, "US survey foot", [840.0, 842.0], "site.toml"),
        ({"elev": ["842.0", "844"]}, "ft", [842.0, 844.0], "site.toml"),
        ({"elev": ["842 ft", "844'"]}, None, [842.0, 844.0], "values themselves"),
        ({"elev": ["256.032 m", "1,842.5 ft"]}, None, [840.0, 1842.5], "values themselves"),
    ],
)
def test_elevations_come_out_in_feet_and_say_how(
    tmp_path: Path,
    columns: dict[str, list[object]],
    unit: str | None,
    levels: list[float],
    how: str,
) -> None:
    write(contours(**columns), tmp_path / "c.gpkg")
    stated = f'unit = "{unit}"' if unit else ""
    toml(tmp_path, f'[layers.contours_existing]\npath = "c.gpkg"\n{stated}')
    site = open_site(tmp_path)
    layer = site.layers["contours_existing"]
    assert list(layer.frame["elevation"]) == levels  # exactly: 1.524 m is 5 ft
    assert how in layer.members[0].units["elevation"]
    assert "vertical_unit_unstated" not in kinds(layer.members[0])


def test_an_unstated_unit_is_taken_as_feet_and_said(tmp_path: Path) -> None:
    site = open_site(write(contours(elevation=[840.0]), tmp_path / "existing_contours.gpkg"))
    assert "taken as feet" in words(site, "vertical_unit_unstated")


def test_the_maps_vertical_unit_serves_layers_that_say_none(tmp_path: Path) -> None:
    write(contours(elevation=[256.032]), tmp_path / "c.gpkg")
    write(contours(elev_ft=[850.0]), tmp_path / "p.gpkg")
    toml(
        tmp_path,
        '[map]\nvertical_unit = "m"\n[layers]\ncontours_existing = "c.gpkg"\n'
        'contours_proposed = "p.gpkg"',
    )
    site = open_site(tmp_path)
    assert list(site.layers["contours_existing"].frame["elevation"]) == [840.0]
    assert list(site.layers["contours_proposed"].frame["elevation"]) == [850.0]


def test_numbers_kept_as_text_are_parsed_and_too_much_text_is_refused(tmp_path: Path) -> None:
    good = ["842.0"] * 39 + ["index"]
    write(contours(elevation=good), tmp_path / "existing_contours.gpkg")
    write(contours(elevation=["842", "high", "low"]), tmp_path / "proposed_contours.gpkg")
    site = open_site(tmp_path)
    existing = site.layers["contours_existing"].frame["elevation"]
    assert existing.notna().sum() == 39
    assert "'index'" in words(site, "number_kept_as_text")
    assert site.layers["contours_proposed"].frame["elevation"].isna().all()
    assert "only 1 of 3" in words(site, "number_text_refused")


def test_elevations_in_the_z_of_lines_whose_field_is_zero(tmp_path: Path) -> None:
    """As CAD exports 3D polylines: ELEVATION 0 beside coordinates that hold the height."""
    lines = [shapely.LineString([(X0, Y0 + z, z), (X0 + 500, Y0 + z, z)]) for z in (842, 844, 846)]
    made = write(frame(lines, ELEVATION=[0.0, 0.0, 0.0]), tmp_path / "existing_contours.shp")
    site = open_site(made)
    assert list(site.layers["contours_existing"].frame["elevation"]) == [842, 844, 846]
    assert "field ELEVATION holds no elevation" in words(site, "elevation_field_idle")
    assert "842 to 846" in words(site, "elevation_field_idle")
    flat = [shapely.force_2d(line) for line in lines]
    write(frame(flat, ELEVATION=[0.0, 0.0, 0.0]), tmp_path / "flat" / "existing_contours.shp")
    other = open_site(tmp_path / "flat")
    assert list(other.layers["contours_existing"].frame["elevation"]) == [0, 0, 0]


def test_elevations_in_the_z_of_the_lines(tmp_path: Path) -> None:
    flat = shapely.LineString([(X0, Y0, 842), (X0 + 500, Y0, 842)])
    steep = shapely.LineString([(X0, Y0, 842), (X0 + 500, Y0, 850)])
    site = open_site(write(frame([flat, steep], n=[1, 2]), tmp_path / "existing_contours.gpkg"))
    levels = site.layers["contours_existing"].frame["elevation"].to_numpy()
    assert levels[0] == 842.0
    assert np.isnan(levels[1])  # a line that climbs is no contour
    assert words(site, "elevation_from_z")


def test_words_and_dates_become_canonical(tmp_path: Path) -> None:
    data = frame([square()] * 3, PHASE=[1, 2, 3], start=["5/1/2026", "2026-06-01", "spring"])
    layer = open_site(write(data, tmp_path / "disturbed_area.gpkg")).layers["disturbance"]
    assert list(layer.frame["start"]) == ["2026-05-01", "2026-06-01", "spring"]
    assert list(layer.frame["phase"]) == ["1", "2", "3"]


def test_two_columns_for_one_field_are_a_collision_and_neither_is_used(tmp_path: Path) -> None:
    data = contours(ELEV=[840.0], ELEV_FT=[842.0])
    site = open_site(write(data, tmp_path / "existing_contours.gpkg"))
    assert np.isnan(site.layers["contours_existing"].frame["elevation"].iloc[0])
    assert "ELEV and ELEV_FT" in words(site, "field_names_collide")


# ------------------------------------------------------------------------- coordinate systems


def test_all_layers_come_into_the_boundarys_crs_in_feet(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.shp")
    write(moved(frame([LINE], name=["Elm"]), 3071), tmp_path / "roads.shp")
    site = open_site(tmp_path)
    assert crs_code(site.crs) == "EPSG:6609"  # type: ignore[arg-type]
    assert "boundary" in site.crs_reason
    there = site.layers["roads"].frame.geometry.iloc[0]
    assert there.distance(LINE) < 0.01
    assert there.length == pytest.approx(500, abs=0.01)
    assert set(site.transformations) == {"boundary.shp", "roads.shp"}
    assert site.transformations["boundary.shp"].operation == "none"


def test_degrees_lead_to_the_state_plane_zone_in_feet(tmp_path: Path) -> None:
    site = open_site(write(frame().to_crs(4326), tmp_path / "boundary.geojson"))
    assert crs_code(site.crs) == "EPSG:6609"  # type: ignore[arg-type]
    assert site.layers["boundary"].frame.geometry.iloc[0].area == pytest.approx(10_000, rel=1e-3)


def test_a_missing_crs_is_never_guessed(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary.shp")
    write(frame([LINE], name=["Elm"]), tmp_path / "roads.shp")
    (tmp_path / "roads.prj").unlink()
    site = open_site(tmp_path)
    assert set(site.layers) == {"boundary"}
    roads = next(d for d in site.datasets if d.role == "roads")
    assert (roads.crs, roads.provenance.crs_how) == (None, "none")
    assert "none was guessed" in words(site, "crs_missing")
    given = open_site(tmp_path, crs="EPSG:6609")
    assert set(given.layers) == {"boundary", "roads"}
    roads = next(d for d in given.datasets if d.role == "roads")
    assert roads.provenance.crs_how == "option"


def test_site_toml_gives_and_replaces_a_crs(tmp_path: Path) -> None:
    write(moved(frame(), 3071), tmp_path / "a.shp")
    (tmp_path / "a.prj").unlink()
    write(frame([LINE], name=["Elm"]).set_crs(3070, allow_override=True), tmp_path / "b.shp")
    toml(
        tmp_path,
        """
        [map]
        crs = "EPSG:6609"
        [layers]
        boundary = { path = "a.shp", crs = "EPSG:3071" }
        roads = { path = "b.shp", crs = "EPSG:6609" }
        """,
    )
    site = open_site(tmp_path)
    assert site.crs_reason == "named in site.toml [map]"
    boundary = site.layers["boundary"].frame.geometry.iloc[0]
    assert boundary.symmetric_difference(square()).area < 1  # sq ft
    assert site.layers["roads"].frame.geometry.iloc[0].equals_exact(LINE, 0.01)
    assert "the file says NAD83" in words(site, "crs_overridden")


def test_coordinates_that_contradict_their_crs_stay_out(tmp_path: Path) -> None:
    write(frame().set_crs(4326, allow_override=True), tmp_path / "boundary.gpkg")
    degrees = frame([LINE], name=["Elm"]).to_crs(4326).set_crs(6609, allow_override=True)
    write(degrees, tmp_path / "roads.gpkg")
    site = open_site(tmp_path)
    assert (site.layers, site.crs) == ({}, None)
    said = words(site, "crs_contradicts_coordinates")
    assert "projected numbers under a geographic CRS" in said
    assert "degrees under a projected CRS" in said


def test_datum_twins_in_one_folder_are_named(tmp_path: Path) -> None:
    write(frame().to_crs(3069), tmp_path / "boundary.shp")
    write(frame([LINE], name=["Elm"]).to_crs(3070), tmp_path / "roads.shp")
    said = words(open_site(tmp_path), "datum_differs")
    assert "'North American Datum 1927'" in said
    assert "'North American Datum 1983'" in said


def test_a_unit_that_the_matched_code_drops_is_kept(tmp_path: Path) -> None:
    """A .prj in international feet with a metre zone's name: 1,000 ft square is 22.96 acres."""
    write(frame([square(1000)], crs=None, name=["a"]), tmp_path / "boundary.shp")
    zone = parse_crs("EPSG:2289").to_wkt("WKT1_ESRI")  # South zone in US survey feet
    feet = zone.replace('UNIT["US survey foot",0.304800609601219]', 'UNIT["Foot",0.3048]').replace(
        'UNIT["Foot_US",0.304800609601219]', 'UNIT["Foot",0.3048]'
    )
    assert feet != zone
    (tmp_path / "boundary.prj").write_text(feet)
    site = open_site(tmp_path)
    acres = site.layers["boundary"].frame.geometry.iloc[0].area / 43560
    assert acres == pytest.approx(22.96, abs=0.01)
    assert site.datasets[0].crs is not None
    assert site.datasets[0].crs.axis_info[0].unit_conversion_factor == 0.3048


def test_a_map_crs_in_metres_is_refused(tmp_path: Path) -> None:
    write(frame(), tmp_path / "a.shp")
    toml(tmp_path, '[map]\ncrs = "EPSG:3071"\n[layers]\nboundary = "a.shp"')
    with pytest.raises(ConfigurationError, match="not projected in feet"):
        open_site(tmp_path)


def test_a_crs_in_metres_that_is_given_is_not_the_map_s_and_the_reason_says_so(
    tmp_path: Path,
) -> None:
    """--crs UTM: the map stays in feet, and nobody need wonder why."""
    muskego = shapely.box(407_000, 4_748_000, 407_300, 4_748_300)
    file = write(frame([muskego], crs=None), tmp_path / "boundary.shp")
    site = open_site(file, crs="EPSG:26916")
    assert crs_code(site.crs) == "EPSG:6609"
    assert site.crs_reason.endswith(
        "; --crs NAD83 / UTM zone 16N (EPSG:26916) is not in feet, so it is only that of layers "
        "that state none"
    )


def test_an_option_that_is_no_crs(tmp_path: Path) -> None:
    with pytest.raises(CrsError, match="EPSG:6609"):
        open_site(write(frame(), tmp_path / "a.shp"), crs="EPSG:99999999")


# ------------------------------------------------------------------------- site.toml


def test_named_layers_only_and_paths_outside_and_in_archives(tmp_path: Path) -> None:
    home = tmp_path / "site"
    write(frame(), home / "in" / "lots.shp")
    zipped(home / "in", home / "sub.zip", "GIS/")
    write(frame([LINE], name=["Elm"]), tmp_path / "gis" / "lanes.gpkg", layer="x")
    write(frame(), home / "wetlands.shp")
    path = toml(
        home,
        '[layers]\nboundary = "sub.zip/GIS/lots.shp"\n'
        'roads = { path = "../gis/lanes.gpkg", layer = "x" }',
    )
    for submission in (home, path):
        site = open_site(submission)
        assert site.unreadable == ()
        assert set(site.layers) == {"boundary", "roads"}
        assert all(d.choice.named for d in site.datasets if d.role)
        assert site.layers["boundary"].members[0].provenance.file == "sub.zip/GIS/lots.shp"
        assert (home / "site.toml").absolute() in site.input_files
    unnamed = next(d for d in open_site(home).datasets if d.provenance.file == "wetlands.shp")
    assert (unnamed.role, unnamed.choice.reason) == (None, "site.toml does not name it")


@pytest.mark.parametrize("text", ["", '[project]\nowner = "A"\n', "[layers]\n"])
def test_a_site_toml_that_names_no_layer_stands_for_its_folder(text: str, tmp_path: Path) -> None:
    """The facts of a project alone may be written down; roles are then inferred as without."""
    write(frame(), tmp_path / "boundary.shp")
    (tmp_path / "site.toml").write_text(text)
    by_file, by_folder = open_site(tmp_path / "site.toml"), open_site(tmp_path)
    assert set(by_file.layers) == set(by_folder.layers) == {"boundary"}
    assert by_file.input_files == by_folder.input_files


def test_a_site_toml_inside_the_archive(tmp_path: Path) -> None:
    write(frame(), tmp_path / "in" / "gis" / "lots.shp")
    toml(tmp_path / "in", '[project]\nname = "Kettle"\n[layers]\nboundary = "gis/lots.shp"')
    site = open_site(zipped(tmp_path / "in", tmp_path / "s.zip", "submittal/"))
    assert site.name == "Kettle"
    assert set(site.layers) == {"boundary"}


def test_fields_named_by_the_user(tmp_path: Path) -> None:
    write(contours(ABC=[840.0]), tmp_path / "c.shp")
    toml(
        tmp_path,
        '[layers.contours_existing]\npath = "c.shp"\nunit = "ft"\nfields = { elevation = "ABC" }',
    )
    site = open_site(tmp_path)
    assert list(site.layers["contours_existing"].frame["elevation"]) == [840.0]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('[layers]\nboundry = "c.gpkg"', "did you mean boundary"),
        ("[declared_none.brooks]\nby='x'\nsource='y'\ndate=2026-01-01", "no such role"),
        ('[layers.roads]\npath = "c.gpkg"\nfields = { name = "NAM" }', "did you mean name"),
        ('[layers.roads]\npath = "c.gpkg"\nfields = { nam = "name" }', "no such field"),
        ('[layers]\nroads = "two.gpkg"', "add layer = ... with one of 'a', 'b'"),
        ('[layers.roads]\npath = "c.gpkg"\ncrs = "nonsense"', "not a coordinate reference system"),
        ('[layers.roads]\npath = "c.gpkg"\nencoding = "klingon"', "not a text encoding"),
        ('[layers.contours_existing]\npath = "c.gpkg"\nunit = "cubit"', "unknown unit of length"),
        ('[map]\nvertical_unit = "cubit"\n[layers]\nroads = "c.gpkg"', "map.vertical_unit"),
    ],
)
def test_a_site_toml_that_does_not_fit_the_files(tmp_path: Path, text: str, word: str) -> None:
    write(frame([LINE], name=["Elm"]), tmp_path / "c.gpkg")
    path = write(frame(), tmp_path / "two.gpkg", layer="a")
    frame().to_file(path, layer="b")
    toml(tmp_path, text)
    with pytest.raises(SitemapError, match=word):
        open_site(tmp_path)


def test_a_named_file_that_is_not_there_becomes_a_finding(tmp_path: Path) -> None:
    write(frame(), tmp_path / "boundary_v2.shp")
    toml(tmp_path, '[layers]\nboundary = "boundary_v1.shp"')
    site = open_site(tmp_path)
    (item,) = site.unreadable
    assert (item.file, item.kind) == ("boundary_v1.shp", "named_file_missing")
    assert "boundary_v2.shp is there" in item.reason


@pytest.mark.parametrize(
    ("given", "name"),
    [(".", "Oak.Ridge"), ("../Oak.Ridge", "Oak.Ridge"), ("site_boundary.gpkg", "site_boundary")],
)
def test_a_site_without_a_name_has_that_of_its_folder_or_file(
    given: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "Oak.Ridge"
    write(frame(), folder / "site_boundary.gpkg")
    monkeypatch.chdir(folder)
    assert open_site(Path(given)).name == name
    toml(folder, '[layers]\nboundary = "site_boundary.gpkg"')
    assert open_site(Path("site.toml")).name == "Oak.Ridge"
