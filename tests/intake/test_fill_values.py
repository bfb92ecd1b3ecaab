"""Numbers that mean "not known": they are missing, the file's owner reads it, and no flow rises."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.intake.assemble import open_site
from sitemap.intake.fill_values import without_fills
from tests.intake.makers import X0, Y0, frame, square, words, write


def test_inverts_of_a_city_that_mean_nothing_are_missing_and_told(tmp_path: Path) -> None:
    ends = [(X0 + 50.0 * i, Y0 + 50.0) for i in range(5)]
    pipes: list[BaseGeometry | None] = [shapely.LineString(pair) for pair in pairwise(ends)]
    up, down = [790.0, -999.0, 0.0, 789.5], [789.9, 789.8, 0.0, 1e38]
    write(frame([square(400.0)]), tmp_path / "boundary.shp")
    write(frame(pipes, UPINVERT=up, DNINVERT=down, DIAM=[12.0, -999.0, 15.0, 15.0]),
          tmp_path / "storm_sewers.gpkg")  # fmt: skip
    site = open_site(tmp_path)
    layer = site.role("storm_sewers")
    assert layer is not None
    sewers = layer.usable
    np.testing.assert_array_equal(sewers["invert_up_ft"], [790.0, math.nan, math.nan, 789.5])
    np.testing.assert_array_equal(sewers["invert_down_ft"], [789.9, 789.8, math.nan, math.nan])
    np.testing.assert_array_equal(sewers["size_in"], [12.0, math.nan, 15.0, 15.0])
    told = words(site, "fill_values")
    assert (
        "field UPINVERT: counted as missing, since it means that nothing is known: "
        "-999 (1), 0 (1) of 4 values" in told
    )
    assert "1e+38 (1)" in told


@pytest.mark.parametrize(
    ("name", "numbers", "left"),
    [
        ("invert_ft", [0.0, 3.2, -4.1], 3),  # a city datum near its zero: 0 is a height
        ("invert_ft", [0.0, 789.6], 1),
        ("invert_ft", [0.0, 0.0], 0),
        ("acres", [0.0, 640.0], 2),  # only heights cannot be 0
        ("elevation", [-9999.0, 780.0], 2),  # CON003 names the line
        ("invert_ft", [-9999.0, -99999.0, -32768.0, -3.4e38, 700.0, math.nan], 1),
    ],
)
def test_what_counts_as_not_known(name: str, numbers: list[float], left: int) -> None:
    kept, oddities = without_fills(np.array(numbers), name, "COLUMN")
    assert np.isfinite(kept).sum() == left
    assert bool(oddities) == (left < np.isfinite(numbers).sum())
