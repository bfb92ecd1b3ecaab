"""One offline HTML page: verdict, overview map, clause matrix, findings with small maps, filter.

Nothing is fetched: style and script stand in the page, allowed by their hashes alone. It reads
without script, prints, and escapes every value (jinja2 autoescape, after words.plain).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from sitemap.checked import CheckedSite, ClauseLine, count_words, plural
from sitemap.finding import Finding, Outcome, Severity, Status
from sitemap.report.citations import joined_citations
from sitemap.report.finding_words import finding_facts, place_words
from sitemap.report.laws import broken_clauses, judgements_of
from sitemap.report.maps import Map, MapMaker
from sitemap.report.page_templates import page_templates
from sitemap.report.provenance import provenance_of
from sitemap.report.styles import LOOKS, WAIVED, Look
from sitemap.report.words import rule_words, severity_words
from sitemap.version import VERSION

MOST_OF_ONE_RULE = 100  # cards of one rule under one clause; the rest is counted
MAPS_OF_ONE_RULE = 25
MOST_MAPS = 250
MOST_EVIDENCE = 16

STATUS_ICONS = {
    Status.PASSED: "passed",
    Status.FOUND: "error",
    Status.NEEDS_PERSON: "person",
    Status.NOT_APPLICABLE: "none",
    Status.SKIPPED: "warning",
    Status.FAILED: "warning",
}


@dataclass(frozen=True)
class Card:
    """A finding as the page shows it."""

    number: int
    finding: Finding
    look: Look
    facts: tuple[tuple[str, str], ...]
    clauses: str  # "|muskego:d|muskego:3d|", for the filter
    map: Map | None


@dataclass(frozen=True)
class Group:
    """The findings under one clause, and what was left out of them."""

    line: ClauseLine | None
    cards: tuple[Card, ...]
    cut: tuple[str, ...]


def to_html(checked: CheckedSite) -> str:
    """The whole check as one HTML page."""
    style, script = _asset("page.css"), _asset("page.js")
    return (
        _environment()
        .get_template("page.html")
        .render(
            checked=checked,
            site=checked.site,
            judgements=judgements_of(checked),
            packs={pack.id: pack for pack in checked.ordinances},
            causes=[cause for cause in checked.causes if cause.number > 1 or cause.waiting],
            footing=", ".join(
                f"{p.id} version {p.version} ({p.digest})" for p in checked.ordinances
            ),
            version=VERSION,
            counts=_counts(checked),
            style=Markup(style),
            script=Markup(script),
            policy=_policy(style, script),
            looks=(*LOOKS.values(), WAIVED),
            groups=(groups := tuple(_groups(checked))),
            numbers={id(f): n for n, f in enumerate(checked.findings, start=1)},
            overview=MapMaker(checked).overview(),
            tables=tuple(_tables(checked)),
            severities=_severities(groups),
            rules=sorted({f.rule: rule_words(f.rule_name) for f in checked.findings}.items()),
            unjudged=tuple(_unjudged(checked)),
            provenance=provenance_of(checked),
            icons=STATUS_ICONS,
            most_evidence=MOST_EVIDENCE,
        )
        + "\n"
    )


@cache
def _environment() -> Environment:
    environment = page_templates("sitemap.report", "templates")
    environment.filters.update(
        words=rule_words, severity_words=severity_words, place=place_words, identity=id
    )
    return environment


@cache
def _asset(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _policy(style: str, script: str) -> str:
    """A content security policy that lets nothing in but these two texts."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; style-src 'sha256-{digest(style)}'; "
        f"script-src 'sha256-{digest(script)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _counts(checked: CheckedSite) -> str:
    unable = checked.with_status(Status.SKIPPED, Status.FAILED)
    return (
        f"{count_words(checked.findings) or 'no findings'} · "
        f"{plural(len(checked.confirmations), 'item')} for a person to confirm · "
        f"{plural(len(unable), 'rule')} of {len(checked.outcomes)} could not judge"
    )


def _groups(checked: CheckedSite) -> Iterator[Group]:
    maker = MapMaker(checked)
    mapped: dict[str, int] = {}
    number = 0
    for line, findings in checked.by_clause:
        shown: dict[str, int] = {}
        cards = []
        for finding in findings:
            number += 1
            code = finding.rule
            shown[code] = shown.get(code, 0) + 1
            if shown[code] > MOST_OF_ONE_RULE:
                continue
            drawn = None
            if mapped.get(code, 0) < MAPS_OF_ONE_RULE and sum(mapped.values()) < MOST_MAPS:
                drawn = maker.finding(finding)
                mapped[code] = mapped.get(code, 0) + (drawn is not None)
            look = WAIVED if finding.waiver is not None else LOOKS[finding.severity]
            clauses = "".join(f"|{pack}:{c}" for pack, c in broken_clauses(checked, finding))
            cards.append(
                Card(number, finding, look, tuple(finding_facts(finding)), f"{clauses}|", drawn)
            )
        cut = tuple(
            f"{count - MOST_OF_ONE_RULE:,} more of {code} are not on this page; "
            "all of them are in -f json and -f gpkg."
            for code, count in shown.items()
            if count > MOST_OF_ONE_RULE
        )
        yield Group(line, tuple(cards), cut)


def _severities(groups: tuple[Group, ...]) -> list[tuple[Look, int]]:
    """The looks that occur on the page, worst first, with their counts."""
    names = [card.look.name for group in groups for card in group.cards]
    looks = (LOOKS[Severity.ERROR], LOOKS[Severity.WARNING], LOOKS[Severity.INFO], WAIVED)
    return [(look, names.count(look.name)) for look in looks if look.name in names]


@dataclass(frozen=True)
class Table:
    """A clause matrix: heading, head of its second column, rows; rest is what no row can show."""

    heading: str
    must: str
    lines: tuple[ClauseLine, ...]
    rest: str = ""


def _tables(checked: CheckedSite) -> Iterator[Table]:
    """Law by law: the map first, then what stands beside it."""
    judgements = judgements_of(checked)
    for judgement in judgements:
        law = f" ({judgement.ordinance.id})" if len(judgements) > 1 else ""
        lines = judgement.clauses
        on_map = tuple(line for line in lines if line.clause.on_map)
        beside = tuple(line for line in lines if not line.clause.on_map)
        judged = tuple(line for line in beside if _is_judged(line))
        rest = joined_citations(line.clause.citation for line in beside if not _is_judged(line))
        if on_map:
            yield Table(f"The map, clause by clause{law}", "What the map must have", on_map)
        if judged or rest:
            yield Table(f"Beside the map{law}", "What the plan must have", judged, rest)


def _is_judged(line: ClauseLine) -> bool:
    return line.status is not Status.NEEDS_PERSON or bool(line.findings or line.confirmations)


def _unjudged(checked: CheckedSite) -> Iterator[tuple[str, Outcome]]:
    order = (
        ("could not run", Status.FAILED),
        ("not judged", Status.SKIPPED),
        ("judged in part", Status.FOUND),
        ("not applicable", Status.NOT_APPLICABLE),
    )
    for title, status in order:
        for outcome in checked.with_status(status):
            if outcome.why:
                yield title, outcome
