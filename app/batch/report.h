#pragma once

#include <string>
#include <vector>

#include "app/batch/pass/plan.h"
#include "app/batch/resumption.h"
#include "app/batch/setup.h"
#include "app/batch/table/row.h"

namespace tidewise {

/// The plan of a batch in a few lines: missions, solves and passes, sharing, expected memory, time
/// and disk, and invalid missions.
std::string describe_plan(const BatchSetup& setup, const BatchPlan& plan,
                          const FinishedMissions& finished);

/// The results of a batch, or of this process's part of it, in a few lines. `finished_before`:
/// number of missions that an earlier process finished.
std::string describe_batch(const BatchSetup& setup, const std::vector<BatchRow>& rows,
                           std::size_t finished_before, std::size_t passes, double seconds);

/// A table of at most 20 missions: arrival, time, 90 % window and share of arrivals, or their
/// station keeping.
std::string describe_missions(const BatchSetup& setup, const std::vector<BatchRow>& rows);

}  // namespace tidewise
