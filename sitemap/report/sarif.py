"""SARIF 2.1.0: what code scanning reads. Rules carry their pages, the pack is a taxonomy whose
taxa are its clauses, questions for a person are results of kind "review".

Places on a map have no lines and columns: a result's place is its file, its logical location
(layer, record, the user's own id) and properties in feet and degrees.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from sitemap.checked import CheckedSite, count_words, exit_code
from sitemap.finding import (
    Confirmation,
    Finding,
    JsonDict,
    Outcome,
    Place,
    Severity,
    Source,
    Status,
    Verdict,
    Waiver,
)
from sitemap.ordinance import Ordinance
from sitemap.report.json import finding_dict
from sitemap.report.laws import broken_clauses, law_names
from sitemap.report.sarif_files import Artifacts
from sitemap.report.words import plain, rule_words
from sitemap.rules.rule import PAGE_HEADINGS, Rule
from sitemap.version import VERSION

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "sitemapFinding/v1"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
NOTIFICATION_LEVELS = {
    Status.FAILED: "error",
    Status.SKIPPED: "warning",
    Status.NOT_APPLICABLE: "note",
}
_LINK = re.compile(r"\[(?=[^\]]*\]\()")  # [words](target) in a message would become a link
EXIT_WORDS = {
    0: "complies",
    1: "findings at or above --fail-on",
    2: "could not be judged",
    3: "a person must confirm",
}


def to_sarif(checked: CheckedSite, fail_on: Severity | None = Severity.ERROR) -> str:
    """One run as SARIF text; fail_on is what the exit code stands on (None: never fails)."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(checked, fail_on)]}
    return json.dumps(log, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _run(checked: CheckedSite, fail_on: Severity | None) -> JsonDict:
    rules = {outcome.rule: i for i, outcome in enumerate(checked.outcomes)}
    artifacts = Artifacts(checked.site)
    results = [
        _result(number, finding, rules, artifacts, checked)
        for number, finding in enumerate(checked.findings, start=1)
    ]
    results += [_question(item, rules, checked) for item in checked.confirmations]
    return {
        "tool": {"driver": _driver(checked)},
        "automationDetails": {"id": f"sitemap/{law_names(checked)}/"},
        "originalUriBaseIds": artifacts.base_ids,
        "artifacts": artifacts.as_list,
        "taxonomies": [_taxonomy(pack) for pack in checked.ordinances],
        "invocations": [_invocation(checked, rules, fail_on)],
        "results": results,
        "properties": {
            "verdict": checked.verdict.value,
            "verdictWords": checked.verdict_words,
            "now": checked.now.isoformat(),
            "site": plain(checked.site.name),
            "siteCrs": checked.site.crs_name,
        },
    }


def _driver(checked: CheckedSite) -> JsonDict:
    from sitemap.rules import RULES

    known = {rule.code: rule for rule in RULES}
    return {
        "name": "sitemap",
        "version": VERSION,
        "semanticVersion": VERSION,
        "shortDescription": {"text": "Checks an erosion-control site map against its ordinance."},
        "rules": [_rule(outcome, known.get(outcome.rule), checked) for outcome in checked.outcomes],
        "supportedTaxonomies": [
            {"name": pack.id, "index": i} for i, pack in enumerate(checked.ordinances)
        ],
    }


def _rule(outcome: Outcome, rule: Rule | None, checked: CheckedSite) -> JsonDict:
    words = rule_words(outcome.rule_name)
    descriptor: JsonDict = {
        "id": outcome.rule,
        "name": "".join(part.capitalize() for part in outcome.rule_name.split("_")),
        "shortDescription": {"text": words},
        "relationships": [
            {
                "target": _taxon(checked, checked.ordinance.id, clause),
                "kinds": ["relevant"],
            }
            for clause in outcome.clauses
        ],
        "properties": {"tags": [outcome.rule.rstrip("0123456789"), *outcome.clauses]},
    }
    if rule is not None and rule.page:
        descriptor["shortDescription"] = {"text": rule.page.splitlines()[0]}
        descriptor["help"] = {"text": rule.page, "markdown": page_markdown(rule)}
        descriptor["defaultConfiguration"] = {"level": LEVELS[rule.default_severity]}
    return descriptor


def page_markdown(rule: Rule) -> str:
    """A rule's page with its headings as Markdown headings."""
    lines = [f"# {rule.code} {rule_words(rule.name)}", ""]
    lines += [f"## {ln}" if ln in PAGE_HEADINGS else ln for ln in rule.page.splitlines()]
    return "\n".join(lines) + "\n"


def _taxon(checked: CheckedSite, pack: str, clause: str) -> JsonDict:
    index = [known.id for known in checked.ordinances].index(pack)
    return {"id": clause, "toolComponent": {"name": pack, "index": index}}


def _taxonomy(pack: Ordinance) -> JsonDict:
    return {
        "name": pack.id,
        "version": pack.version,
        "organization": pack.jurisdiction,
        "shortDescription": {"text": pack.title},
        "fullDescription": {"text": f"{pack.source} (pack {pack.digest})"},
        "isComprehensive": True,
        "taxa": [
            {
                "id": clause.id,
                "name": clause.citation,
                "shortDescription": {"text": clause.title},
                "fullDescription": {"text": clause.text},
            }
            for clause in pack.clauses
        ],
    }


def _result(
    number: int,
    finding: Finding,
    rules: dict[str, int],
    artifacts: Artifacts,
    checked: CheckedSite,
) -> JsonDict:
    details = finding_dict(number, finding)
    kept = ("number", "measured", "limit", "role", "field", "place", "citations", "clauses")
    result: JsonDict = {
        **_rule_reference(finding.rule, rules),
        "kind": "fail",
        "level": LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [_location(finding.source, finding.place, finding.role, artifacts)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "taxa": [_taxon(checked, *pair) for pair in broken_clauses(checked, finding)],
        "properties": {
            **{name: details[name] for name in kept},
            "howToFix": finding.how_to_fix,
        },
    }
    if finding.related:
        result["relatedLocations"] = [
            {**_location(source, None, finding.role, artifacts), "id": i}
            for i, source in enumerate(finding.related, start=1)
        ]
    if finding.waiver is not None:
        result["suppressions"] = [_suppression(finding.waiver)]
    return result


def _rule_reference(code: str, rules: dict[str, int]) -> JsonDict:
    return {"ruleId": code, **({"ruleIndex": rules[code]} if code in rules else {})}


def _message(finding: Finding) -> str:
    cited = f" ({'; '.join(finding.citations)})" if finding.citations else ""
    end = "" if finding.message.endswith((".", "!", "?")) else "."
    return _text(f"{finding.message}{cited}{end} To fix: {finding.how_to_fix}")


def _text(words: object) -> str:
    """Words as message text, in which nothing of a user's becomes a link."""
    return _LINK.sub(r"\\[", plain(words))


def _suppression(waiver: Waiver) -> JsonDict:
    return {
        "kind": "external",
        "status": "accepted",
        "justification": plain(waiver),
        "properties": {
            "authority": waiver.authority,
            "date": waiver.date.isoformat(),
            "expires": waiver.expires.isoformat() if waiver.expires else None,
            "condition": waiver.condition,
            "status": waiver.status,
        },
    }


def _location(
    source: Source, place: Place | None, role: str | None, artifacts: Artifacts
) -> JsonDict:
    location: JsonDict = {}
    if source.file:
        location["physicalLocation"] = {"artifactLocation": artifacts.location(source.file)}
    logical = list(_logical(source, role))
    if logical:
        location["logicalLocations"] = logical
    words = "; ".join(w for w in (str(source), str(place) if place else "") if w)
    location["message"] = {"text": _text(words or "the whole site")}
    return location


def _logical(source: Source, role: str | None) -> Iterator[JsonDict]:
    """The layer, the record in it and the user's own id, each with its path from the file."""
    path = [source.file or role or "site"]
    if source.layer or role:
        layer = source.layer or role or ""
        path.append(layer)
        yield _named(layer, "layer", path, {"role": role})
    if source.feature is not None:
        path.append(f"record {source.feature}")
        yield _named(path[-1], "record", path, {"feature": int(source.feature)})
    if source.user_id:
        path.append(f"id {source.user_id}")
        yield _named(source.user_id, "id", path, {})


def _named(name: str, kind: str, path: list[str], more: dict[str, Any]) -> JsonDict:
    named = {"name": plain(name), "kind": kind, "fullyQualifiedName": plain("/".join(path))}
    return {**named, **({"properties": more} if more else {})}


def _question(item: Confirmation, rules: dict[str, int], checked: CheckedSite) -> JsonDict:
    """A question as a result that a person evaluates."""
    result: JsonDict = {
        "kind": "review",
        "level": "none",
        "message": {"text": _text(item.question)},
        "taxa": [_taxon(checked, item.ordinance or checked.ordinance.id, item.clause)],
        "locations": [{"message": {"text": _text(item.place or checked.site.name)}}],
    }
    return {**_rule_reference(item.rule, rules), **result} if item.rule else result


def _invocation(checked: CheckedSite, rules: dict[str, int], fail_on: Severity | None) -> JsonDict:
    code = exit_code(checked, fail_on)
    counts = count_words(checked.findings) or "no findings"
    return {
        "executionSuccessful": not checked.with_status(Status.FAILED),
        "exitCode": code,
        "exitCodeDescription": f"{EXIT_WORDS[code]}; {checked.verdict_words}, {counts}",
        "toolExecutionNotifications": [
            _notification(outcome, rules)
            for outcome in checked.outcomes
            if outcome.status in NOTIFICATION_LEVELS or (outcome.why and outcome.findings)
        ],
        "properties": {"judged": checked.verdict is not Verdict.NOT_JUDGED},
    }


def _notification(outcome: Outcome, rules: dict[str, int]) -> JsonDict:
    """A check that did not run, or only in part, and why."""
    status = outcome.status.value if outcome.status in NOTIFICATION_LEVELS else "judged in part"
    return {
        "level": NOTIFICATION_LEVELS.get(outcome.status, "warning"),
        "message": {"text": _text(f"{outcome.rule} {status}: {outcome.why}")},
        "associatedRule": {"id": outcome.rule, "index": rules[outcome.rule]},
    }
