#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "app/report/pilot_words.h"
#include "planner/run/comparison.h"

namespace tidewise {

/// uncertainty_note() of each run, a line each; one line where it is the same for all.
std::string describe_uncertainty(const std::vector<ComparedRun>& runs);

/// "stay on A's plan: B's loses 0.1 h": the recommendation in one line, by the results of both
/// plans in the second's forecast.
std::string describe_recommendation(const RunComparison& comparison, const ComparedRun& first,
                                    const ComparedRun& second, char letter);

/// The runs' own figures side by side, from their summaries: "A", "B" … a column each.
std::string describe_runs(const std::vector<ComparedRun>& runs, Values values);

/// One pair, of which `letter` names the second; the first is A.
std::string describe_comparison(const RunComparison& comparison, const ComparedRun& second,
                                char letter, Values values);

/// The comparison as JSON. A cost is the loss from staying on the old plan: above 0 if it is worse.
nlohmann::ordered_json run_to_json(const ComparedRun& run);
nlohmann::ordered_json comparison_to_json(const RunComparison& comparison, const ComparedRun& first,
                                          const ComparedRun& second);

}  // namespace tidewise
