"""Invented sites on real ground: a boundary and a disturbance on each elevation model at hand.

`python -m tests.real_ground DATA OUT` derives their layers, draws their plates and writes what the
check says of each; DATA is the folder of real files, which stays as it is.
"""

from __future__ import annotations

import datetime as dt
import shutil
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import shapely

import sitemap
from sitemap.checked import CheckedSite
from sitemap.derived import write_derived
from sitemap.plate.draw import DrawnPlate
from sitemap.repair.site_toml import toml_text

NOW = dt.date(2026, 11, 30)
RADII_FT = (560.0, 470.0, 590.0, 430.0, 520.0, 610.0, 450.0)  # of the boundary's corners
TURN_DEG = 17.0
DISTURBED = 0.62  # of the way from the middle to the boundary
OUTFALL_OUT = 0.9
WATERS_WITHIN_FT = 6000.0
DECLARABLE = (
    "culverts", "drainage_areas", "finished_surfaces", "floodplain", "infiltration", "inlets",
    "revegetation", "roads", "soils", "stabilization", "storm_sewers", "streams", "vegetation",
    "waterbodies", "wetlands", "contours_proposed", "flow_arrows", "steep_slopes", "discharges",
    "outfalls",
)  # fmt: skip


@dataclass(frozen=True)
class RealGround:
    """An elevation model, the CRS of its site, the middle of the site (longitude, latitude).

    waters are files by role. size is the share of the usual boundary, for small models.
    """

    name: str
    folder: str
    elevation: str
    crs: str
    middle: tuple[float, float]
    waters: tuple[tuple[str, str], ...] = ()
    size: float = 1.0


GROUNDS = (
    RealGround(
        "lidar-1m", "1-midwest/lidar-dem-1m-mn", "dem.tif", "EPSG:26850", (-93.91951, 46.50604),
        size=0.55,
    ),
    RealGround(
        "pleasant-lake", "1-midwest/pleasant-lake-wi", "dem40m.tif", "EPSG:2288",
        (-89.55827, 43.98874),
        (("waterbodies", "all_lakes.shp"), ("streams", "NHDSnapshot/Hydrography/NHDFlowline.shp")),
    ),
    RealGround(
        "plainfield-lakes", "1-midwest/plainfield-lakes-wi", "dem10m.tif", "EPSG:2288",
        (-89.474998, 44.203958), (("waterbodies", "all_lakes.shp"),),
    ),
    RealGround(
        "nicolet", "1-midwest/nicolet-wi", "dem.tif", "EPSG:2287", (-90.624497, 45.215220),
        (("streams", "flowlines_clipped.shp"), ("waterbodies", "waterbodies_clipped.shp")),
    ),
    RealGround(
        "alexandria", "2-real-us/dem-alexandria-va", "dtm.tif", "EPSG:2283", (-77.05259, 38.81059),
        size=0.75,
    ),
)  # fmt: skip


def write_real_site(ground: RealGround, data: Path, folder: Path) -> Path:
    """The site's own layers and site.toml, with a copy of the elevation model; the site.toml."""
    folder.mkdir(parents=True)
    here = gpd.GeoSeries([shapely.Point(ground.middle)], crs=4326).to_crs(ground.crs).iloc[0]
    boundary = _outline(here, ground.size)
    layers: dict[str, Any] = {
        "boundary": _write(folder, "boundary", ground.crs, [boundary]),
        "disturbance": _write(
            folder, "disturbance", ground.crs, [_outline(here, ground.size * DISTURBED)], id=["D-1"]
        ),
        "elevation": {"path": ground.elevation, "unit": "m"},
    }
    shutil.copyfile(data / ground.folder / ground.elevation, folder / ground.elevation)
    for role, file in ground.waters:
        found = _near(data / ground.folder / file, here, ground.crs)
        if len(found):
            found.to_file(folder / f"{role}.gpkg", engine="pyogrio")
            layers[role] = {"path": f"{role}.gpkg"}
    acres = boundary.area / 43_560.0
    nobody = {
        "by": "A. Surveyor, PLS",
        "source": "invented for a test",
        "date": dt.date(2026, 4, 2),
    }
    said = {
        "ordinance": "wi-nr152-appa",
        "project": _facts(ground, acres),
        "map": {
            "crs": ground.crs, "vertical_datum": "NAVD88", "vertical_unit": "ft",
        },
        "plate": {"sheet": "ARCH D", "scale": "auto", "date": NOW},
        "declared_none": {role: nobody for role in DECLARABLE if role not in layers},
        "layers": layers,
    }  # fmt: skip
    (folder / "site.toml").write_text(toml_text(said), encoding="utf-8")
    return folder / "site.toml"


def _facts(ground: RealGround, acres: float) -> dict[str, Any]:
    return {
        "name": f"Invented site at {ground.name}",
        "address": "1 Test Road",
        "municipality": "Nowhere",
        "description": "Grading in the middle of the site",
        "owner": "Nobody",
        "owner_address": "1 Test Road",
        "consultant": "Nobody",
        "consultant_address": "1 Test Road",
        "contact": "Nobody, 555-0100",
        "start": dt.date(2027, 6, 1),
        "end": dt.date(2027, 10, 15),
        "receiving_water": "see the discharges",
        "site_acres": round(acres, 2),
        "disturbed_acres": round(acres * DISTURBED**2, 2),
    }


def _outline(middle: shapely.Point, size: float) -> shapely.Polygon:
    turn = np.deg2rad(TURN_DEG + np.arange(len(RADII_FT)) * 360.0 / len(RADII_FT))
    radius = np.array(RADII_FT) * size
    xy = np.column_stack([np.cos(turn), np.sin(turn)]) * radius[:, None] + (middle.x, middle.y)
    return shapely.Polygon(xy)


def _write(
    folder: Path, role: str, crs: str, shapes: list[shapely.Geometry], **columns: Any
) -> dict[str, str]:
    frame = gpd.GeoDataFrame(columns or {"name": [role]}, geometry=shapes, crs=crs)
    frame.to_file(folder / f"{role}.gpkg", engine="pyogrio")
    return {"path": f"{role}.gpkg"}


def _near(file: Path, middle: shapely.Point, crs: str) -> gpd.GeoDataFrame:
    """The features of a real file around the site, whole, in their own columns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = gpd.read_file(file).to_crs(crs)
    frame = frame.drop(columns=[c for c in frame.columns if c.lower() in ("fid", "id")])
    return frame[frame.distance(middle) < WATERS_WITHIN_FT]


@dataclass(frozen=True, eq=False)
class Drawn:
    """A derived site: its folder, its plate as measured, and what the check says."""

    folder: Path
    plate: DrawnPlate
    checked: CheckedSite


def derived_site(ground: RealGround, data: Path, folder: Path) -> Drawn:
    """Write the site, derive its layers into it, draw its plate beside it, and check both."""
    toml = write_real_site(ground, data, folder / "site")
    site = sitemap.open_site(toml)
    derived = sitemap.derive_layers(site)
    made = write_derived(derived, folder / "derived", submission=toml, now=NOW)
    shutil.copyfile(made, folder / "site" / "derived.gpkg")
    _take_up(toml, [layer.name for layer in derived.layers])
    site = sitemap.open_site(toml)
    plate = sitemap.draw_plate(site, folder / "plate.pdf", now=NOW)
    return Drawn(folder, plate, sitemap.check_site(site, plate=plate.path, now=NOW))


def _take_up(toml: Path, names: list[str]) -> None:
    """Name the derived layers that serve a role in site.toml, where they were declared none."""
    import tomllib

    said = tomllib.loads(toml.read_text(encoding="utf-8"))
    for name in names:
        if name in DECLARABLE or name in ("contours_existing", "grid"):
            said["declared_none"].pop(name, None)
            said["layers"][name] = {"path": "derived.gpkg", "layer": name}
    toml.write_text(toml_text(said), encoding="utf-8")


def main(data: str, out: str, only: list[str]) -> None:
    """Plates and reports of all grounds, or of those that are named, below a folder."""
    from sitemap.plate.preview import write_png
    from sitemap.report import write

    for ground in GROUNDS:
        if only and ground.name not in only:
            continue
        folder = Path(out) / ground.name
        shutil.rmtree(folder, ignore_errors=True)
        done = derived_site(ground, Path(data), folder)
        write_png(done.plate.path, folder)
        write(done.checked, "text", folder / "check.txt", None)
        print(f"{ground.name}: {done.checked.verdict.value}, {len(done.plate.unplaced)} unplaced")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
