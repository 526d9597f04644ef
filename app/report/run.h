#pragma once

#include <filesystem>
#include <string>

#include "app/report/options.h"
#include "output/run/summary.h"
#include "planner/problem/mission_problem.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// The answer of a run, at most six lines: the note on probabilities, if any; the next action and
/// its end; arrival, 90 % window and probability; the comparison with steering straight at the
/// target; `surfacing`, a line or empty; the folder. With `details` all other figures follow after
/// an empty line. `before`: for a replanned run, the outcomes of both plans; the answer then
/// describes the recommended plan.
std::string describe_run(const MissionProblem& run, const RunSummary& summary,
                         const std::filesystem::path& folder, const ReportOptions& options,
                         const PlanCost* before = nullptr, const std::string& surfacing = "");

}  // namespace tidewise
