#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "planner/learning/adaptive_flights.h"
#include "planner/learning/clairvoyant_flights.h"
#include "planner/learning/worth.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// Flights that measure the value of knowing or learning the flow.
struct KnowledgeFlights {
  std::optional<ClairvoyantFlights> bound;
  std::optional<AdaptiveFlights> adaptive;
  KnowledgeWorth worth;
  std::vector<std::string> notes;
};

/// The additional flights of a request.
struct KnowledgeRequest {
  bool bound = true;
  std::optional<LearningOptions> learning;
};

/// Flies the flights of a request; their plans are solved on the backend of the run. `run`: a run
/// with a chosen start, in the environment that flights move in; `open`: its continuous flights by
/// `policy`; `forecast`: the environment that vehicles plan with and learn from. If `forecast` is
/// null, this is the environment of `run` without the realization that is flown. Errors: InputError
/// for an ensemble too small or too little memory; those of solving and flying.
KnowledgeFlights fly_with_knowledge(const MissionProblem& run, const RolloutResult& open,
                                    const PolicySource& policy, const EnvironmentReader* forecast,
                                    const KnowledgeRequest& request, Progress& progress);

/// Validates a request before any flight. Errors: InputError.
void validate_knowledge_request(const MissionProblem& run, const EnvironmentReader* forecast,
                                const KnowledgeRequest& request);

/// Returns the results for summary.json (docs/plan/outputs.md).
nlohmann::ordered_json to_json(const KnowledgeFlights& flights, const KnowledgeRequest& request);

}  // namespace tidewise
