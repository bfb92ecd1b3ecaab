"""One cause explains many: findings grouped by what has to be put right, in the shortest order.

A dataset that cannot be read or lies in the wrong place, a broken boundary, a missing field: each
brings findings of other rules with it, which go away when it is mended. Findings of one rule in one
dataset are one thing to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sitemap.checked import Cause, CheckedSite
from sitemap.finding import Finding, Status
from sitemap.rules.rule import Rule

WORDS_AND_FILES = ("SUB", "GEO", "DOC", "SOI", "WVR")  # no matter where on earth the data lies
ELEVATION_RULES = ("CON", "SLP", "DST003", "TOP")


@dataclass(frozen=True)
class _Explains:
    """What the findings of a rule explain, within the datasets that they are about.

    but and only are codes or prefixes: all rules but those, or only those. boundary is True where
    the cause, when it lies in the boundary, reaches every rule that uses the boundary.
    """

    but: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    boundary: bool = False

    def covers(self, code: str) -> bool:
        return not code.startswith(self.but or ("-",)) and (
            not self.only or code.startswith(self.only)
        )


# In order: what stands first is never explained by what stands after it.
EXPLAINS: Mapping[str, _Explains] = {
    "SUB002": _Explains(boundary=True),  # unreadable: everything about that file or its role
    "SUB013": _Explains(only=("SUB009", "SUB011", "CON003", "CON007", "WET", "DOC")),
    "SUB007": _Explains(only=("GEO", "TOP", "CON", "BND", "DST", "GRD"), boundary=True),
    "CRS001": _Explains(but=(*WORDS_AND_FILES, "CON003", "CON007"), boundary=True),
    "CRS008": _Explains(but=(*WORDS_AND_FILES, "CON003", "CON007"), boundary=True),
    "CRS002": _Explains(but=(*WORDS_AND_FILES, "CON003", "CON007"), boundary=True),
    "CRS003": _Explains(but=(*WORDS_AND_FILES, "CON003", "CON007"), boundary=True),
    "CRS004": _Explains(but=(*WORDS_AND_FILES, "CON003", "CON007"), boundary=True),
    "GEO007": _Explains(only=("GEO", "TOP", "CRS003", "SCL", "GRD"), boundary=True),
    "BND001": _Explains(boundary=True),
    "GEO002": _Explains(only=("BND", "DST", "SUB004"), boundary=True),
    "GEO001": _Explains(only=("GEO004", "TOP", "BND", "DST"), boundary=True),
    "SUB001": _Explains(boundary=True),
    "SUB004": _Explains(only=("SUB001",), boundary=True),
    "SUB009": _Explains(only=("CON", "SLP", "BMP", "WET", "SUB010", "SUB012")),
    "CON003": _Explains(only=ELEVATION_RULES),
    "CON007": _Explains(only=ELEVATION_RULES),
    "CON001": _Explains(only=("CON002",)),
    "GRD001": _Explains(only=("GRD",)),
    "SCL001": _Explains(only=("SCL",)),
}
ORDER = {code: place for place, code in enumerate(EXPLAINS)}


def causes_of(checked: CheckedSite, rules: Iterable[Rule]) -> tuple[Cause, ...]:
    """The causes of a check, in the shortest way to compliance.

    Those with an error first; of these, those that explain most findings, then those for which
    most rules wait, then in clause order. Waived findings are nobody's cause.
    """
    by_code = {rule.code: rule for rule in rules}
    numbers = {id(f): number for number, f in enumerate(checked.findings)}
    groups = _grouped(f for f in checked.findings if f.counts)
    roots = sorted(groups, key=lambda cause: ORDER.get(cause.rule, len(ORDER)))
    explained: dict[int, Cause] = {}
    followers: dict[int, list[Cause]] = {}
    for i, root in enumerate(roots):
        if id(root) in explained:
            continue
        for other in roots[i + 1 :]:
            if id(other) not in explained and _explains(root, other, by_code):
                explained[id(other)] = root
                followers.setdefault(id(root), []).append(other)
    whole = [
        replace(
            root,
            explains=tuple(f for other in followers.get(id(root), ()) for f in other.findings),
            waiting=_waiting(root, followers.get(id(root), ()), checked),
        )
        for root in roots
        if id(root) not in explained
    ]
    return tuple(
        sorted(
            whole,
            key=lambda c: (
                -c.severity,
                -len(c.explains),
                -len(c.waiting),
                min(numbers[id(f)] for f in c.findings),
            ),
        )
    )


def _grouped(findings: Iterable[Finding]) -> list[Cause]:
    """Findings of one rule in one dataset, or one role, as one thing to do."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.rule, _where(finding)), []).append(finding)
    return [
        Cause(rule, members[0].rule_name, where, tuple(members))
        for (rule, where), members in groups.items()
    ]


def _where(finding: Finding) -> str:
    """The dataset in which to put it right, else the role, as printed."""
    source = finding.source
    if source.file:
        return f"{source.file}, layer {source.layer}" if source.layer else source.file
    return (finding.role or "").replace("_", " ")


def _explains(root: Cause, other: Cause, by_code: Mapping[str, Rule]) -> bool:
    """Whether the other findings go away when the root is put right."""
    table = EXPLAINS.get(root.rule)
    if table is None or root.rule == other.rule or ORDER.get(other.rule, 99) <= ORDER[root.rule]:
        return False
    if not table.covers(other.rule):
        return False
    if _share_a_subject(root, other):
        return True
    in_boundary = table.boundary and any(f.role == "boundary" for f in root.findings)
    return in_boundary and _uses_boundary(other.rule, by_code)


def _share_a_subject(one: Cause, other: Cause) -> bool:
    """Whether two are about the same dataset; about one role, where either names no dataset."""
    files, other_files = _files(one), _files(other)
    if files and other_files:
        return bool(files & other_files)
    roles = {f.role for f in one.findings if f.role}
    other_roles = {f.role for f in other.findings if f.role}
    if roles or other_roles:
        return bool(roles & other_roles)
    return one.rule[:3] == other.rule[:3]  # a scale, a grid: about the whole map


def _files(cause: Cause) -> set[tuple[str, str]]:
    return {
        (source.file, source.layer or "")
        for finding in cause.findings
        for source in (finding.source, *finding.related)
        if source.file
    }


def _uses_boundary(code: str, by_code: Mapping[str, Rule]) -> bool:
    rule = by_code.get(code)
    return rule is not None and "boundary" in (*rule.needs, *rule.uses)


def _waiting(root: Cause, followers: Iterable[Cause], checked: CheckedSite) -> tuple[str, ...]:
    """Rules that could not judge because they wait for one of these, or for a role of the root."""
    codes = {root.rule, *(other.rule for other in followers)}
    roles = {f.role for f in root.findings if f.role}
    return tuple(
        outcome.rule
        for outcome in checked.with_status(Status.SKIPPED)
        if any(f"waits for {code} " in outcome.why for code in codes)
        or (f"see {root.rule}" in outcome.why and any(f"{r} layer" in outcome.why for r in roles))
    )
