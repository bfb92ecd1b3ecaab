"""One file per rule, named for the fault; RULES lists them in ordinance order."""

from sitemap.rules.crs_contradicts_coordinates import crs_contradicts_coordinates
from sitemap.rules.crs_missing import crs_missing
from sitemap.rules.duplicate_ids import duplicate_ids
from sitemap.rules.file_serves_no_role import file_serves_no_role
from sitemap.rules.file_unreadable import file_unreadable
from sitemap.rules.geometry_invalid import geometry_invalid
from sitemap.rules.geometry_null_or_empty import geometry_null_or_empty
from sitemap.rules.layer_empty_but_not_declared_none import layer_empty_but_not_declared_none
from sitemap.rules.layer_far_from_boundary import layer_far_from_boundary
from sitemap.rules.project_fact_missing import project_fact_missing
from sitemap.rules.required_field_missing import required_field_missing
from sitemap.rules.role_neither_drawn_nor_declared_none import role_neither_drawn_nor_declared_none
from sitemap.rules.rule import Rule
from sitemap.rules.two_files_claim_one_role import two_files_claim_one_role
from sitemap.rules.web_mercator_used_for_measure import web_mercator_used_for_measure
from sitemap.rules.wrong_geometry_type import wrong_geometry_type

RULES: tuple[Rule, ...] = (
    # SUB: the submission
    role_neither_drawn_nor_declared_none,
    file_unreadable,
    layer_empty_but_not_declared_none,
    two_files_claim_one_role,
    file_serves_no_role,
    wrong_geometry_type,
    required_field_missing,
    duplicate_ids,
    # CRS: coordinate systems
    crs_missing,
    crs_contradicts_coordinates,
    layer_far_from_boundary,
    web_mercator_used_for_measure,
    # GEO: geometry
    geometry_invalid,
    geometry_null_or_empty,
    # SCL: scale
    # CON: contours
    # BND, DST: boundary and disturbance
    # GRD: grid
    # DOC: project facts
    project_fact_missing,
)
