"""What stands in the columns of the workbook, sheet by sheet: heads, widths and rows."""

from __future__ import annotations

import math

from sitemap.checked import CheckedSite, ClauseLine
from sitemap.finding import Finding, Place, Status
from sitemap.report.text import number_words
from sitemap.report.words import plain, rule_words, severity_words, waiver_words

MOST_EVIDENCE = 40  # lines in one cell of the matrix
Value = str | int | float | None
Column = tuple[str, int]  # head, width in characters

VERDICT_COLUMNS: tuple[Column, ...] = (
    ("Clause", 10), ("Law", 16), ("What the map must have", 34), ("Citation", 20), ("Outcome", 22),
    ("Findings", 14), ("Evidence", 70), ("A person confirms", 44),
)  # fmt: skip
FINDING_COLUMNS: tuple[Column, ...] = (
    ("No.", 6), ("Severity", 12), ("Rule", 9), ("Fault", 24), ("Citation", 22),
    ("What is wrong", 56), ("Measured", 16), ("Allowed", 16), ("To fix", 48), ("Cell", 7),
    ("Sheet", 7), ("Layer role", 18), ("File", 26), ("Layer", 16), ("Record", 8),
    ("Your id", 14), ("Field", 14), ("E (ft)", 14), ("N (ft)", 14), ("Latitude", 12),
    ("Longitude", 12), ("Follows from", 30), ("Waived", 34), ("Fingerprint", 19),
)  # fmt: skip
CAUSE_COLUMNS: tuple[Column, ...] = (
    ("Step", 6), ("What to put right", 60), ("Findings", 10), ("Its own", 30),
    ("Go away with it", 40), ("Rules that could not judge", 30),
)  # fmt: skip
CONFIRM_COLUMNS: tuple[Column, ...] = (
    ("Clause", 10), ("Citation", 20), ("What to look at", 80), ("Where", 34), ("Rule", 9),
    ("Confirmed (yes / no)", 14), ("By", 18), ("Date", 12), ("Remarks", 34),
)  # fmt: skip
UNJUDGED_COLUMNS: tuple[Column, ...] = (
    ("Rule", 9), ("What it looks for", 36), ("Outcome", 18), ("Why", 90), ("Clauses", 24),
)  # fmt: skip
PROVENANCE_COLUMNS: tuple[Column, ...] = (("What", 24), ("Which", 60), ("How", 90))


def matrix_row(line: ClauseLine, numbers: dict[int, int]) -> list[Value]:
    """One clause of the matrix; numbers gives each finding's number by id()."""
    clause = line.clause
    evidence = list(line.evidence)
    if len(evidence) > MOST_EVIDENCE:
        evidence = [*evidence[:MOST_EVIDENCE], f"and {len(evidence) - MOST_EVIDENCE} more"]
    return [
        clause.label,
        line.ordinance,
        clause.title,
        clause.citation,
        line.words,
        number_words([numbers[id(f)] for f in line.findings]),
        "\n".join(plain(words) for words in evidence),
        "\n".join(plain(item.question) for item in line.confirmations),
    ]


def finding_row(number: int, finding: Finding, cause: str | None) -> list[Value]:
    """One finding; places in feet and degrees as numbers."""
    source = finding.source
    place = finding.place or Place(math.nan, math.nan)
    return [
        number,
        severity_words(finding),
        finding.rule,
        rule_words(finding.rule_name),
        "; ".join(finding.citations),
        finding.message,
        str(finding.measured or ""),
        str(finding.limit or ""),
        finding.how_to_fix,
        place.cell,
        place.sheet,
        finding.role,
        source.file,
        source.layer,
        source.feature,
        source.user_id,
        finding.field_name,
        _or_none(place.x_ft),
        _or_none(place.y_ft),
        _or_none(place.lat),
        _or_none(place.lon),
        cause,
        waiver_words(finding),
        finding.fingerprint,
    ]


def _or_none(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def cause_rows(checked: CheckedSite) -> list[list[Value]]:
    """One row per cause, in the shortest way to compliance."""
    numbers = {id(f): n for n, f in enumerate(checked.findings, start=1)}
    return [
        [
            step,
            cause.words,
            cause.number,
            number_words([numbers[id(f)] for f in cause.findings]),
            number_words([numbers[id(f)] for f in cause.explains]),
            ", ".join(cause.waiting),
        ]
        for step, cause in enumerate(checked.causes, start=1)
    ]


def question_rows(checked: CheckedSite) -> list[list[Value]]:
    """One row per question, with empty cells for the answer."""
    packs = {pack.id: pack for pack in checked.ordinances}
    rows: list[list[Value]] = []
    for item in checked.confirmations:
        clause = packs.get(item.ordinance, checked.ordinance).by_id.get(item.clause)
        label = clause.label if clause else item.clause
        citation = clause.citation if clause else ""
        where = str(item.place) if item.place else ""
        rows.append([label, citation, item.question, where, item.rule, "", "", "", ""])
    return rows


def unjudged_rows(checked: CheckedSite) -> list[list[Value]]:
    """Rules that could not run, were skipped, judged in part, or do not apply, and why."""
    order = (Status.FAILED, Status.SKIPPED, Status.FOUND, Status.NOT_APPLICABLE)
    return [
        [
            outcome.rule,
            rule_words(outcome.rule_name),
            "judged in part" if status is Status.FOUND else status.value,
            outcome.why,
            ", ".join(outcome.clauses),
        ]
        for status in order
        for outcome in checked.with_status(status)
        if outcome.why
    ]
