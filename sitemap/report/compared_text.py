"""Two submissions compared, as text: findings by what became of them, then layer by layer."""

from __future__ import annotations

from sitemap.checked import count_words
from sitemap.comparison import STATES, Comparison, LayerComparison
from sitemap.report.compared_words import (
    STATE_HEADS,
    asked_words,
    change_words,
    feature_words,
    finding_words,
    layer_words,
    left_words,
    whole_words,
)
from sitemap.report.page import PLAIN_WIDTH, Page, clean
from sitemap.report.words import SEVERITY_WORDS

MOST_OF_STATE = 40  # findings of one state; the JSON has all
LEAST_WHOLE = 5  # features of a layer that came or went whole, to be told in one line
MOST_OF_LAYER = 30  # changed features of one layer; the JSON has all


def to_text(comparison: Comparison, width: int = PLAIN_WIDTH) -> str:
    """The whole comparison as plain text, `width` characters wide."""
    page = Page(width)
    _top(page, comparison)
    _findings(page, comparison)
    _layers(page, comparison)
    _rest(page, comparison)
    return page.to_plain()


def _top(page: Page, comparison: Comparison) -> None:
    page.line((f"FINDINGS: {comparison.finding_words}", "bold"))
    changed, unasked = len(comparison.changes), len(comparison.unasked)
    page.line(f"FEATURES: {changed:,} changed, {unasked:,} of them without a finding that asked")
    for name, checked in (("old", comparison.old), ("new", comparison.new)):
        counts = count_words(checked.findings) or "no findings"
        words = f"{checked.site.submission}: {checked.verdict_words}; {counts}"
        page.paragraph((f"{name}  ", "bold"), words, hang=5)
    words = f"{comparison.crs_words}; places within {comparison.tolerance_ft:g} ft are the same"
    page.paragraph("", words)


def _findings(page: Page, comparison: Comparison) -> None:
    for state in STATES:
        changes = comparison.with_state(state)
        if not changes:
            continue
        page.heading(f"{STATE_HEADS[state]} ({len(changes):,})")
        for change in changes[:MOST_OF_STATE]:
            finding = change.finding
            lead = f"{SEVERITY_WORDS[finding.severity]} {finding.rule}  "
            page.paragraph((lead, "bold"), finding_words(change), hang=4)
        if len(changes) > MOST_OF_STATE:
            page.line(f"and {len(changes) - MOST_OF_STATE:,} more: see the JSON")


def _layers(page: Page, comparison: Comparison) -> None:
    page.heading("WHAT CHANGED ON THE MAP, LAYER BY LAYER")
    number = 0
    for layer in comparison.layers:
        name = layer.role.replace("_", " ")
        if not layer.is_changed:
            continue
        page.paragraph((f"{name}: ", "bold"), f"{layer.words}; {layer_words(layer)}", hang=4)
        _changes(page, layer, number)
        number += len(layer.changes)
    same = [la.role.replace("_", " ") for la in comparison.layers if not la.is_changed]
    if same:
        page.paragraph("unchanged: ", ", ".join(same), hang=4)


def _changes(page: Page, layer: LayerComparison, before: int) -> None:
    whole = whole_words(layer)
    if whole and len(layer.changes) > LEAST_WHOLE:
        numbers = f"{before + 1} to {before + len(layer.changes)}"
        page.paragraph((f"{numbers}  ", ""), f"{whole}. Each: see the JSON", hang=6)
        return
    along = layer.went_along
    listed = [one for one in enumerate(layer.changes) if one[0] not in along]
    for place, change in listed[:MOST_OF_LAYER]:
        kind = "attributes changed" if change.kind == "attributes" else change.kind
        said = change_words(change)
        words = f"{feature_words(change)}{': ' if said else ''}{said}. {asked_words(change)}"
        page.paragraph((f"{before + place + 1:>4}  {kind}  ", ""), words, indent=0, hang=6)
    left = left_words(layer, MOST_OF_LAYER)
    if left:
        page.line(f"      {'and ' if len(listed) > 0 else ''}{left}: see the JSON")


def _rest(page: Page, comparison: Comparison) -> None:
    if comparison.facts:
        page.heading("FACTS AND DECLARATIONS")
        for fact in comparison.facts:
            words = f"{fact.old or 'nothing'} -> {fact.new or 'nothing'}"
            page.paragraph((f"{clean(fact.name)}: ", "bold"), words, hang=4)
    if comparison.files:
        page.heading("RASTERS, AND FILES WITHOUT A ROLE")
        for words in comparison.files:
            page.paragraph("", words)
