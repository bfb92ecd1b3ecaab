"""Google Earth files (KML, KMZ) -> a dataset for each folder that says what it shows.

Folders stand in folders: a dataset is the nearest folder whose name says a role, else the one that
the placemark lies in; placemarks of a folder that says none are taken by what their own names say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.column_names import name_words
from sitemap.errors import DatasetError
from sitemap.intake.columns import frame_of
from sitemap.intake.crs_detective import settle_crs
from sitemap.intake.discover import Found
from sitemap.intake.files import Workspace, sha256_of, stem_of
from sitemap.intake.formats import KML
from sitemap.intake.geometry_detective import finite_bounds, geometry_oddities
from sitemap.intake.kinds_fitting import Takes, as_area, fitting, listed
from sitemap.intake.kml_columns import columns_of
from sitemap.intake.kml_folders import below, datasets_of
from sitemap.intake.kml_stream import NotKmlError, Placemark, Stream
from sitemap.intake.kml_text import texts_of
from sitemap.intake.oddities import count_of, odd
from sitemap.intake.role_names import says_contour
from sitemap.intake.titles import Says
from sitemap.intake.vector import GivenFor, Read
from sitemap.layer import Oddity, Provenance, Unreadable

CODE = "EPSG:4326"  # by the standard; no KML is in another system
_SHOWN, _LONGEST_SHOWN = 3, 120  # addresses, and characters of each


@dataclass(frozen=True, eq=False)
class _Opened:
    """A file that was read, with what all its datasets share."""

    found: Found
    stream: Stream
    says: Says
    sha256: str
    notes: tuple[Oddity, ...]


def read_kml(
    found: Found, work: Workspace, given_for: GivenFor, takes: Takes, says: Says
) -> tuple[list[Read], list[Unreadable]]:
    """Each dataset of a KML or KMZ, or why it cannot be read. No link in it is followed."""
    try:
        texts = texts_of(found, work)
    except DatasetError as error:
        return [], [Unreadable(found.name, error.kind, error.reason)]
    except NotKmlError as error:
        return [], [Unreadable(found.name, "damaged", str(error))]
    stream = texts.stream
    notes = (*found.oddities, *texts.notes, *_left_out(stream))
    groups = datasets_of(found.name, stream.placemarks, says)
    if not groups:
        return [], [Unreadable(found.name, "no_layers", _why_empty(notes))]
    opened = _Opened(found, stream, says, sha256_of(found.entries), notes)
    return [
        _layer(opened, name, marks, given_for, takes, first=number == 0)
        for number, (name, marks) in enumerate(sorted(groups.items()))
    ], []


def _left_out(stream: Stream) -> list[Oddity]:
    """What of the file is read for no dataset."""
    found: list[Oddity] = []
    if stream.cut:
        words = f"the XML breaks off or is damaged ({stream.cut}); what stands before it was read"
        found.append(odd("kml_recovered", words))
    if stream.unread:
        words = f"not followed or read: {listed(stream.unread)}; send what they show as files"
        to = ", ".join(href[:_LONGEST_SHOWN] for href in stream.outside[:_SHOWN])
        found.append(odd("kml_unread", f"{words}{'. The links lead to ' + to if to else ''}"))
    if stream.bare:
        words = f"left out, since they hold no shape: {count_of(stream.bare, 'placemark')}"
        found.append(odd("kml_left_out", words))
    broken = stream.broken + sum(mark.broken for mark in stream.placemarks)
    if broken:
        count = count_of(broken, "shape")
        found.append(odd("features_lost", f"{count} whose coordinates make none"))
    return found


def _as_drawn(marks: Sequence[Placemark]) -> list[Oddity]:
    """What of the placemarks of a dataset was taken otherwise than a reader may expect."""
    found: list[Oddity] = []
    unclosed = count_of(sum(mark.unclosed for mark in marks), "outline")
    if not unclosed.startswith("0 "):
        words = f"{unclosed} closed by a straight line: the last corner is not the first"
        found.append(odd("kml_ring_closed", words))
    uneven = count_of(sum(mark.uneven for mark in marks), "shape")
    if not uneven.startswith("0 "):
        words = f"altitudes of {uneven} left out, since they differ along it; send a surface as"
        found.append(odd("kml_heights", f"{words} a raster or LandXML"))
    hidden = sum(mark.hidden for mark in marks)
    if hidden:
        words = "switched off in the file (visibility 0), and read all the same"
        found.append(odd("kml_hidden", f"{count_of(hidden, 'placemark')} {words}"))
    return found


def _why_empty(notes: Sequence[Oddity]) -> str:
    said = "; ".join(one.message for one in notes)
    return "it holds no placemarks with a shape" + (f": {said}" if said else "")


def _layer(
    opened: _Opened, name: str, marks: list[Placemark], given_for: GivenFor, takes: Takes, *,
    first: bool,
) -> Read:  # fmt: skip
    found = opened.found
    given, kinds = given_for(found.name, name), takes(found.name, name)
    notes: list[Oddity] = []
    shapes = np.array([_one_of(mark.shapes, kinds) for mark in marks], dtype=object)
    labels = sum(len(mark.shapes) for mark in marks) - int(shapely.get_num_geometries(shapes).sum())
    if labels:
        words = (
            f"{count_of(labels, 'shape')} beside another of the same placemark: taken for labels"
        )
        notes.append(odd("kml_left_out", f"{words} and left out"))
    keep, left_out = fitting(shapes, kinds)
    if left_out:
        notes.append(odd("kml_left_out", f"{left_out}: taken for labels and left out"))
    marks = [mark for mark, kept in zip(marks, keep.tolist(), strict=True) if kept]
    shapes = shapes[keep]
    records = np.arange(len(shapes))
    crs, how, words_ = settle_crs(CODE, given.crs, None, finite_bounds(shapes), None)
    notes += [*_as_drawn(marks), *geometry_oddities(shapes, records, None, None), *words_]
    folders = [below(mark, name) for mark in marks]
    are_contours = says_contour(name_words(f"{stem_of(found.name)} {name}"))
    columns, said = columns_of(
        marks, folders, opened.stream.types, _kinds_said(opened, name, marks), are_contours
    )
    notes += said
    provenance = Provenance(
        file=found.name,
        layer=name,
        driver=KML,
        encoding=opened.stream.encoding or "utf-8",
        encoding_how="the XML says it" if opened.stream.encoding else "as XML is by itself",
        crs_how=how,
        features_read=len(shapes),
        features_null=0,
        features_lost=0,
        sha256=opened.sha256,
        oddities=(*(opened.notes if first else ()), *notes),
    )
    return Read(frame_of(columns, shapes, records, crs), provenance)


def _kinds_said(opened: _Opened, name: str, marks: Sequence[Placemark]) -> list[str]:
    """The type of control that each placemark's name, else its folder's, else its description
    says; "" for none.
    """
    file, says = opened.found.name, opened.says
    role = says.role(file, name)

    def said(mark: Placemark) -> str:
        texts = (mark.name, below(mark, name), mark.description[:_LONGEST_SHOWN])
        return next((kind for text in texts if (kind := says.kind(file, text, role))), "")

    return [said(mark) for mark in marks]


def _one_of(shapes: list[BaseGeometry], takes: Sequence[str] | None) -> BaseGeometry:
    """The shapes of a placemark as one: those of the most dimensions, closed lines as areas where
    the role takes areas and no lines.
    """
    if takes and "polygon" in takes and "line" not in takes:
        shapes = [as_area(shape) for shape in shapes]
    size = shapely.get_dimensions(shapes)
    kept = [shape for shape, own in zip(shapes, size.tolist(), strict=True) if own == size.max()]
    if len(kept) == 1:
        return kept[0]
    many = (shapely.multipoints, shapely.multilinestrings, shapely.multipolygons)
    made: BaseGeometry = many[int(size.max())](kept)  # type: ignore[assignment]
    return made
