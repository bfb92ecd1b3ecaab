"""The clean site written to disk as an engineer would send it: shapefiles and a site.toml."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
from shapely.geometry import Polygon

from sitemap import load_ordinances
from sitemap.finding import Finding
from sitemap.fix import fix_site, preview_fix
from sitemap.intake.assemble import open_site
from sitemap.repair.account import Account
from sitemap.repair.site_toml import toml_text
from sitemap.site import Site
from tests.clean_ground import CRS, GRADED, NOW, at
from tests.clean_site import clean_features, clean_site

FEW = ("boundary", "disturbance", "contours_existing", "wetlands", "roads")
Change = Callable[[dict[str, Any]], None]
DATA_RULES = {"check": {"select": ["SUB", "GEO", "BND", "DST001", "CRS001"]}}  # quick ones
SURVEY_FOOT = 1e-5  # an acre of survey feet differs from 43,560 sq ft by 4 parts in a million


def write_site(
    folder: Path,
    changes: Mapping[str, Change] | None = None,
    *,
    crs: Mapping[str, Any] | None = None,
    toml: Mapping[str, Any] | None = None,
    also: tuple[str, ...] | None = (),
    driver: str = "ESRI Shapefile",
) -> Path:
    """The clean site below `folder`; changes alter the columns of a role before it is written.

    crs: role -> CRS to write it in. toml: further tables of site.toml. also: roles to write
    besides the few that most repairs look at; None for all.
    """
    folder.mkdir(parents=True)
    ending = {"ESRI Shapefile": "shp", "GeoJSON": "geojson"}[driver]
    layers: dict[str, Any] = {}
    for role, features in clean_features().items():
        if also is not None and role not in {*FEW, *also, *(changes or {}), *(crs or {})}:
            continue
        columns = {name: list(values) for name, values in features.items()}
        if changes and role in changes:
            changes[role](columns)
        kinds = {shape.geom_type for shape in columns["geometry"] if shape is not None}
        name = f"{role}.{ending}" if len(kinds) < 2 or driver == "GeoJSON" else f"{role}.gpkg"
        _write(columns, folder / name, (crs or {}).get(role))
        layers[role] = {"path": name}
    said = clean_site().project.model_dump(
        mode="python", exclude_none=True, exclude_defaults=True,
        exclude={"path", "layers", "soil_factors", "soil_loss"},
    )  # fmt: skip
    said["layers"] = layers
    for key, value in (toml or {}).items():
        said[key] = value
    (folder / "site.toml").write_text(toml_text(said), encoding="utf-8")
    return folder


def _write(columns: dict[str, Any], path: Path, crs: Any) -> None:
    shapes = columns.pop("geometry")
    table = {name[:10]: _column(values) for name, values in columns.items()}
    frame = gpd.GeoDataFrame(table or {"nothing": [0] * len(shapes)}, geometry=shapes, crs=CRS)
    if crs is not None:
        frame = frame.to_crs(crs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame.to_file(path, engine="pyogrio")


def _column(values: list[Any]) -> Any:
    return np.asarray(values, dtype=object if any(isinstance(v, str) for v in values) else None)


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def fixed(submission: Path, out: Path, *, unsafe: bool = False, **options: Any) -> Account:
    """The account of a fix; fails when a byte of the submission changed."""
    before = sums(submission)
    site = open_site(submission, **options)
    packs = load_ordinances(None, site)
    account = fix_site(site, packs, out, submission=submission, unsafe=unsafe, now=NOW)
    assert sums(submission) == before
    assert account.comparison is not None
    assert account.comparison.new == ()
    return account


def copy_of(out: Path) -> Site:
    """The repaired copy, opened."""
    return open_site(out / "site.toml")


def rules(findings: tuple[Finding, ...]) -> list[str]:
    """The codes of findings, in order."""
    return sorted(finding.rule for finding in findings)


def kinds(account: Account) -> list[str]:
    """The kinds of change made, each once."""
    return sorted({change.kind for change in account.repairs.made})


def preview(submission: Path, *, unsafe: bool = False, **options: Any) -> Account:
    site = open_site(submission, **options)
    return preview_fix(site, load_ordinances(None, site), unsafe=unsafe, now=NOW)


def one(account: Account, kind: str, role: str | None = None) -> Any:
    """The single change of a kind, made or refused."""
    found = [
        c for c in account.repairs.changes if c.kind == kind and (role is None or c.role == role)
    ]
    assert len(found) == 1, [c.words for c in account.repairs.changes]
    return found[0]


def spike(columns: dict[str, Any]) -> None:
    """An outline that runs out and back on itself: invalid, and its area is beyond doubt."""
    xy = list(columns["geometry"][0].exterior.coords)
    (x0, y0), (x1, y1) = xy[0], xy[1]
    half = ((x0 + x1) / 2, (y0 + y1) / 2)
    out = (half[0] + 20.0, half[1] + 0.0) if x0 == x1 else (half[0], half[1] - 20.0)
    columns["geometry"] = [Polygon([xy[0], half, out, half, *xy[1:]])]


def bow_tie(columns: dict[str, Any]) -> None:
    """The graded area with two corners swapped: lobes of equal size, no area as drawn."""
    xmin, ymin, xmax, ymax = GRADED
    columns["geometry"] = [at(Polygon([(xmin, ymin), (xmax, ymax), (xmax, ymin), (xmin, ymax)]))]
