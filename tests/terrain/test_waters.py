"""The waters of a site: each once, though its file came twice."""

from __future__ import annotations

from sitemap.terrain.waters import waters_of
from tests.clean_site import clean_site, line, rectangle, with_layer, without


def test_a_copy_of_a_water_is_that_water() -> None:
    """Copies as programs write them: another first corner, the line run the other way."""
    site = without(clean_site(), "waterbodies")
    marsh, again = rectangle(0, 0, 100, 50), rectangle(0, 0, 100, 50).reverse()
    other = rectangle(0, 0, 100, 51)
    site = with_layer(site, "wetlands", {"geometry": [marsh, again, other], "id": ["W-1"] * 3})
    creek = line((0, -50), (300, -50), (600, -80))
    streams = {"geometry": [creek, creek.reverse(), line((0, -90), (600, -90))]}
    site = with_layer(site, "streams", streams)
    found = waters_of(site).waters
    assert [water.role for water in found] == ["streams", "streams", "wetlands", "wetlands"]
    assert [water.shape.area for water in found[2:]] == [5000.0, 5100.0]
