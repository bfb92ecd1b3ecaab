"""Acres of the legal roles as handed in: what lies on the ground twice counts once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas
import shapely

from sitemap.measures.cover import acres
from sitemap.measures.repeats import repeated
from sitemap.measures.twins import same_features
from sitemap.repair.unsafe import Desk, Draft

SAME_FT = 0.01  # copies keep their coordinates; another CRS on the way rounds them


def register_totals(
    drafts: Mapping[str, list[Draft]], names: Mapping[int, str], position_ft: float, desk: Desk
) -> None:
    """The acres of each legal role, before anything is touched.

    A dataset that came twice counts once, and so does a feature that lies on another one of its
    dataset. names: by id() of a draft, the dataset in words.
    """
    for role, datasets in drafts.items():
        said = _mark_repeats(datasets, names, position_ft)
        said += [words for one in datasets if (words := _mark_again(one, names[id(one)]))]
        size = sum(_size(one) for one in datasets if not one.repeats)
        desk.quantities.register(role, acres(size, desk.foot), said)
        if not all(one.placed for one in datasets):
            desk.quantities.unmeasured[role] = "its data are not in the CRS of the map"
        elif not size and any(len(_there(one)) for one in datasets):
            desk.quantities.unmeasured[role] = "nothing of it is drawn as an area"


def _size(draft: Draft) -> float:
    counted = [at for at in np.flatnonzero(_measured(draft)).tolist() if draft.is_in_sum(at)]
    return float(np.abs(shapely.area(draft.geometry[counted])).sum())


def _mark_repeats(datasets: list[Draft], names: Mapping[int, str], position_ft: float) -> list[str]:
    """What is said of the datasets that hold the features of an earlier one again."""
    said = []
    for number, second in enumerate(datasets):
        for first in datasets[:number]:
            if (
                first.placed
                and second.placed
                and not first.repeats
                and same_features(_there(first), _there(second), position_ft)
            ):
                second.repeats = True
                said.append(f"{names[id(second)]} holds the features of {names[id(first)]} again")
                break
    return said


def _mark_again(draft: Draft, name: str) -> str:
    """What is said of the areas of a dataset that lie on an earlier one of it; "" without any."""
    if draft.repeats:
        return ""
    rows = np.flatnonzero(_measured(draft))
    rows = rows[shapely.area(draft.geometry[rows]) != 0.0]
    nothing = pandas.DataFrame(index=range(len(rows)))
    sets = repeated(draft.geometry[rows], nothing, SAME_FT)
    again = [draft.origins[rows[at]] for same in sets for at in same[1:].tolist()]
    draft.again = frozenset(again)
    if len(again) == 1:
        return f"{again[0]}, which lies on another feature of its dataset"
    return f"{len(again)} features of {name}, which lie on others of it" if again else ""


def _there(draft: Draft) -> np.ndarray:
    shapes = draft.geometry
    return np.asarray(shapes[~(shapely.is_missing(shapes) | shapely.is_empty(shapes))])


def _measured(draft: Draft) -> np.ndarray:
    return np.asarray(
        np.isfinite(shapely.area(draft.geometry)) & np.full(len(draft.geometry), draft.placed)
    )
