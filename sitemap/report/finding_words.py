"""What one finding is about, in words: place, facts, related features, laws."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Finding, Place
from sitemap.report.citations import joined_citations
from sitemap.report.words import SEVERITY_WORDS, rule_words

MOST_RELATED = 3


def place_words(place: Place | None) -> str:
    """Cell, sheet, site coordinates in feet and degrees, as a person can type them elsewhere."""
    if place is None:
        return ""
    sheet = f"sheet {place.sheet}, " if place.sheet else ""
    if place.lat is None or place.lon is None:
        return f"{sheet}{place}"
    north, east = "N" if place.lat >= 0 else "S", "E" if place.lon >= 0 else "W"
    degrees = f"{abs(place.lat):.6f} {north}, {abs(place.lon):.6f} {east}"
    return f"{sheet}{place} ft ({degrees})"


def finding_facts(finding: Finding) -> Iterator[tuple[str, str]]:
    """What stands beside a finding's message: labels and words, empty ones left out."""
    facts = (
        ("Measured", finding.measured),
        ("Allowed", finding.limit),
        ("Place", place_words(finding.place)),
        ("Source", finding.source),
        ("Layer", "" if finding.source.file else rule_words(finding.role or "")),
        ("Field", finding.field_name),
        ("Together with", "; ".join(str(source) for source in finding.related[:6])),
        ("To fix", finding.how_to_fix),
        (finding.waiver.status.capitalize() if finding.waiver else "Waived", finding.waiver),
    )
    for label, value in facts:
        if value is not None and str(value):
            yield label, str(value)


def related_words(finding: Finding) -> str:
    """The other features of a fault; what the cap cuts is counted."""
    words = "; ".join(str(source) for source in finding.related[:MOST_RELATED])
    left = len(finding.related) - MOST_RELATED
    return f"{words}; and {left:,} more: see the JSON" if left > 0 else words


def law_words(finding: Finding) -> str:
    """Each law that the fault breaks, with its own limit where they differ; empty for one law."""
    if len(finding.breaches) < 2:
        return ""
    words = []
    differ = len({breach.limit for breach in finding.breaches}) > 1
    for breach in finding.breaches:
        own = [str(breach.limit)] if breach.limit and differ else []
        if breach.severity is not finding.severity:
            own.append(SEVERITY_WORDS[breach.severity])
        if breach.waiver is not None and finding.waiver is None:
            own.append(f"{breach.waiver.status}: {breach.waiver}")
        more = f" ({'; '.join(own)})" if own else ""
        words.append(f"{joined_citations(breach.citations)}{more}")
    return "; ".join(words)
