"""The shortest way to compliance, as text: what to put right first, and what goes away with it."""

from __future__ import annotations

from sitemap.checked import Cause, CheckedSite, plural
from sitemap.finding import Severity
from sitemap.report.page import Page

MOST_CAUSES = 12  # the rest is counted; the JSON has all


def shortest_way(page: Page, checked: CheckedSite) -> None:
    """The causes with an error, those that explain most first; nothing where there is no error."""
    wanted = [cause for cause in checked.causes if cause.severity is Severity.ERROR]
    if not wanted:
        return
    total = sum(finding.counts for finding in checked.findings)
    numbers = {id(f): number for number, f in enumerate(checked.findings, start=1)}
    page.heading("SHORTEST WAY TO COMPLIANCE")
    for place, cause in enumerate(wanted[:MOST_CAUSES], start=1):
        lead = f"{place:>3}  {cause.rule}  "
        page.paragraph((lead, "bold"), cause_words(cause, total), hang=5)
        first = min(numbers[id(f)] for f in cause.findings)
        remedy = cause.findings[0].how_to_fix
        page.paragraph(("to fix    ", "dim"), f"{remedy} (finding {first})", indent=5, hang=10)
    left = len(wanted) - MOST_CAUSES
    if left > 0:
        page.line(f"     and {left:,} more: see the JSON")
    lesser = len(checked.causes) - len(wanted)
    if lesser:
        page.line(f"     then {plural(lesser, 'cause')} of warnings and notes only")


def cause_words(cause: Cause, total: int) -> str:
    """'layer far from boundary: wetlands.shp explains 41 of 57 findings; 3 rules wait for it'."""
    share = f"{cause.number:,} of {plural(total, 'finding')}"
    does = " explains" if cause.explains else ":"
    waiting = ""
    if cause.waiting:
        verb_of = "waits" if len(cause.waiting) == 1 else "wait"
        waiting = f"; {plural(len(cause.waiting), 'rule')} {verb_of} for it"
    return f"{cause.words}{does} {share}{waiting}"
