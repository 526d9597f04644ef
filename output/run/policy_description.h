#pragma once

#include <string>
#include <vector>

#include "env/environment_info.h"
#include "output/run/policy_file.h"
#include "solver/policy/alignment.h"

namespace tidewise {

/// Facts of the environment of a policy file: grid, times, units, projection, title and whether
/// there are longitudes and latitudes; without its ensemble. Errors: InputError if the file cannot
/// be read.
EnvironmentInfo describe_environment_of(const PolicyFile& policy);

/// The plane and times of a policy, for align_policies(). `name`: used in messages. Errors:
/// InputError for an invalid date in its time units.
PolicyFrame place_of(const PolicyFile& policy, const std::string& name);

/// The units of its values; empty if the file has none.
std::string value_units(const PolicyFile& policy);

/// Longitude and latitude of its cell centres [degrees], (y, x). Requires Coordinates::geographic.
std::vector<double> read_longitude(const PolicyFile& policy);
std::vector<double> read_latitude(const PolicyFile& policy);

}  // namespace tidewise
