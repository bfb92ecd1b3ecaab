"""A design as Civil 3D writes it into one LandXML file, on the ground of the makers."""

from __future__ import annotations

import itertools
from pathlib import Path

import shapely

from sitemap.intake.assemble import open_site
from sitemap.layer import Layer
from sitemap.site import Site
from tests.intake.makers import X0, Y0

HEAD = '<?xml version="1.0"?><LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2">'
CODE = '<CoordinateSystem epsgCode="6609" horizontalCoordinateSystemName="WI83-SF"/>'
IMPERIAL = '<Imperial areaUnit="squareFoot" linearUnit="USSurveyFoot" diameterUnit="inch"/>'
METRIC = '<Metric areaUnit="squareMeter" linearUnit="meter" diameterUnit="millimeter"/>'

STRUCTS = (  # name, east, north, rim, what else
    ("CB-1", 100.0, 100.0, 815.2, "", (("P-1", 810.2, "out"),)),
    ("MH-2", 200.0, 50.0, 814.0, "", (("P-1", 809.2, "in"), ("P-2", 809.1, "out"))),
    ("EW-3", 300.0, 0.0, 810.0, "<OutletStruct/>", (("P-2", 807.9, "in"),)),
)
DESCRIBED = {"CB-1": "Curb inlet", "MH-2": "Concentric cylinder", "EW-3": "Flared end"}


def at(east: float, north: float, z: float | None = None) -> str:
    """Northing, easting and height in the words of the standard."""
    return f"{Y0 + north} {X0 + east}" + ("" if z is None else f" {z}")


def document(*parts: str, units: str = IMPERIAL, crs: str = CODE) -> str:
    """A whole file of some parts."""
    return f"{HEAD}<Units>{units}</Units>{crs}{''.join(parts)}</LandXML>"


def line(*corners: tuple[float, float]) -> str:
    """A CoordGeom of straight pieces."""
    pieces = itertools.pairwise(corners)
    told = "".join(f"<Line><Start>{at(*a)}</Start><End>{at(*b)}</End></Line>" for a, b in pieces)
    return f"<CoordGeom>{told}</CoordGeom>"


def network(name: str = "North", kind: str = ' pipeNetType="storm"', *, drawn_down: bool) -> str:
    """Two pipes; the second drawn from its upper to its lower end, or the other way round."""
    structs = "".join(
        f'<Struct name="{own}" desc="{DESCRIBED[own]}" elevRim="{rim}">'
        f"<Center>{at(east, north)}</Center>{more}"
        + "".join(
            f'<Invert elev="{height}" flowDir="{way}" refPipe="{pipe}"/>'
            for pipe, height, way in inverts
        )
        + "</Struct>"
        for own, east, north, rim, more, inverts in STRUCTS
    )
    start, end = ("MH-2", "EW-3") if drawn_down else ("EW-3", "MH-2")
    return (
        f'<PipeNetworks><PipeNetwork name="{name}"{kind}><Structs>{structs}</Structs><Pipes>'
        '<Pipe name="P-1" refStart="CB-1" refEnd="MH-2"><CircPipe diameter="15" material="RCP"/>'
        f'</Pipe><Pipe name="P-2" refStart="{start}" refEnd="{end}"><CircPipe diameter="18"/>'
        "</Pipe></Pipes></PipeNetwork></PipeNetworks>"
    )


def parcels(*named: tuple[str, str], title: str = "Site 1") -> str:
    """Parcels by name and CoordGeom."""
    told = "".join(f'<Parcel name="{name}" area="43560">{geom}</Parcel>' for name, geom in named)
    return f'<Parcels name="{title}">{told}</Parcels>'


def features(*named: tuple[str, str], title: str = "Design") -> str:
    """Plan features by name and CoordGeom."""
    told = "".join(f'<PlanFeature name="{name}">{geom}</PlanFeature>' for name, geom in named)
    return f'<PlanFeatures name="{title}">{told}</PlanFeatures>'


def opened(folder: Path, text: str) -> Site:
    (folder / "design.xml").write_text(text)
    return open_site(folder)


def dataset(site: Site, name: str) -> Layer:
    (found,) = [one for one in site.datasets if one.provenance.layer == name]
    return found


def plan(shape: shapely.Geometry) -> list[tuple[float, float]]:
    """Corners from the corner of the makers' ground, which is in the map's CRS already."""
    return [(x - X0, y - Y0) for x, y in shapely.get_coordinates(shape).round(6).tolist()]


def arc(rot: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<CoordGeom><Curve rot="{rot}" crvType="arc"><Start>{at(*start)}</Start>'
        f"<Center>{at(100, 100)}</Center><End>{at(*end)}</End></Curve></CoordGeom>"
    )


def surface(source: str, faces: str = "", name: str = "EG") -> str:
    return (
        f'<Surfaces><Surface name="{name}"><SourceData>{source}</SourceData>'
        f"<Definition><Pnts/><Faces>{faces}</Faces></Definition></Surface></Surfaces>"
    )


RING = line((0, 0), (400, 0), (400, 400), (0, 400), (0, 0))
