"""GitHub annotations: workflow commands, one line per finding, worst first.

GitHub shows ten errors, ten warnings and ten notices a step; the order decides which.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.checked import CheckedSite, count_words
from sitemap.finding import Finding, Severity, Status, Verdict
from sitemap.report.submitted import submitted_file
from sitemap.report.words import plain, rule_words
from sitemap.site import Site

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def to_github(checked: CheckedSite) -> str:
    """Annotations as a GitHub runner reads them from stdout; the verdict comes last."""
    ranked = sorted(checked.findings, key=lambda f: (f.waiver is not None, -f.severity))
    lines = [_annotation(checked.site, finding) for finding in ranked]
    lines += _not_judged(checked)
    lines += [
        workflow_command("notice", plain(item.question), title="a person confirms")
        for item in checked.confirmations
    ]
    lines.append(_verdict(checked))
    return "".join(line + "\n" for line in lines)


def _annotation(site: Site, finding: Finding) -> str:
    command = "notice" if finding.waiver is not None else COMMANDS[finding.severity]
    where = str(finding.place) if finding.place else ""
    parts = [
        f"{finding.waiver.status}: {finding.waiver}" if finding.waiver is not None else "",
        finding.message,
        f"[{'; '.join(finding.citations)}]" if finding.citations else "",
        f"Where: {'; '.join(w for w in (str(finding.source), where) if w)}.",
        f"To fix: {finding.how_to_fix}",
    ]
    text = "\n".join(plain(part) for part in parts if part)
    title = f"{finding.rule} {rule_words(finding.rule_name)}"
    file = submitted_file(site, finding.source.file).path if finding.source.file else None
    return workflow_command(command, text, file=file, title=title)


def _not_judged(checked: CheckedSite) -> Iterator[str]:
    for outcome in checked.with_status(Status.FAILED, Status.SKIPPED):
        title = f"{outcome.rule} {rule_words(outcome.rule_name)}: {outcome.status.value}"
        yield workflow_command("warning", plain(outcome.why), title=title)


def _verdict(checked: CheckedSite) -> str:
    bad = checked.verdict in (Verdict.DOES_NOT_COMPLY, Verdict.NOT_JUDGED)
    words = f"{checked.verdict_words}: {count_words(checked.findings) or 'no findings'}"
    title = f"{checked.site.name}, {'; '.join(pack.title for pack in checked.ordinances)}"
    return workflow_command("error" if bad else "notice", plain(words), title=title)


def workflow_command(command: str, text: str, *, file: str | None = None, title: str = "") -> str:
    """`::error file=...,title=...::text`, so escaped that no value can end it or add another."""
    given = {"file": plain(file) if file else "", "title": plain(title, 250)}
    properties = ",".join(f"{name}={_property(value)}" for name, value in given.items() if value)
    return f"::{command} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
