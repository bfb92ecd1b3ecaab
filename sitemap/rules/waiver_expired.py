"""WVR001: a waiver that is over, while what it waived is still there."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from sitemap.finding import Limit, Quantity
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.waivers import Waivers


@rule("WVR001", clauses=("map",))
def waiver_expired(waivers: Waivers, now: dt.date) -> Iterator[Said]:
    """The map has a waiver whose last day is past, and still has the fault that it waived.

    Why
        A waiver holds to the day that the authority wrote into it. After that day the fault is a
        fault again, and nobody should learn of it only from a verdict that has changed.

    How it is measured
        Each [[waivers]] of site.toml whose last day (expires) lies before the day of the run, as
        given by --now, and which is about at least one finding of this run. That day itself still
        counts. The findings that it waived count again, for the verdict and for the exit code.

    When it does not apply
        To a waiver without a last day, and to an expired one that is about nothing any more
        (WVR003).

    How to fix
        Put the fault right, or ask the authority for a new waiver and write its date and last day
        into site.toml.

    References
        § 162-11B(4); a waiver is an act of the authority, so its own last day rules.
    """
    if not waivers.uses:
        yield NotApplicable("site.toml has no waivers")
        return
    for use in waivers.uses:
        ends = use.entry.expires
        if ends is None or use.state(now) != "expired" or not use.findings:
            continue
        days = (now - ends).days
        rules = ", ".join(dict.fromkeys(f.rule for f in use.findings))
        yield Fault(
            f"{use.words} expired on {ends}; what it waived counts again: {rules}, "
            f"{len(use.findings)} in all",
            "put the fault right, or enter a new waiver with its date and last day",
            measured=Quantity(days, "days over"),
            limit=Limit(0, "days over"),
            distinct=f"{use.entry.about}|{use.entry.authority}|{use.entry.date}",
        )
    yield Checked(f"{len(waivers.uses)} waivers of site.toml", len(waivers.uses))
