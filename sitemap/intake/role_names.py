"""What the name of a file or layer says about its role: words, spelled as people spell them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Protocol

from sitemap.catalogue import Catalogue, LayerSpec, StrangerSpec
from sitemap.column_names import name_words

_SUFFIXES = re.compile(
    r"(\.(zip|shz|gdb|shp|gpkg|geojson(l|s|seq)?|ndjson|json|fgb|dxf|kml|kmz|tif|tiff|img|asc))+$",
    re.IGNORECASE,
)
_CONTAINERS = re.compile(r"\.(zip|shz|gdb|gpkg|dxf|kml|kmz|sqlite)$", re.IGNORECASE)
# National CAD Standard: discipline, major group, then minor groups
_CAD_STANDARD = re.compile(r"[A-Z]{1,2}-[A-Z]{3,4}(-|$)")
# groups of the National CAD Standard that hold what is written beside or laid over the features
DRAWN_ASIDE = re.compile(
    r"-(ANNO|PATT|TEXT|IDEN|DIMS|NOTE|LABL|SYMB|LEGN|KEYN|NPLT|TTLB|HTCH)(?:-|$)", re.IGNORECASE
)
_LONG_ENOUGH = 6  # letters of a phrase that is sought inside a longer word: "projectboundary"

_ABBREVIATION = 2  # letters: CB and DA are also other people's abbreviations

STATUS_WORDS = {
    "existing": frozenset(("existing", "exist", "ex", "exst", "eg", "og", "pre")),
    "proposed": frozenset(("proposed", "prop", "pr", "fg", "post", "finished", "final", "design")),
}
# Words that may stand beside existing or proposed in a folder's name without changing its sense.
_FOLDER_FILLERS = frozenset(
    ("condition", "conditions", "contour", "contours", "topo", "grade", "grades", "grading")
) | frozenset(
    ("ground", "development", "site", "plan", "gis", "cad", "data", "layer", "layers", "files")
)
# Words that say the form of a thing and not the thing: columns that say more overrule them.
FORM_WORDS = frozenset(("boundary", "boundaries", "bndy", "bdry", "bound"))
# Words for what is no longer there, or no longer holds. Only beside the thing: "historic wetlands",
# but not "historic mill wetlands", which lie at a historic mill.
PAST_WORDS = frozenset(
    ("historic", "historical", "former", "formerly", "abandoned", "superseded", "obsolete")
)
CONTOUR_WORDS = ("contour", "cont", "topo", "topography", "isoline", "isohypse")


@dataclass(frozen=True)
class NameHit:
    """One role (None: a known stranger) that a name speaks for. words: those of the name."""

    spec: LayerSpec | None
    stranger: StrangerSpec | None
    phrase: str
    words: frozenset[str]
    shown: str  # those words as the name has them
    where: str  # "file name", "layer name", "CAD layer"


def dataset_names(file: str, layer: str) -> tuple[tuple[str, str], ...]:
    """(where, name) from the most telling on.

    In a container the layer's own name comes before the file's; a file of one layer is known by
    its own name, since software invents the layer's.
    """
    name = PurePosixPath(file.replace("\\", "/")).name
    stem = _SUFFIXES.sub("", name)
    if not layer or layer == stem:
        return (("file name", stem),)
    if is_container(file):
        *folders, own = layer.split("/")  # as in a KML: the nearest folder says most
        above = tuple(("folder", one) for one in reversed(folders))
        told = (("file name", stem), ("file and layer", f"{stem} {layer}"))
        return (("layer name", own), *above, *told)
    return (("file name", stem), ("layer name", layer))


def is_container(file: str) -> bool:
    """True for files that hold many layers, whose own name says less than the layers' names."""
    return bool(_CONTAINERS.search(file))


class Shape(Protocol):
    """What the geometry allows; role_evidence.Dataset is one."""

    def fits(self, spec: LayerSpec | StrangerSpec) -> bool:
        """True when the role takes this geometry."""

    def possible(self, spec: LayerSpec) -> bool:
        """True when this geometry could be the role, drawn wrongly."""


def name_hits(file: str, layer: str, catalogue: Catalogue, shape: Shape) -> list[NameHit]:
    """The roles that the first telling name speaks for, each with its longest phrase.

    A name says its role even where the geometry does not fit it, so that the fault can be named;
    but a container's name, a stranger's and an abbreviation of two letters only where it fits.
    """
    for where, name in dataset_names(file, layer):
        words = name_words(name)
        own = not (is_container(file) and layer and where != "layer name")
        specs = [spec for spec in catalogue.specs if shape.possible(spec)]
        specs = [spec for spec in specs if own or shape.fits(spec)]
        strangers = [stranger for stranger in catalogue.strangers if shape.fits(stranger)]
        hits = [_best(spec, words, where, shape) for spec in specs]
        hits += [_best_stranger(stranger, words, where) for stranger in strangers]
        said = [hit for hit in hits if hit is not None]
        # V-WETL-BNDY is a wetland: in a name by the CAD standard the groups say more than a word
        if said and not _CAD_STANDARD.match(name):
            return said
        found = [hit for spec in specs if (hit := _cad_hit(spec, name, where))] or said
        if found:
            return found
    return []


class _AnyShape:
    """Of a file that could not be read, or a folder not looked into, nobody knows the geometry."""

    def fits(self, spec: LayerSpec | StrangerSpec) -> bool:
        return True

    def possible(self, spec: LayerSpec) -> bool:
        return True


ANY_SHAPE: Shape = _AnyShape()


def role_said_by_name(file: str, layer: str, catalogue: Catalogue) -> str | None:
    """The one role that the name of an unreadable file speaks for; None where several do."""
    hits = name_hits(file, layer, catalogue, ANY_SHAPE)
    most = max((len(hit.words) for hit in hits), default=0)
    best = [hit for hit in hits if len(hit.words) == most]
    return best[0].spec.role if len(best) == 1 and best[0].spec is not None else None


def _best(spec: LayerSpec, words: tuple[str, ...], where: str, shape: Shape) -> NameHit | None:
    if _said(spec.not_names, words):
        return None
    phrase = _longest(spec.file_names, words)
    if not phrase or (len(phrase) <= _ABBREVIATION and not shape.fits(spec)):
        return None
    return NameHit(spec, None, phrase, *_shown(words, phrase), where)


def _best_stranger(spec: StrangerSpec, words: tuple[str, ...], where: str) -> NameHit | None:
    phrase = _longest(spec.file_names, words)
    return NameHit(None, spec, phrase, *_shown(words, phrase), where) if phrase else None


def _cad_hit(spec: LayerSpec, name: str, where: str) -> NameHit | None:
    words = name_words(name)
    if _said(spec.not_names, words):
        return None
    for pattern in spec.cad_layers:
        # a free pattern begins at a word: "road" is not said by "railroad"
        if re.search(rf"(?<![A-Za-z])(?:{pattern})", name.strip(), re.IGNORECASE):
            return NameHit(spec, None, name.strip(), frozenset([name]), name.strip(), where)
    return None


def _shown(words: tuple[str, ...], phrase: str) -> tuple[frozenset[str], str]:
    said = said_words(words, phrase)
    return said, " ".join(word for word in dict.fromkeys(words) if word in said)


def _longest(phrases: Iterable[str], words: tuple[str, ...]) -> str:
    """The phrase that agrees with most words of the name, then the one of most letters."""
    said = _said(phrases, words)
    return max(said, key=lambda phrase: (len(said_words(words, phrase)), len(phrase)), default="")


def _said(phrases: Iterable[str], words: tuple[str, ...]) -> list[str]:
    """Those of many phrases that are said: most of them share neither word nor letters."""
    text = " ".join(words)
    return [
        phrase
        for phrase in phrases
        if _may_be_said(phrase, words, text) and said_words(words, phrase)
    ]


def _may_be_said(phrase: str, words: tuple[str, ...], text: str) -> bool:
    wanted, joined = _forms(phrase)
    return joined in text or bool(wanted and not wanted[0].isdisjoint(words))


def says(words: tuple[str, ...], phrase: str) -> bool:
    """True when the phrase is among the words of a name, in any order, plural forgiven."""
    return bool(said_words(words, phrase))


@lru_cache(maxsize=65536)
def said_words(words: tuple[str, ...], phrase: str) -> frozenset[str]:
    """The words of the name that make up the phrase; empty when it is not said.

    A phrase of six letters and more is also found run together at either end of a word.
    """
    wanted, joined = _forms(phrase)
    if wanted and not any(forms.isdisjoint(words) for forms in wanted):
        return frozenset(next(word for word in words if word in forms) for forms in wanted)
    if len(joined) < _LONG_ENOUGH:
        return frozenset()
    ends = (joined, joined + "s")
    return frozenset(w for w in words if w.startswith(joined) or w.endswith(ends))


@lru_cache(maxsize=16384)
def _forms(phrase: str) -> tuple[tuple[frozenset[str], ...], str]:
    """For each word of a phrase the words that say it, plural forgiven; and the words run together.

    A listed plural is meant: controls are no control points.
    """
    wanted = name_words(phrase)
    return tuple(_said_by(want) for want in wanted), "".join(wanted)


def _said_by(want: str) -> frozenset[str]:
    if len(want) < 3:
        return frozenset([want])
    plural = want[:-1] + "ies" if want.endswith("y") else want + "s"
    return frozenset([want, want + "s", want + "es", plural])


def says_contour(words: tuple[str, ...]) -> bool:
    """True when a name speaks of contours or topography."""
    return any(says(words, word) for word in CONTOUR_WORDS)


def said_past(hit: NameHit, file: str, layer: str) -> str:
    """The word beside a hit that says the thing is no longer there; empty where none does."""
    for _, name in dataset_names(file, layer):
        words = name_words(name)
        for before, after in pairwise(words):
            if before in PAST_WORDS and after in hit.words:
                return before
            if after in PAST_WORDS and before in hit.words:
                return after
    return ""


def folder_status(file: str) -> tuple[str, str] | None:
    """('existing', 'Existing Conditions') when a folder says nothing but existing or proposed."""
    for folder in reversed(PurePosixPath(file.replace("\\", "/")).parent.parts):
        words = set(name_words(folder))
        said = [status for status, known in STATUS_WORDS.items() if words & known]
        rest = words - _FOLDER_FILLERS - frozenset().union(*STATUS_WORDS.values())
        if len(said) == 1 and not rest:
            return said[0], folder
    return None
