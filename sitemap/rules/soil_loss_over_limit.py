"""SOI001: soil loss of more than five tons per acre and year."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from sitemap.finding import Limit, Quantity
from sitemap.measures.cover import acres, dissolved, uncovered
from sitemap.measures.soil_loss import (
    Cover,
    Erosivity,
    TooSteepError,
    WindowLoss,
    ls_fraction,
    ls_sine,
    us_erosivity,
    window_losses,
)
from sitemap.measures.soil_loss_areas import (
    CalculatedArea,
    best_practice,
    calculated_areas,
    erodibility_of,
    first_disturbed,
)
from sitemap.rules.rule import Ask, Checked, Fault, Said, Skip, rule
from sitemap.site import RoleLayer, Site
from sitemap.soil_factors import SoilFactors
from sitemap.units import Area, Length

CLAUSE = "9c2a"
UNIT = "tons/acre/year"


@rule("SOI001", clauses=("9c2a", "3e"), uses=("drainage_areas", "disturbance", "soils"))
def soil_loss_over_limit(
    site: Site,
    drainage_areas: RoleLayer | None,
    disturbance: RoleLayer | None,
    soils: RoleLayer | None,
    soil_loss: float,
    sliver_width: Length,
    acres_tolerance: Area,
) -> Iterator[Said]:
    """The map has an area that loses more soil than the ordinance allows.

    Why
        The plan must show by calculation that the practices let at most five tons per acre and
        year leave each part of the site, from first grading to final stabilization.

    How it is measured
        A = R x %R x K x LS x C x (1 - efficiency), in tons per acre, for each area of
        [[soil_loss.areas]] in site.toml; without these, for each drainage area that holds
        disturbed ground, else each disturbed area. Slope length and slope come from the entry,
        else from the feature of its id. LS = (L/72.6)^m (65.41 sin^2 + 4.56 sin + 0.065) of
        AH-537, with m of 0.2, 0.3, 0.4 and 0.5 from 0, 1, over 3 and 5 percent; where the older
        form of the same handbook falls on the other side of the limit, a person decides. Covers
        run in order of their dates, each until the next begins, the first from the day on which
        the disturbance layer opens the ground; the share of R is read straight
        between the dates of the table, which is cumulative from January 1. A plan of more than
        12 months is calculated for every 12 months from its start and for the last 12 months to
        its end; the worst counts. Of several practices only the best one counts. K is that of the
        map unit in the factors file, else of the soils layer; without a map unit, of the soil
        with the largest part of the area. R, percent of R by date, C, K and efficiencies come
        from the CSV that [soil_loss] factors names, each with its source; the program has none of
        its own. No tolerance: the number is for sheet and rill erosion alone, not for gullies,
        channels and banks.

    When it does not apply
        Over 33 percent of slope the equation is not valid: a person decides by the practices.
        Without factors a person decides.

    How to fix
        Shorten the time that ground lies bare, cover or seed earlier, break the slope length, or
        add a practice of higher efficiency; or explain why the standard cannot be met.

    References
        § 162-9C(2)(a); § 162-11B(3)(e); USDA Agriculture Handbook 537; WDNR, Construction Site
        Soil Loss and Sediment Discharge Calculation Guidance.
    """
    factors = site.project.soil_factors
    if factors is None:
        yield Ask(
            "is the soil loss at most "
            f"{soil_loss:g} {UNIT}? It was not calculated: supply factors in a CSV that "
            "[soil_loss] factors of site.toml names; nothing is assumed",
            CLAUSE,
        )
        return
    tables = _tables(factors)
    if isinstance(tables, Ask):
        yield tables
        return
    areas = calculated_areas(site, drainage_areas, disturbance)
    if not areas:
        yield Skip("there are neither [[soil_loss.areas]] nor drainage or disturbed areas")
        return
    for area in areas:
        opened = first_disturbed(area, disturbance)
        yield from _judge(area, site, factors, tables, soils, soil_loss, opened)
    yield from _left_out(areas, site, disturbance, sliver_width, acres_tolerance)


@dataclass(frozen=True)
class _Tables:
    """The factors that serve every area: annual R in US units and its course over the year."""

    r: float
    erosivity: Erosivity


def _tables(factors: SoilFactors) -> _Tables | Ask:
    annual, days = factors.all("R"), factors.all("percent_R")
    lacking = [name for name, rows in (("R", annual), ("percent_R", days)) if not rows]
    if lacking:
        return Ask(
            f"the soil loss was not calculated: {factors.file} has no {' and no '.join(lacking)}",
            CLAUSE,
        )
    try:
        erosivity = Erosivity({row.key: row.value for row in days})
    except ValueError as error:
        words = f"the soil loss was not calculated: percent_R of {factors.file}: {error}"
        return Ask(words, CLAUSE)
    return _Tables(us_erosivity(annual[0].value, annual[0].unit), erosivity)


# ------------------------------------------------------------------------------ one area


def _judge(
    area: CalculatedArea,
    site: Site,
    factors: SoilFactors,
    tables: _Tables,
    soils: RoleLayer | None,
    limit: float,
    opened: dt.date | None,
) -> Iterator[Fault | Ask | Checked]:
    erodibility = erodibility_of(area, factors, soils)
    lacking = [*_lacking(area, factors, erodibility), *_uncovered_days(area, opened)]
    if lacking or area.length_ft is None or area.slope_pct is None or erodibility is None:
        words = f"the soil loss of {area.id} was not calculated: supply {', '.join(lacking)}"
        yield Ask(words, CLAUSE, area.geometry)
        return
    k, soil_words = erodibility
    practice = best_practice(area, factors)
    covers = [Cover(c.cover, c.start, _c(c.cover, factors)) for c in area.covers]
    assert area.end is not None
    try:
        ls, older = (form(area.length_ft, area.slope_pct) for form in (ls_sine, ls_fraction))
        worst = max(
            window_losses(
                covers, area.end, tables.erosivity,
                r=tables.r, k=k, ls=ls, efficiency=practice[1],
            ),
            key=lambda loss: loss.tons_per_acre,
        )  # fmt: skip
    except TooSteepError as error:
        words = f"{area.id}: {error}; judge it by the practices that are prescribed there"
        yield Ask(words, CLAUSE, area.geometry)
        return
    except ValueError as error:
        words = f"the soil loss of {area.id} was not calculated: {error}"
        yield Ask(words, CLAUSE, area.geometry)
        return
    parts = _parts(tables, worst, k, soil_words, ls, practice)
    yield Checked(
        f"{area.id}: {worst.tons_per_acre:.2f} {UNIT} (at most {limit:g}), {worst.window}: "
        f"{parts}; sheet and rill erosion only",
        1,
    )
    by_older_form = worst.tons_per_acre * older / ls
    over = worst.tons_per_acre > limit * (1.0 + 1e-9)
    if over != (by_older_form > limit * (1.0 + 1e-9)):
        yield Ask(
            f"{area.id} loses {worst.tons_per_acre:.2f} {UNIT} by the one form of LS and "
            f"{by_older_form:.2f} by the other; at most {limit:g} are allowed: which form counts?",
            CLAUSE,
            area.geometry,
        )
    elif over:
        yield _fault(area, worst, parts, limit)


def _fault(area: CalculatedArea, worst: WindowLoss, parts: str, limit: float) -> Fault:
    return Fault(
        f"{area.id} loses {worst.tons_per_acre:.2f} tons of soil per acre from "
        f"{worst.window}: {parts} (sheet and rill erosion only); at most {limit:g} tons per acre "
        "and year are allowed",
        "cover the ground earlier, break the slope length, or add a practice of higher efficiency",
        geometry=area.geometry,
        measured=Quantity(round(worst.tons_per_acre, 4), UNIT),
        limit=Limit(limit, UNIT),
        role=area.role,
        source=area.source,
        distinct=area.id,
    )


def _parts(
    tables: _Tables,
    worst: WindowLoss,
    k: float,
    soil_words: str,
    ls: float,
    practice: tuple[str, float],
) -> str:
    held = f" x (1 - {practice[1]:g} of {practice[0]})" if practice[0] else ""
    mean_c = worst.weighted_pct / worst.erosivity_pct if worst.erosivity_pct else 0.0
    gap = tables.erosivity.widest_gap_days
    course = f", read over up to {gap} days" if gap > 31 else ""
    return (
        f"R {tables.r:.4g} x {worst.erosivity_pct:.4g} %{course} x K {k:.3g} ({soil_words}) x "
        f"LS {ls:.3f} x C {mean_c:.3g}{held}"
    )


def _c(cover: str, factors: SoilFactors) -> float:
    row = factors.find("C", cover)
    assert row is not None, "looked for before"
    return row.value


def _uncovered_days(area: CalculatedArea, opened: dt.date | None) -> Iterator[str]:
    """The cover before the first one that is stated: bare ground would count for nothing there."""
    first = min((cover.start for cover in area.covers), default=None)
    if first is not None and opened is not None and opened < first:
        opens = f"its cover from {opened}, when its ground is opened"
        yield f"{opens}, to {first}, when the first begins"


def _lacking(
    area: CalculatedArea, factors: SoilFactors, erodibility: tuple[float, str] | None
) -> list[str]:
    """What the equation needs and nobody has said, in words."""
    wanted = []
    if area.length_ft is None:
        wanted.append("its slope length (slope_length_ft)")
    if area.slope_pct is None:
        wanted.append("its slope (slope_pct)")
    if erodibility is None:
        of = f"K of the map unit {area.soil}" if area.soil else "its soil, or a soils layer with K"
        wanted.append(of)
    if not area.covers:
        wanted.append("its covers with their dates (covers)")
    if area.end is None:
        wanted.append("the day of final stabilization (end)")
    names = dict.fromkeys(c.cover for c in area.covers if factors.find("C", c.cover) is None)
    wanted += [f"C of {name!r} in {factors.file}" for name in names]
    wanted += [
        f"the efficiency of practice {name!r} in {factors.file}"
        for name in area.practices
        if factors.find("practice", name) is None
    ]
    return wanted


# ------------------------------------------------------------------- what no area holds


def _left_out(
    areas: list[CalculatedArea],
    site: Site,
    disturbance: RoleLayer | None,
    sliver_width: Length,
    acres_tolerance: Area,
) -> Iterator[Ask]:
    """Disturbed ground that lies in no calculated area, where every area has its place."""
    shapes = [area.geometry for area in areas if area.geometry is not None]
    if disturbance is None or len(shapes) < len(areas):
        return
    ground = dissolved(disturbance.shapes)
    rest = uncovered(ground, dissolved(np.array(shapes, dtype=object)), sliver_width.to(site.foot))
    size = acres(rest.area, site.foot)
    if size > acres_tolerance.acres:
        yield Ask(
            f"{size:.2f} acres of disturbed ground lie in no area of the soil loss calculation: "
            "calculate them too",
            CLAUSE,
            shapely.union_all(rest.parts),
        )
