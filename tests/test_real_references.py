"""Real public layers as references: recognised, read by window, found where nothing is drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import geopandas
import numpy as np
import pyogrio
import pytest
import shapely

from sitemap.check import check_site
from sitemap.crs import choose_site_crs, to_crs
from sitemap.intake.reference import with_reference
from sitemap.intake.reference_store import Wanted
from sitemap.ordinance import load_ordinance
from sitemap.site import RoleLayer, Site
from tests.clean_site import NOW, clean_site, layer_frame

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.filterwarnings("ignore:Measured"),  # of this module's own look into the files
]

HYDRO = "1-midwest/madison-nhdplus-wi/sample_natseamless.gpkg"
CASES = {  # data: layer, record in the middle of the site, class, rule that must find it undrawn
    HYDRO: ("NHDFlowline_Network", 100, "streams", "HYD001"),
    f"{HYDRO}#NHDWaterbody": ("NHDWaterbody", 3, "waterbodies", "HYD001"),
    "1-midwest/tyler-forks-wi/NHDPlus/NHDSnapshot/Hydrography/NHDFlowline.shp": (
        None, 40, "streams", "HYD001",
    ),
    "2-real-us/neversink-nhdplus-hr-ny/NHDPlus_HR_1.gdb": ("NHDFlowline", 60, "streams", "HYD001"),
    "2-real-us/mecklenburg-nc/wetlands.geojson": (None, 12, "wetlands", "WET001"),
    "2-real-us/delmarva-wetlands-md/wetlands.shp": (None, 100, "wetlands", "WET001"),
    "2-real-us/harris-nfhl-tx/fema_flood_zones.geojson": (None, 30, "floodplain", "FLD001"),
    "2-real-us/mesa-verde-ssurgo-nhd-co/Flowline_layer.fgb": (None, 50, "streams", "HYD001"),
}  # fmt: skip


def site_around(path: Path, layer: str | None, record: int) -> tuple[Site, geopandas.GeoDataFrame]:
    """A site of 600 by 600 ft over one real feature, with nothing drawn; and all the features."""
    info = pyogrio.read_info(path, layer=layer)
    _, _, wkb, _ = pyogrio.raw.read(path, layer=layer, columns=[])
    shapes = shapely.force_2d(shapely.from_wkb(wkb, on_invalid="ignore"))
    shapes = shapes[~shapely.is_missing(shapes)]
    frame = geopandas.GeoDataFrame(geometry=shapes, crs=info["crs"])
    crs = choose_site_crs(frame.crs, tuple(frame.total_bounds.tolist()))[0]
    moved = to_crs(frame, crs)[0]
    middle = moved.geometry.make_valid().iloc[record].representative_point()
    boundary = middle.buffer(300.0, cap_style="square")
    given = layer_frame("boundary", {"geometry": [boundary], "name": ["real"]}, crs=crs)
    bare = replace(
        clean_site(),
        crs=crs,
        layers={"boundary": RoleLayer("boundary", given, ())},
        datasets=(),
        project=clean_site().project.model_copy(update={"declared_none": {}}),
    )
    return bare, moved


@pytest.mark.parametrize("name", CASES)
def test_a_real_layer_is_read_by_window_and_found_undrawn(name: str, shared_data: Path) -> None:
    layer, record, role, rule = CASES[name]
    path = shared_data / name.split("#", maxsplit=1)[0]
    site, features = site_around(path, layer, record)
    found = with_reference(site, [Wanted(str(path), layer=layer)]).reference
    assert found.unread == ()
    (read,) = found.of(role)
    assert found.window is not None
    near = features.geometry.make_valid()
    near = near[near.intersects(found.window)]
    assert sum(len(one) for one in found.layers) == len(near)  # none lost, none too many
    apart = shapely.hausdorff_distance(
        shapely.union_all(read.frame.geometry.to_numpy()),
        shapely.union_all(near.intersection(found.window).to_numpy()),
    )
    if len(read) == len(near):
        assert apart < 1.0
    checked = check_site(
        replace(site, reference=found), load_ordinance("muskego"), now=NOW, select=[rule]
    )
    (outcome,) = [o for o in checked.outcomes if o.rule == rule]
    assert outcome.trace is None, outcome.trace
    assert outcome.findings, (outcome.status, outcome.why)
    assert all(path.name in str(f.related[0]) for f in outcome.findings)


def test_every_real_container_is_sorted_without_a_fault(shared_data: Path) -> None:
    """All layers of the hydrography around a site: each is read, left out or refused, with why."""
    path = shared_data / HYDRO
    site, _ = site_around(path, "NHDFlowline_Network", 100)
    found = with_reference(site, [Wanted(str(path))]).reference
    names = {str(name) for name, _ in pyogrio.list_layers(path)}
    told = {layer.source.layer for layer in found.layers}
    told |= {name.rsplit("layer ", 1)[-1] for name in found.left_out}
    assert told == names
    assert found.of("streams")[0].source.rows == 267
    kinds = set(found.of("streams")[0].frame["kind"])
    assert kinds <= {"stream", "intermittent stream", "ditch", "path through water", "channel"}
    assert np.isfinite(shapely.bounds(found.of("streams")[0].frame.geometry.to_numpy())).all()
