"""The small map of a letter: the fault in its surroundings, kept in the report of the check."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image
from shapely.geometry import LineString, shape

from sitemap.report.json import to_dict
from sitemap.report.outlines import MOST_VERTICES, outlines_of
from sitemap.review.letter_map import Around, draw_map
from sitemap.review.saved_check import SavedOutlines
from tests.report import faulty
from tests.tiny_site import X0, Y0, check, fault, layer, make_rule, says, site, square

FAULT = square(150, 150)


def outlines(*drawn: Any, **layers: Any) -> dict[str, Any]:
    here = site({**site().layers, **layers})
    rule = make_rule("DST001", says(*drawn), "d")
    return outlines_of(check(rule, law=faulty.LAW, of=here))


def inked(png: bytes, ink: str, tolerance: int = 70) -> int:
    """Pixels that are near an ink."""
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=int)
    wanted = np.array([int(ink[i : i + 2], 16) for i in (1, 3, 5)])
    return int((np.abs(pixels - wanted).sum(axis=2) < tolerance).sum())


def test_boundary_cell_and_the_finding_s_own_layer_are_kept() -> None:
    kept = outlines(fault())
    assert shape(kept["boundary"]).equals(square(0, 0, 400))
    (cell,) = kept["cells"]
    middle = FAULT.representative_point()
    assert shape(cell["geometry"]).covers(middle)
    (disturbed,) = kept["layers"]
    assert disturbed["role"] == "disturbance"
    assert shape(disturbed["geometry"]).equals(shapely.boundary(FAULT))


def test_what_lies_far_from_every_finding_is_not_kept() -> None:
    far = layer("wetlands", [square(9_000, 9_000), square(260, 150)])
    roles = {
        one["role"]: shape(one["geometry"]) for one in outlines(fault(), wetlands=far)["layers"]
    }
    assert roles["wetlands"].equals(shapely.boundary(square(260, 150)))


def test_without_a_place_nothing_is_kept() -> None:
    nowhere = fault(geometry=None, role=None)
    assert outlines(nowhere) == {"boundary": None, "cells": [], "layers": []}


def test_outlines_stay_small_whatever_is_submitted() -> None:
    x = np.linspace(0, 400, 60_000)
    shore = LineString(np.column_stack([X0 + x, Y0 + 200 + 3 * np.sin(x)]))
    (kept,) = (
        one for one in outlines(fault(), wetlands=layer("wetlands", [shore]))["layers"]
        if one["role"] == "wetlands"
    )  # fmt: skip
    drawn = shape(kept["geometry"])
    assert 2 <= shapely.get_num_coordinates(drawn) <= MOST_VERTICES
    assert shapely.hausdorff_distance(drawn, shore.intersection(square(-10, -10, 420))) < 26


def test_the_map_shows_the_surroundings_under_the_fault() -> None:
    shore = LineString([(X0, Y0 + 275), (X0 + 400, Y0 + 275)])
    kept = SavedOutlines.model_validate(
        {
            "boundary": shapely.geometry.mapping(square(100, 100, 200)),
            "cells": [{"label": "B3", "geometry": shapely.geometry.mapping(square(120, 120, 160))}],
            "layers": [
                {"role": "wetlands", "title": "W", "ink": "#0a6b6b",
                 "geometry": shapely.geometry.mapping(shore)}
            ],
        }
    )  # fmt: skip
    bare, whole = draw_map(FAULT, (), "B3"), draw_map(FAULT, (), "B3", Around(kept))
    assert inked(bare, "#000000") < inked(whole, "#000000")  # boundary
    assert inked(bare, "#3b8989") == 0 < inked(whole, "#3b8989")  # four fifths of the ink
    assert inked(whole, "#b3001b") > 100  # the fault stays on top
    assert draw_map(FAULT, (), "B3", Around(kept)) == whole


@pytest.mark.parametrize(
    "geometry",
    [{"type": "Point"}, {"type": "Blob", "coordinates": 3}, {"type": "Point", "coordinates": []}],
)
def test_outlines_that_cannot_be_read_leave_a_map_without_them(geometry: dict[str, Any]) -> None:
    kept = SavedOutlines(boundary=geometry)
    assert draw_map(FAULT, (), "", Around(kept)) == draw_map(FAULT, (), "")


def test_hostile_names_are_kept_as_plain_words() -> None:
    cells = to_dict(faulty.hostile())["outlines"]["cells"]
    assert [cell["label"] for cell in cells] == [faulty.NASTY[0]]
