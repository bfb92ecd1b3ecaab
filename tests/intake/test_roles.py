"""Which role a dataset serves and which column stands behind a field: by kind, never by file."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sitemap.catalogue import LayerSpec, load_catalogue
from sitemap.column_names import is_id_like, same_name, short_cuts
from sitemap.intake.fields import canonical_value, map_fields, unit_in_name
from sitemap.intake.role_evidence import level_step
from sitemap.intake.roles import RoleChoice, choose_role, named_role, type_in_name

CATALOGUE = load_catalogue()
CONTOURS = CATALOGUE["contours_existing"]
CONTROLS = CATALOGUE["controls"]
NHD_LINES = ["COMID", "FTYPE", "FCODE", "REACHCODE", "FLOWDIR", "GNIS_NAME", "LENGTHKM"]
NHD_AREAS = ["COMID", "FTYPE", "FCODE", "AREASQKM", "REACHCODE", "GNIS_NAME"]


def role_of(
    file: str, kind: str, *columns: str, layer: str = "", **values: list[object]
) -> RoleChoice:
    stem = layer or Path(file).stem
    return choose_role(file, stem, columns, [kind], CATALOGUE, values or None)


# ------------------------------------------------------------------------ columns of a file


@pytest.mark.parametrize(
    "column", ["GROUND_ELE", "GRND_ELEV", "CONTOUR_EL", "Elev_1", "elevation ", "ELEV-FT", "Z"]
)
def test_cut_and_hand_shortened_names_of_an_elevation(column: str) -> None:
    assert map_fields(["OBJECTID", column], CONTOURS).field_map == {"elevation": column}


def test_a_hand_shortened_id() -> None:
    columns = ["DISCHRG_ID", "OUTFALL_ID"]
    found = map_fields(columns, CATALOGUE["discharges"]).field_map
    assert found == {"id": "DISCHRG_ID", "outfall": "OUTFALL_ID"}


def test_two_cuts_that_claim_one_field_are_reported_and_not_chosen_between() -> None:
    match = map_fields(["GROUND_ELE", "CONTOUR_EL"], CONTOURS)
    assert match.field_map == {}
    assert match.collisions == {"elevation": ("GROUND_ELE", "CONTOUR_EL")}
    assert match.nearest == {}  # it is not missing: it is there twice


def test_a_second_column_of_the_same_name_is_a_collision_too() -> None:
    assert map_fields(["ELEV", "ELEV_1"], CONTOURS).collisions == {"elevation": ("ELEV", "ELEV_1")}


def test_the_eight_character_cut_with_a_number() -> None:
    assert map_fields(["GROUND_E_1"], CONTOURS).field_map == {"elevation": "GROUND_E_1"}


def test_a_short_cut_that_fits_two_fields_claims_neither() -> None:
    # DELINEAT_1 can be delineator, delineated_by or delineation_date
    assert map_fields(["DELINEAT_1"], CATALOGUE["wetlands"]).field_map == {}


@pytest.mark.parametrize(
    "column",
    ["OBJECTID", "FID", "ID", "OID_", "CONTOUR_ID", "SHAPE_LENG", "Shape_Le_1", "GLOBALID"],
)
def test_an_id_is_never_an_elevation(column: str) -> None:
    match = map_fields([column], CONTOURS)
    assert match.field_map == {}
    assert match.nearest == {"elevation": ()}


def test_the_nearest_columns_of_a_required_field_are_named() -> None:
    match = map_fields(["ID", "ELEVATOIN", "LAYER"], CONTOURS)
    assert match.nearest["elevation"][0] == "ELEVATOIN"
    assert "ID" not in match.nearest["elevation"]


def test_site_toml_overrules_names_and_a_column_that_is_not_there_is_reported() -> None:
    match = map_fields(["ELEV", "HT_2019"], CONTOURS, {"elevation": "ht_2019"})
    assert match.field_map == {"elevation": "HT_2019"}
    gone = map_fields(["ELEV", "HT_2019"], CONTOURS, {"elevation": "HT_2018"})
    assert gone.field_map == {}  # ELEV is not what the user said
    assert gone.absent == {"elevation": "HT_2018"}
    assert gone.nearest["elevation"][0] == "HT_2019"


def test_a_named_column_settles_a_collision() -> None:
    match = map_fields(["ELEV", "Z"], CONTOURS, {"elevation": "ELEV"})
    assert (match.field_map, match.collisions) == ({"elevation": "ELEV"}, {})


def test_a_public_schema_settles_which_of_its_columns_is_meant() -> None:
    match = map_fields(["ATTRIBUTE", "WETLAND_TY", "ACRES"], CATALOGUE["wetlands"])
    assert match.field_map == {"class": "WETLAND_TY", "acres": "ACRES"}
    assert match.collisions == {}


def names_of(spec: LayerSpec) -> list[tuple[str, str]]:
    """Every field of a role with each of its names."""
    return [(n, alias) for n, field in spec.fields.items() for alias in (n, *field.aliases)]


NAMES = [(spec, name, alias) for spec in CATALOGUE.specs for name, alias in names_of(spec)]


@example(
    which=(CATALOGUE["contours_proposed"], "elevation", "contour"),
    case=str.upper,
    joint="_",
    cut=False,
    suffix="_12",
    blanks="",
)
@given(
    which=st.sampled_from(NAMES),
    case=st.sampled_from([str.upper, str.lower, str.title, str]),
    joint=st.sampled_from(["_", " ", "-", "."]),
    cut=st.booleans(),
    suffix=st.sampled_from(["", "_1", "_2", "_12"]),
    blanks=st.sampled_from(["", " ", "   "]),
)
def test_a_mangled_name_still_finds_its_field(
    which: tuple[LayerSpec, str, str], case: object, joint: str, cut: bool, suffix: str, blanks: str
) -> None:
    spec, name, alias = which
    assert callable(case)
    column = case(alias)
    if cut:
        column = column[:10]  # as a shapefile keeps it; a suffix needs its own room
        suffix = ""
    column = column.replace("_", joint) + suffix
    assume(not (spec.fields[name].type == "number" and is_id_like(column)))
    # ACTIVITY_1 is the second "activity" or the eight-character cut of "activity_id": never guessed
    rivals = (n for other, n in names_of(spec) if other != name)
    assume(not (suffix and len(column) == 10 and any(same_name(column, n) for n in rivals)))
    assert map_fields([column + blanks], spec).field_map == {name: column + blanks}


@example(which=(CATALOGUE["floodplain"], "subtype", "fldzone_sub"), number=1)
@given(which=st.sampled_from(NAMES), number=st.integers(1, 9))
def test_an_eight_character_cut_never_finds_a_wrong_field(
    which: tuple[LayerSpec, str, str], number: int
) -> None:
    spec, name, alias = which
    assume(short_cuts(alias))
    column = f"{alias[:8].upper()}_{number}"
    assume(not is_id_like(column))
    assert map_fields([column], spec).field_map in ({name: column}, {})


@given(st.lists(st.text(max_size=12), max_size=8))
def test_no_table_breaks_the_matching(columns: list[str]) -> None:
    match = map_fields(columns, CONTOURS)
    assert set(match.field_map.values()) <= set(columns)
    assert len(set(match.field_map.values())) == len(match.field_map)


# -------------------------------------------------------------------------- values and units


@pytest.mark.parametrize(
    ("word", "control"),
    [
        ("silt fence", "SF"), ("SILT_FENCE", "SF"), ("1056", "SF"),
        ("Silt Fence (WDNR 1056)", "SF"),
        ("WDNR TS 1056", "SF"), (1056.0, "SF"), ("stone tracking pad", "TP"), ("riprap", "OP"),
        ("Inlet Protection, Type D", "IP"), ("1065", "SB"), ("straw bales", "SBB"), ("sf ", "SF"),
        ("moat", None), (None, None), (float("nan"), None), ("1056 and 1060", None),
    ],
)  # fmt: skip
def test_words_for_a_control_type(word: object, control: str | None) -> None:
    assert canonical_value(CONTROLS, "type", word) == control


def test_codes_kept_as_numbers_are_read_as_codes() -> None:
    assert canonical_value(CATALOGUE["streams"], "kind", 336.0) == "ditch"
    assert canonical_value(CATALOGUE["streams"], "flow_direction", 1) == "digitized"
    assert canonical_value(CATALOGUE["streams"], "flow_direction", "Uninitialized") == "unknown"


def test_fema_floodways_by_all_their_names() -> None:
    spec = CATALOGUE["floodplain"]
    for raw in ("FLOODWAY", "ADMINISTRATIVE FLOODWAY", "STATE ENCROACHMENT AREA"):
        assert canonical_value(spec, "subtype", raw) == "floodway"
    assert canonical_value(spec, "subtype", "0.2 PCT ANNUAL CHANCE FLOOD HAZARD") == "0.2 percent"


@pytest.mark.parametrize(
    ("column", "unit"), [("ELEV_FT", "ft"), ("Elevation (m)", "m"), ("ELEV", None), ("FT", None)]
)
def test_the_unit_in_a_column_s_name(column: str, unit: str | None) -> None:
    assert unit_in_name(column) == unit


@pytest.mark.parametrize(
    ("file", "control"),
    [("silt_fence", "SF"), ("SF", "SF"), ("Inlet_Protection", "IP"), ("BMPs", None),
     ("silt fence and ditch checks", None)],
)  # fmt: skip
def test_a_file_name_can_state_the_type_of_all_its_features(file: str, control: str | None) -> None:
    assert type_in_name(f"{file}.shp", file, CONTROLS) == control


# ------------------------------------------------------------------------------- the role


@pytest.mark.parametrize(
    ("file", "kind", "role"),
    [
        ("LOD.shp", "polygon", "disturbance"),
        ("LimitsOfDisturbance.shp", "polygon", "disturbance"),
        ("limits_of_grading.shp", "polygon", "disturbance"),
        ("EX_CONT.shp", "line", "contours_existing"),
        ("Existing_2ft_Contours.shp", "line", "contours_existing"),
        ("Prop Contours.shp", "line", "contours_proposed"),
        ("V-TOPO-MINR.shp", "line", "contours_existing"),
        ("C-TOPO-MAJR-N.shp", "line", "contours_proposed"),
        ("SF.shp", "line", "controls"),
        ("SiltFence.shp", "line", "controls"),
        ("C-EROS-SILT.shp", "line", "controls"),
        ("Inlet_Protection.shp", "point", "controls"),
        ("sediment_basins.shp", "polygon", "controls"),
        ("BMPs.shp", "point", "controls"),
        ("controls_points.shp", "point", "controls"),
        ("C-STRM-PIPE.shp", "line", "storm_sewers"),
        ("C-STRM-INLT.shp", "point", "inlets"),
        ("storm_inlets.shp", "point", "inlets"),
        ("wetland_boundary.shp", "polygon", "wetlands"),
        ("Site Boundary (final).shp", "polygon", "boundary"),
        ("S_FLD_HAZ_AR.shp", "polygon", "floodplain"),
        ("temporary_seeding.shp", "polygon", "stabilization"),
        ("permanent_seeding.shp", "polygon", "revegetation"),
        ("existing vegetation.shp", "polygon", "vegetation"),
        ("rain_gardens.shp", "polygon", "infiltration"),
        ("pond_outfall.shp", "point", "outfalls"),  # ponds are areas
        ("lakes_and_streams.shp", "line", "streams"),
        ("City of Muskego submittal.gpkg", "polygon", "boundary"),
    ],
)
def test_names_as_consultants_write_them(file: str, kind: str, role: str) -> None:
    layer = "boundary" if file.endswith(".gpkg") else ""
    choice = role_of(file, kind, "ID", layer=layer)
    assert choice.role == role, choice.reason
    assert "says" in choice.reason


def test_a_reason_is_a_plain_sentence() -> None:
    choice = role_of("wetlands_2024.shp", "polygon", "WETCODE", "PLS")
    assert choice.role == "wetlands"
    assert choice.reason == (
        "file name says 'wetlands'; polygons; "
        "column WETCODE as in Wisconsin Wetland Inventory, old classification"
    )
    assert choice.field_map == {"id": "PLS", "class": "WETCODE"}
    assert not choice.named


def test_a_name_that_fits_two_roles_equally_is_not_guessed() -> None:
    choice = role_of("wetlands_floodplain.shp", "polygon", "ID")
    assert choice.role is None
    assert "wetlands" in choice.reason
    assert "floodplain" in choice.reason
    assert "site.toml" in choice.reason


def test_a_required_column_breaks_a_tie_of_names() -> None:
    assert role_of("wetlands_floodplain.shp", "polygon", "FLOOD_ZONE").role == "floodplain"


def test_contours_of_unknown_ground_are_not_guessed() -> None:
    elev: list[object] = [float(level) for level in range(800, 850, 2)]
    choice = role_of("contours.shp", "line", "ELEV", ELEV=elev)
    assert choice.role is None
    assert "contours_existing or contours_proposed" in choice.reason
    assert "steps of 2" in choice.reason


def test_lines_whose_values_are_steps_are_contours_without_a_name_too() -> None:
    steps: list[object] = [800.0, 802.0, 804.0, 808.0]
    assert "contours_existing or" in role_of("lines.shp", "line", "ELEV", ELEV=steps).reason
    other: list[object] = [800.13, 802.77, 805.01, 811.46]
    assert "contours" not in role_of("lines.shp", "line", "ELEV", ELEV=other).reason


def test_the_folder_may_say_existing_but_a_project_s_name_does_not() -> None:
    assert role_of("Existing Conditions/contours.shp", "line", "ELEV").role == "contours_existing"
    assert role_of("GIS/Proposed Grading/contours.shp", "line", "ELEV").role == "contours_proposed"
    assert role_of("Proposed Subdivision/contours.shp", "line", "ELEV").role is None


def test_the_name_wins_over_the_geometry_so_that_the_fault_can_be_named() -> None:
    choice = role_of("limits_of_disturbance.shp", "line", "ID")
    assert choice.role == "disturbance"
    assert "takes polygons" in choice.reason


def test_a_raster_is_no_line_and_a_line_no_raster() -> None:
    assert role_of("dem.tif", "raster").role == "elevation"
    assert role_of("dem_lines.shp", "line", "ID").role is None
    assert role_of("wetlands.tif", "raster").role is None
    assert role_of("hillshade_dem.tif", "raster").role is None


def test_a_schema_speaks_before_the_name() -> None:
    choice = role_of("x___layer.fgb", "line", *NHD_LINES, layer="file52f4")
    assert choice.role == "streams"
    assert choice.field_map == {
        "name": "GNIS_NAME",
        "kind": "FTYPE",
        "flow_direction": "FLOWDIR",
        "reach": "COMID",
    }
    assert role_of("data.shp", "polygon", "fld_zone", "static_bfe").role == "floodplain"
    assert role_of("data.shp", "polygon", "ATTRIBUTE", "WETLAND_TY", "ACRES").role == "wetlands"


def test_a_schema_against_a_name_is_a_question() -> None:
    # a spatial join leaves the soil survey's columns on the limits of disturbance
    choice = role_of("disturbance.shp", "polygon", "MUKEY", "MUSYM", "ACRES")
    assert choice.role is None
    assert "disturbance" in choice.reason
    assert "soils" in choice.reason


def test_a_boundary_with_census_columns_is_a_municipality_s() -> None:
    assert role_of("Grafton_Boundary.shp", "polygon", "NAME", "COUSUBFP").role == "jurisdiction"
    assert role_of("Boundary.shp", "polygon", "NAME", "COUSUBFP").role == "jurisdiction"


def test_marshes_alone_are_wetlands_and_with_lakes_they_are_waterbodies() -> None:
    marsh: list[object] = [466, 466]
    mixed: list[object] = ["LakePond", "LakePond", "SwampMarsh"]
    assert role_of("NHD.shp", "polygon", *NHD_AREAS, FTYPE=marsh).role == "wetlands"
    assert role_of("NHD.shp", "polygon", *NHD_AREAS, FTYPE=mixed).role == "waterbodies"
    assert role_of("marshes.shp", "polygon", *NHD_AREAS, FTYPE=mixed).role == "wetlands"


@pytest.mark.parametrize(
    ("file", "kind", "columns", "role"),
    [
        ("S_WTR_LN.shp", "line", ["WTR_LN_ID", "WTR_NM"], "streams"),
        ("S_WTR_AR.shp", "polygon", ["WTR_AR_ID", "WTR_NM"], "waterbodies"),
        ("S_POL_AR.shp", "polygon", ["POL_NAME1", "COMM_NO"], "jurisdiction"),
        ("Project_Wetlands.shp", "polygon", ["ID"], "wetlands"),
        ("Site_Boundary_Map.shp", "polygon", ["ID"], "boundary"),
        ("Site_Boundary_StatePlane.shp", "polygon", ["ID"], "boundary"),
        ("MS4_Outfalls.shp", "point", ["ID"], "outfalls"),
    ],
)
def test_their_neighbours_keep_their_roles(
    file: str, kind: str, columns: list[str], role: str
) -> None:
    assert role_of(file, kind, *columns).role == role


@pytest.mark.parametrize(
    ("file", "kind", "columns", "word"),
    [
        ("catchments.shp", "polygon", ["GRIDCODE", "FEATUREID", "SOURCEFC"], "NHDPlus catchments"),
        ("wbd.shp", "polygon", ["HUC12", "NAME"], "hydrologic units"),
        ("gages.shp", "point", ["STATION_NM", "AGENCY_CD"], "gages"),
        ("nodes.shp", "point", NHD_LINES, "stream network"),
        ("wells.shp", "point", ["ID"], "wells"),
        ("sanitary_sewer.shp", "line", ["ID"], "sanitary"),
        ("wetland_buffer.shp", "polygon", ["ID"], "buffer"),
        ("Lot 5 & 6.shp", "polygon", ["ID"], "tax parcels"),
        ("control_points.shp", "point", ["ID"], "neither its name"),  # of the survey
        ("Phase A (final) v2.shp", "polygon", ["ID"], "neither its name nor its columns"),
        ("railroad.shp", "line", ["ID"], "neither its name"),
        (".shp.shp", "line", [], "no columns"),
        # what lies beside the layers meant in the downloads of FEMA, NWI, SSURGO and of counties
        ("S_FIRM_PAN.shp", "polygon", ["FIRM_ID", "FIRM_PAN", "EFF_DATE"], "panels"),
        ("FIRM_Panels.shp", "polygon", ["FIRM_ID"], "panels"),
        ("S_FLD_HAZ_LN.shp", "line", ["FLD_LN_ID", "LN_TYP"], "flood map"),
        ("S_BFE.shp", "line", ["BFE_LN_ID", "ELEV", "LEN_UNIT", "V_DATUM"], "flood map"),
        ("Base_Flood_Elevations.shp", "line", ["ELEV"], "flood map"),
        ("S_SUBBASINS.shp", "polygon", ["SUBBAS_ID", "WTR_NM"], "flood study"),
        ("HU8_07120006_Wetlands_Project_Metadata.shp", "polygon", ["PROJ_NAME"], "inventory"),
        ("WI_Wetlands_Historic_Map_Info.shp", "polygon", ["PROJ_NAME"], "inventory"),
        ("soilmu_l_wi133.shp", "line", ["areasymbol", "musym", "mukey"], "soil survey"),
        ("soilsa_a_wi133.shp", "polygon", ["areasymbol", "lkey"], "soil survey"),
        ("NHDPlusCatchment.shp", "polygon", ["NHDPlusID"], "river reaches"),
        ("Watersheds.shp", "polygon", ["HUC10", "NAME"], "Watershed Boundary Dataset"),
        ("DNR_Wetland_Indicators.shp", "polygon", ["ID"], "may hold"),
        ("Wetland_Impacts.shp", "polygon", ["ID"], "not the wetlands themselves"),
        ("MS4_Boundary.shp", "polygon", ["ID"], "storm sewer permit"),
        ("School_District_Boundary.shp", "polygon", ["ID"], "neither its name"),
        ("Contour_Index_Grid.shp", "polygon", ["TILE"], "an index of files"),
        ("Drainage_Districts.shp", "polygon", ["NAME"], "drainage districts"),
    ],
)
def test_files_that_serve_no_role_say_why(
    file: str, kind: str, columns: list[str], word: str
) -> None:
    choice = role_of(file, kind, *columns)
    assert choice.role is None
    assert word in choice.reason


def test_columns_alone_can_tell_a_role() -> None:
    choice = role_of("export1.shp", "point", "RIM_ELEV", "INV_ELEV", "NAME")
    assert choice.role == "inlets"
    assert "RIM_ELEV" in choice.reason


def test_a_role_named_in_site_toml() -> None:
    choice = named_role("contours_existing", ["HT"], CATALOGUE, {"elevation": "HT"})
    assert (choice.role, choice.named, choice.field_map) == (
        "contours_existing",
        True,
        {"elevation": "HT"},
    )


def test_geometry_by_gdal_s_names() -> None:
    for name in ("3D Multi Polygon", "MultiPolygon Z", "CurvePolygon"):
        assert choose_role("LOD.shp", "LOD", [], [name], CATALOGUE).role == "disturbance"
    assert choose_role("LOD.shp", "LOD", [], ["Unknown"], CATALOGUE).role == "disturbance"


@given(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=6))
def test_no_name_breaks_the_choice_and_every_choice_has_a_reason(
    name: str, columns: list[str]
) -> None:
    for kind in ("point", "line", "polygon", "raster"):
        choice = choose_role(f"{name}.shp", name, columns, [kind], CATALOGUE)
        assert choice.reason


@pytest.mark.parametrize(
    ("levels", "step"),
    [([800, 802, 804], 2.0), ([800, 805, 815], 5.0), ([1, 2], None),
     ([800.1, 801.37, 809.94], None), ([800, 801.5, 804], 0.5), (["a"], None),
     ([float("nan")] * 3, None)],
)  # fmt: skip
def test_levels_are_multiples_of_a_step(levels: list[object], step: float | None) -> None:
    assert level_step(levels) == step


# --------------------------------------------------------------------------- real files

REAL = {
    "1-midwest/csah-roads-mn-noprj/csah.shp": {"csah": "roads"},
    "1-midwest/madison-nhdplus-wi/sample_natseamless.gpkg": {
        "NHDFlowline_Network": "streams",
        "NHDFlowline_NonNetwork": "streams",
        "CatchmentSP": None,
        "Gage": None,
        "NHDArea": "waterbodies",
        "NHDWaterbody": "waterbodies",
        "Sink": None,
    },
    "1-midwest/nicolet-wi/testarea.shp": {"testarea": None},
    "1-midwest/ozaukee-bluff-wi/Grafton_Boundary.geojson": {"Grafton_Boundary": "jurisdiction"},
    "1-midwest/ozaukee-bluff-wi/Oz_BluffToe.geojson": {"Oz_BluffToe": None},
    "1-midwest/pleasant-lake-wi/csls_sources_wu_pts.shp": {"csls_sources_wu_pts": None},
    "1-midwest/pleasant-lake-wi/all_lakes.shp": {"all_lakes": "waterbodies"},
    "1-midwest/tyler-forks-wi/active_area.shp": {"active_area": None},
    "2-real-us/harris-nfhl-tx/fema_flood_zones.geojson": {"fema_flood_zones": "floodplain"},
    "2-real-us/mecklenburg-nc/engineering_grid.geojson": {"engineering_grid": "grid"},
    "2-real-us/mecklenburg-nc/wetlands.geojson": {"wetlands": "wetlands"},
    "2-real-us/mesa-verde-ssurgo-nhd-co/x___label_layer.fgb": {"file52f428869804": "soils"},
    "2-real-us/mesa-verde-ssurgo-nhd-co/x___name_layer.fgb": {"file52f4408365fa": None},
    "2-real-us/neversink-nhdplus-hr-ny/NHDPlus_HR_1.gdb": {"NHDFlowline": "streams"},
    "2-real-us/philadelphia-contours-pa/contours.shp": {"contours": None},
    "2-real-us/shapelib-survey-noprj/pline.shp": {"pline": None},
    "2-real-us/soque-streams-ga/Soque_Links.shp": {"Soque_Links": "streams"},
    "2-real-us/soque-streams-ga/Soque_Nodes.shp": {"Soque_Nodes": None},
    "2-real-us/statsgo2-ny/STATSGO2.shp": {"STATSGO2": "soils"},
    "2-real-us/uk-campus-storm-sewer-ky/STM_Structure_pt.geojson": {"STM_Structure_pt": "inlets"},
    "2-real-other/contours-15m-et/contour_dsm_15m.shp": {"contour_dsm_15m": None},
}


@pytest.mark.real_data
@pytest.mark.parametrize("file", REAL)
def test_real_files_find_their_role_or_none(shared_data: Path, file: str) -> None:
    import pyogrio

    found = {}
    for layer in REAL[file]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd rings and measures are not of interest here
            info = pyogrio.read_info(shared_data / file, layer=layer)
            read = pyogrio.read_dataframe(shared_data / file, layer=layer, read_geometry=False)
        kinds = [info["geometry_type"]]
        choice = choose_role(file, layer, list(info["fields"]), kinds, CATALOGUE, read)
        found[layer] = choice.role
        assert choice.reason
    assert found == REAL[file]
