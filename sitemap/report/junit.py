"""JUnit XML: one test case per rule, so that a build server shows the check among its tests.

Failed: findings at or above --fail-on. Error: the rule could not run. Skipped, with the reason:
not judged, not applicable, or waiting for a person.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from sitemap.checked import CheckedSite, count_words, plural
from sitemap.finding import Finding, Outcome, Severity, Status
from sitemap.report.laws import law_names
from sitemap.report.words import plain, rule_words, severity_words, xml_text
from sitemap.version import VERSION


def to_junit(checked: CheckedSite, fail_on: Severity | None = Severity.ERROR) -> str:
    """The check as JUnit XML text. fail_on None: findings never fail a test case."""
    numbers = {id(f): number for number, f in enumerate(checked.findings, start=1)}
    suite = ET.Element("testsuite", name=plain(f"sitemap {law_names(checked)}"))
    _properties(suite, checked)
    for outcome in checked.outcomes:
        _case(suite, outcome, numbers, fail_on)
    counts = {
        "tests": len(checked.outcomes),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
        "skipped": len(suite.findall("testcase/skipped")),
    }
    for name, count in counts.items():
        suite.set(name, str(count))
    suite.set("time", "0")
    suite.set("timestamp", f"{checked.now}T00:00:00")
    suite.set("hostname", "localhost")
    root = ET.Element("testsuites", {k: v for k, v in suite.attrib.items() if k in counts})
    root.append(suite)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _properties(suite: ET.Element, checked: CheckedSite) -> None:
    facts = {
        "verdict": checked.verdict_words,
        "site": checked.site.name,
        "submission": checked.site.submission,
        "ordinance": ", ".join(f"{pack.id} {pack.version}" for pack in checked.ordinances),
        "program": f"sitemap {VERSION}",
    }
    parent = ET.SubElement(suite, "properties")
    for name, value in facts.items():
        ET.SubElement(parent, "property", name=name, value=plain(value))


def _case(
    suite: ET.Element, outcome: Outcome, numbers: dict[int, int], fail_on: Severity | None
) -> None:
    name = f"{outcome.rule} {rule_words(outcome.rule_name)}"
    family = outcome.rule.rstrip("0123456789") or outcome.rule
    case = ET.SubElement(suite, "testcase", name=plain(name), classname=plain(family), time="0")
    failing = [
        f
        for f in outcome.findings
        if fail_on is not None and f.waiver is None and f.severity >= fail_on
    ]
    if failing:
        failure = ET.SubElement(case, "failure", message=plain(_summary(failing)), type="finding")
        failure.text = xml_text("\n\n".join(_words(numbers[id(f)], f) for f in failing))
    elif outcome.status is Status.FAILED:
        ET.SubElement(case, "error", message=plain(outcome.why), type="could not run")
    elif outcome.status in (Status.SKIPPED, Status.NOT_APPLICABLE, Status.NEEDS_PERSON):
        why = f"{outcome.status.value}: {outcome.why}"
        ET.SubElement(case, "skipped", message=plain(why))
    rest = [f for f in outcome.findings if f not in failing]
    lines = [*outcome.evidence, *(_words(numbers[id(f)], f) for f in rest)]
    if lines:
        ET.SubElement(case, "system-out").text = xml_text("\n".join(lines))


def _summary(findings: list[Finding]) -> str:
    first = findings[0].message
    if len(findings) == 1:
        return first
    return f"{count_words(findings)}; {plural(len(findings), 'finding')}, the first: {first}"


def _words(number: int, finding: Finding) -> str:
    facts = [
        ("measured", finding.measured),
        ("allowed", finding.limit),
        ("clause", "; ".join(finding.citations)),
        ("place", finding.place),
        ("source", finding.source),
        ("to fix", finding.how_to_fix),
        (finding.waiver.status if finding.waiver else "waived", finding.waiver),
    ]
    lines = [f"{label}: {plain(value)}" for label, value in facts if value and str(value)]
    head = f"finding {number}, {severity_words(finding)}: {plain(finding.message)}"
    return "\n  ".join([head, *lines])
