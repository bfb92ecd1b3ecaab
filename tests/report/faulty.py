"""A checked site with a fault of every kind, and one whose every word is hostile."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from shapely.geometry import GeometryCollection, LineString, Point
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite
from sitemap.finding import Finding, Limit, Quantity, Severity, Source, Waiver
from sitemap.rules.rule import Ask, Checked, NotApplicable, Said, Skip
from tests.tiny_site import (
    X0,
    Y0,
    check,
    clause,
    fault,
    layer,
    make_rule,
    pack,
    says,
    site,
    spot,
    square,
)

LAW = pack(
    clause("scale", "SCL001"),
    clause("contours", "CON002"),
    clause("d", "DST001", person="Look.", person_always=True),
    clause("j", "GRD001"),
    clause("3a", "DOC001", "DOC002", on_map=False),
)
WAIVER = Waiver("old pond", "City Engineer", dt.date(2026, 4, 1), dt.date(2027, 4, 1), "until May")

# Each of these has broken some report somewhere.
NASTY = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "]]><x/>",
    "\N{TRIANGULAR FLAG ON POST}\N{VARIATION SELECTOR-16}",
    "\x00\x07\x1b[31m\x85\u202e",
    "a\"b'c&amp;d",
    "::error file=x::owned\n::set-output name=x::y",
    "%0A,:100%",
    "[click](http://evil.example)",
    "\ud800 half",
    "\ufffe\uffff",
    "{{ 7 * 7 }}{% raw %}",
    "_x0041_",
    "-- '; DROP TABLE layer_styles; --",
    "long " + "x" * 40_000,
)


def broken() -> Iterator[Said]:
    raise RuntimeError("it broke")
    yield Checked("never", 1)


def a_line(x: float, y: float, length: float = 300.0) -> LineString:
    return LineString([(X0 + x, Y0 + y), (X0 + x + length, Y0 + y + 1 / 3)])


@cache
def every_kind() -> CheckedSite:
    """Points, lines, areas, a collection, no place, wild; error, warning, note, waived; not run."""
    area = fault()
    line = fault(
        message="a line is wrong",
        geometry=a_line(20, 50),
        severity=Severity.WARNING,
        source=Source("contours.shp", "contours", 7, None),
        role="contours_existing",
        measured=Quantity(10.0, "ft", 0.5),
        limit=Limit(5.0, "ft"),
        related=(Source("contours.shp", "contours", 8, "C-8"),),
    )
    mixed = fault(
        message="a bit of all",
        geometry=GeometryCollection([Point(X0 + 5, Y0 + 5), a_line(0, 0), square(10, 10, 20)]),
        source=Source("mixed.shp", None, 3, "M-1"),
    )
    note = fault(
        message="a point, by the way",
        geometry=Point(X0 + 10, Y0 + 20, 812.5),
        severity=Severity.INFO,
        source=Source("points.shp", None, 1, "P-1"),
        field_name="acres",
    )
    waived = fault(
        message="let stand", geometry=square(300, 300), source=Source("disturbance.shp", None, 9)
    )
    wild = fault(
        message="far out",
        geometry=LineString([(X0, Y0), (float("inf"), 0)]),
        source=Source("wild.shp", None, 0),
    )
    nowhere = fault(message="owner is not stated", geometry=None, role=None, source=Source())
    found = check(
        make_rule("SCL001", says(Skip("no plate was handed in")), "scale"),
        make_rule("CON002", says(line, wild), "contours"),
        make_rule("DST001", says(area, mixed, note, waived, Ask("Is it?", "", spot(1, 1))), "d"),
        make_rule("GRD001", broken, "j"),
        make_rule("DOC001", says(nowhere), "3a"),
        make_rule("DOC002", says(NotApplicable("not here")), "3a"),
        law=LAW,
    )
    return changed(found, lambda f: _waived(f) if f.message == "let stand" else f)


def _waived(finding: Finding) -> Finding:
    breaches = tuple(replace(b, waiver=WAIVER) for b in finding.breaches)
    return replace(finding, waiver=WAIVER, breaches=breaches)


def changed(checked: CheckedSite, change: Callable[[Finding], Finding]) -> CheckedSite:
    """The same check with its findings changed, wherever they stand."""
    new = {id(f): change(f) for outcome in checked.outcomes for f in outcome.findings}

    def swap(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(new[id(f)] for f in found)

    lines = tuple(replace(line, findings=swap(line.findings)) for line in checked.clauses)
    outcomes = tuple(replace(o, findings=swap(o.findings)) for o in checked.outcomes)
    judgements = tuple(
        replace(j, clauses=lines, outcomes=outcomes) if len(checked.judgements) == 1 else j
        for j in checked.judgements
    )
    return replace(checked, outcomes=outcomes, clauses=lines, judgements=judgements, causes=())


@cache
def clean() -> CheckedSite:
    """Nothing is found."""
    return check(make_rule("SCL001", says(Checked("a scale", 1)), "scale"), law=LAW)


@cache
def hostile() -> CheckedSite:
    """Every word that a user can choose is one of NASTY."""

    def nasty(i: int, geometry: BaseGeometry | None) -> object:
        word = NASTY[i]
        return fault(
            message=f"{word} is wrong",
            how_to_fix=f"rename {word}",
            geometry=geometry,
            role="disturbance",
            source=Source(f"{word}.shp", word, i, word),
            related=(Source(word, word, 1, word),),
            field_name=word,
            measured=Quantity(1.0, word),
        )

    faults = [nasty(i, square(20.0 * i, 20.0 * i, 15.0)) for i in range(len(NASTY))]
    questions = [Ask(f"Is {word} right?") for word in NASTY]
    cells = layer("grid", [square(0, 0, 400)], label=[NASTY[0]])
    drawn = {
        **site().layers,
        "grid": cells,
        "disturbance": layer("disturbance", [square(150, 150)], id=[NASTY[1]]),
    }
    of = replace(site(drawn), name=NASTY[0] + NASTY[5] + NASTY[10], submission=NASTY[6] + ".zip")
    found = check(
        make_rule("DST001", says(*faults, *questions), "d"),
        make_rule("SCL001", says(*(Skip(word) for word in NASTY)), "scale"),
        make_rule("GRD001", says(NotApplicable(NASTY[3])), "j"),
        law=LAW,
        of=of,
    )
    evil = Waiver(NASTY[0], NASTY[1], dt.date(2026, 1, 1), None, NASTY[3])
    last = found.findings[-1].fingerprint
    return changed(found, lambda f: replace(f, waiver=evil) if f.fingerprint == last else f)
