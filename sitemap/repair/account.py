"""The account of a repair: what changed on each feature, what was refused, what became of findings.

Text for people, a dict for programs; both say the same. No path of a machine stands in them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from shapely.geometry import mapping

from sitemap.checked import CheckedSite, plural
from sitemap.finding import Finding
from sitemap.repair.changes import KINDS, Change, Proposal, Repairs
from sitemap.repair.compare import Comparison, by_rule
from sitemap.repair.quantities import LEGAL_ROLES, LegalQuantities
from sitemap.version import VERSION

SHOWN = 25  # changes of one kind or findings of one rule that the text lists; JSON has all
NEW_SITE_TOML = (
    "The copy has a site.toml, which the original had not: rules that hang on the scale (SCL, "
    "GEO006) are judged\nthere at the scale at which its map fits the default sheet. That repairs "
    "nothing; state [plate] sheet and scale."
)


@dataclass(frozen=True, eq=False)
class Account:
    """All that one `sitemap fix` says. comparison is None where nothing was written (--diff)."""

    name: str
    now: dt.date
    unsafe: bool
    repairs: Repairs
    quantities: LegalQuantities
    further_unsafe: int = 0  # changes that --unsafe would make besides
    rounds: int = 0
    comparison: Comparison | None = None
    before: CheckedSite | None = None
    after: CheckedSite | None = None

    @property
    def is_clean(self) -> bool:
        """True unless the repair itself led to new findings."""
        return self.comparison is None or not self.comparison.new


def to_text(account: Account) -> str:
    """The account in lines; dry where nothing was written."""
    repairs = account.repairs
    verb = "would be made" if account.comparison is None else "made"
    lines = [f"Repair of {account.name}, {account.now}, sitemap {VERSION}", ""]
    lines += [f"{plural(len(repairs.made), 'change')} {verb}"]
    most = (
        SHOWN if account.comparison is not None else None
    )  # without a copy no file lists the rest
    lines += _changes(repairs.made, most)
    if repairs.refused:
        lines += ["", f"{plural(len(repairs.refused), 'repair')} refused"]
        lines += _changes(repairs.refused, most)
    if account.further_unsafe:
        count = plural(account.further_unsafe, "more repair")
        does = "it moves or rebuilds" if account.further_unsafe == 1 else "they move or rebuild"
        lines += ["", f"{count} possible with --unsafe: {does} geometry"]
    lines += _quantity_lines(account)
    if repairs.left_out:
        lines += ["", "Not in the copy"]
        lines += [f"  {words}" for words in repairs.left_out]
    if repairs.proposals:
        lines += ["", f"{plural(len(repairs.proposals), 'proposal')}, none of them in the data"]
        lines += _proposals(repairs.proposals)
    if account.comparison is not None:
        lines += _finding_lines(account, account.comparison)
    return "\n".join(lines) + "\n"


def _changes(changes: Sequence[Change], most: int | None) -> list[str]:
    """The changes by kind, of each the first `most`, the rest counted; None for all."""
    lines = []
    for kind, (safety, meaning) in KINDS.items():
        own = [change for change in changes if change.kind == kind]
        if not own:
            continue
        lines.append(f"  {kind} ({safety}; {meaning}): {len(own):,}")
        lines += [f"    {_change(change)}" for change in own[:most]]
        if most is not None and len(own) > most:
            lines.append(f"    and {len(own) - most:,} more; repairs.json lists all")
    return lines


def _change(change: Change) -> str:
    held = "; ".join(f"{name} {value}" for name, value in list(change.values.items())[:6])
    words = f"{change.source}: {change.words}" + (f" ({held})" if held else "")
    return f"{words}. REFUSED: {change.refused}" if change.refused else words


def _quantity_lines(account: Account) -> list[str]:
    rows = _quantities(account.quantities)
    if not rows:
        return []
    lines = ["", "Legal quantities"]
    for row in rows:
        if row["acres_before"] is None:
            lines.append(f"  {row['name']}: not measured, {row['not_measured']}")
            continue
        once = f"; counted once: {'; '.join(row['repeated'])}" if row["repeated"] else ""
        before, after = row["acres_before"], row["acres_after"]
        lines.append(f"  {row['name']}: {before:.4f} before, {after:.4f} after{once}")
    return lines


def _quantities(quantities: LegalQuantities) -> list[dict[str, Any]]:
    """One row per role; None for acres that cannot be measured."""
    rows: list[dict[str, Any]] = []
    for role, size in quantities.totals.items():
        known = role not in quantities.unmeasured
        after = size + quantities.spent.get(role, 0.0)
        rows.append(
            {
                "role": role,
                "name": LEGAL_ROLES[role],
                "acres_before": round(size, 6) if known else None,
                "acres_after": round(after, 6) if known else None,
                "repeated": quantities.repeated.get(role, []),
                "not_measured": quantities.unmeasured.get(role, ""),
            }
        )
    return rows


def _proposals(proposals: Sequence[Proposal]) -> list[str]:
    groups: dict[tuple[str, str], list[Proposal]] = {}
    for proposal in proposals:
        groups.setdefault((proposal.rule, proposal.role), []).append(proposal)
    lines = []
    for (rule, role), own in groups.items():
        lines.append(f"  {rule}, {role}: {len(own):,}")
        lines += [f"    {one.reason}" for one in own[:3]]
    return lines


def _finding_lines(account: Account, comparison: Comparison) -> list[str]:
    lines = ["", f"Checked again after {plural(account.rounds, 'round')}"]
    for name, findings in (
        ("went", comparison.gone),
        ("stayed", tuple(after for _, after in comparison.stayed)),
        ("that the copy does not show, still to be mended", comparison.left_out),
        ("came to light: it could not be judged before", comparison.revealed),
        ("NEW, caused by the repair", comparison.new),
    ):
        lines.append(f"  {plural(len(findings), 'finding')} {name}")
        for rule, own in by_rule(findings).items():
            lines.append(f"    {rule} {own[0].rule_name.replace('_', ' ')}: {len(own):,}")
    if account.before is not None and account.after is not None:
        was, now = account.before.verdict_words, account.after.verdict_words
        lines += ["", f"Verdict before: {was}", f"Verdict of the copy: {now}"]
        if account.before.site.project.path is None:
            lines.append(NEW_SITE_TOML)
    return lines


def to_dict(account: Account) -> dict[str, Any]:
    """The account for programs: repairs.json."""
    repairs, comparison = account.repairs, account.comparison
    content: dict[str, Any] = {
        "program": f"sitemap {VERSION}",
        "name": account.name,
        "date": account.now.isoformat(),
        "unsafe": account.unsafe,
        "rounds": account.rounds,
        "changes": [_change_dict(change) for change in repairs.made],
        "refused": [_change_dict(change) for change in repairs.refused],
        "further_unsafe": account.further_unsafe,
        "legal_quantities": _quantities(account.quantities),
        "not_in_the_copy": list(repairs.left_out),
        "proposals": [_proposal_dict(proposal) for proposal in repairs.proposals],
    }
    if comparison is not None:
        content["findings"] = {
            "went": _findings(comparison.gone),
            "stayed": _findings(after for _, after in comparison.stayed),
            "not_in_the_copy": _findings(comparison.left_out),
            "came_to_light": _findings(comparison.revealed),
            "new": _findings(comparison.new),
        }
    if account.before is not None and account.after is not None:
        content["verdict_before"] = account.before.verdict_words
        content["verdict"] = account.after.verdict_words
    return content


def _change_dict(change: Change) -> dict[str, Any]:
    source = change.source
    row: dict[str, Any] = {
        "kind": change.kind,
        "safety": change.safety,
        "role": change.role,
        "file": source.file,
        "layer": source.layer,
        "record": source.feature,
        "id": source.user_id,
        "words": change.words,
    }
    for name in ("acres_before", "acres_after"):
        value = getattr(change, name)
        if value is not None and value == value:  # noqa: PLR0124  # NaN is no JSON
            row[name] = round(value, 6)
    if change.refused:
        row["refused"] = change.refused
    if change.values:
        row["values"] = dict(change.values)
    return row


def _proposal_dict(proposal: Proposal) -> dict[str, Any]:
    return {
        "geometry_kind": "proposal",
        "rule": proposal.rule,
        "role": proposal.role,
        "reason": proposal.reason,
        "values": dict(proposal.values),
        "geometry": mapping(proposal.geometry),
    }


def _findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "rule": finding.rule,
            "fingerprint": finding.fingerprint,
            "severity": str(finding.severity),
            "role": finding.role,
            "message": finding.message,
        }
        for finding in findings
    ]
