#pragma once

#include <string>

#include "base/hdf5_file.h"
#include "env/environment_info.h"

namespace tidewise {

/// Root attributes that every NetCDF file of a run bears: Conventions, title, source, the mission
/// and, where there is one, the projection of x and y.
void set_run_attributes(Hdf5File& file, const EnvironmentInfo& info, const std::string& title,
                        const std::string& mission_text);

/// A variable's units (none where empty) and long_name.
void describe(Hdf5File& file, const std::string& variable, const std::string& units,
              const std::string& long_name);

/// Units and CF names of x, y and time, whatever their dimensions.
void describe_coordinates(Hdf5File& file, const EnvironmentInfo& info);

/// Units and CF names of lon and lat, whatever their dimensions.
void describe_longitude_latitude(Hdf5File& file);

/// "m s-1" or "1".
std::string speed_units(const EnvironmentInfo& info);

}  // namespace tidewise
