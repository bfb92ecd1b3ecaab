"""What the label of one feature says: the template of its style over its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import shapely

from sitemap.plate.styles import Style, label_lines
from sitemap.units import Area, AreaUnit

if TYPE_CHECKING:
    import geopandas


ITALIC_ROLES = ("streams", "waterbodies", "wetlands", "floodplain", "discharges")


def _values(frame: geopandas.GeoDataFrame, row: int) -> dict[str, object]:
    """The fields of one feature for its label; acres are measured where the data give none."""
    values = dict(frame.iloc[row].drop(labels=[frame.geometry.name]))
    shape = frame.geometry.iloc[row]
    if shapely.get_dimensions(shape) == 2 and pd.isna(values.get("acres")):
        values["acres"] = Area(float(shapely.area(shape)), AreaUnit.SQUARE_FOOT).acres
    return {str(k): v for k, v in values.items()}


def feature_label(style: Style, frame: geopandas.GeoDataFrame, row: int) -> tuple[str, ...]:
    """The label's lines of one feature; () where its style has none, or its fields are empty."""
    return label_lines(style.label, _values(frame, row)) if style.label else ()
