"""The kinds of odd thing that reading can notice, each with its plain meaning.

A kind is stable: rules turn kinds into findings, the inventory prints the message that goes
with each occurrence. The meaning here is for the documentation and for `--json` readers.
"""

from __future__ import annotations

from sitemap.layer import Oddity

ODDITIES: dict[str, str] = {
    # companions and containers
    "shx_rebuilt": "the .shx was missing or did not fit and was rebuilt from the .shp in memory",
    "dbf_missing": "the shapefile has no .dbf: its features have no attributes",
    "shp_missing": "only the attribute table (.dbf) of a shapefile was sent, no geometry",
    "companion_case": "companion files are spelled in another case than the .shp",
    "companion_twins": "two companion files differ only in case; one was used",
    "companion_ignored": "a companion file that carries nothing the map needs was left alone",
    "companion_web_page": "a companion file is a saved web page: its download did not work",
    "companion_unreadable": "a companion file is damaged or locked and was not used",
    "dbf_ends_early": "the .dbf has fewer records than the .shp: attributes end early",
    "dbf_too_long": "the .dbf has more records than the .shp",
    "dbf_cut_off": "the .dbf is shorter than its own header says",
    "dbf_misaligned": "the records of the .dbf do not lie where its header says",
    "records_deleted": "records that an editor marked as deleted; they are left out",
    "shp_cut_off": "the .shp is shorter than its own header says",
    "shp_longer": "the .shp is longer than its own header says; all was read",
    "count_wrong": "a GeoPackage has more features than it says; all were read",
    "no_geometry": "an attribute table without geometry",
    "no_features": "the dataset is empty",
    "no_fields": "the dataset has no attribute fields",
    "layer_name_odd": "the layer's name holds characters that other programs stumble over",
    # reading
    "read_record_by_record": "bulk reading was refused; the records were read one by one",
    "download_incomplete": "the map service that wrote the file says that it sent only a part",
    "features_lost": "records that no reader could give",
    "attributes_lost": "fields of a kind that cannot be kept in a table were left out",
    "reader_warning": "a remark of the reading library",
    "features_gone": "features that their own data call abandoned or removed",
    # drawings
    "cad_recovered": "a damaged drawing, of which was read what could be recovered",
    "cad_layers_apart": "a file of several CAD layers, taken apart by the column that names them",
    "cad_layer_off": "layers of a drawing that are off or frozen; they are not read",
    "cad_annotation": "texts and dimensions of a drawing, which are no features",
    "cad_object_unread": "objects of a drawing that only their own program reads",
    "cad_block_missing": "blocks or external references that a drawing names and does not hold",
    "cad_left_out": "shapes of a CAD layer that draw its symbols, or draw an area twice",
    # Google Earth
    "kml_recovered": "a damaged KML, of which was read what stands before the damage",
    "kml_unread": "links, pictures and models of a KML; no link is followed",
    "kml_mended": "a KML whose XML is not well formed, of which nothing was lost",
    "kml_ring_closed": "outlines of a KML that end elsewhere than they begin",
    "kml_heights": "altitudes of shapes of a KML that are not level; they are left out",
    "kml_hidden": "placemarks of a KML that are switched off; they are read",
    "kml_table": "fields that a program wrote into the descriptions of a KML",
    "kml_elevation_named": "contours of a KML whose elevation stands only in their names",
    "kml_left_out": "shapes of a placemark or folder that only carry its labels",
    # LandXML
    "landxml_unread": "parts of a LandXML file that are no plan: profiles, cross sections",
    "landxml_left_out": "what LandXML holds beside features: labels of a group, null structures",
    # text, numbers, dates
    "encoding_doubtful": "no declaration says how text is encoded, or it contradicts the bytes",
    "encoding_unknown": "the declared encoding is not a known one",
    "text_undecodable": "bytes that do not exist in the encoding",
    "date_out_of_range": "dates beyond what calendars of programs hold; kept as text",
    "date_as_number": "dates kept as a number of milliseconds since 1970",
    "date_as_text": "dates kept as text",
    "date_order_taken": "dates whose day and month could be exchanged; the order taken is said",
    "date_unreadable": "text in a date field that is no date; kept as it is",
    "number_kept_as_text": "numbers kept as text; parsed",
    "unit_in_some_values": "numbers without a unit among numbers with one",
    "number_text_refused": "a number field with too much text in it to be parsed",
    "fill_values": "numbers that stand for nothing known (-999, 1e38, a 0 far from all heights)",
    "field_names_collide": "two columns claim one field",
    "unit_converted": "values converted from the stated unit",
    "elevation_field_idle": "an elevation field of zeros beside heights in the coordinates",
    "elevation_from_z": "the elevation was taken from the Z of the coordinates",
    # geometry
    "geometry_null": "features without geometry in the file",
    "geometry_empty": "features whose geometry is empty",
    "geometry_undecodable": "features whose geometry no reader could build; null here",
    "geometry_invalid": "geometries that break the rules of simple features",
    "coordinate_not_finite": "coordinates that are not numbers or infinite",
    "coordinate_wild": "coordinates far beyond the earth",
    "curves_linearised": "curves replaced by short straight lines",
    "multipatch_converted": "3D surfaces (multipatch, TIN) that a flat map cannot hold",
    "mixed_types": "points, lines and polygons in one dataset",
    "type_differs_from_header": "shapes of another kind than the file declares",
    "m_dropped": "measures (M) left out; X, Y and Z kept",
    "has_z": "coordinates carry heights",
    # coordinate systems
    "crs_missing": "no coordinate system is stated; none was guessed",
    "crs_from_qpj": "no .prj; the coordinate system was read from the .qpj of QGIS",
    "crs_given": "the coordinate system was given by the user, not by the file",
    "crs_overridden": "the user's coordinate system replaces the file's",
    "crs_unreadable": "a coordinate system is stated but cannot be understood",
    "crs_custom": "a coordinate system of one's own, without a registered code",
    "crs_local": "a local coordinate system that is tied to no place on earth",
    "crs_datum_unknown": "the coordinate system does not say its datum",
    "crs_contradicts_coordinates": "the numbers cannot belong to the stated coordinate system",
    "crs_unit_disagrees": "the unit in the definition differs from the unit of its code",
    "crs_outside_area": "coordinates lie outside the area the coordinate system is made for",
    "datum_differs": "datasets of one submission are on different datums",
    "declared_extent_wrong": "the extent in the file's header does not hold the features",
    # heights and rasters
    "vertical_unit_unstated": "heights without a stated unit",
    "vertical_datum_in_values": "elevations that name their zero level themselves",
    "vertical_datum_unstated": "heights without a stated zero level",
    "nodata_undeclared": "a fill value is used but not declared as nodata",
    "nodata_zero": "zero is declared as nodata, though zero can be a height",
    "nodata_odd": "a nodata value that is infinite or not a number",
    "raster_rotated": "the raster is rotated against its coordinate system",
    "raster_control_points": "placed by ground control points only, not by a grid",
    "raster_not_placed": "the raster has no position on the ground",
    "raster_cells_unreadable": "the header can be read, the cells cannot",
    "raster_all_nodata": "every cell is nodata",
    "raster_is_picture": "colours rather than heights",
}


def odd(
    kind: str,
    message: str,
    feature: int | None = None,
    xy: tuple[float, float] | None = None,
) -> Oddity:
    """An Oddity of a known kind; KeyError for a kind that is not listed here."""
    if kind not in ODDITIES:
        raise KeyError(kind)
    return Oddity(kind, message, feature, xy)


def numbered(records: list[int], limit: int = 10) -> str:
    """Record numbers for a message: '3, 8, 12 and 41 more'."""
    shown = ", ".join(str(number) for number in records[:limit])
    more = len(records) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def count_of(number: int, noun: str, plural: str = "") -> str:
    """'1 feature', '24 features'."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
