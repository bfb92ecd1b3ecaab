"""A dataset brought into the CRS of the map: only by a real operation, and no outline broken by it.

Reprojection rounds every vertex by itself, and bends what were straight edges. An outline that
touches itself may then cross itself: by rounding, which is put right here, or in earnest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import same_ellipsoid
from sitemap.finding import Source
from sitemap.layer import SOURCE_FID, Layer
from sitemap.measures.cover import acres
from sitemap.repair.changes import Change
from sitemap.repair.geometry import ROUNDING_FT, divided_at_touch
from sitemap.repair.unsafe import Desk, Draft
from sitemap.site import Site

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Reprojected:
    """Where a dataset lies in the copy. divided: row -> outline that takes the place of its own."""

    geometry: np.ndarray
    placed: bool
    changes: tuple[Change, ...] = ()
    divided: Mapping[int, BaseGeometry] = field(default_factory=dict)


def reprojected(
    site: Site, layer: Layer, moved: np.ndarray, source: Source, doubt: str = ""
) -> Reprojected:
    """Geometry in the CRS of the map (`moved`), or in its own where it may not be taken there.

    doubt: the code of the rule that found the dataset's CRS wrong; "" where none did.
    """
    own = layer.frame.geometry.to_numpy()
    provenance = layer.provenance
    account = site.transformations.get(
        f"{provenance.file}:{provenance.layer}"
    ) or site.transformations.get(provenance.file)
    if account is None or account.operation == "none" or account.source == account.target:
        return Reprojected(moved, placed=True)
    broken = np.flatnonzero(_sound_areas(own) & ~shapely.is_valid(moved)).tolist()
    divided = {at: divided_at_touch(moved[at]) for at in broken}
    refused = ""
    if doubt:
        refused = (
            f"{doubt} finds that its CRS is wrong; reprojected by it, the numbers would lie in the "
            "wrong place and nothing would show why. State the right one first"
        )
    elif account.ballpark and not same_ellipsoid(layer.crs, site.crs):
        refused = (
            "without the grid PROJ would leave the datum shift out, tens to hundreds of feet; "
            "install it, or export the layer in the CRS of the map"
        )
    elif crossing := [at for at, shape in divided.items() if shape is None]:
        refused = _crossing(layer.frame[SOURCE_FID].to_numpy()[crossing].tolist())
    change = Change("reprojected", source, layer.role, str(account), refused)
    if refused:
        return Reprojected(own, placed=False, changes=(change,))
    kept = {at: shape for at, shape in divided.items() if shape is not None}
    return Reprojected(moved, placed=True, changes=(change,), divided=kept)


def _sound_areas(shapes: np.ndarray) -> np.ndarray:
    """True for areas that are valid as drawn."""
    sound: np.ndarray = (shapely.get_dimensions(shapes) == 2) & shapely.is_valid(shapes)
    return sound & ~shapely.is_empty(shapes)


def _crossing(records: Sequence[int]) -> str:
    """Why a dataset stays where it is, with the records that would be broken."""
    shown = ", ".join(str(record) for record in records[:_SHOWN])
    more = f" and {len(records) - _SHOWN} more" if len(records) > _SHOWN else ""
    outlines = f"the outline of record {shown}{more}"
    return (
        f"{outlines} is valid as drawn and would cross itself in the CRS of the map, where edges "
        "bend; draw it clear of itself, or export the layer in the CRS of the map"
    )


def divide_touches(draft: Draft, divided: Mapping[int, BaseGeometry], desk: Desk) -> None:
    """Outlines that only rounding makes cross themselves, each with its acres before and after."""
    for at, shape in divided.items():
        before = acres(float(draft.geometry[at].area), desk.foot)
        after = acres(float(shape.area), desk.foot)
        words = (
            "valid as drawn; reprojected, it crosses itself by rounding where it touches itself: "
            f"cut there, nothing moves by more than {ROUNDING_FT:g} ft; {after:.4f} acres"
        )
        change = Change("touch divided", draft.origins[at], draft.role, words, "", before, after)
        desk.settle(draft, at, change, shape)
