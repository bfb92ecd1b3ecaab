"""What is odd about the geometries of one dataset, counted and with record numbers.

Looks at what reading gave (WKB, shapes, shapefile types). Validity is counted only when the
inventory asks for it.
"""

from __future__ import annotations

import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.intake.oddities import count_of, numbered, odd
from sitemap.intake.shapefile import SHAPE_NAMES
from sitemap.layer import Oddity
from sitemap.measures.vertices import BLOCK_VERTICES, vertices_of

LOOKED_AT_TOGETHER = 20_000  # features
_WILD = 1e9  # coordinate units: beyond any projected CRS in feet or metres
_SURFACES = frozenset({7, 15, 16, 17})  # WKB: collection, polyhedral surface, TIN, triangle
_KINDS = {0: "point", 1: "line", 2: "line", 3: "polygon", 4: "point", 5: "line", 6: "polygon"}


def geometry_kinds(geometries: np.ndarray) -> tuple[str, ...]:
    """The kinds present, 'point', 'line', 'polygon', 'collection', most frequent first."""
    types = shapely.get_type_id(geometries)
    values, counts = np.unique(types[types >= 0], return_counts=True)
    tally: dict[str, int] = {}
    for value, count in zip(values, counts, strict=True):
        kind = _KINDS.get(int(value), "collection")
        tally[kind] = tally.get(kind, 0) + int(count)
    return tuple(sorted(tally, key=lambda kind: -tally[kind]))


def geometry_types(geometries: np.ndarray) -> dict[str, int]:
    """How many of each geometry type, Z told apart: {'MultiPolygon Z': 12}."""
    present = geometries[~shapely.is_missing(geometries)]
    kinds = shapely.get_type_id(present) * 2 + shapely.has_z(present)
    _, first, counts = np.unique(kinds, return_index=True, return_counts=True)
    named = {
        f"{present[one].geom_type}{' Z' if shapely.has_z(present[one]) else ''}": int(count)
        for one, count in zip(first.tolist(), counts, strict=True)
    }
    return dict(sorted(named.items()))


def finite_bounds(geometries: np.ndarray) -> Bounds | None:
    """Bounds over the finite coordinates; None where there are none."""
    if not len(geometries):
        return None
    with np.errstate(invalid="ignore"):
        each = shapely.bounds(geometries)
    good = each[np.isfinite(each).all(axis=1)]
    if not len(good):
        return None
    low, high = good[:, :2].min(axis=0), good[:, 2:].max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def geometry_oddities(
    geometries: np.ndarray,
    records: np.ndarray,
    wkb_types: np.ndarray | None,
    shape_types: np.ndarray | None,
) -> list[Oddity]:
    """Null, empty, undecodable, non-finite, wild and mixed geometries.

    wkb_types: the type that each null record had before decoding (0 where none), shape_types: the
    types of the shapefile's records by record number.
    """
    found = _null_oddities(geometries, records, wkb_types, shape_types)
    empty = shapely.is_empty(geometries)
    if empty.any():
        where = records[empty].tolist()
        found.append(
            odd(
                "geometry_empty",
                f"{count_of(len(where), 'feature')} with an empty geometry: record "
                f"{numbered(where)}",
                feature=where[0],
            )
        )
    kinds = geometry_kinds(geometries)
    if len(kinds) > 1:
        found.append(odd("mixed_types", f"{', '.join(kinds)} in one dataset"))
    found.extend(_coordinate_oddities(geometries, records))
    high = int(shapely.has_z(geometries).sum())
    if high:
        found.append(
            odd(
                "has_z",
                f"{count_of(high, 'feature')} with heights (Z) in the coordinates",
            )
        )
    return found


def _null_oddities(
    geometries: np.ndarray,
    records: np.ndarray,
    wkb_types: np.ndarray | None,
    shape_types: np.ndarray | None,
) -> list[Oddity]:
    null = shapely.is_missing(geometries)
    if not null.any():
        return []
    found: list[Oddity] = []
    was_there = np.zeros(len(null), dtype=bool)
    surfaces = np.zeros(len(null), dtype=bool)
    if wkb_types is not None:
        was_there |= null & (wkb_types > 0)
        surfaces |= was_there & np.isin(wkb_types % 1000, list(_SURFACES))
    if shape_types is not None and len(shape_types):
        inside = records < len(shape_types)
        types = np.where(inside, shape_types[np.minimum(records, len(shape_types) - 1)], 0)
        was_there |= null & (types > 0)
        surfaces |= null & (types == 31)
    for mask, kind, words in (
        (null & ~was_there, "geometry_null", "without geometry in the file"),
        (surfaces, "multipatch_converted", "with a 3D surface (multipatch or TIN), which a flat "
         "map cannot hold; counted as null"),
        (was_there & ~surfaces, "geometry_undecodable", "with a broken geometry that no reader "
         "can build (such as a ring of fewer than 4 points, or one left open); counted as null"),
    ):  # fmt: skip
        where = records[mask].tolist()
        if where:
            found.append(
                odd(
                    kind,
                    f"{count_of(len(where), 'feature')} {words}: record {numbered(where)}",
                    feature=where[0],
                )
            )
    return found


def _coordinate_oddities(geometries: np.ndarray, records: np.ndarray) -> list[Oddity]:
    found: list[Oddity] = []
    low, high = _range(geometries)
    if low >= -_WILD and high <= _WILD:  # which no number that is not finite does
        return found
    xy, owner = shapely.get_coordinates(geometries, return_index=True)
    bad = ~np.isfinite(xy).all(axis=1)
    if bad.any():
        where = np.unique(records[owner[bad]]).tolist()
        found.append(
            odd(
                "coordinate_not_finite",
                f"coordinates that are not numbers (NaN or infinite), {int(bad.sum()):,} of them, "
                f"in record {numbered(where)}",
                feature=where[0],
            )
        )
    wild = ~bad & (np.abs(np.where(np.isfinite(xy), xy, 0.0)) > _WILD).any(axis=1)
    if wild.any():
        first = int(np.flatnonzero(wild)[0])
        where = np.unique(records[owner[wild]]).tolist()
        found.append(
            odd(
                "coordinate_wild",
                f"coordinates beyond {_WILD:.0e} in record {numbered(where)}, such as "
                f"({xy[first, 0]:.4g}, {xy[first, 1]:.4g})",
                feature=where[0],
                xy=(float(xy[first, 0]), float(xy[first, 1])),
            )
        )
    return found


def _range(geometries: np.ndarray) -> tuple[float, float]:
    """The least and the greatest number among the coordinates; NaN where one of them is no number.

    What many layers lay out and keep for the rules is not worth keeping of millions of vertices,
    of which a plate asks for nothing more.
    """
    if shapely.get_num_coordinates(geometries).sum() <= BLOCK_VERTICES:
        some = [vertices_of(geometries).every_xy]
    else:
        starts = range(0, len(geometries), LOOKED_AT_TOGETHER)
        some = [_ends(geometries[start : start + LOOKED_AT_TOGETHER]) for start in starts]
    known = [(float(xy.min()), float(xy.max())) for xy in some if len(xy)]
    if not known:
        return 0.0, 0.0
    lows, highs = np.transpose(known)
    return float(lows.min()), float(highs.max())


def _ends(geometries: np.ndarray) -> np.ndarray:
    """The least and the greatest coordinate, in an array; empty where there are none."""
    xy = shapely.get_coordinates(geometries)
    return np.array([xy.min(), xy.max()]) if len(xy) else np.empty(0)


def shape_type_oddities(
    shape_type: int, shape_types: np.ndarray, header_bounds: Bounds, bounds: Bounds | None
) -> list[Oddity]:
    """A shapefile whose records or extent differ from its header."""
    found: list[Oddity] = []
    other = np.unique(shape_types[(shape_types > 0) & (shape_types != shape_type)])
    if len(other):
        names = ", ".join(SHAPE_NAMES.get(int(t), f"type {t}") for t in other)
        stated = SHAPE_NAMES[shape_type]
        found.append(
            odd("type_differs_from_header", f"the header says {stated}, records hold {names}")
        )
    found.extend(extent_oddities(header_bounds, bounds))
    return found


def extent_oddities(stated: Bounds, bounds: Bounds | None) -> list[Oddity]:
    """A stated extent that is no extent, or that does not hold the features."""
    if bounds is None:
        return []
    if not all(np.isfinite(stated)):
        return [odd("declared_extent_wrong", "the extent in the header is not a number")]
    size = max(bounds[2] - bounds[0], bounds[3] - bounds[1])
    slack = 0.01 * size + 1e-6 * max(1.0, *(abs(v) for v in bounds))
    outside = max(stated[0] - bounds[0], stated[1] - bounds[1], bounds[2] - stated[2],
                  bounds[3] - stated[3])  # fmt: skip
    if outside <= slack:
        return []
    return [
        odd(
            "declared_extent_wrong",
            f"the header says ({stated[0]:.6g}, {stated[1]:.6g}) to ({stated[2]:.6g}, "
            f"{stated[3]:.6g}), the features lie from ({bounds[0]:.6g}, {bounds[1]:.6g}) to "
            f"({bounds[2]:.6g}, {bounds[3]:.6g})",
        )
    ]


def ring_faults(geometries: np.ndarray, records: np.ndarray) -> tuple[Oddity, ...]:
    """Geometries that break the rules of simple features, counted by reason."""
    present = ~shapely.is_missing(geometries)
    bad = np.flatnonzero(present & ~shapely.is_valid(geometries))
    if not len(bad):
        return ()
    reasons: dict[str, int] = {}
    for text in shapely.is_valid_reason(geometries[bad]):
        reason = str(text).split("[", 1)[0].strip()
        reasons[reason] = reasons.get(reason, 0) + 1
    words = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    where = records[bad].tolist()
    return (
        odd(
            "geometry_invalid",
            f"{len(bad):,} of {len(geometries):,} features are invalid: {words}; record "
            f"{numbered(where)}",
            feature=where[0],
        ),
    )
