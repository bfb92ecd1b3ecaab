"""Attributes that go with a feature into the drawing: which it is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    import geopandas

APP_ID = "SITEMAP"
TAGS = ("id", "type", "kind", "name", "zone", "elevation", "acres", "map_unit")
MOST_LETTERS = 255  # of one string of extended data


def feature_tags(frame: geopandas.GeoDataFrame, row: int) -> dict[str, str]:
    """The fields of a feature that say which it is, as text; those without a value left out."""
    found: dict[str, str] = {}
    for name in TAGS:
        value: Any = frame[name].iloc[row] if name in frame.columns else None
        if value is None or pd.isna(value):
            continue
        text = f"{value:.10g}" if isinstance(value, float) else " ".join(str(value).split())
        if text:
            found[name] = text
    return found


def tag(entity: Any, values: Mapping[str, str]) -> None:
    """Keep them as extended data of an entity, each as "id=SF-1"."""
    if values:
        entity.set_xdata(APP_ID, [(1000, f"{k}={v}"[:MOST_LETTERS]) for k, v in values.items()])
