#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/common_options.h"
#include "app/report/pilot_words.h"
#include "output/run/summary.h"
#include "planner/run/mission_run.h"

namespace tidewise {

/// What a person wants to know at the end of a run: the verdict in a line, what it rests on, and
/// below an empty line the details. `advice` begins the verdict where a plan before this one is to
/// be stayed on or left.
std::string describe_run(const MissionRun& run, const RunSummary& summary,
                         const std::filesystem::path& folder, Values values,
                         const std::optional<Advice>& advice = {});

}  // namespace tidewise
