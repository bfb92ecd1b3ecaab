"""What the label of one feature says: the template of its style over its fields."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

import pandas as pd
import shapely

from sitemap.plate.styles import Style, label_lines
from sitemap.units import Area, AreaUnit

if TYPE_CHECKING:
    import geopandas


ITALIC_ROLES = ("streams", "waterbodies", "wetlands", "floodplain", "discharges")


def _values(template: str, frame: geopandas.GeoDataFrame, row: int) -> dict[str, object]:
    """The fields that a template names; acres are measured where the data give none."""
    named = [name for _, name, _, _ in string.Formatter().parse(template) if name]
    values = {name: frame[name].iat[row] for name in named if name in frame.columns}
    if "acres" in named and pd.isna(values.get("acres")):
        shape = frame.geometry.iat[row]
        if shapely.get_dimensions(shape) == 2:
            values["acres"] = Area(float(shapely.area(shape)), AreaUnit.SQUARE_FOOT).acres
    return values


def feature_label(style: Style, frame: geopandas.GeoDataFrame, row: int) -> tuple[str, ...]:
    """The label's lines of one feature; () where its style has none, or its fields are empty."""
    return label_lines(style.label, _values(style.label, frame, row)) if style.label else ()
