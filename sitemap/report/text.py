"""The check as text: verdict, clause matrix, causes, findings, questions, what was skipped.

Plain and aligned in a file, a pipe or a log; colours and a rich table on a terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, TypeGuard

from sitemap.checked import CheckedSite, ClauseLine, Judgement, count_words, plural
from sitemap.finding import Finding, Outcome, Severity, Status, Verdict
from sitemap.manifest import manifest_of
from sitemap.ordinance import Ordinance
from sitemap.report.causes import shortest_way
from sitemap.report.citations import joined_citations
from sitemap.report.finding_words import law_words, place_words, related_words
from sitemap.report.page import PLAIN_WIDTH, Cell, Page, clean, printable
from sitemap.report.provenance import reference_rows
from sitemap.report.words import SEVERITY_WORDS
from sitemap.version import VERSION

if TYPE_CHECKING:
    from rich.console import Console

MOST_OF_ONE_RULE = 10  # findings of one rule under one clause; the rest is counted, JSON has all
MOST_EVIDENCE = 7  # pieces of evidence in one row of the matrix; JSON has all
STYLES = {
    Verdict.COMPLIES: "bold green",
    Verdict.COMPLIES_IF_CONFIRMED: "bold blue",
    Verdict.DOES_NOT_COMPLY: "bold red",
    Verdict.NOT_JUDGED: "bold yellow",
    Status.PASSED: "green",
    Status.FOUND: "bold red",
    Status.NEEDS_PERSON: "blue",
    Status.NOT_APPLICABLE: "dim",
    Status.SKIPPED: "yellow",
    Status.FAILED: "bold yellow",
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFO: "cyan",
}


def write_text(checked: CheckedSite, out: IO[str] | Console | None = None) -> None:
    """Print the check to a stream or console (default: stdout), as fits what is at its end."""
    out = out or sys.stdout
    if _is_plainly_a_file(out):
        out.write(printable(to_text(checked), out))
        return
    from rich.console import Console

    console = out if isinstance(out, Console) else Console(file=out, highlight=False)
    if console.is_terminal:
        _page(checked, min(max(console.width, 60), 140)).show(console)
        return
    console.file.write(printable(to_text(checked), console.file))


def _is_plainly_a_file(out: IO[str] | Console | None) -> TypeGuard[IO[str]]:
    """No terminal, and nobody says that it takes colours: rich is not loaded to find that out."""
    is_terminal = getattr(out, "isatty", None)  # a Console has none
    told = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE")
    return is_terminal is not None and not told and not is_terminal()


def to_text(checked: CheckedSite, width: int = PLAIN_WIDTH) -> str:
    """The whole check as plain text, `width` characters wide."""
    return _page(checked, width).to_plain()


def _page(checked: CheckedSite, width: int) -> Page:
    page = Page(width)
    _verdict(page, checked)
    for judgement in checked.judgements:
        _matrix(page, checked, judgement)
    shortest_way(page, checked)
    _findings(page, checked)
    _confirmations(page, checked)
    _decided(page, checked)
    _skipped(page, checked)
    _measured_by(page, checked)
    return page


def _verdict(page: Page, checked: CheckedSite) -> None:
    page.line((checked.verdict_words.upper(), STYLES[checked.verdict]))
    several = len(checked.judgements) > 1
    for judgement in checked.judgements:
        pack, verdict = judgement.ordinance, judgement.verdict
        lead = (f"{verdict.value}: ", STYLES[verdict]) if several else ""
        page.paragraph(lead, f"{pack.title}, {pack.jurisdiction}", hang=2 if several else 0)
    page.paragraph("", f"{checked.site.name} · {checked.site.submission} · {checked.now}")
    unable = [o for o in checked.with_status(Status.SKIPPED, Status.FAILED) if not o.ignored_by]
    counts = [
        count_words(checked.findings) or "no findings",
        f"{plural(len(checked.confirmations), 'item')} for a person to confirm",
        f"{plural(len(unable), 'rule')} of {len(checked.outcomes)} could not judge",
    ]
    page.line(" · ".join(counts))
    for why, outcomes in checked.ignored.items():
        page.paragraph("", f"{why}: {plural(len(outcomes), 'rule')}, not judged")


def _matrix(page: Page, checked: CheckedSite, judgement: Judgement) -> None:
    numbers = {id(f): number for number, f in enumerate(checked.findings, start=1)}
    title = 22 if page.width < 90 else 27
    law = f": {judgement.ordinance.id}" if len(checked.judgements) > 1 else ""
    page.heading(f"THE MAP, CLAUSE BY CLAUSE{law}")
    heads = ("clause", "what the map must have", "outcome", "evidence")
    rows = [_row(line, numbers) for line in judgement.clauses if line.clause.on_map]
    page.grid(heads, (8, title, 16), rows)
    beside = [line for line in judgement.clauses if not line.clause.on_map]
    judged = [line for line in beside if line.status is not Status.NEEDS_PERSON or line.findings]
    judged += [line for line in beside if line.confirmations and line not in judged]
    if judged:
        page.heading(f"BESIDE THE MAP{law}")
        heads = ("clause", "what the plan must have", "outcome", "evidence")
        page.grid(heads, (8, title, 16), [_row(line, numbers) for line in judged])
    rest = [line.clause for line in beside if line not in judged]
    if rest:
        page.line()
        where = joined_citations(clause.citation for clause in rest)
        words = f"{where}. sitemap ordinance {judgement.ordinance.id} prints their words."
        page.paragraph("A person decides from the written plan, not counted here: ", words, hang=2)


def _row(line: ClauseLine, numbers: dict[int, int]) -> tuple[Cell, ...]:
    style = STYLES[line.status]
    evidence = list(line.evidence)
    if len(evidence) > MOST_EVIDENCE:
        left = len(evidence) - MOST_EVIDENCE
        evidence = [*evidence[:MOST_EVIDENCE], f"and {left} more: see the JSON"]
    own = [numbers[id(f)] for f in line.findings]
    if own:
        several = "s" if len(own) > 1 else ""
        evidence.insert(0, f"see finding{several} {number_words(own)}")
    return (
        ((line.clause.label, "bold"),),
        ((line.clause.title, ""),),
        ((line.words, style),),
        tuple((clean(words), "") for words in evidence),
    )


def number_words(numbers: list[int]) -> str:
    """'2, 3, 5 to 9': runs of three and more together."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(str(n) for n in run) for run in runs
    )


def _findings(page: Page, checked: CheckedSite) -> None:
    if not checked.findings:
        return
    page.heading("FINDINGS, BY CLAUSE")
    number = 0
    for line, group in checked.by_clause:
        _clause_title(page, line)
        shown: dict[str, int] = {}
        for finding in group:
            number += 1
            shown[finding.rule] = shown.get(finding.rule, 0) + 1
            if shown[finding.rule] <= MOST_OF_ONE_RULE:
                _finding(page, number, finding)
        for code, count in shown.items():
            if count > MOST_OF_ONE_RULE:
                left = count - MOST_OF_ONE_RULE
                page.line(f"     and {left:,} more of {code}; all of them are in -f json")
        page.line()


def _clause_title(page: Page, line: ClauseLine | None) -> None:
    if line is None:
        page.line(("No clause of the pack", "bold"))
        return
    clause = line.clause
    page.line((f"{clause.label} {clause.title}", "bold"), (f"   {clause.citation}", "dim"))


def _finding(page: Page, number: int, finding: Finding) -> None:
    severity = SEVERITY_WORDS[finding.severity] + (
        f" ({finding.waiver.status})" if finding.waiver else ""
    )
    page.paragraph(
        (
            f"{number:>3}  {severity} {finding.rule}  ",
            STYLES[finding.severity] if finding.counts else "dim",
        ),
        finding.message,
        hang=5,
    )
    facts = [
        ("measured", str(finding.measured or "")),
        ("allowed", str(finding.limit or "")),
        ("place", place_words(finding.place)),
        ("source", str(finding.source)),
        ("layer", "" if finding.source.file else (finding.role or "")),
        ("field", finding.field_name or ""),
        ("with", related_words(finding)),
        ("breaks", law_words(finding)),
        ("waived" if _is_waived(finding) else "decided", str(finding.waiver or "")),
        ("to fix", finding.how_to_fix),
    ]
    if finding.measured and finding.limit:
        facts[:2] = [("measured", f"{finding.measured}   allowed: {finding.limit}")]
    for label, words in facts:
        if words:
            page.paragraph((f"{label:<10}", "dim"), words, indent=5, hang=10)


def _is_waived(finding: Finding) -> bool:
    return finding.waiver is not None and finding.waiver.status == "waived"


def _confirmations(page: Page, checked: CheckedSite) -> None:
    if not checked.confirmations:
        return
    page.heading("A PERSON CONFIRMS")
    packs = {pack.id: pack for pack in checked.ordinances}
    for item in checked.confirmations:
        pack = packs.get(item.ordinance, checked.ordinance)
        clause = pack.by_id.get(item.clause)
        label = clause.label if clause else item.clause
        where = f" [{place_words(item.place)}]" if item.place else ""
        by = f" ({item.rule})" if item.rule else ""
        laws = f" [{', '.join((pack.id, *item.also))}]" if len(packs) > 1 else ""
        page.paragraph((f"[ ] {label:<9}", "bold"), f"{item.question}{by}{where}{laws}", hang=13)


def _decided(page: Page, checked: CheckedSite) -> None:
    """What the reviewer decided, and whether this run still knows what it is about."""
    if checked.decisions is None or not checked.decisions.decisions:
        return
    page.heading("DECIDED BY A PERSON")
    numbers = {f.fingerprint: number for number, f in enumerate(checked.findings, start=1)}
    clauses = {line.clause.id for line in checked.clauses}
    for entry in checked.decisions.decisions:
        if entry.clause is not None:
            about = f"clause {entry.clause}"
            about += "" if entry.clause in clauses else ", which no law of this run has"
        elif entry.finding in numbers:
            about = f"finding {numbers[entry.finding]}"
        else:
            about = f"{entry.finding}, which this run did not find"
        page.paragraph((f"{clean(about)}: ", "bold"), entry.words, hang=4)


def _skipped(page: Page, checked: CheckedSite) -> None:
    groups = (
        ("could not run", checked.with_status(Status.FAILED)),
        ("not judged", _not_ignored(checked, Status.SKIPPED)),
        ("judged in part", [o for o in checked.with_status(Status.FOUND) if o.why]),
        ("not applicable", _not_ignored(checked, Status.NOT_APPLICABLE)),
    )
    if not checked.ignored and not any(outcomes for _, outcomes in groups):
        return
    page.heading("WHAT WAS NOT JUDGED, AND WHY")
    for why, left_out in checked.ignored.items():
        codes = ", ".join(outcome.rule for outcome in left_out)
        words = f"{plural(len(left_out), 'rule')}, not judged: {codes}"
        page.paragraph((f"{why}: ", "yellow"), words, hang=16)
    for title, outcomes in groups:
        for why, rules in _by_reason(outcomes).items():
            names = ", ".join(f"{rule.rule} {rule.rule_name.replace('_', ' ')}" for rule in rules)
            page.paragraph((f"{title:<16}", "yellow"), f"{names}: {why}", hang=16)


def _not_ignored(checked: CheckedSite, status: Status) -> list[Outcome]:
    return [outcome for outcome in checked.with_status(status) if not outcome.ignored_by]


def _by_reason(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    reasons: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        reasons.setdefault(outcome.why, []).append(outcome)
    return reasons


def _measured_by(page: Page, checked: CheckedSite) -> None:
    site = checked.site
    page.heading("MEASURED BY")
    facts = [("map CRS", f"{site.crs_name}: {site.crs_reason}")]
    accounts: dict[str, list[str]] = {}
    for file, account in site.transformations.items():
        accounts.setdefault(str(account), []).append(file)
    facts += [("brought in", f"{', '.join(files)}: {text}") for text, files in accounts.items()]
    if checked.plate is not None:
        facts.append(("plate", checked.plate.path))
        facts += [("", trouble) for trouble in checked.plate.trouble]
    tolerances = dict.fromkeys(_tolerances(pack) for pack in checked.ordinances)
    facts += [("tolerances", words) for words in tolerances]
    for pack in checked.ordinances:
        base = f", based on {pack.based_on}" if pack.based_on else ""
        facts.append(("pack", f"{pack.id} version {pack.version} ({pack.digest}){base}"))
    facts.append(("program", f"sitemap {VERSION}, run for {checked.now}"))
    facts += [(kind, f"{what}: {how}") for kind, what, how in reference_rows(site.reference)]
    evidence = manifest_of(checked)
    facts.append(
        (
            "evidence",
            f"manifest {evidence['digest'][:16]} with the sha256 of "
            f"{plural(len(evidence['inputs']), 'input file')}, in -f json; "
            "sitemap check --verify FILE.json runs it again and says what differs",
        )
    )
    for label, words in facts:
        page.paragraph((f"{label:<12}", "dim"), words, hang=12)


def _tolerances(pack: Ordinance) -> str:
    words = "; ".join(
        f"{name.removesuffix('_pct').replace('_', ' ')} {limit.value:g} {limit.unit}"
        for name, limit in pack.tolerances.items()
    )
    return words.replace(" pct", " %")
