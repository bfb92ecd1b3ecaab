"""Floodplain polygons by what they are: special flood hazard area, floodway, fringe."""

from __future__ import annotations

import numpy as np

from sitemap.site import RoleLayer

HAZARD_ZONES = ("A", "A99", "AE", "AH", "AO", "AR", "V", "VE")  # 1 % annual chance
STUDIED_ZONES = ("AE",)  # flood heights are known, so that a floodway can be computed


def is_floodway(layer: RoleLayer) -> np.ndarray:
    """True for the usable features that are floodway."""
    return np.asarray(layer.usable["subtype"] == "floodway", dtype=bool)


def is_hazard(layer: RoleLayer) -> np.ndarray:
    """True for the usable features of the 1 % flood, floodway and fringe alike."""
    frame = layer.usable
    named = frame["subtype"].isin(["floodway", "floodfringe"])
    minimal = frame["subtype"].isin(["minimal", "0.2 percent"])
    return np.asarray((frame["zone"].isin(HAZARD_ZONES) & ~minimal) | named, dtype=bool)
