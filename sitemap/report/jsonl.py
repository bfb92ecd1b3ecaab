"""JSON Lines: one finding a line, with the fields of the JSON report's findings."""

from __future__ import annotations

import json

from sitemap.checked import CheckedSite
from sitemap.report.json import finding_dict


def to_jsonl(checked: CheckedSite) -> str:
    """One line per finding, in the order and with the numbers of the JSON report."""
    return "".join(
        json.dumps(finding_dict(number, finding), ensure_ascii=False, allow_nan=False) + "\n"
        for number, finding in enumerate(checked.findings, start=1)
    )
