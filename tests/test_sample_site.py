"""Kettle Ridge: it builds to the same content, describes one ground, and complies."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import geopandas
import numpy as np
import pandas
import pandas.testing
import pyogrio
import pytest
import rasterio
import shapely

import sitemap
from sitemap.check import check_site
from sitemap.intake.assemble import open_site
from sitemap.ordinance import load_ordinance
from sitemap.project import load_project
from sitemap.report.json import to_dict

SQFT_PER_ACRE = 43_560.0
MOST_BYTES = 3_000_000


@dataclass(frozen=True)
class Sample:
    """The sample as it stands in the repository."""

    folder: Path
    design: dict[str, geopandas.GeoDataFrame]
    county: dict[str, geopandas.GeoDataFrame]
    heights: np.ndarray
    corner: tuple[float, float]
    cell_ft: float

    def ground_ft(self, xy: np.ndarray) -> np.ndarray:
        """Heights of the elevation raster at points, bilinear."""
        column = (xy[:, 0] - self.corner[0]) / self.cell_ft - 0.5
        row = (self.corner[1] - xy[:, 1]) / self.cell_ft - 0.5
        c, r = np.floor(column).astype(int), np.floor(row).astype(int)
        u, v = column - c, row - r
        z = self.heights
        upper = z[r, c] * (1 - u) + z[r, c + 1] * u
        lower = z[r + 1, c] * (1 - u) + z[r + 1, c + 1] * u
        return upper * (1 - v) + lower * v

    def union(self, layer: str, **where: str) -> shapely.Geometry:
        """All features of a design layer, those with the given attributes, as one shape."""
        frame = self.design[layer]
        for column, value in where.items():
            frame = frame[frame[column] == value]
        return frame.union_all()


def _read(folder: Path) -> Sample:
    gpkg = folder / "layers" / "design.gpkg"
    names = [str(row[0]) for row in pyogrio.list_layers(gpkg)]
    county = sorted((folder / "layers" / "county").glob("*.shp"))
    with rasterio.open(folder / "layers" / "existing_ground.tif") as raster:
        return Sample(
            folder,
            {name: geopandas.read_file(gpkg, layer=name) for name in names},
            {path.stem: geopandas.read_file(path) for path in county},
            raster.read(1).astype(float),
            (raster.bounds.left, raster.bounds.top),
            raster.res[0],
        )


@pytest.fixture(scope="module")
def sample(root: Path) -> Sample:
    return _read(root / "sample_sites" / "kettle-ridge")


def _points(lines: geopandas.GeoSeries, step_ft: float = 10.0) -> np.ndarray:
    return shapely.get_coordinates(shapely.segmentize(lines.to_numpy(), step_ft))


def test_it_builds_to_the_same_content(sample: Sample, tmp_path: Path) -> None:
    script = sample.folder / "build.py"
    command = [sys.executable, "-B", str(script), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    built = _read(tmp_path)
    assert list(built.design) == list(sample.design)
    assert list(built.county) == list(sample.county)
    for name, frame in {**built.design, **built.county}.items():
        kept = sample.design.get(name, sample.county.get(name))
        assert kept is not None
        assert frame.crs == kept.crs
        pandas.testing.assert_frame_equal(
            frame.drop(columns="geometry"), kept.drop(columns="geometry"), atol=0.011, rtol=0
        )
        apart = shapely.hausdorff_distance(frame.geometry.to_numpy(), kept.geometry.to_numpy())
        # an arrow goes down the ground step by step, so a last digit of a height grows on its way
        assert apart.max() < (1.5 if name == "flow_arrows" else 0.2), name
    # 0.01 ft is the last digit that is written; another processor may round it the other way,
    # and then drop another vertex of a contour (their tolerance is 0.12 ft).
    assert np.abs(built.heights - sample.heights).max() <= 0.011


def test_it_stays_small(sample: Sample) -> None:
    files = [p for p in sample.folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert sum(p.stat().st_size for p in files) < MOST_BYTES


def test_stated_acres_are_drawn(sample: Sample) -> None:
    stated = load_project(sample.folder / "site.toml").project
    assert stated.site_acres == pytest.approx(
        sample.union("boundary").area / SQFT_PER_ACRE, rel=0.01
    )
    assert stated.disturbed_acres == pytest.approx(
        sample.union("disturbance").area / SQFT_PER_ACRE, rel=0.01
    )


def test_existing_contours_lie_on_the_ground(sample: Sample) -> None:
    contours = sample.design["contours_existing"]
    off = [
        np.abs(sample.ground_ft(_clear_of_edge(sample, np.array(line.coords))) - level)
        for line, level in zip(contours.geometry, contours["elevation"], strict=True)
    ]
    # 5-ft cells cut the corners of ditches and creek banks; half an interval is the rule book's.
    away = np.concatenate(off)
    assert np.percentile(away, 99) < 0.5
    assert away.max() < 2.0


def _clear_of_edge(sample: Sample, xy: np.ndarray) -> np.ndarray:
    rows, columns = sample.heights.shape
    left, top = sample.corner
    inside = (xy[:, 0] > left + 5) & (xy[:, 0] < left + columns * sample.cell_ft - 5)
    inside &= (xy[:, 1] < top - 5) & (xy[:, 1] > top - rows * sample.cell_ft + 5)
    return xy[inside]


def test_proposed_contours_end_on_the_existing_ground(sample: Sample) -> None:
    contours = sample.design["contours_proposed"]
    open_ended = contours[~contours.geometry.is_ring]
    for line, level in zip(open_ended.geometry, open_ended["elevation"], strict=True):
        ends = np.array([line.coords[0], line.coords[-1]])
        assert sample.ground_ft(ends) == pytest.approx([level, level], abs=0.6)
    assert sample.union("disturbance").buffer(0.1).covers(contours.union_all())


def test_existing_contours_end_only_at_the_edge_of_the_map(sample: Sample) -> None:
    contours = sample.design["contours_existing"].geometry
    edge = sample.union("reference_grid").boundary
    ends = [shapely.Point(line.coords[i]) for line in contours if not line.is_ring for i in (0, -1)]
    assert ends
    assert max(edge.distance(end) for end in ends) < 0.1


def test_nothing_is_disturbed_in_water_wetland_or_floodplain(sample: Sample) -> None:
    disturbed = sample.union("disturbance")
    assert sample.union("boundary").covers(disturbed)
    wet = [sample.union("wetlands"), sample.union("ponds")]
    for place in [*wet, sample.county["flood_hazard"].union_all()]:
        assert disturbed.intersection(place).area == 0


def test_disturbed_ground_ends_under_permanent_cover(sample: Sample) -> None:
    cover = shapely.union_all(
        [
            sample.union("finished_surfaces"),
            sample.union("stabilization", term="permanent"),
            sample.union("revegetation"),
            sample.union("infiltration"),
        ]
    )
    assert (sample.union("disturbance") - cover).area < 150.0  # seams, and tails thinner than 1 ft


def test_perimeter_fence_follows_the_contour(sample: Sample) -> None:
    lines = sample.design["controls_lines"].set_index("id").geometry
    for name in ("SF-1", "SF-2", "SF-3", "SF-4"):
        fence = shapely.ops.substring(lines[name], 20.0, lines[name].length - 20.0)
        height = sample.ground_ft(_points(geopandas.GeoSeries([fence])))
        assert np.ptp(height) < 0.8, name
        ends = sample.ground_ft(np.array([lines[name].coords[0], lines[name].coords[-1]]))
        assert (ends > height.max()).all(), f"{name}: the ends turn up the slope"


def test_every_inlet_is_protected_and_every_outfall_armoured(sample: Sample) -> None:
    inlets = sample.design["inlets"]
    protection = sample.union("controls_points", type="IP")
    assert (inlets[inlets["kind"] == "inlet"].distance(protection) < 1.0).all()
    assert (sample.design["outfalls"].distance(sample.union("controls_areas", type="OP")) < 2).all()


def test_basins_hold_what_drains_to_them(sample: Sample) -> None:
    # Silt loam is medium texture: 1,560 sq ft of surface per acre drained (WDNR 1063).
    basins = sample.design["controls_areas"].set_index("id").geometry.area
    acres = sample.design["outfalls"].set_index("id")["acres"]
    assert basins["SB-1"] >= 1560.0 * acres["OF-1"]
    assert basins["SB-2"] >= 1560.0 * acres["OF-2"]


def test_drainage_areas_share_out_the_site(sample: Sample) -> None:
    areas = sample.design["drainage_areas"]
    assert areas.area.sum() == pytest.approx(sample.union("boundary").area, rel=1e-4)
    assert (np.abs(areas.area / SQFT_PER_ACRE - areas["acres"]) < 0.006).all()
    arrows = sample.design["flow_arrows"]
    assert set(areas["id"]) >= set(arrows["from_area"].dropna())
    assert (arrows["slope_pct"] > 0).all()


def test_water_runs_downhill(sample: Sample) -> None:
    for row in sample.design["watercourses"].itertuples():
        path = _clear_of_edge(sample, _points(geopandas.GeoSeries([row.geometry])))
        height = sample.ground_ft(path)
        assert height[0] > height[-1], row.name
    pipes = sample.design["storm_sewers"]
    assert (pipes["invert_up_ft"] > pipes["invert_down_ft"]).all()


def test_it_complies_as_expected(sample: Sample) -> None:
    expected = json.loads((sample.folder / "expected" / "findings.json").read_text("utf-8"))
    ordinance = load_ordinance("muskego")
    found = to_dict(check_site(open_site(sample.folder), ordinance, now=date(2026, 11, 30)))
    said = [{key: f[key] for key in ("rule", "severity", "message")} for f in found["findings"]]
    assert said == expected["findings"]
    assert {f["severity"] for f in said} == {"warning"}, "what a person weighs, and no error"
    assert found["verdict"] == expected["verdict"]
    assert [c["clause"] for c in found["confirmations"]] == expected["confirmations"]
    status = {r["rule"]: r["status"] for r in found["rules"]}
    assert {code: status.get(code) for code in expected["rules"]} == expected["rules"]


def test_what_is_known_of_the_place_builds_to_the_same_content(
    sample: Sample, tmp_path: Path
) -> None:
    command = [sys.executable, "-B", str(sample.folder / "known.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    kept = sample.folder.parent / "kettle-ridge-reference"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(p.name for p in kept.iterdir())
    for path in sorted(kept.iterdir()):
        for layer, _ in pyogrio.list_layers(path):
            one, other = (geopandas.read_file(p, layer=layer) for p in (path, tmp_path / path.name))
            pandas.testing.assert_frame_equal(
                one.drop(columns="geometry"), other.drop(columns="geometry")
            )
            assert one.crs == other.crs
            moved = one.to_crs("EPSG:6609").geometry.to_numpy()
            again = other.to_crs("EPSG:6609").geometry.to_numpy()
            assert shapely.hausdorff_distance(moved, again).max() < 0.2, (path.name, layer)


def test_it_agrees_with_what_is_known_of_the_place(sample: Sample) -> None:
    """All that compares with a reference passes; nothing more is found than without one."""
    expected = json.loads((sample.folder / "expected" / "findings.json").read_text("utf-8"))
    known = sample.folder.parent / "kettle-ridge-reference"
    site = sitemap.open_site(sample.folder, reference=known)
    assert site.reference.unread == ()
    found = to_dict(check_site(site, load_ordinance("muskego"), now=date(2026, 11, 30)))
    said = [(f["rule"], f["severity"]) for f in found["findings"]]
    assert said == [(f["rule"], f["severity"]) for f in expected["findings"]]
    assert found["verdict"] == expected["verdict"]
    status = {r["rule"]: r["status"] for r in found["rules"]}
    compared = ("HYD001", "WET001", "FLD001", "FLD002", "BND003", "CRS007")
    assert {status[code] for code in compared} == {"passed"}
    assert len(found["manifest"]["references"]) == 7
