#pragma once

#include <filesystem>
#include <string>

#include "output/run/summary.h"
#include "planner/run/mission_run.h"

namespace tidewise {

/// What a person wants to know at the end of a run: a few lines.
std::string describe_run(const MissionRun& run, const RunSummary& summary,
                         const std::filesystem::path& folder);

}  // namespace tidewise
