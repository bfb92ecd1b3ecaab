"""Which rules a run leaves out: --select and --ignore, by code (CON001) or by prefix (CON).

Precedence: an option of the command line takes the place of the same key of site.toml [check];
either is stronger than the pack. Between select and ignore the longer name wins, ignore on a tie.
A rule that a pack has switched off runs only when select names its full code.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sitemap.errors import UsageError

SITE_TOML = "site.toml [check] "


@dataclass(frozen=True)
class Selection:
    """Codes and prefixes, upper case, and where each list was given; empty lists leave none out."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    select_given_by: str = "--select"
    ignore_given_by: str = "--ignore"

    def left_out_by(self, code: str) -> str:
        """What leaves a rule out, as it was given: "--ignore CON"; empty when it is judged."""
        wanted = _longest(self.select, code)
        unwanted = _longest(self.ignore, code)
        if unwanted and len(unwanted) >= len(wanted):
            return f"{self.ignore_given_by} {unwanted}"
        if self.select and not wanted:
            return f"{self.select_given_by} {','.join(self.select)}"
        return ""

    def insists_on(self, code: str) -> bool:
        """Whether a rule is selected by its full code, against a pack that switched it off."""
        return code in self.select and not self.left_out_by(code)


EVERYTHING = Selection()


def selection(
    select: Iterable[str] | None,
    ignore: Iterable[str] | None,
    in_site_toml: tuple[Iterable[str], Iterable[str]],
    codes: Collection[str],
) -> Selection:
    """The selection of a run: options (None: not given) over the two lists of site.toml.

    Each item may itself be a list with commas. UsageError for a name that no rule begins with.
    """
    chosen = Selection(
        _names(in_site_toml[0] if select is None else select),
        _names(in_site_toml[1] if ignore is None else ignore),
        f"{SITE_TOML}select" if select is None else "--select",
        f"{SITE_TOML}ignore" if ignore is None else "--ignore",
    )
    for given_by, names in (
        (chosen.select_given_by, chosen.select),
        (chosen.ignore_given_by, chosen.ignore),
    ):
        for name in names:
            if not any(code.startswith(name) for code in codes):
                raise UsageError(_no_rule(given_by, name, codes))
    return chosen


def _names(items: Iterable[str]) -> tuple[str, ...]:
    parts = [part.strip().upper() for item in items for part in item.split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))


def _longest(names: Iterable[str], code: str) -> str:
    return max((name for name in names if code.startswith(name)), key=len, default="")


def _no_rule(given_by: str, name: str, codes: Collection[str]) -> str:
    families = sorted({code.rstrip("0123456789") for code in codes})
    near = difflib.get_close_matches(name, [*codes, *families], n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`sitemap rule` lists them"
    return (
        f"{given_by} {name!r}: no rule has this code or begins so; {hint} "
        f"Families: {', '.join(families)}"
    )
