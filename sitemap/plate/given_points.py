"""Points and distances that a person knows on a plate, and the scale that follows from them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sitemap.errors import UsageError
from sitemap.measured_plate import GIVEN, MapFrame, MeasuredPlate, PlatePage

NEAREST_IN = 0.5  # of two points; nearer ones measure badly by hand
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_POINT = re.compile(rf"\s*({_NUMBER})\s*,\s*({_NUMBER})\s*=\s*({_NUMBER})\s*,\s*({_NUMBER})\s*")
_DISTANCE = re.compile(
    rf"\s*({_NUMBER})\s*,\s*({_NUMBER})[\s:;]+({_NUMBER})\s*,\s*({_NUMBER})\s*=\s*({_NUMBER})\s*"
)


@dataclass(frozen=True)
class GivenPoint:
    """A place on the page, in inches from its lower left, and its easting and northing in feet."""

    x_in: float
    y_in: float
    east_ft: float
    north_ft: float


@dataclass(frozen=True)
class GivenDistance:
    """Two places on the page, in inches from its lower left, and the feet between them."""

    start_in: tuple[float, float]
    end_in: tuple[float, float]
    feet: float


def parse_point(text: str) -> GivenPoint:
    """Read "3.25,4.10=2450123.4,320456.7"; UsageError says what is accepted."""
    match = _POINT.fullmatch(text)
    if match is None:
        raise UsageError(
            f"--point {text!r}: give X,Y=E,N: inches from the page's lower left corner, then "
            "easting and northing in feet, as 3.25,4.10=2450123.4,320456.7; twice or more"
        )
    return GivenPoint(*(float(v) for v in match.groups()))


def parse_distance(text: str) -> GivenDistance:
    """Read "3,4 9,4=300"; UsageError says what is accepted."""
    match = _DISTANCE.fullmatch(text)
    if match is None:
        raise UsageError(
            f'--distance {text!r}: give "X1,Y1 X2,Y2=FEET": two places in inches from the page\'s '
            'lower left corner and the feet between them, as "3,4 9,4=300"'
        )
    x0, y0, x1, y1, feet = (float(v) for v in match.groups())
    if feet <= 0.0:
        raise UsageError(f"--distance {text!r}: {feet:g} ft; a distance is greater than 0")
    return GivenDistance((x0, y0), (x1, y1), feet)


def with_given(
    measured: MeasuredPlate,
    points: Sequence[GivenPoint] = (),
    distance: GivenDistance | None = None,
    number: int = 1,
) -> MeasuredPlate:
    """The plate with a frame on one page that follows from what was given.

    UsageError when there is no such page, too few points are given, or they lie too near.
    """
    page = next((one for one in measured.pages if one.number == number), None)
    if page is None:
        why = "; ".join(measured.trouble)
        raise UsageError(
            f"--page {number}: the plate has {len(measured.pages)} pages that can be measured"
            + (f" ({why})" if why else "")
        )
    frame = _by_points(points, page) if points else None
    if distance is not None:
        frame = _by_distance(distance, page)
    if frame is None:
        return measured
    changed = replace(page, frames=(*page.frames, frame))
    start = f"page {number}: "
    # what made it unmeasurable is mended now
    trouble = tuple(
        words for words in measured.trouble
        if not (words.startswith(start) and "its scale is not measurable" in words)
    )  # fmt: skip
    pages = tuple(changed if one is page else one for one in measured.pages)
    return replace(measured, pages=pages, trouble=trouble)


def _by_distance(given: GivenDistance, page: PlatePage) -> MapFrame:
    inches = math.dist(given.start_in, given.end_in)
    _far_enough(inches, "--distance")
    for place in (given.start_in, given.end_in):
        _on_page(place, page)
    return MapFrame(
        GIVEN,
        _box(page),
        round(given.feet / inches, 5),
        GIVEN,
        rests_on=f"a distance given: {given.feet:g} ft are {inches:.3f} in",
    )


def _by_points(points: Sequence[GivenPoint], page: PlatePage) -> MapFrame:
    if len(points) < 2:
        raise UsageError("--point: one point tells no scale; give two or more")
    paper = np.array([(p.x_in, p.y_in) for p in points])
    ground = np.array([(p.east_ft, p.north_ft) for p in points])
    for place in paper:
        _on_page((float(place[0]), float(place[1])), page)
    apart = np.hypot(*(paper[:, None] - paper[None]).transpose(2, 0, 1))
    _far_enough(float(apart.max()), "--point")
    if float(np.hypot(*(ground[:, None] - ground[None]).transpose(2, 0, 1)).max()) == 0.0:
        raise UsageError("--point: all points have one place on the ground")
    matrix, residual_ft = _fitted(paper, ground)
    across, up = (float(np.hypot(*row)) for row in matrix)
    mean = math.sqrt(across * up)
    corners = np.array([(x, y) for x in (0.0, page.width_in) for y in (0.0, page.height_in)])
    low_left, up_left, low_right, up_right = (
        (corners - paper.mean(axis=0)) @ matrix + ground.mean(axis=0)
    ).tolist()
    order = (low_left, up_left, up_right, low_right)
    worst = f", missed by at most {residual_ft:.2f} ft" if len(points) > 2 else ""
    return MapFrame(
        GIVEN,
        _box(page),
        round(mean, 5),
        GIVEN,
        ground_ft=tuple((float(x), float(y)) for x, y in order),
        anisotropy_ppm=abs(across - up) / mean * 1e6,
        across_up=(across, up),
        rests_on=f"{len(points)} points given{worst}",
    )


def _fitted(paper: np.ndarray, ground: np.ndarray) -> tuple[np.ndarray, float]:
    """The matrix (2, 2) from inches to feet and the worst miss in feet.

    Two points give one scale and a turn; three that are no line give both scales.
    """
    p, g = paper - paper.mean(axis=0), ground - ground.mean(axis=0)
    if np.linalg.matrix_rank(p, tol=0.05) < 2:
        # complex numbers: a turn with a scale is one multiplication
        z, w = p @ (1.0, 1.0j), g @ (1.0, 1.0j)
        factor = (w @ z.conj()) / (z @ z.conj()).real
        a, b = float(factor.real), float(factor.imag)
        matrix = np.array([[a, b], [-b, a]])
    else:
        matrix = np.linalg.lstsq(p, g, rcond=None)[0]
    return matrix, float(np.hypot(*(p @ matrix - g).T).max())


def _far_enough(inches: float, option: str) -> None:
    if inches < NEAREST_IN:
        raise UsageError(
            f"{option}: the places lie {inches:.2f} in apart; give places at least "
            f"{NEAREST_IN:g} in apart, better across the whole map"
        )


def _on_page(place: tuple[float, float], page: PlatePage) -> None:
    if not (0.0 <= place[0] <= page.width_in and 0.0 <= place[1] <= page.height_in):
        raise UsageError(
            f"({place[0]:g}, {place[1]:g}) in lies off page {page.number}, which is "
            f"{page.width_in:g} x {page.height_in:g} in; inches count from its lower left corner"
        )


def _box(page: PlatePage) -> tuple[float, float, float, float]:
    return 0.0, 0.0, page.width_in, page.height_in
