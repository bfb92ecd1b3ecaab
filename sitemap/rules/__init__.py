"""One file per rule, named for the fault; RULES lists them in ordinance order."""

from sitemap.rules.arrow_points_uphill import arrow_points_uphill
from sitemap.rules.attributes_end_early import attributes_end_early
from sitemap.rules.boundary_not_one_closed_area import boundary_not_one_closed_area
from sitemap.rules.boundary_off_the_parcels import boundary_off_the_parcels
from sitemap.rules.cells_unequal import cells_unequal
from sitemap.rules.companion_file_missing import companion_file_missing
from sitemap.rules.contour_ends_inside_map import contour_ends_inside_map
from sitemap.rules.contours_cross import contours_cross
from sitemap.rules.contours_disagree_with_surface import contours_disagree_with_surface
from sitemap.rules.contours_do_not_reach import contours_do_not_reach
from sitemap.rules.contours_too_far_apart import contours_too_far_apart
from sitemap.rules.control_type_unknown import control_type_unknown
from sitemap.rules.coordinate_not_finite_or_wild import coordinate_not_finite_or_wild
from sitemap.rules.crs_contradicts_coordinates import crs_contradicts_coordinates
from sitemap.rules.crs_missing import crs_missing
from sitemap.rules.curve_or_multipatch_converted import curve_or_multipatch_converted
from sitemap.rules.delineation_source_or_date_missing import delineation_source_or_date_missing
from sitemap.rules.detail_finer_than_plot import detail_finer_than_plot
from sitemap.rules.discharge_misplaced import discharge_misplaced
from sitemap.rules.discharge_not_shown import discharge_not_shown
from sitemap.rules.disturbance_in_floodway import disturbance_in_floodway
from sitemap.rules.disturbance_in_wetland import disturbance_in_wetland
from sitemap.rules.disturbance_on_steep_slope import disturbance_on_steep_slope
from sitemap.rules.disturbance_outside_boundary import disturbance_outside_boundary
from sitemap.rules.disturbed_edge_open_downslope import disturbed_edge_open_downslope
from sitemap.rules.disturbed_ground_never_stabilized import disturbed_ground_never_stabilized
from sitemap.rules.ditch_check_of_wrong_kind import ditch_check_of_wrong_kind
from sitemap.rules.drainage_pattern_not_shown import drainage_pattern_not_shown
from sitemap.rules.drawn_but_not_in_legend import drawn_but_not_in_legend
from sitemap.rules.duplicate_ids import duplicate_ids
from sitemap.rules.elevation_missing_or_zero import elevation_missing_or_zero
from sitemap.rules.elevation_outlier import elevation_outlier
from sitemap.rules.entrance_without_trackout_control import entrance_without_trackout_control
from sitemap.rules.feature_not_drawn import feature_not_drawn
from sitemap.rules.features_identical import features_identical
from sitemap.rules.feet_per_inch_too_many import feet_per_inch_too_many
from sitemap.rules.file_serves_no_role import file_serves_no_role
from sitemap.rules.file_unreadable import file_unreadable
from sitemap.rules.floodplain_on_site_not_drawn import floodplain_on_site_not_drawn
from sitemap.rules.floodway_and_fringe_not_separated import floodway_and_fringe_not_separated
from sitemap.rules.flow_direction_disagrees_with_ground import flow_direction_disagrees_with_ground
from sitemap.rules.flow_network_broken import flow_network_broken
from sitemap.rules.gap_between_neighbours import gap_between_neighbours
from sitemap.rules.geometry_invalid import geometry_invalid
from sitemap.rules.geometry_null_or_empty import geometry_null_or_empty
from sitemap.rules.grid_does_not_cover_map import grid_does_not_cover_map
from sitemap.rules.grid_missing import grid_missing
from sitemap.rules.half_size_print_breaks_limit import half_size_print_breaks_limit
from sitemap.rules.infiltration_in_excluded_area import infiltration_in_excluded_area
from sitemap.rules.inlet_unprotected import inlet_unprotected
from sitemap.rules.labels_broken import labels_broken
from sitemap.rules.layer_empty_but_not_declared_none import layer_empty_but_not_declared_none
from sitemap.rules.layer_far_from_boundary import layer_far_from_boundary
from sitemap.rules.lettering_too_small import lettering_too_small
from sitemap.rules.level_missing import level_missing
from sitemap.rules.lines_coincide_in_plan import lines_coincide_in_plan
from sitemap.rules.match_line_broken import match_line_broken
from sitemap.rules.not_an_engineers_scale import not_an_engineers_scale
from sitemap.rules.number_kept_as_text import number_kept_as_text
from sitemap.rules.outfall_touches_no_flow_path import outfall_touches_no_flow_path
from sitemap.rules.outfall_without_velocity_dissipation import outfall_without_velocity_dissipation
from sitemap.rules.outline_not_closed import outline_not_closed
from sitemap.rules.outside_jurisdiction import outside_jurisdiction
from sitemap.rules.page_is_not_the_sheet import page_is_not_the_sheet
from sitemap.rules.plate_not_measurable import plate_not_measurable
from sitemap.rules.polygons_overlap import polygons_overlap
from sitemap.rules.project_fact_missing import project_fact_missing
from sitemap.rules.proposed_contours_missing_where_graded import (
    proposed_contours_missing_where_graded,
)
from sitemap.rules.receiving_water_unnamed import receiving_water_unnamed
from sitemap.rules.required_field_missing import required_field_missing
from sitemap.rules.role_neither_drawn_nor_declared_none import role_neither_drawn_nor_declared_none
from sitemap.rules.rule import Rule
from sitemap.rules.schedule_inconsistent import schedule_inconsistent
from sitemap.rules.sediment_trap_too_small import sediment_trap_too_small
from sitemap.rules.silt_fence_in_concentrated_flow import silt_fence_in_concentrated_flow
from sitemap.rules.silt_fence_off_contour import silt_fence_off_contour
from sitemap.rules.site_does_not_fit_the_sheet import site_does_not_fit_the_sheet
from sitemap.rules.sliver_or_spike import sliver_or_spike
from sitemap.rules.slope_not_given import slope_not_given
from sitemap.rules.soil_loss_over_limit import soil_loss_over_limit
from sitemap.rules.stated_acres_disagree import stated_acres_disagree
from sitemap.rules.stated_disturbed_acres_disagree import stated_disturbed_acres_disagree
from sitemap.rules.stated_scale_disagrees_with_page import stated_scale_disagrees_with_page
from sitemap.rules.stockpile_without_barrier import stockpile_without_barrier
from sitemap.rules.structural_control_not_on_upland import structural_control_not_on_upland
from sitemap.rules.text_encoding_doubtful import text_encoding_doubtful
from sitemap.rules.trace_ended_at_data_edge import trace_ended_at_data_edge
from sitemap.rules.transformation_ballpark import transformation_ballpark
from sitemap.rules.two_files_claim_one_role import two_files_claim_one_role
from sitemap.rules.unit_disagrees_with_code import unit_disagrees_with_code
from sitemap.rules.untreated_flow_path import untreated_flow_path
from sitemap.rules.value_outside_vocabulary import value_outside_vocabulary
from sitemap.rules.vertical_unit_or_datum_unstated import vertical_unit_or_datum_unstated
from sitemap.rules.waiver_expired import waiver_expired
from sitemap.rules.waiver_expires_soon import waiver_expires_soon
from sitemap.rules.waiver_unused import waiver_unused
from sitemap.rules.water_not_drawn import water_not_drawn
from sitemap.rules.web_mercator_used_for_measure import web_mercator_used_for_measure
from sitemap.rules.wetland_area_not_stated import wetland_area_not_stated
from sitemap.rules.wetland_on_site_not_drawn import wetland_on_site_not_drawn
from sitemap.rules.wrong_geometry_type import wrong_geometry_type

RULES: tuple[Rule, ...] = (
    # SUB: the submission
    role_neither_drawn_nor_declared_none,
    file_unreadable,
    companion_file_missing,
    layer_empty_but_not_declared_none,
    two_files_claim_one_role,
    file_serves_no_role,
    wrong_geometry_type,
    text_encoding_doubtful,
    required_field_missing,
    value_outside_vocabulary,
    duplicate_ids,
    number_kept_as_text,
    attributes_end_early,
    # CRS: coordinate systems
    crs_missing,
    crs_contradicts_coordinates,
    layer_far_from_boundary,
    web_mercator_used_for_measure,
    transformation_ballpark,
    vertical_unit_or_datum_unstated,
    outside_jurisdiction,
    unit_disagrees_with_code,
    # GEO: geometry
    geometry_invalid,
    geometry_null_or_empty,
    features_identical,
    sliver_or_spike,
    outline_not_closed,
    detail_finer_than_plot,
    coordinate_not_finite_or_wild,
    curve_or_multipatch_converted,
    # TOP: areas and lines that should meet
    polygons_overlap,
    gap_between_neighbours,
    flow_network_broken,
    # SCL: scale
    feet_per_inch_too_many,
    stated_scale_disagrees_with_page,
    half_size_print_breaks_limit,
    not_an_engineers_scale,
    site_does_not_fit_the_sheet,
    # CON: contours
    contours_too_far_apart,
    level_missing,
    elevation_missing_or_zero,
    contours_cross,
    contours_do_not_reach,
    contours_disagree_with_surface,
    elevation_outlier,
    proposed_contours_missing_where_graded,
    contour_ends_inside_map,
    lines_coincide_in_plan,
    # BND, DST: boundary and disturbance
    boundary_not_one_closed_area,
    stated_acres_disagree,
    boundary_off_the_parcels,
    disturbance_outside_boundary,
    stated_disturbed_acres_disagree,
    disturbance_on_steep_slope,
    disturbance_in_wetland,
    disturbance_in_floodway,
    disturbed_ground_never_stabilized,
    # HYD: where the water goes
    water_not_drawn,
    discharge_not_shown,
    discharge_misplaced,
    trace_ended_at_data_edge,
    outfall_touches_no_flow_path,
    receiving_water_unnamed,
    flow_direction_disagrees_with_ground,
    # WET, FLD: wetlands and floodplain
    wetland_on_site_not_drawn,
    wetland_area_not_stated,
    delineation_source_or_date_missing,
    floodplain_on_site_not_drawn,
    floodway_and_fringe_not_separated,
    # SLP: slopes and drainage
    drainage_pattern_not_shown,
    slope_not_given,
    arrow_points_uphill,
    # BMP, INF: controls
    control_type_unknown,
    structural_control_not_on_upland,
    inlet_unprotected,
    entrance_without_trackout_control,
    silt_fence_off_contour,
    silt_fence_in_concentrated_flow,
    outfall_without_velocity_dissipation,
    stockpile_without_barrier,
    sediment_trap_too_small,
    untreated_flow_path,
    disturbed_edge_open_downslope,
    ditch_check_of_wrong_kind,
    infiltration_in_excluded_area,
    # GRD: grid
    grid_missing,
    grid_does_not_cover_map,
    labels_broken,
    cells_unequal,
    # PLT: the finished plate
    plate_not_measurable,
    page_is_not_the_sheet,
    drawn_but_not_in_legend,
    feature_not_drawn,
    lettering_too_small,
    match_line_broken,
    # DOC: project facts
    project_fact_missing,
    schedule_inconsistent,
    # SOI: soil loss
    soil_loss_over_limit,
    # WVR: waivers
    waiver_expired,
    waiver_expires_soon,
    waiver_unused,
)
