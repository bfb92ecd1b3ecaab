"""The texts of a KML or KMZ: packed, linked, damaged, mended."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from sitemap.intake.assemble import open_site
from tests.intake.makers import kinds, words
from tests.intake.placemarks import (
    BOX,
    HAND,
    folder,
    kml,
    line,
    mark,
    packed,
    polygon,
    read,
    roles,
)


def test_a_kmz_is_read_by_its_doc_kml_also_within_a_zip(tmp_path: Path) -> None:
    other = kml(folder("streams", mark("s", line((0, 0), (1, 1)))))
    kmz = packed(tmp_path / "plan.kmz", a=other, doc=HAND, files__more=other)
    assert "Site boundary" in roles(open_site(kmz))
    submittal = tmp_path / "submittal.zip"
    with zipfile.ZipFile(submittal, "w") as archive:
        archive.write(kmz, "maps/plan.kmz")
    site = open_site(submittal)
    assert {one.provenance.file for one in site.datasets} == {"maps/plan.kmz"}
    assert site.input_files == (submittal,)
    named = kmz.rename(tmp_path / "renamed.kml")  # an archive under the other name
    assert "Site boundary" in roles(open_site(named))


def test_links_are_not_followed_and_are_said(tmp_path: Path) -> None:
    link = "<NetworkLink><Link><href>file:///etc/passwd</href></Link></NetworkLink>"
    picture = "<GroundOverlay><Icon><href>a.png</href></Icon></GroundOverlay>"
    site = read(tmp_path, kml(link, picture, folder("streams", mark("s", line((0, 0), (1, 1))))))
    told = words(site, "kml_unread")
    assert "link to another file or server (1), picture laid on the ground (1)" in told
    only = read(tmp_path, kml(link))
    assert only.unreadable[0].kind == "no_layers"
    assert "link to another file or server (1)" in only.unreadable[0].reason


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('<!DOCTYPE kml [<!ENTITY a "b">]><kml>&a;</kml>', "XML entities"),
        ("<gpx><wpt/></gpx>", "not KML (its root is gpx)"),
        ("<kml><Document>", "not well formed"),
        ("<kml>" + "<Folder>" * 300, "more than 200 deep"),
        ("<!doctype html><html>login</html>", "web page"),
        ("<kml/>", "no placemarks"),
    ],
)
def test_what_is_refused_says_why(tmp_path: Path, text: str, word: str) -> None:
    site = read(tmp_path, text)
    assert [word in one.reason for one in site.unreadable] == [True]


def test_of_a_file_that_breaks_off_the_whole_placemarks_are_read(tmp_path: Path) -> None:
    text = HAND[: HAND.index("Silt fence 2")]
    site = read(tmp_path, text)
    assert set(roles(site)) >= {"Limits of disturbance", "Silt fence 1"}
    assert any("kml_recovered" in kinds(one) for one in site.datasets)


@pytest.mark.parametrize("seed", range(12))
def test_random_damage_has_a_verdict(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(HAND.encode())
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(3)] = bytes([chance.randrange(256)])
    (tmp_path / "plan.kml").write_bytes(bytes(data[: chance.randrange(40, len(data) + 1)]))
    site = open_site(tmp_path / "plan.kml")
    assert site.datasets or site.unreadable


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (("\n  " + HAND).encode(), "something stands before it"),
        (HAND.replace("Outfall A", "Outfall caf\u00e9").encode("cp1252"), "Windows-1252"),
        (HAND.replace("Outfall A", "Outfall A & B").encode(), "1 & that stands alone"),
        (HAND.replace("Outfall A", "Outfall \x02").encode(), "1 control character left out"),
    ],
)
def test_small_faults_of_the_xml_lose_nothing(tmp_path: Path, data: bytes, word: str) -> None:
    (tmp_path / "plan.kml").write_bytes(data)
    site = open_site(tmp_path / "plan.kml")
    assert len(roles(site)) == len(roles(read(tmp_path, HAND, "whole.kml"))) == 6
    assert word in words(site, "kml_mended")


def test_what_a_kmz_links_to_within_itself_is_read_and_the_rest_is_named(tmp_path: Path) -> None:
    link = "<NetworkLink><name>{}</name><Link><href>{}</href></Link></NetworkLink>"
    links = link.format("marsh", "files/a%20b.kml") + link.format("", "doc.kml")
    links += link.format("out", "../../etc/x.kml")
    inner = kml(folder("wetlands", mark("w", polygon(*BOX))), link.format("", "a b.kml"))
    path = tmp_path / "plan.kmz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("doc.kml", kml(links))
        archive.writestr("files/a b.kml", inner)
        archive.writestr("forgotten.kml", kml(folder("streams", mark("s", line((0, 0), (1, 1))))))
        archive.writestr("../up.kml", HAND)
    site = open_site(path)
    assert [(one.provenance.layer, one.role) for one in site.datasets] == [
        ("marsh/wetlands", "wetlands")
    ]
    told = words(site, "kml_unread")
    assert "The links lead to ../../etc/x.kml" in told
    assert "doc.kml does not link to it: forgotten.kml" in told
    assert "../up.kml in the archive: its name in the archive leads upwards" in told


def test_a_kmz_of_several_files_without_a_main_one_gives_each(tmp_path: Path) -> None:
    streams = kml(folder("streams", mark("s", line((0, 0), (1, 1)))))
    path = packed(tmp_path / "plan.kmz", boundary=kml(mark("", polygon(*BOX))), b=streams, c="<a/>")
    site = open_site(path)
    assert roles(site) == {"boundary": "boundary", "streams": "streams"}
    assert "c.kml in the archive: it is XML, but not KML" in words(site, "kml_unread")


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_kmz_has_a_verdict(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(packed(tmp_path / "whole.kmz", doc=HAND).read_bytes())
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    hurt = tmp_path / "plan.kmz"
    hurt.write_bytes(bytes(data[: chance.randrange(len(data) // 2, len(data) + 1)]))
    site = open_site(hurt)
    assert site.datasets or site.unreadable
