"""Google Earth files made for tests: folders, placemarks and their shapes."""

from __future__ import annotations

import zipfile
from pathlib import Path

from sitemap.intake.assemble import open_site
from sitemap.layer import Layer
from sitemap.site import Site

LON, LAT = -88.13, 42.904  # in the City of Muskego


def corners(*xy: tuple[float, float]) -> str:
    """Places some thousandths of a degree from a corner of the site, as KML writes them."""
    return " ".join(f"{LON + x / 1000:.6f},{LAT + y / 1000:.6f},0" for x, y in xy)


BOX = ((0, 0), (4, 0), (4, 3), (0, 3), (0, 0))


def line(*xy: tuple[float, float]) -> str:
    return f"<LineString><coordinates>{corners(*xy)}</coordinates></LineString>"


def polygon(*xy: tuple[float, float], hole: tuple[tuple[float, float], ...] = ()) -> str:
    ring = "<LinearRing><coordinates>{}</coordinates></LinearRing>"
    outer = f"<outerBoundaryIs>{ring.format(corners(*xy))}</outerBoundaryIs>"
    inner = f"<innerBoundaryIs>{ring.format(corners(*hole))}</innerBoundaryIs>" if hole else ""
    return f"<Polygon>{outer}{inner}</Polygon>"


def point(x: float, y: float) -> str:
    return f"<Point><coordinates>{corners((x, y))}</coordinates></Point>"


def mark(name: str, shape: str, more: str = "") -> str:
    return f"<Placemark><name>{name}</name>{more}{shape}</Placemark>"


def folder(name: str, *inside: str) -> str:
    return f"<Folder><name>{name}</name>{''.join(inside)}</Folder>"


def kml(*inside: str) -> str:
    head = '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2">'
    return f"{head}<Document><name>plan.kml</name>{''.join(inside)}</Document></kml>"


HAND = kml(
    folder(
        "Pine Hill erosion control",
        mark("Site boundary", line(*BOX)),  # a closed path
        mark("Limits of disturbance", polygon((1, 1), (3, 1), (3, 2), (1, 2), (1, 1))),
        mark("Silt fence 1", line((1, 0.9), (3, 0.9))),
        mark("Silt fence 2", line((0.9, 1), (0.9, 1.5))),
        mark("Inlet protection IP-1", point(2, 1.5)),
        mark("Outfall A", point(2, 0.1)),
        folder("Wetlands", folder("Emergent", mark("W-1", polygon(*BOX[:3], BOX[0])))),
    )
)


def read(tmp_path: Path, text: str, name: str = "plan.kml") -> Site:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return open_site(tmp_path / name)


def layer(site: Site, name: str) -> Layer:
    return next(one for one in site.datasets if one.provenance.layer.endswith(name))


def roles(site: Site) -> dict[str, str | None]:
    return {one.provenance.layer.rsplit("/", 1)[-1]: one.role for one in site.datasets}


def packed(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/") + ".kml", text)
    return path
