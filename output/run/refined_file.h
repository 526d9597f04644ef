#pragma once

#include <filesystem>
#include <string>

#include "env/file/reader.h"
#include "solver/refine/refined_policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// Writes a refined policy as a NetCDF-4 compatible file with CF attributes: heading [rad
/// counter-clockwise from +x], speed and gain (time, y, x), float32, NaN where no state was
/// refined; where the environment has lon and lat also bearing [degrees clockwise from true north].
/// `mission_text`: the mission, as policy.h5 echoes it. The file appears whole or not at all.
/// Errors: InputError for a place that cannot be written to, RunError when writing fails.
void write_refined_policy(const std::filesystem::path& path, const EnvironmentReader& environment,
                          Objective objective, const RefinedPolicy& refined,
                          const std::string& mission_text);

}  // namespace tidewise
