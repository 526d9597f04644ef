#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include "base/parallel/communicator.h"
#include "base/progress.h"
#include "output/run/policy_store.h"
#include "output/run/summary.h"
#include "planner/backend/kept_counts.h"
#include "planner/backend/planner_backend.h"
#include "planner/problem/mission_problem.h"
#include "solver/fly/rollout.h"
#include "solver/policy/policy.h"

namespace tidewise {

// Solving and flying a mission. Each function adds its results to the run's summary.

/// Returns the store that receives the policy while it is solved; `departures` and `pool` as for
/// PolicyStore.
std::unique_ptr<PolicyStore> open_store(const MissionProblem& problem,
                                        const std::filesystem::path& file,
                                        std::vector<TimeLevel> departures = {},
                                        PolicyPool* pool = nullptr,
                                        PolicyExtent extent = PolicyExtent::whole);

/// Options for counting on the CPU for a mission.
PlannerOptions cpu_options(const MissionProblem& problem);

/// Solves by counting transitions, or from `model` if it is not null (on a GPU by `method`).
void solve(const MissionProblem& problem, const ModelFile* model, ExplicitMethod method,
           PolicyStore& store, RunSummary& summary, Progress& progress);
/// Solves from stored counts.
void solve(const MissionProblem& problem, const KeptCounts& counts, PolicyStore& store,
           RunSummary& summary, Progress& progress);
/// Solves by counting, from the departure on, only in the cells that the vehicle can still reach
/// (PlannerBackend::solve_from_start).
void solve_from_start(const MissionProblem& problem, PolicyStore& store, RunSummary& summary,
                      Progress& progress);
/// Solves by counting, together with the other ranks; `store` is rank 0's, null at the others.
void solve_in_subdomains(const MissionProblem& problem, Communicator& communicator,
                         PolicyStore* store, RunSummary& summary, Progress& progress);

/// Reads the value and the first action of the start, which must have been chosen
/// (MissionProblem::choose_start), and evaluates the policy exactly unless `summary` holds the
/// result. If `summary` has planned_on, this receives the policy's value at the start, and the
/// value in this environment is that of the evaluation.
void evaluate(const MissionProblem& problem, const PolicySource& policy, RunSummary& summary,
              Progress& progress);

/// Flights of a mission that was evaluated, and the summary that receives their statistics.
struct SummarizedFlights {
  const MissionProblem* problem;
  const RolloutResult* flights;
  RunSummary* summary;
};
/// Adds the statistics of the flights of missions in one environment, and warnings if flights
/// differ from their plan's prediction (prediction_check.h), with the reason from one pass over the
/// levels by `step_threads` threads. Uses no planner, so that other missions can fly at the same
/// time. Returns the exception of each mission; null if it succeeded.
std::vector<std::exception_ptr> add_flight_statistics(const std::vector<SummarizedFlights>& all,
                                                      std::int32_t threads,
                                                      std::int32_t step_threads);

/// Flies baseline controllers if the mission requests them, and warns if one beats the plan's
/// flights, whose statistics must be in the summary (baselines.h).
void fly_baselines(const MissionProblem& problem, const RolloutResult& plan, RunSummary& summary,
                   Progress& progress);

/// Chooses the start, flies as the mission requests, and calls evaluate(), add_flight_statistics()
/// and fly_baselines(). Warns of a start from which nothing arrives (no_arrival.h).
RolloutResult fly(MissionProblem& problem, const PolicySource& policy, RunSummary& summary,
                  Progress& progress);

/// Writes trajectories.nc into `folder` if there are flights, with the points of `max_tracks` of
/// them at most, and returns the time taken [s]. Uses no planner, and of `summary` only the parts
/// that are known before flights are simulated.
double write_flights(const MissionProblem& problem, const RolloutResult& flights,
                     const std::filesystem::path& folder, const RunSummary& summary,
                     std::int32_t threads,
                     std::size_t max_tracks = std::numeric_limits<std::size_t>::max());

/// Flies by the store's policy, as fly() does, and writes trajectories.nc while the policy is
/// evaluated. Then waits until the policy's file is complete.
RolloutResult fly_and_write(MissionProblem& problem, PolicyStore& store,
                            const std::filesystem::path& folder, RunSummary& summary,
                            Progress& progress);

/// Adds the recommendation, the total time and the memory.
void complete(const MissionProblem& problem, RunSummary& summary);

}  // namespace tidewise
