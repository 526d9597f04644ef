#pragma once

#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Compression of packed variables; higher levels double the time and save a twentieth of the size.
inline constexpr int deflate_level = 1;

/// Sets the root attributes of every file that this program makes: Conventions, title, source.
void set_source_attributes(Hdf5File& file, const std::string& title);

/// Sets the root attributes of a NetCDF file of a run: those above, history, mission and, if there
/// is one, the projection of x and y. The history is the environment's with a line for this file's
/// `work`, such as "planned", without a date, so that the same mission gives the same bytes.
void set_run_attributes(Hdf5File& file, const EnvironmentInfo& info, const std::string& title,
                        const std::string& mission_text, const std::string& work);

/// `history` with a line for the work of this version.
std::string history_with(const std::string& history, const std::string& work);

/// Sets a variable's units, if not empty, and long_name.
void describe(Hdf5File& file, const std::string& variable, const std::string& units,
              const std::string& long_name);

/// Sets units and CF names of x, y and time, which may have any dimensions.
void describe_coordinates(Hdf5File& file, const EnvironmentInfo& info);

/// Defines time, y and x by `time` and `grid`, with their CF attributes.
void define_axes(Hdf5File& file, const EnvironmentInfo& info, const Grid& grid,
                 const TimeAxis& time);

/// Sets units and CF names of lon and lat, which may have any dimensions.
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
