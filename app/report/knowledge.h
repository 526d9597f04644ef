#pragma once

#include <string>

#include "planner/learning/knowledge.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// Describes the value of learning and of knowing the flow, compared with the open policy, in a few
/// lines.
std::string describe_knowledge(const MissionProblem& run, const KnowledgeFlights& flights);

}  // namespace tidewise
