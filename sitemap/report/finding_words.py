"""What one finding is about, in words for the text report: related features, laws."""

from __future__ import annotations

from sitemap.finding import Finding
from sitemap.report.citations import joined_citations
from sitemap.report.words import SEVERITY_WORDS

MOST_RELATED = 3


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
