"""The ground before grading: one documented function z(x, y) in NAVD88 feet, plus small noise.

z = valley(x, v) + ridge + knob - kettle + noise, then the county road is set into it and the
creek is cut. README.md writes the parts out. `v` is the distance north of the valley axis.
"""

from __future__ import annotations

import numpy as np
from place import SEED, cell_centres

POND_FT = 825.9  # water level of the kettle pond; it has no outlet
ROAD_HALF_FT = 12.0  # county road: half the pavement
ROAD_DITCH_DEPTH_FT = 2.6  # below the crown; deeper where the road is on a bank


def _rise(v: np.ndarray, at: np.ndarray | float, width: float) -> np.ndarray:
    """The integral of a smooth step of slope: 0 before `at`, v - at after it, rounded by width."""
    scaled = (v - at) / width
    bent: np.ndarray = width * np.logaddexp(0.0, scaled)
    return bent


def _step(value: np.ndarray, at: float, width: float) -> np.ndarray:
    """A smooth step from 0 to 1 centred at `at`."""
    stepped: np.ndarray = 0.5 * (1.0 + np.tanh((value - at) / width))
    return stepped


def valley_axis(x: np.ndarray) -> np.ndarray:
    """Northing of the valley's axis: it falls to the south-east."""
    y: np.ndarray = 128.0 - 0.060 * x + 13.0 * np.sin(x / 235.0 + 0.7)
    return y


def creek_y(x: np.ndarray) -> np.ndarray:
    """Northing of the creek's centre line: the axis with meanders."""
    swing = 9.0 + 5.0 * np.sin(x / 143.0 + 2.0)
    meander = swing * np.sin(x / 43.0 + 0.9 * np.sin(x / 97.0)) + 4.0 * np.sin(x / 21.0 + 1.3)
    y: np.ndarray = valley_axis(x) + meander
    return y


def bank_ft(x: np.ndarray) -> np.ndarray:
    """Height of the meadow at the creek's bank: 0.09 percent down the valley."""
    height: np.ndarray = 810.1 - 0.0009 * x
    return height


def road_x(y: np.ndarray) -> np.ndarray:
    """Easting of the county road's centre line, which is the section line."""
    x: np.ndarray = 5.0 - 0.0115 * y
    return x


def road_ft(y: np.ndarray) -> np.ndarray:
    """Profile of the county road's crown: a bridge at 814.6, then 6 percent up to the north."""
    up = 0.072 * _rise(y, 205.0, 40.0) - 0.017 * _rise(y, 560.0, 90.0)
    down = 0.045 * _rise(-y, -30.0, 40.0)
    height: np.ndarray = 814.4 + up - 0.062 * _rise(y, 880.0, 60.0) + down
    return height


def _noise(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Band-limited noise: plane waves of seeded phase and heading, two bands of wavelength.

    60 waves of 90 to 420 ft make the swells and hollows (0.8 ft rms), 40 waves of 45 to 95 ft the
    unevenness of a woodland floor (0.1 ft rms).
    """
    random = np.random.default_rng(SEED)
    total = np.zeros_like(x)
    for count, shortest, longest, size in ((60, 90.0, 420.0, 0.29), (40, 45.0, 95.0, 0.028)):
        for _ in range(count):
            length = float(np.exp(random.uniform(np.log(shortest), np.log(longest))))
            heading, phase = random.uniform(0, 2 * np.pi, 2)
            along = (np.cos(heading) * x + np.sin(heading) * y) * 2 * np.pi / length
            total += size * (length / longest) ** 1.15 * np.sin(along + phase)
    return total


def _valley(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Meadow, slope band and shelf north of the axis; a gentler rise south of it."""
    toe = 112.0 + 13.0 * np.sin(x / 120.0 + 1.0) + 8.0 * np.sin(x / 57.0)
    west = 1.0 - _step(x, 235.0, 85.0)
    band = 0.245 - 0.155 * west
    rise = 25.5 + 1.5 * west
    shelf = 0.024 + 0.004 * np.sin(x / 190.0)
    north = 0.013 * np.maximum(v, 0) + (band - 0.013) * _rise(v, toe, 9.0)
    crest = toe + rise / band + 15.0 * np.sin(x / 83.0 + 2.2) + 9.0 * np.sin(x / 37.0)
    north -= (band - shelf) * _rise(v, crest, 15.0)
    # The south-east: two smaller bands with an outwash terrace between them.
    terrace = 0.013 * np.maximum(v, 0) + 0.20 * _rise(v, toe, 9.0)
    terrace -= 0.188 * _rise(v, toe + 56.0, 10.0)
    upper = 318.0 + 22.0 * np.sin(x / 71.0 + 0.5)
    terrace += 0.135 * _rise(v, upper, 16.0) - 0.136 * _rise(v, upper + 80.0, 22.0)
    east = _step(x, 1025.0, 62.0)
    south = 0.013 * np.maximum(-v, 0) + 0.075 * _rise(-v, 120.0, 20.0)
    return bank_ft(x) + (1 - east) * north + east * terrace + south


def _bump(
    x: np.ndarray,
    y: np.ndarray,
    at: tuple[float, float],
    size: tuple[float, float],
    turn_deg: float,
) -> np.ndarray:
    """A smooth hill of height 1 with half-lengths `size` along and across its heading."""
    turn = np.radians(turn_deg)
    along = (x - at[0]) * np.cos(turn) + (y - at[1]) * np.sin(turn)
    across = -(x - at[0]) * np.sin(turn) + (y - at[1]) * np.cos(turn)
    hill: np.ndarray = np.exp(-((along / size[0]) ** 2) - (across / size[1]) ** 2)
    return hill


def _kettle(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """An ice-block hollow of depth 1, flat-bottomed and not quite round."""
    dx, dy = x - 1050.0, y - 668.0
    angle = np.arctan2(dy, dx)
    radius = 82.0 * (1 + 0.16 * np.cos(2 * angle - 0.9) + 0.07 * np.sin(3 * angle + 0.4))
    hollow: np.ndarray = np.exp(-((np.hypot(dx, dy) / radius) ** 3.2))
    return hollow


def _natural_ft(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The ground as the ice left it: no road, no creek channel."""
    v = y - valley_axis(x)
    z = _valley(x, v)
    z = z + 28.5 * _bump(x, y, (225.0, 860.0), (330.0, 155.0), 9.0)
    z = z + 11.0 * _bump(x, y, (760.0, 905.0), (210.0, 120.0), -8.0)
    z = z + 6.0 * _bump(x, y, (1330.0, 640.0), (170.0, 260.0), 0.0)
    wild = 0.22 + 0.78 * _step(np.abs(v), 150.0, 45.0)  # the wet meadow is nearly plane
    z = z + wild * _noise(x, y)
    hollow = _kettle(x, y)
    z = z - 21.0 * hollow
    return np.where(hollow > 0.05, np.maximum(z, POND_FT), z)  # water hides what lies below it


def road_ditch(y: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Offset of a road ditch from the centre line, and its height; side +1 is east."""
    beside = _natural_ft(road_x(y) + side * 45.0, y)
    crown = road_ft(y)
    height = np.minimum(crown - ROAD_DITCH_DEPTH_FT, beside - 1.0)
    offset = 17.0 + (crown - 0.34 - height) / 0.28
    return offset, height


def _with_road(z: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The county road set into the ground: crown, 3.5:1 shoulders, ditches, 3:1 backslopes."""
    rows = np.arange(y.min() - 5.0, y.max() + 6.0, 5.0)
    off = np.abs(x - road_x(y))
    crown = road_ft(y)
    inner = crown - 0.02 * np.minimum(off, 17.0) - 0.28 * np.maximum(off - 17.0, 0.0)
    shaped = z
    for side in (-1, 1):
        at, bottom = (np.interp(y, rows, row) for row in road_ditch(rows, side))
        template = np.maximum(inner, bottom)
        backslope = bottom + np.maximum(off - at - 2.0, 0.0) / 3.0
        with_side = np.where(off <= at + 2.0, template, np.minimum(z, backslope))
        shaped = np.where(side * (x - road_x(y)) >= 0, with_side, shaped)
    return shaped


def existing_ft(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Ground before construction, in NAVD88 feet, at local points."""
    return _with_creek(_with_road(_natural_ft(x, y), x, y), x, y)


def _with_creek(z: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The creek's channel: rounded, 2.6 ft deep, 3:1 sides; at the road it is in the culvert."""
    slope = np.gradient(creek_y(np.linspace(-220, 1520, 1741)), 1.0)
    steepness = np.interp(x, np.linspace(-220, 1520, 1741), slope)
    off = np.abs(y - creek_y(x)) / np.sqrt(1 + steepness**2)
    channel = bank_ft(x) - 2.6 + (np.hypot(off, 3.0) - 3.0) / 3.0
    under_road = np.abs(x - road_x(y)) < 30.0
    return np.where(under_road, z, np.minimum(z, channel))


def existing_surface() -> np.ndarray:
    """The ground before construction at the working cells."""
    x, y = cell_centres()
    return existing_ft(x, y)
