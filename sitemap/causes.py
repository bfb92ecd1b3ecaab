"""One cause explains many: findings grouped by what has to be put right, in the shortest order.

A dataset that cannot be read or lies in the wrong place, a broken boundary, a missing field: each
brings findings of other rules with it, which go away when it is mended. Findings of one rule in one
dataset are one thing to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sitemap.checked import Cause, CheckedSite
from sitemap.finding import Finding, Severity, Status
from sitemap.places import MAP_ROLES
from sitemap.rules.rule import Rule

# what is wrong no matter where on earth the data lies
PLACELESS = ("SUB", "GEO", "DOC", "SOI", "WVR", "BND001", "CON003", "CON007")
ELEVATION_RULES = ("CON", "SLP", "DST003", "TOP")
EXTENT_RULES = ("SCL", "GRD002")  # judge the extent of the map, which MAP_ROLES span


@dataclass(frozen=True)
class _Explains:
    """What the findings of a rule explain, within the datasets that they are about.

    but and only are codes or prefixes: all rules but those, or only those. boundary is True where
    the cause, when it lies in the boundary, reaches every rule that uses the boundary; extent where
    it makes the map too large or too small; between where it explains only what stands between two
    of its datasets.
    """

    but: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    boundary: bool = False
    extent: bool = False
    between: bool = False

    def covers(self, code: str) -> bool:
        return not code.startswith(self.but or ("-",)) and (
            not self.only or code.startswith(self.only)
        )


# In order: what stands first is never explained by what stands after it.
EXPLAINS: Mapping[str, _Explains] = {
    "SUB002": _Explains(boundary=True),  # unreadable: everything about that file or its role
    "SUB005": _Explains(only=("SUB011", "GEO003", "TOP", "BND001"), between=True),
    "SUB013": _Explains(only=("SUB009", "SUB011", "CON003", "CON007", "WET", "DOC")),
    "SUB007": _Explains(
        only=("GEO", "TOP", "CON", "BND", "DST", "GRD", "CRS003", "SCL"), boundary=True
    ),
    "GEO007": _Explains(only=("GEO", "TOP", "CRS003", *EXTENT_RULES), boundary=True, extent=True),
    "CRS001": _Explains(but=PLACELESS, boundary=True),
    "CRS008": _Explains(but=PLACELESS, boundary=True, extent=True),
    "CRS002": _Explains(but=PLACELESS, boundary=True, extent=True),
    "BND001": _Explains(but=("SUB", "GEO", "CRS001", "CRS002"), boundary=True),
    "CRS003": _Explains(but=PLACELESS, boundary=True, extent=True),
    "CRS004": _Explains(but=PLACELESS, boundary=True),
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


@dataclass(frozen=True, eq=False)
class _Group:
    """A cause before it is known what it explains, with what its findings are about."""

    cause: Cause
    files: frozenset[tuple[str, str]]
    roles: frozenset[str]
    severity: Severity


def causes_of(checked: CheckedSite, rules: Iterable[Rule]) -> tuple[Cause, ...]:
    """The causes of a check, in the shortest way to compliance.

    Those with an error first; of these, those that explain most findings, then those for which
    most rules wait, then in clause order. Waived findings are nobody's cause.
    """
    by_code = {rule.code: rule for rule in rules}
    numbers = {id(f): number for number, f in enumerate(checked.findings)}
    groups = [_group(cause) for cause in _grouped(f for f in checked.findings if f.counts)]
    groups.sort(key=lambda group: ORDER.get(group.cause.rule, len(ORDER)))
    explained: set[int] = set()
    whole = []
    for i, root in enumerate(groups):
        if i in explained:
            continue
        own = _followers(i, groups, explained, by_code)
        explained.update(own)
        followers = [groups[j].cause for j in own]
        follow = tuple(f for other in followers for f in other.findings)
        waiting = _waiting(root.cause, followers, checked)
        whole.append(replace(root.cause, explains=follow, waiting=waiting))
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


def _followers(
    i: int, groups: Sequence[_Group], explained: set[int], by_code: Mapping[str, Rule]
) -> list[int]:
    """The groups that go away with one, and those that go away with them, in order."""
    own: list[int] = []
    for j in range(i + 1, len(groups)):
        behind = (groups[k] for k in (i, *own))
        if j not in explained and any(_explains(one, groups[j], by_code) for one in behind):
            own.append(j)
    return own


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


def _group(cause: Cause) -> _Group:
    files = frozenset[tuple[str, str]]().union(*map(_datasets, cause.findings))
    roles = frozenset(f.role for f in cause.findings if f.role)
    return _Group(cause, files, roles, cause.severity)


def _datasets(finding: Finding) -> set[tuple[str, str]]:
    sources = (finding.source, *finding.related)
    return {(source.file, source.layer or "") for source in sources if source.file}


def _explains(root: _Group, other: _Group, by_code: Mapping[str, Rule]) -> bool:
    """Whether the other findings go away when the root is put right. A note explains no error."""
    table, code = EXPLAINS.get(root.cause.rule), other.cause.rule
    if table is None or ORDER.get(code, len(ORDER)) <= ORDER[root.cause.rule]:
        return False
    if other.severity > root.severity or not table.covers(code):
        return False
    if table.between:
        return all(len(_datasets(f) & root.files) > 1 for f in other.cause.findings)
    if _share_a_subject(root, other):
        return True
    if table.extent and root.roles.intersection(MAP_ROLES) and code.startswith(EXTENT_RULES):
        return True
    return table.boundary and "boundary" in root.roles and _uses_boundary(code, by_code)


def _share_a_subject(one: _Group, other: _Group) -> bool:
    """Whether two are about the same dataset; about one role, where either names no dataset."""
    if one.files and other.files:
        return bool(one.files & other.files)
    if one.roles or other.roles:
        return bool(one.roles & other.roles)
    return one.cause.rule[:3] == other.cause.rule[:3]  # a scale, a grid: about the whole map


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
