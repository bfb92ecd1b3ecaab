"""WVR003: a waiver that lets nothing stand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from sitemap.finding import Severity
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, Skip, rule
from sitemap.waivers import Waivers, WaiverUse


@rule("WVR003", clauses=("map",), severity=Severity.WARNING)
def waiver_unused(waivers: Waivers, now: dt.date) -> Iterator[Said]:
    """The map has a waiver that lets nothing stand.

    Why
        A waiver without a fault is left over from an earlier drawing, or is about another rule,
        finding or place than its author thought; then the fault it was meant for still counts.

    How it is measured
        Each [[waivers]] of site.toml that is about no finding of this run, whether it is in force
        or over, and each that is dated after the day of the run (--now) and so lets nothing stand
        yet. A finding without a place, or one that lies partly outside, is not inside an area.

    When it does not apply
        Where a rule that the waiver is about said nothing in this run, because it was left out
        (--ignore), waits for another or could not run: nothing can be said of its use.

    How to fix
        Take the waiver out of site.toml, or correct its rule, fingerprint (`-f json` gives that
        of every finding), area or date.

    References
        § 162-11B(4).
    """
    if not waivers.uses:
        yield NotApplicable("site.toml has no waivers")
        return
    judged = 0
    for use in waivers.uses:
        early = use.state(now) == "not yet in force"
        judged += use.judged or early
        if early:
            yield _fault(use, f"is dated after {now}, the day of the run: it does not count yet")
        elif use.judged and not use.findings:
            over = f"; it expired on {use.entry.expires}" if use.state(now) == "expired" else ""
            yield _fault(use, f"is about no finding of this run{over}")
    yield Checked(f"{judged} waivers of site.toml", judged)
    if judged < len(waivers.uses):
        yield Skip(
            f"{len(waivers.uses) - judged} of {len(waivers.uses)} waivers are about rules that "
            "said nothing in this run"
        )


def _fault(use: WaiverUse, words: str) -> Fault:
    entry = use.entry
    return Fault(
        f"{use.words} {words}",
        "take it out of site.toml, or correct its rule, fingerprint, area or date",
        distinct=f"{entry.about}|{entry.authority}|{entry.date}|{entry.area}",
    )
