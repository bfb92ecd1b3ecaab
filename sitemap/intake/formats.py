"""What the endings of file names promise: formats that are read, companions, formats refused."""

from __future__ import annotations

from typing import Literal

from sitemap.intake.sniff import WORDS

Kind = Literal[
    "shapefile",
    "table",
    "gpkg",
    "filegdb",
    "geojson",
    "flatgeobuf",
    "raster",
    "landxml",
    "dxf",
    "kml",
]

SITE_TOML = "site.toml"
ARCHIVES = (".zip", ".shz")  # .shz: a zipped shapefile, as GDAL names it
CAD = "DXF"  # the driver of a dataset that is a layer of a drawing
KML = "KML"  # of one that is a folder of a Google Earth file
LANDXML = "LandXML"  # of one that is a surface, a half of a pipe network or a group of a LandXML
# what people draw: driver -> what a dataset is there; the first says most of what it shows
DRAWINGS = {LANDXML: "part of the LandXML file", CAD: "CAD layer", KML: "folder"}
KINDS: dict[str, Kind] = {
    ".shp": "shapefile",
    ".gpkg": "gpkg",
    ".gdb": "filegdb",
    ".geojson": "geojson",
    ".json": "geojson",
    ".geojsonl": "geojson",  # one feature in each line
    ".geojsons": "geojson",
    ".geojsonseq": "geojson",
    ".ndjson": "geojson",
    ".fgb": "flatgeobuf",
    ".tif": "raster",
    ".tiff": "raster",
    ".img": "raster",
    ".asc": "raster",
    ".jp2": "raster",
    ".landxml": "landxml",
    ".dxf": "dxf",
    ".kml": "kml",
    ".kmz": "kml",
}
PICTURES: dict[str, tuple[str, ...]] = {  # rasters where a world file lies beside them
    ".jpg": (".jgw", ".jpgw", ".wld"),
    ".jpeg": (".jgw", ".jpgw", ".jpegw", ".wld"),
    ".png": (".pgw", ".pngw", ".wld"),
}
WORLD_FILES = frozenset(end for ends in PICTURES.values() for end in ends)
MAYBE_LANDXML = ".xml"  # metadata, unless its root says otherwise
CONTENT: dict[str, str] = {
    ".shp": "shapefile",
    ".gpkg": "sqlite",
    ".geojson": "geojson",
    ".json": "geojson",
    ".geojsonl": "geojson",  # one feature in each line
    ".geojsons": "geojson",
    ".geojsonseq": "geojson",
    ".ndjson": "geojson",
    ".fgb": "flatgeobuf",
    ".tif": "tiff",
    ".tiff": "tiff",
    ".img": "erdas",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".png": "png",
    ".dxf": "dxf",
    ".kml": "xml",
    ".kmz": "zip",
}
SQLITE_LOGS = ("-wal", "-journal")  # changes of a GeoPackage that are not in it yet
USED_COMPANIONS = (".shx", ".dbf", ".prj", ".cpg", ".cst", ".qpj")
# Indexes, styles and metadata that travel with a dataset and change nothing on the map.
# fmt: off
IDLE_COMPANIONS = frozenset([
    ".sbn", ".sbx", ".qix", ".idm", ".ind", ".id", ".map", ".dat", ".ain", ".aih", ".atx", ".ixs",
    ".mxs", ".fbn", ".fbx", ".qmd", ".qml", ".sld", ".xml", ".lyr", ".lyrx", ".ovr", ".aux",
    ".tfw", ".tifw", ".tfwx", ".jgw", ".pgw", ".rrd", ".mshp",
])
# fmt: on
_CLOUD = "a point cloud, which is not read; send the ground made of it as a raster (GeoTIFF)"
_RASTER = "this raster format is not read; export it as GeoTIFF"
_LICENSED = (
    "which only its maker's licensed software reads; export it there (or in a GIS that has the "
    "licence) as GeoTIFF or JPEG 2000 (.jp2)"
)
_TILES = "map tiles for a screen, not data; send the layers that they were made from"
_PACKED = "a compressed archive; send a .zip or the files themselves"
REFUSED: dict[str, str] = {
    ".dwg": WORDS["dwg"],
    ".dgn": "a MicroStation drawing (DGN); export its layers as shapefiles or a GeoPackage",
    ".vrt": "a virtual file that only points to other files; send the files themselves",
    ".mdb": "an Access database (personal geodatabase); export it as a file geodatabase (.gdb)",
    ".accdb": "an Access database; export its layers as a file geodatabase or a GeoPackage",
    ".gml": "GML is not read; export a GeoPackage or a shapefile",
    ".tab": "MapInfo tables are not read; export a GeoPackage or a shapefile",
    ".mif": "MapInfo files are not read; export a GeoPackage or a shapefile",
    ".pbf": "this format is not read; export a GeoPackage or a shapefile",
    ".parquet": WORDS["parquet"],
    ".geoparquet": WORDS["parquet"],
    ".gpx": "GPX is not read; export its points and tracks as a shapefile or a GeoPackage",
    ".topojson": WORDS["topojson"],
    ".e00": "an ArcInfo export file; export it as a shapefile or a GeoPackage",
    ".osm": "OpenStreetMap data are not read; export a GeoPackage or a shapefile",
    ".las": _CLOUD,
    ".laz": _CLOUD,
    ".e57": _CLOUD,
    ".dem": _RASTER,
    ".hgt": _RASTER,
    ".flt": _RASTER,
    ".bil": _RASTER,
    ".grd": _RASTER,
    ".dt2": _RASTER,
    ".nc": _RASTER,
    ".h5": _RASTER,
    ".hdf": _RASTER,
    ".kea": _RASTER,
    ".sid": f"a MrSID image, {_LICENSED}",
    ".ecw": f"an ECW image, {_LICENSED}",
    ".mbtiles": _TILES,
    ".pmtiles": _TILES,
    ".ifc": "a building model (IFC); export the outlines of its site as a shapefile",
    ".zipx": "this is a zip archive of a newer kind; send a plain .zip or the files themselves",
    ".z01": "a part of a split archive; send one whole .zip or the files themselves",
    ".bz2": _PACKED,
    ".xz": _PACKED,
    ".gz": WORDS["gzip"],
    ".tgz": WORDS["gzip"],
    ".tar": "a tar archive; send a .zip or the files themselves",
    ".rar": WORDS["rar"],
    ".7z": WORDS["7z"],
    ".mpk": "an ArcGIS map package; send the shapefiles or the geodatabase",
    ".lpk": "an ArcGIS layer package; send the shapefiles or the geodatabase",
}
ACCEPTED = (
    "a folder, a .zip or .shz, .shp, .gpkg, .gdb, .geojson (also .geojsonl, .ndjson), .fgb, .dxf, "
    ".kml, .kmz, a raster (.tif, .img, .asc, .jp2; in a folder also .jpg and .png with a world "
    "file), LandXML (.xml) or a site.toml"
)
