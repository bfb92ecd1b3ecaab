"""One palette for severities, and the QGIS styles of findings.gpkg written from it.

Colour never stands alone: each severity has its own marker, line pattern and hatch, and its word.
Inks keep a contrast of at least 4.5 to 1 on white.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sitemap.finding import Severity


@dataclass(frozen=True)
class Look:
    """How one severity is drawn: ink and tint as #rrggbb, QGIS marker, pen and brush names."""

    name: str
    label: str
    ink: str
    tint: str
    marker: str
    pen: str
    brush: str


LOOKS: dict[Severity, Look] = {
    Severity.ERROR: Look("error", "error", "#b3001b", "#fde3e5", "cross2", "solid", "b_diagonal"),
    Severity.WARNING: Look(
        "warning", "warning", "#8a4b00", "#fdefd5", "triangle", "dash", "dense6"
    ),
    Severity.INFO: Look("info", "note", "#0b5394", "#e1eefb", "circle", "dot", "dense7"),
}
WAIVED = Look("waived", "waived", "#5f5f5f", "#ececec", "diamond", "dash dot", "f_diagonal")

Kind = Literal["marker", "line", "fill"]
CATEGORY = 'CASE WHEN "waiver" IS NOT NULL THEN \'waived\' ELSE "severity" END'
_TIP_FIELDS = ("message", "how_to_fix", "measured", "limit", "citation", "source_file", "user_id")


def layer_style(kind: Kind, aliases: dict[str, str]) -> str:
    """The QML of a findings layer: categories by severity, the number as label, a map tip."""
    root = ET.Element(
        "qgis",
        version="3.22.0-Bialowieza",
        styleCategories="Symbology|Labeling|Fields|MapTips",
        labelsEnabled="1",
    )
    looks = (*LOOKS.values(), WAIVED)
    renderer = ET.SubElement(
        root,
        "renderer-v2",
        type="categorizedSymbol",
        attr=CATEGORY,
        symbollevels="0",
        enableorderby="0",
        forceraster="0",
    )
    categories = ET.SubElement(renderer, "categories")
    symbols = ET.SubElement(renderer, "symbols")
    for i, look in enumerate(looks):
        ET.SubElement(
            categories, "category", render="true", symbol=str(i), value=look.name, label=look.label
        )
        _symbol(symbols, str(i), kind, look)
    ET.SubElement(renderer, "rotation")
    ET.SubElement(renderer, "sizescale")
    _labels(root, kind)
    names = ET.SubElement(root, "aliases")
    for i, (field, alias) in enumerate(aliases.items()):
        ET.SubElement(names, "alias", index=str(i), field=field, name=alias)
    ET.SubElement(root, "previewExpression").text = '"number" || \' \' || "rule"'
    ET.SubElement(root, "mapTip").text = _map_tip()
    head = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
    return head + ET.tostring(root, encoding="unicode")


def _symbol(parent: ET.Element, name: str, kind: Kind, look: Look) -> None:
    symbol = ET.SubElement(
        parent, "symbol", name=name, type=kind, alpha="1", clip_to_extent="1", force_rhr="0"
    )
    ink = _rgba(look.ink)
    if kind == "marker":
        halo = {"name": "circle", "color": "255,255,255,200", "outline_style": "no", "size": "5.2"}
        _symbol_layer(symbol, "SimpleMarker", {**halo, "size_unit": "MM"})
        body = {"name": look.marker, "color": ink, "outline_color": ink, "outline_width": "0.6"}
        _symbol_layer(symbol, "SimpleMarker", {**body, "size": "3.6", "size_unit": "MM"})
    elif kind == "line":
        halo = {"line_color": "255,255,255,200", "line_width": "1.8", "line_style": "solid"}
        _symbol_layer(symbol, "SimpleLine", {**halo, "line_width_unit": "MM"})
        body = {"line_color": ink, "line_width": "0.9", "line_style": look.pen}
        _symbol_layer(symbol, "SimpleLine", {**body, "line_width_unit": "MM"})
    else:
        body = {"color": ink, "style": look.brush, "outline_color": ink}
        edge = {"outline_style": look.pen, "outline_width": "0.6", "outline_width_unit": "MM"}
        _symbol_layer(symbol, "SimpleFill", {**body, **edge})


def _symbol_layer(symbol: ET.Element, kind: str, options: dict[str, str]) -> None:
    """One layer of a symbol, its properties in the old and in the new notation of QGIS 3."""
    layer = ET.SubElement(symbol, "layer", {"class": kind, "enabled": "1", "locked": "0"})
    layer.set("pass", "0")
    table = ET.SubElement(layer, "Option", type="Map")
    for name, value in options.items():
        ET.SubElement(table, "Option", name=name, value=value, type="QString")
    for name, value in options.items():
        ET.SubElement(layer, "prop", k=name, v=value)


def _labels(root: ET.Element, kind: Kind) -> None:
    labeling = ET.SubElement(root, "labeling", type="simple")
    settings = ET.SubElement(labeling, "settings", calloutType="simple")
    style = ET.SubElement(
        settings,
        "text-style",
        fieldName="number",
        isExpression="0",
        fontSize="9",
        fontSizeUnit="Point",
        fontFamily="Sans",
        textColor="30,30,30,255",
        textOpacity="1",
    )
    ET.SubElement(
        style,
        "text-buffer",
        bufferDraw="1",
        bufferSize="0.8",
        bufferSizeUnits="MM",
        bufferColor="255,255,255,255",
        bufferOpacity="1",
    )
    # 6: offset around a point, 2: parallel to a line, 0: around the centroid of an area
    placement = {"marker": "6", "line": "2", "fill": "0"}[kind]
    ET.SubElement(settings, "placement", placement=placement, dist="1.5", distUnits="MM")
    ET.SubElement(settings, "rendering", drawLabels="1", obstacle="1", scaleVisibility="0")


def _map_tip() -> str:
    """HTML that QGIS shows under the mouse; every value is escaped by the expression itself."""
    head = f'<b>[% {_escaped("rule")} %], finding [% "number" %]: [% {_escaped("severity")} %]</b>'
    rows = "".join(
        f"<tr><td>{field.replace('_', ' ')}</td><td>[% {_escaped(field)} %]</td></tr>"
        for field in _TIP_FIELDS
    )
    return f"{head}<table>{rows}</table>"


def _escaped(field: str) -> str:
    value = f"coalesce(\"{field}\", '')"
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        value = f"replace({value}, '{sign}', '{entity}')"
    return value


def _rgba(ink: str) -> str:
    red, green, blue = (int(ink[i : i + 2], 16) for i in (1, 3, 5))
    return f"{red},{green},{blue},255"


def inks() -> Iterable[Look]:
    """Every look, worst first, waived last."""
    return (*LOOKS.values(), WAIVED)
