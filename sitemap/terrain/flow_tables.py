"""Flow as tables with geometry: the waters met, and every leg of every trace."""

from __future__ import annotations

import geopandas

from sitemap.terrain.downstream import Flow


def discharge_table(flow: Flow) -> geopandas.GeoDataFrame:
    """Every water met, one row per outlet and water, with the canonical discharge fields.

    id, outfall, receiving_water, distance_ft (feet along flow), role, kind, first (whether it
    is entered before any other), share_pct (of the runs), method, certain; points of entry.
    """
    rows: list[dict[str, object]] = []
    for trace in flow.traces:
        for m in trace.course.meetings:
            water = flow.water(m.water)
            share = trace.shares.get(m.water)
            pct = 100.0 if not trace.runs else share.any_pct if share else 0.0
            rows.append(
                {
                    "id": f"DP-{len(rows) + 1}",
                    "outfall": trace.outlet,
                    "receiving_water": water.name,
                    "distance_ft": round(m.distance_ft, 1),
                    "role": water.role,
                    "kind": water.kind,
                    "first": m.first,
                    "share_pct": round(pct, 1),
                    "method": ", ".join(dict.fromkeys(x.method for x in m.leg.chain())),
                    "certain": m.leg.certain,
                    "geometry": m.point,
                }
            )
    columns = [
        "id", "outfall", "receiving_water", "distance_ft", "role", "kind", "first",
        "share_pct", "method", "certain", "geometry",
    ]  # fmt: skip
    return geopandas.GeoDataFrame(rows, columns=columns, geometry="geometry", crs=flow.site.crs)


def path_table(flow: Flow) -> geopandas.GeoDataFrame:
    """Every leg of every trace: outfall, method, start_ft, end_ft, ends; lines."""
    rows = [
        {
            "outfall": trace.outlet,
            "method": leg.method,
            "start_ft": round(leg.start_ft, 1),
            "end_ft": round(leg.end_ft, 1),
            "ends": "" if leg.leaf is None else str(getattr(leg.leaf, "value", leg.leaf)),
            "geometry": leg.line,
        }
        for trace in flow.traces
        for leg in trace.course.legs
    ]
    columns = ["outfall", "method", "start_ft", "end_ft", "ends", "geometry"]
    return geopandas.GeoDataFrame(rows, columns=columns, geometry="geometry", crs=flow.site.crs)
