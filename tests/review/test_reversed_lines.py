"""A flow line that is drawn the other way is a change that matters; a contour turned is none."""

from __future__ import annotations

import json
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely.geometry import LineString, MultiLineString, Point

import sitemap
from sitemap.catalogue import load_catalogue
from sitemap.comparison import Comparison
from sitemap.report.compared import render_comparison
from sitemap.report.compared_html import _heads
from sitemap.review.compare import compare
from sitemap.review.reversed_lines import directed_rows, reversed_ft
from tests.review.test_compare import validator
from tests.tiny_site import CRS, NOW, X0, Y0, square

BEND = LineString([(0, 0), (90, 10), (130, 80), (220, 100)])
RING = Point(0, 0).buffer(40).exterior
HAIRPIN = LineString([(0, 0), (200, 0), (200, 3), (0, 3)])


@pytest.mark.parametrize(
    ("old", "new", "expected_ft"),
    [
        (BEND, BEND, 0.0),
        (BEND, BEND.segmentize(5.0), 0.0),
        (BEND, BEND.reverse(), BEND.length),
        (BEND, BEND.segmentize(5.0).reverse(), BEND.length),
        (BEND, shapely.affinity.translate(BEND, 1.0, -2.0).reverse(), BEND.length),
        (RING, LineString([*RING.coords[20:], *RING.coords[1:21]]), 0.0),  # begun elsewhere
        (RING, RING.reverse(), RING.length),
        (HAIRPIN, HAIRPIN.reverse(), HAIRPIN.length),
        (MultiLineString([[(0, 0), (50, 0)], [(90, 0), (160, 0)]]),
         MultiLineString([[(160, 0), (90, 0)], [(0, 0), (50, 0)]]), 70.0),  # one part of two
        (BEND, shapely.affinity.translate(BEND, 300.0, 0.0).reverse(), 0.0),  # not beside it
        (Point(0, 0), BEND, 0.0),
    ],
)  # fmt: skip
def test_feet_drawn_the_other_way(old: object, new: object, expected_ft: float) -> None:
    assert reversed_ft(old, new, 5.0) == pytest.approx(expected_ft)  # type: ignore[arg-type]


def test_direction_says_something_where_the_plate_draws_it() -> None:
    specs = load_catalogue().by_role
    plain = pd.DataFrame({"x": [0]})
    directed = {role for role, spec in specs.items() if directed_rows(spec, plain).any()}
    assert directed == {"streams", "storm_sewers", "culverts", "flow_arrows"}
    types = pd.DataFrame({"type": ["SF", "DV", None, "GW"]})
    assert directed_rows(specs["controls"], types).tolist() == [False, True, False, True]


def _submitted(folder: Path, creek: LineString, pipe: LineString, contour: LineString) -> Path:
    folder.mkdir()
    at = [shapely.transform(one, lambda xy: xy + np.array([X0, Y0])) for one in (creek, pipe)]
    layers = {
        "boundary": ({"name": ["Tiny"]}, [square(-100, -200, 900)]),
        "streams": ({"name": ["Creek"]}, at[:1]),
        "storm_sewers": ({"id": ["P-1"], "diam_in": [12.0]}, at[1:]),
        "contours_existing": (
            {"elevation": [800.0]},
            [shapely.transform(contour, lambda xy: xy + np.array([X0, Y0]))],
        ),
    }
    for name, (columns, shapes) in layers.items():
        gpd.GeoDataFrame(columns, geometry=shapes, crs=CRS).to_file(folder / f"{name}.shp")
    return folder


def _compared(old: Path, new: Path) -> Comparison:
    before, after = (
        sitemap.check_site(sitemap.open_site(folder), now=NOW, select=["BND001"])
        for folder in (old, new)
    )
    return compare(before, after)


def test_a_reversed_creek_and_a_moved_reversed_pipe_are_told(tmp_path: Path) -> None:
    pipe = LineString([(300, 20), (300, 180)])
    contour = LineString([(20, 300), (400, 310)])
    old = _submitted(tmp_path / "old", BEND, pipe, contour)
    moved = shapely.affinity.translate(pipe, 12.0, 0.0).reverse()
    new = _submitted(tmp_path / "new", BEND.segmentize(7.0).reverse(), moved, contour.reverse())
    found = _compared(old, new)
    assert {c.role: c.kind for c in found.changes} == {
        "streams": "reversed", "storm_sewers": "moved",
    }  # fmt: skip
    text = " ".join(render_comparison(found, "text").split())
    assert "streams: 1 reversed" in text
    length = f"{BEND.length:,.1f} ft drawn the other way, now to the southwest"
    assert length in text
    assert "12.0 ft east, 0.0 ft north); 160.0 ft drawn the other way, now to the south" in text
    assert length in " ".join(render_comparison(found, "html").split())
    # an open head of three points at the middle of the pipe, which now runs south
    head = _heads(LineString([(0, 160), (0, 0)]), 10.0)
    assert shapely.get_coordinates(head).tolist() == [[-6.0, 88.0], [0.0, 80.0], [6.0, 88.0]]
    assert render_comparison(found, "html").count("arrow: as it is now") == 1
    said = json.loads(render_comparison(found, "json"))
    validator().validate(said)
    turned = {c["kind"]: c["reversed_ft"] for la in said["layers"] for c in la["changes"]}
    assert turned == {"reversed": pytest.approx(BEND.length, abs=0.001), "moved": 160.0}
