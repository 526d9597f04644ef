#pragma once

#include "app/cli/context.h"
#include "base/progress.h"
#include "output/run/summary.h"
#include "planner/folder/run_folder.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// Writes the routes that the mission requests (output.formats) among the run's files and adds
/// their warnings to the summary. Errors: those of export_finished_run().
void export_routes(const MissionProblem& run, const RunFolder& folder, RunSummary& summary,
                   Progress& progress);

/// Completes the summary, moves the run's files into their folder, and prints the summary's
/// warnings. Errors: RunError when writing fails; the folder is then unchanged.
void finish_run_folder(const MissionProblem& run, RunFolder& folder, RunSummary& summary,
                       const CommandContext& context);

}  // namespace tidewise
