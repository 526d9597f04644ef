#pragma once

#include <string>
#include <vector>

#include "env/environment_info.h"
#include "output/run/policy_file.h"
#include "solver/policy/alignment.h"

namespace tidewise {

/// What a policy file says of the environment it was made on: grid, times, units, projection, title
/// and whether there are longitudes and latitudes; nothing of its ensemble. Errors: InputError
/// where the file cannot be read.
EnvironmentInfo describe_environment_of(const PolicyFile& policy);

/// Where it lies, for align_policies(). `name` is what messages call it. Errors: InputError for a
/// date in its time units that cannot be read.
PolicyPlace place_of(const PolicyFile& policy, const std::string& name);

/// The units of its values; empty where the file says nothing of them.
std::string value_units(const PolicyFile& policy);

/// Longitude and latitude of its cell centres [degrees], (y, x). Requires Coordinates::geographic.
std::vector<double> read_longitude(const PolicyFile& policy);
std::vector<double> read_latitude(const PolicyFile& policy);

}  // namespace tidewise
