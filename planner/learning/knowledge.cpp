#include "planner/learning/knowledge.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/memory/host_memory.h"
#include "output/json_number.h"
#include "output/run/summary.h"
#include "planner/error/codes.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/rollout_statistics.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

/// Loads the realizations for planning, learning or flying at the mission's levels.
InMemoryLevels load_levels(const EnvironmentReader& environment, const Mission& mission) {
  return {environment, mission.departure, mission.last};
}

std::size_t flight_count(const MissionProblem& run) {
  return flight_numbers(run.info(), run.rollout).size();
}

std::size_t memory_needed(const MissionProblem& run, const EnvironmentReader* forecast,
                          const KnowledgeRequest& request) {
  const Mission& mission = run.mission;
  const auto levels_bytes = [&](const EnvironmentReader& environment) {
    return InMemoryLevels::size(environment.info(), mission.departure, mission.last);
  };
  const EnvironmentInfo& info = run.info();
  const auto states = static_cast<std::size_t>(info.grid.cell_count()) *
                      static_cast<std::size_t>(mission.last.value - mission.departure.value + 1);
  constexpr std::size_t state = sizeof(CellIndex) + sizeof(float) + sizeof(std::int16_t);
  const std::size_t legs = mission.via.size() + 1;
  std::size_t thread = legs * states * state;
  if (request.learning) {
    const EnvironmentInfo& learned = forecast == nullptr ? info : forecast->info();
    thread += sizeof(float) * static_cast<std::size_t>(learned.mode_count) *
              static_cast<std::size_t>(learned.realization_count) *
              static_cast<std::size_t>(mission.last.value + 1);
  }
  // Maximum observations of a flight: two components for each step.
  constexpr std::size_t observation = 256;
  const auto steps = static_cast<std::size_t>(mission.last.value - mission.departure.value);
  const std::size_t observations =
      request.learning ? flight_count(run) * 2 * steps * observation : 0;
  return levels_bytes(run.environment()) + (forecast == nullptr ? 0 : levels_bytes(*forecast)) +
         legs * states * sizeof(std::int16_t) +
         thread * static_cast<std::size_t>(run.rollout.threads) + observations;
}

void require_memory(const MissionProblem& run, const EnvironmentReader* forecast,
                    const KnowledgeRequest& request) {
  const std::size_t needed = memory_needed(run, forecast, request);
  const std::size_t available = available_memory();
  if (needed <= available) return;
  throw input_error(errors::knowledge_exceeds_memory, run.environment().path().string(),
                    1e-9 * static_cast<double>(needed), 1e-9 * static_cast<double>(available));
}

/// Checks that the ensemble has enough members without the truth. Errors: InputError.
void require_members(const MissionProblem& run, const EnvironmentReader* forecast) {
  const EnvironmentReader& environment = forecast == nullptr ? run.environment() : *forecast;
  const std::int32_t min = forecast == nullptr ? 3 : 2;
  const std::int32_t count = environment.info().realization_count;
  if (count >= min) return;
  throw input_error(errors::knowledge_realizations_too_few, environment.path().string(), count, min,
                    forecast == nullptr ? ", the truth being left out" : "");
}

/// A vehicle can change its plan only at a level that decides.
void require_replans_at_decisions(const MissionProblem& run, const LearningOptions& options) {
  const std::int32_t every = run.mission.decisions.every;
  if (options.replan_every % every == 0) return;
  throw input_error(errors::replan_step_not_multiple, options.replan_every, every, every);
}

Json mean_json(const MeanWithError& mean) {
  return {{"mean", json_number(mean.mean)}, {"standard_error", json_number(mean.standard_error)}};
}

/// Statistics of flights with the standard errors of their means.
Json figures_json(const RolloutStatistics& flown) {
  Json json = to_json(flown);
  json["time"]["standard_error"] = json_number(flown.time_standard_error);
  json["energy"]["standard_error"] = json_number(flown.energy_standard_error);
  json["net_energy"]["standard_error"] = json_number(flown.net_energy_standard_error);
  return json;
}

Json gain_json(const PairedWorth& gain) {
  return {{"arrival_rate", mean_json(gain.arrival_rate)},
          {"total_reward", mean_json(gain.total_reward)},
          {"both_arrive", gain.both_arrive},
          {"time", mean_json(gain.time)},
          {"energy", mean_json(gain.energy)},
          {"net_energy", mean_json(gain.net_energy)}};
}

double mean_of_numbers(const std::vector<double>& values) {
  double sum = 0;
  std::int64_t count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : std::nan("");
}

Json learning_json(const LearningOptions& options, const AdaptiveFlights& flown) {
  return {{"replan_every", options.replan_every},
          {"observation_error", options.observation_error},
          {"assumed_error",
           options.assumed_error > 0 ? options.assumed_error : options.observation_error},
          {"seed", options.seed},
          {"inflation", options.smoother.inflation ? Json(*options.smoother.inflation) : Json()},
          {"relaxation", options.smoother.relaxation},
          {"localisation", options.smoother.localisation},
          {"replans", flown.replans},
          {"steps_beyond_plan", flown.steps_beyond_plan},
          {"consistency", json_number(mean_of_numbers(flown.consistency))}};
}

}  // namespace

void validate_knowledge_request(const MissionProblem& run, const EnvironmentReader* forecast,
                                const KnowledgeRequest& request) {
  refuse_keeping(
      run, "the value of information is defined for missions with a target; compare plans instead");
  if (request.learning) {
    require_members(run, forecast);
    require_replans_at_decisions(run, *request.learning);
  }
  require_memory(run, forecast, request);
}

KnowledgeFlights fly_with_knowledge(const MissionProblem& run, const RolloutResult& open,
                                    const PolicySource& policy, const EnvironmentReader* forecast,
                                    const KnowledgeRequest& request, Progress& progress) {
  validate_knowledge_request(run, forecast, request);
  const EnvironmentReader& environment = run.environment();
  const EnvironmentInfo& info = environment.info();
  const PlanningProblem problem = run.planning_problem();
  const std::vector<ActionEffect> effects = action_effects(problem, info.time.step);
  const InMemoryLevels true_levels = load_levels(environment, run.mission);
  const OceanToFly ocean{info, true_levels, problem, effects};
  const Engine engine = run.request.planner.engine;
  const std::int32_t threads = run.rollout.threads;
  std::vector<std::int32_t> realizations;
  for (const Trajectory& flight : open.trajectories) realizations.push_back(flight.realization);

  KnowledgeFlights flown;
  const std::vector<FlightEnd> open_ends = flight_ends(open, info.time);
  std::vector<FlightEnd> adaptive_ends;
  if (request.learning) {
    std::optional<InMemoryLevels> forecast_levels;
    if (forecast != nullptr) forecast_levels.emplace(load_levels(*forecast, run.mission));
    const EnvironmentReader& known_environment = forecast == nullptr ? environment : *forecast;
    const InMemoryLevels& levels = forecast_levels ? *forecast_levels : true_levels;
    ManySolver solver(known_environment, levels, problem, engine, run.context->backend(),
                      flown.notes);
    const double steps = std::accumulate(
        open.trajectories.begin(), open.trajectories.end(), 0.0,
        [](double sum, const Trajectory& flight) { return sum + std::ceil(flight.steps()); });
    flown.adaptive =
        fly_adaptive(ocean, forecast == nullptr ? TruthIs::member : TruthIs::another, realizations,
                     {known_environment.info(), levels, policy}, *request.learning, solver, threads,
                     static_cast<std::int64_t>(steps), progress);
    adaptive_ends = flight_ends(flown.adaptive->rollout, info.time);
  }
  std::vector<FlightEnd> bound_ends;
  if (request.bound) {
    std::vector<std::string> repeated_notes;
    // In a single realization, proximity to an obstacle is no risk.
    Mission mission = problem.mission;
    mission.margin = 0;
    const PlanningProblem clairvoyant_problem{problem.actions, mission, problem.rule};
    ManySolver solver(environment, true_levels, clairvoyant_problem, engine, run.context->backend(),
                      flown.notes.empty() ? flown.notes : repeated_notes);
    flown.bound = fly_clairvoyant(ocean, realizations, solver, progress);
    bound_ends = flight_ends(flown.bound->rollout, info.time);
  }
  flown.worth = knowledge_worth(open_ends, bound_ends,
                                flown.bound ? flown.bound->predicted : std::vector<double>{},
                                adaptive_ends, info);
  return flown;
}

Json to_json(const KnowledgeFlights& flights, const KnowledgeRequest& request) {
  const KnowledgeWorth& worth = flights.worth;
  Json json{{"open", figures_json(worth.open)}};
  if (flights.adaptive) {
    json["adaptive"] = figures_json(*worth.adaptive);
    json["adaptive_gain"] = gain_json(worth.adaptive_gain);
    json["learning"] = learning_json(*request.learning, *flights.adaptive);
  }
  if (flights.bound) {
    json["bound"] = figures_json(worth.bound);
    json["bound_gain"] = gain_json(worth.bound_gain);
    json["bound_promise_less_flown"] = mean_json(worth.promise_gap);
  }
  if (flights.adaptive && flights.bound) {
    json["all_arrive"] = worth.all_arrive;
    json["regret_closed"] = mean_json(worth.regret_closed);
    json["regret_closed_of_all"] = mean_json(worth.regret_closed_of_all);
  }
  if (!flights.notes.empty()) json["notes"] = flights.notes;
  return json;
}

}  // namespace tidewise
