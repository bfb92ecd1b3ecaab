"""What the endings of file names promise: formats that are read, companions, formats refused."""

from __future__ import annotations

from typing import Literal

from sitemap.intake.sniff import WORDS

Kind = Literal[
    "shapefile", "table", "gpkg", "filegdb", "geojson", "flatgeobuf", "raster", "landxml"
]

SITE_TOML = "site.toml"
KINDS: dict[str, Kind] = {
    ".shp": "shapefile",
    ".gpkg": "gpkg",
    ".gdb": "filegdb",
    ".geojson": "geojson",
    ".json": "geojson",
    ".fgb": "flatgeobuf",
    ".tif": "raster",
    ".tiff": "raster",
    ".img": "raster",
    ".asc": "raster",
    ".landxml": "landxml",
}
MAYBE_LANDXML = ".xml"  # metadata, unless its root says otherwise
CONTENT: dict[str, str] = {
    ".shp": "shapefile",
    ".gpkg": "sqlite",
    ".geojson": "geojson",
    ".json": "geojson",
    ".fgb": "flatgeobuf",
    ".tif": "tiff",
    ".tiff": "tiff",
    ".img": "erdas",
}
USED_COMPANIONS = (".shx", ".dbf", ".prj", ".cpg", ".cst", ".qpj")
# Indexes, styles and metadata that travel with a dataset and change nothing on the map.
# fmt: off
IDLE_COMPANIONS = frozenset([
    ".sbn", ".sbx", ".qix", ".idm", ".ind", ".id", ".map", ".dat", ".ain", ".aih", ".atx", ".ixs",
    ".mxs", ".fbn", ".fbx", ".qmd", ".qml", ".sld", ".xml", ".lyr", ".lyrx", ".ovr", ".aux",
    ".tfw", ".tifw", ".tfwx", ".jgw", ".pgw", ".rrd", ".mshp",
])
# fmt: on
REFUSED: dict[str, str] = {
    ".dwg": WORDS["dwg"],
    ".dxf": "a CAD drawing (DXF), which this version does not read; export its layers as "
    "shapefiles or a GeoPackage",
    ".dgn": "a MicroStation drawing (DGN); export its layers as shapefiles or a GeoPackage",
    ".vrt": "a virtual file that only points to other files; send the files themselves",
    ".mdb": "an Access database (personal geodatabase); export it as a file geodatabase (.gdb)",
    ".accdb": "an Access database; export its layers as a file geodatabase or a GeoPackage",
    ".kml": "KML has no fields and only degrees; export a GeoPackage or a shapefile",
    ".kmz": "KMZ has no fields and only degrees; export a GeoPackage or a shapefile",
    ".gml": "GML is not read; export a GeoPackage or a shapefile",
    ".tab": "MapInfo tables are not read; export a GeoPackage or a shapefile",
    ".mif": "MapInfo files are not read; export a GeoPackage or a shapefile",
    ".pbf": "this format is not read; export a GeoPackage or a shapefile",
    ".parquet": WORDS["parquet"],
    ".gz": WORDS["gzip"],
    ".tgz": WORDS["gzip"],
    ".tar": "a tar archive; send a .zip or the files themselves",
    ".rar": WORDS["rar"],
    ".7z": WORDS["7z"],
    ".mpk": "an ArcGIS map package; send the shapefiles or the geodatabase",
    ".lpk": "an ArcGIS layer package; send the shapefiles or the geodatabase",
}
ACCEPTED = (
    "a folder, a .zip, .shp, .gpkg, .gdb, .geojson, .fgb, a raster (.tif, .img, .asc), "
    "LandXML (.xml) or a site.toml"
)
