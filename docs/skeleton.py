"""Writes the skeleton of a new rule or layer role, for make rule and make layer (NAME=...).

What it writes runs at once and fails its tests until it is filled in: a rule that looks at
nothing is skipped, and a skipped case is not one of the six.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Which family a fault belongs to, by a word of its name; FAMILY=... says it otherwise.
FAMILY_WORDS = {
    "CRS": ("crs", "datum", "projection"),
    "GEO": ("geometry", "ring", "vertex"),
    "TOP": ("overlap", "gap", "network"),
    "SCL": ("scale", "inch"),
    "CON": ("contour", "contours", "level", "elevation"),
    "BND": ("boundary",),
    "DST": ("disturbance", "disturbed"),
    "HYD": ("discharge", "water", "outfall", "stream", "trace"),
    "WET": ("wetland", "wetlands", "delineation"),
    "FLD": ("floodplain", "floodway", "flood"),
    "SLP": ("slope", "arrow", "drainage"),
    "BMP": ("control", "fence", "inlet", "basin", "trap", "stockpile", "entrance"),
    "INF": ("infiltration",),
    "GRD": ("grid", "cell", "cells", "label", "labels"),
    "PLT": ("plate", "sheet", "legend", "lettering"),
    "DOC": ("project", "schedule", "date", "fact"),
    "SOI": ("soil",),
    "SUB": ("file", "field", "layer", "role"),
}

RULE = '''"""{code}: {words}."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.rules.rule import Said, Skip, rule
from sitemap.site import Site


@rule("{code}", clauses=("map",))
def {name}(site: Site) -> Iterator[Said]:
    """The map has {words}.

    Why
        What goes wrong on the ground when nobody notices.

    How it is measured
        Which layers, which quantity, in which unit and CRS, with which tolerance.

    When it does not apply
        Which sites do not have this question.

    How to fix
        What the person who made the map does next.

    References
        The clause, and the standard or paper behind the measure.
    """
    yield Skip(f"{{site.name}}: {code} does not look at anything yet")
'''

TEST = '''"""{code}: {words}."""

from __future__ import annotations

from sitemap.rules.{name} import {name} as rule
from tests.clean_site import clean_site, faults_of, passes


def test_passes_on_the_clean_site() -> None:
    assert passes(rule, clean_site())


def test_found_when_one_thing_is_changed() -> None:
    (fault,) = faults_of(rule, clean_site())
    assert fault.message


# Still to write: test_at_the_limit_..., test_just_over_..., test_not_applicable_...,
# test_skipped_... ; a kind that makes no sense goes into NO_CASE with its reason.
'''

LAYER = """# What the role is, and which words of the ordinance ask for it.
role = "{name}"
title = "{title}"
description = "One sentence that a GIS technician understands."
items = ["a"]
geometry = ["polygon"]
presence = "declarable"
many = false
id_field = "id"
file_names = ["{spaced}"]
draw_order = 50
legend = "{title}"

[fields.id]
title = "Id"
aliases = ["no", "number", "label"]

[symbol]
ink = "#4d4d4d"
weight_pt = 0.7
label = "{{id}}"
"""


def family_of(name: str) -> str | None:
    """The family of a fault by the words of its name; None when no word tells."""
    words = set(name.split("_"))
    return next((f for f, known in FAMILY_WORDS.items() if words & set(known)), None)


def next_code(family: str, root: Path) -> str:
    """The next number that the family never used."""
    pattern = re.compile(rf'@rule\(\s*"{family}(\d{{3}})"')
    texts = (p.read_text(encoding="utf-8") for p in (root / "sitemap" / "rules").glob("*.py"))
    used = [int(number) for text in texts for number in pattern.findall(text)]
    return f"{family}{max(used, default=0) + 1:03d}"


def write_rule(name: str, family: str | None, root: Path) -> list[str]:
    """Write rule and test; returns what is left to do. ValueError says what is wrong."""
    chosen = (family or family_of(name) or "").upper()
    if chosen not in FAMILY_WORDS:
        raise ValueError(f"no family for {name!r}; give FAMILY=, one of {', '.join(FAMILY_WORDS)}")
    code, words = next_code(chosen, root), name.replace("_", " ")
    facts = {"code": code, "name": name, "words": words}
    _write(root / "sitemap" / "rules" / f"{name}.py", RULE.format(**facts))
    _write(root / "tests" / "rules" / f"test_{name}.py", TEST.format(**facts))
    return [
        f"add {name} to sitemap/rules/__init__.py, in the order of the families",
        f'add "{code}" to the rules of its clause in sitemap/ordinances/wi-nr152-appa.toml',
        "measure in sitemap/measures/, compare and word in the rule, write the six cases",
        "make docs check",
    ]


def write_layer(name: str, root: Path) -> list[str]:
    """Write the role's TOML; returns what is left to do."""
    spaced = name.replace("_", " ")
    text = LAYER.format(name=name, title=spaced.capitalize(), spaced=spaced)
    _write(root / "layers" / f"{name}.toml", text)
    return [
        f'add "{name}" to ROLE_ORDER in sitemap/catalogue.py, where it stands in the rule book',
        "fill in fields, aliases, symbol; layers/README.md explains every key",
        "make docs check; then draw a plate with it, and look",
    ]


def _write(path: Path, text: str) -> None:
    if path.exists():
        raise ValueError(f"{path} exists already and is not overwritten")
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")


def main() -> int:
    """Parse, write, say what is left to do."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["rule", "layer"])
    parser.add_argument("name", help="the fault or the role, in lower_case_words")
    parser.add_argument("--family", help="three letters, when the name does not tell")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to write into")
    given = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", given.name):
        print(f"{given.name!r}: write the name in lower_case_words", file=sys.stderr)
        return 2
    try:
        left = (
            write_rule(given.name, given.family, given.root)
            if given.what == "rule"
            else write_layer(given.name, given.root)
        )
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(f"next: {step}" for step in left))
    return 0


if __name__ == "__main__":
    sys.exit(main())
