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

/// "stay on A's plan: B's gains 0.0 h": in one line, by what both come to in the second's forecast.
std::string describe_verdict(const RunComparison& comparison, const ComparedRun& first,
                             const ComparedRun& second, char letter);

/// The runs' own figures side by side, from their summaries: "A", "B" … a column each.
std::string describe_runs(const std::vector<ComparedRun>& runs, Values values);

/// One pair, of which `letter` names the second; the first is A.
std::string describe_comparison(const RunComparison& comparison, const ComparedRun& second,
                                char letter, Values values);

/// The same for programs. A cost is what staying on the old plan loses: above 0 where it is worse.
nlohmann::ordered_json run_to_json(const ComparedRun& run);
nlohmann::ordered_json comparison_to_json(const RunComparison& comparison, const ComparedRun& first,
                                          const ComparedRun& second);

}  // namespace tidewise
