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

/// Flies it: the plans are solved on the backend of the run. `run`: of the environment that is
/// flown in, its start chosen; `open`: its continuous flights by `policy`; `forecast`: the
/// environment that vehicles plan and learn with, null if it is that of `run`, whose
/// realizations are left out one by one then. Errors: InputError for an ensemble
/// too small, too little memory; those of solving and flying.
KnowledgeFlights fly_with_knowledge(const MissionProblem& run, const RolloutResult& open,
                                    const PolicySource& policy, const EnvironmentReader* forecast,
                                    const KnowledgeRequest& request, Progress& progress);

/// Errors that can be known before flying: InputError.
void validate_knowledge_request(const MissionProblem& run, const EnvironmentReader* forecast,
                                const KnowledgeRequest& request);

/// All of it for summary.json (docs/plan/outputs.md).
nlohmann::ordered_json to_json(const KnowledgeFlights& flights, const KnowledgeRequest& request);

}  // namespace tidewise
