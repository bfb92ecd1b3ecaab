"""A reference that can only be read whole, a Google Earth file: read once, then asked by window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from sitemap.crs import Bounds
from sitemap.errors import DatasetError
from sitemap.intake.discover import Found
from sitemap.intake.files import Workspace
from sitemap.intake.formats import KML
from sitemap.intake.geometry_detective import geometry_kinds
from sitemap.intake.kml import read_kml
from sitemap.intake.reference_files import own_path
from sitemap.intake.reference_roles import reference_catalogue
from sitemap.intake.reference_store import Head, Identity, Rows, identity_of_files
from sitemap.intake.roles import choose_role
from sitemap.intake.said_by_name import SaidByName
from sitemap.intake.vector import Given, Read
from sitemap.layer import Oddity, Unreadable

READ_WHOLE = "no spatial index: the file was read whole"


@dataclass(frozen=True, eq=False)
class KmlStore:
    """A KML or KMZ; its folders are its layers."""

    found: Found
    given: str
    name: str
    work: Workspace
    lost: list[Unreadable] = field(default_factory=list)
    driver: str = KML
    metadata: tuple[Path, ...] = ()
    _read: dict[str, Read] = field(default_factory=dict)

    @property
    def oddities(self) -> tuple[Oddity, ...]:
        """What reading noticed."""
        return tuple(note for one in self._read.values() for note in one.provenance.oddities)

    def heads(self) -> list[Head]:
        """Every folder that holds shapes; DatasetError where the file cannot be read."""
        if not self._read:
            says = SaidByName(reference_catalogue())
            read, failed = read_kml(self.found, self.work, _nothing_given, _kinds_taken, says)
            for reason in failed:
                raise DatasetError(self.name, reason.kind, reason.reason)
            self._read.update({one.provenance.layer: one for one in read})
        return [_head(layer, one) for layer, one in self._read.items()]

    def window(self, head: Head, columns: Sequence[str], bounds: Bounds) -> Rows:
        """The rows whose box meets the bounds."""
        frame = self._read[head.layer].frame
        shapes = frame.geometry.to_numpy()
        west, south, east, north = shapely.bounds(shapes).T
        meets = (west <= bounds[2]) & (east >= bounds[0])
        rows = np.flatnonzero(meets & (south <= bounds[3]) & (north >= bounds[1]))
        held = {name: frame[name].to_numpy()[rows] for name in columns}
        return Rows(held, shapely.to_wkb(shapes[rows]), rows)

    def matching(self, head: Head, column: str, values: Sequence[str]) -> Mapping[str, Any]:
        """Nothing: it holds no tables."""
        return {}

    def identity(self) -> Identity:
        """Of the user's own file."""
        return identity_of_files(dict.fromkeys(own_path(one) for one in self.found.entries))


def _nothing_given(file: str, layer: str) -> Given:
    return Given()


def _kinds_taken(file: str, layer: str) -> Sequence[str] | None:
    """The kinds of geometry of the role that a folder's name says."""
    role = choose_role(file, layer, (), (), reference_catalogue()).role
    return reference_catalogue()[role].geometry if role is not None else None


def _head(layer: str, read: Read) -> Head:
    frame = read.frame
    shapes = frame.geometry.to_numpy()
    geometry = frame.geometry.name
    box = tuple(float(value) for value in shapely.total_bounds(shapes))
    return Head(
        layer=layer,
        columns=tuple(c for c in frame.columns if c != geometry and not c.startswith("_")),
        kinds=geometry_kinds(shapes),
        crs=read.frame.crs.to_wkt() if read.frame.crs is not None else None,
        extent=box if np.isfinite(box).all() else None,  # type: ignore[arg-type]
        rows=len(frame),
        index=READ_WHOLE,
    )
