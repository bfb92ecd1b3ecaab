"""What is odd about a dataset's coordinate system, and which datums lie side by side.

Names what it sees, with numbers; it never changes or guesses a CRS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sitemap.crs import (
    Bounds,
    Crs,
    area_of_use,
    crs_code,
    crs_label,
    datum_name,
    linear_unit,
    lonlat,
    parse_crs,
    same_crs,
)
from sitemap.errors import CrsError
from sitemap.intake.oddities import odd
from sitemap.layer import Oddity

_EARTH_M = 2.1e7  # half the circumference: no projected easting or northing is larger
_OUTSIDE_DEG = 2.0  # how far beyond its area of use data may lie before it is worth a word


def understood(text: str | None) -> tuple[Crs | None, tuple[Oddity, ...]]:
    """The CRS behind a code or WKT; None with the reason for what PROJ cannot understand."""
    if not text:
        return None, ()
    try:
        crs = parse_crs(text)
    except CrsError as error:
        return None, (odd("crs_unreadable", f"the stated CRS is not understood: {error}"[:300]),)
    if "Undefined" in crs.name:
        return None, ()  # GeoPackage ids -1 and 0: "undefined" is not a CRS
    return crs, ()


def missing_crs(bounds: Bounds | None, *, unreadable: bool = False) -> Oddity:
    """The words for a dataset without CRS, with the numbers a person can recognise it by.

    unreadable: something is stated that is not understood.
    """
    hint = ""
    if bounds is not None:
        x, y = bounds[0], bounds[1]
        if in_degrees(bounds):
            hint = f"; the numbers ({x:.5f}, {y:.5f}) could be degrees"
        else:
            hint = f"; the numbers begin at ({x:,.1f}, {y:,.1f})"
    which = "no CRS that is understood" if unreadable else "no CRS"
    return odd(
        "crs_missing",
        f"{which} is stated and none was guessed{hint}. Add a .prj, name it in site.toml or give "
        "--crs",
    )


def crs_oddities(crs: Crs, bounds: Bounds | None, wkt: str | None = None) -> list[Oddity]:
    """Everything noteworthy about a stated CRS and the coordinates under it.

    bounds in the CRS's own unit, None without finite coordinates; wkt: the text of a .prj.
    """
    found: list[Oddity] = []
    if not (crs.is_geographic or crs.is_projected or crs.is_geocentric or crs.is_compound):
        found.append(odd("crs_local", f"{crs.name!r} is a local system, tied to no place on earth"))
        return found
    if crs.is_geocentric:
        words = "counts from the centre of the earth; no flat map can be drawn in it"
        found.append(odd("crs_local", f"{crs.name!r} {words}"))
        return found
    if crs_code(crs) is None and not _has_coded_parts(crs):
        found.append(odd("crs_custom", f"{crs.name!r} has no registered code (EPSG or ESRI)"))
    datum = datum_name(crs)
    if "unknown" in datum.lower() or datum.lower().startswith(("not specified", "not_specified")):
        found.append(odd("crs_datum_unknown", f"{crs.name!r} does not say its datum ({datum!r})"))
    disagreement = _unit_disagreement(crs, wkt)
    if disagreement:
        found.append(disagreement)
    if bounds is not None:
        contradiction = contradicts(crs, bounds)
        if contradiction:
            found.append(odd("crs_contradicts_coordinates", contradiction))
        else:
            found.extend(_outside_area(crs, bounds))
    return found


def _has_coded_parts(crs: Crs) -> bool:
    """A registered plan with registered heights: the pair itself seldom has a code."""
    return crs.is_compound and all(crs_code(part) for part in crs.sub_crs_list)


def settle_crs(
    stated: str | None,
    given: str | None,
    fallback: str | None,
    bounds: Bounds | None,
    wkt: str | None,
) -> tuple[Crs | None, str, list[Oddity]]:
    """The CRS of a dataset, how it is known, and what is odd. Never a guess.

    stated: what the reader found in the file; wkt: the text of a .prj; given: site.toml, which
    replaces the file's; fallback: --crs, for datasets that state none.
    """
    crs, notes_ = understood(stated)
    notes = list(notes_)
    if wkt and not stated:
        own, why = understood(wkt)  # GDAL gave none though a .prj is there
        crs, notes = own, [*notes, *why]
    if crs is not None and wkt:
        notes_from_text = crs_oddities(crs, bounds, wkt)
        own, _ = understood(wkt)
        if own is not None and linear_unit(own) is not linear_unit(crs):
            crs = own  # the matched code dropped the unit of the text: OSGeo/gdal#990
    elif crs is not None:
        notes_from_text = crs_oddities(crs, bounds)
    else:
        notes_from_text = []
    if given is not None:
        wanted = parse_crs(given)
        if crs is not None and not same_crs(crs, wanted):
            notes.append(odd("crs_overridden", f"site.toml says {given}; the file says {crs.name}"))
        else:
            notes.append(odd("crs_given", f"the CRS {given} is from site.toml"))
        return wanted, "site.toml", [*notes, *crs_oddities(wanted, bounds)]
    if crs is not None:
        return crs, "file", [*notes, *notes_from_text]
    if fallback is not None:
        wanted = parse_crs(fallback)
        notes.append(odd("crs_given", f"the file states no CRS; {fallback} is from --crs"))
        return wanted, "option", [*notes, *crs_oddities(wanted, bounds)]
    unreadable = any(note.kind == "crs_unreadable" for note in notes)
    return None, "none", [*notes, missing_crs(bounds, unreadable=unreadable)]


def in_degrees(bounds: Bounds) -> bool:
    """True when all four numbers could be longitudes and latitudes."""
    return -180.5 <= bounds[0] <= bounds[2] <= 180.5 and -90.5 <= bounds[1] <= bounds[3] <= 90.5


def contradicts(crs: Crs, bounds: Bounds) -> str | None:
    """Why coordinates cannot belong to a CRS, in words; None when they can."""
    if crs.is_geographic:
        return _contradicts_degrees(crs, bounds)
    return _contradicts_lengths(crs, bounds) if crs.is_projected else None


def _range(bounds: Bounds) -> str:
    west, south, east, north = (f"{v:,.4f}" if abs(v) < 1e12 else f"{v:.4g}" for v in bounds)
    return f"({west}, {south}) to ({east}, {north})"


def _contradicts_degrees(crs: Crs, bounds: Bounds) -> str | None:
    if max(-bounds[0], bounds[2]) <= 361 and max(-bounds[1], bounds[3]) <= 90.5:
        return None  # longitudes from 0 to 360 occur
    if in_degrees((bounds[1], bounds[0], bounds[3], bounds[2])):
        return (
            f"{crs_label(crs)} is in degrees, and latitude and longitude seem swapped: "
            f"{_range(bounds)}"
        )
    return (
        f"projected numbers under a geographic CRS: {crs_label(crs)} is in degrees, but the "
        f"coordinates run from {_range(bounds)}"
    )


def _contradicts_lengths(crs: Crs, bounds: Bounds) -> str | None:
    unit = linear_unit(crs)
    limit = _EARTH_M / float(unit.metres) if unit else _EARTH_M
    if max(abs(value) for value in bounds) > limit and not _plausible(crs, bounds):
        return f"the coordinates run from {_range(bounds)}, off the earth in {crs_label(crs)}"
    if not in_degrees(bounds) or _plausible(crs, bounds):
        return None
    if max(abs(value) for value in bounds) < 3:
        return f"the coordinates lie around zero ({_range(bounds)}), nowhere in {crs_label(crs)}"
    return (
        f"degrees under a projected CRS: {crs_label(crs)} is in "
        f"{unit.symbol if unit else 'lengths'}, but the coordinates run from {_range(bounds)}"
    )


def _plausible(crs: Crs, bounds: Bounds) -> bool:
    """True when tiny projected numbers do lie in the CRS's area of use."""
    area = area_of_use(crs)
    centre = _centre(crs, bounds)
    if area is None or centre is None:
        return False
    return area[0] <= centre[0] <= area[2] and area[1] <= centre[1] <= area[3]


def _centre(crs: Crs, bounds: Bounds) -> tuple[float, float] | None:
    x, y = (bounds[0] + bounds[2]) / 2.0, (bounds[1] + bounds[3]) / 2.0
    if crs.is_geographic:
        return x, y
    try:
        lon, lat = lonlat(x, y, crs)
    except Exception:  # PROJ raises several types for points it cannot unproject
        return None
    centre = float(lon), float(lat)
    return centre if all(map(math.isfinite, centre)) else None


def _outside_area(crs: Crs, bounds: Bounds) -> list[Oddity]:
    area = area_of_use(crs)
    centre = _centre(crs, bounds)
    if area is None or centre is None or area[0] > area[2]:
        return []
    lon, lat = centre
    out = max(area[0] - lon, lon - area[2], area[1] - lat, lat - area[3])
    if out <= _OUTSIDE_DEG:
        return []
    return [
        odd(
            "crs_outside_area",
            f"the data lie around {lat:.2f}, {lon:.2f}, outside the area of {crs_label(crs)} "
            f"(latitude {area[1]:.1f} to {area[3]:.1f}, longitude {area[0]:.1f} to {area[2]:.1f})",
        )
    ]


def _unit_disagreement(crs: Crs, wkt: str | None) -> Oddity | None:
    """A definition whose unit is not the unit of the code it was matched with, or claims."""
    stated = None
    if wkt:
        stated, _ = understood(wkt)
    if stated is None or not stated.is_projected or not crs.is_projected:
        return None
    in_text, in_code = linear_unit(stated), linear_unit(crs)
    if in_text is None or in_code is None or in_text is in_code:
        return None
    return odd(
        "crs_unit_disagrees",
        f"the .prj says {in_text.symbol}, the matched code {crs_label(crs)} says "
        f"{in_code.symbol}; the unit of the .prj is kept",
    )


def datum_oddities(labelled: Sequence[tuple[str, Crs | None]]) -> dict[int, Oddity]:
    """For each dataset on another datum than most of its neighbours: a word that names both.

    Keys are positions in `labelled`, which holds (name, CRS) of every dataset and raster.
    """
    datums: dict[str, list[int]] = {}
    for index, (_, crs) in enumerate(labelled):
        if crs is not None and (crs.is_geographic or crs.is_projected):
            datums.setdefault(datum_name(crs), []).append(index)
    if len(datums) < 2:
        return {}
    notes: dict[int, Oddity] = {}
    for datum, members in datums.items():
        others = []
        for other, theirs in datums.items():
            if other != datum:
                more = f" and {len(theirs) - 1} more" if len(theirs) > 1 else ""
                others.append(f"{labelled[theirs[0]][0]}{more} on {other!r}")
        message = f"this dataset is on the datum {datum!r}, but {'; '.join(others[:4])}"
        for index in members:
            notes[index] = odd("datum_differs", message)
    return notes
