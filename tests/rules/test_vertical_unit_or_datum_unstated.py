"""CRS006: heights without unit or datum, and when the unit decides the interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sitemap.finding import Severity
from sitemap.layer import Layer, Oddity, Provenance, Raster, RoleChoice
from sitemap.rules.rule import Fault, NotApplicable
from sitemap.rules.vertical_unit_or_datum_unstated import (
    vertical_unit_or_datum_unstated as rule,
)
from sitemap.site import RoleLayer, Site
from tests.clean_site import (
    CRS,
    MAP,
    clean_site,
    contour_features,
    contours,
    faults_of,
    ground_ft,
    passes,
    run,
    with_layer,
    with_map_wishes,
    without,
)

NO_CASE = {"skipped": "it takes the layers that are there"}
ODD = Oddity("vertical_unit_unstated", "field ELEV: the unit is stated nowhere")
HEIGHTS = ("contours_existing", "contours_proposed", "spot_elevations")
CONTOURS = HEIGHTS[:2]  # all the heights of the clean site


def unstated(site: Site, role: str) -> Site:
    """The site when a role's file does not say the unit of its heights."""
    layer = site.layers[role]
    member = layer.members[0]
    odd = Layer(
        member.spec, member.frame, replace(member.provenance, oddities=(ODD,)), member.choice
    )
    return replace(
        site,
        layers={**site.layers, role: RoleLayer(role, layer.frame, (odd,))},
        datasets=tuple(odd if d is member else d for d in site.datasets),
    )


def alone(interval_ft: float, change: Callable[[float], float] = lambda z: z) -> Site:
    """The site with existing contours of one interval as its only heights, unit unstated."""
    data = contour_features(contours(ground_ft, MAP, interval_ft))
    data["elevation"] = [change(z) for z in data["elevation"]]
    bare = without(clean_site(), "contours_proposed", "spot_elevations")
    return unstated(with_layer(bare, "contours_existing", data), "contours_existing")


def only(site: Site) -> Fault:
    (fault,) = faults_of(rule, site)
    return fault


def raster(unit: str | None, datum: str | None) -> Raster:
    provenance = Provenance("dem.tif", "dem", "GTiff", None, "", "file", 0, 0, 0, "0" * 64)
    return Raster(
        "dem.tif", provenance, RoleChoice("elevation", "named"), CRS, 10, 10, (0, 0, 1, 1),
        (1.0, 1.0), "float32", None, unit, datum,
    )  # fmt: skip


def test_passes_when_both_are_stated() -> None:
    assert passes(rule, clean_site())


def test_found_as_an_error_where_the_unit_decides_the_interval() -> None:
    """2 m are 6.56 ft: the same lines pass in feet and fail in metres."""
    fault = only(alone(2.0))
    assert fault.severity is Severity.ERROR
    assert fault.message.endswith(
        "Their interval of 2 passes in feet; in metres it is 6.56 ft, more than 5 ft."
    )
    assert fault.role == "contours_existing"
    assert fault.field_name == "elevation"


def test_at_the_limit_an_interval_that_passes_in_both_is_a_warning() -> None:
    """1.524 m are 5.00 ft: exactly the limit."""
    fault = only(alone(1.524))
    assert fault.severity is Severity.WARNING
    assert "passes in either unit" in fault.message


def test_just_over_is_an_error() -> None:
    """1.53 m are 5.02 ft."""
    assert only(alone(1.53)).severity is Severity.ERROR


def test_found_as_a_warning_where_other_heights_speak_for_feet() -> None:
    """Proposed contours lie at 806 to 832 ft; the existing ones there too, not at 2,644 ft."""
    site = unstated(without(clean_site(), "spot_elevations"), "contours_existing")
    fault = only(site)
    assert fault.severity is Severity.WARNING
    assert "only in feet" in fault.message


def test_found_as_an_error_where_other_heights_speak_for_metres() -> None:
    site = without(clean_site(), "spot_elevations")
    data = contour_features(contours(ground_ft, MAP))
    data["elevation"] = [z * 0.3048 for z in data["elevation"]]
    fault = only(unstated(with_layer(site, "contours_existing", data), "contours_existing"))
    assert fault.severity is Severity.ERROR
    assert "only in metres" in fault.message


def test_found_the_unit_of_a_raster() -> None:
    site = replace(clean_site(), rasters=(raster(None, "NAVD88 height"),))
    fault = only(site)
    assert fault.message == (
        "dem.tif: the unit of its heights is stated neither by the file nor in site.toml"
    )
    assert fault.severity is Severity.WARNING
    assert passes(rule, replace(clean_site(), rasters=(raster("US survey foot", None),)))


def test_found_the_datum_once_for_the_site() -> None:
    fault = only(with_map_wishes(clean_site(), vertical_datum=None))
    assert fault.severity is Severity.WARNING
    assert fault.message.startswith(
        "the zero of the heights in contours_existing.shp, contours_pro"
    )
    assert fault.role is None
    assert 'vertical_datum = "NAVD88"' in fault.how_to_fix


def test_not_applicable_without_heights() -> None:
    site = without(clean_site(), *(role for role in HEIGHTS if role in clean_site().layers))
    (said,) = run(rule, site)
    assert isinstance(said, NotApplicable)


def naming(site: Site, **datums: list[str | None] | str) -> Site:
    """The site when the elevations of roles name their zero, by one word or value by value."""
    for role, named in datums.items():
        frame = site.layers[role].frame.copy()
        frame["datum"] = named if isinstance(named, list) else [named] * len(frame)
        layer = RoleLayer(role, frame, site.layers[role].members)
        site = replace(site, layers={**site.layers, role: layer})
    return site


def test_passes_when_every_elevation_names_its_datum() -> None:
    silent = with_map_wishes(clean_site(), vertical_datum=None)
    assert passes(rule, naming(silent, **dict.fromkeys(CONTOURS, "NAVD 88")))


def test_found_when_msl_is_all_that_is_said() -> None:
    """Mean sea level is NGVD 29 on old sheets and nothing certain on others."""
    silent = with_map_wishes(clean_site(), vertical_datum=None)
    fault = only(naming(silent, **dict.fromkeys(CONTOURS, "MSL")))
    assert fault.severity is Severity.WARNING
    assert fault.message.endswith("; MSL beside the elevations names none")


def test_found_when_one_elevation_is_silent() -> None:
    silent = with_map_wishes(clean_site(), vertical_datum=None)
    site = naming(silent, **dict.fromkeys(CONTOURS, "NAVD 88"))
    count = len(site.layers["contours_existing"].frame)
    site = naming(site, contours_existing=[*["NAVD 88"] * (count - 1), None])
    assert "contours_existing.shp is stated nowhere" in only(site).message


def test_found_when_datums_differ() -> None:
    """Site and layers, or two layers: a foot of difference is a foot of cut that nobody drew."""
    site = with_map_wishes(clean_site(), vertical_datum="NAVD88")
    assert passes(rule, naming(site, contours_existing="NAVD 88"))  # one datum, two spellings
    fault = only(naming(site, contours_existing="NGVD 29"))
    assert fault.severity is Severity.WARNING
    assert fault.message == (
        "the heights are above different zeros: contours_existing.shp says NGVD 29; "
        "site.toml says NAVD88"
    )
