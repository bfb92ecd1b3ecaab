"""What a file's name says of all its features where no column does: manholes are no inlets."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from sitemap.intake.assemble import open_site
from sitemap.rules.inlet_unprotected import NO_INLETS
from sitemap.site import Site
from tests.intake.makers import X0, Y0, frame, square, write


def said(site: Site, role: str, field: str) -> list[str | None]:
    layer = site.role(role)
    assert layer is not None
    return list(layer.usable[field])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Storm_Manholes", "manhole"),
        ("Storm_Inlets_and_Manholes", None),  # which is which, no one says
        ("Manholes_Headwalls", None),
        ("Catch_Basins", "inlet"),
        ("storm_structures", None),  # of every kind: nothing is taken from the name
    ],
)
def test_kind_of_a_structure_by_the_name_of_its_file(
    tmp_path: Path, name: str, kind: str | None
) -> None:
    """BMP003 asks for no protection at a manhole, whose lid lets nothing in."""
    write(frame([square(400.0)]), tmp_path / "boundary.shp")
    write(frame([shapely.Point(X0 + 50.0, Y0 + 50.0)], id=["S-1"]), tmp_path / f"{name}.shp")
    assert said(open_site(tmp_path), "inlets", "kind") == [kind]
    assert (kind in NO_INLETS) == (name == "Storm_Manholes")


def test_a_column_says_more_than_the_name(tmp_path: Path) -> None:
    write(frame([square(400.0)]), tmp_path / "boundary.shp")
    shapes: list[BaseGeometry | None] = [shapely.Point(X0 + 50.0 * i, Y0 + 50.0) for i in range(2)]
    write(frame(shapes, id=["A", "B"], TYPE=["Curb inlet", None]), tmp_path / "Manholes.shp")
    assert said(open_site(tmp_path), "inlets", "kind") == ["inlet", None]


def test_no_subtype_of_a_floodplain_by_a_name(tmp_path: Path) -> None:
    """A file of floods holds several zones; FLD002 asks a person for what no column says."""
    write(frame([square(400.0)]), tmp_path / "boundary.shp")
    write(frame([square(100.0)]), tmp_path / "floodplain_and_floodway.shp")
    assert said(open_site(tmp_path), "floodplain", "subtype") == [None]
