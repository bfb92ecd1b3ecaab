"""The numbers of a pack by which flow is followed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sitemap.ordinance import LimitSpec
from sitemap.site import Site
from sitemap.units import Area, Length


@dataclass(frozen=True)
class FlowLimits:
    """The numbers of a pack by which flow is followed. Lengths in feet of the site CRS."""

    distance_ft: float
    low_point_acres: float
    upper_pct: float
    lower_pct: float
    runs: int
    correlation_ft: float
    snap_ft: float
    accuracy_ft: float  # of references

    NAMES = (
        "discharge_distance", "low_point_area", "corridor_upper", "corridor_lower",
        "corridor_runs", "corridor_correlation", "snapping_distance", "reference_accuracy",
    )  # fmt: skip

    @classmethod
    def of(cls, limits: Mapping[str, LimitSpec], site: Site) -> FlowLimits:
        """From the limits of a pack, which must have all of NAMES."""
        numbers: list[float] = []
        for name in cls.NAMES:
            value = limits[name].typed
            if isinstance(value, Length):
                numbers.append(value.to(site.foot))
            else:
                numbers.append(value.acres if isinstance(value, Area) else limits[name].value)
        distance, acres, upper, lower, runs, correlation, snap, accuracy = numbers
        return cls(distance, acres, upper, lower, int(runs), correlation, snap, accuracy)
