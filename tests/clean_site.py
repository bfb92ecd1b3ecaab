"""A small site in code that passes every rule, and the changes that make one fault each.

Ground: 11 acres in the City of Muskego; what lies on it is clean_ground.py. Every change returns
a new Site; the clean one is never altered.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import geopandas as gpd
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.catalogue import Catalogue, LayerSpec, load_catalogue
from sitemap.crs import Crs
from sitemap.layer import (
    SOURCE_FID,
    SOURCE_FILE,
    SOURCE_LAYER,
    USER_ID,
    Layer,
    Oddity,
    Provenance,
    RoleChoice,
    Unreadable,
)
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import Ordinance, load_ordinance
from sitemap.project import (
    CoverFrom,
    DeclaredNone,
    Facts,
    MapWishes,
    PlateWishes,
    Project,
    SoilLoss,
    SoilLossArea,
)
from sitemap.rules.rule import Ask, Checked, Fault, NotApplicable, Rule, Said, Skip
from sitemap.site import RoleLayer, Site
from sitemap.soil_factors import Factor, SoilFactors
from sitemap.terrain.downstream import flow_of
from sitemap.terrain.flow_limits import FlowLimits
from sitemap.terrain.ground import SURFACES, ground_of
from tests.clean_ground import (
    BOUNDARY,
    CELL_FT,
    CRS,
    DISTURBED_ACRES,
    EAST_FT,
    GRADED,
    INTERVAL_FT,
    MAP,
    NORTH_FT,
    NOW,
    SITE_ACRES,
    at,
    clean_features,
    contour_features,
    contours,
    graded_ft,
    grid_cells,
    ground_ft,
    line,
    point,
    rectangle,
)

__all__ = [
    "BOUNDARY",
    "CELL_FT",
    "CRS",
    "DISTURBED_ACRES",
    "EAST_FT",
    "GRADED",
    "INTERVAL_FT",
    "MAP",
    "NORTH_FT",
    "NOW",
    "SITE_ACRES",
    "at",
    "clean_features",
    "contour_features",
    "contours",
    "graded_ft",
    "grid_cells",
    "ground_ft",
    "line",
    "point",
    "rectangle",
]  # and all that is defined below

NUMBER_TYPES = ("number", "integer")

# ------------------------------------------------------------------------------ the site itself


def layer_frame(
    role: str,
    features: Mapping[str, Any],
    *,
    file: str | None = None,
    crs: Crs | None = CRS,
    catalogue: Catalogue | None = None,
) -> gpd.GeoDataFrame:
    """A frame as intake makes it: canonical columns (missing ones None), then the source ones."""
    spec = (catalogue or the_catalogue())[role]
    data = {name: list(values) for name, values in features.items()}
    count = len(data["geometry"])
    for name, field in spec.fields.items():
        missing = np.nan if field.type in NUMBER_TYPES else None
        values = data.get(name, [missing] * count)
        data[name] = (
            np.asarray(values, dtype=float) if field.type in NUMBER_TYPES else _texts(values)
        )
    data[SOURCE_FILE] = [file or f"{role}.shp"] * count
    data[SOURCE_LAYER] = [_stem(file or role)] * count
    data[SOURCE_FID] = np.arange(count)
    ids = data.get(spec.id_field or "", [None] * count)
    data[USER_ID] = _texts(ids)
    frame = gpd.GeoDataFrame(data, geometry="geometry", crs=crs)
    return frame[[*(c for c in frame.columns if c != "geometry"), "geometry"]]


def _stem(file: str) -> str:
    """The layer's name in a shapefile: the file's, without folder and ending."""
    return file.rsplit("/", 1)[-1].removesuffix(".shp")


def _texts(values: Iterable[Any]) -> np.ndarray:
    return np.array([None if v is None else str(v) for v in values], dtype=object)


def dataset(
    frame: gpd.GeoDataFrame,
    *,
    file: str,
    role: str | None = None,
    spec: LayerSpec | None = None,
    field_map: Mapping[str, str] | None = None,
    reason: str = "named in site.toml",
    oddities: tuple[Oddity, ...] = (),
    companions: tuple[str, ...] = (".shx", ".dbf", ".prj", ".cpg"),
) -> Layer:
    """One dataset as read from a file; fields that hold nothing are not in the user's table."""
    kept = [c for c in frame.columns if c.startswith("_") or not frame[c].isna().all()]
    kept = [*dict.fromkeys([*kept, frame.geometry.name])]
    mapped = {c: c for c in kept if not c.startswith("_") and c != frame.geometry.name}
    geometry = frame.geometry
    provenance = Provenance(
        file=file,
        layer=_stem(file),
        driver="ESRI Shapefile",
        encoding="UTF-8",
        encoding_how="file",
        crs_how="file" if frame.crs is not None else "none",
        features_read=len(frame),
        features_null=int((geometry.isna() | geometry.is_empty).sum()),
        features_lost=0,
        sha256="0" * 64,
        companions=companions,
        oddities=oddities,
    )
    choice = RoleChoice(role, reason, named=True, field_map=dict(field_map or mapped))
    return Layer(spec, frame[kept], provenance, choice)


def role_layer(
    role: str, frame: gpd.GeoDataFrame, *, file: str | None = None, catalogue: Catalogue
) -> RoleLayer:
    """A role served by one dataset."""
    member = dataset(frame, file=file or f"{role}.shp", role=role, spec=catalogue[role])
    return RoleLayer(role, frame, (member,))


# made up for the clean site; no factor is anyone's
FACTORS = tuple(
    Factor(name, key, value, unit, "made up for a test", row)  # type: ignore[arg-type]
    for row, (name, key, value, unit) in enumerate(
        [
            ("R", "Hillside", 150.0, "US"),
            ("percent_R", "05-01", 20.0, "pct"),
            ("percent_R", "06-01", 30.0, "pct"),
            ("percent_R", "07-01", 50.0, "pct"),
            ("percent_R", "08-01", 70.0, "pct"),
            ("percent_R", "09-01", 85.0, "pct"),
            ("percent_R", "11-01", 97.0, "pct"),
            ("C", "bare", 1.0, "ratio"),
            ("C", "mulch", 0.1, "ratio"),
            ("K", "HmB2", 0.3, "US"),
            ("practice", "SB", 80.0, "pct"),
            ("practice", "SF", 0.4, "ratio"),
        ],
        start=2,
    )
)


def clean_project(declared: Iterable[str] = ()) -> Project:
    """site.toml of the clean site, with all facts and the given roles declared none."""
    nobody = DeclaredNone(by="A. Surveyor, PLS", source="field walk", date=dt.date(2026, 4, 2))
    return Project(
        ordinance="muskego",
        project=Facts(
            name="Hillside Acres",
            address="W180 S7700 Woods Road",
            municipality="City of Muskego",
            description="Mass grading for four house lots on open ground",
            owner="Hillside Land Company",
            owner_address="100 Main Street, Muskego, WI 53150",
            consultant="Kettle Moraine Engineering",
            consultant_address="200 Main Street, Muskego, WI 53150",
            contact="R. Engineer, 262-555-0100",
            start=dt.date(2026, 6, 1),
            end=dt.date(2026, 10, 15),
            receiving_water="Tess Corners Creek",
            site_acres=round(SITE_ACRES, 2),
            disturbed_acres=round(DISTURBED_ACRES, 2),
        ),
        map=MapWishes(
            crs="EPSG:6609",
            vertical_datum="NAVD88",
            vertical_unit="ftUS",
            vertical_error_ft=0.1,  # a field survey
            contour_interval_ft=INTERVAL_FT,
        ),
        plate=PlateWishes(sheet="ARCH D", scale=50.0, date=NOW),
        declared_none=dict.fromkeys(declared, nobody),
        soil_loss=SoilLoss(
            factors="factors.csv",
            covers=(
                CoverFrom(cover="bare", start=dt.date(2026, 6, 1)),
                CoverFrom(cover="mulch", start=dt.date(2026, 9, 1)),
            ),
            practices=("SB",),
            areas=(
                SoilLossArea(id="DA-1", slope_length_ft=150.0, soil="HmB2"),
                SoilLossArea(id="DA-2", slope_length_ft=200.0, soil="HmB2"),
            ),
        ),
        soil_factors=SoilFactors("factors.csv", FACTORS),
    )


@lru_cache(maxsize=1)
def clean_site() -> Site:
    """The site that every rule passes. Shared: change it only by the functions below."""
    catalogue = the_catalogue()
    layers = {
        role: role_layer(role, layer_frame(role, features), catalogue=catalogue)
        for role, features in clean_features().items()
    }
    declared = [
        spec.role
        for spec in catalogue.specs
        if spec.role not in layers and spec.presence == "declarable"
    ]
    return Site(
        name="clean",
        submission="clean",
        crs=CRS,
        crs_reason="named in site.toml",
        project=clean_project(declared),
        catalogue=catalogue,
        layers=layers,
        datasets=tuple(layer.members[0] for layer in layers.values()),
    )


@lru_cache(maxsize=1)
def the_catalogue() -> Catalogue:
    """The catalogue of the repository."""
    return load_catalogue()


@lru_cache(maxsize=1)
def the_ordinance() -> Ordinance:
    """The base pack, which every town of the repository stands on."""
    return load_ordinance("wi-nr152-appa")


# ---------------------------------------------------------------------------------- one change


def without(site: Site, *roles: str) -> Site:
    """The site as if the roles' files had not been handed in (nor declared none)."""
    gone = {member for role in roles if (r := site.role(role)) for member in r.members}
    return replace(
        site,
        layers={role: layer for role, layer in site.layers.items() if role not in roles},
        datasets=tuple(d for d in site.datasets if d not in gone),
    )


def with_layer(
    site: Site, role: str, frame: gpd.GeoDataFrame | Mapping[str, Any], *, file: str | None = None
) -> Site:
    """The site with one dataset for a role in place of what served it.

    A mapping {"geometry": [...], field: [...]} in site coordinates is made into a frame.
    """
    if not isinstance(frame, gpd.GeoDataFrame):
        frame = layer_frame(role, frame, file=file)
    added = role_layer(role, frame, file=file, catalogue=site.catalogue)
    bare = without(site, role)
    layers = {**bare.layers, role: added}
    return replace(bare, layers=layers, datasets=(*bare.datasets, *added.members))


def add_member(
    site: Site, role: str, frame: gpd.GeoDataFrame | Mapping[str, Any], *, file: str
) -> Site:
    """The site with one more dataset for a role that has one already."""
    import pandas as pd

    if not isinstance(frame, gpd.GeoDataFrame):
        frame = layer_frame(role, frame, file=file)
    before = site.layers[role]
    member = dataset(frame, file=file, role=role, spec=site.catalogue[role])
    merged = gpd.GeoDataFrame(
        pd.concat([before.frame.astype(object), frame.astype(object)], ignore_index=True),
        geometry="geometry",
        crs=before.frame.crs,
    )
    both = RoleLayer(role, merged, (*before.members, member))
    return replace(site, layers={**site.layers, role: both}, datasets=(*site.datasets, member))


def replace_features(
    site: Site, role: str, change: Callable[[gpd.GeoDataFrame], gpd.GeoDataFrame]
) -> Site:
    """The site with a role's frame as `change` makes it of a copy."""
    return with_layer(site, role, change(site.layers[role].frame.copy()))


def set_value(site: Site, role: str, record: int, field: str, value: object) -> Site:
    """The site with one value of one record changed."""

    def change(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
        values = list(frame[field])
        values[record] = value
        frame[field] = values
        spec = site.catalogue[role]
        if field == spec.id_field:
            frame[USER_ID] = _texts(values)
        return frame

    return replace_features(site, role, change)


def set_geometry(site: Site, role: str, record: int, geometry: BaseGeometry | None) -> Site:
    """The site with one record's geometry changed (site coordinates)."""

    def change(frame: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
        values = frame.geometry.to_numpy().copy()
        values[record] = geometry
        return frame.set_geometry(gpd.GeoSeries(values, index=frame.index, crs=frame.crs))

    return replace_features(site, role, change)


def add_feature(site: Site, role: str, geometry: BaseGeometry | None, **fields: object) -> Site:
    """The site with one more record in a role."""
    frame = site.layers[role].frame
    data = {
        name: [*frame[name], fields.get(name)] for name in frame.columns if not name.startswith("_")
    }
    data["geometry"] = [*frame.geometry, geometry]
    return with_layer(site, role, data)


def drop_feature(site: Site, role: str, record: int) -> Site:
    """The site without one record of a role."""
    return replace_features(site, role, lambda frame: frame.drop(index=frame.index[record]))


def with_project(site: Site, **sections: object) -> Site:
    """The site with whole sections of site.toml replaced: project=, map=, plate=, ..."""
    return replace(site, project=site.project.model_copy(update=sections))


def with_facts(site: Site, **facts: object) -> Site:
    """The site with other project facts (None takes one away)."""
    return with_project(site, project=site.project.project.model_copy(update=facts))


def with_map_wishes(site: Site, **wishes: object) -> Site:
    """The site with other [map] entries."""
    return with_project(site, map=site.project.map.model_copy(update=wishes))


def with_plate_wishes(site: Site, **wishes: object) -> Site:
    """The site with other [plate] entries."""
    return with_project(site, plate=site.project.plate.model_copy(update=wishes))


def with_declared_none(site: Site, *roles: str) -> Site:
    """The site with more roles declared none."""
    return with_project(
        site, declared_none={**site.project.declared_none, **clean_project(roles).declared_none}
    )


def without_declaration(site: Site, *roles: str) -> Site:
    """The site without the declaration that these roles are none."""
    kept = {r: d for r, d in site.project.declared_none.items() if r not in roles}
    return with_project(site, declared_none=kept)


def with_dataset(site: Site, layer: Layer) -> Site:
    """The site with a dataset that was read but not brought into the site CRS."""
    return replace(site, datasets=(*site.datasets, layer))


def with_unreadable(site: Site, file: str, kind: str, reason: str, layer: str = "") -> Site:
    """The site with one more file that could not be read."""
    return replace(site, unreadable=(*site.unreadable, Unreadable(file, kind, reason, layer)))


def moved(geometry: BaseGeometry, x_ft: float, y_ft: float) -> BaseGeometry:
    """A geometry shifted by feet."""
    return shapely.transform(geometry, lambda xy: xy + np.array([x_ft, y_ft]))


# ------------------------------------------------------------------ a rule without the engine


def run(
    rule: Rule,
    site: Site,
    plate: MeasuredPlate | None = None,
    **more: object,
) -> list[Said]:
    """Everything that one rule says of a site: roles, site, plate and limits given by name."""
    for role in rule.needs:
        if site.role(role) is None:
            return [Skip(f"the site has no {role}")]
    ordinance = the_ordinance()
    given: dict[str, object] = {name: limit.typed for name, limit in ordinance.limits.items()}
    given.update(site=site, plate=plate, ordinance=ordinance, now=NOW)
    given["flow"] = flow_of(site, FlowLimits.of(ordinance.limits, site))
    ground = ground_of(site)
    given.update(ground=ground, surface=ground.existing, proposed_surface=ground.proposed)
    given.update(more)
    for name in SURFACES:
        if name in rule.arguments and given[name] is None:
            return [Skip(ground.why_not(name))]
    for name in rule.arguments:
        if name in site.catalogue:
            given[name] = site.role(name)
    return list(rule.body(**{name: given[name] for name in rule.arguments}))


def faults_of(rule: Rule, site: Site, plate: MeasuredPlate | None = None) -> list[Fault]:
    """The faults of one rule; fails when it neither looked at anything nor said why."""
    said = run(rule, site, plate)
    assert any(isinstance(s, Checked | NotApplicable | Skip | Fault | Ask) for s in said), said
    return [s for s in said if isinstance(s, Fault)]


def passes(rule: Rule, site: Site, plate: MeasuredPlate | None = None) -> bool:
    """True when the rule looked at something and found nothing, and has nothing to ask."""
    said = run(rule, site, plate)
    return bool(said) and all(isinstance(s, Checked) for s in said) and any(s.count for s in said)
