"""WVR002: a waiver that ends within thirty days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from sitemap.finding import Limit, Quantity, Severity
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.waivers import Waivers

SOON_DAYS = 30


@rule("WVR002", clauses=("map",), severity=Severity.WARNING)
def waiver_expires_soon(waivers: Waivers, now: dt.date) -> Iterator[Said]:
    """The map has a waiver that ends within thirty days.

    Why
        A new waiver takes an authority some weeks. Who learns of the end on the day after stands
        with a site that does not comply.

    How it is measured
        Each [[waivers]] of site.toml that is in force on the day of the run (--now), lets a
        finding stand and has its last day (expires) at most 30 days after that day.

    When it does not apply
        To a waiver without a last day, one that is over (WVR001), and one that lets nothing stand
        (WVR003).

    How to fix
        Put the fault right before that day, or ask the authority for an extension now.

    References
        § 162-11B(4); thirty days are this program's, not the law's.
    """
    if not waivers.uses:
        yield NotApplicable("site.toml has no waivers")
        return
    for use in waivers.uses:
        ends = use.entry.expires
        if ends is None or use.state(now) != "in force" or not use.findings:
            continue
        days = (ends - now).days
        if days <= SOON_DAYS:
            when = "today" if days == 0 else f"in {days} day{'s' if days > 1 else ''}"
            yield Fault(
                f"{use.words} ends on {ends}, {when}",
                "put the fault right before that day, or ask the authority for an extension",
                measured=Quantity(days, "days left"),
                limit=Limit(SOON_DAYS, "days left", ">"),
                distinct=f"{use.entry.about}|{use.entry.authority}|{use.entry.date}",
            )
    yield Checked(f"{len(waivers.uses)} waivers of site.toml", len(waivers.uses))
