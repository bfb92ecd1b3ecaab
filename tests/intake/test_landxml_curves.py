"""Lines of LandXML: arcs, spirals, chains, pieces that meet or do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

from tests.intake.landxml_files import (
    arc,
    at,
    dataset,
    document,
    features,
    line,
    opened,
    plan,
)
from tests.intake.makers import X0, Y0


def test_heights_run_evenly_along_an_arc(tmp_path: Path) -> None:
    """A quarter from 800 to 810: half way it is at 805; the end is where the file says."""
    piece = arc("ccw", (150, 100), (100, 150))
    for place, z in (((150, 100), 800), ((100, 150), 810)):
        piece = piece.replace(at(*place), at(*place, z))
    (shape,) = opened(tmp_path, document(features(("Wall", piece)))).datasets[0].frame.geometry
    z = shapely.get_coordinates(shape, include_z=True)[:, 2]
    assert (z[0], z[-1]) == (800.0, 810.0)
    assert (np.diff(z) > 0).all()
    assert shape.interpolate(0.5, normalized=True).z == pytest.approx(805.0, abs=0.2)


@pytest.mark.parametrize(("rot", "share"), [("ccw", 0.25), ("cw", 0.75)])
def test_an_arc_turns_as_it_says(tmp_path: Path, rot: str, share: float) -> None:
    """From east to north about a middle: a quarter by the left, three quarters by the right."""
    text = document(features(("Wall", arc(rot, (150, 100), (100, 150)))))
    (shape,) = opened(tmp_path, text).datasets[0].frame.geometry
    assert shape.length == pytest.approx(np.pi * 100.0 * share, rel=1e-3)
    middle = shapely.Point(X0 + 100, Y0 + 100)
    assert shapely.hausdorff_distance(shape, middle.buffer(50, 720).exterior) < 100.0
    off = shapely.distance(shapely.points(shapely.get_coordinates(shape)), middle)
    assert off.tolist() == pytest.approx([50.0] * len(off))
    assert shapely.distance(shape, middle) > 49.989  # chords are within a hundredth


def test_a_spiral_is_followed_from_line_to_arc(tmp_path: Path) -> None:
    """A clothoid of L = 200 ft from a line north into R = 500 ft, by its series: aside by
    L^2/6R (1 - L^2/56R^2), ahead by L (1 - L^2/40R^2); half way along, aside by an eighth.
    """
    long, radius = 200.0, 500.0
    aside = long**2 / (6 * radius) * (1 - long**2 / (56 * radius**2))
    ahead = long * (1 - long**2 / (40 * radius**2))
    piece = (
        f'<Spiral rot="cw" radiusStart="INF" radiusEnd="{radius}" length="{long}" '
        f'spiType="clothoid"><Start>{at(0, 0)}</Start><PI>{at(0, 133.6)}</PI>'
        f"<End>{at(aside, ahead)}</End></Spiral>"
    )
    text = document(features(("Wall", f"<CoordGeom>{piece}</CoordGeom>")))
    (shape,) = opened(tmp_path, text).datasets[0].frame.geometry
    assert shape.length == pytest.approx(long, abs=0.01)
    half = shape.interpolate(0.5, normalized=True)
    assert half.x - X0 == pytest.approx((long / 2) ** 3 / (6 * radius * long), abs=0.01)


def spiral(length: float, radius: float, end: tuple[float, float]) -> str:
    return (
        f'<CoordGeom><Spiral rot="ccw" radiusStart="INF" radiusEnd="{radius}" length="{length}">'
        f"<Start>{at(0, 0)}</Start><PI>{at(9, 0)}</PI><End>{at(*end)}</End></Spiral></CoordGeom>"
    )


def test_a_tight_spiral_is_as_true_as_an_arc(tmp_path: Path) -> None:
    """200 ft from a line into R = 40: at its end a chord of c lies c^2/8R off, so at most 1.79 ft
    long; the bends of its chords come to the 143 degrees through which it turns.
    """
    text = document(features(("Wall", spiral(200, 40, (100, 90)))))
    (shape,) = opened(tmp_path, text).datasets[0].frame.geometry
    chords = np.diff(shapely.get_coordinates(shape), axis=0)
    assert np.hypot(*chords.T).max() <= np.sqrt(8 * 0.01 * 40) * 1.5  # spread to its end as well
    assert len(chords) >= 200 / np.sqrt(8 * 0.01 * 40)


@pytest.mark.parametrize("far", [1e7, 1e12, 1e15, 1e300])
def test_a_curve_of_damaged_numbers_is_no_flood_of_corners(tmp_path: Path, far: float) -> None:
    """A middle or a radius out in space: a verdict, and no million corners."""
    piece = arc("cw", (150, 100), (100, 150)).replace(at(100, 100), f"{far} {-far}")
    tight = spiral(200, 1.0 / far, (100, 90))
    site = opened(tmp_path, document(features(("Wall", piece), ("Wall", tight))))
    counts = shapely.get_num_coordinates(site.datasets[0].frame.geometry.to_numpy())
    assert counts.max() <= 10_001


def test_pieces_that_do_not_meet_are_lines_of_their_own(tmp_path: Path) -> None:
    pieces = line((0, 0), (10, 0)) + line((10, 0), (20, 0)) + line((50, 0), (60, 0))
    joined = pieces.replace("</CoordGeom><CoordGeom>", "")
    site = opened(tmp_path, document(features(("Wall", joined))))
    assert [plan(one) for one in site.datasets[0].frame.geometry] == [
        [(0, 0), (10, 0), (20, 0)],
        [(50, 0), (60, 0)],
    ]


def test_corners_named_by_points_of_the_file(tmp_path: Path) -> None:
    points = "".join(
        f'<CgPoint name="{n}">{at(x, y)}</CgPoint>' for n, (x, y) in enumerate([(0, 0), (9, 5)])
    )
    geom = '<CoordGeom><Line><Start pntRef="0"/><End pntRef="1"/></Line></CoordGeom>'
    chain = "<CoordGeom><Chain>1 0</Chain></CoordGeom>"
    text = document(features(("Wall", geom), ("Wall", chain)), f"<CgPoints>{points}</CgPoints>")
    site = opened(tmp_path, text)
    shapes = dataset(site, "PlanFeatures/Design").frame.geometry
    assert [plan(one) for one in shapes] == [[(0, 0), (9, 5)], [(9, 5), (0, 0)]]
