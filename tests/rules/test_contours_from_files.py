"""CON001 and CON002 on contours as engineers hand them in: read from a file, then judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from shapely.affinity import rotate

from sitemap.intake.assemble import open_site
from sitemap.rules.contour_ends_inside_map import contour_ends_inside_map
from sitemap.rules.contours_too_far_apart import contours_too_far_apart
from sitemap.rules.elevation_missing_or_zero import elevation_missing_or_zero
from sitemap.rules.level_missing import level_missing
from sitemap.rules.lines_coincide_in_plan import lines_coincide_in_plan
from sitemap.rules.rule import Rule, Skip
from sitemap.site import Site
from tests.clean_site import BOUNDARY, CRS, MAP, contours, faults_of, ground_ft, rectangle, run

Lines = list[tuple[shapely.LineString, float]]


def kettled(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A slope with a hilltop and a kettle that has no outlet."""
    hill = 13 * np.exp(-((x - 250) ** 2 + (y - 350) ** 2) / 140**2)
    hole = -11 * np.exp(-((x - 600) ** 2 + (y - 300) ** 2) / 110**2)
    return np.asarray(820.3 + 0.01 * y + hill + hole)


def handed_in(
    folder: Path, lines: Lines, toml: str = "", z: bool = False, ending: str = "shp", **fields: Any
) -> Site:
    """A boundary and a contour file; field values are made of (levels in feet)."""
    levels = np.array([level for _, level in lines])
    shapes = [line for line, _ in lines]
    if z:
        shapes = [shapely.force_3d(line, level) for line, level in lines]
    data = {name: make(levels) for name, make in fields.items()}
    frame = gpd.GeoDataFrame(data, geometry=shapes, crs=CRS)
    frame.to_file(folder / f"existing_contours.{ending}")
    gpd.GeoDataFrame({"name": ["Site"]}, geometry=[rectangle(*BOUNDARY)], crs=CRS).to_file(
        folder / "boundary.shp"
    )
    if toml:
        (folder / "site.toml").write_text(toml, encoding="utf-8")
        return open_site(folder / "site.toml")
    return open_site(folder)


def steps(rule: Rule, site: Site) -> list[float]:
    return [f.measured.value for f in faults_of(rule, site) if f.measured is not None]


def feet(levels: np.ndarray) -> np.ndarray:
    return levels


@pytest.mark.parametrize("interval", [1.0, 2.0, 2.5, 4.0, 5.0])
def test_intervals_of_up_to_five_feet_pass(tmp_path: Path, interval: float) -> None:
    site = handed_in(tmp_path, contours(ground_ft, MAP, interval), ELEV=feet)
    assert steps(contours_too_far_apart, site) == []
    assert steps(level_missing, site) == []


@pytest.mark.parametrize("interval", [6.0, 10.0])
def test_wider_intervals_are_found(tmp_path: Path, interval: float) -> None:
    site = handed_in(tmp_path, contours(ground_ft, MAP, interval), ELEV=feet)
    assert steps(contours_too_far_apart, site) == [interval]


@pytest.mark.parametrize("form", ["{:.1f}", "{:g} ft", "{:g}'", " {:.2f} feet "])
def test_elevation_as_text(tmp_path: Path, form: str) -> None:
    """Ten feet apart, so that the number is known to have been read."""

    def text(levels: np.ndarray) -> list[str]:
        return [form.format(level) for level in levels]

    site = handed_in(tmp_path, contours(ground_ft, MAP, 10.0), ELEVATION=text)
    assert steps(contours_too_far_apart, site) == [10.0]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        *[(name, 6.0) for name in ("ELEV_NAVD88", "ALTITUDE", "ELEV_FEET", "Z_ELEV")],
        *[(name, 6.0) for name in ("CONTOUR_VA", "GROUND_EL")],
        *[(name, 19.685) for name in ("ELEV_METER", "ElevMeters")],
    ],
)
def test_names_of_the_elevation_and_the_unit_in_them(
    tmp_path: Path, name: str, found: float
) -> None:
    """6 ft apart, or 6 m (19.685 ft) by the name of the column."""
    site = handed_in(tmp_path, contours(ground_ft, MAP, 6.0), ending="gpkg", **{name: feet})
    assert steps(contours_too_far_apart, site) == pytest.approx([found], abs=1e-3)


@pytest.mark.parametrize(("interval", "found"), [(5.0, []), (10.0, [10.0])])
def test_elevation_as_z_of_the_coordinates(
    tmp_path: Path, interval: float, found: list[float]
) -> None:
    lines = contours(ground_ft, MAP, interval)
    for ending in ("shp", "gpkg"):
        folder = tmp_path / ending
        folder.mkdir()
        site = handed_in(folder, lines, z=True, ending=ending, LAYER=lambda v: ["TOPO"] * len(v))
        assert steps(contours_too_far_apart, site) == found


@pytest.mark.parametrize(("metres", "found"), [(0.5, []), (1.0, []), (1.5, []), (2.0, [6.562])])
def test_metres(tmp_path: Path, metres: float, found: list[float]) -> None:
    """1.5 m are 4.92 ft and pass; 2 m are 6.56 ft."""
    lines = contours(lambda x, y: ground_ft(x, y) * 0.3048, MAP, metres)
    site = handed_in(tmp_path, lines, elev_m=feet)
    assert steps(contours_too_far_apart, site) == pytest.approx(found, abs=1e-3)
    assert steps(level_missing, site) == []


def test_metres_by_site_toml(tmp_path: Path) -> None:
    lines = contours(lambda x, y: ground_ft(x, y) * 0.3048, MAP, 2.0)
    toml = (
        '[layers.contours_existing]\npath = "existing_contours.shp"\nunit = "m"\n'
        '[layers.boundary]\npath = "boundary.shp"\n'
    )
    site = handed_in(tmp_path, lines, toml, ELEV=feet)
    assert steps(contours_too_far_apart, site) == pytest.approx([6.562], abs=1e-3)


def test_a_layer_of_index_contours_only(tmp_path: Path) -> None:
    """Every fifth line of a 2-ft survey: what is handed in is a 10-ft map."""
    lines = [c for c in contours(ground_ft, MAP, 2.0) if c[1] % 10 == 0]
    site = handed_in(tmp_path, lines, ELEV=feet, TYPE=lambda v: ["index"] * len(v))
    assert steps(contours_too_far_apart, site) == [10.0]


def test_index_and_intermediate_contours_in_two_columns(tmp_path: Path) -> None:
    lines = contours(ground_ft, MAP, 2.0)
    kinds = ["index" if level % 10 == 0 else "intermediate" for _, level in lines]
    site = handed_in(tmp_path, lines, ELEV=feet, TYPE=lambda v: kinds)
    assert steps(contours_too_far_apart, site) == steps(level_missing, site) == []


def test_depression_contours(tmp_path: Path) -> None:
    """Down into the kettle and up the hill the same levels ring twice."""
    lines = contours(kettled, MAP, 2.0)
    kinds = ["depression" if level < 822 and line.is_closed else "normal" for line, level in lines]
    assert "depression" in kinds
    site = handed_in(tmp_path, lines, ELEV=feet, TYPE=lambda v: kinds)
    assert steps(contours_too_far_apart, site) == steps(level_missing, site) == []


def test_a_depression_contour_that_is_left_out(tmp_path: Path) -> None:
    lines = contours(kettled, MAP, 2.0)
    rings = sorted(level for line, level in lines if line.is_closed and level < 822)
    gone = rings[len(rings) // 2]
    kept = [c for c in lines if not (c[1] == gone and c[0].is_closed)]
    site = handed_in(tmp_path, kept, ELEV=feet)
    assert gone in {
        level for f in faults_of(level_missing, site) for level in [float(_named(f.message))]
    }


def _named(message: str) -> str:
    """The first level that a message of CON002 names."""
    return message.split("level", 1)[1].lstrip("s ").split()[0]


def test_a_level_missing_in_one_corner_only(tmp_path: Path) -> None:
    """820 ft runs across the map; its eastern third is left out."""
    corner = rectangle(550, -100, 900, 700)
    lines = [
        (shapely.difference(line, corner) if level == 820 else line, level)
        for line, level in contours(ground_ft, MAP, 2.0)
    ]
    site = handed_in(tmp_path, lines, ELEV=feet)
    (fault,) = faults_of(level_missing, site)
    assert "level 820 ft is missing between 818 and 822 ft" in fault.message
    assert corner.buffer(60).covers(fault.geometry)
    assert steps(contours_too_far_apart, site) == [], "4 ft between neighbours are still allowed"


def test_two_levels_missing_in_one_corner_break_the_law_there(tmp_path: Path) -> None:
    corner = rectangle(550, -100, 900, 700)
    lines = [
        (shapely.difference(line, corner) if level in (820, 822) else line, level)
        for line, level in contours(ground_ft, MAP, 2.0)
    ]
    site = handed_in(tmp_path, lines, ELEV=feet)
    assert steps(contours_too_far_apart, site) == [6.0]


def test_terraces(tmp_path: Path) -> None:
    """A 10-ft map with each line copied as the 5-ft level: CON001 is content, CON010 is not."""
    real = contours(ground_ft, MAP, 10.0)
    copied = [*real, *((line, level + 5.0) for line, level in real)]
    site = handed_in(tmp_path, copied, ELEV=feet)
    (fault,) = faults_of(lines_coincide_in_plan, site)
    assert "their interval is not real" in fault.message


def test_cut_at_the_edge_of_the_map(tmp_path: Path) -> None:
    """A county's contours cut at an odd outline round the site: no end is inside, nothing lacks."""
    outline = rotate(rectangle(-180, -180, 980, 780), 17.0) & rectangle(-120, -150, 930, 720)
    lines = [
        (part, level)
        for line, level in contours(ground_ft, (-500.0, -500.0, 1500.0, 1200.0), 2.0)
        for part in shapely.get_parts(shapely.intersection(line, outline))
        if part.length > 0
    ]
    site = handed_in(tmp_path, lines, ELEV=feet)
    assert steps(contours_too_far_apart, site) == steps(level_missing, site) == []
    assert not faults_of(contour_ends_inside_map, site)


@pytest.mark.parametrize("name", ["OBJECTID", "FID_1", "CONT_ID", "ID", "Shape_Leng", "LEVEL_ID"])
def test_an_id_is_never_taken_for_elevation(tmp_path: Path, name: str) -> None:
    """Numbers among the elevations, evenly rising: still no elevation."""

    def ids(levels: np.ndarray) -> np.ndarray:
        return np.arange(800, 800 + 2 * len(levels), 2)

    site = handed_in(tmp_path, contours(ground_ft, MAP, 2.0), **{name: ids})
    layer = site.role("contours_existing")
    assert layer is None or layer.frame["elevation"].isna().all()
    if layer is not None:
        (said,) = run(contours_too_far_apart, site)
        assert isinstance(said, Skip)


def test_the_numbers_of_an_old_coverage_are_never_taken_for_elevation(tmp_path: Path) -> None:
    """ArcInfo's CONTOUR# and CONTOUR-ID became CONTOUR_ and CONTOUR_ID in shapefiles."""
    lines = contours(ground_ft, MAP, 10.0)

    def ids(levels: np.ndarray) -> np.ndarray:
        return np.arange(800.0, 800 + len(levels))

    numbers: dict[str, Any] = {"FNODE_": ids, "CONTOUR_": ids, "CONTOUR_ID": ids}
    bare, whole = tmp_path / "bare", tmp_path / "whole"
    bare.mkdir()
    whole.mkdir()
    layer = handed_in(bare, lines, **numbers).role("contours_existing")
    assert layer is None or layer.frame["elevation"].isna().all()
    assert steps(
        contours_too_far_apart, handed_in(whole, lines, **numbers, SPOT=feet, ELEV=feet)
    ) == [10.0]


def test_the_elevation_is_taken_beside_an_id(tmp_path: Path) -> None:
    site = handed_in(
        tmp_path,
        contours(ground_ft, MAP, 10.0),
        CONTOUR_ID=lambda v: np.arange(len(v)) + 1.0,
        CONTOUR=feet,
    )
    assert steps(contours_too_far_apart, site) == [10.0]


def test_a_few_lines_without_elevation_do_not_hide_the_rest(tmp_path: Path) -> None:
    def gappy(levels: np.ndarray) -> np.ndarray:
        values = levels.astype(float)
        values[3::20] = 0.0
        return values

    site = handed_in(tmp_path, contours(ground_ft, MAP, 1.0), ELEV=gappy)
    assert faults_of(elevation_missing_or_zero, site)
    assert steps(contours_too_far_apart, site) == []
    assert steps(level_missing, site), "where the zero lines stand, their level lacks"
