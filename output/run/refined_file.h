#pragma once

#include <filesystem>

#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "solver/refine/refined_policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Writes a refined policy as a NetCDF-4 compatible file with CF attributes: heading [rad
/// counter-clockwise from +x], speed and gain (time, y, x), float32, NaN where no state was
/// refined. If the environment has lon and lat, also bearing [degrees clockwise from true north].
/// If there are several profiles, also profile, uint8, 255 where no state was refined. `policy`:
/// the policy that was refined; its mission is recorded. The file appears complete or not at all.
/// Errors: InputError if `path` cannot be written to, RunError when writing fails.
void write_refined_policy(const std::filesystem::path& path, const EnvironmentReader& environment,
                          const Mission& mission, const RefinedPolicy& refined,
                          const PolicyFile& policy);

}  // namespace tidewise
