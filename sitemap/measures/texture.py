"""Soil texture from the name of a map unit, in the three classes of WDNR standard 1063."""

from __future__ import annotations

import re

# SPS 325 App., 1063: the textures of each class
CLASSES = {
    "coarse": ("loamy sand", "sandy loam", "sand"),
    "medium": ("loam", "silt loam", "silt"),
    "fine": ("sandy clay", "silty clay", "silty clay loam", "clay loam", "clay"),
}
NOT_CLASSED = ("sandy clay loam",)  # the standard does not name it
SIZES = re.compile(r"\b(very|fine|coarse|gravelly|cobbly|stony|channery|mucky|medium)\b")


def texture_class(name: str | None) -> str | None:
    """'coarse', 'medium' or 'fine' for 'Hochheim silt loam, 2 to 6 percent slopes'; else None.

    The longest texture in the name before its first comma counts; sizes of sand and stones in it
    do not matter. Muck, water and made land have none.
    """
    words = " ".join(SIZES.sub(" ", (name or "").lower().split(",")[0]).split())
    known = {texture: kind for kind, all_of in CLASSES.items() for texture in all_of}
    for texture in sorted([*known, *NOT_CLASSED], key=len, reverse=True):
        if re.search(rf"\b{texture}\b", words):
            return known.get(texture)
    return None
