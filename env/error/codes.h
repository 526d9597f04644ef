#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(geojson_without_polygons, "holds no polygons; give some, or leave the file out");
TIDEWISE_ERROR(geojson_is_folder, "is a folder; name a file in it");
TIDEWISE_ERROR(geojson_empty, "is empty; give GeoJSON polygons");
TIDEWISE_ERROR(geojson_not_json,
               "is not valid JSON at line {}, byte {} of the file: {}; correct the file");
TIDEWISE_ERROR(geojson_unusable, "cannot be used: {}; correct the file");
TIDEWISE_ERROR(geojson_member_missing, "lacks the member \"{}\"; add it (RFC 7946)");
TIDEWISE_ERROR(geojson_reference_system,
               "has the coordinate reference system {}, but positions must be longitude and "
               "latitude (WGS 84); convert it: ogr2ogr -t_srs EPSG:4326 OUT.geojson {}");
TIDEWISE_ERROR(geojson_time_reversed, "ends at {} before it starts at {}; swap them");
TIDEWISE_ERROR(geojson_time_invalid, "{} is {}; write a time as \"2024-10-28T03:00:00Z\"");
TIDEWISE_ERROR(geojson_not_area,
               "is a {}, but areas are needed; give Polygon or MultiPolygon (a line can be "
               "buffered into one)");
TIDEWISE_ERROR(geojson_polygon_without_rings, "has a polygon without rings; give its outline");
TIDEWISE_ERROR(geojson_polygon_invalid,
               "has {} (ogr2ogr -makevalid OUT.geojson {} repairs such files)");
TIDEWISE_ERROR(geojson_ring_not_closed,
               "has a ring of {} position(s) that is not closed; a ring needs at least four, and "
               "the last must equal the first");
TIDEWISE_ERROR(geojson_ring_unclear, "has {}");
TIDEWISE_ERROR(geojson_position_invalid, "has the position {}; write [longitude, latitude]");
TIDEWISE_ERROR(
    geojson_position_not_on_earth,
    "has the position {}, which is not on Earth; write [longitude, latitude] in degrees");
TIDEWISE_ERROR(axis_not_vector,
               "has {} dimensions, but an axis must have one; store it as a vector");
TIDEWISE_ERROR(axis_too_short, "has {} value(s), but an axis needs at least two; add values");
TIDEWISE_ERROR(axis_too_long, "has {} values; at most {} are allowed: use fewer");
TIDEWISE_ERROR(
    axis_not_finite,
    "holds NaN, infinity or its fill value (value {}); every point of an axis needs a number");
TIDEWISE_ERROR(axis_not_growing,
               "runs from {} to {}, but must ascend; sort it ({}), and the fields with it");
TIDEWISE_ERROR(axis_imprecise,
               "reaches {:.6g} in steps of {:.6g}, which its type cannot resolve; store the axis "
               "as float64, or use a nearer origin");
TIDEWISE_ERROR(axis_not_uniform,
               "is not uniform (value {} is {}; a spacing of {:.6g} would give {:.6g}); regrid it, "
               "e.g. with 'tidewise env import'");
TIDEWISE_ERROR(missing_mark_is_text,
               "{}: variable {}: its attribute {} is the text \"{}\", but must be a number; store "
               "it as a number, or remove it");
TIDEWISE_ERROR(missing_marks_several,
               "{}: variable {}: its attribute {} has {} values, but only one is allowed; keep "
               "one, and store it in place of the others");
TIDEWISE_ERROR(axes_share_dimension,
               "has the dimension {}, as {} has, like the points of a track; give each axis its "
               "own dimension");
TIDEWISE_ERROR(dimensions_out_of_order,
               "has the dimensions ({}), shape ({}), but needs ({}), shape ({}); reorder them, in "
               "xarray with ds.transpose(\"{}\", ...)");
TIDEWISE_ERROR(
    dimension_foreign,
    "has the dimension {}, but {} is needed; if both are the same points, rename it (in xarray "
    "ds[\"{}\"].rename({}=\"{}\")), else interpolate the variable to those of {}");
TIDEWISE_ERROR(dimensions_unnamed,
               "its dimensions of lengths ({}) have no names, so {} and {} cannot be "
               "distinguished; name them with dimension scales (in h5py f[\"{}\"].make_scale() and "
               "f[\"{}\"].dims[{}].attach_scale(f[\"{}\"]), and so on)");
TIDEWISE_ERROR(shape_differs,
               "has the shape ({}), but needs ({}), that is {}; check the order of its dimensions");
TIDEWISE_ERROR(
    extra_time_length,
    "{}: variable {}: has {} values along time, but there are {} levels; shorten it, or remove it");
TIDEWISE_ERROR(environment_version,
               "{}: its attribute tidewise_environment is {}, but this version reads only 1; use a "
               "newer version");
TIDEWISE_ERROR(uncertainty_unknown,
               "{}: its attribute uncertainty is \"{}\"; it must be none, lagged, ensemble, "
               "error_model, guess or contradicted: correct it, or remove it");
TIDEWISE_ERROR(
    variable_with_two_roles,
    "{}: [environment.names] gives variable {} two roles; name a different variable for each role");
TIDEWISE_ERROR(
    not_an_environment,
    "{}: is not an environment (it has no {}, {} or {}, but {}); convert a forecast with 'tidewise "
    "env import', or give the names of the variables in [environment.names]");
TIDEWISE_ERROR(variable_missing,
               "{}: variable {} is missing; if it has another name, give it in the mission: "
               "[environment.names] {} = \"…\" (the file holds: {})");
TIDEWISE_ERROR(variable_packed,
               "is packed (scale_factor, add_offset), but environments are not; convert the file "
               "with 'tidewise env import'");
TIDEWISE_ERROR(profile_names_invalid,
               "has {} names in its flag_meanings (\"{}\") and the shape ({}); give each profile a "
               "different name, at least two");
TIDEWISE_ERROR(coefficient_shape,
               "has the shape ({}), but needs ({}, modes, realizations), that is (time, mode, "
               "realization); check the order of its dimensions");
TIDEWISE_ERROR(coefficient_empty,
               "has no modes or no realizations; give at least one of each (a coefficient of 0 for "
               "a deterministic flow)");
TIDEWISE_ERROR(
    too_many_realizations,
    "has {} realizations; fewer than 2^24 are allowed, because counts must be exact: use fewer");
TIDEWISE_ERROR(too_many_modes,
               "has {} modes; at most {} are allowed: keep the leading ones, and check the order "
               "of its dimensions");
TIDEWISE_ERROR(modes_fixed_in_part,
               "has {} dimensions, but {} has {}; give both (mode, y, x) if modes are fixed in "
               "time, else (time, mode, y, x)");
TIDEWISE_ERROR(
    grid_too_large,
    "and {} make {} × {} cells; a side may have at most {}: use a coarser grid or a smaller area");
TIDEWISE_ERROR(
    mode_values_too_many,
    "has {} × {} cells in {} modes; a level may have at most {} values: use fewer modes or cells");
TIDEWISE_ERROR(units_mixed,
               "{}: units are mixed ({}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\", {}: \"{}\"); "
               "use m, m, s and m s-1, or \"1\" throughout");
TIDEWISE_ERROR(variable_is_group,
               "is a group or a broken link, not an array; create the file again");
TIDEWISE_ERROR(named_variable_missing,
               "{}: variable {} is missing, which [environment.names] {} names; name one that the "
               "file holds, or \"{}\" for none (the file holds: {})");
TIDEWISE_ERROR(mask_fill_value_zero,
               "its {} is 0, so that open cells count as missing; remove the attribute, or store 1 "
               "in unknown cells");
TIDEWISE_ERROR(degrees_incomplete, "is missing, but {} exists; give both or neither");
TIDEWISE_ERROR(mask_value_invalid,
               "{0}: variable {1} holds {2:.10g} ({3}); a mask holds 0 (open) and 1 (closed), or 2 "
               "(beyond the forecast): store 1 in closed cells, in xarray with ds[\"{1}\"] = "
               "(ds[\"{1}\"] != 0).astype(\"uint8\")");
TIDEWISE_ERROR(
    field_not_finite,
    "{}: variable {} holds {} in open water ({}); store a number, or close the cell in {}");
TIDEWISE_ERROR(
    coefficient_not_finite,
    "{}: variable {} holds {} (time {}, mode {}, realization {}); remove that realization");
TIDEWISE_ERROR(too_many_profiles, "has {} names; at most {} are allowed: use fewer profiles");
TIDEWISE_ERROR(profile_name_invalid,
               "has the name \"{}\"; a name is 1 to {} letters, digits, \"-\" and \"_\"");
TIDEWISE_ERROR(profile_depths_count, "has {} words for {} profiles; give one for each");
TIDEWISE_ERROR(profile_depths_invalid,
               "has \"{}\"; depths are FROM:TO or at:DEPTH in metres from 0 to 12000, the "
               "shallower one first, and shares of several ranges sum to 1");
TIDEWISE_ERROR(profile_unknown, "{}: has no profile {}; {}");
TIDEWISE_ERROR(profile_choice_missing,
               "{0}: has the profiles {1}, but one is needed; make a file of one, in xarray with "
               "ds.isel(profile=0, drop=True)");
TIDEWISE_ERROR(degrees_outside_range,
               "{}: variable {} holds {} (row {}, column {}), which is not in {} to {} degrees; "
               "store degrees, and NaN in cells without a position");
TIDEWISE_ERROR(calendar_not_real,
               "has the calendar \"{}\", whose dates are not real ones; use standard, gregorian or "
               "proleptic_gregorian");
TIDEWISE_ERROR(checkpoint_damaged,
               "{}: is damaged, or was written for other options; start again with --overwrite");
TIDEWISE_ERROR(gyre_not_built,
               "env wind-driven-gyre: this build cannot make it (TIDEWISE_GYRE is OFF); build with "
               "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
TIDEWISE_ERROR(gyre_regrid_too_small,
               "a flow on {} x {} cells cannot be interpolated, which needs four corners along "
               "each side; use at least 3 x 3 cells");
TIDEWISE_ERROR(gyre_number_not_positive, "the gyre's {} is {}; it must be above 0");
TIDEWISE_ERROR(gyre_grid_too_small, "the gyre has {} x {} cells; give at least 3 x 3");
TIDEWISE_ERROR(spin_up_duration_invalid, "the spin-up takes {} L/U; it must be above 0");
TIDEWISE_ERROR(spin_up_not_finite, "the initial eddy is not finite; give a number");
TIDEWISE_ERROR(spin_up_without_stages, "the spin-up has no stages; give at least one");
TIDEWISE_ERROR(gyre_deviation_invalid,
               "the standard deviation is {} of the greatest speed; it must be above 0, or give no "
               "modes for a deterministic flow");
TIDEWISE_ERROR(gyre_perturbations_too_few, "{} perturbations have no variance; give at least 2");
TIDEWISE_ERROR(gyre_realizations_too_few, "{} realizations are too few for modes; give at least 2");
TIDEWISE_ERROR(gyre_modes_too_many,
               "{} perturbations on {} x {} cells have {} modes, but {} are requested; give more "
               "perturbations, a shorter correlation length or fewer modes");
TIDEWISE_ERROR(correlation_length_invalid,
               "the correlation length is {} basin sides; it must lie between {} and {}");
TIDEWISE_ERROR(env_option_outside_range, "{} is {}; it must lie between {} and {}");
TIDEWISE_ERROR(record_variable_missing, "{}: variable {} is missing; start again with --overwrite");
TIDEWISE_ERROR(restart_of_other_options,
               "{}: holds unfinished work for other options ({}); give those options to continue "
               "it, --overwrite to delete it, or another --out");
TIDEWISE_ERROR(restart_folder_not_created,
               "{}: the folder cannot be created ({}); choose another place with --out");
TIDEWISE_ERROR(
    restart_folder_not_lockable,
    "{}: cannot be locked ({}); choose a place with --out where files can be written and locked");
TIDEWISE_ERROR(restart_folder_in_use,
               "{}: another process is making this environment; wait until it has ended, or choose "
               "another file with --out");
TIDEWISE_ERROR(restart_folder_foreign,
               "{}: holds {}, but no options of an environment; remove the folder, or choose "
               "another file with --out");
TIDEWISE_ERROR(depth_without_units,
               "has no units, so it may only number the levels; if it holds metres, add the units "
               "m, or extract one level first");
TIDEWISE_ERROR(
    depth_not_in_metres,
    "has {}, but levels are chosen in metres; interpolate the file to depths in metres first");
TIDEWISE_ERROR(depth_below_levels,
               "goes down to {:.6g} m, but --depth is {:.6g}; give a depth within its levels");
TIDEWISE_ERROR(depth_above_levels,
               "begins at {:.6g} m, but --depth is {:.6g}; give a depth within its levels");
TIDEWISE_ERROR(depth_without_dimension, "has no depth dimension; leave {} out");
TIDEWISE_ERROR(depth_without_coordinate,
               "its depth dimension {} has no coordinate variable, so no level can be chosen; add "
               "one, or extract one level first");
TIDEWISE_ERROR(depth_axis_empty, "holds no depths; correct the file");
TIDEWISE_ERROR(surface_level_missing,
               "begins at {:.6g} m, but the surface is within {:.6g} m; use this level with "
               "--depth {:.6g}, or give a file that reaches the surface");
TIDEWISE_ERROR(profile_without_levels,
               "has {} along {}, but a profile is a mean over several; leave --profile out, or "
               "give a file with all levels");
TIDEWISE_ERROR(depth_missing_value, "holds a missing depth; correct the file");
TIDEWISE_ERROR(depth_above_surface,
               "holds {:.6g} m, which is above the surface; leave --profile out");
TIDEWISE_ERROR(depth_repeated, "holds {:.6g} m twice; correct the file");
TIDEWISE_ERROR(
    profile_above_levels,
    "begins at {0:.6g} m, but --profile begins at {1:.6g} m, and a first level covers at most "
    "{2:.6g} m above it; begin the profile at {0:.6g} m, or give a file that reaches the surface");
TIDEWISE_ERROR(profile_option_name,
               "its name must have at most {} letters, digits, \"-\" and \"_\", e.g. deep=0:1000");
TIDEWISE_ERROR(profile_table_header,
               "must be from,to,share: depths [m] and the share of the time between them");
TIDEWISE_ERROR(profile_table_numbers, "must hold three numbers: from,to,share");
TIDEWISE_ERROR(profile_table_depths,
               "its depths must be metres from 0 to 12000, the shallower one first");
TIDEWISE_ERROR(profile_table_share, "its share must be 0 to 1");
TIDEWISE_ERROR(profile_table_too_long, "there are more than 1000 ranges; use fewer");
TIDEWISE_ERROR(profile_shares_sum,
               "{}: its shares of the time sum to {:.6g}, but must sum to 1; correct them");
TIDEWISE_ERROR(profile_option_invalid,
               "must be NAME=FROM:TO in metres, NAME=at:DEPTH or NAME=FILE, e.g. deep=0:1000");
TIDEWISE_ERROR(
    profile_option_depths,
    "its depths must be metres below the surface, from 0 to 12000, the shallower one first");
TIDEWISE_ERROR(profile_option_twice,
               "--profile {} is given twice, as {} and as {}; give each a different name");
TIDEWISE_ERROR(s_coordinate_without_depth,
               "has no depth of the water (formula_terms depth, or h), so the depths of its levels "
               "are unknown; add h to the file");
TIDEWISE_ERROR(s_coordinate_formula_unknown,
               "follows the bottom by an unknown formula; give it the standard_name "
               "ocean_s_coordinate_g1 or ocean_s_coordinate_g2 (ROMS: Vtransform 1 or 2)");
TIDEWISE_ERROR(
    s_coordinate_outside_range,
    "holds {:.6g}, but must be between -1 at the bottom and 0 at the surface; correct the file");
TIDEWISE_ERROR(critical_depth_missing, "has no critical depth ({}); add it to the file");
TIDEWISE_ERROR(stretching_invalid, "is not a stretching of the levels from -1 to 0; correct it");
TIDEWISE_ERROR(stretching_parameters_missing,
               "its stretching {} is missing, and so are theta_s and theta_b, from which it could "
               "be computed; add it or them");
TIDEWISE_ERROR(stretching_unknown,
               "its stretching {} is missing, and Vstretching {:.6g} is not supported (1, 2 and 4 "
               "are); add {}");
TIDEWISE_ERROR(components_point_otherwise,
               "has another direction than {} (here: {}; there: {}); {}");
TIDEWISE_ERROR(
    components_along_grid,
    "has the {}, a component along the axes of the model's grid, but its grid is along longitude "
    "and latitude; if this is the model's own grid, give --components east-north; if a tool "
    "interpolated it, the components were not rotated: import the model's own grid instead");
TIDEWISE_ERROR(components_staggered_eastward,
               "is eastward or northward by {}, but u and v are on different points, as only "
               "components along the grid's axes are; {}");
TIDEWISE_ERROR(
    components_direction_unknown,
    "has no standard_name with its direction, and the grid's axes do not point east and north; {}");
TIDEWISE_ERROR(dimension_role_ambiguous,
               "has two dimensions that look like {} ({} and {}); choose one with {}");
TIDEWISE_ERROR(role_dimension_missing, "has no dimension for {} {}; choose one of {}");
TIDEWISE_ERROR(role_dimension_unknown,
               "has no dimension that can be identified as {}; name it with {}{}");
TIDEWISE_ERROR(dimension_without_coordinate,
               "its dimension {} has no coordinate variable, so its {} is unknown; add one, or "
               "name it with {}");
TIDEWISE_ERROR(dimension_role_unknown,
               "has a dimension {} of size {} that is not longitude, latitude, time, depth or "
               "member; name its role with --level or --member, or extract one slice first");
TIDEWISE_ERROR(velocity_ambiguous,
               "{}: several variables have the standard_name {} ({}); choose with --u and --v");
TIDEWISE_ERROR(already_an_environment,
               "{0}: is already an environment, not a forecast; use it as it is, or change its "
               "steps and cells with 'tidewise env resample {0}'");
TIDEWISE_ERROR(component_option_alone, "--{} is given without --{}; give both or neither");
TIDEWISE_ERROR(component_options_equal,
               "--u and --v are both {}; name one component of the velocity with each");
TIDEWISE_ERROR(velocity_not_found,
               "{}: no velocity was found by standard_name or known names; name it with --u and "
               "--v, as FILE:NAME if each has its own file (this one holds: {})");
TIDEWISE_ERROR(
    velocity_units_unknown,
    "has the units \"{}\", which are not a known speed; use m s-1, cm s-1, km h-1 or knots");
TIDEWISE_ERROR(
    grid_mapping_missing,
    "its grid_mapping {} does not exist; add it, or longitudes and latitudes of all points");
TIDEWISE_ERROR(grid_mapping_unknown,
               "has the grid_mapping_name \"{}\", which is not supported; add longitudes and "
               "latitudes of all points to the file, with two dimensions");
TIDEWISE_ERROR(grid_mapping_attribute_missing,
               "has no attribute {}, and its projection is unknown without it; add it");
TIDEWISE_ERROR(grid_mapping_undefined,
               "is a grid mapping without grid_mapping_name, crs_wkt and proj4; add one, or "
               "longitudes and latitudes of all points, with two dimensions");
TIDEWISE_ERROR(coordinates_disagree,
               "differs from {1} by up to {0:.3g} degrees, but both give the {2} along {3}; choose "
               "one with {4}");
TIDEWISE_ERROR(
    coordinates_may_be_indices,
    "has no units and counts from column to column, as {} does from row to row, so these may not "
    "be degrees; add their units, or confirm that they are with --lon {} --lat {}");
TIDEWISE_ERROR(unstructured_grid,
               "lies on an unstructured grid (its points are numbered along the only dimension "
               "{}{}), which is not supported; interpolate its eastward and northward components "
               "to longitudes and latitudes first");
TIDEWISE_ERROR(
    curvilinear_pair_missing,
    "has two dimensions (a curvilinear grid), and no {} has the same two; name it with {}");
TIDEWISE_ERROR(curvilinear_pair_differs,
               "has other dimensions than {}; name a longitude and a latitude of one curvilinear "
               "grid with --lon and --lat");
TIDEWISE_ERROR(
    projection_unknown,
    "has the units \"{}\"{}, but degrees are needed, and {} has no grid_mapping with its "
    "projection; add one, or longitudes and latitudes of all points, with two dimensions");
TIDEWISE_ERROR(coordinate_is_index,
               "numbers the {} (standard_name {}), and their positions are unknown; give a file "
               "with longitudes and latitudes, or with x and y in m and a grid_mapping");
TIDEWISE_ERROR(
    coordinate_without_units,
    "has no units, and neither its name nor its standard_name is that of a {}, so it may only "
    "number the {}; add its units, or confirm with {} {} that it holds degrees");
TIDEWISE_ERROR(netcdf_header_cut_short,
               "ends within its header, so it is truncated; download it again");
TIDEWISE_ERROR(
    netcdf_cut_short,
    "{}: has {} bytes, but its header requires {}, so it is truncated; download it again");
TIDEWISE_ERROR(
    attribute_is_text,
    "its attribute {} is the text \"{}\", but must be numbers; store it as numbers, or remove it");
TIDEWISE_ERROR(valid_range_invalid,
               "its attribute valid_range has {}, but needs two numbers; correct or remove it");
TIDEWISE_ERROR(input_is_address,
               "{}: is a URL, but only local files are read; download the NetCDF file first");
TIDEWISE_ERROR(input_is_zarr,
               "{}: is a Zarr store, but only NetCDF files are read; open it in Python with "
               "xr.open_zarr, and pass it to tw.Environment.from_xarray");
TIDEWISE_ERROR(input_is_folder, "{}: is a folder, not a file; name the files in it");
TIDEWISE_ERROR(netcdf_variable_unknown,
               "is not in the file, or holds no numbers; choose one of {}");
TIDEWISE_ERROR(units_stated_twice,
               "has two units, {} = \"{}\" and {} = \"{}\"; remove the wrong one");
TIDEWISE_ERROR(variable_too_many_points, "has {} values, {}");
TIDEWISE_ERROR(netcdf_variable_unreadable,
               "cannot be read (the file is truncated or damaged); create or download it again");
TIDEWISE_ERROR(variable_size_claimed,
               "should have {} values, more than the file can hold; create or download it again");
TIDEWISE_ERROR(flags_on_other_dimensions,
               "has other dimensions than {}, whose quality it grades; give it the same "
               "dimensions, or remove it");
TIDEWISE_ERROR(velocity_is_radial,
               "is a radial velocity, the component of the current along the beams of one HF radar "
               "({}); give total currents, which combine the radials of two or more radars");
TIDEWISE_ERROR(
    coordinates_ambiguous,
    "has several two-dimensional coordinates that may be its {} ({}); choose one with {}");
TIDEWISE_ERROR(coordinate_sign_reversed,
               "has the units \"{}\", but {}; change the sign of its numbers and set the units {}, "
               "or only the units if {} is already negative");
TIDEWISE_ERROR(
    projection_invalid,
    "describes the projection \"{}\", which PROJ does not accept; correct its attributes");
TIDEWISE_ERROR(coordinate_outside_range,
               "holds {}, but must lie between {} and {} degrees; correct the file");
TIDEWISE_ERROR(coordinate_too_short,
               "has {} value(s), but interpolation needs at least two; give a larger area");
TIDEWISE_ERROR(coordinate_not_sorted,
               "is not sorted (value {} follows {}); sort it, and the fields with it");
TIDEWISE_ERROR(bbox_outside_grid,
               "{}: --bbox {},{},{},{} contains no part of the grid (longitude {:.6g} to {:.6g}, "
               "latitude {:.6g} to {:.6g}); choose a box within it");
TIDEWISE_ERROR(grid_too_many_points, "makes {} × {} points with {}, {}");
TIDEWISE_ERROR(area_too_wide,
               "{}: points up to {:.0f} km from their middle are too wide for one plane (its "
               "lengths would be off by more than {:.0f} %); choose a part with --bbox");
TIDEWISE_ERROR(area_degrees_too_wide,
               "{}: {:.4g} by {:.4g} degrees are too wide for one plane (its lengths would be off "
               "by more than {:.0f} %); choose a part with --bbox");
TIDEWISE_ERROR(spacing_too_large,
               "--spacing {:.6g} m gives {} × {} cells in an area of {:.0f} × {:.0f} m, but at "
               "least 2 × 2 are needed; make it smaller");
TIDEWISE_ERROR(spacing_too_small,
               "--spacing {:.6g} m makes {:.0f} × {:.0f} cells, more than {:.0e}; make it larger, "
               "or choose a part with --bbox");
TIDEWISE_ERROR(scalar_is_velocity,
               "--scalar {} is a component of the velocity, which is always imported; leave "
               "--scalar out, or name another variable");
TIDEWISE_ERROR(import_not_built,
               "env {}: this build cannot import (TIDEWISE_IMPORT is OFF); build with "
               "-DTIDEWISE_IMPORT=ON, which needs netCDF-C, PROJ and Eigen");
TIDEWISE_ERROR(lagged_with_members, "{}: already has {} members ({}); leave --lagged out");
TIDEWISE_ERROR(forecast_error_with_members,
               "{}: already has {} members ({}), but a forecast error can only be added to a "
               "single forecast; leave out the options of the error");
TIDEWISE_ERROR(
    forecast_error_with_lagged,
    "--lagged and a forecast error both make realizations of one forecast; give only one of them");
TIDEWISE_ERROR(forecast_error_given_twice,
               "{} and {} both give a forecast error; leave one of them out");
TIDEWISE_ERROR(error_option_missing,
               "{} is missing: a custom forecast error needs --error-rms, --error-length and "
               "--error-time; give all three");
TIDEWISE_ERROR(forecast_error_realizations,
               "--realizations is 1, and a forecast error needs 2 or more; give 100, for example");
TIDEWISE_ERROR(past_with_members,
               "{} (--past): has {} members ({}); give single forecasts, or analyses");
TIDEWISE_ERROR(
    past_elsewhere,
    "{} (--past): covers none of the environment's cells; give forecasts of the same area");
TIDEWISE_ERROR(past_dates_too_few,
               "--past has {} earlier dates whose error is known after {} and before {}; a window "
               "of 90 % needs {}: give more earlier forecasts, a file each, with later ones to "
               "compare, or a longer series of analyses; or shorten the forecast with --to, or "
               "use --forecast-error default");
TIDEWISE_ERROR(past_realizations_too_many,
               "--realizations is {}, but {} earlier dates with both signs give at most {}; give "
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
               "{}: there are no fields from {} to {}, a gap of {:.0f} steps of {:.6g} s; at most "
               "{:.0f} are interpolated: correct the times, add the missing files, or stay on one "
               "side with --from and --to");
TIDEWISE_ERROR(ensemble_options_without_ensemble,
               "{} needs an ensemble, but a single forecast has no spread; make members with "
               "--lagged N or --forecast-error, or leave it out");
TIDEWISE_ERROR(import_modes_too_many,
               "--modes is {}; {} members have at most {}: give {} or fewer");
TIDEWISE_ERROR(steady_with_times,
               "{}: has {} times, but --steady is for files with one; leave it out, or extract one "
               "time first");
TIDEWISE_ERROR(forecast_without_times, "{}: has no time; give a file with times");
TIDEWISE_ERROR(steady_shorter_than_step,
               "--steady {:.6g} s is shorter than one --step of {:.6g} s; make it longer, or the "
               "step shorter");
TIDEWISE_ERROR(
    bathymetry_without_profile,
    "--bathymetry needs --profile, whose dives end above the bottom; give both or neither");
TIDEWISE_ERROR(depth_with_profile,
               "--depth selects one level and --profile a mean over several; leave one out");
TIDEWISE_ERROR(profile_option_count,
               "--profile is given {} times; at most {} are allowed: leave some out");
TIDEWISE_ERROR(bottom_margin_invalid, "--bottom-margin must be metres of water, e.g. 10m");
TIDEWISE_ERROR(shallowest_invalid,
               "--shallowest is {:.6g} m and --bottom-margin {:.6g} m, so there is no water to "
               "dive in; give a greater --shallowest");
TIDEWISE_ERROR(import_levels_too_many,
               "a step of {:.6g} s makes {:.0f} levels, more than {:.0f}; give a longer --step "
               "with its unit, e.g. 3h, or less time with --from and --to");
TIDEWISE_ERROR(import_option_invalid, "{} is {}; it must be {}");
TIDEWISE_ERROR(forecast_not_named, "no forecast is given; name one or more NetCDF files");
TIDEWISE_ERROR(steady_with_other_option, "--steady holds one field, but {}; leave one of them out");
TIDEWISE_ERROR(scalar_options_without_scalar,
               "--scalar-fill needs --scalar; name the variable with --scalar");
TIDEWISE_ERROR(import_times_reversed, "--from {} is not before --to {}; swap them");
TIDEWISE_ERROR(forecast_times_too_few,
               "{}: has {} time(s), but an environment needs at least two; name all files along "
               "time, or hold the field with --steady, e.g. --steady 2d");
TIDEWISE_ERROR(lagged_too_long,
               "{}: has {} times, but --lagged {} needs at least {} ({} at each end, and two "
               "levels); use fewer lags or more files");
TIDEWISE_ERROR(import_times_outside,
               "{}: {}{}{} exceeds the file's times, {} to {}{}; choose times within them");
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
               "has the units \"{}\", but --bathymetry needs metres; convert it first");
TIDEWISE_ERROR(bathymetry_without_bottom,
               "has no bottom below 0 in the forecast's area; give a file that covers the area, "
               "with depths that grow downwards, or with the attribute positive = \"up\"");
TIDEWISE_ERROR(profile_below_levels,
               "goes down to {:.6g} m, and there may be water below, but --profile {} goes down to "
               "{:.6g} m; end the profile there, or give the bottom with --bathymetry FILE");
TIDEWISE_ERROR(profile_without_water,
               "has no water for --profile {} ({}): the bottom is at most {:.6g} m deep, but the "
               "profile begins at {:.6g} m, ends {:.6g} m above the bottom and needs {:.6g} m of "
               "water; give shallower depths, or reduce --bottom-margin and --shallowest");
TIDEWISE_ERROR(no_water_at_time,
               "there is no water at {}: every velocity is missing there; choose other times with "
               "--from and --to, another area with --bbox, or correct the file's _FillValue");
TIDEWISE_ERROR(no_water_during_level,
               "no cell is water all the time from {} to {}, over which a level is the mean; "
               "choose a shorter --step");
TIDEWISE_ERROR(component_times_differ, "has other times than {}; give fields of one forecast");
TIDEWISE_ERROR(member_counts_differ, "has {}, but {} has {}; give files of one ensemble");
TIDEWISE_ERROR(member_labels_differ,
               "has the members {}, but {} has {}; give files of one ensemble");
TIDEWISE_ERROR(component_depth_differs,
               "has its nearest level at {}, but {} at {}; give fields of one depth");
TIDEWISE_ERROR(depths_differ, "has other depths than {}{}; give {} of the same levels");
TIDEWISE_ERROR(points_differ,
               "lies on other points than {} of {}{}; regrid them to one grid first");
TIDEWISE_ERROR(velocity_zero_everywhere,
               "is 0 at every point and time (in at least one member), as is the other component, "
               "so there would be only land; name other variables with --u and --v, or treat it as "
               "water at rest with --zeros water");
TIDEWISE_ERROR(surface_times_differ, "has other times than the velocity; correct the file");
TIDEWISE_ERROR(member_number_missing,
               "{}: does not number its member, but {} does (by its {}); add a number, name the "
               "variable or attribute that holds it with --member, or leave the file out");
TIDEWISE_ERROR(member_time_missing,
               "{}: has a field of member {} at {}, but no file has one of member {}{}; give the "
               "same times for all members, or leave the files of that member out");
TIDEWISE_ERROR(scalar_times_differ,
               "--scalar {}: its times run from {} to {} and the environment's from {} to {}; give "
               "a longer file, or shorten the environment with --from and --to");
TIDEWISE_ERROR(scalar_value_missing,
               "--scalar {} has no value in water at {:.3f} E {:.3f} N, {}; give a file that "
               "covers it, or a value for such cells with --scalar-fill");
TIDEWISE_ERROR(
    points_move,
    "changes along a dimension that is not its rows or columns; only fixed points are supported");
TIDEWISE_ERROR(projected_coordinate_units,
               "has the units \"{}\", but a map's coordinates are in {}; correct them");
TIDEWISE_ERROR(
    coordinates_without_places,
    "has no positions, nor has {}: their values are equal at all points, or missing; {}");
TIDEWISE_ERROR(coordinates_off_projection,
               "is, with {}, {:.3g} km away from {} and {} on the projection {}; choose with --lon "
               "{} --lat {}, or --lon {} --lat {}");
TIDEWISE_ERROR(import_grid_too_many_points, "lies on {} × {} points, {}");
TIDEWISE_ERROR(field_too_narrow,
               "has one row or column, but interpolation needs at least two; give a larger area");
TIDEWISE_ERROR(files_attribute_differs, "has the {} {}, but {} has {}; {}");
TIDEWISE_ERROR(time_missing_in_file, "has no time; give it with --from");
TIDEWISE_ERROR(files_overlap_differently,
               "has other values than {} at the same times, {}; leave one file out, or number "
               "members with a variable or attribute realization");
TIDEWISE_ERROR(value_undeclared_missing,
               "holds {:.6g} at {:.6g} E {:.6g} N, {}, {} that no _FillValue or missing_value "
               "declares; add that attribute, or correct the file");
TIDEWISE_ERROR(grid_axes_not_orthogonal,
               "lies along axes of the grid that are not at right angles, so its direction is "
               "unknown; give eastward and northward components");
TIDEWISE_ERROR(grid_angle_wrong,
               "differs by {:.3g} degrees from the angle between the grid's columns and east; "
               "correct or remove it");
TIDEWISE_ERROR(units_missing_beside, "has no units, but {} has \"{}\"; add its units");
TIDEWISE_ERROR(import_variable_option_invalid,
               "{} is \"{}\"; it must be a variable's name, or FILE:NAME, e.g. u.nc:vozocrtx");
TIDEWISE_ERROR(time_missing_value, "holds a missing time; correct the file");
TIDEWISE_ERROR(
    time_is_climatology,
    "is a climatology ({}), whose times are not dates of a forecast; give fields with dates");
TIDEWISE_ERROR(time_bounds_shape,
               "has the dimensions ({}), but the bounds of {} need one row of two times for each "
               "of its {}; correct the file");
TIDEWISE_ERROR(time_bounds_wrong,
               "gives {} to {} for the time {}, which is not between them; correct the bounds, or "
               "remove the attribute bounds of {} to use its times as they are");
TIDEWISE_ERROR(
    resample_without_units,
    "has no units, so steps and cells cannot be chosen automatically; give --step or --spacing");
TIDEWISE_ERROR(
    resample_vehicle_speed_invalid,
    "--vehicle-speed is {}; it must be above 0 [m/s], for an environment in metres and seconds");
TIDEWISE_ERROR(resample_variance_invalid,
               "--variance is {}; it must be a share above 0 and at most 1, e.g. 0.99");
TIDEWISE_ERROR(resample_step_too_long,
               "--step {:.6g}{} is longer than the environment, {:.6g}{}; make it shorter");
TIDEWISE_ERROR(resample_step_does_not_fit,
               "its levels cover {:.6g}{}, which is not a multiple of the step: {:.0f} steps of "
               "{:.6g}{} end before; give a step that divides it, or remove levels from the file");
TIDEWISE_ERROR(resample_without_water,
               "{}: no cell is water at all levels from {} to {}; choose other steps");
TIDEWISE_ERROR(window_too_narrow,
               "{:.10g},{:.10g} leaves {} of the {}, but an axis needs two; they lie from {:.10g} "
               "to {:.10g}, {:.6g} apart: widen the bounds");
TIDEWISE_ERROR(window_without_degrees,
               "needs the variables {} and {}, which are missing; add --plane for x and y");
TIDEWISE_ERROR(window_box_too_small,
               "contains fewer than two columns or two rows; the cells lie within "
               "{:.4f},{:.4f},{:.4f},{:.4f}: widen the box");
TIDEWISE_ERROR(window_levels_invalid,
               "are not a window of at least two levels; there are levels 0 to {}");
TIDEWISE_ERROR(window_without_dates,
               "is a date, but the environment's times are in \"{}\" without a date; give levels");
TIDEWISE_ERROR(double_gyre_speed_invalid,
               "--speed is {}; it must be above 0 and at most 100 cells per step");
TIDEWISE_ERROR(
    calendar_unknown,
    "has the calendar \"{}\", which is not supported; give its times in one of standard, "
    "gregorian, proleptic_gregorian, julian, noleap (365_day) and all_leap (366_day)");
TIDEWISE_ERROR(time_text_invalid, "\"{}\" is not a time; write it as 2024-10-28T03:00:00");
TIDEWISE_ERROR(date_not_in_calendar,
               "\"{}\" is not a date of the calendar {}{}; correct the date or the calendar");
TIDEWISE_ERROR(time_units_without_length,
               "has the units \"{}\", but months and years have no fixed length; write its times "
               "in days, hours, minutes or seconds since a date");
TIDEWISE_ERROR(
    time_units_unknown,
    "has the units \"{}\"; a time axis needs weeks, days, hours, minutes, seconds, milliseconds, "
    "microseconds or nanoseconds since a date, e.g. \"hours since 2024-10-28 00:00:00\"");
TIDEWISE_ERROR(time_beyond_year_9999, "holds a time beyond the year 9999; correct the file");
TIDEWISE_ERROR(
    leap_day_in_common_year,
    "holds 29 February {}, which its calendar has but the real year has not; remove that time");
TIDEWISE_ERROR(quantity_invalid,
               "{} is \"{}\"; it must be a number above 0 with its unit, e.g. {}");
TIDEWISE_ERROR(error_model_not_toml, "{}:{}: is not TOML ({}); correct that line");
TIDEWISE_ERROR(error_model_key_unknown, "{}: unknown key {}; an error model has the keys {}");
TIDEWISE_ERROR(error_model_key_missing, "{}: the error model has no {}; add it");
TIDEWISE_ERROR(error_model_value_invalid, "{}: {} must be {}; correct it");
TIDEWISE_ERROR(error_model_leads_not_ascending,
               "{}: the lead time {} is not greater than the previous one; sort rms by lead time");
TIDEWISE_ERROR(
    bbox_option_invalid,
    "{} is \"{}\"; it must be west,south,east,north in degrees, e.g. -127,46.5,-124,49.5");
TIDEWISE_ERROR(
    weight_invalid,
    "holds {} for realization {}, which is negative or not a number; weights must be 0 or more");
TIDEWISE_ERROR(weights_all_zero, "holds only zeros; at least one weight must be above 0");
TIDEWISE_ERROR(weights_too_large,
               "holds weights up to {}, whose sum overflows; divide all by the largest, because "
               "only their ratios matter");
TIDEWISE_ERROR(surface_profile_missing,
               "{}: has no profile named surface for the drift; add it with 'tidewise env import "
               "--profile surface=at:0'");
TIDEWISE_ERROR(forecast_named_twice,
               "{} is named in addition to the files of --u and --v; name files either there or "
               "before the options");
TIDEWISE_ERROR(component_file_alone,
               "only one of --u and --v is FILE:NAME; give both in this form, or neither");
TIDEWISE_ERROR(grid_without_places,
               "{}: no point of the grid has a longitude and a latitude; correct the file");
TIDEWISE_ERROR(bbox_without_points,
               "{}: --bbox {},{},{},{} contains no point of the grid; choose a box within it");
TIDEWISE_ERROR(velocity_component_missing,
               "{}: holds {}, but no {}; also give the file that holds it, with --u={} --v={}");
TIDEWISE_ERROR(velocity_in_groups,
               "{}: its root group holds no velocity, but {} {}; extract one group to a separate "
               "file first, e.g. ncks -G : -g \"{}\" IN.nc OUT.nc");
TIDEWISE_ERROR(not_netcdf, "{}: {}");

}  // namespace tidewise::errors
