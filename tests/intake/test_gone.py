"""What a city keeps on file after it is gone: abandoned pipes and inlets are neither judged nor
drawn, and the check says so.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely

from sitemap.finding import Severity
from sitemap.intake.assemble import open_site
from sitemap.rules.duplicate_ids import duplicate_ids
from sitemap.rules.file_unreadable import file_unreadable
from sitemap.rules.rule import Fault
from sitemap.site import Site
from tests.intake.makers import X0, Y0, frame, square, write


def inlets(folder: Path, column: str, *words: str | None) -> Site:
    """A boundary, and an inlet for each word."""
    write(frame([square(400.0)]), folder / "boundary.shp")
    shapes = [shapely.Point(X0 + 50.0 * i, Y0 + 50.0) for i in range(len(words))]
    ids = [f"IN-{i}" for i in range(len(words))]
    write(frame(shapes, id=ids, **{column: list(words)}), folder / "storm_inlets.shp")
    return open_site(folder)


def told(site: Site) -> list[Fault]:
    return [one for one in file_unreadable.body(site) if isinstance(one, Fault)]


@pytest.mark.parametrize("column", ["STATUS", "LIFECYCLES", "LifecycleStatus", "PipeStatus"])
def test_abandoned_and_removed_inlets_are_left_out_and_told(tmp_path: Path, column: str) -> None:
    site = inlets(tmp_path, column[:10], "Active", "ABANDONED", "Removed", None, "Abandoned")
    layer = site.role("inlets")
    assert layer.usable["id"].tolist() == ["IN-0", "IN-3"]
    assert len(layer.frame) == 5  # they stay in the layer, and in a repaired copy
    (fault,) = told(site)
    assert fault.severity is Severity.INFO
    assert fault.message == (
        "storm_inlets.shp holds what is no longer there: 3 features of 5 by field "
        f"{column[:10]}, ABANDONED (1), Removed (1), Abandoned (1): neither judged nor drawn"
    )


def test_what_replaces_an_abandoned_inlet_may_have_its_id(tmp_path: Path) -> None:
    write(frame([square(400.0)]), tmp_path / "boundary.shp")
    shapes = [shapely.Point(X0 + 50.0 * i, Y0 + 50.0) for i in range(3)]
    for third in ("IN-2", "IN-1"):
        ids = ["IN-1", "IN-1", third]
        status = ["Abandoned", "Active", "Active"]
        write(frame(shapes, id=ids, STATUS=status), tmp_path / "storm_inlets.shp")
        found = [one for one in duplicate_ids.body(open_site(tmp_path)) if isinstance(one, Fault)]
        assert len(found) == (third == "IN-1")


@pytest.mark.parametrize("word", ["Active", "Proposed", "Existing", "WI", "In service", "Inactive"])
def test_any_other_word_leaves_a_feature_where_it_is(tmp_path: Path, word: str) -> None:
    site = inlets(tmp_path, "STATUS", word, None)
    assert len(site.role("inlets").usable) == 2
    assert told(site) == []


def test_other_roles_are_judged_whatever_a_status_says(tmp_path: Path) -> None:
    """A wetland does not go away by a word in a table."""
    shape = frame([square(100.0)], STATUS=["Removed"])
    write(shape, tmp_path / "wetlands.shp")
    assert len(open_site(tmp_path).role("wetlands").usable) == 1
