"""Numbers kept as text: units, the field's own name, datums, decimal commas; and what is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sitemap.catalogue import load_catalogue
from sitemap.intake.assemble import open_site
from sitemap.intake.number_texts import NumberTexts, read_numbers
from sitemap.intake.propose import propose_site_toml
from tests.intake.makers import frame, kinds, words, write
from tests.intake.test_assemble import contours

CATALOGUE = load_catalogue()


def read(*values: str, name: str = "elevation", role: str = "contours_existing") -> NumberTexts:
    return read_numbers(pd.Series(values, dtype=object), name, "ELEV", CATALOGUE[role])


@pytest.mark.parametrize(
    ("text", "number", "unit", "datum"),
    [
        ("842 ft MSL", 842, "ft", "MSL"),
        ("842 MSL", 842, "", "MSL"),  # not 842 metres and "SL"
        ("842.00'", 842, "'", ""),
        ("EL. 842", 842, "", ""),
        ("ELEV=842.5 FT", 842.5, "ft", ""),
        ("842.1 ft (NAVD 88)", 842.1, "ft", "NAVD 88"),
        ("842.1' NGVD29", 842.1, "'", "NGVD 29"),
        ("580.3, IGLD 1985", 580.3, "", "IGLD 85"),
        ("842 feet above mean sea level", 842, "feet", "MSL"),
        ("842 US survey ft", 842, "ftus", ""),
        ("256.642 m NAVD88", 256.642, "m", "NAVD 88"),
        ("1,842.5 ft", 1842.5, "ft", ""),
        ("842'-6\"", 842.5, "'", ""),
        ("842'6\"", 842.5, "'", ""),
        ("842' 0\"", 842.0, "'", ""),
        ("842 ft 6 in", 842.5, "'", ""),
        ("842 ft. - 3 in. NAVD88", 842.25, "'", "NAVD 88"),
        ("EL. 1,842’-9”", 1842.75, "'", ""),
        ("842'-10 1/2\"", 842.875, "'", ""),
        ("842'-1/2\"", 842 + 0.5 / 12, "'", ""),
        ("842'-10/16\"", 842 + 0.625 / 12, "'", ""),
        ("-2'-6\"", -2.5, "'", ""),
    ],
)
def test_what_stands_beside_an_elevation(text: str, number: float, unit: str, datum: str) -> None:
    made = read(text)
    assert made.numbers.tolist() == [number]
    assert (made.units.tolist(), made.datums.tolist()) == ([unit], [datum])


@pytest.mark.parametrize(
    "text",
    ["842 rods", "north 842", "842'-13\"", "842'-1/0\"", "842'-6", "842 ±", "ft", "-", "MSL"],
)
def test_a_word_that_is_not_known_makes_no_number(text: str) -> None:
    made = read(text)
    assert made.refused
    assert np.isnan(made.numbers).all()


def test_a_datum_belongs_to_heights_only() -> None:
    assert read("2.07 acres", name="acres", role="disturbance").numbers.tolist() == [2.07]
    assert read("2.07 MSL", name="acres", role="disturbance").refused


def test_a_comma_is_a_decimal_mark_where_it_can_be_nothing_else() -> None:
    """842,5 is no thousands; so 842,125 beside it is none either. No ground lies at 30,000 ft."""
    made = read("842,5", "842,125")
    assert made.numbers.tolist() == [842.5, 842.125]
    assert "842,5 is 842.5" in made.oddities[0].message
    assert read("1,250", "1,252").numbers.tolist() == [1250, 1252]
    assert read("256,642").numbers.tolist() == [256.642]
    assert read("1,250,000", "842,5").refused  # one of the two is not a number of that writing


def site_with(tmp_path: Path, *values: str) -> Path:
    return write(contours(elevation=list(values)), tmp_path / "existing_contours.gpkg")


def test_the_datum_is_a_value_of_its_own_and_said(tmp_path: Path) -> None:
    site = open_site(site_with(tmp_path, "842 ft NAVD88", "844 ft NAVD88", "846 ft NGVD 29"))
    layer = site.layers["contours_existing"]
    assert layer.frame["elevation"].tolist() == [842, 844, 846]
    assert layer.frame["datum"].tolist() == ["NAVD 88", "NAVD 88", "NGVD 29"]
    assert "NAVD 88 in 2, NGVD 29 in 1 of 3 values" in words(site, "vertical_datum_in_values")
    assert "vertical_unit_unstated" not in kinds(layer.members[0])


def test_a_column_of_its_own_names_the_datum(tmp_path: Path) -> None:
    data = contours(elevation=[842.0, 844.0], V_DATUM=["NAVD88", "navd 1988"])
    site = open_site(write(data, tmp_path / "existing_contours.gpkg"))
    assert site.layers["contours_existing"].frame["datum"].tolist() == ["NAVD 88", "NAVD 88"]


def test_a_value_without_unit_is_in_that_of_the_others(tmp_path: Path) -> None:
    """256.6 among values in metres is no 256.6 ft; where units differ it is not used."""
    site = open_site(site_with(tmp_path, "256.032 m", "256.642 m", "257.251"))
    levels = site.layers["contours_existing"].frame["elevation"]
    assert levels.round(0).tolist() == [840, 842, 844]
    assert "1 value without unit, taken as m" in words(site, "unit_in_some_values")
    other = open_site(site_with(tmp_path / "b", "256.032 m", "842 ft", "844"))
    assert other.layers["contours_existing"].frame["elevation"].isna().tolist() == [0, 0, 1]
    assert "not used" in words(other, "unit_in_some_values")


def test_init_proposes_the_datum_that_the_data_name(tmp_path: Path) -> None:
    site = open_site(site_with(tmp_path, "842 ft NGVD 1929", "844 ft NGVD 1929"))
    text = propose_site_toml(site)
    assert '# vertical_datum = "NGVD 29"  # existing_contours.gpkg says NGVD 29' in text
    plain = open_site(write(frame(), tmp_path / "boundary.gpkg"))
    assert '# vertical_datum = "NAVD88"\n' in propose_site_toml(plain)
