"""What the fields of the streams, and the flow tables handed in beside them, say of each reach.

Flow tables are attribute tables without geometry: pairs of reaches (NHDPlus PlusFlow), or values
of reaches by their id (PlusFlowlineVAA, elevslope). Their columns are those that the layer file
of the streams names.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas

from sitemap.catalogue import LayerSpec
from sitemap.column_names import same_name
from sitemap.measures.flow_evidence import NOTHING_SAID, Routing
from sitemap.measures.records import TABLES
from sitemap.site import RoleLayer, Site

FROM_REACH, TO_REACH = ("fromcomid", "from_reach"), ("tocomid", "to_reach")
VALUES = ("from_node", "to_node", "sequence", "next_sequence", "order", "level_high", "level_low")
MISSING = -9000.0  # NHDPlus writes -9998 and -9999 for heights that it does not know
Pairs = frozenset[tuple[str, str]]


def routing_of(site: Site, role: str = "streams") -> tuple[list[Routing], Pairs]:
    """One Routing per usable record of a role, and pairs of reaches of which one leads on."""
    layer = site.role(role)
    if layer is None:
        return [], frozenset()
    frame = layer.usable
    if not any(frame[n].notna().any() for n in ("reach", *VALUES) if n in frame.columns):
        return [NOTHING_SAID] * len(frame), frozenset()
    said = _said(layer)
    tables = _tables(site) if role == "streams" else []
    pairs: set[tuple[str, str]] = set()
    for table in tables:
        pairs |= _pairs(table)
        _fill(said, table, site.catalogue[role])
    leads = frozenset(pairs | _by_sequence(said))
    return [_routing(row) for row in said.to_dict("records")], leads


def _said(layer: RoleLayer) -> pandas.DataFrame:
    """The routing fields of the usable records, as text or NaN."""
    frame = layer.usable
    said = pandas.DataFrame(index=range(len(frame)))
    for name in ("reach", *VALUES):
        given = frame[name].tolist() if name in frame.columns else [None] * len(frame)
        said[name] = pandas.Series([_plain(value) for value in given], dtype=object)
    return said


def _tables(site: Site) -> list[pandas.DataFrame]:
    return [
        pandas.DataFrame(layer.frame.drop(columns=layer.frame.geometry.name))
        for layer in site.datasets
        if any(oddity.kind in TABLES for oddity in layer.provenance.oddities)
    ]


def _pairs(table: pandas.DataFrame) -> set[tuple[str, str]]:
    above, below = _column(table, FROM_REACH), _column(table, TO_REACH)
    if above is None or below is None:
        return set()
    both = zip(map(_plain, table[above]), map(_plain, table[below]), strict=True)
    return {(a, b) for a, b in both if a is not None and b is not None}


def _fill(said: pandas.DataFrame, table: pandas.DataFrame, spec: LayerSpec) -> None:
    """Values that the reaches do not have themselves, from a table of them."""
    key = _column(table, _names(spec, "reach"))
    if key is None:
        return
    ids = [_plain(value) for value in table[key]]
    if len(set(ids)) < len(ids):
        return  # a reach stands in it twice: not a table of reaches
    for name in VALUES:
        column = _column(table, _names(spec, name))
        if column is None:
            continue
        values = dict(zip(ids, map(_plain, table[column]), strict=True))
        empty = said[name].isna()
        said.loc[empty, name] = [values.get(reach) for reach in said.loc[empty, "reach"]]


def _names(spec: LayerSpec, name: str) -> tuple[str, ...]:
    return (name, *spec.fields[name].aliases)


def _column(table: pandas.DataFrame, names: tuple[str, ...]) -> str | None:
    for name in names:
        for column in table.columns:
            if same_name(str(column), name):
                return str(column)
    return None


def _by_sequence(said: pandas.DataFrame) -> set[tuple[str, str]]:
    """Pairs of reaches from the number of each and that of the next one."""
    known = said["reach"].notna() & said["sequence"].notna()
    reach = dict(zip(said.loc[known, "sequence"], said.loc[known, "reach"], strict=True))
    both = zip(said["reach"], said["next_sequence"], strict=True)
    return {(a, reach[b]) for a, b in both if a is not None and b in reach}


def _routing(row: Mapping[object, object]) -> Routing:
    def text(name: str) -> str | None:
        value = row[name]
        return value if isinstance(value, str) else None

    return Routing(
        text("reach"), text("from_node"), text("to_node"), _number(row["level_high"]),
        _number(row["level_low"]), _number(row["order"]),
    )  # fmt: skip


def _plain(value: object) -> str | None:
    """A value as text; 510071531.0, 510071531 and ' 510071531 ' are the same."""
    if value is None or (isinstance(value, float) and not np.isfinite(value)):
        return None
    text = str(value).strip()
    whole = text.removesuffix(".0")
    return (whole if whole.lstrip("-").isdigit() else text) or None


def _number(value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        return np.nan
    return number if number > MISSING else np.nan
