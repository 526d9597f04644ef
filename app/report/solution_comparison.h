#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "mdp/process/exact_comparison.h"

namespace tidewise {

/// The differences of actions and values between two solutions of one decision process. `letter`
/// names the second; the first is A.
std::string describe_solutions(const mdp::SolutionComparison& comparison, char letter);
/// The comparison as JSON.
nlohmann::ordered_json solutions_to_json(const mdp::SolutionComparison& comparison);

}  // namespace tidewise
