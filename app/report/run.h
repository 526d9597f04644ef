#pragma once

#include <filesystem>
#include <string>

#include "app/run/mission_run.h"
#include "output/run/summary.h"

namespace tidewise {

/// What a person wants to know at the end of a run: a few lines.
std::string describe_run(const MissionRun& run, const RunSummary& summary,
                         const std::filesystem::path& folder);

}  // namespace tidewise
