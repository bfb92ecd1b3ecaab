"""The public door: open a site, check it, draw its plate, write the report.

>>> import sitemap                                              # doctest: +SKIP
>>> site = sitemap.open_site("submittal.zip")                   # doctest: +SKIP
>>> checked = sitemap.check_site(site, "muskego")               # doctest: +SKIP
>>> sitemap.write_report(checked, "findings.json", form="json") # doctest: +SKIP

Nothing geospatial is imported before a function here is called.
"""

from __future__ import annotations

import datetime as dt
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap.drivers import disable_drivers
from sitemap.version import VERSION

if TYPE_CHECKING:
    from sitemap.checked import CheckedSite
    from sitemap.decisions import Decisions
    from sitemap.derived import Derived
    from sitemap.measured_plate import MeasuredPlate
    from sitemap.ordinance import Ordinance
    from sitemap.plate.draw import DrawnPlate
    from sitemap.site import Site

__all__ = [
    "__version__", "check_site", "derive_layers", "draw_plate", "measure_plate", "open_site",
    "review_site", "write_report",
]  # fmt: skip

__version__ = VERSION

disable_drivers()  # before any of the three GDALs is imported

Names = str | Path | Iterable[str | Path]
DEFAULT_ORDINANCE = "muskego"


def today() -> dt.date:
    """The day of the run: SOURCE_DATE_EPOCH when set (so that output is repeatable), else today."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch and epoch.isdigit():
        return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
    return dt.datetime.now().astimezone().date()


def open_site(
    submission: str | Path,
    *,
    crs: str | None = None,
    encoding: str | None = None,
    reference: Names = (),
    ordinance: Names | None = None,
) -> Site:
    """Open a folder, zip, GeoPackage, geodatabase, shapefile or site.toml as a Site.

    crs names the CRS of the map (EPSG:6609); encoding that of attribute tables. reference are
    folders, files or databases of what is known of the land (site.toml's unless given), read
    around the site as far as the ordinance follows water. Raises SitemapError when the submission
    as a whole cannot be opened, or a reference does not exist.
    """
    from sitemap.intake.assemble import open_site as open_

    site = open_(Path(submission), crs=crs, encoding=encoding)
    given = (reference,) if isinstance(reference, str | Path) else tuple(reference)
    if not given and not site.project.reference:
        return site
    from sitemap.intake.reference import wanted_references, with_reference
    from sitemap.units import Length

    limits = [pack.limits.get("discharge_distance") for pack in load_ordinances(ordinance, site)]
    reaches = [one.typed.to(site.foot) for one in limits if one and isinstance(one.typed, Length)]
    wanted = wanted_references(site, [str(one) for one in given])
    return with_reference(site, wanted, *([max(reaches)] if reaches else []))


def load_ordinances(names: Names | None = None, site: Site | None = None) -> tuple[Ordinance, ...]:
    """Packs by name or file; without names the site's own, else Muskego's. Each once, in order."""
    from sitemap.ordinance import load_ordinance as load

    chosen = (names,) if isinstance(names, str | Path) else tuple(names or ())
    if not chosen and site is not None:
        chosen = _as_in_site_toml(site)
    packs = [load(str(name)) for name in chosen or (DEFAULT_ORDINANCE,)]
    return tuple({pack.id: pack for pack in packs}.values())


def _as_in_site_toml(site: Site) -> tuple[str, ...]:
    """The site's packs; those that are files are seen from the folder of its site.toml."""
    path = site.project.path
    folder = path.parent if path is not None else Path()
    files = {name: folder / name for name in site.project.ordinance if name.endswith(".toml")}
    return tuple(
        str(files[name]) if name in files and files[name].is_file() else name
        for name in site.project.ordinance
    )


def load_ordinance(name: Names | None, site: Site | None = None) -> Ordinance:
    """A pack by name or file; without a name the site's own, else Muskego's.

    Of several the one that allows the fewest feet per inch, which is what a plate is drawn by.
    """
    packs = load_ordinances(name, site)
    return min(
        packs, key=lambda p: p.limits["max_scale"].value if "max_scale" in p.limits else math.inf
    )


def check_site(
    site: Site,
    ordinance: Names | None = None,
    *,
    plate: str | Path | None = None,
    now: dt.date | None = None,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    decisions: str | Path | None = None,
) -> CheckedSite:
    """Check a site against one ordinance or several, by the names of their packs or files.

    A plate (PDF), when given, is measured and judged too. select and ignore (codes or prefixes of
    rules) take the place of those in site.toml. decisions is a file of a reviewer's decisions.
    """
    from dataclasses import replace

    from sitemap.check import check_site as check
    from sitemap.checked import Asked

    decided = decisions_of(decisions)
    measured = measure_plate(plate) if plate is not None else None
    packs = load_ordinances(ordinance, site)
    kept = None if select is None else tuple(select), None if ignore is None else tuple(ignore)
    checked = check(
        site,
        packs,
        plate=measured,
        now=now or today(),
        select=kept[0],
        ignore=kept[1],
        decisions=decided,
    )
    names = (ordinance,) if isinstance(ordinance, str | Path) else tuple(ordinance or ())
    asked = Asked(
        ordinance=tuple(str(name) for name in names),
        plate=None if plate is None else str(plate),
        decisions=None if decisions is None else str(decisions),
        select=kept[0],
        ignore=kept[1],
        reference=site.reference.given if site.reference.by_option else (),
    )
    return replace(checked, asked=asked)


def decisions_of(file: str | Path | None) -> Decisions | None:
    """What a reviewer decided, by the file that the desk saved; None without one."""
    if file is None:
        return None
    from sitemap.decisions import load_decisions

    return load_decisions(Path(file))


def derive_layers(
    site: Site,
    ordinance: Names | Ordinance | None = None,
    *,
    only: Iterable[str] | None = None,
    interval_ft: float | None = None,
) -> Derived:
    """Contours, slopes, drainage and grid from the elevation and the design; writes nothing.

    only names some of these; interval_ft is that of the contours (1 or 2 ft by relief unless
    given). Raises SurfaceError where the elevation they need cannot be had, and says why.
    """
    from sitemap.derive import derive_site
    from sitemap.ordinance import Ordinance as Pack

    pack = ordinance if isinstance(ordinance, Pack) else load_ordinance(ordinance, site)
    return derive_site(site, pack, only=only, interval_ft=interval_ft)


def measure_plate(
    path: str | Path, *, password: str = "", dpi: float | None = None
) -> MeasuredPlate:
    """Page, frames, feet per inch, CRS, grid and layers of any finished plate.

    A PDF, which password may open, or a picture, whose dots per inch dpi may say.
    """
    from sitemap.plate.read import measure_plate as measure

    return measure(Path(path), password=password, dpi=dpi)


def draw_plate(
    site: Site,
    out: str | Path,
    ordinance: Names | None = None,
    *,
    sheet: str | None = None,
    scale: float | str | None = None,
    rotation: str | None = None,
    profile: str = "smart",
    underlay: str | None = None,
    phases: str | None = None,
    findings: CheckedSite | None = None,
    now: dt.date | None = None,
) -> DrawnPlate:
    """Draw the site map as PDF, on one sheet or a set, and prove it by measuring the file.

    sheet is a paper size ("ARCH D"), scale feet per inch or "auto"; site.toml's wishes by default.
    rotation is "up", "left" (where north lies), "longest", degrees or "auto"; profile "smart", or
    "flat" for a file of one layer without links; underlay "relief", "aerial" or "both" puts
    pictures under the map; phases "layers" or "sheets". The findings of a check are drawn on a
    layer that is off, with their numbers. Raises PlateError when nothing can be drawn within the
    limits, or when the file fails its measurement.
    """
    from sitemap.plate.draw import draw_plates as draw

    pack = load_ordinance(ordinance, site)
    return draw(
        site,
        pack,
        Path(out),
        sheet=sheet,
        scale=scale,
        rotation=rotation,
        profile=profile,
        underlay=underlay,
        phases=phases,
        checked=findings,
        now=now or today(),
    )


def review_site(
    checked: CheckedSite, path: str | Path, *, decisions: str | Path | None = None
) -> None:
    """Write the reviewer's desk of a check: one HTML file with map, findings and decisions.

    The check is one made without decisions; those of the file are put upon it, to be changed in
    the page. Raises SitemapError when there is nothing to draw.
    """
    from sitemap.desk.page import desk_page
    from sitemap.outputs import write_text_file

    write_text_file(Path(path), desk_page(checked, decisions_of(decisions)))


def write_report(checked: CheckedSite, path: str | Path, *, form: str = "text") -> None:
    """Write a check as "text" or "json" to a file."""
    from sitemap.outputs import write_text_file
    from sitemap.report import render

    write_text_file(Path(path), render(checked, form))
