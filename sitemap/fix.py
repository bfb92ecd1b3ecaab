"""Repair and check joined: a submission -> a repaired copy that was checked again until stable."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitemap.check import check_site
from sitemap.checked import CheckedSite
from sitemap.errors import UsageError
from sitemap.finding import Severity, Source
from sitemap.intake.assemble import open_site
from sitemap.ordinance import Ordinance
from sitemap.repair.account import Account, to_dict, to_text
from sitemap.repair.changes import Change, Repairs
from sitemap.repair.compare import Comparison, compare, origin_of
from sitemap.repair.plan import Wanted, plan_repairs
from sitemap.repair.proposals import propose
from sitemap.repair.quantities import LegalQuantities
from sitemap.repair.unsafe import Tolerances
from sitemap.repair.write import check_target, folder_in_place, write_copy, write_proposals
from sitemap.site import Site
from sitemap.units import Area, Length

MOST_ROUNDS = 5
WRONG_CRS = ("CRS002", "CRS003", "CRS008")
Doubted = Mapping[tuple[str | None, str | None], str]  # file and layer -> rule
# kinds that touch one feature's geometry and can be taken back when they do harm
_TAKEN_BACK = {"touch divided", "ring closed", "vertex dropped", "ring turned", "outline rebuilt",
               "clipped", "snapped"}  # fmt: skip


def preview_fix(
    site: Site, packs: Sequence[Ordinance], *, unsafe: bool = False, now: dt.date
) -> Account:
    """What would be changed, per feature; writes nothing."""
    doubted = _doubted(site, packs, now)
    wanted = _wanted(site, packs, unsafe, doubted)
    repairs = plan_repairs(site, wanted)
    more = _wanted(site, packs, True, doubted)
    further = 0 if unsafe else _further(site, more, len(repairs.made))
    return Account(site.name, now, unsafe, repairs, wanted.quantities, further)


def fix_site(
    site: Site,
    packs: Sequence[Ordinance],
    out: Path,
    *,
    submission: Path,
    unsafe: bool = False,
    now: dt.date,
) -> Account:
    """Write a repaired copy of a site into `out` and say what became of the findings.

    UsageError when `out` is not empty or lies inside the submission. The original is only read.
    """
    check_target(out, submission)
    if not site.datasets:
        raise UsageError(f"{submission}: no dataset could be read, so there is nothing to repair")
    before = check_site(site, packs, now=now)
    with folder_in_place(out) as folder, tempfile.TemporaryDirectory(prefix="sitemap-fix-") as work:
        doubted = _doubted(site, packs, now)
        run = _Run(site, packs, unsafe, now, Path(work), before, doubted)
        run.until_stable()
        account = run.account()
        shutil.copytree(run.copied, folder, dirs_exist_ok=True)
        _carry_packs(site, folder)
        text = json.dumps(to_dict(account), ensure_ascii=False, indent=1, allow_nan=False)
        (folder / "repairs.json").write_bytes((text + "\n").encode("utf-8"))
        (folder / "repairs.txt").write_bytes(to_text(account).encode("utf-8"))
    return account


def _doubted(site: Site, packs: Sequence[Ordinance], now: dt.date) -> Doubted:
    """Datasets whose CRS an error calls wrong: to reproject them would set the fault in stone.

    Whatever [check] leaves out is looked at; what is waived is not doubted any more.
    """
    rules = check_site(site, packs, now=now, select=WRONG_CRS, ignore=())
    return {
        (f.source.file, f.source.layer): f.rule
        for f in rules.findings
        if f.counts and f.severity == Severity.ERROR and f.rule in WRONG_CRS
    }


def _wanted(site: Site, packs: Sequence[Ordinance], unsafe: bool, doubted: Doubted) -> Wanted:
    tolerances = Tolerances(
        position_ft=_least_ft(packs, "position_tolerance", site),
        sliver_ft=_least_ft(packs, "sliver_width", site),
        snap_ft=_least_ft(packs, "downstream_tolerance", site),
    )
    sizes = [p.limits["acres_tolerance"].typed for p in packs if "acres_tolerance" in p.limits]
    acres = min((size.acres for size in sizes if isinstance(size, Area)), default=0.0)
    return Wanted(tolerances, LegalQuantities(acres), unsafe, doubted=doubted)


def _least_ft(packs: Sequence[Ordinance], name: str, site: Site) -> float:
    """The strictest pack's distance in feet of the site; 0 where none states it."""
    typed = [p.limits[name].typed for p in packs if name in p.limits]
    return min((t.to(site.foot) for t in typed if isinstance(t, Length)), default=0.0)


def _further(site: Site, wanted: Wanted, made: int) -> int:
    """How many changes --unsafe would make besides so many."""
    return len(plan_repairs(site, replace(wanted, unsafe=True)).made) - made


@dataclass(eq=False)
class _Run:
    """The rounds of one repair."""

    site: Site
    packs: Sequence[Ordinance]
    unsafe: bool
    now: dt.date
    work: Path
    before: CheckedSite
    doubted: Doubted
    withdrawn: frozenset[tuple[str, Source]] = frozenset()
    rounds: int = 0
    changes: list[Change] = field(default_factory=list)

    def until_stable(self) -> None:
        """Repair, write, open and check until a plan of the copy changes nothing."""
        self._begin()
        while True:
            self.rounds += 1
            self._round()
            if self.rounds == MOST_ROUNDS:
                return
            harmful = self._harmful() - self.withdrawn
            if harmful:
                self.withdrawn |= harmful
                self._begin()
                continue
            following = self._after_a_round(self.wanted)
            self.plan = plan_repairs(self.current, following)
            if not self.plan.made:
                return

    def _begin(self) -> None:
        """From the original again, without what was withdrawn."""
        wanted = _wanted(self.site, self.packs, self.unsafe, self.doubted)
        self.wanted = replace(wanted, withdrawn=self.withdrawn)
        self.current, self.changes = self.site, []
        self.left_out: tuple[str, ...] | None = None
        self.plan = plan_repairs(self.site, self.wanted)

    def _round(self) -> None:
        known = {(c.key, c.words) for c in self.changes}
        self.changes += [c for c in self.plan.changes if (c.key, c.words) not in known]
        if self.left_out is None:
            self.left_out = self.plan.left_out
        self.copied = self.work / f"round-{self.rounds}"
        self.copied.mkdir()
        self.written = self.plan
        write_copy(self.plan, self.current, self.copied, self.now)
        self._check()
        if self._waivers_follow():
            self._check()

    def _check(self) -> None:
        self.current = open_site(self.copied / "site.toml", catalogue=self.site.catalogue)
        self.after = check_site(self.current, self.packs, now=self.now)
        self.comparison: Comparison = compare(self.before, self.after, self._all())

    def _waivers_follow(self) -> bool:
        """Waivers by fingerprint: a finding that names a file has another one in the copy."""
        stayed = self.comparison.stayed
        changed = {
            a.fingerprint: b.fingerprint for a, b in stayed if a.fingerprint != b.fingerprint
        }
        page = self.copied / "site.toml"
        text = page.read_text(encoding="utf-8")
        for waiver in self.current.project.waivers:
            now = changed.get((waiver.fingerprint or "").lower())
            if now:
                text = text.replace(f'"{waiver.fingerprint}"', f'"{now}"')
        if text == page.read_text(encoding="utf-8"):
            return False
        page.write_bytes(text.encode("utf-8"))
        return True

    def _all(self) -> Repairs:
        return replace(self.written, changes=tuple(self.changes), left_out=self.left_out or ())

    def _after_a_round(self, wanted: Wanted) -> Wanted:
        """What is wanted of the copy, with what of the original its layers stand for."""
        origins = {layer.name: layer.origins for layer in self.written.layers}
        datasets = {one.name: one.dataset for one in self.written.layers if one.dataset is not None}
        return replace(wanted, origins=origins, datasets=datasets)

    def _harmful(self) -> frozenset[tuple[str, Source]]:
        """The changes behind new findings: of the same feature, else the unsafe ones of a role."""
        found: set[tuple[str, Source]] = set()
        movable = [c for c in self.changes if c.made and c.kind in _TAKEN_BACK]
        for finding in self.comparison.new:
            where = origin_of(finding.source, self.written)
            own = [c for c in movable if _same_record(c.source, where)]
            own = own or [c for c in movable if c.safety == "unsafe" and c.role == finding.role]
            found.update(c.key for c in own)
        return frozenset(found)

    def account(self) -> Account:
        """What is said at the end, with the proposals beside the data."""
        tolerance = self.wanted.tolerances.position_ft
        proposals = propose(self.current, self.after.findings, tolerance)
        repairs = replace(self._all(), proposals=proposals)
        if proposals:
            write_proposals(repairs, self.copied, self.now)
        more = _wanted(self.current, self.packs, True, self.doubted)
        more = self._after_a_round(more)
        further = 0 if self.unsafe else _further(self.current, more, 0)
        return Account(
            self.site.name,
            self.now,
            self.unsafe,
            repairs,
            self.wanted.quantities,
            further,
            self.rounds,
            self.comparison,
            self.before,
            self.after,
        )


def _same_record(a: Source, b: Source) -> bool:
    return (a.file, a.layer, a.feature) == (b.file, b.layer, b.feature)


def _carry_packs(site: Site, folder: Path) -> None:
    """Packs that site.toml names as files beside it."""
    home = site.project.path.parent if site.project.path is not None else None
    for name in site.project.ordinance:
        if home is not None and name.endswith(".toml") and (home / name).is_file():
            target = folder / name
            inside = folder.resolve() in target.resolve().parents
            if inside and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(home / name, target)
