"""What this installation is made of: versions, the three GDALs, PROJ grids, fonts."""

from __future__ import annotations

import importlib.metadata
import platform

from sitemap.crs.installed import proj_state

PACKAGES = (
    "geopandas",
    "shapely",
    "pyogrio",
    "fiona",
    "rasterio",
    "pyproj",
    "numpy",
    "pandas",
    "matplotlib",
    "pikepdf",
    "pypdfium2",
    "pydantic",
)
DRIVERS = ("ESRI Shapefile", "GPKG", "GeoJSON", "FlatGeobuf", "OpenFileGDB")


def diagnose() -> list[tuple[str, str, bool]]:
    """Rows of (what, found, in order), in the order in which a person reads them."""
    import fiona
    import pyogrio
    import rasterio
    import shapely

    rows = [("sitemap", importlib.metadata.version("sitemap"), True)]
    rows.append(("Python", f"{platform.python_version()} on {platform.system()}", True))
    rows += [(name, importlib.metadata.version(name), True) for name in PACKAGES]
    rows.append(("GEOS", shapely.geos_version_string, shapely.geos_version >= (3, 11, 0)))
    gdal = ".".join(map(str, pyogrio.__gdal_version__))
    rows.append(("GDAL in pyogrio (vectors)", gdal, True))
    rows.append(("GDAL in rasterio (rasters)", rasterio.__gdal_version__, True))
    rows.append(("GDAL in fiona (salvage)", fiona.__gdal_version__, True))
    able = pyogrio.list_drivers()
    rows += [(f"reads {name}", able.get(name, "no"), "r" in able.get(name, "")) for name in DRIVERS]
    rows += proj_state()
    return rows + _files()


def _files() -> list[tuple[str, str, bool]]:
    """The data files that must come with the program."""
    from sitemap.catalogue import load_catalogue
    from sitemap.ordinance import ordinance_names
    from sitemap.plate.fonts import font_files

    roles = load_catalogue().specs
    packs = ordinance_names()
    fonts = font_files()
    return [
        ("layer roles", str(len(roles)), bool(roles)),
        ("ordinance packs", ", ".join(packs), bool(packs)),
        ("fonts", ", ".join(f.name for f in fonts), bool(fonts) and all(f.exists() for f in fonts)),
    ]
