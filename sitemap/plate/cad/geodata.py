"""GEODATA: what tells a CAD program in which coordinate system the drawing lies."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from ezdxf.document import Drawing
from ezdxf.entities import GeoData

from sitemap.crs import Crs, crs_code
from sitemap.units import LengthUnit

INSUNITS = {LengthUnit.FOOT: 2, LengthUnit.US_SURVEY_FOOT: 21}  # DXF reference, $INSUNITS


def georeference(doc: Drawing, middle_ft: tuple[float, float], crs: Crs, foot: LengthUnit) -> None:
    """Say that model space lies in its CRS as it is: no shift, no turn, feet as they are."""
    data = doc.modelspace().new_geodata()
    metres = float(foot.metres)
    x, y = middle_ft
    data.dxf.coordinate_type = GeoData.PROJECTED_GRID
    data.dxf.design_point = (x, y, 0.0)
    data.dxf.reference_point = (x, y, 0.0)
    data.dxf.up_direction = (0.0, 0.0, 1.0)
    data.dxf.north_direction = (0.0, 1.0)
    data.dxf.horizontal_units = data.dxf.vertical_units = INSUNITS[foot]
    data.dxf.horizontal_unit_scale = data.dxf.vertical_unit_scale = metres
    data.dxf.scale_estimation_method = GeoData.NONE
    data.dxf.user_scale_factor = 1.0
    data.dxf.sea_level_correction = 0
    data.coordinate_system_definition = coordinate_system_xml(crs, foot)


def coordinate_system_xml(crs: Crs, foot: LengthUnit) -> str:
    """The CRS in the dictionary form that CAD programs keep in GEODATA."""
    known: dict[str, Any] = crs.to_json_dict()
    known = known.get("source_crs", known)
    conversion = known.get("conversion", {})
    base = known.get("base_crs", {})
    datum = base.get("datum") or base.get("datum_ensemble") or {}
    ellipsoid = datum.get("ellipsoid", {})
    unit = "US Survey Foot" if foot is LengthUnit.US_SURVEY_FOOT else "Foot"
    name, code = escape(str(known.get("name", crs.name))), crs_code(crs) or ""
    axes = "".join(
        f"<CoordinateSystemAxis><AxisOrder>{i}</AxisOrder><AxisName>{word}</AxisName>"
        f"<AxisAbbreviation>{word[0]}</AxisAbbreviation>"
        f"<AxisDirection>{way}</AxisDirection></CoordinateSystemAxis>"
        for i, (word, way) in enumerate((("Easting", "East"), ("Northing", "North")), start=1)
    )
    values = "".join(
        f"<ParameterValue><OperationParameterId>{escape(p['name'])}</OperationParameterId>"
        f'<Value uom="{escape(_unit(p.get("unit", "")))}">{p["value"]!r}</Value></ParameterValue>'
        for p in conversion.get("parameters", ())
    )
    method = escape(str(conversion.get("method", {}).get("name", "")))
    datum_name = escape(str(datum.get("name", "")))
    alias = (
        f'<Alias id="{code.removeprefix("EPSG:")}" type="CoordinateSystem">'
        f"<ObjectId>{name}</ObjectId><Namespace>EPSG Code</Namespace></Alias>"
        if code.startswith("EPSG:")
        else ""
    )
    return (
        '<?xml version="1.0" encoding="UTF-16" standalone="no" ?>'
        '<Dictionary version="1.0" xmlns="http://www.osgeo.org/mapguide/coordinatesystem">'
        f'<ProjectedCoordinateSystem id="{name}"><Name>{name}</Name><DatumId>{datum_name}</DatumId>'
        f'<Axis uom="{unit}">{axes}</Axis><Conversion><Projection>'
        f"<OperationMethodId>{method}</OperationMethodId>{values}</Projection></Conversion>"
        f"</ProjectedCoordinateSystem>{alias}"
        f'<GeodeticDatum id="{datum_name}"><Name>{datum_name}</Name>'
        f"<EllipsoidId>{escape(str(ellipsoid.get('name', '')))}</EllipsoidId></GeodeticDatum>"
        "</Dictionary>"
    )


def _unit(unit: Any) -> str:
    return str(unit.get("name", "")) if isinstance(unit, dict) else str(unit)
