#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(smoother_option_invalid, "{} is {}; it must be {}");
TIDEWISE_ERROR(
    observation_outside_forecast,
    "observation {}: has level {} and {} modes; the forecast has levels 0 to {} and {} modes");
TIDEWISE_ERROR(observation_not_finite,
               "observation {}: holds a number that is not finite; leave it out");
TIDEWISE_ERROR(observation_error_invalid, "observation {}: its error is {}; it must be above 0");
TIDEWISE_ERROR(member_invalid,
               "member {}: is named twice, or does not exist; realizations are 0 to {}");
TIDEWISE_ERROR(member_weight_count, "there are {} weights for {} realizations; give one for each");
TIDEWISE_ERROR(
    learning_members_too_few,
    "{} of the realizations to update have a weight above 0; an update needs at least two");
TIDEWISE_ERROR(forecast_coefficient_not_finite,
               "a coefficient of the forecast is not finite; correct the environment");
TIDEWISE_ERROR(covariance_not_factorised,
               "the observations' covariance cannot be factorised; give larger errors");
TIDEWISE_ERROR(learning_not_built,
               "this build cannot learn from observations; build with -DTIDEWISE_LEARNING=ON");
TIDEWISE_ERROR(legs_too_many_together,
               "the tracks make {} legs; at most {} are possible at a time: apply the later ones "
               "to the resulting environment");
TIDEWISE_ERROR(track_on_land,
               "every leg of the track lies on land in {}; check the fixes, and the columns of "
               "longitude and latitude");
TIDEWISE_ERROR(error_fit_without_units,
               "{}: has no units, but an error model needs m/s, km and hours; give an environment "
               "that was imported from a forecast");
TIDEWISE_ERROR(mode_length_invalid, "--add-mode {}: the length must be above 0");
TIDEWISE_ERROR(track_fixes_too_few, "{} with a time and a position; a leg needs two");
TIDEWISE_ERROR(track_places_at_one_time,
               "is at {} at another position than {} {}; remove one of them, or distinguish "
               "vehicles with --column id=…");
TIDEWISE_ERROR(track_columns_not_together,
               "{}: none of its dimensions has all columns that --column names; name columns along "
               "one dimension");
TIDEWISE_ERROR(track_currents_missing,
               "no row has a current, its time and its position; add these columns");
TIDEWISE_ERROR(track_current_duration_unknown,
               "gives times and positions of its currents (column {}), but not their averaging "
               "time; give the time between surfacings with --averaged-over, e.g. 4h");
TIDEWISE_ERROR(radar_components_differ, "has other dimensions than {}; give both the same");
TIDEWISE_ERROR(radar_too_large,
               "has {} values, which are too many; extract the forecast's times and area first");
TIDEWISE_ERROR(not_gridded_currents,
               "{}: has no {} over time, latitude and longitude, as gridded surface currents have; "
               "give a vehicle's or a drifter's track with --track or --drifter");
TIDEWISE_ERROR(radar_coordinate_missing, "has no {} along its dimensions; add it");
TIDEWISE_ERROR(radar_time_missing,
               "has no time along its dimensions with a reference date in its units; add it");
TIDEWISE_ERROR(radar_dimension_not_single,
               "has {} {}; surface currents have one: extract it first");
TIDEWISE_ERROR(radar_units_unknown, "has the units \"{}\", which are not a speed; correct them");
TIDEWISE_ERROR(radar_units_missing, "has no units, but {} has \"{}\"; add its units");
TIDEWISE_ERROR(radar_flags_differ,
               "has other dimensions than {}, so its meaning is unclear; remove it, or give it the "
               "same dimensions");
TIDEWISE_ERROR(radar_without_usable_currents,
               "--radar {}: none of {} currents within the environment's area and time is usable: "
               "{} are flagged as bad, {} have no error above 0; check its flags and errors");
TIDEWISE_ERROR(radar_needs_dates_and_degrees,
               "--radar {}: has dates, longitudes and latitudes, but the environment lacks some of "
               "these; use one that was imported from a forecast");
TIDEWISE_ERROR(track_value_not_number,
               "column {} holds {}, which is not a number; leave unknown values empty");
TIDEWISE_ERROR(track_date_without_reference,
               "is a date, but the environment's times have no reference date; give times in its "
               "unit, or a column 'level'");
TIDEWISE_ERROR(track_units_without_date,
               "column {} is in \"{}\" without a reference date; write dates, or \"{} since "
               "1970-01-01\" as its unit");
TIDEWISE_ERROR(track_seconds_too_large,
               "column {} holds {}, too large for seconds since 1970; if these are milliseconds, "
               "divide them by 1000");
TIDEWISE_ERROR(track_time_without_unit,
               "column {} holds {} without a unit{}; write dates, or a unit in its name, such as "
               "\"{} [hours since 2024-10-28]\" (\"{} [s]\" is since {}), or name it level if it "
               "counts the environment's levels");
TIDEWISE_ERROR(column_option_invalid, "--column {}: is not ROLE=COLUMN; roles are {}");
TIDEWISE_ERROR(column_missing, "--column {}: {} has no such column; it has {}");
TIDEWISE_ERROR(csv_quote_not_closed, "a quote is not closed on its line; close it");
TIDEWISE_ERROR(track_neither_text_nor_netcdf,
               "{}: is neither text nor NetCDF; give a CSV with a line of names, or a NetCDF file");
TIDEWISE_ERROR(csv_row_length,
               "has {} columns, but the line of names has {}; give each row the same number");
TIDEWISE_ERROR(csv_empty, "{}: is empty; give a line of names, then one fix per line");
TIDEWISE_ERROR(
    csv_single_column,
    "{}: its first line, \"{}\", names only one column; separate names and numbers by commas");
TIDEWISE_ERROR(trajectory_option_missing, "has {} tracks; choose one with --trajectory 0 … {}");
TIDEWISE_ERROR(trajectory_option_outside, "has {} tracks, but --trajectory is {}; give 0 … {}");
TIDEWISE_ERROR(
    netcdf_track_without_columns,
    "{}: has no one-dimensional variable; a track needs times and positions along one dimension");
TIDEWISE_ERROR(log_without_fix,
               "{}: has no GPS fix (\"GPS Location: … measured … secs ago\" after a \"Curr "
               "Time:\"); give the whole log of a surfacing");
TIDEWISE_ERROR(log_of_two_vehicles,
               "belongs to {}, but the lines before to {}; give one vehicle's logs at a time");
TIDEWISE_ERROR(
    log_time_invalid,
    "\"Curr Time:\" is not followed by a time like Sat Mar 28 20:40:38 2026; correct the log");
TIDEWISE_ERROR(
    track_times_disagree,
    "{}: columns {} and {} both hold times, and they differ ({} {}: {} and {}); remove the one "
    "that is not the time of the position, or name the right one with --column time=…");
TIDEWISE_ERROR(
    track_profile_missing,
    "{} {} does not give the depth of the dive, and the environment has the profiles {}; name the "
    "profile of the dives with --profile, or a column with --column depth=…");
TIDEWISE_ERROR(
    track_legs_too_many,
    "makes {} legs; at most {} are possible: give only the fixes at surfacings, or one per hour");
TIDEWISE_ERROR(track_outside_forecast,
               "no leg lies within the environment's times: {}; use a forecast that covers them");
TIDEWISE_ERROR(track_error_missing,
               "the environment has no units, so there is no default error of observations; give "
               "the standard deviation with --error, or a column 'error'");
TIDEWISE_ERROR(track_profile_option_invalid, "--profile {}: {}");
TIDEWISE_ERROR(track_option_not_positive, "{} {}: must be {}");
TIDEWISE_ERROR(
    track_degrees_unusable,
    "has longitudes and latitudes, but the environment has none; give x and y in its plane");
TIDEWISE_ERROR(track_columns_missing,
               "a track needs a time (or level) and a position (lon and lat, or x and y), but its "
               "columns are {}; name them with --column time=… --column lon=… --column lat=…");
TIDEWISE_ERROR(track_speed_without_heading,
               "has a {} without a {}, but the vehicle's own motion needs both; name a column with "
               "--column {}=…");
TIDEWISE_ERROR(
    track_without_motion,
    "lacks the current and the vehicle's own motion; give columns u and v (the current), or speed "
    "and bearing, or dead_lon and dead_lat, or use --drifter if it only drifted");
TIDEWISE_ERROR(track_speed_without_environment_units,
               "column {} is in {}, but the environment has no units; give it in the units of its "
               "flow, such as cells per step");
TIDEWISE_ERROR(track_speed_units_unknown,
               "column {} has the units \"{}\", which are not a speed; use m/s, cm/s, km/h or kn, "
               "as in \"speed [kn]\"");
TIDEWISE_ERROR(track_length_units_unknown, "column {} is in \"{}\"; give x and y in m or km");
TIDEWISE_ERROR(track_angle_unit_unclear,
               "column {} has no value above {:.4g}, which looks like radians; name it \"{} "
               "[deg]\" or \"{} [rad]\"");
TIDEWISE_ERROR(track_latitude_invalid,
               "column {} holds {}; a latitude must lie between -90 and 90 degrees: correct it, or "
               "leave unknown values empty");
TIDEWISE_ERROR(track_longitude_invalid, "longitude {} is not valid; give degrees east");
TIDEWISE_ERROR(track_speed_implausible,
               "{} is {:.6g} m/s; at most {} is plausible: correct the column's unit, or leave "
               "unknown values empty");
TIDEWISE_ERROR(track_error_negative, "the error {} is negative; it must be 0 or more");
TIDEWISE_ERROR(track_angle_invalid,
               "column {} holds {}, which is not an angle; leave unknown values empty");
TIDEWISE_ERROR(track_outside_environment, "{} is outside the environment ({}){}");
TIDEWISE_ERROR(track_speed_negative, "the speed {} is negative; it must be 0 or more");
TIDEWISE_ERROR(track_profile_unknown,
               "column {} holds {}, but the environment has the profiles {}; correct the name");
TIDEWISE_ERROR(track_vehicles_several,
               "{}: has the tracks of {} vehicles, {} to {}; choose one with --trajectory 0 … {}");
TIDEWISE_ERROR(track_number_of_csv,
               "--trajectory {}: {} is a CSV or a log, which has one track; leave the option out");
TIDEWISE_ERROR(gpx_without_track,
               "{}: has no track point with a time; export the vehicle's track (trkpt), not a "
               "route or waypoints");
TIDEWISE_ERROR(track_is_goto_file,
               "{}: is a list of waypoints for a Slocum, not its track; give its surface log, or a "
               "table of its fixes");
TIDEWISE_ERROR(observations_learned_already,
               "{}; start from a forecast without these observations, or give a later track");
TIDEWISE_ERROR(netcdf_tracks_not_built,
               "{}: is a NetCDF file, which this build cannot read as a track (TIDEWISE_IMPORT is "
               "OFF); build with -DTIDEWISE_IMPORT=ON, or give the track as a CSV");
TIDEWISE_ERROR(radar_not_built,
               "{}: gridded currents are NetCDF, which this build cannot read (TIDEWISE_IMPORT is "
               "OFF); build with -DTIDEWISE_IMPORT=ON");
TIDEWISE_ERROR(track_columns_exchanged,
               "latitudes exceed 90 and longitudes do not: the columns may be exchanged; name them "
               "with --column lon=… --column lat=…");
TIDEWISE_ERROR(track_degrees_and_minutes,
               "latitudes exceed 90; if they are degrees and minutes (DDMM.MMM), give degrees");
TIDEWISE_ERROR(track_without_current, "no leg observes the current within the environment: {}");
TIDEWISE_ERROR(
    track_columns_without_current,
    "no leg observes the current within the environment: each needs two fixes in it, and a current "
    "or the vehicle's motion (columns: {}); name other columns with --column, e.g. --column lon=…");
TIDEWISE_ERROR(
    radar_outside_forecast,
    "--radar {}: no current in it lies within the environment's area and time (longitude {:.2f} to "
    "{:.2f}, latitude {:.2f} to {:.2f}); use a forecast that covers it");

}  // namespace tidewise::errors
