"""The TOML tables of an ordinance pack, with those of its bases underneath.

Clauses join by id. A town that numbers otherwise says which clauses of the base its own ones stand
for, and gets their layers and rules, and of their limits those that it names, so that it never has
a number by silence; what it does not have it leaves out, with the reason.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomli

from sitemap.errors import ConfigurationError

PACKS = Path(__file__).with_name("ordinances")
JOINED = ("roles", "rules", "decided_by")  # of several clauses, all of them

Tables = dict[str, Any]


def ordinance_names() -> tuple[str, ...]:
    """The packs that come with the program, base packs first."""
    names = sorted(path.stem for path in PACKS.glob("*.toml"))
    return tuple(sorted(names, key=lambda name: "based_on" in _read(PACKS / f"{name}.toml")))


def find_pack(name_or_path: str, folder: Path) -> Path:
    """The file of a pack by its name, or by a path seen from `folder`; ConfigurationError."""
    if name_or_path in {path.stem for path in PACKS.glob("*.toml")}:
        return PACKS / f"{name_or_path}.toml"
    path = folder / name_or_path
    if path.is_file():
        return path
    known = ", ".join(ordinance_names())
    raise ConfigurationError(
        name_or_path,
        "",
        f"no such ordinance pack; known packs: {known}; or give the path of a .toml file "
        'of your own (it may begin with based_on = "wi-nr152-appa")',
    )


def merged_tables(path: Path, seen: tuple[Path, ...] = ()) -> Tables:
    """The tables of a pack, those of its bases underneath; ConfigurationError names file, key."""
    if path.resolve() in seen:
        raise ConfigurationError(path, "based_on", "the packs are based on each other in a circle")
    own = _read(path)
    own["omit"] = _omitted(path, own.get("omit", {}))
    based_on = own.get("based_on")
    if based_on is None:
        return own
    base = merged_tables(find_pack(str(based_on), path.parent), (*seen, path.resolve()))
    result = {**base, **own}
    for table in ("tolerances", "rules"):
        result[table] = _merge_tables(base.get(table, {}), own.get(table, {}))
    result["readings"] = [*base.get("readings", []), *own.get("readings", [])]
    result["clauses"] = _merge_clauses(path, base, own)
    result["left_out"] = _left_out(base, result)
    return result


def _read(path: Path) -> Tables:
    try:
        return tomli.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise ConfigurationError(path, "", "is not UTF-8 text; save it as UTF-8") from None
    except tomli.TOMLDecodeError as error:
        raise ConfigurationError(path, "", f"is not valid TOML: {error}") from None
    except OSError as error:
        raise ConfigurationError(path, "", f"cannot be read: {error.strerror}") from None


def _omitted(path: Path, entry: Any) -> dict[str, str]:
    """A list of clause ids, or a table of them with the reason for each, as that table."""
    if isinstance(entry, list):
        return {str(name): "" for name in entry}
    if isinstance(entry, dict) and all(isinstance(words, str) for words in entry.values()):
        return entry
    words = 'must be a list of clause ids, or a table of them with the reason: i = "no such item"'
    raise ConfigurationError(path, "omit", words)


def _merge_tables(base: Tables, own: Tables) -> Tables:
    """Named tables, key by key, so that a town may change only the value of a limit."""
    merged = dict(base)
    for name, table in own.items():
        both = isinstance(table, dict) and isinstance(base.get(name), dict)
        merged[name] = {**base[name], **table} if both else table
    return merged


def _merge_clauses(path: Path, base: Tables, own: Tables) -> list[Tables]:
    under: dict[str, Tables] = {str(c.get("id")): c for c in base.get("clauses", [])}
    clauses = dict(under)
    for omitted in own.get("omit", {}):
        if clauses.pop(omitted, None) is None and omitted != "*":
            raise ConfigurationError(path, "omit", _unknown(omitted, clauses, base))
    replaced: set[str] = set()
    new: dict[str, Tables] = {}
    for clause in own.get("clauses", []):
        name = str(clause.get("id"))
        stands_for = clause.get("stands_for", [])
        _check_known(path, clause, under, clauses, base)
        if stands_for:
            inherited = _inherited([under[i] for i in stands_for], clause.get("limits", {}))
            inherited["stands_for"] = _own_ids(stands_for, under)
            replaced.update(stands_for)
        else:
            inherited = clauses.get(name, {})
        limits = _merge_tables(inherited.get("limits", {}), clause.get("limits", {}))
        own_words = {key: value for key, value in clause.items() if key != "stands_for"}
        new[name] = {**inherited, **own_words, "limits": limits}
    gone = replaced if "*" not in own.get("omit", {}) else set(clauses)
    kept = {
        name: new.pop(name, c) for name, c in clauses.items() if name in new or name not in gone
    }
    return [*kept.values(), *new.values()]


def _check_known(path: Path, clause: Tables, under: Tables, clauses: Tables, base: Tables) -> None:
    name = str(clause.get("id"))
    stands_for = clause.get("stands_for", [])
    for other in stands_for:
        if other not in under:
            key = f"clauses.{name}.stands_for"
            raise ConfigurationError(path, key, _unknown(other, under, base))
    if name not in clauses and not clause.get("added", False) and not stands_for:
        words = f"{_unknown(name, clauses, base)}; a clause of the town's own says added = true"
        raise ConfigurationError(path, f"clauses.{name}", words)


def _inherited(clauses: list[Tables], named: Iterable[str]) -> Tables:
    """What a clause has from those that it stands for: lists of all, the rest of the first."""
    joined = {key: _union(clause.get(key, []) for clause in clauses) for key in JOINED}
    limits = {n: x for c in clauses for n, x in c.get("limits", {}).items() if n in named}
    return {**clauses[0], **joined, "limits": limits}


def _own_ids(stands_for: list[str], under: dict[str, Tables]) -> list[str]:
    """Ids as the rules know them, also through a base that itself stands for others."""
    return _union(under[name].get("stands_for") or [name] for name in stands_for)


def _union(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for one in lists for item in one))


def _left_out(base: Tables, result: Tables) -> dict[str, str]:
    """Rules of the base that no clause of the town names any more, with the reason."""
    named = {code for clause in result["clauses"] for code in clause.get("rules", [])}
    omit: dict[str, str] = result.get("omit", {})
    found = dict(base.get("left_out", {}))
    for clause in base.get("clauses", []):
        name = str(clause.get("id"))
        why = omit.get(name) or omit.get("*") or f"it has no clause such as {name} of {base['id']}"
        for code in clause.get("rules", []):
            found.setdefault(code, why)
    return {code: why for code, why in found.items() if code not in named}


def _unknown(name: str, clauses: Iterable[str], base: Tables) -> str:
    known = list(clauses)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(known)}"
    return f"{name!r} is not a clause of {base.get('id')} ({hint})"
