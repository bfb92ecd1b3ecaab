"""Files -> layers: what a folder, zip, GeoPackage or geodatabase holds, and its roles."""
