"""No traceback, no hang, a verdict each time: odd geometries, damaged files, hostile archives."""

from __future__ import annotations

import random
import shutil
import signal
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from sitemap import load_ordinances
from sitemap.check import check_site
from sitemap.checked import CheckedSite
from sitemap.drivers import ALLOWED, disable_drivers
from sitemap.errors import SitemapError
from sitemap.finding import Status, Verdict
from sitemap.fix import preview_fix
from sitemap.intake import archives
from sitemap.intake.assemble import open_site
from tests.clean_ground import CRS, EAST_FT, NORTH_FT, NOW
from tests.intake.makers import frame, write, zipped

LIMIT_S = 20  # for one submission; the slowest here takes less than one second
PACKS = load_ordinances("muskego")


class HangError(Exception):
    """A submission took longer than the limit."""


@contextmanager
def time_limit(seconds: int = LIMIT_S) -> Iterator[None]:
    """HangError in whatever runs longer; Python code only, which is what loops here."""
    if not hasattr(signal, "SIGALRM"):  # Windows
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HangError(f"still running after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def judged(submission: Path) -> CheckedSite | SitemapError:
    """The check of a submission, or the plain error; fails on a traceback of any rule."""
    with time_limit():
        try:
            site = open_site(submission)
        except SitemapError as error:
            return error
        checked = check_site(site, PACKS, now=NOW)
    traces = [f"{o.rule}: {o.trace}" for o in checked.outcomes if o.status is Status.FAILED]
    assert traces == []
    assert isinstance(checked.verdict, Verdict)
    for item in site.unreadable:
        assert item.reason
    return checked


# ----------------------------------------------------------------------------- odd geometries

NUMBERS = st.one_of(
    st.integers(-300, 900).map(float),
    st.sampled_from([0.0, -0.0, 1e-9, 0.5, float("nan"), float("inf"), -1e308, 1e12]),
)
START = (EAST_FT, NORTH_FT)  # a ring cannot begin at what is not equal to itself
PLACES = st.tuples(NUMBERS, NUMBERS).map(lambda xy: (EAST_FT + xy[0], NORTH_FT + xy[1]))


def rings(least: int = 3) -> st.SearchStrategy[list[tuple[float, float]]]:
    return st.lists(PLACES, min_size=least, max_size=7)


@np.errstate(all="ignore")  # GEOS may be given what it cannot measure; we must not be
def polygon(ring: list[tuple[float, float]], hole: list[tuple[float, float]] = ()) -> Polygon:
    """A polygon that shapely itself would refuse to make: infinite, collapsed, on itself."""
    holes = [shapely.linearrings([START, *hole, START])] if hole else None
    return shapely.polygons(shapely.linearrings([START, *ring, START]), holes)


@np.errstate(all="ignore")
def line(xy: list[tuple[float, float]]) -> LineString:
    return shapely.linestrings(xy)


SHAPES: st.SearchStrategy[BaseGeometry | None] = st.one_of(
    st.none(),
    PLACES.map(Point),
    rings(2).map(line),
    rings().map(polygon),
    st.tuples(rings(), rings()).map(lambda two: polygon(*two)),
    st.lists(rings().map(polygon), min_size=1, max_size=3).map(shapely.multipolygons),
    st.sampled_from(
        [Polygon(), Point(), LineString(), MultiPolygon(), shapely.GeometryCollection()]
    ),
)
ROLES = ("boundary", "disturbance", "wetlands", "controls", "contours_existing", "streams", "grid")


@settings(
    max_examples=25,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.generate],  # to shrink a failure takes minutes: take this out when one is there
)
@given(data=st.data())
def test_any_geometry_gets_a_verdict_and_a_plan_of_repair(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    lines = []
    for role in data.draw(st.lists(st.sampled_from(ROLES), min_size=1, max_size=3, unique=True)):
        shapes = data.draw(st.lists(SHAPES, min_size=1, max_size=4))
        made = gpd.GeoDataFrame(
            {"id": [f"X{n}" for n in range(len(shapes))],
             "elevation": np.linspace(800.0, 804.0, len(shapes))},
            geometry=shapes, crs=CRS,
        )  # fmt: skip
        with np.errstate(all="ignore"):
            write(made, folder / f"{role}.gpkg")
        lines.append(f'{role} = "{role}.gpkg"')
    (folder / "site.toml").write_text("[layers]\n" + "\n".join(lines), encoding="utf-8")
    checked = judged(folder)
    assert isinstance(checked, CheckedSite)
    with time_limit():
        account = preview_fix(checked.site, PACKS, unsafe=True, now=NOW)
    for layer in account.repairs.layers:
        rebuilt = [c for c in account.repairs.made if c.kind == "outline rebuilt"]
        assert len(layer.frame) == len(layer.origins)
        assert all(c.acres_before is None or c.acres_after is not None for c in rebuilt)


# ------------------------------------------------------------------------------ damaged files

BROKEN = "3-broken"
LARGEST_BYTES = 60_000
DAMAGES = 36
SUFFIXES = (".shp", ".dbf", ".shx", ".prj", ".gpkg", ".geojson", ".json", ".fgb", ".zip", ".tif")
ENTRIES = (".shp", ".gpkg", ".geojson", ".json", ".fgb", ".zip", ".tif")


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """Some bytes flipped, a piece cut out, the end cut off, or noise added."""
    data = bytearray(raw)
    way = chance.randrange(4)
    if way == 0:
        for _ in range(chance.choice((1, 4, 32))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == 1:
        return bytes(data[: chance.randrange(len(data))])
    elif way == 2:
        start = chance.randrange(len(data))
        del data[start : start + chance.randrange(1, 200)]
    else:
        head = min(len(data), 200)  # headers are where sizes and counts stand
        for _ in range(3):
            data[chance.randrange(head)] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))
    return bytes(data)


def families(folder: Path) -> list[list[Path]]:
    """Small real datasets with their companions, always in the same order."""
    found: dict[tuple[Path, str], list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        small = path.is_file() and 0 < path.stat().st_size <= LARGEST_BYTES
        if small and path.suffix.lower() in SUFFIXES:
            found.setdefault((path.parent, path.stem), []).append(path)
    return [family for family in found.values() if any(p.suffix.lower() in ENTRIES for p in family)]


@pytest.mark.real_data
@pytest.mark.parametrize("part", range(3))
def test_real_files_with_bytes_flipped_and_cut(
    part: int, shared_data: Path, tmp_path: Path
) -> None:
    chance = random.Random(20260504 + part)
    known = families(shared_data / BROKEN)
    assert len(known) > 100
    verdicts = errors = 0
    for number, family in enumerate(chance.sample(known, DAMAGES // 3)):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        for path in family:
            shutil.copyfile(path, folder / path.name)
        victim = folder / chance.choice(family).name
        victim.chmod(0o644)
        victim.write_bytes(damaged(victim.read_bytes(), chance))
        try:
            result = judged(folder)
        except Exception as error:
            error.add_note(f"{[str(p.name) for p in family]}, damaged {victim.name}")
            raise
        verdicts += isinstance(result, CheckedSite)
        errors += isinstance(result, SitemapError)
    assert verdicts + errors == DAMAGES // 3
    assert verdicts  # a folder is a submission, whatever is in it


@pytest.mark.real_data
def test_a_damaged_file_given_to_the_command_line_ends_with_words(
    shared_data: Path, tmp_path: Path
) -> None:
    """The whole process: no traceback on stderr, an exit code of the list, within the limit."""
    chance = random.Random(7)
    family = next(f for f in families(shared_data / BROKEN) if f[0].suffix == ".gpkg")
    target = tmp_path / family[0].name
    target.write_bytes(damaged(family[0].read_bytes(), chance))
    run = subprocess.run(
        [sys.executable, "-m", "sitemap.cli", "check", str(target), "--now", "2026-05-04"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode in (0, 1, 2, 3)
    assert "Traceback" not in run.stderr + run.stdout


# ---------------------------------------------------------------------------- hostile archives


def refused(path: Path) -> dict[str, tuple[str, str]]:
    """file -> (kind, reason) of what was refused, and nothing was read."""
    site = open_site(path)
    return {item.file: (item.kind, item.reason) for item in site.unreadable}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../../boundary.geojson", "leads upwards"),
        ("gis/../../boundary.geojson", "leads upwards"),
        ("..\\boundary.geojson", "leads upwards"),
        ("/etc/boundary.geojson", "absolute path"),
        ("C:\\maps\\boundary.geojson", "absolute path"),
        ("//server/share/boundary.geojson", "absolute path"),
    ],
)
def test_members_that_leave_the_archive_are_refused_by_name(
    name: str, words: str, tmp_path: Path
) -> None:
    write(frame(), tmp_path / "in" / "a.geojson")
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as out:
        info = zipfile.ZipInfo()
        info.filename = name
        out.writestr(info, (tmp_path / "in" / "a.geojson").read_bytes())
        out.write(tmp_path / "in" / "a.geojson", "good/roads.geojson")
    site = open_site(tmp_path / "evil.zip")
    (item,) = site.unreadable
    assert item.file == name.replace("\\", "/")
    assert item.kind == "unsafe_member"
    assert words in item.reason
    assert [d.provenance.file for d in site.datasets] == ["good/roads.geojson"]
    assert isinstance(judged(tmp_path / "evil.zip"), CheckedSite)


@pytest.mark.parametrize("header", [b"PK\x03\x04", b"PK\x01\x02"], ids=["member", "list"])
@pytest.mark.parametrize("ending", [".shp", ".cpg", ".dbf"])
def test_a_name_in_an_archive_that_is_no_text_ends_with_words(
    header: bytes, ending: str, tmp_path: Path
) -> None:
    """One bit of a name flipped, in the member's own header or in the archive's list."""
    write(frame(), tmp_path / "in" / "Gehölz.shp", encoding="UTF-8")
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as out:
        for each in sorted((tmp_path / "in").iterdir()):
            out.write(each, each.name)
    raw = bytearray(path.read_bytes())
    name = f"Gehölz{ending}".encode()
    places = [at for at in range(len(raw)) if raw.startswith(name, at)]
    before = 30 if header == b"PK\x03\x04" else 46
    at = next(place for place in places if raw[place - before :][:4] == header)
    raw[at + 4] ^= 0x40  # the second byte of the umlaut
    path.write_bytes(raw)
    site = open_site(path)
    said = [item.reason for item in site.unreadable]
    said += [o.message for d in site.datasets for o in d.provenance.oddities]
    assert any("utf-8" in words for words in said)


def test_a_link_in_an_archive_is_refused_by_name(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("boundary.shp")
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as out:
        out.writestr(info, "/etc/passwd")
    (kind, reason) = refused(tmp_path / "a.zip")["boundary.shp"]
    assert kind == "unsafe_member"
    assert "a link" in reason


def test_a_zip_in_a_zip_is_refused_by_name(tmp_path: Path) -> None:
    write(frame(), tmp_path / "in" / "a.shp")
    zipped(tmp_path / "in", tmp_path / "inner.zip")
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as out:
        out.write(tmp_path / "inner.zip", "deep/inner.zip")
    assert refused(tmp_path / "outer.zip")["deep/inner.zip"][0] == "zip_in_zip"


def test_an_archive_that_swells_is_refused_with_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zero bytes shrink a thousandfold; the sizes are scaled down so that the test is quick."""
    monkeypatch.setattr(archives, "FREE_BYTES", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("boundary.shp", bytes(4 << 20))
    kind, reason = refused(tmp_path / "bomb.zip")["bomb.zip"]
    assert kind == "archive_bomb"
    assert "at most 200 times" in reason
    monkeypatch.setattr(archives, "MAX_UNPACKED_BYTES", 1 << 20)
    assert refused(tmp_path / "bomb.zip")["bomb.zip"][0] == "archive_too_large"


def test_a_small_archive_may_be_of_any_ratio(tmp_path: Path) -> None:
    """An empty raster or a .dbf of blanks shrinks as far as a bomb, and harms nobody."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("boundary.shp", bytes(4 << 20))
    assert refused(tmp_path / "a.zip")["boundary.shp"][0] == "zeroes"


def test_members_that_share_their_bytes_are_a_bomb(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("a.geojson", b"x" * 5000)
        out.writestr("b.geojson", b"y" * 5000)
    raw = path.read_bytes()
    at = raw.index(b"PK\x01\x02", raw.index(b"PK\x01\x02") + 1)  # the second entry of the list
    path.write_bytes(raw[: at + 42] + (20).to_bytes(4, "little") + raw[at + 46 :])
    kind, reason = refused(path)["a.zip"]
    assert kind == "archive_bomb"
    assert "inside another member" in reason


def test_links_that_go_round_in_a_folder_end(tmp_path: Path) -> None:
    home = tmp_path / "in"
    write(frame(), home / "boundary.shp")
    (home / "again").symlink_to(home, target_is_directory=True)
    (home / "deep").mkdir()
    (home / "deep" / "up").symlink_to(home, target_is_directory=True)
    with time_limit():
        site = open_site(home)
    assert [d.provenance.file for d in site.datasets] == ["boundary.shp"]


def test_a_link_that_leads_out_of_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    """As in an archive: what lies elsewhere on this machine was not handed in."""
    home, private = tmp_path / "in", tmp_path / "private"
    write(frame(), home / "boundary.shp")
    write(frame(), home / "deep" / "roads.gpkg")
    write(frame(), private / "wetlands.shp")
    for ending in ("shp", "dbf", "shx", "prj"):
        (home / f"wetlands.{ending}").symlink_to(private / f"wetlands.{ending}")
    (home / "deep" / "more").symlink_to(private, target_is_directory=True)
    (home / "sewers.gpkg").symlink_to(home / "deep" / "roads.gpkg")  # inside: a file of its own
    (home / "site.toml").symlink_to(private / "site.toml")  # to nothing
    site = open_site(home)
    read = sorted(d.provenance.file for d in site.datasets)
    assert read == ["boundary.shp", "deep/roads.gpkg", "sewers.gpkg"]
    refused = {u.file: (u.kind, u.reason) for u in site.unreadable}
    assert set(refused) == {"deep/more", "site.toml"} | {
        f"wetlands.{ending}" for ending in ("shp", "dbf", "shx", "prj")
    }
    kind, reason = refused["wetlands.shp"]
    assert kind == "unsafe_member"
    assert "leads out of the submission" in reason
    assert refused["site.toml"][0] == "locked"


def test_what_site_toml_names_elsewhere_is_read(tmp_path: Path) -> None:
    write(frame(), tmp_path / "county" / "wetlands.shp")
    home = tmp_path / "in"
    home.mkdir()
    (home / "site.toml").write_text('[layers]\nwetlands = "../county/wetlands.shp"\n')
    assert [d.role for d in open_site(home).datasets] == ["wetlands"]


# ------------------------------------------------------------------------------------ drivers

VRT = """<OGRVRTDataSource><OGRVRTLayer name="boundary">
<SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"""


@pytest.mark.parametrize("ending", [".shp", ".gpkg", ".geojson", ".fgb", ".tif", ".zip"])
def test_a_virtual_file_under_another_name_is_refused_by_name(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "in" / f"boundary{ending}"
    path.parent.mkdir()
    path.write_text(VRT)
    site = open_site(tmp_path / "in")
    assert site.datasets == ()
    assert site.rasters == ()
    (item,) = site.unreadable
    assert item.file == path.name
    assert item.reason
    assert "passwd" not in item.reason


def test_only_the_drivers_of_the_list_are_left_for_vector_files() -> None:
    """In a process of its own, as a user's is: the list is read when GDAL is imported."""
    code = (
        "import sitemap, pyogrio\n"
        "from fiona.env import Env as F\n"
        "from rasterio.env import Env as R\n"
        "print(sorted(pyogrio.list_drivers()))\n"
        "with F() as env: print(sorted(env.drivers()))\n"
        "with R() as env: print(sorted({'VRT', 'WMS', 'GTI', 'DERIVED'} & set(env.drivers())))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    bulk, one_by_one, raster = run.stdout.splitlines()
    assert set(eval(bulk)) <= set(ALLOWED)
    assert set(eval(one_by_one)) <= set(ALLOWED)
    assert raster == "[]"
    assert run.stderr == ""  # not a word on drivers that a build does not have


def test_what_the_user_takes_out_stays_out() -> None:
    environment = {"OGR_SKIP": "MyDriver,CSV", "CPL_LOG": "mine.txt"}
    disable_drivers(environment)
    names = environment["OGR_SKIP"].split(",")
    assert names[:2] == ["MyDriver", "CSV"]
    assert len(names) == len(set(names))
    assert environment["CPL_LOG"] == "mine.txt"
    assert not set(ALLOWED) & set(names)
