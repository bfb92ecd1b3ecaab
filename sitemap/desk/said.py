"""What the check says, for the desk: findings with their evidence, clauses with their questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.checked import CheckedSite, ClauseLine
from sitemap.desk.drawn_layers import CONTOURS, DrawnLayer
from sitemap.desk.shapes import Origin, exploded, packed, simplified
from sitemap.finding import Confirmation, Finding, JsonDict, Place, Source
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER
from sitemap.report.faults import usable_geometry
from sitemap.report.finding_words import finding_facts
from sitemap.report.laws import broken_clauses, judgements_of
from sitemap.report.styles import LOOKS, WAIVED
from sitemap.report.words import plain, rule_words, severity_words
from sitemap.site import Site

MOST_VERTICES = 5_000  # of one drawing on the page
COARSER_FT = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 20.0)
MOST_EVIDENCE = 40  # features named beside one finding
TOUCHES_FT = 1.0

Feature = tuple[str, int]  # role, and number of the feature among those that can be drawn


class Evidence:
    """Which drawn features a finding speaks of: those it names, and the contours at its edge."""

    def __init__(self, site: Site, layers: Sequence[DrawnLayer]) -> None:
        self._site = site
        self._roles = {layer.role for layer in layers}
        self._known: dict[tuple[str, str, int], Feature] = {}
        for role in self._roles:
            frame = site.layers[role].usable
            if SOURCE_FID in frame:
                keys = zip(frame[SOURCE_FILE], frame[SOURCE_LAYER], frame[SOURCE_FID], strict=True)
                for number, (file, layer, fid) in enumerate(keys):
                    self._known[str(file), str(layer or ""), int(fid)] = role, number

    def of(self, finding: Finding) -> list[Feature]:
        """Features of the submission, each once, named ones first."""
        found = [f for s in (finding.source, *finding.related) if (f := self._feature(s))]
        if finding.role in CONTOURS and finding.role in self._roles:
            fault = usable_geometry(finding)
            if fault is not None and not any(role == finding.role for role, _ in found):
                found += self._beside(finding.role, fault)
        return list(dict.fromkeys(found))[:MOST_EVIDENCE]

    def _feature(self, source: Source) -> Feature | None:
        if source.file is None or source.feature is None:
            return None
        return self._known.get((source.file, source.layer or "", source.feature))

    def _beside(self, role: str, fault: BaseGeometry) -> Iterator[Feature]:
        """The contours between which the fault lies: those that touch it."""
        shapes = self._site.layers[role].shapes
        near = shapely.dwithin(shapes, fault, TOUCHES_FT)
        yield from ((role, int(number)) for number in np.flatnonzero(near))


def finding_dicts(
    checked: CheckedSite,
    layers: Sequence[DrawnLayer],
    origin: Origin,
    most_vertices: int = MOST_VERTICES,
) -> list[JsonDict]:
    """All findings in the order of their numbers."""
    evidence = Evidence(checked.site, layers)
    return [
        {
            "number": number,
            "fingerprint": finding.fingerprint,
            "rule": finding.rule,
            "name": rule_words(finding.rule_name),
            "look": WAIVED.name if finding.waiver else LOOKS[finding.severity].name,
            "severity": severity_words(finding),
            "message": plain(finding.message),
            "citations": [plain(words) for words in finding.citations],
            "clauses": [f"{pack}:{clause}" for pack, clause in broken_clauses(checked, finding)],
            "facts": [[label, plain(words)] for label, words in finding_facts(finding)],
            "cell": plain(finding.place.cell) if finding.place and finding.place.cell else "",
            "role": finding.role or "",
            "at": _at(finding.place, origin),
            "shapes": drawing(usable_geometry(finding), origin, most_vertices),
            "features": [list(feature) for feature in evidence.of(finding)],
        }
        for number, finding in enumerate(checked.findings, start=1)
    ]


def drawing(
    shape: BaseGeometry | None, origin: Origin, most_vertices: int = MOST_VERTICES
) -> list[object]:
    """One geometry, packed by dimension; coarser where it has more vertices than can be seen."""
    if shape is None or shape.is_empty:
        return []
    for tolerance in COARSER_FT:
        if shapely.get_num_coordinates(shape) <= most_vertices:
            break
        shape = simplified(np.array([shape], dtype=object), tolerance)[0]
    parts, _ = exploded(np.array([shape], dtype=object))
    return [packed(part, origin) for part in parts]


def _at(place: Place | None, origin: Origin) -> list[object] | None:
    return None if place is None else packed(shapely.Point(place.x_ft, place.y_ft), origin)[1]


def clause_dicts(checked: CheckedSite, origin: Origin) -> list[JsonDict]:
    """Every clause of every law: what became of it, by what, and what a person must decide."""
    numbers = {id(f): n for n, f in enumerate(checked.findings, start=1)}
    several = len(judgements_of(checked)) > 1
    return [
        {
            "key": f"{line.ordinance or checked.ordinance.id}:{line.clause.id}",
            "ordinance": line.ordinance or checked.ordinance.id,
            "id": line.clause.id,
            "label": f"{line.ordinance} {line.clause.label}" if several else line.clause.label,
            "title": plain(line.clause.title),
            "citation": plain(line.clause.citation),
            "text": plain(line.clause.text, 4000),
            "onMap": line.clause.on_map,
            "status": line.status.value,
            "outcome": line.words,
            "evidence": [plain(words) for words in line.evidence[:16]],
            "findings": [numbers[id(f)] for f in line.findings],
            "person": list(_person(line, origin)),
        }
        for line in checked.clauses
    ]


def _person(line: ClauseLine, origin: Origin) -> Iterator[JsonDict]:
    """The questions of a clause, each with where to look; its standing question where none."""
    yield from (_question(item, origin) for item in _once(line.confirmations))
    if line.clause.person and not line.confirmations:
        yield {"question": plain(line.clause.person), "at": None, "shapes": [], "cell": ""}


def _once(items: Iterable[Confirmation]) -> list[Confirmation]:
    return list({(item.question, item.place): item for item in items}.values())


def _question(item: Confirmation, origin: Origin) -> JsonDict:
    cell = item.place.cell if item.place is not None else None
    return {
        "question": plain(item.question),
        "at": _at(item.place, origin),
        "shapes": drawing(item.geometry, origin),
        "cell": plain(cell) if cell else "",
    }
