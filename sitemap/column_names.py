"""How names of columns, files and values are compared: case, blanks, signs, cuts and suffixes.

Shapefiles keep ten characters of a column name; tools that meet two equal cuts write eight
characters and _1. Nothing here knows a role.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

DBF_NAME_LENGTH = 10  # dBASE III, and every shapefile since
_WORDS = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+")
_SUFFIX = re.compile(r"_\d{1,2}$")  # SHAPE_1, ELEV_2: a second column of the same name
_ID_LIKE = re.compile(
    r"(^|_)(o?id|fid|oid|gid|objectid|featureid|globalid|uuid|guid|handle|recno)(_?\d+)?$"
    r"|^shape_?(le|len|leng|length|ar|area)|^(perimeter|length|area)$"
)


@lru_cache(maxsize=16384)
def plain_name(text: str) -> str:
    """Lower case, letters and digits only: 'Ground_Elev ' and 'GROUND ELEV' are one name."""
    return "".join(char for char in text.casefold() if char.isalnum())


@lru_cache(maxsize=16384)
def name_words(text: str) -> tuple[str, ...]:
    """The words of a file, layer or column name: 'EX_2FT-Contours' -> ex, 2, ft, contours."""
    return tuple(word.lower() for word in _WORDS.findall(text))


@lru_cache(maxsize=16384)
def cuts(name: str) -> frozenset[str]:
    """Plain forms of a name cut to ten characters, written with _, or run together."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", name) if word]
    return frozenset(
        plain_name(joined[:DBF_NAME_LENGTH])
        for joined in ("_".join(words), "".join(words))
        if len(joined) > DBF_NAME_LENGTH
    )


@lru_cache(maxsize=16384)
def short_cuts(name: str) -> frozenset[str]:
    """Plain forms of a name cut to eight characters: what is left before a _1."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", name) if word]
    return frozenset(
        plain_name(joined[: DBF_NAME_LENGTH - 2])
        for joined in ("_".join(words), "".join(words))
        if len(joined) > DBF_NAME_LENGTH - 2
    )


@lru_cache(maxsize=16384)
def without_suffix(column: str) -> str:
    """The name without a _1 that a join or a shapefile writer added."""
    return _SUFFIX.sub("", column.strip())


@lru_cache(maxsize=16384)
def same_name(column: str, name: str) -> bool:
    """True when a user's column can be this name: equal, suffixed, or cut in either direction."""
    column = column.strip()
    bare = without_suffix(column)
    # GROUND_E_1: eight characters and a number fill the ten; FLDZONE__1 was cut behind a joint
    cut_twice = len(bare) == DBF_NAME_LENGTH - 2 and len(column) == DBF_NAME_LENGTH
    cut_at_joint = cut_twice and not bare[-1].isalnum()
    forms = {plain_name(column)} if cut_at_joint else {plain_name(column), plain_name(bare)}
    if plain_name(name) in forms or forms & cuts(name):
        return True
    was_cut = len(name.strip()) == DBF_NAME_LENGTH  # the catalogue may list the cut itself
    if was_cut and plain_name(name) in cuts(column):
        return True
    return cut_twice and plain_name(bare) in short_cuts(name)


@lru_cache(maxsize=16384)
def is_id_like(column: str) -> bool:
    """True for record numbers and geometry measures, which are never an elevation."""
    return bool(_ID_LIKE.search(column.strip().lower()))


def counts_a_coverage(column: str, columns: Sequence[str]) -> bool:
    """True for the CONTOUR_ beside a CONTOUR_ID: an ArcInfo coverage's CONTOUR# and CONTOUR-ID.

    Both number the records. A name that fills its ten characters was only cut at a joint.
    """
    bare = column.strip()
    if not bare.endswith("_") or len(bare) >= DBF_NAME_LENGTH:
        return False
    wanted = plain_name(bare) + "id"
    return any(plain_name(other) == wanted for other in columns)
