#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "solver/step/mission.h"

namespace tidewise {

/// For packed variables; higher levels double the time and save a twentieth of the size.
inline constexpr int deflate_level = 1;

/// Root attributes of every file that this program makes by itself: Conventions, title, source.
void set_source_attributes(Hdf5File& file, const std::string& title);

/// Attributes of every NetCDF file of a run, with history, mission and, if there is one, the
/// projection of x and y. The history is the environment's with a line for this file ("planned",
/// say), without a date, so that the same mission gives the same bytes.
void set_run_attributes(Hdf5File& file, const EnvironmentInfo& info, const std::string& title,
                        const std::string& mission_text, const std::string& deed);

/// `history` with a line for what this version did.
std::string history_with(const std::string& history, const std::string& deed);

/// A variable's units (none where empty) and long_name.
void describe(Hdf5File& file, const std::string& variable, const std::string& units,
              const std::string& long_name);

/// Units and CF names of x, y and time, whatever their dimensions.
void describe_coordinates(Hdf5File& file, const EnvironmentInfo& info);

/// Defines time, y and x as those of `time` and `grid`, with their CF attributes.
void define_axes(Hdf5File& file, const EnvironmentInfo& info, const Grid& grid,
                 const TimeAxis& time);

/// Units and CF names of lon and lat, whatever their dimensions.
void describe_longitude_latitude(Hdf5File& file);

/// Defines and writes lon, lat and meridian_convergence (y, x) of a file with those dimensions, and
/// names the first two as coordinates of `variables`.
void write_places(Hdf5File& file, const Grid& grid, const std::vector<double>& longitude,
                  const std::vector<double>& latitude, const std::vector<std::string>& variables);

/// "m s-1" or "1".
std::string speed_units(const EnvironmentInfo& info);
/// Units of Σ (c_f F² + c_t + dive) Δt for a mission's `model`: "J" with c_t or `profile_power`,
/// which are in watts; without them "m2 s-1" if c_f is 1; else "1", since c_f may scale energies to
/// any unit. "1" if the environment has no units.
std::string energy_units(const EnergyModel& model, Units units);
/// Units of rewards and values: of time or of energy; those of a weighted sum of both are "1".
std::string value_units(Objective objective, const EnergyModel& model, Units units);

}  // namespace tidewise
