#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

inline constexpr ErrorMessage geojson_without_polygons{
    "geojson_without_polygons", "holds no polygons; give some, or leave the file out"};
inline constexpr ErrorMessage geojson_is_folder{"geojson_is_folder",
                                                "is a folder; name a file in it"};
inline constexpr ErrorMessage geojson_empty{"geojson_empty", "is empty; give GeoJSON polygons"};
inline constexpr ErrorMessage geojson_not_json{
    "geojson_not_json", "is not JSON: line {}, byte {} of the file: {}; correct it there"};
inline constexpr ErrorMessage geojson_unusable{"geojson_unusable",
                                               "cannot be used: {}; correct it"};
inline constexpr ErrorMessage geojson_member_missing{
    "geojson_member_missing", "lacks the member \"{}\"; write it as RFC 7946 says"};
inline constexpr ErrorMessage geojson_reference_system{
    "geojson_reference_system",
    "is in the coordinate reference system {}, and positions are read as longitude and latitude "
    "(WGS 84); convert it: ogr2ogr -t_srs EPSG:4326 OUT.geojson {}"};
inline constexpr ErrorMessage geojson_time_reversed{"geojson_time_reversed",
                                                    "ends at {} before it starts at {}; swap them"};
inline constexpr ErrorMessage geojson_time_invalid{
    "geojson_time_invalid", "{} is {}; write a time as \"2024-10-28T03:00:00Z\""};
inline constexpr ErrorMessage geojson_not_area{"geojson_not_area",
                                               "is a {}, where areas are wanted; give Polygon or "
                                               "MultiPolygon (a line can be buffered into one)"};
inline constexpr ErrorMessage geojson_polygon_without_rings{
    "geojson_polygon_without_rings", "has a polygon without rings; give its outline"};
inline constexpr ErrorMessage geojson_polygon_invalid{
    "geojson_polygon_invalid", "has {} (ogr2ogr -makevalid OUT.geojson {} repairs such files)"};
inline constexpr ErrorMessage geojson_ring_not_closed{
    "geojson_ring_not_closed",
    "has a ring of {} position(s) that is not closed; a ring needs four at least, the last the "
    "same as the first"};
inline constexpr ErrorMessage geojson_ring_unclear{"geojson_ring_unclear", "has {}"};
inline constexpr ErrorMessage geojson_position_invalid{
    "geojson_position_invalid", "has the position {}; write [longitude, latitude]"};
inline constexpr ErrorMessage geojson_position_not_on_earth{
    "geojson_position_not_on_earth",
    "has the position {}, which is not on Earth; write [longitude, latitude] in degrees"};
inline constexpr ErrorMessage axis_not_vector{
    "axis_not_vector", "has {} dimensions where an axis has one; store it as a vector"};
inline constexpr ErrorMessage axis_too_short{
    "axis_too_short",
    "has {} value(s), and a spacing needs two at least; give the axis two or more"};
inline constexpr ErrorMessage axis_too_long{"axis_too_long",
                                            "has {} values and may have {} at most; use fewer"};
inline constexpr ErrorMessage axis_not_finite{
    "axis_not_finite",
    "holds NaN or infinity, or its fill value (value {}); every point of an axis needs a number"};
inline constexpr ErrorMessage axis_not_growing{
    "axis_not_growing", "runs from {} to {} and must grow; sort it ({}), and the fields with it"};
inline constexpr ErrorMessage axis_imprecise{
    "axis_imprecise",
    "reaches {:.6g} in steps of {:.6g}, which its precision blurs; store the axis as float64, or "
    "count from a nearer origin"};
inline constexpr ErrorMessage axis_not_uniform{
    "axis_not_uniform",
    "is not uniform (value {} is {}, an even spacing of {:.6g} gives {:.6g}); regrid it, e.g. with "
    "'tidewise env import'"};
inline constexpr ErrorMessage missing_mark_is_text{
    "missing_mark_is_text",
    "{}: variable {}: its attribute {} is the text \"{}\", where a number says what is missing; "
    "store it as a number, or take it away"};
inline constexpr ErrorMessage missing_marks_several{
    "missing_marks_several",
    "{}: variable {}: its attribute {} has {} values, and one says what is missing; keep one, and "
    "store it wherever the others stand"};
inline constexpr ErrorMessage axes_share_dimension{
    "axes_share_dimension",
    "lies along the dimension {}, and so does {}, as the points of a track do; an axis needs a "
    "dimension of its own"};
inline constexpr ErrorMessage dimensions_out_of_order{
    "dimensions_out_of_order",
    "has the dimensions ({}), of the shape ({}), and needs ({}), ({}); bring them into that order, "
    "in xarray by ds.transpose(\"{}\", ...)"};
inline constexpr ErrorMessage dimension_foreign{
    "dimension_foreign",
    "has the dimension {} where {} is needed; rename it where both are the same points (in xarray "
    "ds[\"{}\"].rename({}=\"{}\")), else bring the variable onto those of {}"};
inline constexpr ErrorMessage dimensions_unnamed{
    "dimensions_unnamed",
    "its dimensions of the lengths ({}) bear no names that tell {} from {}; name them by dimension "
    "scales (in h5py f[\"{}\"].make_scale() and f[\"{}\"].dims[{}].attach_scale(f[\"{}\"]), and so "
    "on)"};
inline constexpr ErrorMessage shape_differs{
    "shape_differs",
    "has the shape ({}) and needs ({}), that is {}; check the order of its dimensions"};
inline constexpr ErrorMessage extra_time_length{
    "extra_time_length",
    "{}: variable {}: has {} values along time, which has {} levels; cut it, or leave it out"};
inline constexpr ErrorMessage environment_version{
    "environment_version",
    "{}: its attribute tidewise_environment is {}, and this version reads 1; use a version that "
    "knows it"};
inline constexpr ErrorMessage variable_with_two_roles{
    "variable_with_two_roles",
    "{}: [environment.names] gives variable {} two roles; each role needs one of its own"};
inline constexpr ErrorMessage not_an_environment{
    "not_an_environment",
    "{}: is no environment (it has no {}, {} or {}, but {}); bring a forecast in with 'tidewise "
    "env import', or say with [environment.names] what the file calls them"};
inline constexpr ErrorMessage variable_missing{
    "variable_missing",
    "{}: variable {} is missing; if the file calls it otherwise, say so with [environment.names] "
    "{} = \"…\" in the mission (the file holds: {})"};
inline constexpr ErrorMessage variable_packed{
    "variable_packed",
    "is packed (scale_factor, add_offset), which an environment never is; bring the file in with "
    "'tidewise env import'"};
inline constexpr ErrorMessage profile_names_invalid{
    "profile_names_invalid",
    "has {} names in its flag_meanings (\"{}\") and the shape ({}); give each profile a name of "
    "its own, two at least"};
inline constexpr ErrorMessage coefficient_shape{
    "coefficient_shape",
    "has the shape ({}) and needs ({}, modes, realizations), that is (time, mode, realization); "
    "check the order of its dimensions"};
inline constexpr ErrorMessage coefficient_empty{
    "coefficient_empty",
    "has no modes or no realizations; give one of each at least (a coefficient of 0 stands for a "
    "certain flow)"};
inline constexpr ErrorMessage too_many_realizations{
    "too_many_realizations", "has {} realizations, and counts are exact below 2^24; use fewer"};
inline constexpr ErrorMessage too_many_modes{
    "too_many_modes",
    "has {} modes and may have {} at most; keep those that hold the variance, and check the order "
    "of its dimensions"};
inline constexpr ErrorMessage grid_too_large{"grid_too_large",
                                             "and {} make {} × {} cells; the longest side is {}"};
inline constexpr ErrorMessage mode_values_too_many{
    "mode_values_too_many",
    "has {} × {} cells in {} modes, and a level may have {} values at most; use fewer modes or "
    "cells"};
inline constexpr ErrorMessage units_mixed{
    "units_mixed",
    "{}: units are mixed ({}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\"); use m, m, s "
    "and m s-1, or \"1\" throughout"};
inline constexpr ErrorMessage variable_is_group{
    "variable_is_group",
    "is a group, or a link that leads nowhere, and no array; make the file anew"};
inline constexpr ErrorMessage named_variable_missing{
    "named_variable_missing",
    "{}: variable {} is missing; [environment.names] {} asks for it: name one that the file holds, "
    "or \"{}\" to go without (the file holds: {})"};
inline constexpr ErrorMessage mask_fill_value_zero{
    "mask_fill_value_zero",
    "its {} is 0, so that open cells count as missing; take that attribute away, or store 1 where "
    "nothing is known"};
inline constexpr ErrorMessage degrees_incomplete{
    "degrees_incomplete", "is missing where {} is there; give both or neither"};
inline constexpr ErrorMessage mask_value_invalid{
    "mask_value_invalid",
    "{0}: variable {1} holds {2:.10g} ({3}); a mask holds 0 (open) and 1 (closed), or 2 (beyond "
    "the forecast): store 1 wherever it is not open, in xarray by ds[\"{1}\"] = (ds[\"{1}\"] != "
    "0).astype(\"uint8\")"};
inline constexpr ErrorMessage field_not_finite{
    "field_not_finite",
    "{}: variable {} holds {} in the water ({}); give it a number, or close the cell in {}"};
inline constexpr ErrorMessage coefficient_not_finite{
    "coefficient_not_finite",
    "{}: variable {} holds {} (time {}, mode {}, realization {}); leave that realization out"};
inline constexpr ErrorMessage too_many_profiles{"too_many_profiles",
                                                "has {} names, and {} are allowed"};
inline constexpr ErrorMessage profile_name_invalid{
    "profile_name_invalid",
    "has the name \"{}\"; a name is 1 to {} letters, digits, \"-\" and \"_\""};
inline constexpr ErrorMessage profile_depths_count{
    "profile_depths_count", "has {} words for {} profiles; it needs one for each"};
inline constexpr ErrorMessage profile_depths_invalid{
    "profile_depths_invalid",
    "has \"{}\"; depths are FROM:TO or at:DEPTH in metres from 0 to 12000, the shallower one "
    "first, and shares of several ranges sum to 1"};
inline constexpr ErrorMessage profile_unknown{"profile_unknown", "{}: has no profile {}; {}"};
inline constexpr ErrorMessage profile_choice_missing{
    "profile_choice_missing",
    "{0}: holds the profiles {1}, and one is needed; make a file of one, e.g. with "
    "ds.isel(profile=0, drop=True) of xarray"};
inline constexpr ErrorMessage degrees_outside_range{
    "degrees_outside_range",
    "{}: variable {} holds {} (row {}, column {}), which is no number of degrees from {} to {}; "
    "store degrees, and NaN where a cell has none"};
inline constexpr ErrorMessage calendar_not_real{
    "calendar_not_real",
    "has the calendar \"{}\", whose days are not real ones; use standard, gregorian or "
    "proleptic_gregorian"};
inline constexpr ErrorMessage checkpoint_damaged{
    "checkpoint_damaged",
    "{}: is damaged, or was not written for these options; begin anew with --restart-over"};
inline constexpr ErrorMessage gyre_not_built{
    "gyre_not_built",
    "env wind-driven-gyre: this build cannot make it (TIDEWISE_GYRE is OFF); build with "
    "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen"};
inline constexpr ErrorMessage gyre_regrid_too_small{
    "gyre_regrid_too_small",
    "a flow on {} x {} cells cannot be interpolated, which takes four corners along each side; use "
    "3 x 3 cells or more"};
inline constexpr ErrorMessage gyre_number_not_positive{
    "gyre_number_not_positive", "a gyre of {} {} cannot be spun up: give a number above 0"};
inline constexpr ErrorMessage gyre_grid_too_small{
    "gyre_grid_too_small", "a gyre on {} x {} cells cannot be: it takes 3 x 3 or more"};
inline constexpr ErrorMessage spin_up_duration_invalid{
    "spin_up_duration_invalid", "a spin-up of {} L/U cannot be: give a time above 0"};
inline constexpr ErrorMessage spin_up_not_finite{
    "spin_up_not_finite", "a spin-up from an eddy that is not finite cannot be: give a number"};
inline constexpr ErrorMessage spin_up_without_stages{
    "spin_up_without_stages", "a spin-up of no stages cannot be: give one at least"};
inline constexpr ErrorMessage gyre_deviation_invalid{
    "gyre_deviation_invalid",
    "a standard deviation of {} of the greatest speed cannot be: give a share above 0, or no modes "
    "for a certain flow"};
inline constexpr ErrorMessage gyre_perturbations_too_few{
    "gyre_perturbations_too_few", "{} perturbations have no variance to give: draw 2 or more"};
inline constexpr ErrorMessage gyre_realizations_too_few{
    "gyre_realizations_too_few", "{} realizations cannot carry modes: give 2 or more"};
inline constexpr ErrorMessage gyre_modes_too_many{
    "gyre_modes_too_many",
    "{} perturbations on {} x {} cells have {} modes to give, and {} are asked for; draw more "
    "perturbations, give a shorter correlation length or ask for fewer modes"};
inline constexpr ErrorMessage correlation_length_invalid{
    "correlation_length_invalid",
    "a correlation length of {} basin sides cannot be: give {} to {}"};
inline constexpr ErrorMessage env_option_outside_range{"env_option_outside_range",
                                                       "{} is {}; it must lie between {} and {}"};
inline constexpr ErrorMessage record_variable_missing{
    "record_variable_missing", "{}: variable {} is missing; begin anew with --restart-over"};
inline constexpr ErrorMessage restart_of_other_options{
    "restart_of_other_options",
    "{}: holds the beginning of another environment ({}); give its options to go on with it, "
    "--restart-over to throw it away, or another --out"};
inline constexpr ErrorMessage restart_folder_not_created{
    "restart_folder_not_created",
    "{}: cannot be made a folder ({}); choose another place with --out"};
inline constexpr ErrorMessage restart_folder_not_lockable{
    "restart_folder_not_lockable",
    "{}: cannot be locked ({}); choose a place with --out where files can be written and locked"};
inline constexpr ErrorMessage restart_folder_in_use{
    "restart_folder_in_use",
    "{}: another process is making this environment; wait until it has ended, or choose another "
    "file with --out"};
inline constexpr ErrorMessage restart_folder_foreign{
    "restart_folder_foreign",
    "{}: holds {} and does not say what for; remove the folder, or choose another file with --out"};
inline constexpr ErrorMessage depth_without_units{
    "depth_without_units",
    "says no units, so that it may number its levels alone; add its units (m) where it holds "
    "metres, or take one level of it first"};
inline constexpr ErrorMessage depth_not_in_metres{
    "depth_not_in_metres",
    "has {}, and levels are chosen in metres; bring the file to depths in metres first"};
inline constexpr ErrorMessage depth_below_levels{
    "depth_below_levels",
    "goes down to {:.6g} m, and --depth is {:.6g}; give a depth that it holds"};
inline constexpr ErrorMessage depth_above_levels{
    "depth_above_levels", "begins at {:.6g} m, and --depth is {:.6g}; give a depth that it holds"};
inline constexpr ErrorMessage depth_without_dimension{"depth_without_dimension",
                                                      "has no depth dimension; leave --depth out"};
inline constexpr ErrorMessage depth_without_coordinate{
    "depth_without_coordinate",
    "its depth dimension {} has no coordinate variable, so no level can be chosen; add one, or "
    "take one level of it first"};
inline constexpr ErrorMessage depth_axis_empty{"depth_axis_empty",
                                               "holds no depth at all; correct the file"};
inline constexpr ErrorMessage surface_level_missing{
    "surface_level_missing",
    "begins at {:.6g} m, and the surface is within {:.6g} m; take this level with --depth {:.6g}, "
    "or bring in a file that reaches the surface"};
inline constexpr ErrorMessage profile_without_levels{
    "profile_without_levels",
    "has {} along {}, and a profile is a mean over several; leave --profile out, or bring in a "
    "file with its levels"};
inline constexpr ErrorMessage depth_missing_value{"depth_missing_value",
                                                  "holds a missing depth; correct the file"};
inline constexpr ErrorMessage depth_above_surface{
    "depth_above_surface",
    "holds {:.6g} m above the surface, where nothing dives; leave --profile out"};
inline constexpr ErrorMessage depth_repeated{"depth_repeated",
                                             "holds {:.6g} m twice; correct the file"};
inline constexpr ErrorMessage profile_above_levels{
    "profile_above_levels",
    "begins at {0:.6g} m, and --profile begins at {1:.6g} m; the first level holds for at most "
    "{2:.6g} m above it: begin the profile at {0:.6g} m, or bring in a file that reaches the "
    "surface"};
inline constexpr ErrorMessage profile_option_name{
    "profile_option_name",
    "its name must be of letters, digits, \"-\" and \"_\", and of {} at most, e.g. deep=0:1000"};
inline constexpr ErrorMessage profile_table_header{
    "profile_table_header",
    "must be from,to,share: depths [m] and the share of the time between them"};
inline constexpr ErrorMessage profile_table_numbers{"profile_table_numbers",
                                                    "must hold three numbers: from,to,share"};
inline constexpr ErrorMessage profile_table_depths{
    "profile_table_depths", "its depths must be metres from 0 to 12000, the shallower one first"};
inline constexpr ErrorMessage profile_table_share{"profile_table_share",
                                                  "its share must be 0 to 1"};
inline constexpr ErrorMessage profile_table_too_long{"profile_table_too_long",
                                                     "there may be 1000 ranges at most"};
inline constexpr ErrorMessage profile_shares_sum{
    "profile_shares_sum", "{}: its shares of the time sum to {:.6g}, and must to 1; correct them"};
inline constexpr ErrorMessage profile_option_invalid{
    "profile_option_invalid",
    "must be NAME=FROM:TO in metres, NAME=at:DEPTH or NAME=FILE, e.g. deep=0:1000"};
inline constexpr ErrorMessage profile_option_depths{
    "profile_option_depths",
    "its depths must be metres below the surface, from 0 to 12000, the shallower one first"};
inline constexpr ErrorMessage profile_option_twice{
    "profile_option_twice",
    "--profile {} is given twice, as {} and as {}; give each a name of its own"};
inline constexpr ErrorMessage s_coordinate_without_depth{
    "s_coordinate_without_depth",
    "says no depth of the water (formula_terms depth, or h), so that its levels have no depth; add "
    "h to the file"};
inline constexpr ErrorMessage s_coordinate_formula_unknown{
    "s_coordinate_formula_unknown",
    "follows the bottom by a formula that is not said; give it the standard_name "
    "ocean_s_coordinate_g1 or ocean_s_coordinate_g2 (ROMS: Vtransform 1 or 2)"};
inline constexpr ErrorMessage s_coordinate_outside_range{
    "s_coordinate_outside_range",
    "holds {:.6g}, and runs from -1 at the bottom to 0 at the surface; correct the file"};
inline constexpr ErrorMessage critical_depth_missing{
    "critical_depth_missing", "has no critical depth ({}); add it to the file"};
inline constexpr ErrorMessage stretching_invalid{
    "stretching_invalid", "is no stretching of the levels from -1 to 0; correct it"};
inline constexpr ErrorMessage stretching_parameters_missing{
    "stretching_parameters_missing",
    "its stretching {} is missing, and so are theta_s and theta_b, from which it could be "
    "reckoned; add one or the others"};
inline constexpr ErrorMessage stretching_unknown{
    "stretching_unknown",
    "its stretching {} is missing, and Vstretching {:.6g} is none of those that are reckoned (1, "
    "2, 4); add {}"};
inline constexpr ErrorMessage components_point_otherwise{
    "components_point_otherwise", "points otherwise than {}, by {} and {}; {}"};
inline constexpr ErrorMessage component_files_point_otherwise{
    "component_files_point_otherwise", "points otherwise than in {}, by {} and {}; {}"};
inline constexpr ErrorMessage components_along_grid{
    "components_along_grid",
    "has the {}, which lies along the axes of the model's grid, on a grid along longitude and "
    "latitude; if that is the model's own, both mean the same, and --components east-north says "
    "so; if a tool has interpolated it there, the components were not turned: bring in the model's "
    "own grid instead"};
inline constexpr ErrorMessage components_staggered_eastward{
    "components_staggered_eastward",
    "is eastward or northward by {}, and u and v lie on points of their own, as only components "
    "along the grid's axes do; {}"};
inline constexpr ErrorMessage components_direction_unknown{
    "components_direction_unknown",
    "says by no standard_name where it points, and the grid's axes point elsewhere than east and "
    "north; {}"};
inline constexpr ErrorMessage dimension_role_ambiguous{
    "dimension_role_ambiguous",
    "has two dimensions that look like {} ({} and {}); say which with {}"};
inline constexpr ErrorMessage role_dimension_missing{
    "role_dimension_missing", "has no dimension for {} {}; choose one of {}"};
inline constexpr ErrorMessage role_dimension_unknown{
    "role_dimension_unknown", "has no {} dimension that can be told; name it with {}{}"};
inline constexpr ErrorMessage dimension_without_coordinate{
    "dimension_without_coordinate",
    "its dimension {} has no coordinate variable, so its {} is unknown; add one, or name it with "
    "{}"};
inline constexpr ErrorMessage dimension_role_unknown{
    "dimension_role_unknown",
    "has a dimension {} of size {} that is none of longitude, latitude, time, depth and member; "
    "name its role with --level or --member, or take one slice of it first"};
inline constexpr ErrorMessage velocity_ambiguous{
    "velocity_ambiguous",
    "{}: several variables have the standard_name {} ({}); choose with --u and --v"};
inline constexpr ErrorMessage already_an_environment{
    "already_an_environment",
    "{0}: is an environment already, and no forecast; take it as it is, or give it other steps and "
    "cells with 'tidewise env resample {0}'"};
inline constexpr ErrorMessage component_option_alone{
    "component_option_alone", "--{} is given without --{}; give both or neither"};
inline constexpr ErrorMessage component_options_equal{
    "component_options_equal",
    "--u and --v are both {}; name one component of the velocity with each"};
inline constexpr ErrorMessage velocity_not_found{
    "velocity_not_found",
    "{}: no velocity was found by standard_name or known names; name it with --u and --v, "
    "FILE:NAME where each has its own file (this one holds: {})"};
inline constexpr ErrorMessage velocity_units_unknown{
    "velocity_units_unknown",
    "has the units \"{}\", which is no speed known here; it needs m s-1, cm s-1, km h-1 or knots"};
inline constexpr ErrorMessage grid_mapping_missing{
    "grid_mapping_missing",
    "its grid_mapping is {}, and there is no such variable; add it, or longitudes and latitudes of "
    "all points"};
inline constexpr ErrorMessage grid_mapping_unknown{
    "grid_mapping_unknown",
    "has the grid_mapping_name \"{}\", which is not known here; add longitudes and latitudes of "
    "all points to the file, with two dimensions"};
inline constexpr ErrorMessage grid_mapping_attribute_missing{
    "grid_mapping_attribute_missing",
    "has no attribute {}, and its projection is unknown without it; add it"};
inline constexpr ErrorMessage grid_mapping_undefined{
    "grid_mapping_undefined",
    "is a grid mapping without grid_mapping_name, crs_wkt and proj4; add one, or longitudes and "
    "latitudes of all points, with two dimensions"};
inline constexpr ErrorMessage coordinates_disagree{
    "coordinates_disagree",
    "is up to {:.3g} degrees off {}, and both say the {} along {}; say which with {}"};
inline constexpr ErrorMessage coordinates_may_be_indices{
    "coordinates_may_be_indices",
    "says no units and counts from column to column, as {} does from row to row, so that these may "
    "be no degrees; add their units, or say that they are with --lon {} --lat {}"};
inline constexpr ErrorMessage unstructured_grid{
    "unstructured_grid",
    "lies on an unstructured grid (its points are numbered along the one dimension {}{}), and such "
    "grids are not read; interpolate its eastward and northward components to longitudes and "
    "latitudes first"};
inline constexpr ErrorMessage curvilinear_pair_missing{
    "curvilinear_pair_missing",
    "has two dimensions (a curvilinear grid), and no {} has the same two; name it with {}"};
inline constexpr ErrorMessage curvilinear_pair_differs{
    "curvilinear_pair_differs",
    "has other dimensions than {}; name a longitude and a latitude of one curvilinear grid with "
    "--lon and --lat"};
inline constexpr ErrorMessage projection_unknown{
    "projection_unknown",
    "has the units \"{}\"{} where degrees are needed, and {} has no grid_mapping that says which "
    "projection it is on; add one, or longitudes and latitudes of all points, with two dimensions"};
inline constexpr ErrorMessage coordinate_is_index{
    "coordinate_is_index",
    "numbers the {} (standard_name {}), and nothing says where these are; bring a file with "
    "longitudes and latitudes, or with x and y in m and a grid_mapping"};
inline constexpr ErrorMessage coordinate_without_units{
    "coordinate_without_units",
    "has no units, and neither its name nor its standard_name says that it is a {}, so that it may "
    "number the {} alone; add its units, or say with {} {} that it holds degrees"};
inline constexpr ErrorMessage netcdf_header_cut_short{
    "netcdf_header_cut_short", "ends within its header: it is cut short; fetch it again"};
inline constexpr ErrorMessage netcdf_cut_short{
    "netcdf_cut_short",
    "{}: has {} bytes, and its header requires {}: it is cut short; fetch it again"};
inline constexpr ErrorMessage attribute_is_text{
    "attribute_is_text",
    "its attribute {} is the text \"{}\", which must be a number or numbers; store it as such, or "
    "remove it"};
inline constexpr ErrorMessage valid_range_invalid{
    "valid_range_invalid",
    "its attribute valid_range has {}, and it needs two; correct or remove it"};
inline constexpr ErrorMessage input_is_address{
    "input_is_address",
    "{}: is an address, and only files of this machine are read, no URLs; fetch the NetCDF file "
    "first and name that"};
inline constexpr ErrorMessage input_is_zarr{
    "input_is_zarr",
    "{}: is a Zarr store, and files of NetCDF are read here; open it in Python, by xr.open_zarr, "
    "and give that to tw.Environment.from_xarray"};
inline constexpr ErrorMessage input_is_folder{"input_is_folder",
                                              "{}: is a folder, not a file; name the files in it"};
inline constexpr ErrorMessage netcdf_variable_unknown{
    "netcdf_variable_unknown", "is not in the file, or holds no numbers; choose one of {}"};
inline constexpr ErrorMessage units_stated_twice{
    "units_stated_twice",
    "says its units twice, {} = \"{}\" and {} = \"{}\"; remove the one that is wrong"};
inline constexpr ErrorMessage variable_too_many_points{"variable_too_many_points",
                                                       "has {} values, {}"};
inline constexpr ErrorMessage netcdf_variable_unreadable{
    "netcdf_variable_unreadable",
    "cannot be read (the file is cut short or damaged); make it anew"};
inline constexpr ErrorMessage variable_size_claimed{
    "variable_size_claimed", "claims {} values, more than the file can hold; make it anew"};
inline constexpr ErrorMessage flags_on_other_dimensions{
    "flags_on_other_dimensions",
    "is on other dimensions than {}, which it grades; give it those, or remove it"};
inline constexpr ErrorMessage velocity_is_radial{
    "velocity_is_radial",
    "is a radial velocity: only the part of the current along the beams of one HF radar ({}); give "
    "total currents, which combine the radials of two radars or more"};
inline constexpr ErrorMessage coordinates_ambiguous{
    "coordinates_ambiguous",
    "has several coordinates of two dimensions that may be its {} ({}); say which with {}"};
inline constexpr ErrorMessage coordinate_sign_reversed{
    "coordinate_sign_reversed",
    "has the units \"{}\", and {}; change the sign of its numbers and write {}, or only the units "
    "where {} is negative already"};
inline constexpr ErrorMessage projection_invalid{
    "projection_invalid",
    "describes the projection \"{}\", which PROJ cannot make; correct its attributes"};
inline constexpr ErrorMessage coordinate_outside_range{
    "coordinate_outside_range",
    "holds {}, and coordinates lie between {} and {} degrees; correct the file"};
inline constexpr ErrorMessage coordinate_too_short{
    "coordinate_too_short",
    "has {} value(s), and interpolation needs two at least; give a larger area"};
inline constexpr ErrorMessage coordinate_not_sorted{
    "coordinate_not_sorted",
    "is not sorted (value {} follows {}); sort it, and the fields with it"};
inline constexpr ErrorMessage bbox_outside_grid{
    "bbox_outside_grid",
    "{}: --bbox {},{},{},{} holds no part of the grid (longitude {:.6g} to {:.6g}, latitude {:.6g} "
    "to {:.6g}); choose a box within it"};
inline constexpr ErrorMessage grid_too_many_points{"grid_too_many_points",
                                                   "makes {} × {} points with {}, {}"};
inline constexpr ErrorMessage area_too_wide{
    "area_too_wide",
    "{}: points up to {:.0f} km from their middle are too wide for one plane (its lengths would be "
    "off by more than {:.0f} %); choose a part with --bbox"};
inline constexpr ErrorMessage area_degrees_too_wide{
    "area_degrees_too_wide",
    "{}: {:.4g} by {:.4g} degrees are too wide for one plane (its lengths would be off by more "
    "than {:.0f} %); choose a part with --bbox"};
inline constexpr ErrorMessage spacing_too_large{
    "spacing_too_large",
    "--spacing {:.6g} m leaves {} × {} cells of an area of {:.0f} × {:.0f} m, and 2 × 2 are "
    "needed; make it smaller"};
inline constexpr ErrorMessage spacing_too_small{
    "spacing_too_small",
    "--spacing {:.6g} m makes {:.0f} × {:.0f} cells, more than {:.0e}; make it larger, or choose a "
    "part with --bbox"};
inline constexpr ErrorMessage scalar_is_velocity{
    "scalar_is_velocity",
    "--scalar {} is a component of the velocity, which is brought in already; leave --scalar out, "
    "or name another variable"};
inline constexpr ErrorMessage import_not_built{
    "import_not_built",
    "env import: this build has no import (TIDEWISE_IMPORT is OFF); build with "
    "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen"};
inline constexpr ErrorMessage lagged_with_members{
    "lagged_with_members", "{}: has {} members already ({}); leave --lagged out"};
inline constexpr ErrorMessage forecast_gap{
    "forecast_gap",
    "{}: there are no fields from {} to {}, {:.0f} steps of {:.6g} s, and {:.0f} are the most that "
    "are bridged; correct the times, add the files between, or stay on one side with --from and "
    "--to"};
inline constexpr ErrorMessage ensemble_options_without_ensemble{
    "ensemble_options_without_ensemble",
    "{} asks for an ensemble, and one forecast has no spread; make members of it with --lagged N, "
    "e.g. --lagged 4, or leave it out"};
inline constexpr ErrorMessage import_modes_too_many{
    "import_modes_too_many", "--modes is {}; {} members have at most {}, so ask for {} or fewer"};
inline constexpr ErrorMessage steady_with_times{
    "steady_with_times",
    "{}: holds {} times, and --steady holds a field of one; leave it out, or take one time of the "
    "file first"};
inline constexpr ErrorMessage forecast_without_times{
    "forecast_without_times", "{}: holds no time at all; give a file that does"};
inline constexpr ErrorMessage steady_shorter_than_step{
    "steady_shorter_than_step",
    "--steady {:.6g} s is shorter than one --step of {:.6g} s; make it longer, or the step "
    "shorter"};
inline constexpr ErrorMessage bathymetry_without_profile{
    "bathymetry_without_profile",
    "--bathymetry goes with --profile, whose dives end above it; name one"};
inline constexpr ErrorMessage depth_with_profile{
    "depth_with_profile",
    "--depth takes one level and --profile a mean over several; leave one out"};
inline constexpr ErrorMessage profile_option_count{
    "profile_option_count",
    "--profile is given {} times, and a file holds {} at most; leave some out"};
inline constexpr ErrorMessage bottom_margin_invalid{
    "bottom_margin_invalid", "--bottom-margin must be metres of water, e.g. 10m"};
inline constexpr ErrorMessage shallowest_invalid{
    "shallowest_invalid",
    "--shallowest is {:.6g} m and --bottom-margin {:.6g} m, which leaves no water to dive in; make "
    "it deeper"};
inline constexpr ErrorMessage import_levels_too_many{
    "import_levels_too_many",
    "a step of {:.6g} s makes {:.0f} levels, more than {:.0f}; give a longer --step with its unit, "
    "e.g. 3h, or less time with --from and --to"};
inline constexpr ErrorMessage import_option_invalid{"import_option_invalid",
                                                    "{} is {}; it must be {}"};
inline constexpr ErrorMessage forecast_not_named{
    "forecast_not_named", "no forecast is named; name one NetCDF file or more"};
inline constexpr ErrorMessage steady_with_other_option{
    "steady_with_other_option", "--steady holds one field, and {}; leave one of them out"};
inline constexpr ErrorMessage scalar_options_without_scalar{
    "scalar_options_without_scalar",
    "--scalar-file and --scalar-fill go with --scalar; name the variable with it"};
inline constexpr ErrorMessage import_times_reversed{"import_times_reversed",
                                                    "--from {} is not before --to {}; swap them"};
inline constexpr ErrorMessage forecast_times_too_few{
    "forecast_times_too_few",
    "{}: holds {} time(s), and an environment needs two at least; name all files along time, or "
    "hold the field for a while with --steady, e.g. --steady 2d"};
inline constexpr ErrorMessage lagged_too_long{
    "lagged_too_long",
    "{}: holds {} times, and --lagged {} needs {} at least ({} at each end, and two levels); use "
    "fewer lags or more files"};
inline constexpr ErrorMessage import_times_outside{
    "import_times_outside",
    "{}: {}{}{} asks for more than the file holds, {} to {}{}; choose times within"};
inline constexpr ErrorMessage import_levels_too_few{
    "import_levels_too_few",
    "{}: fewer than two levels of {:.6g} s fit between {} and {}{}; use a shorter --step, fewer "
    "lags or more files"};
inline constexpr ErrorMessage import_too_large{
    "import_too_large",
    "{:.0f} levels of {} × {} cells with {} mode(s) and {} realizations make {:.3g} GB, more than "
    "{:.0f}; give a longer --step, a larger --spacing, fewer --modes or --realizations, or a part "
    "with --bbox, --from and --to"};
inline constexpr ErrorMessage bathymetry_variable_missing{
    "bathymetry_variable_missing", "{}: has no variable {} for --bathymetry; it holds {}"};
inline constexpr ErrorMessage bathymetry_variable_unclear{
    "bathymetry_variable_unclear",
    "{}: {} for the bottom's depth; name it with --bathymetry FILE:NAME (it holds {})"};
inline constexpr ErrorMessage bathymetry_units{
    "bathymetry_units",
    "has the units \"{}\", and --bathymetry needs metres; bring it to metres first"};
inline constexpr ErrorMessage bathymetry_without_bottom{
    "bathymetry_without_bottom",
    "holds no bottom below 0 in the forecast's area; give a file that covers it, whose depths grow "
    "downwards or whose attribute positive is \"up\""};
inline constexpr ErrorMessage profile_below_levels{
    "profile_below_levels",
    "goes down to {:.6g} m, where there is still water, and --profile {} goes down to {:.6g} m; "
    "end it there, or give the bottom with --bathymetry FILE"};
inline constexpr ErrorMessage profile_without_water{
    "profile_without_water",
    "has no water for --profile {} ({}): the bottom is {:.6g} m deep at most, and it begins at "
    "{:.6g} m, ends {:.6g} m above the bottom and needs {:.6g} m of water; give shallower depths, "
    "or less with --bottom-margin and --shallowest"};
inline constexpr ErrorMessage no_water_at_time{
    "no_water_at_time",
    "there is no water at {}: every velocity is missing there; choose other times with --from and "
    "--to, another area with --bbox, or correct the file's _FillValue"};
inline constexpr ErrorMessage no_water_during_level{
    "no_water_during_level",
    "there is no cell that is water from {} to {}, whose mean a level holds; choose a shorter "
    "--step"};
inline constexpr ErrorMessage component_times_differ{
    "component_times_differ", "has other times than {}; bring in fields of one forecast"};
inline constexpr ErrorMessage member_counts_differ{
    "member_counts_differ", "has {} where {} has {}; bring in files of one ensemble"};
inline constexpr ErrorMessage member_labels_differ{
    "member_labels_differ", "has the members {} where {} has {}; bring in files of one ensemble"};
inline constexpr ErrorMessage component_depth_differs{
    "component_depth_differs",
    "has its nearest level at {}, and {} at {}; bring in fields of one depth"};
inline constexpr ErrorMessage component_depths_differ{
    "component_depths_differ", "has other depths than {}; bring in components of the same levels"};
inline constexpr ErrorMessage component_points_differ{
    "component_points_differ",
    "lies on other points than {} of {}{}; regrid them to one grid first"};
inline constexpr ErrorMessage velocity_zero_everywhere{
    "velocity_zero_everywhere",
    "is 0 at every point and time (in one member at least), as is the other component, and that "
    "would be land alone; name other variables with --u and --v, or take it for water at rest with "
    "--zeros water"};
inline constexpr ErrorMessage surface_times_differ{
    "surface_times_differ", "has other times than the velocity; correct the file"};
inline constexpr ErrorMessage member_number_missing{
    "member_number_missing",
    "{}: does not number its member, and {} does (by its {}); number it too, name what numbers it "
    "with --member, or leave the file out"};
inline constexpr ErrorMessage member_time_missing{
    "member_time_missing",
    "{}: has a field of member {} at {}, and no file has one of member {}{}; give the same times "
    "of all members, or leave the files of that member out"};
inline constexpr ErrorMessage scalar_times_differ{
    "scalar_times_differ",
    "--scalar {}: its times run from {} to {} and the environment's from {} to {}; give a longer "
    "file, or shorten the environment with --from and --to"};
inline constexpr ErrorMessage scalar_value_missing{
    "scalar_value_missing",
    "--scalar {} has no value at {:.3f} E {:.3f} N, {}, where there is water; give a file that "
    "covers it, or a value for such cells with --scalar-fill"};
inline constexpr ErrorMessage points_move{
    "points_move",
    "changes along a dimension that is none of its rows and columns; only points that stay where "
    "they are can be read"};
inline constexpr ErrorMessage projected_coordinate_units{
    "projected_coordinate_units",
    "has the units \"{}\", and a map's coordinates are in {}; correct them"};
inline constexpr ErrorMessage coordinates_without_places{
    "coordinates_without_places",
    "holds no places, nor does {}: they are the same at every point, or missing; {}"};
inline constexpr ErrorMessage coordinates_off_projection{
    "coordinates_off_projection",
    "is, with {}, {:.3g} km off the places of {} and {} on the projection {}; say which with --lon "
    "{} --lat {}, or --lon {} --lat {}"};
inline constexpr ErrorMessage import_grid_too_many_points{"import_grid_too_many_points",
                                                          "lies on {} × {} points, {}"};
inline constexpr ErrorMessage field_too_narrow{
    "field_too_narrow",
    "has one row or column, and interpolation needs two at least; give a larger area"};
inline constexpr ErrorMessage profile_option_without_depth{
    "profile_option_without_depth", "has no depth dimension; leave --profile out"};
inline constexpr ErrorMessage files_points_differ{
    "files_points_differ", "lies on other points than {} of {}; regrid them to one grid first"};
inline constexpr ErrorMessage files_depths_differ{
    "files_depths_differ", "has other depths than {}{}; bring in files of the same levels"};
inline constexpr ErrorMessage files_attribute_differs{"files_attribute_differs",
                                                      "has the {} {} where {} has {}; {}"};
inline constexpr ErrorMessage time_missing_in_file{"time_missing_in_file",
                                                   "says no time; give its own with --from"};
inline constexpr ErrorMessage files_overlap_differently{
    "files_overlap_differently",
    "has other values than {} at the same times, {}; leave one out, or number members by a "
    "variable or an attribute realization"};
inline constexpr ErrorMessage value_undeclared_missing{
    "value_undeclared_missing",
    "holds {:.6g} at {:.6g} E {:.6g} N, {}, {} that no _FillValue or missing_value declares; add "
    "that attribute, or correct the file"};
inline constexpr ErrorMessage grid_axes_not_orthogonal{
    "grid_axes_not_orthogonal",
    "lies along axes of the grid that are not at right angles, so that what it means is unknown; "
    "bring in eastward and northward components"};
inline constexpr ErrorMessage grid_angle_wrong{"grid_angle_wrong",
                                               "is {:.3g} degrees off the angle that the grid's "
                                               "own points make with east; correct or remove it"};
inline constexpr ErrorMessage units_missing_beside{"units_missing_beside",
                                                   "has no units, and {} has \"{}\"; add its own"};
inline constexpr ErrorMessage import_variable_option_invalid{
    "import_variable_option_invalid",
    "{} is \"{}\"; it must be a variable's name, or FILE:NAME, e.g. u.nc:vozocrtx"};
inline constexpr ErrorMessage time_missing_value{"time_missing_value",
                                                 "holds a missing time; correct the file"};
inline constexpr ErrorMessage time_is_climatology{"time_is_climatology",
                                                  "is a climatology ({}), whose times are no dates "
                                                  "of a forecast; give fields of their own dates"};
inline constexpr ErrorMessage time_bounds_shape{
    "time_bounds_shape",
    "has the dimensions ({}), and the bounds of {} need one row of two times for each of its {}; "
    "correct the file"};
inline constexpr ErrorMessage time_bounds_wrong{
    "time_bounds_wrong",
    "gives {} to {} for the time {}, which is not between them; correct the bounds, or remove the "
    "attribute bounds of {} to use its times as they are"};
inline constexpr ErrorMessage resample_not_built{
    "resample_not_built",
    "env resample: this build has none (TIDEWISE_IMPORT is OFF); build with -DTIDEWISE_IMPORT=ON, "
    "which needs netCDF-C, PROJ and Eigen"};
inline constexpr ErrorMessage resample_without_units{
    "resample_without_units",
    "has no units, and steps and cells are chosen in hours and kilometres; give --step or "
    "--spacing"};
inline constexpr ErrorMessage resample_vehicle_speed_invalid{
    "resample_vehicle_speed_invalid",
    "--vehicle-speed is {}; it must be above 0 [m/s], for an environment in metres and seconds"};
inline constexpr ErrorMessage resample_variance_invalid{
    "resample_variance_invalid",
    "--variance is {}; it must be a share above 0 and at most 1, e.g. 0.99"};
inline constexpr ErrorMessage resample_step_too_long{
    "resample_step_too_long",
    "--step {:.6g}{} is longer than its levels last, {:.6g}{}; make it shorter"};
inline constexpr ErrorMessage resample_step_does_not_fit{
    "resample_step_does_not_fit",
    "its levels last {:.6g}{}, and {:.0f} steps of {:.6g}{} end before; give a step that goes into "
    "it, or cut levels off the file"};
inline constexpr ErrorMessage resample_without_water{
    "resample_without_water", "{}: no cell is water at levels {} to {} alike; choose other steps"};
inline constexpr ErrorMessage window_too_narrow{
    "window_too_narrow",
    "{:.10g},{:.10g} leaves {} of the {}, and an axis needs two; they lie from {:.10g} to {:.10g}, "
    "{:.6g} apart: widen the bounds"};
inline constexpr ErrorMessage window_without_degrees{
    "window_without_degrees", "needs the variables {} and {}, which are not there; use --x, --y"};
inline constexpr ErrorMessage window_box_too_small{
    "window_box_too_small",
    "holds fewer than two columns or two rows; the cells lie within {:.4f},{:.4f},{:.4f},{:.4f}: "
    "widen the box"};
inline constexpr ErrorMessage window_levels_invalid{
    "window_levels_invalid", "is no window of two levels or more; there are levels 0 to {}"};
inline constexpr ErrorMessage window_without_dates{
    "window_without_dates",
    "is a date, and times count in \"{}\" from no date; use --time or --levels"};
inline constexpr ErrorMessage double_gyre_speed_invalid{
    "double_gyre_speed_invalid", "--speed is {}; it must be above 0 and at most 100 cells a step"};
inline constexpr ErrorMessage calendar_unknown{
    "calendar_unknown",
    "has the calendar \"{}\", which is not supported; give its times in one of standard, "
    "gregorian, proleptic_gregorian, julian, noleap (365_day) and all_leap (366_day)"};
inline constexpr ErrorMessage time_text_invalid{
    "time_text_invalid", "\"{}\" is not a time; write it as 2024-10-28T03:00:00"};
inline constexpr ErrorMessage date_not_in_calendar{
    "date_not_in_calendar",
    "\"{}\" is not a date of the calendar {}{}; correct the date or the calendar"};
inline constexpr ErrorMessage time_units_without_length{
    "time_units_without_length",
    "has the units \"{}\", and months and years have no fixed length; write its times in days, "
    "hours, minutes or seconds since a date"};
inline constexpr ErrorMessage time_units_unknown{
    "time_units_unknown",
    "has the units \"{}\"; a time axis needs weeks, days, hours, minutes, seconds, milliseconds, "
    "microseconds or nanoseconds since a date, e.g. \"hours since 2024-10-28 00:00:00\""};
inline constexpr ErrorMessage time_beyond_year_9999{"time_beyond_year_9999",
                                                    "holds a time beyond the year 9999"};
inline constexpr ErrorMessage leap_day_in_common_year{
    "leap_day_in_common_year",
    "holds 29 February {}, which its calendar has and the year has not; leave that time out"};
inline constexpr ErrorMessage quantity_invalid{
    "quantity_invalid", "{} is \"{}\"; it must be a number above 0 with its unit, e.g. {}"};
inline constexpr ErrorMessage bbox_option_invalid{
    "bbox_option_invalid",
    "{} is \"{}\"; it must be west,south,east,north in degrees, e.g. -127,46.5,-124,49.5"};
inline constexpr ErrorMessage weight_invalid{
    "weight_invalid",
    "holds {} for realization {}, which is negative or not a number; weights are 0 or more"};
inline constexpr ErrorMessage weights_all_zero{"weights_all_zero",
                                               "holds only zeros; some realization must count"};
inline constexpr ErrorMessage weights_too_large{
    "weights_too_large",
    "holds weights up to {}, whose sum is beyond all numbers; divide them by that, for only their "
    "ratios count"};
inline constexpr ErrorMessage surface_profile_missing{
    "surface_profile_missing",
    "{}: has no profile named surface, in which to drift; bring it in beside the others with "
    "'tidewise env import --profile surface=at:0'"};
inline constexpr ErrorMessage forecast_named_twice{
    "forecast_named_twice", "{} is named beside the files of --u and --v; name files in one way"};
inline constexpr ErrorMessage component_file_alone{
    "component_file_alone", "of --u and --v one alone is FILE:NAME; give both so, or neither"};
inline constexpr ErrorMessage grid_without_places{
    "grid_without_places",
    "{}: no point of the grid has a longitude and a latitude; correct the file"};
inline constexpr ErrorMessage bbox_without_points{
    "bbox_without_points",
    "{}: --bbox {},{},{},{} holds no point of the grid; choose a box within it"};
inline constexpr ErrorMessage velocity_component_missing{
    "velocity_component_missing",
    "{}: holds {} and no {}; give what holds that as well, with --u={} --v={}"};
inline constexpr ErrorMessage velocity_in_groups{
    "velocity_in_groups",
    "{}: its root group holds no velocity, and {} {}; extract one into a file of its own first, "
    "e.g. ncks -G : -g \"{}\" IN.nc OUT.nc"};
inline constexpr ErrorMessage not_netcdf{"not_netcdf", "{}: {}"};

}  // namespace tidewise::errors
