#pragma once

#include <filesystem>
#include <string>

#include "app/cli/common_options.h"
#include "output/run/summary.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// What a person wants to know at the end of a run: the verdict in a line, what it rests on, and
/// below an empty line the details of this run. `before`: of a run that was planned anew on the
/// way, what both plans come to; the verdict begins with the one to steer by, and goes on with what
/// that comes to.
std::string describe_run(const MissionProblem& run, const RunSummary& summary,
                         const std::filesystem::path& folder, Values values,
                         const PlanCost* before = nullptr);

}  // namespace tidewise
