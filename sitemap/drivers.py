"""Which drivers of GDAL may open a file: those that intake names, and no other.

Intake forces the driver of each file by its first bytes. The rest of GDAL's vector drivers, and
every driver that follows other files, runs a program or asks the network, are taken out before
GDAL is imported: a submission is data from a stranger.
"""

from __future__ import annotations

import logging
import os
from collections.abc import MutableMapping

ALLOWED = (
    "ESRI Shapefile", "GPKG", "OpenFileGDB", "GeoJSON", "ESRIJSON", "FlatGeobuf",  # vector
    "GTiff", "HFA", "AAIGrid", "JP2OpenJPEG", "JPEG", "PNG",  # raster
    "MEM", "Memory",  # what GDAL itself works in
)  # fmt: skip
FOLLOWS_OR_CALLS = (
    "OGR_VRT", "VRT", "GDALG", "GTI", "DERIVED", "GPSBabel", "HTTP", "WFS", "OAPIF", "OGCAPI",
    "CSW", "WMS", "WMTS", "WCS", "EEDA", "EEDAI", "PLSCENES", "PLMOSAIC", "DAAS", "Carto",
    "AmigoCloud", "Elasticsearch", "NGW", "STACIT", "STACTA", "ESRIC", "ADBC", "KMLSUPEROVERLAY",
    "TIL", "SENTINEL2", "RPFTOC", "ECRGTOC", "Rasterlite", "MRF", "Zarr", "netCDF", "HDF5",
    "HDF5Image",
)  # fmt: skip
OTHER_VECTOR = (
    "AIVector", "AVCBin", "AVCE00", "CAD", "CSV", "DGN", "DXF", "EDIGEO", "GML", "GPX", "GTFS",
    "GeoJSONSeq", "GeoRSS", "Geoconcept", "Idrisi", "JML", "JSONFG", "KML", "LIBKML", "LVBAG",
    "MBTiles", "MVT", "MapInfo File", "MapML", "MiraMonVector", "ODS", "OGR_GMT", "OGR_PDS", "OSM",
    "PCIDSK", "PDF", "PDS4", "PGDUMP", "PMTiles", "S57", "SQLite", "SVG", "SXF", "Selafin",
    "TIGER", "TopoJSON", "UK .NTF", "VDV", "VFK", "VICAR", "WAsP", "XLSX",
)  # fmt: skip
_NOT_IN_THIS_BUILD = "Unable to find driver"


class _Known(logging.Filter):
    """Lets a library's remark pass unless it says that a driver to be left out is not built in."""

    def filter(self, record: logging.LogRecord) -> bool:
        return _NOT_IN_THIS_BUILD not in record.getMessage()


def disable_drivers(environment: MutableMapping[str, str] = os.environ) -> None:
    """Take the drivers out that no submission needs; what the user takes out already stays out.

    Has effect on GDALs that are imported after this call, in this process and in its children.
    """
    before = [name for name in environment.get("OGR_SKIP", "").split(",") if name]
    names = dict.fromkeys([*before, *FOLLOWS_OR_CALLS, *OTHER_VECTOR])
    environment["OGR_SKIP"] = ",".join(names)
    environment.setdefault("CPL_LOG", os.devnull)  # no word on drivers a build does not have
    for library in ("rasterio._env", "fiona._env"):
        logger = logging.getLogger(library)
        if not any(isinstance(known, _Known) for known in logger.filters):
            logger.addFilter(_Known())
