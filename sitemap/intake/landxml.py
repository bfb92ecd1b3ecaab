"""LandXML -> a dataset for each surface, for pipes and structures of each network, and for what
is drawn: points, parcels, alignments, plan features, by what their names say.

Coordinates are northing, easting, height in the file's linear unit, as LandXML lays down. Heights
stay in that unit, which stands in the column height_unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np
import shapely

from sitemap.errors import DatasetError
from sitemap.intake.columns import frame_of
from sitemap.intake.discover import Found
from sitemap.intake.files import sha256_of
from sitemap.intake.formats import LANDXML
from sitemap.intake.geometry_detective import finite_bounds, geometry_oddities
from sitemap.intake.kinds_fitting import Takes, as_area, fitting, listed
from sitemap.intake.landxml_pipes import Network, network_of
from sitemap.intake.landxml_place import Placed
from sitemap.intake.landxml_stream import NotReadError, Stream
from sitemap.intake.landxml_surfaces import surface_shapes
from sitemap.intake.landxml_things import Drawn, drawn_things, places_of
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.titles import Says, Titled, dataset_names
from sitemap.intake.vector import GivenFor, Read
from sitemap.layer import Oddity, Provenance, RoleChoice, Unreadable

HEIGHT_UNIT = "height_unit"


@dataclass(eq=False)
class _Dataset:
    """What becomes one dataset. said: its role where the file itself says it."""

    name: str
    shapes: np.ndarray
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    said: RoleChoice | None = None
    curves: int = 0


@dataclass(frozen=True, eq=False)
class _File:
    """What all datasets of a file share."""

    found: Found
    place: Placed
    sha256: str
    notes: tuple[Oddity, ...]


def read_landxml(
    found: Found, given_for: GivenFor, takes: Takes, says: Says
) -> tuple[list[Read], list[Unreadable]]:
    """Every dataset of a LandXML file, or the reason why there is none.

    Faces marked invisible (i="1") are left out. A surface without faces comes as what it was to be
    made of: points, breaklines and contours.
    """
    stream = Stream()
    try:
        with found.main.open() as opened:
            stream.parser.ParseFile(opened)
    except DatasetError as error:
        return [], [Unreadable(found.name, error.kind, error.reason)]
    except NotReadError as error:
        return [], [Unreadable(found.name, "damaged", str(error))]
    except expat.ExpatError as error:
        return [], [Unreadable(found.name, "damaged", f"the XML is not well formed ({error})")]
    datasets, unreadable = _surfaces(found.name, stream)
    drawn, told = _drawn(found.name, stream, says)
    datasets += drawn
    notes = (*found.oddities, *told)
    if not datasets and not unreadable:
        return [], [Unreadable(found.name, "no_layers", _why_empty(notes))]
    _tell_apart(datasets)
    file = _File(found, Placed(stream.units, stream.crs), sha256_of(found.entries), notes)
    return [
        _layer(file, one, given_for, takes, first=number == 0)
        for number, one in enumerate(datasets)
    ], unreadable


def _surfaces(file: str, stream: Stream) -> tuple[list[_Dataset], list[Unreadable]]:
    """A dataset for each surface that holds anything, and why others cannot be read."""
    found: list[_Dataset] = []
    unreadable: list[Unreadable] = []
    for surface in stream.surfaces:
        try:
            shapes = surface_shapes(surface)
        except NotReadError as error:
            unreadable.append(Unreadable(file, "damaged", str(error), surface.name))
            continue
        if len(shapes):
            names = np.array([surface.name] * len(shapes), dtype=object)
            said = RoleChoice("elevation", "a surface in a LandXML file")
            found.append(_Dataset(surface.name, shapes, {"surface": names}, said))
    return found, unreadable


def _drawn(file: str, stream: Stream, says: Says) -> tuple[list[_Dataset], list[Oddity]]:
    """Datasets of what is drawn in plan, and what of the file is in none of them."""
    places = places_of(stream.things)
    made = drawn_things(file, stream.things, places, stream.units.get("areaUnit", ""), says)
    names = dataset_names(file, [Titled(one.path, one.name) for one in made.drawn], says)
    groups: dict[str, list[Drawn]] = {}
    for name, one in zip(names, made.drawn, strict=True):
        groups.setdefault(name, []).append(one)
    datasets = [
        _as_dataset(name, _typed(file, name, group, says)) for name, group in groups.items()
    ]
    broken, joints = made.broken, 0
    for thing in stream.things:
        if thing.element.tag == "PipeNetwork":
            unit = stream.units.get("diameterUnit", "")
            network = network_of(file, thing, places, unit, says)
            datasets += _of_network(network)
            broken += network.broken
            joints += network.joints
    return datasets, _left_out(stream, broken, joints)


def _typed(file: str, name: str, group: list[Drawn], says: Says) -> list[Drawn]:
    """Controls get the type that their own name says, else their dataset's."""
    role = says.role(file, name.rsplit("/", 1)[-1])
    for one in group:
        texts = (one.name, str(one.columns.get("desc") or ""))
        kind = next((kind for text in texts if (kind := says.kind(file, text, role))), None)
        if kind is not None:
            one.columns.setdefault("type", kind)
    return group


def _of_network(network: Network) -> Iterator[_Dataset]:
    for what, drawn, role in (
        ("pipes", network.pipes, network.role),
        ("structures", network.structures, network.structures_role),
    ):
        if drawn:
            said = RoleChoice(role, network.why)
            yield _as_dataset(f"{network.name} {what}", drawn, said)


def _as_dataset(name: str, drawn: Sequence[Drawn], said: RoleChoice | None = None) -> _Dataset:
    keys = dict.fromkeys(key for one in drawn for key in one.columns)
    made = ((key, _column([one.columns.get(key) for one in drawn])) for key in keys)
    columns = {key: values for key, values in made if values is not None}
    shapes = np.array([one.shape for one in drawn], dtype=object)
    if not np.nan_to_num(shapely.get_coordinates(shapes, include_z=True)[:, 2]).any():
        shapes = shapely.force_2d(shapes)  # heights of zero throughout are none
    return _Dataset(name, shapes, columns, said, sum(one.curved for one in drawn))


def _column(values: list[object]) -> np.ndarray | None:
    """Numbers as numbers, texts as texts; None for a column in which nothing stands."""
    known = [value for value in values if value not in (None, "")]
    if not known:
        return None
    if all(isinstance(value, float) for value in known):
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    return np.array([value if value != "" else None for value in values], dtype=object)


def _tell_apart(datasets: list[_Dataset]) -> None:
    """A number after a name that an earlier dataset of the file has."""
    taken: set[str] = set()
    for one in datasets:
        own, number = one.name, 1
        while one.name in taken:
            number += 1
            one.name = f"{own} ({number})"
        taken.add(one.name)


def _left_out(stream: Stream, broken: int, joints: int) -> list[Oddity]:
    found: list[Oddity] = []
    if joints:
        words = "where pipes only meet: no inlets, no manholes"
        found.append(
            odd("landxml_left_out", f"left out, {count_of(joints, 'null structure')}, {words}")
        )
    if stream.unread:
        found.append(odd("landxml_unread", f"no part of a plan, not read: {listed(stream.unread)}"))
    if broken:
        count = count_of(broken, "thing or piece", "things or pieces")
        words = "that make no shape: no numbers, or places that the file does not hold"
        found.append(odd("features_lost", f"{count} {words}"))
    return found


def _why_empty(notes: Sequence[Oddity]) -> str:
    said = "; ".join(one.message for one in notes)
    words = "it is LandXML, but holds no surface, and no pipes, points, parcels or lines either"
    return words + (f": {said}" if said else "")


def _layer(file: _File, one: _Dataset, given_for: GivenFor, takes: Takes, *, first: bool) -> Read:
    name, found = one.name, file.found
    given = given_for(found.name, name)
    notes: list[Oddity] = []
    shapes, columns = one.shapes, one.columns
    if one.said is None:
        shapes, columns = _settled(one, takes(found.name, name), notes)
    records = np.arange(len(shapes))
    crs, how, words = file.place.settled(given, finite_bounds(shapes))
    notes += words
    if one.curves:
        count = count_of(one.curves, "feature")
        notes.append(odd("curves_linearised", f"arcs and spirals of {count} drawn as short lines"))
    if one.said is not None and shapely.has_z(shapes).any():
        notes.append(odd("has_z", count_of(len(shapes), "shape") + " with heights"))
    elif one.said is None:
        notes += geometry_oddities(shapes, records, None, None)
    unit = file.place.height_unit
    symbol = unit.symbol if unit else None
    columns = {**columns, HEIGHT_UNIT: np.array([symbol] * len(shapes), dtype=object)}
    provenance = Provenance(
        file=found.name,
        layer=name,
        driver=LANDXML,
        encoding="utf-8",
        encoding_how="XML says it",
        crs_how=how,
        features_read=len(shapes),
        features_null=0,
        features_lost=0,
        sha256=file.sha256,
        oddities=(*(file.notes if first else ()), *notes),
    )
    return Read(frame_of(columns, shapes, records, crs), provenance, said=one.said)


def _settled(
    one: _Dataset, kinds: Sequence[str] | None, notes: list[Oddity]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Shapes of the kind that the role takes: closed lines are areas where it takes areas."""
    shapes = one.shapes
    if kinds and "polygon" in kinds and "line" not in kinds:
        shapes = np.array([as_area(shape) for shape in shapes], dtype=object)
    keep, left_out = fitting(shapes, kinds)
    if left_out:
        notes.append(odd("landxml_left_out", f"{left_out}: taken for labels and left out"))
    return shapes[keep], {name: values[keep] for name, values in one.columns.items()}
