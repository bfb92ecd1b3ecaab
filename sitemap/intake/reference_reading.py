"""One layer of a reference: the rows of the window -> ReferenceLayer, by role, in the map's CRS.

Only records whose box meets the window's in the dataset's own CRS are read, through its spatial
index; a box is not trusted further: each is then tested against the window itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import geopandas
import numpy as np
import pandas
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.crs import (
    Bounds,
    Crs,
    Transformation,
    crs_label,
    moved_to,
    parse_crs,
    transform_points,
)
from sitemap.errors import DatasetError
from sitemap.intake.canonical import canonical_columns, texts
from sitemap.intake.columns import as_columns, geo_frame
from sitemap.intake.conversion import StatedUnit
from sitemap.intake.crs_detective import contradicts, understood
from sitemap.intake.fields import find_column, map_fields
from sitemap.intake.reference_dates import (
    Dated,
    date_columns,
    dated_by_columns,
    dated_by_metadata,
)
from sitemap.intake.reference_kinds import (
    CODE_COLUMNS,
    Kinds,
    flag_column,
    kinds_of_rows,
    plain_code,
)
from sitemap.intake.reference_roles import reference_catalogue, schema_of
from sitemap.intake.reference_store import Head, Store, Wanted
from sitemap.layer import SOURCE_FID, SOURCE_FILE, SOURCE_LAYER, USER_ID, RoleChoice
from sitemap.measures.cover import mended
from sitemap.reference import DOUBT, ReferenceLayer, ReferenceSource
from sitemap.units import LengthUnit

SIDE_PARTS = 8  # straight edges of the window are bent by a change of CRS
POINT_FT = 1.0  # around a single point, or points in a row, whose box has no area
KEY_COLUMNS = ("MUKEY",)  # by which tables of the soil survey belong to its polygons


@dataclass(frozen=True, eq=False)
class Reading:
    """One layer to be read: its store, its head, and what is known before."""

    store: Store
    head: Head
    wanted: Wanted
    choice: RoleChoice
    name: str
    window: BaseGeometry
    target: Crs

    def layers(self, heads: Sequence[Head]) -> list[ReferenceLayer]:
        """What the window holds, a layer for each role; also where it holds nothing.

        heads are all layers of the store, of which some may be tables to this one. DatasetError
        or CrsError with the reason where it cannot be read.
        """
        role = self.choice.role or ""
        bounds = self.bounds
        rows = self.store.window(self.head, self._columns, bounds)
        raw = self._joined(dict(rows.columns), heads)
        as_read = np.array(shapely.from_wkb(rows.wkb, on_invalid="ignore"), dtype=object)
        shapes, notes = _cut_shapes(as_read, bounds)
        spec = reference_catalogue()[role]
        fields = {n: c for n, c in self._fields(raw).items() if c in raw}
        frame = pandas.DataFrame(as_columns(raw), index=np.arange(len(shapes)))
        stated = (
            StatedUnit(LengthUnit.FOOT, "the reference") if role != "contours_existing" else None
        )
        made = canonical_columns(frame, as_read, spec, fields, stated)
        kinds = kinds_of_rows(role, raw, made.columns, reference_catalogue(), fields)
        near, moved, account = self._placed(shapes)
        notes = (*notes, *(str(o.message) for o in made.oddities))
        source = self._source(raw, heads)
        reach = self._reach(moved)
        return [
            ReferenceLayer(
                role=one,
                frame=self._frame(one, kinds, rows.fids, near, moved),
                source=ReferenceSource(**{**vars(source), "role": one}),
                window=self.window,
                reach=reach,
                transformation=account,
                notes=notes,
                stated=frozenset(fields),
            )
            for one in _roles(role, kinds, near)
        ]

    @cached_property
    def crs(self) -> Crs:
        """The dataset's own CRS: its own word, else that of site.toml. Never a guess."""
        if self.wanted.crs is not None:
            return parse_crs(self.wanted.crs)
        crs, why = understood(self.head.crs)
        if crs is None or not (crs.is_geographic or crs.is_projected):
            said = f" ({why[0].message})" if why else ""
            raise DatasetError(self.name, "crs", f"states no usable CRS{said}; {self._crs_cure}")
        wrong = contradicts(crs, self.head.extent) if self.head.extent is not None else None
        if wrong:
            raise DatasetError(self.name, "crs", wrong)
        return crs

    @property
    def _crs_cure(self) -> str:
        """What gives a dataset its CRS; site.toml names no database."""
        if self.store.driver == "PostGIS":
            return "give its shapes an SRID in the database (UpdateGeometrySRID)"
        return "add a .prj, or name it: [reference] crs in site.toml"

    @cached_property
    def bounds(self) -> Bounds:
        """The box of the window in the dataset's own CRS."""
        xy = shapely.get_coordinates(_with_more_corners(self.window))
        x, y = transform_points(xy[:, 0], xy[:, 1], self.target, self.crs)
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            words = f"the site cannot be brought into {crs_label(self.crs)}"
            raise DatasetError(self.name, "crs", words)
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def _reach(self, found: np.ndarray) -> BaseGeometry | None:
        """The part of the window within the extent that the dataset states and its features have.

        A stated extent may be too small: that of one point, or of a file that grew since.
        """
        if self.head.extent is None:
            return None
        box, extent = shapely.box(*self.bounds), shapely.box(*self.head.extent)
        if extent.contains(box):
            return self.window
        held = shapely.intersection(box, extent)
        parts: list[BaseGeometry] = []
        if len(found):
            parts.append(shapely.box(*shapely.total_bounds(found)))
        if held.area > 0:
            xy = shapely.get_coordinates(_with_more_corners(shapely.box(*held.bounds)))
            x, y = transform_points(xy[:, 0], xy[:, 1], self.crs, self.target)
            parts.append(shapely.Polygon(np.column_stack([x, y])))
        thick: list[BaseGeometry] = [
            shapely.buffer(one, POINT_FT) if one.area <= 0 else one for one in parts
        ]
        return shapely.intersection(shapely.union_all(thick), self.window)

    @property
    def _columns(self) -> list[str]:
        """The columns that are read: mapped fields, codes, dates and keys; no owner's name."""
        known = list(self.head.columns)
        wanted = [find_column(known, name) for name in (*CODE_COLUMNS, *KEY_COLUMNS)]
        wanted += [flag_column(known)] if self.choice.role == "floodplain" else []
        every = [*self.choice.field_map.values(), *date_columns(known), *filter(None, wanted)]
        return [name for name in known if name in set(every)]

    def _fields(self, raw: Mapping[str, Any]) -> dict[str, str]:
        """Columns behind the fields, those of joined tables with them."""
        role = self.choice.role or ""
        more = [name for name in raw if name not in self.head.columns]
        if not more:
            return self.choice.field_map
        return {
            **map_fields(list(raw), reference_catalogue()[role]).field_map,
            **self.choice.field_map,
        }

    def _joined(self, raw: dict[str, Any], heads: Sequence[Head]) -> dict[str, Any]:
        """With what the soil survey keeps in tables of its own: names and hydrologic groups."""
        key = find_column(list(raw), "MUKEY") if self.choice.role == "soils" else None
        if key is None or not len(raw[key]):
            return raw
        keys = [plain_code(v) for v in raw[key]]
        values = sorted(set(keys) - {""})
        for table in heads:
            column = find_column(table.columns, "MUKEY") if table.is_table else None
            if column is None or table.layer.lower() not in ("muaggatt", "mapunit"):
                continue
            held = self.store.matching(table, column, values)
            place = {plain_code(v): i for i, v in enumerate(held.get(column, ()))}
            rows = [place.get(v) for v in keys]
            for name, cells in held.items():
                if name not in raw and name.lower() in ("muname", "hydgrpdcd"):
                    raw[name] = np.array(
                        [None if i is None else cells[i] for i in rows], dtype=object
                    )
        return raw

    def _placed(self, shapes: np.ndarray) -> tuple[np.ndarray, np.ndarray, Transformation]:
        """Which rows lie in the window, and their shapes in the map's CRS, cut at its edge."""
        if not len(shapes):  # an operation is chosen by where the data lie
            around = np.array([shapely.box(*self.bounds)], dtype=object)
            account = moved_to(self.target, around, self.crs)[1]
            return np.array([], dtype=int), np.array([], dtype=object), account
        whole, account = moved_to(self.target, shapes, self.crs)
        near = np.flatnonzero(shapely.intersects(whole, self.window))
        inside = whole[near]
        over = ~shapely.covered_by(inside, self.window)
        inside[over] = mended(shapely.intersection(inside[over], self.window))
        return near, inside, account

    def _frame(
        self, role: str, kinds: Kinds, fids: np.ndarray, near: np.ndarray, moved: np.ndarray
    ) -> geopandas.GeoDataFrame:
        spec = reference_catalogue()[role]
        own = kinds.role[near] == role
        rows = near[own]
        table: dict[str, Any] = {}
        for name, known in spec.fields.items():
            blank = np.nan if known.type in ("number", "integer") else None
            values = kinds.columns.get(name)
            table[name] = (
                values[rows]
                if values is not None
                else np.full(len(rows), blank, dtype=None if blank is not None else object)
            )
        ids = table.get(spec.id_field or "")
        table[SOURCE_FILE] = np.full(len(rows), self.name, dtype=object)
        table[SOURCE_LAYER] = np.full(len(rows), self.head.layer, dtype=object)
        table[SOURCE_FID] = fids[rows]
        table[USER_ID] = (
            np.full(len(rows), None, dtype=object) if ids is None else texts(pandas.Series(ids))
        )
        table[DOUBT] = kinds.doubt[rows]
        return geo_frame(table, moved[own], self.target)

    def _of_panels(self, heads: Sequence[Head]) -> Dated:
        """When the flood map's panels around the site took effect: a layer beside its zones."""
        for head in heads if self.choice.role == "floodplain" else ():
            known = [find_column(head.columns, name) for name in ("FIRM_PAN", "EFF_DATE")]
            if all(known) and head.layer != self.head.layer:
                rows = self.store.window(head, [name for name in known if name], self.bounds)
                found = dated_by_columns(rows.columns)
                return replace(found, by=f"layer {head.layer}, {found.by}") if found.by else found
        return Dated()

    def _source(self, raw: Mapping[str, Any], heads: Sequence[Head]) -> ReferenceSource:
        dated = dated_by_columns(raw)
        if not dated.effective:
            panels = self._of_panels(heads)
            by = ", ".join(filter(None, [dated.by, panels.by]))
            dated = Dated(dated.edition, panels.effective, by)
        if not dated.effective:
            beside = dated_by_metadata(self.store.metadata)
            by = ", ".join(filter(None, [dated.by, beside.by]))
            dated = Dated(dated.edition or beside.edition, beside.effective, by)
        said = self.wanted
        if said.edition or said.effective:
            dated = Dated(
                said.edition or dated.edition, said.effective or dated.effective, "site.toml"
            )
        state = self.store.identity()
        return ReferenceSource(
            name=self.name,
            given=self.store.given,
            layer=self.head.layer,
            driver=self.store.driver,
            role=self.choice.role or "",
            reason=self.choice.reason,
            schema=schema_of(self.choice.role or "", self.head.columns),
            crs=crs_label(self.crs),
            edition=dated.edition,
            effective=dated.effective,
            dated_by=dated.by,
            sha256=state.sha256,
            bytes=state.bytes,
            modified=state.modified,
            rows=self.head.rows,
            index=self.head.index,
        )


def _roles(role: str, kinds: Kinds, near: np.ndarray) -> list[str]:
    """The role of the dataset, then others that some of its rows in the window serve."""
    others = [str(one) for one in kinds.role[near] if one and one != role]
    return list(dict.fromkeys([role, *others]))


def _with_more_corners(box: BaseGeometry) -> BaseGeometry:
    return shapely.segmentize(box, max(box.length / 4.0 / SIDE_PARTS, 1e-9))


def _cut_shapes(shapes: np.ndarray, bounds: Bounds) -> tuple[np.ndarray, tuple[str, ...]]:
    """The shapes, flat and mended, cut at the bounds; with a word on those that are none."""
    lost = shapely.is_missing(shapes) | shapely.is_empty(shapes)
    count = int(lost.sum())
    notes = (f"{count:,} records without a usable geometry are left out",) if count else ()
    shapes = shapes.copy()
    shapes[lost] = shapely.Point()  # stays in its row, meets nothing
    shapes = mended(shapes)
    flat = shapely.get_dimensions(shapes) > 0
    shapes[flat] = mended(shapely.clip_by_rect(shapes[flat], *bounds))  # a giant is cut here
    return shapes, notes
