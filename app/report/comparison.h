#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/run/comparison.h"

namespace tidewise {

/// The runs' own figures side by side, from their summaries: "A", "B" … a column each.
std::string describe_runs(const std::vector<ComparedRun>& runs);

/// One pair, of which `letter` names the second; the first is A.
std::string describe_comparison(const RunComparison& comparison, char letter);

/// The same for programs. A cost is what staying on the old plan loses: above 0 where it is worse.
nlohmann::ordered_json run_to_json(const ComparedRun& run);
nlohmann::ordered_json comparison_to_json(const RunComparison& comparison, const ComparedRun& first,
                                          const ComparedRun& second);

}  // namespace tidewise
