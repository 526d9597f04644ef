#pragma once

#include "base/error_text.h"

namespace tidewise::errors {

TIDEWISE_ERROR(smoother_option_invalid, "{} is {}; it must be {}");
TIDEWISE_ERROR(
    observation_outside_forecast,
    "observation {}: is of level {} with {} modes; the forecast has levels 0 to {} and {} modes");
TIDEWISE_ERROR(observation_not_finite,
               "observation {}: holds a number that is not finite; leave it out");
TIDEWISE_ERROR(
    observation_error_invalid,
    "observation {}: its error is {}; it must be above 0, for nothing is observed exactly");
TIDEWISE_ERROR(member_invalid,
               "member {}: is named twice, or there is no such realization; they are 0 to {}");
TIDEWISE_ERROR(member_weight_count, "there are {} weights for {} realizations; give each its own");
TIDEWISE_ERROR(learning_members_too_few,
               "{} of the realizations that learn count for something; an ensemble learns from its "
               "spread, so it needs two at least");
TIDEWISE_ERROR(forecast_coefficient_not_finite,
               "a coefficient of the forecast is not finite; nothing can be learned from it");
TIDEWISE_ERROR(covariance_not_factorised,
               "the observations' covariance cannot be factorised; give them greater errors");
TIDEWISE_ERROR(learning_not_built,
               "this build cannot learn from observations ; build with -DTIDEWISE_LEARNING=ON");
TIDEWISE_ERROR(legs_too_many_together,
               "the tracks make {} legs; give {} at most at a time, and observe the later ones "
               "from the posterior");
TIDEWISE_ERROR(track_on_land,
               "every leg of the track lies on what {} holds for land; look at the fixes, and "
               "whether longitude and latitude are what the columns say");
TIDEWISE_ERROR(
    error_fit_without_units,
    "{}: is without units, and an error model has m/s, km and hours; give an environment "
    "that was imported from a forecast");
TIDEWISE_ERROR(mode_length_invalid, "--add-mode {}: must be above 0");
TIDEWISE_ERROR(track_fixes_too_few, "{} with a time and a place; a leg takes two");
TIDEWISE_ERROR(track_places_at_one_time,
               "is at {} in another place than {} {}; take one of them out, or tell vehicles apart "
               "by --column id=…");
TIDEWISE_ERROR(track_columns_not_together,
               "{}: none of its dimensions has all columns that --column names");
TIDEWISE_ERROR(track_currents_missing, "there is no row with a current, its time and its place");
TIDEWISE_ERROR(track_current_duration_unknown,
               "says when and where its currents were met (column {}), and not over how long; give "
               "the time between surfacings with --averaged-over, such as 4h");
TIDEWISE_ERROR(radar_components_differ, "is on other dimensions than {}");
TIDEWISE_ERROR(radar_too_large, "has {} values; cut out the forecast's time and place");
TIDEWISE_ERROR(not_gridded_currents,
               "{}: has no {} over time, latitude and longitude, as gridded surface currents do; a "
               "vehicle's or a drifter's track is given by --track or --drifter");
TIDEWISE_ERROR(radar_coordinate_missing, "has no {} along its dimensions");
TIDEWISE_ERROR(radar_time_missing, "has no time along its dimensions whose units say since when");
TIDEWISE_ERROR(radar_dimension_not_single, "has {} {}; surface currents have one: cut it out");
TIDEWISE_ERROR(radar_units_unknown, "is in \"{}\", which is no speed");
TIDEWISE_ERROR(radar_units_missing, "has no units, and {} has \"{}\"; add its own");
TIDEWISE_ERROR(radar_flags_differ,
               "is on other dimensions than {}, so that nobody knows what it is of; take it out, "
               "or give it those");
TIDEWISE_ERROR(radar_without_usable_currents,
               "--radar {}: of {} currents within the environment's place and time none is of use: "
               "{} are flagged as bad, {} have no error above 0; look at its flags and errors");
TIDEWISE_ERROR(radar_needs_dates_and_degrees,
               "--radar {}: has dates, longitudes and latitudes, and the environment does not have "
               "all of them; take one that was imported from a forecast");
TIDEWISE_ERROR(track_value_not_number,
               "column {} holds {}, which is no number; leave it empty where nothing is known");
TIDEWISE_ERROR(track_date_without_reference,
               "is a date, and the environment's times count from none; give its own times, or a "
               "column 'level'");
TIDEWISE_ERROR(track_units_without_date,
               "column {} is in \"{}\" since nobody knows when; write dates, or \"{} since "
               "1970-01-01\" as its unit");
TIDEWISE_ERROR(track_seconds_too_large,
               "column {} holds {}, more seconds since 1970 than have been; if these are "
               "milliseconds, divide them by 1000");
TIDEWISE_ERROR(track_time_without_unit,
               "column {} holds {} without a unit{}; write dates, or a unit above it, such as \"{} "
               "[hours since 2024-10-28]\" (\"{} [s]\" is since {}), or call it level if it counts "
               "the environment's");
TIDEWISE_ERROR(column_option_invalid, "--column {}: is not ROLE=COLUMN; roles are {}");
TIDEWISE_ERROR(column_missing, "--column {}: {} has no such column; it has {}");
TIDEWISE_ERROR(csv_quote_not_closed, "a quote has no end on its line; close it");
TIDEWISE_ERROR(track_neither_text_nor_netcdf,
               "{}: is neither text nor NetCDF; give a CSV with a line of names, or a NetCDF file");
TIDEWISE_ERROR(csv_row_length,
               "has {} columns, and the line of names has {}; give each row as many");
TIDEWISE_ERROR(csv_empty, "{}: is empty; a track has a line of names, and a fix a line");
TIDEWISE_ERROR(
    csv_single_column,
    "{}: its first line, \"{}\", names one column alone; separate names and numbers by commas");
TIDEWISE_ERROR(trajectory_option_missing, "holds {} tracks; name one with --trajectory 0 … {}");
TIDEWISE_ERROR(trajectory_option_outside, "holds {} tracks; --trajectory {} is none of 0 … {}");
TIDEWISE_ERROR(
    netcdf_track_without_columns,
    "{}: holds no variable of one dimension; a track has its times and places along one");
TIDEWISE_ERROR(log_without_fix,
               "{}: no GPS fix stands in it (\"GPS Location: … measured … secs ago\" after a "
               "\"Curr Time:\"); give the whole log of a surfacing");
TIDEWISE_ERROR(log_of_two_vehicles,
               "is of {}, and what came before of {}; give one vehicle's logs at a time");
TIDEWISE_ERROR(log_time_invalid, "\"Curr Time:\" is no time such as Sat Mar 28 20:40:38 2026");
TIDEWISE_ERROR(
    track_times_disagree,
    "{}: columns {} and {} both hold times, and they differ ({} {}: {} and {}); remove the one "
    "that is not the time of the position, or name the right one with --column time=…");
TIDEWISE_ERROR(
    track_profile_missing,
    "{} {} does not say how deep the vehicle dived, and the environment has the profiles {}; name "
    "the one that it dived with --profile, or a column with --column depth=…");
TIDEWISE_ERROR(track_legs_too_many,
               "makes {} legs; give {} at most: the fixes at surfacings, or one an hour");
TIDEWISE_ERROR(track_outside_forecast,
               "no leg lies within the environment's times: {}; take a forecast that covers them");
TIDEWISE_ERROR(track_error_missing,
               "the environment is without units, so nobody knows how well its flow is observed; "
               "give the standard deviation with --error, or a column 'error'");
TIDEWISE_ERROR(track_profile_option_invalid, "--profile {}: {}");
TIDEWISE_ERROR(track_option_not_positive, "{} {}: must be {}");
TIDEWISE_ERROR(
    track_degrees_unusable,
    "gives longitudes and latitudes, and the environment has none; give x and y in its plane");
TIDEWISE_ERROR(track_columns_missing,
               "a track needs a time (or level) and a place (lon and lat, or x and y), and its "
               "columns are {}; name them with --column time=… --column lon=… --column lat=…");
TIDEWISE_ERROR(track_speed_without_heading,
               "has a {} without a {}; both are needed to know what the vehicle did itself (name a "
               "column with --column {}=…)");
TIDEWISE_ERROR(
    track_without_motion,
    "says where the vehicle was, and not what it did itself; give columns u and v (the current), "
    "or speed and bearing, or dead_lon and dead_lat, or name the file by --drifter if it only "
    "drifted");
TIDEWISE_ERROR(track_speed_without_environment_units,
               "column {} is in {}, and the environment is without units; give it in cells a step, "
               "or whatever its flow is in");
TIDEWISE_ERROR(
    track_speed_units_unknown,
    "column {} is in \"{}\", which is no speed; say m/s, cm/s, km/h or kn, as in \"speed [kn]\"");
TIDEWISE_ERROR(track_length_units_unknown, "column {} is in \"{}\"; give x and y in m or km");
TIDEWISE_ERROR(track_angle_unit_unclear,
               "column {} holds nothing beyond {:.4g}, which looks like radians; write \"{} "
               "[deg]\" or \"{} [rad]\" above it");
TIDEWISE_ERROR(track_latitude_invalid,
               "column {} holds {}; a latitude is -90 to 90 degrees: correct it, or leave it empty "
               "where nothing is known");
TIDEWISE_ERROR(track_longitude_invalid, "longitude {} is none; give degrees east");
TIDEWISE_ERROR(track_speed_implausible,
               "{} is {:.6g} m/s, and none makes more than {}; give the column's unit, or leave "
               "empty what is not known");
TIDEWISE_ERROR(track_error_negative, "the error {} is negative");
TIDEWISE_ERROR(track_angle_invalid,
               "column {} holds {}, which is no angle; leave it empty where nothing is known");
TIDEWISE_ERROR(track_outside_environment, "{} is outside the environment ({}){}");
TIDEWISE_ERROR(track_speed_negative, "the speed {} is negative");
TIDEWISE_ERROR(track_profile_unknown, "column {} says {}, and the environment has the profiles {}");
TIDEWISE_ERROR(track_vehicles_several,
               "{}: holds the tracks of {} vehicles, {} to {}; name one with --trajectory 0 … {}");
TIDEWISE_ERROR(
    track_number_of_csv,
    "--trajectory {}: {} is a CSV or a log, which holds one track; leave the option out");
TIDEWISE_ERROR(gpx_without_track,
               "{}: has no track point with a time; export the vehicle's track (trkpt), not a "
               "route or waypoints");
TIDEWISE_ERROR(track_is_goto_file,
               "{}: says where a Slocum is to go, not where it was; give its surface log, or a "
               "table of its fixes");
TIDEWISE_ERROR(observations_learned_already,
               "{}; observe from the forecast that had not, or give a later track");
TIDEWISE_ERROR(netcdf_tracks_not_built,
               "{}: is a NetCDF file, which this build cannot read as a track (TIDEWISE_IMPORT is "
               "OFF); build with -DTIDEWISE_IMPORT=ON, or give the track as a CSV");
TIDEWISE_ERROR(radar_not_built,
               "{}: gridded currents are NetCDF, which this build cannot read (TIDEWISE_IMPORT is "
               "OFF); build with -DTIDEWISE_IMPORT=ON");
TIDEWISE_ERROR(track_columns_exchanged,
               "latitudes go beyond 90 and longitudes do not: name the columns the other way "
               "round, with --column lon=… --column lat=…");
TIDEWISE_ERROR(track_degrees_and_minutes,
               "latitudes go beyond 90; if they are degrees and minutes (DDMM.MMM), give degrees");
TIDEWISE_ERROR(track_without_current,
               "no leg says anything of the current within the environment: {}");
TIDEWISE_ERROR(
    track_columns_without_current,
    "no leg says anything of the current within the environment: each needs two fixes in it, and "
    "beside them what the columns name ({}); --column takes others, such as --column lon=…");
TIDEWISE_ERROR(
    radar_outside_forecast,
    "--radar {}: no current in it lies within the environment's place and time (longitude {:.2f} "
    "to {:.2f}, latitude {:.2f} to {:.2f}); take a forecast that covers it");

}  // namespace tidewise::errors
