#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(geojson_without_polygons, "holds no polygons; give some, or leave the file out");
TIDEWISE_ERROR(geojson_is_folder, "is a folder; name a file in it");
TIDEWISE_ERROR(geojson_empty, "is empty; give GeoJSON polygons");
TIDEWISE_ERROR(geojson_not_json, "is not JSON: line {}, byte {} of the file: {}; correct it there");
TIDEWISE_ERROR(geojson_unusable, "cannot be used: {}; correct it");
TIDEWISE_ERROR(geojson_member_missing, "lacks the member \"{}\"; write it as RFC 7946 says");
TIDEWISE_ERROR(geojson_reference_system,
               "is in the coordinate reference system {}, and positions are read as longitude and "
               "latitude (WGS 84); convert it: ogr2ogr -t_srs EPSG:4326 OUT.geojson {}");
TIDEWISE_ERROR(geojson_time_reversed, "ends at {} before it starts at {}; swap them");
TIDEWISE_ERROR(geojson_time_invalid, "{} is {}; write a time as \"2024-10-28T03:00:00Z\"");
TIDEWISE_ERROR(geojson_not_area,
               "is a {}, where areas are wanted; give Polygon or MultiPolygon (a line can be "
               "buffered into one)");
TIDEWISE_ERROR(geojson_polygon_without_rings, "has a polygon without rings; give its outline");
TIDEWISE_ERROR(geojson_polygon_invalid,
               "has {} (ogr2ogr -makevalid OUT.geojson {} repairs such files)");
TIDEWISE_ERROR(geojson_ring_not_closed,
               "has a ring of {} position(s) that is not closed; a ring needs four at least, the "
               "last the same as the first");
TIDEWISE_ERROR(geojson_ring_unclear, "has {}");
TIDEWISE_ERROR(geojson_position_invalid, "has the position {}; write [longitude, latitude]");
TIDEWISE_ERROR(
    geojson_position_not_on_earth,
    "has the position {}, which is not on Earth; write [longitude, latitude] in degrees");
TIDEWISE_ERROR(axis_not_vector, "has {} dimensions where an axis has one; store it as a vector");
TIDEWISE_ERROR(axis_too_short,
               "has {} value(s), and a spacing needs two at least; give the axis two or more");
TIDEWISE_ERROR(axis_too_long, "has {} values and may have {} at most; use fewer");
TIDEWISE_ERROR(
    axis_not_finite,
    "holds NaN or infinity, or its fill value (value {}); every point of an axis needs a number");
TIDEWISE_ERROR(axis_not_growing,
               "runs from {} to {} and must grow; sort it ({}), and the fields with it");
TIDEWISE_ERROR(axis_imprecise,
               "reaches {:.6g} in steps of {:.6g}, which its precision blurs; store the axis as "
               "float64, or count from a nearer origin");
TIDEWISE_ERROR(axis_not_uniform,
               "is not uniform (value {} is {}, an even spacing of {:.6g} gives {:.6g}); regrid "
               "it, e.g. with 'tidewise env import'");
TIDEWISE_ERROR(missing_mark_is_text,
               "{}: variable {}: its attribute {} is the text \"{}\", where a number says what is "
               "missing; store it as a number, or take it away");
TIDEWISE_ERROR(missing_marks_several,
               "{}: variable {}: its attribute {} has {} values, and one says what is missing; "
               "keep one, and store it wherever the others stand");
TIDEWISE_ERROR(axes_share_dimension,
               "lies along the dimension {}, and so does {}, as the points of a track do; an axis "
               "needs a dimension of its own");
TIDEWISE_ERROR(dimensions_out_of_order,
               "has the dimensions ({}), of the shape ({}), and needs ({}), ({}); bring them into "
               "that order, in xarray by ds.transpose(\"{}\", ...)");
TIDEWISE_ERROR(
    dimension_foreign,
    "has the dimension {} where {} is needed; rename it where both are the same points (in xarray "
    "ds[\"{}\"].rename({}=\"{}\")), else bring the variable onto those of {}");
TIDEWISE_ERROR(dimensions_unnamed,
               "its dimensions of the lengths ({}) bear no names that tell {} from {}; name them "
               "by dimension scales (in h5py f[\"{}\"].make_scale() and "
               "f[\"{}\"].dims[{}].attach_scale(f[\"{}\"]), and so on)");
TIDEWISE_ERROR(shape_differs,
               "has the shape ({}) and needs ({}), that is {}; check the order of its dimensions");
TIDEWISE_ERROR(
    extra_time_length,
    "{}: variable {}: has {} values along time, which has {} levels; cut it, or leave it out");
TIDEWISE_ERROR(environment_version,
               "{}: its attribute tidewise_environment is {}, and this version reads 1; use a "
               "version that knows it");
TIDEWISE_ERROR(
    uncertainty_unknown,
    "{}: its attribute uncertainty is \"{}\"; it is none, lagged, ensemble, error_model, "
    "guess or contradicted: correct it, or remove it");
TIDEWISE_ERROR(
    variable_with_two_roles,
    "{}: [environment.names] gives variable {} two roles; each role needs one of its own");
TIDEWISE_ERROR(not_an_environment,
               "{}: is no environment (it has no {}, {} or {}, but {}); bring a forecast in with "
               "'tidewise env import', or say with [environment.names] what the file calls them");
TIDEWISE_ERROR(variable_missing,
               "{}: variable {} is missing; if the file calls it otherwise, say so with "
               "[environment.names] {} = \"…\" in the mission (the file holds: {})");
TIDEWISE_ERROR(variable_packed,
               "is packed (scale_factor, add_offset), which an environment never is; bring the "
               "file in with 'tidewise env import'");
TIDEWISE_ERROR(profile_names_invalid,
               "has {} names in its flag_meanings (\"{}\") and the shape ({}); give each profile a "
               "name of its own, two at least");
TIDEWISE_ERROR(coefficient_shape,
               "has the shape ({}) and needs ({}, modes, realizations), that is (time, mode, "
               "realization); check the order of its dimensions");
TIDEWISE_ERROR(coefficient_empty,
               "has no modes or no realizations; give one of each at least (a coefficient of 0 "
               "stands for a certain flow)");
TIDEWISE_ERROR(too_many_realizations,
               "has {} realizations, and counts are exact below 2^24; use fewer");
TIDEWISE_ERROR(too_many_modes,
               "has {} modes and may have {} at most; keep those that hold the variance, and check "
               "the order of its dimensions");
TIDEWISE_ERROR(
    modes_fixed_in_part,
    "has {} dimensions and {} has {}; give both the dimensions (mode, y, x) if modes are "
    "fixed in time, else (time, mode, y, x)");
TIDEWISE_ERROR(grid_too_large, "and {} make {} × {} cells; the longest side is {}");
TIDEWISE_ERROR(mode_values_too_many,
               "has {} × {} cells in {} modes, and a level may have {} values at most; use fewer "
               "modes or cells");
TIDEWISE_ERROR(units_mixed,
               "{}: units are mixed ({}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\"); "
               "use m, m, s and m s-1, or \"1\" throughout");
TIDEWISE_ERROR(variable_is_group,
               "is a group, or a link that leads nowhere, and no array; make the file anew");
TIDEWISE_ERROR(named_variable_missing,
               "{}: variable {} is missing; [environment.names] {} asks for it: name one that the "
               "file holds, or \"{}\" to go without (the file holds: {})");
TIDEWISE_ERROR(mask_fill_value_zero,
               "its {} is 0, so that open cells count as missing; take that attribute away, or "
               "store 1 where nothing is known");
TIDEWISE_ERROR(degrees_incomplete, "is missing where {} is there; give both or neither");
TIDEWISE_ERROR(mask_value_invalid,
               "{0}: variable {1} holds {2:.10g} ({3}); a mask holds 0 (open) and 1 (closed), or 2 "
               "(beyond the forecast): store 1 wherever it is not open, in xarray by ds[\"{1}\"] = "
               "(ds[\"{1}\"] != 0).astype(\"uint8\")");
TIDEWISE_ERROR(
    field_not_finite,
    "{}: variable {} holds {} in the water ({}); give it a number, or close the cell in {}");
TIDEWISE_ERROR(
    coefficient_not_finite,
    "{}: variable {} holds {} (time {}, mode {}, realization {}); leave that realization out");
TIDEWISE_ERROR(too_many_profiles, "has {} names, and {} are allowed");
TIDEWISE_ERROR(profile_name_invalid,
               "has the name \"{}\"; a name is 1 to {} letters, digits, \"-\" and \"_\"");
TIDEWISE_ERROR(profile_depths_count, "has {} words for {} profiles; it needs one for each");
TIDEWISE_ERROR(profile_depths_invalid,
               "has \"{}\"; depths are FROM:TO or at:DEPTH in metres from 0 to 12000, the "
               "shallower one first, and shares of several ranges sum to 1");
TIDEWISE_ERROR(profile_unknown, "{}: has no profile {}; {}");
TIDEWISE_ERROR(profile_choice_missing,
               "{0}: holds the profiles {1}, and one is needed; make a file of one, e.g. with "
               "ds.isel(profile=0, drop=True) of xarray");
TIDEWISE_ERROR(degrees_outside_range,
               "{}: variable {} holds {} (row {}, column {}), which is no number of degrees from "
               "{} to {}; store degrees, and NaN where a cell has none");
TIDEWISE_ERROR(calendar_not_real,
               "has the calendar \"{}\", whose days are not real ones; use standard, gregorian or "
               "proleptic_gregorian");
TIDEWISE_ERROR(checkpoint_damaged,
               "{}: is damaged, or was not written for these options; begin anew with --overwrite");
TIDEWISE_ERROR(gyre_not_built,
               "env wind-driven-gyre: this build cannot make it (TIDEWISE_GYRE is OFF); build with "
               "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
TIDEWISE_ERROR(gyre_regrid_too_small,
               "a flow on {} x {} cells cannot be interpolated, which takes four corners along "
               "each side; use 3 x 3 cells or more");
TIDEWISE_ERROR(gyre_number_not_positive,
               "a gyre of {} {} cannot be spun up: give a number above 0");
TIDEWISE_ERROR(gyre_grid_too_small, "a gyre on {} x {} cells cannot be: it takes 3 x 3 or more");
TIDEWISE_ERROR(spin_up_duration_invalid, "a spin-up of {} L/U cannot be: give a time above 0");
TIDEWISE_ERROR(spin_up_not_finite,
               "a spin-up from an eddy that is not finite cannot be: give a number");
TIDEWISE_ERROR(spin_up_without_stages, "a spin-up of no stages cannot be: give one at least");
TIDEWISE_ERROR(gyre_deviation_invalid,
               "a standard deviation of {} of the greatest speed cannot be: give a share above 0, "
               "or no modes for a certain flow");
TIDEWISE_ERROR(gyre_perturbations_too_few,
               "{} perturbations have no variance to give: draw 2 or more");
TIDEWISE_ERROR(gyre_realizations_too_few, "{} realizations cannot carry modes: give 2 or more");
TIDEWISE_ERROR(gyre_modes_too_many,
               "{} perturbations on {} x {} cells have {} modes to give, and {} are asked for; "
               "draw more perturbations, give a shorter correlation length or ask for fewer modes");
TIDEWISE_ERROR(correlation_length_invalid,
               "a correlation length of {} basin sides cannot be: give {} to {}");
TIDEWISE_ERROR(env_option_outside_range, "{} is {}; it must lie between {} and {}");
TIDEWISE_ERROR(record_variable_missing, "{}: variable {} is missing; begin anew with --overwrite");
TIDEWISE_ERROR(restart_of_other_options,
               "{}: holds the beginning of another environment ({}); give its options to go on "
               "with it, --overwrite to throw it away, or another --out");
TIDEWISE_ERROR(restart_folder_not_created,
               "{}: cannot be made a folder ({}); choose another place with --out");
TIDEWISE_ERROR(
    restart_folder_not_lockable,
    "{}: cannot be locked ({}); choose a place with --out where files can be written and locked");
TIDEWISE_ERROR(restart_folder_in_use,
               "{}: another process is making this environment; wait until it has ended, or choose "
               "another file with --out");
TIDEWISE_ERROR(
    restart_folder_foreign,
    "{}: holds {} and does not say what for; remove the folder, or choose another file with --out");
TIDEWISE_ERROR(depth_without_units,
               "says no units, so that it may number its levels alone; add its units (m) where it "
               "holds metres, or take one level of it first");
TIDEWISE_ERROR(depth_not_in_metres,
               "has {}, and levels are chosen in metres; bring the file to depths in metres first");
TIDEWISE_ERROR(depth_below_levels,
               "goes down to {:.6g} m, and --depth is {:.6g}; give a depth that it holds");
TIDEWISE_ERROR(depth_above_levels,
               "begins at {:.6g} m, and --depth is {:.6g}; give a depth that it holds");
TIDEWISE_ERROR(depth_without_dimension, "has no depth dimension; leave {} out");
TIDEWISE_ERROR(depth_without_coordinate,
               "its depth dimension {} has no coordinate variable, so no level can be chosen; add "
               "one, or take one level of it first");
TIDEWISE_ERROR(depth_axis_empty, "holds no depth at all; correct the file");
TIDEWISE_ERROR(surface_level_missing,
               "begins at {:.6g} m, and the surface is within {:.6g} m; take this level with "
               "--depth {:.6g}, or bring in a file that reaches the surface");
TIDEWISE_ERROR(profile_without_levels,
               "has {} along {}, and a profile is a mean over several; leave --profile out, or "
               "bring in a file with its levels");
TIDEWISE_ERROR(depth_missing_value, "holds a missing depth; correct the file");
TIDEWISE_ERROR(depth_above_surface,
               "holds {:.6g} m above the surface, where nothing dives; leave --profile out");
TIDEWISE_ERROR(depth_repeated, "holds {:.6g} m twice; correct the file");
TIDEWISE_ERROR(profile_above_levels,
               "begins at {0:.6g} m, and --profile begins at {1:.6g} m; the first level holds for "
               "at most {2:.6g} m above it: begin the profile at {0:.6g} m, or bring in a file "
               "that reaches the surface");
TIDEWISE_ERROR(
    profile_option_name,
    "its name must be of letters, digits, \"-\" and \"_\", and of {} at most, e.g. deep=0:1000");
TIDEWISE_ERROR(profile_table_header,
               "must be from,to,share: depths [m] and the share of the time between them");
TIDEWISE_ERROR(profile_table_numbers, "must hold three numbers: from,to,share");
TIDEWISE_ERROR(profile_table_depths,
               "its depths must be metres from 0 to 12000, the shallower one first");
TIDEWISE_ERROR(profile_table_share, "its share must be 0 to 1");
TIDEWISE_ERROR(profile_table_too_long, "there may be 1000 ranges at most");
TIDEWISE_ERROR(profile_shares_sum,
               "{}: its shares of the time sum to {:.6g}, and must to 1; correct them");
TIDEWISE_ERROR(profile_option_invalid,
               "must be NAME=FROM:TO in metres, NAME=at:DEPTH or NAME=FILE, e.g. deep=0:1000");
TIDEWISE_ERROR(
    profile_option_depths,
    "its depths must be metres below the surface, from 0 to 12000, the shallower one first");
TIDEWISE_ERROR(profile_option_twice,
               "--profile {} is given twice, as {} and as {}; give each a name of its own");
TIDEWISE_ERROR(s_coordinate_without_depth,
               "says no depth of the water (formula_terms depth, or h), so that its levels have no "
               "depth; add h to the file");
TIDEWISE_ERROR(s_coordinate_formula_unknown,
               "follows the bottom by a formula that is not said; give it the standard_name "
               "ocean_s_coordinate_g1 or ocean_s_coordinate_g2 (ROMS: Vtransform 1 or 2)");
TIDEWISE_ERROR(
    s_coordinate_outside_range,
    "holds {:.6g}, and runs from -1 at the bottom to 0 at the surface; correct the file");
TIDEWISE_ERROR(critical_depth_missing, "has no critical depth ({}); add it to the file");
TIDEWISE_ERROR(stretching_invalid, "is no stretching of the levels from -1 to 0; correct it");
TIDEWISE_ERROR(stretching_parameters_missing,
               "its stretching {} is missing, and so are theta_s and theta_b, from which it could "
               "be reckoned; add one or the others");
TIDEWISE_ERROR(stretching_unknown,
               "its stretching {} is missing, and Vstretching {:.6g} is none of those that are "
               "reckoned (1, 2, 4); add {}");
TIDEWISE_ERROR(components_point_otherwise, "points otherwise than {}, by {} and {}; {}");
TIDEWISE_ERROR(components_along_grid,
               "has the {}, which lies along the axes of the model's grid, on a grid along "
               "longitude and latitude; if that is the model's own, both mean the same, and "
               "--components east-north says so; if a tool has interpolated it there, the "
               "components were not turned: bring in the model's own grid instead");
TIDEWISE_ERROR(components_staggered_eastward,
               "is eastward or northward by {}, and u and v lie on points of their own, as only "
               "components along the grid's axes do; {}");
TIDEWISE_ERROR(components_direction_unknown,
               "says by no standard_name where it points, and the grid's axes point elsewhere than "
               "east and north; {}");
TIDEWISE_ERROR(dimension_role_ambiguous,
               "has two dimensions that look like {} ({} and {}); say which with {}");
TIDEWISE_ERROR(role_dimension_missing, "has no dimension for {} {}; choose one of {}");
TIDEWISE_ERROR(role_dimension_unknown, "has no {} dimension that can be told; name it with {}{}");
TIDEWISE_ERROR(dimension_without_coordinate,
               "its dimension {} has no coordinate variable, so its {} is unknown; add one, or "
               "name it with {}");
TIDEWISE_ERROR(dimension_role_unknown,
               "has a dimension {} of size {} that is none of longitude, latitude, time, depth and "
               "member; name its role with --level or --member, or take one slice of it first");
TIDEWISE_ERROR(velocity_ambiguous,
               "{}: several variables have the standard_name {} ({}); choose with --u and --v");
TIDEWISE_ERROR(already_an_environment,
               "{0}: is an environment already, and no forecast; take it as it is, or give it "
               "other steps and cells with 'tidewise env resample {0}'");
TIDEWISE_ERROR(component_option_alone, "--{} is given without --{}; give both or neither");
TIDEWISE_ERROR(component_options_equal,
               "--u and --v are both {}; name one component of the velocity with each");
TIDEWISE_ERROR(velocity_not_found,
               "{}: no velocity was found by standard_name or known names; name it with --u and "
               "--v, FILE:NAME where each has its own file (this one holds: {})");
TIDEWISE_ERROR(
    velocity_units_unknown,
    "has the units \"{}\", which is no speed known here; it needs m s-1, cm s-1, km h-1 or knots");
TIDEWISE_ERROR(grid_mapping_missing,
               "its grid_mapping is {}, and there is no such variable; add it, or longitudes and "
               "latitudes of all points");
TIDEWISE_ERROR(grid_mapping_unknown,
               "has the grid_mapping_name \"{}\", which is not known here; add longitudes and "
               "latitudes of all points to the file, with two dimensions");
TIDEWISE_ERROR(grid_mapping_attribute_missing,
               "has no attribute {}, and its projection is unknown without it; add it");
TIDEWISE_ERROR(grid_mapping_undefined,
               "is a grid mapping without grid_mapping_name, crs_wkt and proj4; add one, or "
               "longitudes and latitudes of all points, with two dimensions");
TIDEWISE_ERROR(coordinates_disagree,
               "is up to {:.3g} degrees off {}, and both say the {} along {}; say which with {}");
TIDEWISE_ERROR(
    coordinates_may_be_indices,
    "says no units and counts from column to column, as {} does from row to row, so that these may "
    "be no degrees; add their units, or say that they are with --lon {} --lat {}");
TIDEWISE_ERROR(unstructured_grid,
               "lies on an unstructured grid (its points are numbered along the one dimension "
               "{}{}), and such grids are not read; interpolate its eastward and northward "
               "components to longitudes and latitudes first");
TIDEWISE_ERROR(
    curvilinear_pair_missing,
    "has two dimensions (a curvilinear grid), and no {} has the same two; name it with {}");
TIDEWISE_ERROR(curvilinear_pair_differs,
               "has other dimensions than {}; name a longitude and a latitude of one curvilinear "
               "grid with --lon and --lat");
TIDEWISE_ERROR(
    projection_unknown,
    "has the units \"{}\"{} where degrees are needed, and {} has no grid_mapping that says which "
    "projection it is on; add one, or longitudes and latitudes of all points, with two dimensions");
TIDEWISE_ERROR(coordinate_is_index,
               "numbers the {} (standard_name {}), and nothing says where these are; bring a file "
               "with longitudes and latitudes, or with x and y in m and a grid_mapping");
TIDEWISE_ERROR(
    coordinate_without_units,
    "has no units, and neither its name nor its standard_name says that it is a {}, so that it may "
    "number the {} alone; add its units, or say with {} {} that it holds degrees");
TIDEWISE_ERROR(netcdf_header_cut_short, "ends within its header: it is cut short; fetch it again");
TIDEWISE_ERROR(netcdf_cut_short,
               "{}: has {} bytes, and its header requires {}: it is cut short; fetch it again");
TIDEWISE_ERROR(attribute_is_text,
               "its attribute {} is the text \"{}\", which must be a number or numbers; store it "
               "as such, or remove it");
TIDEWISE_ERROR(valid_range_invalid,
               "its attribute valid_range has {}, and it needs two; correct or remove it");
TIDEWISE_ERROR(input_is_address,
               "{}: is an address, and only files of this machine are read, no URLs; fetch the "
               "NetCDF file first and name that");
TIDEWISE_ERROR(input_is_zarr,
               "{}: is a Zarr store, and files of NetCDF are read here; open it in Python, by "
               "xr.open_zarr, and give that to tw.Environment.from_xarray");
TIDEWISE_ERROR(input_is_folder, "{}: is a folder, not a file; name the files in it");
TIDEWISE_ERROR(netcdf_variable_unknown,
               "is not in the file, or holds no numbers; choose one of {}");
TIDEWISE_ERROR(units_stated_twice,
               "says its units twice, {} = \"{}\" and {} = \"{}\"; remove the one that is wrong");
TIDEWISE_ERROR(variable_too_many_points, "has {} values, {}");
TIDEWISE_ERROR(netcdf_variable_unreadable,
               "cannot be read (the file is cut short or damaged); make it anew");
TIDEWISE_ERROR(variable_size_claimed,
               "claims {} values, more than the file can hold; make it anew");
TIDEWISE_ERROR(flags_on_other_dimensions,
               "is on other dimensions than {}, which it grades; give it those, or remove it");
TIDEWISE_ERROR(velocity_is_radial,
               "is a radial velocity: only the part of the current along the beams of one HF radar "
               "({}); give total currents, which combine the radials of two radars or more");
TIDEWISE_ERROR(
    coordinates_ambiguous,
    "has several coordinates of two dimensions that may be its {} ({}); say which with {}");
TIDEWISE_ERROR(coordinate_sign_reversed,
               "has the units \"{}\", and {}; change the sign of its numbers and write {}, or only "
               "the units where {} is negative already");
TIDEWISE_ERROR(projection_invalid,
               "describes the projection \"{}\", which PROJ cannot make; correct its attributes");
TIDEWISE_ERROR(coordinate_outside_range,
               "holds {}, and coordinates lie between {} and {} degrees; correct the file");
TIDEWISE_ERROR(coordinate_too_short,
               "has {} value(s), and interpolation needs two at least; give a larger area");
TIDEWISE_ERROR(coordinate_not_sorted,
               "is not sorted (value {} follows {}); sort it, and the fields with it");
TIDEWISE_ERROR(bbox_outside_grid,
               "{}: --bbox {},{},{},{} holds no part of the grid (longitude {:.6g} to {:.6g}, "
               "latitude {:.6g} to {:.6g}); choose a box within it");
TIDEWISE_ERROR(grid_too_many_points, "makes {} × {} points with {}, {}");
TIDEWISE_ERROR(area_too_wide,
               "{}: points up to {:.0f} km from their middle are too wide for one plane (its "
               "lengths would be off by more than {:.0f} %); choose a part with --bbox");
TIDEWISE_ERROR(area_degrees_too_wide,
               "{}: {:.4g} by {:.4g} degrees are too wide for one plane (its lengths would be off "
               "by more than {:.0f} %); choose a part with --bbox");
TIDEWISE_ERROR(spacing_too_large,
               "--spacing {:.6g} m leaves {} × {} cells of an area of {:.0f} × {:.0f} m, and 2 × 2 "
               "are needed; make it smaller");
TIDEWISE_ERROR(spacing_too_small,
               "--spacing {:.6g} m makes {:.0f} × {:.0f} cells, more than {:.0e}; make it larger, "
               "or choose a part with --bbox");
TIDEWISE_ERROR(scalar_is_velocity,
               "--scalar {} is a component of the velocity, which is brought in already; leave "
               "--scalar out, or name another variable");
TIDEWISE_ERROR(import_not_built,
               "env {}: this build has no import (TIDEWISE_IMPORT is OFF); build with "
               "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen");
TIDEWISE_ERROR(lagged_with_members, "{}: has {} members already ({}); leave --lagged out");
TIDEWISE_ERROR(forecast_error_with_members,
               "{}: has {} members already ({}), and a forecast error is added to one forecast; "
               "leave the options of the error out");
TIDEWISE_ERROR(forecast_error_with_lagged,
               "--lagged and a forecast error both make realizations of one forecast; give one of "
               "them");
TIDEWISE_ERROR(forecast_error_given_twice,
               "{} and {} both give a forecast error; leave one of them out");
TIDEWISE_ERROR(error_option_missing,
               "{} is missing: a forecast error by hand needs --error-rms, --error-length and "
               "--error-time; give all three");
TIDEWISE_ERROR(forecast_error_realizations,
               "--realizations is 1, and a forecast error needs 2 or more; give 100, for example");
TIDEWISE_ERROR(past_with_members,
               "{} (--past): has {} members ({}); give single forecasts, or analyses");
TIDEWISE_ERROR(past_elsewhere,
               "{} (--past) covers none of the environment's cells; give forecasts of the same "
               "area");
TIDEWISE_ERROR(past_dates_too_few,
               "--past has {} earlier dates whose error is known after {} and before {}; a window "
               "of 90 % needs {}: give more earlier forecasts, a file each, with later ones to "
               "compare, or a longer series of analyses; or shorten the forecast with --to, or "
               "use --forecast-error default");
TIDEWISE_ERROR(past_realizations_too_many,
               "--realizations is {}, and {} earlier dates with both signs give at most {}; give "
               "fewer, or more files with --past");
TIDEWISE_ERROR(past_too_large,
               "--past would keep {} dates of {} levels on {} × {} cells, {:.3g} GB of at most "
               "{:.3g} GB; give fewer --realizations, a larger --spacing, or a shorter window");
TIDEWISE_ERROR(default_error_of_steady,
               "--forecast-error default is estimated from changes in time, which a steady field "
               "does not have; give --error-rms, --error-length and --error-time");
TIDEWISE_ERROR(error_length_too_short,
               "the forecast error has a length of {:.6g} m; on this grid it must be at least "
               "{:.6g} m (a cell, and 1/300 of the longest side): give a longer one, or choose "
               "cells and area with --spacing and --bbox");
TIDEWISE_ERROR(forecast_gap,
               "{}: there are no fields from {} to {}, {:.0f} steps of {:.6g} s, and {:.0f} are "
               "the most that are bridged; correct the times, add the files between, or stay on "
               "one side with --from and --to");
TIDEWISE_ERROR(ensemble_options_without_ensemble,
               "{} asks for an ensemble, and one forecast has no spread; make members of it with "
               "--lagged N or --forecast-error, or leave it out");
TIDEWISE_ERROR(import_modes_too_many,
               "--modes is {}; {} members have at most {}, so ask for {} or fewer");
TIDEWISE_ERROR(steady_with_times,
               "{}: holds {} times, and --steady holds a field of one; leave it out, or take one "
               "time of the file first");
TIDEWISE_ERROR(forecast_without_times, "{}: holds no time at all; give a file that does");
TIDEWISE_ERROR(steady_shorter_than_step,
               "--steady {:.6g} s is shorter than one --step of {:.6g} s; make it longer, or the "
               "step shorter");
TIDEWISE_ERROR(bathymetry_without_profile,
               "--bathymetry goes with --profile, whose dives end above it; name one");
TIDEWISE_ERROR(depth_with_profile,
               "--depth takes one level and --profile a mean over several; leave one out");
TIDEWISE_ERROR(profile_option_count,
               "--profile is given {} times, and a file holds {} at most; leave some out");
TIDEWISE_ERROR(bottom_margin_invalid, "--bottom-margin must be metres of water, e.g. 10m");
TIDEWISE_ERROR(shallowest_invalid,
               "--shallowest is {:.6g} m and --bottom-margin {:.6g} m, which leaves no water to "
               "dive in; make it deeper");
TIDEWISE_ERROR(import_levels_too_many,
               "a step of {:.6g} s makes {:.0f} levels, more than {:.0f}; give a longer --step "
               "with its unit, e.g. 3h, or less time with --from and --to");
TIDEWISE_ERROR(import_option_invalid, "{} is {}; it must be {}");
TIDEWISE_ERROR(forecast_not_named, "no forecast is named; name one NetCDF file or more");
TIDEWISE_ERROR(steady_with_other_option, "--steady holds one field, and {}; leave one of them out");
TIDEWISE_ERROR(scalar_options_without_scalar,
               "--scalar-fill goes with --scalar; name the variable with it");
TIDEWISE_ERROR(import_times_reversed, "--from {} is not before --to {}; swap them");
TIDEWISE_ERROR(forecast_times_too_few,
               "{}: holds {} time(s), and an environment needs two at least; name all files along "
               "time, or hold the field for a while with --steady, e.g. --steady 2d");
TIDEWISE_ERROR(lagged_too_long,
               "{}: holds {} times, and --lagged {} needs {} at least ({} at each end, and two "
               "levels); use fewer lags or more files");
TIDEWISE_ERROR(import_times_outside,
               "{}: {}{}{} asks for more than the file holds, {} to {}{}; choose times within");
TIDEWISE_ERROR(import_levels_too_few,
               "{}: fewer than two levels of {:.6g} s fit between {} and {}{}; use a shorter "
               "--step, fewer lags or more files");
TIDEWISE_ERROR(import_too_large,
               "{:.0f} levels of {} × {} cells with {} mode(s) and {} realizations make {:.3g} GB, "
               "more than {:.0f}; give a longer --step, a larger --spacing, fewer --modes or "
               "--realizations, or a part with --bbox, --from and --to");
TIDEWISE_ERROR(bathymetry_variable_missing, "{}: has no variable {} for --bathymetry; it holds {}");
TIDEWISE_ERROR(bathymetry_variable_unclear,
               "{}: {} for the bottom's depth; name it with --bathymetry FILE:NAME (it holds {})");
TIDEWISE_ERROR(bathymetry_units,
               "has the units \"{}\", and --bathymetry needs metres; bring it to metres first");
TIDEWISE_ERROR(bathymetry_without_bottom,
               "holds no bottom below 0 in the forecast's area; give a file that covers it, whose "
               "depths grow downwards or whose attribute positive is \"up\"");
TIDEWISE_ERROR(profile_below_levels,
               "goes down to {:.6g} m, where there is still water, and --profile {} goes down to "
               "{:.6g} m; end it there, or give the bottom with --bathymetry FILE");
TIDEWISE_ERROR(profile_without_water,
               "has no water for --profile {} ({}): the bottom is {:.6g} m deep at most, and it "
               "begins at {:.6g} m, ends {:.6g} m above the bottom and needs {:.6g} m of water; "
               "give shallower depths, or less with --bottom-margin and --shallowest");
TIDEWISE_ERROR(no_water_at_time,
               "there is no water at {}: every velocity is missing there; choose other times with "
               "--from and --to, another area with --bbox, or correct the file's _FillValue");
TIDEWISE_ERROR(no_water_during_level,
               "there is no cell that is water from {} to {}, whose mean a level holds; choose a "
               "shorter --step");
TIDEWISE_ERROR(component_times_differ, "has other times than {}; bring in fields of one forecast");
TIDEWISE_ERROR(member_counts_differ, "has {} where {} has {}; bring in files of one ensemble");
TIDEWISE_ERROR(member_labels_differ,
               "has the members {} where {} has {}; bring in files of one ensemble");
TIDEWISE_ERROR(component_depth_differs,
               "has its nearest level at {}, and {} at {}; bring in fields of one depth");
TIDEWISE_ERROR(depths_differ, "has other depths than {}{}; bring in {} of the same levels");
TIDEWISE_ERROR(points_differ,
               "lies on other points than {} of {}{}; regrid them to one grid first");
TIDEWISE_ERROR(velocity_zero_everywhere,
               "is 0 at every point and time (in one member at least), as is the other component, "
               "and that would be land alone; name other variables with --u and --v, or take it "
               "for water at rest with --zeros water");
TIDEWISE_ERROR(surface_times_differ, "has other times than the velocity; correct the file");
TIDEWISE_ERROR(member_number_missing,
               "{}: does not number its member, and {} does (by its {}); number it too, name what "
               "numbers it with --member, or leave the file out");
TIDEWISE_ERROR(member_time_missing,
               "{}: has a field of member {} at {}, and no file has one of member {}{}; give the "
               "same times of all members, or leave the files of that member out");
TIDEWISE_ERROR(scalar_times_differ,
               "--scalar {}: its times run from {} to {} and the environment's from {} to {}; give "
               "a longer file, or shorten the environment with --from and --to");
TIDEWISE_ERROR(scalar_value_missing,
               "--scalar {} has no value at {:.3f} E {:.3f} N, {}, where there is water; give a "
               "file that covers it, or a value for such cells with --scalar-fill");
TIDEWISE_ERROR(points_move,
               "changes along a dimension that is none of its rows and columns; only points that "
               "stay where they are can be read");
TIDEWISE_ERROR(projected_coordinate_units,
               "has the units \"{}\", and a map's coordinates are in {}; correct them");
TIDEWISE_ERROR(coordinates_without_places,
               "holds no places, nor does {}: they are the same at every point, or missing; {}");
TIDEWISE_ERROR(coordinates_off_projection,
               "is, with {}, {:.3g} km off the places of {} and {} on the projection {}; say which "
               "with --lon {} --lat {}, or --lon {} --lat {}");
TIDEWISE_ERROR(import_grid_too_many_points, "lies on {} × {} points, {}");
TIDEWISE_ERROR(field_too_narrow,
               "has one row or column, and interpolation needs two at least; give a larger area");
TIDEWISE_ERROR(files_attribute_differs, "has the {} {} where {} has {}; {}");
TIDEWISE_ERROR(time_missing_in_file, "says no time; give its own with --from");
TIDEWISE_ERROR(files_overlap_differently,
               "has other values than {} at the same times, {}; leave one out, or number members "
               "by a variable or an attribute realization");
TIDEWISE_ERROR(value_undeclared_missing,
               "holds {:.6g} at {:.6g} E {:.6g} N, {}, {} that no _FillValue or missing_value "
               "declares; add that attribute, or correct the file");
TIDEWISE_ERROR(grid_axes_not_orthogonal,
               "lies along axes of the grid that are not at right angles, so that what it means is "
               "unknown; bring in eastward and northward components");
TIDEWISE_ERROR(grid_angle_wrong,
               "is {:.3g} degrees off the angle that the grid's own points make with east; correct "
               "or remove it");
TIDEWISE_ERROR(units_missing_beside, "has no units, and {} has \"{}\"; add its own");
TIDEWISE_ERROR(import_variable_option_invalid,
               "{} is \"{}\"; it must be a variable's name, or FILE:NAME, e.g. u.nc:vozocrtx");
TIDEWISE_ERROR(time_missing_value, "holds a missing time; correct the file");
TIDEWISE_ERROR(time_is_climatology,
               "is a climatology ({}), whose times are no dates of a forecast; give fields of "
               "their own dates");
TIDEWISE_ERROR(time_bounds_shape,
               "has the dimensions ({}), and the bounds of {} need one row of two times for each "
               "of its {}; correct the file");
TIDEWISE_ERROR(time_bounds_wrong,
               "gives {} to {} for the time {}, which is not between them; correct the bounds, or "
               "remove the attribute bounds of {} to use its times as they are");
TIDEWISE_ERROR(resample_without_units,
               "has no units, and steps and cells are chosen in hours and kilometres; give --step "
               "or --spacing");
TIDEWISE_ERROR(
    resample_vehicle_speed_invalid,
    "--vehicle-speed is {}; it must be above 0 [m/s], for an environment in metres and seconds");
TIDEWISE_ERROR(resample_variance_invalid,
               "--variance is {}; it must be a share above 0 and at most 1, e.g. 0.99");
TIDEWISE_ERROR(resample_step_too_long,
               "--step {:.6g}{} is longer than its levels last, {:.6g}{}; make it shorter");
TIDEWISE_ERROR(resample_step_does_not_fit,
               "its levels last {:.6g}{}, and {:.0f} steps of {:.6g}{} end before; give a step "
               "that goes into it, or cut levels off the file");
TIDEWISE_ERROR(resample_without_water,
               "{}: no cell is water at levels {} to {} alike; choose other steps");
TIDEWISE_ERROR(window_too_narrow,
               "{:.10g},{:.10g} leaves {} of the {}, and an axis needs two; they lie from {:.10g} "
               "to {:.10g}, {:.6g} apart: widen the bounds");
TIDEWISE_ERROR(window_without_degrees,
               "needs the variables {} and {}, which are not there; add --plane for x and y");
TIDEWISE_ERROR(window_box_too_small,
               "holds fewer than two columns or two rows; the cells lie within "
               "{:.4f},{:.4f},{:.4f},{:.4f}: widen the box");
TIDEWISE_ERROR(window_levels_invalid,
               "are no window of two levels or more; there are levels 0 to {}");
TIDEWISE_ERROR(window_without_dates,
               "is a date, and times count in \"{}\" from no date; give levels");
TIDEWISE_ERROR(double_gyre_speed_invalid,
               "--speed is {}; it must be above 0 and at most 100 cells a step");
TIDEWISE_ERROR(
    calendar_unknown,
    "has the calendar \"{}\", which is not supported; give its times in one of standard, "
    "gregorian, proleptic_gregorian, julian, noleap (365_day) and all_leap (366_day)");
TIDEWISE_ERROR(time_text_invalid, "\"{}\" is not a time; write it as 2024-10-28T03:00:00");
TIDEWISE_ERROR(date_not_in_calendar,
               "\"{}\" is not a date of the calendar {}{}; correct the date or the calendar");
TIDEWISE_ERROR(time_units_without_length,
               "has the units \"{}\", and months and years have no fixed length; write its times "
               "in days, hours, minutes or seconds since a date");
TIDEWISE_ERROR(
    time_units_unknown,
    "has the units \"{}\"; a time axis needs weeks, days, hours, minutes, seconds, milliseconds, "
    "microseconds or nanoseconds since a date, e.g. \"hours since 2024-10-28 00:00:00\"");
TIDEWISE_ERROR(time_beyond_year_9999, "holds a time beyond the year 9999");
TIDEWISE_ERROR(
    leap_day_in_common_year,
    "holds 29 February {}, which its calendar has and the year has not; leave that time out");
TIDEWISE_ERROR(quantity_invalid,
               "{} is \"{}\"; it must be a number above 0 with its unit, e.g. {}");
TIDEWISE_ERROR(error_model_not_toml, "{}:{}: is not TOML ({}); correct that line");
TIDEWISE_ERROR(error_model_key_unknown, "{}: unknown key {}; an error model holds {}");
TIDEWISE_ERROR(error_model_key_missing, "{}: the error model has no {}; add it");
TIDEWISE_ERROR(error_model_value_invalid, "{}: {} must be {}; correct it");
TIDEWISE_ERROR(error_model_leads_not_ascending,
               "{}: the lead time {} does not follow the one before it; sort rms by lead time");
TIDEWISE_ERROR(
    bbox_option_invalid,
    "{} is \"{}\"; it must be west,south,east,north in degrees, e.g. -127,46.5,-124,49.5");
TIDEWISE_ERROR(
    weight_invalid,
    "holds {} for realization {}, which is negative or not a number; weights are 0 or more");
TIDEWISE_ERROR(weights_all_zero, "holds only zeros; some realization must count");
TIDEWISE_ERROR(weights_too_large,
               "holds weights up to {}, whose sum is beyond all numbers; divide them by that, for "
               "only their ratios count");
TIDEWISE_ERROR(surface_profile_missing,
               "{}: has no profile named surface, in which to drift; bring it in beside the others "
               "with 'tidewise env import --profile surface=at:0'");
TIDEWISE_ERROR(forecast_named_twice,
               "{} is named beside the files of --u and --v; name files in one way");
TIDEWISE_ERROR(component_file_alone,
               "of --u and --v one alone is FILE:NAME; give both so, or neither");
TIDEWISE_ERROR(grid_without_places,
               "{}: no point of the grid has a longitude and a latitude; correct the file");
TIDEWISE_ERROR(bbox_without_points,
               "{}: --bbox {},{},{},{} holds no point of the grid; choose a box within it");
TIDEWISE_ERROR(velocity_component_missing,
               "{}: holds {} and no {}; give what holds that as well, with --u={} --v={}");
TIDEWISE_ERROR(velocity_in_groups,
               "{}: its root group holds no velocity, and {} {}; extract one into a file of its "
               "own first, e.g. ncks -G : -g \"{}\" IN.nc OUT.nc");
TIDEWISE_ERROR(not_netcdf, "{}: {}");

}  // namespace tidewise::errors
