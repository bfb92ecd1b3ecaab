"""What a drawing for CAD holds of a set: sheets, phases, notes, pictures beside it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import ezdxf
import numpy as np
import pytest
import shapely
from PIL import Image as Picture

from sitemap.errors import PlateError
from sitemap.ordinance import load_ordinance
from sitemap.plate.cad.document import write_dxf
from sitemap.plate.marks import SheetMarks
from sitemap.plate.one_map import compose_one_map
from sitemap.plate.phase_sheets import compose_single
from tests.clean_site import clean_site, set_value, with_plate_wishes
from tests.plate.composed import NOW, compose_sheet, sheet
from tests.plate.long_sites import road_corridor
from tests.plate.test_cad import (
    assert_shows,
    on_model,
    views,
    written,
)


@lru_cache(maxsize=1)
def road_set() -> tuple[SheetMarks, ...]:
    from sitemap.measures.sheets import sheet_layout
    from sitemap.plate.numbering import number_sheets
    from sitemap.plate.plan import plan_sheets
    from sitemap.plate.sheet_set import compose_set

    site, pack, layout = road_corridor(), load_ordinance("muskego"), sheet_layout("ARCH D")
    plan = plan_sheets(site, pack, layout, "auto", 20.0)
    lock, _, free = number_sheets("C-501", plan.centres_ft, plan.reach_ft, None)
    return compose_set(site, pack, layout, plan, lock, free, now=NOW).sheets


def test_a_set_has_a_layout_for_each_sheet_over_one_model(tmp_path: Path) -> None:
    sheets, site = road_set(), road_corridor()
    doc = ezdxf.readfile(written(tmp_path, *sheets, site=site))
    assert not doc.audit().has_issues
    assert doc.layouts.names_in_taborder() == ["Model", *(one.number for one in sheets)]
    maps = [one for one in sheets if one.kind == "map"]
    assert len(maps) > 2
    for one in sheets:
        shown = views(doc, one.number)
        assert len(shown) == (one.kind == "map")
        if shown:
            assert shown[0].dxf.view_twist_angle == pytest.approx(20.0)
            assert_shows(shown[0], one.frames[0])
    # the fence runs over all sheets and is one line in the model, as it was handed in
    lines = [e for e in on_model(doc, "C-EROS-SILT") if e.has_xdata("SITEMAP")]
    meant = site.layers["controls"].usable.geometry.iloc[0]
    assert len(lines) == 1
    assert shapely.LineString(lines[0].vertices()).hausdorff_distance(meant) < 0.002
    # where sheets overlap a label stands once
    places = [one.dxf.insert for one in doc.modelspace().query("MTEXT") if one.text == "IN-4"]
    assert len(places) == 1


def test_phases_have_layers_of_their_own_and_each_view_its_own_phase(tmp_path: Path) -> None:
    site = clean_site()
    rows = range(len(site.layers["controls"].frame))
    for row in rows:
        site = set_value(site, "controls", row, "phase", "final" if row == 0 else "initial")
    only = str(site.layers["controls"].usable["id"].iloc[0])
    site = with_plate_wishes(site, phases="sheets")
    sheets = compose_single(site, load_ordinance("muskego"), sheet="ARCH D", scale="auto", now=NOW)
    doc = ezdxf.readfile(written(tmp_path, *sheets, site=site))
    assert not doc.audit().has_issues
    first, last = (views(doc, one.number)[0] for one in sheets if one.kind == "map")
    # initial controls stand to the last phase, so the one of the final phase alone is apart
    late = {e.dxf.layer for e in doc.modelspace() if (1000, f"id={only}") in xdata(e)}
    assert len(late) == 1
    (layer,) = late
    assert layer.endswith("-2")
    assert first.is_frozen(layer)
    assert not last.is_frozen(layer)
    assert "phase: final" in doc.layers.get(layer).description
    # a label stands for each view, on layers that the other one hides
    labels = {e.dxf.layer for e in doc.modelspace().query("MTEXT") if e.text == "820"}
    assert labels == {"V-TOPO-TEXT-1", "V-TOPO-TEXT-2", "C-TOPO-TEXT-1", "C-TOPO-TEXT-2"}
    for view, mine, others in ((first, "1", "2"), (last, "2", "1")):
        assert view.is_frozen(f"V-TOPO-TEXT-{others}")
        assert not view.is_frozen(f"V-TOPO-TEXT-{mine}")
        assert not view.is_frozen("V-TOPO-MINR")


def xdata(entity) -> list:
    return list(entity.get_xdata("SITEMAP")) if entity.has_xdata("SITEMAP") else []


def test_what_has_no_map_is_refused(tmp_path: Path) -> None:
    notes = replace(sheet(), kind="notes", frames=(), map_span=(0, 0, 0))
    with pytest.raises(PlateError, match="needs a map sheet"):
        written(tmp_path, notes)
    assert not list(tmp_path.iterdir())


def test_a_notes_sheet_is_a_layout_without_a_viewport(tmp_path: Path) -> None:
    small = compose_one_map(
        clean_site(), load_ordinance("muskego"), sheet="ANSI B", scale=100, now=NOW
    )
    doc = ezdxf.readfile(written(tmp_path, *small))
    assert len(small) > 1
    assert [len(views(doc, one.number)) for one in small] == [1] + [0] * (len(small) - 1)


@pytest.mark.parametrize("rotation_deg", [0.0, 30.0])
def test_pictures_lie_on_the_ground_with_their_files_beside_the_drawing(
    tmp_path: Path, rotation_deg: float
) -> None:
    site = with_plate_wishes(clean_site(), underlay="relief")
    one = compose_sheet(site, sheet="ARCH D", now=NOW, rotation_deg=rotation_deg)
    path = tmp_path / "plate.dxf"
    (file,) = write_dxf(site, [one], path, NOW)
    assert file == tmp_path / f"plate.{one.number}.relief.jpg"
    doc = ezdxf.readfile(path)
    assert not doc.audit().has_issues
    (image,) = doc.query("IMAGE")
    assert image in list(doc.modelspace())[:1]  # under everything else
    assert image.image_def.dxf.filename == file.name  # no folder: both can be moved
    with Picture.open(file) as picture:
        assert picture.size == tuple(image.image_def.dxf.image_size.vec2)
    width, height = picture.size
    across, up = np.array(image.dxf.u_pixel)[:2] * width, np.array(image.dxf.v_pixel)[:2] * height
    corner = np.array(image.dxf.insert)[:2]
    corners = [corner, corner + up, corner + up + across, corner + across]
    assert np.array(corners) == pytest.approx(one.frames[0].corners_ft, abs=1e-3)


def test_a_plate_without_an_underlay_has_no_picture(tmp_path: Path) -> None:
    assert write_dxf(clean_site(), [sheet()], tmp_path / "plain.dxf", NOW) == ()
    assert [one.name for one in tmp_path.iterdir()] == ["plain.dxf"]
