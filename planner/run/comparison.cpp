#include "planner/run/comparison.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "env/file/time_reference.h"
#include "output/run/difference_file.h"
#include "output/run/policy_description.h"
#include "planner/error/codes.h"
#include "planner/problem/first_action.h"
#include "planner/run/flight_figures.h"
#include "planner/run/policy_validation.h"
#include "solver/legs/legs.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// Collects all values that are not tables, by their full keys.
void flatten_settings(const Json& table, const std::string& prefix, Json& flat) {
  for (const auto& [key, value] : table.items()) {
    std::string name = prefix;
    if (!name.empty()) name += '.';
    name += key;
    if (value.is_object()) {
      flatten_settings(value, name, flat);
    } else {
      flat[name] = value;
    }
  }
}

/// Returns the outcome of `policy` on the run's mission with these decisions. `flights`: receives
/// the simulated flights, if requested.
PlanOutcome evaluate_plan(const PolicySource& policy, const Decisions& decisions,
                          const MissionProblem& run, CostOfOldPlan cost, RolloutResult& flights,
                          Progress& progress) {
  Mission mission = run.mission;
  mission.decisions = decisions;
  PlanOutcome outcome;
  const EnvironmentInfo& info = run.info();
  outcome.expected = run.context->planner().evaluate(mission, policy, progress);
  set_keeping(mission, info, outcome.expected);
  if (cost == CostOfOldPlan::flown) {
    flights = run.context->planner().fly(mission, policy, run.rollout, progress);
    outcome.rollout = summarize(flights, info);
    set_keeping(flight_ends(flights, info.time), flights.mode, mission, info, *outcome.rollout);
  }
  return outcome;
}

/// Returns the decisions of the first plan in levels of the second, whose mission starts at
/// `departure`.
Decisions decisions_of_first(const PolicyFile& first, const PolicyAlignment& alignment,
                             TimeLevel departure) {
  const Decisions& decisions = first.decisions();
  if (decisions.for_all_departures) return {decisions.every, departure};
  return {decisions.every, TimeLevel(decisions.phase.value - alignment.levels)};
}

PlanCost cost_of_old_plan(const ComparedRun& second, const PolicyPair& pair,
                          const PolicyFile& first, CostOfOldPlan cost, Progress& progress) {
  const auto planning = std::make_shared<PlanningContext>(second.request);
  PlanCost result;
  result.warning = validate_own_environment(second.policy, *planning);
  MissionProblem run(second.request, planning);
  run.choose_start(second.policy);
  validate_policy(second.policy, run, PlannedHere::yes);
  result.coverage = measure_coverage(pair, run.mission.departure, run.mission.last);
  RolloutResult flights;
  result.own = evaluate_plan(second.policy, run.mission.decisions, run, cost, flights, progress);
  result.old =
      evaluate_plan(pair.a, decisions_of_first(first, pair.alignment, run.mission.departure), run,
                    cost, flights, progress);
  return result;
}

}  // namespace

std::vector<MissionDifference> mission_differences(const ComparedRun& first,
                                                   const ComparedRun& second) {
  Json a = Json::object();
  Json b = Json::object();
  flatten_settings(first.summary["mission"], "", a);
  flatten_settings(second.summary["mission"], "", b);
  std::vector<MissionDifference> differences;
  for (const auto& [key, value] : a.items()) {
    const Json other = b.contains(key) ? b[key] : Json();
    if (value != other) differences.push_back({key, value, other});
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key)) differences.push_back({key, Json(), value});
  }
  return differences;
}

namespace {

/// Returns the frame of a run's policy. A policy with one profile does not name it; the mission
/// does.
PolicyFrame frame_of_run(const ComparedRun& run) {
  PolicyFrame frame = place_of(run.policy, run.name);
  if (frame.profiles.empty()) frame.profiles = run.request.vehicle.profiles;
  return frame;
}

/// Aligns two policies on their common cells, levels and actions.
RunComparison align_runs(const ComparedRun& first, const ComparedRun& second) {
  RunComparison result;
  result.mission = mission_differences(first, second);
  result.alignment = align_policies(frame_of_run(first), frame_of_run(second));
  result.grid = second.policy.grid();
  result.time = second.policy.time();
  const EnvironmentInfo environment = describe_environment_of(second.policy);
  result.origin = time_reference(environment.time_units, "");
  if (environment.coordinates == Coordinates::geographic) {
    result.longitude = read_longitude(second.policy);
    result.latitude = read_latitude(second.policy);
  }
  return result;
}

}  // namespace

RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second, CostOfOldPlan cost,
                           AtomicFile* fields, Progress& progress) {
  if (cost != CostOfOldPlan::none && first.policy.leg_count() != second.policy.leg_count()) {
    throw input_error(errors::compared_legs_differ, first.name, second.name,
                      first.policy.leg_count() - 1, second.policy.leg_count() - 1);
  }
  RunComparison result = align_runs(first, second);
  const TransferredPolicy old_plan(first.policy, first.policy.grid(),
                                   first.policy.last_level().value, result.alignment, result.grid);
  const PolicyPair pair{old_plan, second.policy, result.alignment, second.policy.actions(),
                        result.grid};
  // This comes before anything is written, because a missing environment ends the command here.
  if (cost != CostOfOldPlan::none) {
    result.cost = cost_of_old_plan(second, pair, first.policy, cost, progress);
  }
  if (fields == nullptr) {
    result.policy = compare_policies(pair, nullptr, progress);
  } else {
    if (result.alignment.common_levels.count() < 1) {
      throw input_error(errors::compared_levels_disjoint, fields->final_path().string(), first.name,
                        second.name);
    }
    DifferenceWriter writer(
        *fields, second.policy, result.alignment,
        fmt::format("{} (second) less {} (first), on the cells and levels that both have",
                    second.name, first.name),
        value_units(first.policy) == value_units(second.policy) ? value_units(second.policy) : "");
    result.policy = compare_policies(pair, &writer, progress);
    writer.finish();
  }
  return result;
}

RunComparison compare_with_before(const ComparedRun& first, std::size_t passed,
                                  const ComparedRun& second, const MissionProblem& run,
                                  PlanOutcome own, RolloutResult& old_flights, Progress& progress) {
  RunComparison result = align_runs(first, second);
  const LaterLegs legs_left(first.policy, passed);
  const TransferredPolicy old_plan(legs_left, first.policy.grid(), first.policy.last_level().value,
                                   result.alignment, result.grid);
  const PolicyPair pair{old_plan, second.policy, result.alignment, second.policy.actions(),
                        result.grid};
  PlanCost& cost = result.cost.emplace();
  cost.coverage = measure_coverage(pair, run.mission.departure, run.mission.last);
  cost.old = evaluate_plan(
      old_plan, decisions_of_first(first.policy, result.alignment, run.mission.departure), run,
      own.rollout ? CostOfOldPlan::flown : CostOfOldPlan::expected, old_flights, progress);
  cost.old.first = first_action(run, old_plan);
  cost.own = std::move(own);
  result.policy = compare_policies(pair, nullptr, progress);
  return result;
}

}  // namespace tidewise
