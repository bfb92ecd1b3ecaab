"""A site of two squares, made in code, for tests of the engine and the reports."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import geopandas as gpd
from shapely.geometry import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import Catalogue, LayerSpec, Symbol
from sitemap.checked import CheckedSite
from sitemap.crs import parse_crs
from sitemap.finding import Limit, Quantity, Severity, Source
from sitemap.layer import (
    SOURCE_FID,
    SOURCE_FILE,
    SOURCE_LAYER,
    USER_ID,
    Layer,
    Provenance,
    RoleChoice,
)
from sitemap.ordinance import Clause, LimitSpec, Ordinance
from sitemap.project import DeclaredNone, Project
from sitemap.rules.rule import Ask, Body, Fault, Rule
from sitemap.site import RoleLayer, Site

CRS = parse_crs("EPSG:6609")
NOW = dt.date(2026, 5, 4)
X0, Y0 = 2_469_500.0, 335_400.0
LOOKED = DeclaredNone(by="A. Walker", source="field walk", date=dt.date(2026, 4, 2))


def square(x: float, y: float, side_ft: float = 100.0) -> Polygon:
    """A square whose lower left corner lies x, y feet from the site's corner."""
    return box(X0 + x, Y0 + y, X0 + x + side_ft, Y0 + y + side_ft)


def spot(x: float, y: float) -> Point:
    return Point(X0 + x, Y0 + y)


def spec(role: str, presence: str = "declarable") -> LayerSpec:
    return LayerSpec(
        role=role,
        title=role.title(),
        description=f"What shows {role}.",
        geometry=("polygon",),
        presence=presence,  # type: ignore[arg-type]
        draw_order=1,
        symbol=Symbol(),
        legend=role,
    )


CATALOGUE = Catalogue(
    specs=(
        *(spec(role) for role in ("boundary", "disturbance", "wetlands", "grid")),
        spec("soils", "optional"),
    )
)


def layer(role: str, geometries: Sequence[BaseGeometry | None], **fields: Any) -> RoleLayer:
    frame = gpd.GeoDataFrame(fields, geometry=list(geometries), crs=CRS)
    frame[SOURCE_FILE] = f"{role}.shp"
    frame[SOURCE_LAYER] = role
    frame[SOURCE_FID] = range(len(frame))
    frame[USER_ID] = None
    member = Layer(CATALOGUE.by_role.get(role), frame, provenance(role), RoleChoice(role, "named"))
    return RoleLayer(role, frame, (member,))


def provenance(role: str) -> Provenance:
    return Provenance(
        f"{role}.shp", role, "ESRI Shapefile", "UTF-8", "cpg", "file", 1, 0, 0, "0" * 64
    )


def site(
    layers: Mapping[str, RoleLayer] | None = None,
    declared: Mapping[str, DeclaredNone] | None = None,
) -> Site:
    """Boundary 400 by 400 ft, one disturbance of 100 by 100 ft; wetlands not drawn."""
    drawn = dict(
        layers
        if layers is not None
        else {
            "boundary": layer("boundary", [square(0, 0, 400)]),
            "disturbance": layer("disturbance", [square(150, 150)], id=["D-1"]),
        }
    )
    return Site(
        name="Tiny",
        submission="tiny.zip",
        crs=CRS,
        crs_reason="named in site.toml",
        project=Project(declared_none=dict(declared or {})),
        catalogue=CATALOGUE,
        layers=drawn,
        datasets=tuple(member for role in drawn.values() for member in role.members),
    )


def clause(clause_id: str, *rules: str, **more: Any) -> Clause:
    given = {
        "title": f"Item {clause_id}",
        "citation": f"§ 1({clause_id})",
        "text": f"The words of {clause_id}.",
    }
    return Clause(id=clause_id, rules=rules, **{**given, **more})


def pack(*clauses: Clause, **more: Any) -> Ordinance:
    """An ordinance of these clauses with one limit."""
    return Ordinance(
        id="tiny",
        title="A small law",
        jurisdiction="Nowhere",
        source="made up",
        version="1",
        clauses=clauses,
        tolerances={"sliver_width": LimitSpec(value=0.5, unit="ft")},
        **more,
    )


def fault(**more: Any) -> Fault:
    given: dict[str, Any] = {
        "message": "It is too big.",
        "how_to_fix": "Make it smaller.",
        "geometry": square(150, 150),
        "measured": Quantity(0.23, "acres"),
        "limit": Limit(0.0, "acres"),
        "role": "disturbance",
        "source": Source("disturbance.shp", None, 0, "D-1"),
    }
    return Fault(**{**given, **more})


def make_rule(code: str, body: Body, *clauses: str, **more: Any) -> Rule:
    """A Rule without the decorator, so that one body can serve many tests."""
    given: dict[str, Any] = {
        "needs": (),
        "uses": (),
        "after": (),
        "default_severity": Severity.ERROR,
    }
    return Rule(code=code, name=body.__name__, clauses=clauses, body=body, **{**given, **more})


def says(*things: Any) -> Body:
    """A rule body that says just these things."""

    def thing_is_wrong():  # type: ignore[no-untyped-def]
        yield from things

    return thing_is_wrong


def check(*rules: Rule, law: Ordinance, of: Site | None = None, **more: Any) -> CheckedSite:
    from sitemap.check import check_site

    return check_site(of or site(), law, now=NOW, rules=rules, **more)


__all__ = [
    "CATALOGUE", "CRS", "LOOKED", "NOW", "X0", "Y0", "Ask", "check", "clause", "fault", "layer",
    "make_rule", "pack", "says", "site", "spec", "spot", "square",
]  # fmt: skip
