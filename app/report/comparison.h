#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "app/report/pilot_words.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// The uncertainty_note() of each run, one per line; a single line if all are the same.
std::string describe_uncertainty(const std::vector<ComparedRun>& runs);

/// The recommendation in one line, such as "stay on A's plan: B's loses 0.1 h", by the results of
/// both plans in the second's forecast.
std::string describe_recommendation(const RunComparison& comparison, const ComparedRun& first,
                                    const ComparedRun& second, char letter);

/// The figures of the runs' summaries side by side, with a column for each run: "A", "B" ….
std::string describe_runs(const std::vector<ComparedRun>& runs, Values values);

/// The comparison of a pair of runs. `letter` names the second; the first is A.
std::string describe_comparison(const RunComparison& comparison, const ComparedRun& second,
                                char letter, Values values);

/// A run's figures as JSON.
nlohmann::ordered_json run_to_json(const ComparedRun& run);
/// The comparison as JSON. A cost is the loss from staying on the old plan: above 0 if it is worse.
nlohmann::ordered_json comparison_to_json(const RunComparison& comparison, const ComparedRun& first,
                                          const ComparedRun& second);

}  // namespace tidewise
