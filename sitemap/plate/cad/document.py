"""The DXF of a plate: written under a temporary name, audited, the same bytes each time.

AutoCAD 2018 format, which carries true colours and GEODATA. Model space holds the site in the
coordinates of its CRS; a layout for each sheet holds the paper in inches.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import ezdxf
import shapely
from ezdxf.document import Drawing
from ezdxf.tools.juliandate import juliandate
from shapely.geometry.base import BaseGeometry

from sitemap.errors import PlateError
from sitemap.measures.phases import site_phases
from sitemap.outputs import refuse_inputs, written_in_place
from sitemap.plate.cad.features import FeatureSketch
from sitemap.plate.cad.geodata import INSUNITS, georeference
from sitemap.plate.cad.ground import Ground
from sitemap.plate.cad.layouts import SheetLayouts
from sitemap.plate.cad.phasing import Phasing
from sitemap.plate.cad.pictures import Pictures, attach_pictures, pictures_of
from sitemap.plate.cad.sketch import Sketch
from sitemap.plate.cad.tags import APP_ID
from sitemap.plate.clip import GeometryArray, to_paper
from sitemap.plate.compose import NOT_DRAWN, interval_in_force
from sitemap.plate.downhill import OnPaper, fall_of
from sitemap.plate.marks import SheetMarks
from sitemap.site import Site

VERSION = "R2018"
POINT_SIGN, POINT_SIZE_IN = 2, 0.08  # a cross, for control points
CONTROL_LAYER = "V-CTRL-MARK"  # not printed: the crosses stand on the sheets


def write_dxf(
    site: Site, sheets: Sequence[SheetMarks], path: Path, now: dt.date
) -> tuple[Path, ...]:
    """Write the sheets of a plate, and the ground that they show, as DXF; what lies under the map
    as a picture goes into files beside it, which are handed back.

    now is the only date in the file. PlateError when the finished drawing does not pass the
    audit, or has no map sheet; UsageError when it or a picture cannot be written.
    """
    maps = [sheet for sheet in sheets if sheet.kind == "map"]
    if not maps:
        raise PlateError("a drawing for CAD needs a map sheet, and none was composed")
    pictures = pictures_of(maps, path)
    for file in pictures:
        refuse_inputs(file, site.input_files)
    ground = Ground(tuple(sheet.frames[0] for sheet in maps))
    with _without_clock():
        text = _drawn(site, sheets, ground, pictures)
    with ExitStack() as stack:  # all of it or nothing
        for file, (_, picture) in pictures.items():
            stack.enter_context(written_in_place(file)).write_bytes(picture.jpeg)
        whole = stack.enter_context(written_in_place(path))
        whole.write_bytes(_dated(text, now).encode("utf-8", errors="dxfreplace"))
    return tuple(pictures)


def _drawn(site: Site, sheets: Sequence[SheetMarks], ground: Ground, pictures: Pictures) -> str:
    """The whole drawing, audited, as text."""
    doc = ezdxf.new(VERSION, units=INSUNITS[site.foot])
    sketch = Sketch(doc, ground.frame.feet_per_inch)
    _settings(doc, ground)
    if site.crs is not None:
        georeference(doc, ground.middle_ft, site.crs, site.foot)
    attach_pictures(sketch, pictures)
    phasing = Phasing(site_phases(site))
    _features(site, sketch, ground, phasing)
    layouts = SheetLayouts(sketch, site.catalogue.specs, phasing)
    for sheet in sheets:
        layouts.add(sheet)
        if sheet.kind == "map":
            _control(sketch, sheet)
    layouts.freeze()
    auditor = doc.audit()
    found = [*auditor.errors, *auditor.fixes]
    if found:
        raise PlateError(f"the drawing for CAD failed its audit: {found[0].message}")
    doc.classes.add_required_classes(doc.dxfversion)
    # ezdxf goes through a set here, whose order differs from run to run
    doc.classes.classes = dict(sorted(doc.classes.classes.items()))
    stream = io.StringIO()
    doc.write(stream)
    return stream.getvalue()


def _settings(doc: Drawing, ground: Ground) -> None:
    """Feet, line types for the scale of the sheets, and the site in the middle of the screen."""
    doc.appids.add(APP_ID)
    doc.header["$MEASUREMENT"] = 0
    doc.header["$LUNITS"] = 2
    doc.header["$LUPREC"] = 4
    doc.header["$LTSCALE"] = ground.frame.feet_per_inch
    doc.header["$PSLTSCALE"] = 0  # dashes have the length of paper at the scale of the sheets
    doc.header["$PDMODE"] = POINT_SIGN
    doc.header["$PDSIZE"] = POINT_SIZE_IN * ground.frame.feet_per_inch
    left, bottom, right, top = ground.shape.bounds
    doc.set_modelspace_vport(height=(top - bottom) * 1.05, center=ground.middle_ft)
    space = doc.modelspace()
    space.reset_extents((left, bottom, 0.0), (right, top, 0.0))
    space.reset_limits((left, bottom), (right, top))


def _features(site: Site, sketch: Sketch, ground: Ground, phasing: Phasing) -> None:
    def on_paper(shapes: GeometryArray) -> OnPaper:
        lines, owner = ground.lines(shapes)
        return to_paper(lines, ground.frame), owner

    drawer = FeatureSketch(
        sketch, sketch.doc.modelspace(), ground, fall_of(site, on_paper), interval_in_force(site),
        phasing, _cleared(site),
    )  # fmt: skip
    for spec in sorted(site.catalogue.specs, key=lambda one: one.draw_order):
        layer = site.role(spec.role)
        if layer is not None and spec.role not in NOT_DRAWN:
            drawer.role(spec, layer)


def _cleared(site: Site) -> BaseGeometry | None:
    """The disturbed ground, in one piece."""
    layer = site.role("disturbance")
    if layer is None or layer.usable.empty:
        return None
    shapes = shapely.make_valid(shapely.force_2d(layer.shapes))
    joined: BaseGeometry = shapely.union_all(shapes)
    return joined


def _control(sketch: Sketch, sheet: SheetMarks) -> None:
    """The control crosses of a sheet as points with their exact coordinates."""
    layer = sketch.layer(CONTROL_LAYER, note="Control points of the sheets; not printed")
    sketch.doc.layers.get(layer).dxf.plot = 0
    for x, y in sheet.control_ft:
        sketch.doc.modelspace().add_point((x, y, 0.0), dxfattribs={"layer": layer})


@contextmanager
def _without_clock() -> Iterator[None]:
    """Ezdxf writes a fixed day and id instead of clock and random numbers while the block runs."""
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before


def _dated(text: str, now: dt.date) -> str:
    """The day of the run in place of ezdxf's fixed one, and an id that follows from the content."""
    head, mark, rest = text.partition("ENDSEC")
    day = juliandate(dt.datetime(now.year, now.month, now.day))
    digest = hashlib.sha256(rest.encode("utf-8", errors="replace")).hexdigest()[:32]
    head = re.sub(r"(\$TDU?(?:CREATE|UPDATE)\n *40\n)[^\n]*", rf"\g<1>{day}", head)
    own = f"{{{str(uuid.UUID(digest)).upper()}}}"
    head = re.sub(r"(\$(?:FINGERPRINT|VERSION)GUID\n *2\n)[^\n]*", rf"\g<1>{own}", head)
    return head + mark + rest
