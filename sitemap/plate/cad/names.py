"""Names of CAD layers, blocks and layouts, as the National CAD Standard forms them.

Layers of roles stand in layers/*.toml; those of the sheet's own parts stand here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sitemap.catalogue import LayerSpec

NEATLINE, TITLE, WORDS, FILLS = "C-ANNO-NPLT", "C-ANNO-TTLB", "C-ANNO-TEXT", "C-ANNO-PATT"
SHEET_LAYERS = {  # of layers of the PDF that serve no role
    "Alphanumeric grid": "C-ANNO-GRID",
    "State Plane ticks": "C-ANNO-TICK",
    "Control": "V-CTRL-PNTS",
    "Match lines": "C-ANNO-MATC",
    "Findings": "C-ANNO-REVW",
}
_REFUSED = re.compile(r'[<>/\\":;?*|,=`\x00-\x1f]')  # in names of layouts, blocks and layers


def role_layer(spec: LayerSpec, key: str = "", status: str = "") -> str:
    """The layer of a role's style: its own where its type has a symbol, else the role's.

    status is the sign of a phase, which stands last.
    """
    own = spec.types[key].cad_layer if key in spec.types else ""
    if key == "index":
        own = spec.cad_index_layer
    name = own or spec.cad_layer or f"C-SITE-{four_letters(spec.role)}"
    return f"{name}-{status}" if status else name


def companion(layer: str, minor: str) -> str:
    """The layer of texts (TEXT) or patterns (PATT) that go with a layer; it keeps its status."""
    *groups, last = layer.split("-")
    return "-".join([*[*groups, last][:2], minor, *([last] if len(last) == 1 else [])])


def sheet_layer(title: str, taken: Iterable[str] = ()) -> str:
    """The layer of a part of the sheet, by the title of its layer in the PDF."""
    if title in SHEET_LAYERS:
        return SHEET_LAYERS[title]
    name = f"C-ANNO-{four_letters(title)}"
    used = set(taken)
    number = 2
    while name in used:
        name = f"C-ANNO-{four_letters(title)[:3]}{number}"
        number += 1
    return name


def four_letters(words: str) -> str:
    """A word of four letters that stands for others: first letter, then consonants."""
    letters = re.sub(r"[^A-Z]", "", words.upper())
    short = letters[:1] + re.sub(r"[AEIOU]", "", letters[1:])
    return (short + letters[1:] + "XXXX")[:4] if len(short) < 4 else short[:4]


def plain_name(words: str) -> str:
    """A name without the signs that CAD refuses, of at most 255 letters."""
    return _REFUSED.sub("-", words).strip()[:255] or "SHEET"
