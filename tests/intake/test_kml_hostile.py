"""Hostile and damaged Google Earth files: a verdict each time, no traceback and no hang."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap.intake import kml_stream, kml_text
from sitemap.intake.assemble import open_site
from tests.intake.placemarks import BOX, HAND, folder, kml, line, mark, packed, polygon
from tests.test_robust import judged, time_limit

DATA = kml(
    '<Schema id="c"><SimpleField type="int" name="N"/></Schema>',
    folder(
        "wetlands",
        mark(
            "W-1",
            polygon(*BOX, hole=((1, 1), (2, 1), (2, 2), (1, 1))),
            "<description><![CDATA[<table><tr><td>A</td><td>1</td></tr></table>]]></description>"
            "<ExtendedData><SchemaData><SimpleData name='N'>7</SimpleData></SchemaData>"
            "<Data name='M'><value>x</value></Data></ExtendedData>",
        ),
        mark("t", "<gx:Track><gx:coord>-88.13 42.9 1</gx:coord></gx:Track>"),
    ),
)
PIECES = [b"", b"<", b">", b"]]>", b"&", b"&#0;", b"\x00", b"\xff\xfe", b"nan", b",", b"<Folder>",
          b"</kml>", b"<!DOCTYPE a>", b"1e999", b"<![CDATA[", b"<Placemark>"]  # fmt: skip


@st.composite
def hurt(draw: st.DrawFn, whole: bytes) -> bytes:
    """A file with pieces of it exchanged for others, and cut."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4)))
        data[at : at + draw(st.integers(0, 40))] = piece
    return bytes(data[: draw(st.integers(len(data) // 3, len(data)))])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.parametrize("ending", [".kml", ".kmz"])
def test_whatever_is_damaged_has_a_verdict(
    ending: str, data: st.DataObject, tmp_path: Path
) -> None:
    whole = data.draw(st.sampled_from([HAND, DATA])).encode()
    if ending == ".kmz":
        whole = packed(tmp_path / "whole.zip", doc=whole.decode()).read_bytes()
    path = tmp_path / f"plan{ending}"
    path.write_bytes(data.draw(hurt(whole)))
    judged(path)


@pytest.mark.parametrize(
    "description",
    [
        "<table>" + "<a " * 20_000, "<table>" + '<a b="' * 10_000, "<table>" + "<!--" * 15_000,
        "<" * 60_000, "<h1 :" * 12_000, "a: " * 20_000, "a:b\n" * 15_000, "<tr><td>" * 8_000,
    ],
)  # fmt: skip
def test_no_description_holds_up(description: str, tmp_path: Path) -> None:
    text = f"<description><![CDATA[{description}]]></description>"
    marks = [mark(str(i), line((0, i), (1, i)), text) for i in range(40)]
    path = tmp_path / "plan.kml"
    path.write_text(kml(folder("streams", *marks)), encoding="utf-8")
    with time_limit():
        assert len(open_site(path).datasets[0].frame) == 40


@pytest.mark.parametrize("text", ["<![CDATA[" * 200_000, "&" * 300_000, "<?xml " * 200_000])
def test_no_text_to_be_mended_holds_up(text: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.kml"
    path.write_text(f"<kml>{text}", encoding="utf-8")
    with time_limit():
        assert [one.kind for one in open_site(path).unreadable] == ["damaged"]


def test_a_kmz_that_swells_is_refused_with_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.kmz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", kml("<Placemark/>" * 100_000))
    only = open_site(path).unreadable[0]
    assert "left out, since they hold no shape: 100,000 placemarks" in only.reason
    monkeypatch.setattr(kml_text, "FREE_OF_RATIO", 1_000_000)
    assert "would swell" in open_site(path).unreadable[0].reason
    monkeypatch.setattr(kml_text, "LARGEST", 1_000_000)
    (item,) = open_site(path).unreadable
    assert (item.kind, item.reason) == (
        "archive_too_large",
        "1 MB of KML; at most 1 are read. Send it as a GeoPackage",
    )


def test_more_placemarks_than_memory_should_hold_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kml_stream, "MOST_PLACEMARKS", 5)
    path = tmp_path / "plan.kml"
    path.write_text(HAND, encoding="utf-8")
    (item,) = open_site(path).unreadable
    assert "more than 5 placemarks; send them as a GeoPackage" in item.reason


def test_links_in_a_circle_and_to_many_end(tmp_path: Path) -> None:
    link = "<NetworkLink><Link><href>{}.kml</href></Link></NetworkLink>"
    path = tmp_path / "plan.kmz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("doc.kml", kml(link.format("m0") * 50, mark("a", line((0, 0), (1, 1)))))
        for number in range(300):
            archive.writestr(f"m{number}.kml", kml(link.format(f"m{(number + 1) % 300}")))
    with time_limit():
        assert len(open_site(path).datasets) == 1
