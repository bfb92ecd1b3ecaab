"""Site + Ordinances -> CheckedSite: every rule under every pack, joined, with its causes.

One rule in isolation is hearing.py, one pack is judging.py, several are joined in joining.py; the
clause matrix and the verdict are matrix.py, what explains what is causes.py.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sitemap.causes import causes_of
from sitemap.checked import CheckedSite, ClauseLine, Judgement
from sitemap.finding import Finding, Outcome, Status
from sitemap.joining import joined_findings, joined_outcome, joined_verdict
from sitemap.judging import Run, UnderPack
from sitemap.matrix import clause_lines, verdict_of
from sitemap.measured_plate import MeasuredPlate
from sitemap.ordinance import Ordinance
from sitemap.places import Places
from sitemap.rules.rule import Rule
from sitemap.selection import Selection, selection
from sitemap.site import Site
from sitemap.waivers import Waivers, matched, waivers_of

if TYPE_CHECKING:
    from sitemap.decisions import Decisions

OVER_WAIVERS = "waivers"  # rules that ask for this judge the waivers, after all others


@np.errstate(all="ignore")  # wild coordinates overflow: rules name them, no library need warn
def check_site(
    site: Site,
    ordinance: Ordinance | Sequence[Ordinance],
    *,
    plate: MeasuredPlate | None = None,
    now: dt.date | None = None,
    rules: tuple[Rule, ...] | None = None,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    decisions: Decisions | None = None,
) -> CheckedSite:
    """Judge a site by one law or several, with its finished plate when there is one.

    Never raises for what is wrong with a site or a rule; now defaults to today, rules to all.
    select and ignore (codes or prefixes) take the place of those of site.toml; UsageError for one
    that no rule has. decisions are what a reviewer said of an earlier run; what they close stays
    in the check and does not count. ValueError without an ordinance, or with two of one id.
    """
    if rules is None:
        from sitemap.rules import RULES

        rules = RULES
    packs = _packs(ordinance)
    wishes = site.project.check
    codes = [rule.code for rule in rules]
    chosen = selection(select, ignore, (wishes.select, wishes.ignore), codes)
    run = Run(site, plate, now or dt.date.today(), Places(site, plate), chosen)
    under = tuple(UnderPack(run, pack) for pack in packs)
    needed = _needed(rules, chosen)
    first = [rule for rule in rules if OVER_WAIVERS not in rule.arguments]
    _judge(under, first, needed, None)
    waivers = _waivers(run, under, first)
    last = [rule for rule in rules if OVER_WAIVERS in rule.arguments]
    _judge(under, last, needed, waivers)
    if decisions is not None:
        for pack in under:
            for code, outcome in pack.done.items():
                found = decisions.apply(outcome.findings, pack.ordinance.id)
                pack.done[code] = replace(outcome, findings=found)
    return _joined(run, under, rules, waivers, decisions)


def in_running_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules so that each comes after those it names; otherwise in the given order.

    ValueError when rules wait for each other in a circle.
    """
    waiting = list(rules)
    codes = {rule.code for rule in waiting}
    ordered: list[Rule] = []
    while waiting:
        ready = {rule.code for rule in ordered}
        free = (r for r in waiting if all(a in ready for a in r.after if a in codes))
        following = next(free, None)
        if following is None:
            names = ", ".join(rule.code for rule in waiting)
            raise ValueError(f"these rules wait for each other in a circle: {names}")
        ordered.append(following)
        waiting.remove(following)
    return tuple(ordered)


def _packs(ordinance: Ordinance | Sequence[Ordinance]) -> tuple[Ordinance, ...]:
    packs = (ordinance,) if isinstance(ordinance, Ordinance) else tuple(ordinance)
    ids = [pack.id for pack in packs]
    if not packs or len(set(ids)) < len(ids):
        raise ValueError(f"give at least one ordinance, and each once: {', '.join(ids) or 'none'}")
    return packs


def _needed(rules: Iterable[Rule], chosen: Selection) -> set[str]:
    """The rules that are judged, and those for which they wait."""
    by_code = {rule.code: rule for rule in rules}
    needed: set[str] = set()
    queue = [code for code in by_code if not chosen.left_out_by(code)]
    while queue:
        code = queue.pop()
        if code in by_code and code not in needed:
            needed.add(code)
            queue += by_code[code].after
    return needed


def _judge(
    under: Iterable[UnderPack], rules: list[Rule], needed: set[str], waivers: Waivers | None
) -> None:
    ordered = in_running_order(rules)
    for pack in under:
        for rule in ordered:
            pack.judge(rule, waivers, needed=rule.code in needed)


def _waivers(run: Run, under: Sequence[UnderPack], rules: Iterable[Rule]) -> Waivers:
    """The waivers of the site on what was found; put upon the findings of every pack."""
    uses = waivers_of(run.site)
    if not uses:
        return Waivers()
    reported = [(p, p.outcome(rule)) for p in under for rule in rules]
    silent = (Status.SKIPPED, Status.FAILED)
    unjudged = [outcome.rule for _, outcome in reported if outcome.status in silent]
    found = [(p.ordinance.id, f) for p, outcome in reported for f in outcome.findings]
    waivers = matched(uses, found, unjudged, run.now)
    for pack in under:
        for code, outcome in pack.done.items():
            pack.done[code] = replace(outcome, findings=waivers.apply(outcome.findings))
    return waivers


def _joined(
    run: Run,
    under: Sequence[UnderPack],
    rules: Sequence[Rule],
    waivers: Waivers,
    decisions: Decisions | None,
) -> CheckedSite:
    one: dict[int, Finding] = {}
    outcomes: list[Outcome] = []
    for rule in rules:
        said = [(pack.ordinance.id, pack.outcome(rule)) for pack in under]
        one.update(joined_findings([outcome for _, outcome in said]))
        outcomes.append(joined_outcome(said, one))
    judgements = tuple(_judgement(run, pack, rules, one, decisions) for pack in under)
    lines = tuple(line for judgement in judgements for line in judgement.clauses)
    checked = CheckedSite(
        run.site,
        under[0].ordinance,
        tuple(outcomes),
        lines,
        joined_verdict(judgement.verdict for judgement in judgements),
        run.now,
        run.plate,
        judgements,
        waivers=waivers.uses,
        decisions=decisions,
    )
    return replace(checked, causes=causes_of(checked, rules))


def _judgement(
    run: Run,
    pack: UnderPack,
    rules: Iterable[Rule],
    one: dict[int, Finding],
    decisions: Decisions | None,
) -> Judgement:
    """The matrix and verdict of one pack, by its own severities; then with the joined findings."""
    outcomes = tuple(pack.outcome(rule) for rule in rules)
    lines = clause_lines(run.site, pack.ordinance, outcomes, decisions)
    verdict = verdict_of(lines, outcomes)
    shown = tuple(_with_joined(line, one) for line in lines)
    told = tuple(replace(o, findings=tuple(one[id(f)] for f in o.findings)) for o in outcomes)
    return Judgement(pack.ordinance, told, shown, verdict)


def _with_joined(line: ClauseLine, one: dict[int, Finding]) -> ClauseLine:
    return replace(line, findings=tuple(one[id(f)] for f in line.findings))
