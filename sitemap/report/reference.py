"""The printed pages: a rule, a layer role, an ordinance pack; without a name, the list of them."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterable

from sitemap.catalogue import Catalogue, FieldSpec, LayerSpec, load_catalogue
from sitemap.errors import UsageError
from sitemap.ordinance import Clause, LimitSpec, Ordinance, load_ordinance, ordinance_names
from sitemap.rules.rule import Rule

WIDTH = 96
BASE_PACK = "wi-nr152-appa"


def rule_page(code: str | None = None, *, rules: tuple[Rule, ...] | None = None) -> str:
    """The page of a rule (by code or name, in any case), or one line per rule."""
    if rules is None:
        from sitemap.rules import RULES

        rules = RULES
    if code is None:
        rows = [
            (rule.code, rule.page.splitlines()[0] if rule.page else rule.name) for rule in rules
        ]
        return _table(rows) + "\nsitemap rule CODE prints the page of a rule.\n"
    wanted = code.strip().lower().replace("-", "_").replace(" ", "_")
    for rule in rules:
        if wanted in (rule.code.lower(), rule.name):
            return _rule(rule)
    names = [name for rule in rules for name in (rule.code, rule.name)]
    raise UsageError(_no_such("rule", code, names))


def _rule(rule: Rule) -> str:
    pack = load_ordinance(BASE_PACK)
    cited = [f"{c.label} {c.title} ({c.citation})" for c in pack.clauses_of(rule.code)]
    limits = [
        f"{name.replace('_', ' ')}: {_limit(pack.limits[name])}"
        for name in rule.arguments
        if name in pack.limits
    ]
    facts = [
        ("severity", f"{rule.default_severity} at most; the pack and the clause's verb decide"),
        *(("clause", words) for words in cited),
        ("needs", ", ".join(rule.needs)),
        ("uses", ", ".join(rule.uses)),
        ("reference", ", ".join(rule.refers)),
        ("after", ", ".join(rule.after)),
        *(("limit", words) for words in limits),
    ]
    head = f"{rule.code} {rule.name}\n{'=' * (len(rule.code) + len(rule.name) + 1)}\n\n"
    return f"{head}{rule.page.rstrip()}\n\n{_facts(facts)}"


def layer_page(role: str | None = None, *, catalogue: Catalogue | None = None) -> str:
    """The page of a layer role, or one line per role."""
    known = catalogue or load_catalogue()
    if role is None:
        rows = [(s.role, f"{s.title} [{s.presence}; {_items(s.items)}]") for s in known.specs]
        return _table(rows) + "\nsitemap layer ROLE prints fields, names and symbol of a role.\n"
    wanted = role.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted not in known:
        raise UsageError(_no_such("layer role", role, known.by_role))
    return _layer(known[wanted])


def _layer(spec: LayerSpec) -> str:
    presence = {
        "required": "must be drawn",
        "declarable": "drawn, or declared none in site.toml with who, source and date",
        "optional": "drawn where it helps",
    }
    facts = [
        ("serves", _items(spec.items)),
        ("presence", presence[spec.presence]),
        ("geometry", ", ".join(spec.geometry)),
        ("datasets", "several may serve the role" if spec.many else "one"),
        ("id field", spec.id_field or ""),
        ("file names", ", ".join(spec.file_names)),
        ("legend", spec.legend),
    ]
    parts = [_title(f"{spec.role}: {spec.title}"), _wrap(spec.description), _facts(facts)]
    if spec.fields:
        parts.append("Fields\n" + _table([(n, _field(f)) for n, f in spec.fields.items()], "  "))
    if spec.types:
        rows = [(key, f"{t.name} {t.standard}".strip()) for key, t in spec.types.items()]
        parts.append("Types\n" + _table(rows, "  "))
    if spec.schemas:
        rows = [(s.name, "known by " + ", ".join(s.recognise)) for s in spec.schemas]
        parts.append("Public schemas\n" + _table(rows, "  "))
    return "\n".join(parts)


def _field(spec: FieldSpec) -> str:
    unit = f", {spec.unit}" if spec.unit and spec.unit != "none" else ""
    words = f"{spec.title} ({spec.type}{unit}{', required' if spec.required else ''})"
    if spec.domain:
        words += f"; one of {', '.join(spec.domain)}"
    if spec.aliases:
        words += f"; also named {', '.join(spec.aliases)}"
    return words


def ordinance_page(name: str | None = None) -> str:
    """A pack clause by clause (by name or file), or one line per pack."""
    if name is None:
        packs = [load_ordinance(known) for known in ordinance_names()]
        rows = [(p.id, f"{p.jurisdiction}: {p.title}") for p in packs]
        return _table(rows) + "\nsitemap ordinance NAME prints a pack clause by clause.\n"
    return _pack(load_ordinance(name))


def _pack(pack: Ordinance) -> str:
    facts = [
        ("where", pack.jurisdiction),
        ("source", pack.source),
        ("version", f"{pack.version} ({pack.digest})"),
        ("based on", pack.based_on or ""),
        ("CRS", pack.default_crs or ""),
    ]
    parts = [_title(f"{pack.id}: {pack.title}"), _facts(facts)]
    for on_map, heading in ((True, "The map"), (False, "Beside the map")):
        clauses = [clause for clause in pack.clauses if clause.on_map is on_map]
        if clauses:
            parts += [_title(heading), *(_clause(clause) for clause in clauses)]
    rows = [(n, _limit(limit)) for n, limit in pack.tolerances.items()]
    parts += [_title("Tolerances"), _table(rows)]
    parts += [_title("How the words are taken"), "".join(_wrap(r, "- ") for r in pack.readings)]
    return "\n".join(parts)


def _clause(clause: Clause) -> str:
    unseen = "" if clause.text_seen else " (not confirmed in the law's own text)"
    head = f"{clause.label} {clause.title}   {clause.citation}"
    always = " (always asked)" if clause.person_always else ""
    facts = [
        ("verb", clause.verb),
        *(("limit", f"{n.replace('_', ' ')}: {_limit(s)}") for n, s in clause.limits.items()),
        ("layers", ", ".join(clause.roles)),
        ("rules", ", ".join(clause.rules)),
        ("a person", f"{clause.person}{always}" if clause.person else ""),
    ]
    return f'{head}\n{_wrap(f""""{clause.text}"{unseen}""", "  ")}{_facts(facts, "  ")}'


def _limit(limit: LimitSpec) -> str:
    sign = {"<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than ", "==": ""}
    reading = f" ({limit.reading})" if limit.reading else ""
    unsure = "" if limit.confirmed else "; not confirmed in the text"
    return f"{sign[limit.operator]}{limit.value:g} {limit.unit}{reading}{unsure}"


def _items(items: Iterable[str]) -> str:
    labels = [f"({i})" if len(i) == 1 and i.isalpha() else i for i in items]
    return "item " + ", ".join(labels) if labels else "no item"


def _title(text: str) -> str:
    return f"{text}\n{'=' * min(len(text), WIDTH)}\n"


def _facts(facts: Iterable[tuple[str, str]], indent: str = "") -> str:
    return _table([(label, words) for label, words in facts if words], indent)


def _table(rows: list[tuple[str, str]], indent: str = "") -> str:
    """Two columns, the second wrapped under itself."""
    if not rows:
        return ""
    first = min(max(len(label) for label, _ in rows), 26)
    return "".join(_wrap(words, f"{indent}{label:<{first}}  ") for label, words in rows)


def _wrap(text: str, lead: str = "") -> str:
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines or [lead.rstrip()]) + "\n"


def _no_such(thing: str, wanted: str, known: Iterable[str]) -> str:
    names = list(known)
    lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wanted.lower(), lower, n=3, cutoff=0.5)
    if near:
        return f"no {thing} {wanted!r}; did you mean {' or '.join(lower[n] for n in near)}?"
    first = ", ".join(names[:40])
    return f"no {thing} {wanted!r}; known are {first}"
