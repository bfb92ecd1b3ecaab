"""The public door: open a site, check it, draw its plate, write the report.

>>> import sitemap                                              # doctest: +SKIP
>>> site = sitemap.open_site("submittal.zip")                   # doctest: +SKIP
>>> checked = sitemap.check_site(site, "muskego")               # doctest: +SKIP
>>> sitemap.write_report(checked, "findings.json", form="json") # doctest: +SKIP

Nothing geospatial is imported before a function here is called.
"""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap.version import VERSION

if TYPE_CHECKING:
    from sitemap.checked import CheckedSite
    from sitemap.measured_plate import MeasuredPlate
    from sitemap.ordinance import Ordinance
    from sitemap.plate.draw import DrawnPlate
    from sitemap.site import Site

__all__ = ["__version__", "check_site", "draw_plate", "measure_plate", "open_site", "write_report"]

__version__ = VERSION

DEFAULT_ORDINANCE = "muskego"


def today() -> dt.date:
    """The day of the run: SOURCE_DATE_EPOCH when set (so that output is repeatable), else today."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch and epoch.isdigit():
        return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
    return dt.datetime.now().astimezone().date()


def open_site(
    submission: str | Path, *, crs: str | None = None, encoding: str | None = None
) -> Site:
    """Open a folder, zip, GeoPackage, geodatabase, shapefile or site.toml as a Site.

    crs names the CRS of the map (EPSG:6609); encoding that of attribute tables. Raises
    SitemapError when the submission as a whole cannot be opened.
    """
    from sitemap.intake.assemble import open_site as open_

    return open_(Path(submission), crs=crs, encoding=encoding)


def load_ordinance(name: str | Path | None, site: Site | None = None) -> Ordinance:
    """A pack by name or file; without a name the site's own, else Muskego's."""
    from sitemap.ordinance import load_ordinance as load

    chosen = name or (site.project.ordinance if site is not None else None) or DEFAULT_ORDINANCE
    return load(str(chosen))


def check_site(
    site: Site,
    ordinance: str | Path | None = None,
    *,
    plate: str | Path | None = None,
    now: dt.date | None = None,
) -> CheckedSite:
    """Check a site against an ordinance; a plate (PDF), when given, is measured and judged too."""
    from sitemap.check import check_site as check

    measured = measure_plate(plate) if plate is not None else None
    return check(site, load_ordinance(ordinance, site), plate=measured, now=now or today())


def measure_plate(path: str | Path) -> MeasuredPlate:
    """Page, frames, feet per inch, CRS, grid and layers of any finished PDF plate."""
    from sitemap.plate.read import measure_plate as measure

    return measure(Path(path))


def draw_plate(
    site: Site,
    out: str | Path,
    ordinance: str | Path | None = None,
    *,
    sheet: str | None = None,
    scale: float | str | None = None,
    now: dt.date | None = None,
) -> DrawnPlate:
    """Draw the site map as one PDF sheet and prove it by measuring the file.

    sheet is a paper size ("ARCH D"), scale feet per inch or "auto"; site.toml's wishes by default.
    Raises PlateError when no scale within the limit fits, or when the file fails its measurement.
    """
    from sitemap.plate.draw import draw_plate as draw

    pack = load_ordinance(ordinance, site)
    return draw(site, pack, Path(out), sheet=sheet, scale=scale, now=now or today())


def write_report(checked: CheckedSite, path: str | Path, *, form: str = "text") -> None:
    """Write a check as "text" or "json" to a file."""
    from sitemap.outputs import write_text_file
    from sitemap.report import render

    write_text_file(Path(path), render(checked, form))
