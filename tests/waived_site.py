"""A site that states too many acres (BND002), with waivers, judged by that rule and one other."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

from sitemap.check import check_site
from sitemap.checked import CheckedSite
from sitemap.finding import Finding, Outcome
from sitemap.project import WaiverEntry
from sitemap.rules.rule import Rule
from sitemap.rules.stated_acres_disagree import stated_acres_disagree
from sitemap.site import Site
from tests.clean_site import clean_site, the_ordinance, with_facts

GRANTED = dt.date(2026, 5, 4)
DAY = dt.timedelta(days=1)


def too_many_acres() -> Site:
    """11.02 acres are drawn, 12.5 stated: one finding of BND002 and no other."""
    return with_facts(clean_site(), site_acres=12.5)


def waiver(**more: Any) -> WaiverEntry:
    given = {"reason": "resurvey under way", "authority": "City Engineer", "date": GRANTED}
    return WaiverEntry.model_validate({"rule": "BND002", **given, **more})


def judged(
    rule: Rule, *waivers: WaiverEntry, now: dt.date = GRANTED, of: Site | None = None, **more: Any
) -> CheckedSite:
    """The check of BND002 and of a rule over waivers, on a day."""
    site = of if of is not None else too_many_acres()
    with_them = replace(site, project=site.project.model_copy(update={"waivers": waivers}))
    rules = (stated_acres_disagree, rule)
    return check_site(with_them, the_ordinance(), now=now, rules=rules, **more)


def outcome(checked: CheckedSite, code: str) -> Outcome:
    return next(o for o in checked.outcomes if o.rule == code)


def acres(checked: CheckedSite) -> Finding:
    """The finding of BND002."""
    (finding,) = outcome(checked, "BND002").findings
    return finding
